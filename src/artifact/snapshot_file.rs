//! The file behind a snapshot block.

use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::{Block, FileError, read_file, read_file_start, resolve_from};

/// A snapshot file inside its session folder.
#[derive(Debug)]
pub struct SnapshotFile {
    /// The file, resolved.
    pub path: PathBuf,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// Why a block's snapshot was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The block names no file.
    #[error("block {0} has no snapshotPath")]
    NoPath(String),
    /// The path leads out of the session folder.
    #[error("block path escapes terminal session directory: {0}")]
    Outside(String),
    /// No regular file is there.
    #[error("content file not found: {}", .0.display())]
    Missing(PathBuf),
    /// The system refused.
    #[error("cannot read content file {path}: {error}")]
    Unreadable {
        /// The path, as named where it cannot be resolved.
        path: String,
        /// The system's answer.
        error: io::Error,
    },
}

impl SnapshotFile {
    /// Finds and reads the snapshot of a block. `folder` is the terminal's folder, resolved.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn read(folder: &Path, block: &Block<'_>) -> Result<Self, SnapshotError> {
        Self::read_by(read_file, folder, block)
    }

    /// The same for its first `most` bytes.
    ///
    /// # Errors
    /// [`SnapshotError`].
    pub fn read_start(folder: &Path, block: &Block<'_>, most: u32) -> Result<Self, SnapshotError> {
        Self::read_by(|folder, path| read_file_start(folder, path, most), folder, block)
    }

    fn read_by(
        read: impl Fn(&Path, &Path) -> Result<Vec<u8>, FileError>,
        folder: &Path,
        block: &Block<'_>,
    ) -> Result<Self, SnapshotError> {
        // Nearly every path is plain, and then opening it follows no link and resolves nothing.
        if let Some(named) = block.text("snapshotPath")
            && is_plain(Path::new(&*named))
            && let Ok(data) = read(folder, Path::new(&*named))
        {
            return Ok(Self { path: folder.join(&*named), data });
        }
        let path = Self::locate(folder, block)?;
        match read(folder, path.strip_prefix(folder).unwrap_or(&path)) {
            Ok(data) => Ok(Self { path, data }),
            Err(FileError::Missing | FileError::NotAFile) => Err(SnapshotError::Missing(path)),
            Err(error) => Err(SnapshotError::Unreadable {
                path: path.display().to_string(),
                error: error.into_io(),
            }),
        }
    }

    /// Where the snapshot of a block is, whether or not a file is there.
    ///
    /// # Errors
    /// [`SnapshotError::NoPath`], [`SnapshotError::Outside`], or a path the system refuses.
    pub fn locate(folder: &Path, block: &Block<'_>) -> Result<PathBuf, SnapshotError> {
        let named =
            block.text("snapshotPath").ok_or_else(|| SnapshotError::NoPath(block.label()))?;
        let path = resolve_from(folder, Path::new(&*named)).map_err(|error| {
            SnapshotError::Unreadable { path: named.clone().into_owned(), error }
        })?;
        if !path.starts_with(folder) {
            return Err(SnapshotError::Outside(named.into_owned()));
        }
        Ok(path)
    }
}

/// Whether a path is names alone, written as they would be joined.
fn is_plain(path: &Path) -> bool {
    let is_name = |part: Component<'_>| matches!(part, Component::Normal(_));
    path.components().all(is_name) && path.components().as_path().as_os_str() == path.as_os_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_are_plain() {
        for plain in ["a", "blocks/b.snapshot", "a b/…"] {
            assert!(is_plain(Path::new(plain)), "{plain}");
        }
        for other in ["/a", "../a", "a/../b", "./a", "a/"] {
            assert!(!is_plain(Path::new(other)), "{other}");
        }
    }
}
