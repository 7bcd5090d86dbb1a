//! A file that is there whole or not at all.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use super::data::Measured;
use super::{SnapshotData, StoreError};

/// Names of temporary files, which nobody else may use.
const PREFIX: &str = ".session-";
const SUFFIX: &str = ".tmp";

/// Whether a file name is one that a writer uses until the file is whole.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

/// Puts a file of mode 0600 in place: a temporary file beside it, on disk, then renamed.
///
/// The name itself is on disk only after [`super::folder::sync`]. A temporary file that cannot be
/// finished is removed.
pub(super) fn write(path: &Path, data: &[u8]) -> Result<(), StoreError> {
    let try_write = || {
        let mut file = begin(path)?;
        file.as_file_mut().write_all(data)?;
        finish(file, path)
    };
    try_write().map_err(StoreError::io("write", path))
}

/// The same for data that comes in parts; its length in UTF-16 code units.
pub(super) fn write_parts(path: &Path, data: impl SnapshotData) -> Result<u64, StoreError> {
    let mut file = begin(path).map_err(StoreError::io("write", path))?;
    let mut out = Measured::new(file.as_file_mut());
    if let Err(error) = data.write_to(&mut out) {
        return Err(match out.has_failed {
            true => StoreError::io("write", path)(error),
            false => StoreError::Source(error),
        });
    }
    let units = out.units;
    finish(file, path).map_err(StoreError::io("write", path))?;
    Ok(units)
}

fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    file.as_file().set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

fn finish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The file that is about to get the name `path`: complete and on disk, under a name of its own.
pub(super) fn prepare(path: &Path, data: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = begin(path)?;
    file.as_file_mut().write_all(data)?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file_that_was_meant() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gone/x");
        let error = write(&path, b"").unwrap_err().to_string();
        let want = format!("cannot write {}: No such file or directory", path.display());
        assert_eq!(error, want);
    }
}
