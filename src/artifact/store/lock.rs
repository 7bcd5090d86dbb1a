//! One writer at a time in a terminal's folder.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::StoreError;

/// Held while a manifest is read, changed and written. The system lets go of it with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock of this folder.
    pub(super) fn acquire(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("session.lock");
        loop {
            let file = open(&path).map_err(StoreError::io("open lock file", &path))?;
            file.lock().map_err(StoreError::io("lock", &path))?;
            if is_at(&file, &path) {
                return Ok(Self { _file: file });
            }
            // The folder was removed and made again while we waited: that lock guards nothing.
        }
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
        // The name is gone: try again, which says what is wrong with the folder.
        (_, Err(_)) => false,
        (Err(_), _) => true,
    }
}
