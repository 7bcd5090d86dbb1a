//! Reading one regular file without ever hanging on something else.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
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
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// All bytes of the regular file at `path`, which must not be a symbolic link.
///
/// # Errors
/// [`FileError`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    // Non-blocking, because opening a FIFO for reading otherwise waits for a writer.
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY).bits();
    let opened = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path);
    let mut file = match opened {
        Ok(file) => file,
        Err(error) => return Err(classify(error)),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut data = Vec::new();
    data.try_reserve(usize::try_from(metadata.len()).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.read_to_end(&mut data)?;
    Ok(data)
}

fn classify(error: io::Error) -> FileError {
    match Errno::from_io_error(&error) {
        Some(Errno::NOENT | Errno::NOTDIR) => FileError::Missing,
        // LOOP is a link where none is followed; a socket cannot be opened at all.
        Some(Errno::LOOP | Errno::NXIO) => FileError::NotAFile,
        _ => FileError::Io(error),
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
        rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), rustix::fs::Mode::RUSR).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();

        assert_eq!(read_file(&at("file")).unwrap(), b"text");
        assert!(matches!(read_file(&at("none")), Err(FileError::Missing)));
        assert!(matches!(read_file(&at("file/below")), Err(FileError::Missing)));
        for name in ["link", "fifo", "socket", "."] {
            assert!(matches!(read_file(&at(name)), Err(FileError::NotAFile)), "{name}");
        }
    }
}
