//! One writer at a time in a terminal's folder.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::StoreError;

/// The file that is locked.
pub(super) const NAME: &str = "session.lock";

/// Held while a manifest is read, changed and written. The system lets go of it with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock of this folder; none if the folder or the lock
    /// file was removed meanwhile, for such a lock guards nothing.
    pub(super) fn acquire(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(NAME);
        let file = match open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(StoreError::io("open lock file", &path))?,
        };
        file.lock().map_err(StoreError::io("lock", &path))?;
        Ok(is_at(&file, &path).then_some(Self { _file: file }))
    }
}

fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(flags.cast_signed())
        .open(path)?;
    if file.metadata()?.permissions().mode() & 0o777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(held), Ok(named)) => identity(held) == identity(named),
        (_, Err(_)) => false,
        (Err(_), _) => true,
    }
}
