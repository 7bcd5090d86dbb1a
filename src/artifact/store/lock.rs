//! One writer at a time in a terminal's folder.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;

use super::{OnWait, StoreError};

/// The file that is locked.
pub(super) const NAME: &str = "session.lock";

/// A wait for longer than this is worth a word.
const LONG: Duration = Duration::from_secs(1);

/// Held while a manifest is read, changed and written. The system lets go of it with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock of this folder; none if the folder or the lock
    /// file was removed meanwhile, for such a lock guards nothing.
    pub(super) fn acquire(folder: &Path, on_wait: &OnWait) -> Result<Option<Self>, StoreError> {
        let path = folder.join(NAME);
        let file = match open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(StoreError::io("open lock file", &path))?,
        };
        match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => wait(&file, || on_wait.tell(&path)),
            Err(TryLockError::Error(error)) => Err(error),
        }
        .map_err(StoreError::io("lock", &path))?;
        Ok(is_at(&file, &path).then_some(Self { _file: file }))
    }
}

/// Waits for the lock; `tell` is called where that takes long.
fn wait(file: &File, tell: impl FnOnce() + Send) -> io::Result<()> {
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        let watch = move || {
            if is_done.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        };
        // Without a thread the wait is a silent one.
        thread::Builder::new().spawn_scoped(scope, watch).map(drop).unwrap_or_default();
        let locked = file.lock();
        drop(done);
        locked
    })
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
