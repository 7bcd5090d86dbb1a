//! One writer at a time in a terminal's folder.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::{OnWait, StoreError};

/// The file that is locked.
pub(super) const NAME: &str = "session.lock";

/// A wait for longer than this is worth a word.
const LONG: Duration = Duration::from_secs(1);

/// How often to look whether the wait was given up.
const LOOK: Duration = Duration::from_millis(50);

/// Held while a manifest is read, changed and written. The system lets go of it with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other process holds the lock of this folder; none if the folder or the lock
    /// file was removed meanwhile, for such a lock guards nothing. A wait that is given up is an
    /// error.
    pub(super) fn acquire(folder: &Path, on_wait: &OnWait) -> Result<Option<Self>, StoreError> {
        let path = folder.join(NAME);
        let file = match open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(StoreError::io("open lock file", &path))?,
        };
        match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => wait(&file, &path, on_wait),
            Err(TryLockError::Error(error)) => Err(error),
        }
        .map_err(StoreError::io("lock", &path))?;
        Ok(is_at(&file, &path).then_some(Self { _file: file }))
    }
}

/// Waits for the lock as long as somebody wants that, and says so where it takes long.
fn wait(file: &File, path: &Path, on_wait: &OnWait) -> io::Result<()> {
    let held = || io::Error::new(io::ErrorKind::WouldBlock, "another program holds it");
    if on_wait.has_given_up() {
        return Err(held());
    }
    // Only a wait for a message can be given up. What the copy locks is locked for the original too,
    // and where nobody wants it any more, it is let go of with the last of the two.
    let copy = file.try_clone()?;
    let (done, is_done) = channel();
    let lock = move || done.send(copy.lock()).unwrap_or_default();
    if thread::Builder::new().name("lock".to_owned()).spawn(lock).is_err() {
        // Without a thread the wait is a silent one.
        return file.lock();
    }
    let start = Instant::now();
    let mut was_told = false;
    let look = if on_wait.may_give_up() { LOOK } else { LONG };
    loop {
        match is_done.recv_timeout(look) {
            Ok(locked) => return locked,
            Err(RecvTimeoutError::Disconnected) => return file.lock(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if on_wait.has_given_up() {
            return Err(held());
        }
        if start.elapsed() >= LONG && !std::mem::replace(&mut was_told, true) {
            on_wait.tell(path);
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
        (_, Err(_)) => false,
        (Err(_), _) => true,
    }
}
