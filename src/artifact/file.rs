//! Reading one regular file without ever hanging on something else.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use thiserror::Error;

/// Why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is none.
    #[error("no such file")]
    Missing,
    /// A folder, a FIFO, a device, a socket or a symbolic link.
    #[error("not a regular file")]
    NotAFile,
    /// More than is read of any file.
    #[error("larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl FileError {
    /// The system's error, or one that says the same.
    pub fn into_io(self) -> io::Error {
        match self {
            Self::Io(error) => error,
            other => io::Error::other(other.to_string()),
        }
    }
}

/// The most bytes that are read of one file: a manifest or a snapshot is far smaller, and a sparse
/// file of any length costs nothing to make.
const MAX_BYTES: u64 = 1 << 30;

/// All bytes of a regular file below `folder`, which is resolved. `path` has no `..` and no links:
/// each part is opened from the one before it and none may be a link, so that what was resolved is
/// what is read even where somebody swaps a folder meanwhile.
///
/// # Errors
/// [`FileError`].
pub fn read_file(folder: &Path, path: &Path) -> Result<Vec<u8>, FileError> {
    read_all(open_file(folder, path)?)
}

/// The first `most` bytes of such a file.
///
/// # Errors
/// [`FileError`].
pub fn read_file_start(folder: &Path, path: &Path, most: u32) -> Result<Vec<u8>, FileError> {
    let file = open_file(folder, path)?;
    if !file.metadata()?.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut data = Vec::new();
    file.take(most.into()).read_to_end(&mut data)?;
    Ok(data)
}

fn open_file(folder: &Path, path: &Path) -> Result<File, FileError> {
    let inner = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut parts: Vec<_> = path.components().collect();
    let name = parts.pop().ok_or(FileError::NotAFile)?;
    let mut parent = open(CWD, folder, inner | OFlags::DIRECTORY)?;
    for part in parts {
        parent = open(&parent, part.as_ref(), inner | OFlags::DIRECTORY)?;
    }
    // Non-blocking, because opening a FIFO for reading otherwise waits for a writer.
    let file = open(&parent, name.as_ref(), inner | OFlags::NONBLOCK | OFlags::NOCTTY)?;
    Ok(File::from(file))
}

fn open(parent: impl AsFd, path: &Path, flags: OFlags) -> Result<OwnedFd, FileError> {
    openat(parent, path, OFlags::RDONLY | flags, Mode::empty()).map_err(classify)
}

fn read_all(file: File) -> Result<Vec<u8>, FileError> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile);
    }
    if metadata.len() > MAX_BYTES {
        return Err(FileError::TooLarge);
    }
    let mut data = Vec::new();
    data.try_reserve(usize::try_from(metadata.len()).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.take(MAX_BYTES).read_to_end(&mut data)?;
    Ok(data)
}

fn classify(error: Errno) -> FileError {
    match error {
        Errno::NOENT | Errno::NOTDIR => FileError::Missing,
        // LOOP is a link where none is followed; a socket cannot be opened at all.
        Errno::LOOP | Errno::NXIO => FileError::NotAFile,
        _ => FileError::Io(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_regular_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        rustix::fs::mkfifoat(CWD, at("fifo"), Mode::RUSR).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();

        let read = |name: &str| read_file(dir.path(), Path::new(name));
        assert_eq!(read("file").unwrap(), b"text");
        assert!(matches!(read("none"), Err(FileError::Missing)));
        assert!(matches!(read("file/below"), Err(FileError::Missing)));
        for name in ["link", "fifo", "socket", "folder", ""] {
            assert!(matches!(read(name), Err(FileError::NotAFile)), "{name}");
        }
    }

    #[test]
    fn no_part_of_the_path_may_be_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let folder = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir(folder.join("real")).unwrap();
        std::fs::write(folder.join("real/file"), "text").unwrap();
        symlink("real", folder.join("link")).unwrap();
        assert_eq!(read_file(&folder, Path::new("real/file")).unwrap(), b"text");
        assert!(read_file(&folder, Path::new("link/file")).is_err());
        assert!(read_file(&folder.join("link"), Path::new("file")).is_err());
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let sparse = File::create(dir.path().join("sparse")).unwrap();
        sparse.set_len(MAX_BYTES + 1).unwrap();
        assert!(matches!(read_file(dir.path(), Path::new("sparse")), Err(FileError::TooLarge)));
        assert_eq!(read_file_start(dir.path(), Path::new("sparse"), 3).unwrap(), [0; 3]);
    }
}
