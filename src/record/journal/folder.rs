//! The folder of a session's journals.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::JournalError;
use crate::artifact::{JOURNAL, private_folder};

/// Where the journals of a session are.
pub(super) fn path(session_folder: &Path) -> PathBuf {
    session_folder.join(JOURNAL)
}

/// Makes the folder of the journals, and what is missing above it, for this user only.
pub(super) fn create(session_folder: &Path) -> Result<PathBuf, JournalError> {
    let folder = path(session_folder);
    private_folder(session_folder)?;
    create_one(&folder).map_err(JournalError::io("create folder", &folder))?;
    // The end of another recording may have removed it just now; the caller comes again then.
    let metadata = fs::symlink_metadata(&folder).map_err(JournalError::io("look at", &folder))?;
    if metadata.is_dir() { Ok(folder) } else { Err(JournalError::NotAFolder(folder)) }
}

fn create_one(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        // The umask may have taken rights away that are needed.
        Ok(()) => fs::set_permissions(folder, fs::Permissions::from_mode(0o700)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes the folder once nothing is in it.
pub(super) fn remove_if_empty(folder: &Path) {
    // Another recorder's journal keeps it.
    fs::remove_dir(folder).unwrap_or_default();
}

/// Makes the names in the folder survive a power cut.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}
