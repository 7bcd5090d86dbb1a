//! Folders that only the user can enter.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

use super::{StoreError, atomic};

/// Makes `path` and what is missing above it, each 0700 whatever the umask. Folders that are there
/// keep their mode.
pub(super) fn create_all(path: &Path) -> Result<(), StoreError> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_all(parent)?;
    }
    let created = DirBuilder::new()
        .mode(0o700)
        .create(path)
        .and_then(|()| fs::set_permissions(path, Permissions::from_mode(0o700)));
    match created {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // Another writer was faster, or something else has the name.
            if path.is_dir() { Ok(()) } else { Err(not_a_folder(path, "file")) }
        }
        other => other.map_err(StoreError::io("create folder", path)),
    }?;
    // Else a power cut may take the new folder with all that is in it.
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync(parent),
        _ => Ok(()),
    }
}

/// Makes one folder that must not be a symbolic link; whether it was not there.
pub(super) fn create_real(path: &Path) -> Result<bool, StoreError> {
    let is_new = match fs::symlink_metadata(path) {
        Ok(_) => false,
        // What is in the way above it is said where it is to be made.
        Err(error) if is_missing(&error) => {
            create_all(path)?;
            true
        }
        Err(error) => return Err(StoreError::io("look at", path)(error)),
    };
    // Another writer that failed may have removed it just now; the caller comes again then.
    let metadata = fs::symlink_metadata(path).map_err(StoreError::io("look at", path))?;
    if metadata.is_dir() {
        Ok(is_new)
    } else if metadata.is_symlink() {
        Err(not_a_folder(path, "symbolic link"))
    } else {
        Err(not_a_folder(path, "file"))
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn not_a_folder(path: &Path, what: &'static str) -> StoreError {
    StoreError::NotAFolder { path: path.to_path_buf(), what }
}

/// Removes what a writer that was killed left unfinished. Call it with the lock held: then nobody is
/// at work on such a file.
pub(super) fn sweep(path: &Path) {
    // What cannot be removed does no harm.
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if atomic::is_temporary(&entry.file_name()) {
            fs::remove_file(entry.path()).ok();
        }
    }
}

/// Makes the names in a folder survive a power cut.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .map_err(StoreError::io("sync folder", path))
}
