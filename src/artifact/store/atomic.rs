//! A file that is there whole or not at all.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Head, StoreError};

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
    write_behind(path, None, data)
}

/// The same with something before the data.
pub(super) fn write_behind(
    path: &Path,
    head: Option<Head<'_>>,
    data: &[u8],
) -> Result<(), StoreError> {
    try_write(path, head, data).map_err(StoreError::io("write", path))
}

fn try_write(path: &Path, head: Option<Head<'_>>, data: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    file.as_file().set_permissions(Permissions::from_mode(0o600))?;
    if let Some(head) = head {
        let mut source = head.file;
        source.rewind()?;
        let copied = io::copy(&mut source.take(head.bytes), file.as_file_mut())?;
        if copied < head.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    file.as_file_mut().write_all(data)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
