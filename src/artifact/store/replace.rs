//! A new manifest in place of the one that was read, and of no other.
//!
//! codex-deck takes no lock: it may put a manifest in place between our reading and our writing, and
//! a plain rename would throw that away. So the two files change places, and what came out is looked
//! at.

use std::io;
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use tempfile::NamedTempFile;

use crate::artifact::{FileError, read_file};

/// How often somebody else may be faster in the moment in which files change places.
const ATTEMPTS: usize = 100;

/// What became of a new manifest.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    /// It is in place of what was expected.
    Done,
    /// It is not in place. Somebody else wrote these meanwhile, the last of which is in place; none
    /// where there is no file any more.
    Refused(Vec<Vec<u8>>),
}

/// Gives `new`, which holds `data`, the name `path`, where the file of that name holds `expected`,
/// or is none.
pub(super) fn replace(
    new: NamedTempFile,
    path: &Path,
    data: &[u8],
    expected: Option<&[u8]>,
) -> io::Result<Replaced> {
    let found = read(path)?;
    if found.as_deref() != expected {
        return Ok(Replaced::Refused(found.into_iter().collect()));
    }
    let Some(expected) = expected else {
        return match new.persist_noclobber(path) {
            Ok(_) => Ok(Replaced::Done),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Replaced::Refused(read(path)?.into_iter().collect()))
            }
            Err(error) => Err(error.error),
        };
    };
    match exchange(&new, path) {
        Ok(found) if found == expected => Ok(Replaced::Done),
        Ok(found) => put_back(new, path, data.to_vec(), found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Replaced::Refused(Vec::new())),
        // Not every file system can do that; then the look before was all that can be done.
        Err(error) if is_unsupported(&error) => {
            new.persist(path).map_err(|error| error.error)?;
            Ok(Replaced::Done)
        }
        Err(error) => Err(error),
    }
}

/// Gives what made way for `ours` its place again, at once: whoever wrote it may read it at any
/// moment. `file` holds it.
fn put_back(
    file: NamedTempFile,
    path: &Path,
    ours: Vec<u8>,
    theirs: Vec<u8>,
) -> io::Result<Replaced> {
    let mut in_place = ours;
    let mut found = vec![theirs];
    for _ in 0..ATTEMPTS {
        let out = match exchange(&file, path) {
            Ok(out) => out,
            Err(_) => break,
        };
        if out == in_place {
            return Ok(Replaced::Refused(found));
        }
        // It was written while older things were in place, and is out now instead of them.
        in_place = found.last().cloned().unwrap_or_default();
        found.push(out);
    }
    // What is in hand is not ours to remove.
    file.persist(path).map_err(|error| error.error)?;
    Ok(Replaced::Refused(found))
}

/// Has a file and the one at `path` change places; what `file` holds then.
fn exchange(file: &NamedTempFile, path: &Path) -> io::Result<Vec<u8>> {
    let swap = || renameat_with(CWD, file.path(), CWD, path, RenameFlags::EXCHANGE);
    swap()?;
    match read(file.path()) {
        Ok(data) => Ok(data.unwrap_or_default()),
        Err(error) => {
            // What cannot be read cannot be judged, so it gets its place again.
            swap()?;
            Err(error)
        }
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    let numbers = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|number| numbers.contains(&number))
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    match read_file(folder, Path::new(name)) {
        Ok(data) => Ok(Some(data)),
        Err(FileError::Missing) => Ok(None),
        Err(error) => Err(error.into_io()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::store::atomic::prepare;
    use std::fs;

    #[test]
    fn only_what_was_read_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session.json");
        let put = |data: &[u8], expected: Option<&[u8]>| {
            replace(prepare(&path, data).unwrap(), &path, data, expected).unwrap()
        };
        let refused =
            |found: &[&[u8]]| Replaced::Refused(found.iter().map(|found| found.to_vec()).collect());
        assert_eq!(put(b"1", Some(b"0")), refused(&[]));
        assert_eq!(put(b"1", None), Replaced::Done);
        assert_eq!(put(b"2", None), refused(&[b"1"]));
        assert_eq!(put(b"2", Some(b"1")), Replaced::Done);
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_made_way_gets_its_place_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("session.json");
        let refused = |file: NamedTempFile, theirs: &[u8]| match put_back(
            file,
            &path,
            b"ours".to_vec(),
            theirs.to_vec(),
        )
        .unwrap()
        {
            Replaced::Refused(found) => found,
            Replaced::Done => panic!("it was put in place"),
        };
        fs::write(&path, "theirs").unwrap();
        let file = prepare(&path, b"ours").unwrap();
        assert_eq!(exchange(&file, &path).unwrap(), b"theirs");
        assert_eq!(refused(file, b"theirs"), [b"theirs"]);
        assert_eq!(fs::read(&path).unwrap(), b"theirs");

        // They are faster once more: the newest is in place.
        let file = prepare(&path, b"ours").unwrap();
        exchange(&file, &path).unwrap();
        fs::write(&path, "newer").unwrap();
        assert_eq!(refused(file, b"theirs"), [&b"theirs"[..], b"newer"]);
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
