//! A file that is there whole or not at all.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::StoreError;

/// Puts a file of mode 0600 in place: a temporary file beside it, on disk, then renamed.
///
/// The name itself is on disk only after [`super::folder::sync`]. A temporary file that cannot be
/// finished is removed.
pub(super) fn write(path: &Path, data: &[u8]) -> Result<(), StoreError> {
    try_write(path, data).map_err(StoreError::io("write", path))
}

fn try_write(path: &Path, data: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut file = tempfile::Builder::new()
        .prefix(".session-")
        .suffix(".tmp")
        .tempfile_in(folder)
        // tempfile names its own path, which helps nobody once the file is gone.
        .map_err(|error| io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(5)))?;
    file.as_file().set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(data)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
