//! Journals that lie in a session's folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::OFlags;

use super::name::Stem;
use super::segment::UNFINISHED;
use super::{JournalError, folder};
use crate::record::byte_reader::ByteReader;

/// A journal, of a recorder that may be alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundJournal {
    pub(super) folder: PathBuf,
    pub(super) stem: Stem,
    /// Its segments, ascending.
    pub(super) numbers: Vec<u64>,
}

/// What came of asking for a journal's lock.
#[derive(Debug)]
pub enum Locking {
    /// Its recorder is dead, and nobody else has the lock now.
    Dead(DeadJournal),
    /// Its recorder lives, or somebody is recovering it.
    InUse,
    /// It is not there any more.
    Gone,
}

/// A journal whose recorder is dead, held so that nobody else recovers it.
#[derive(Debug)]
pub struct DeadJournal {
    journal: FoundJournal,
    _lock: File,
}

/// The journals of a session, the oldest first.
///
/// # Errors
/// [`JournalError`] where their folder cannot be read. There need be none.
pub fn find_journals(session_folder: &Path) -> Result<Vec<FoundJournal>, JournalError> {
    let folder = folder::path(session_folder);
    match fs::symlink_metadata(&folder) {
        Ok(metadata) if !metadata.is_dir() => return Err(JournalError::NotAFolder(folder)),
        // What else is wrong with it shows when it is listed.
        _ => {}
    }
    let stems = list(&folder).map_err(JournalError::io("look at", &folder))?;
    let found = |(stem, numbers)| FoundJournal { folder: folder.clone(), stem, numbers };
    Ok(stems.into_iter().map(found).collect())
}

fn list(folder: &Path) -> io::Result<BTreeMap<Stem, Vec<u64>>> {
    let mut stems: BTreeMap<Stem, Vec<u64>> = BTreeMap::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if is_missing(&error) => return Ok(stems),
        other => other?,
    };
    for entry in entries {
        let name = entry?.file_name();
        if let Some((stem, number)) = name.to_str().and_then(Stem::parse) {
            stems.entry(stem).or_default().push(number);
        }
    }
    for numbers in stems.values_mut() {
        numbers.sort_unstable();
    }
    Ok(stems)
}

impl FoundJournal {
    /// The newest of its files.
    pub fn path(&self) -> PathBuf {
        self.segment(self.numbers.last().copied().unwrap_or(1))
    }

    pub(super) fn segment(&self, number: u64) -> PathBuf {
        self.folder.join(self.stem.segment(number))
    }

    /// The same journal as it is now.
    pub(super) fn again(&self) -> io::Result<Option<Self>> {
        let numbers = list(&self.folder)?.remove(&self.stem);
        Ok(numbers.map(|numbers| Self { numbers, ..self.clone() }))
    }

    /// When its recording began, in milliseconds since 1970.
    pub fn start(&self) -> u64 {
        self.stem.start
    }

    /// Whether there is anything behind a header: output, or at least a line.
    pub fn has_events(&self) -> bool {
        let has = |number: &u64| {
            let Ok(file) = open(&self.segment(*number)) else {
                return false;
            };
            let mut reader = ByteReader::file(file);
            loop {
                let Ok(bytes) = reader.fill() else {
                    return false;
                };
                let (count, newline) = (bytes.len(), memchr::memchr(b'\n', bytes));
                match newline {
                    _ if count == 0 => return false,
                    None => reader.consume(count),
                    Some(newline) => {
                        reader.consume(newline + 1);
                        return matches!(reader.peek(), Ok(Some(_)));
                    }
                }
            }
        };
        self.numbers.iter().any(has)
    }

    /// Whether its recorder lives. Whoever recovers it counts as one that does.
    ///
    /// It only looks: the lock is shared with others who look, and held for no time.
    ///
    /// # Errors
    /// [`JournalError`] where its files cannot be opened.
    pub fn is_alive(&self) -> Result<bool, JournalError> {
        self.try_look().map_err(JournalError::io("look at", &self.path()))
    }

    fn try_look(&self) -> io::Result<bool> {
        let mut now = self.again()?;
        while let Some(journal) = now {
            let path = journal.path();
            let is_free = match open(&path).map(|file| file.try_lock_shared()) {
                Ok(Ok(())) => true,
                Ok(Err(TryLockError::WouldBlock)) => return Ok(true),
                Ok(Err(TryLockError::Error(error))) => return Err(error),
                Err(error) if is_missing(&error) => false,
                Err(error) => return Err(error),
            };
            // A living recorder holds the newest file, which this one may be no more.
            now = self.again()?;
            if is_free && now.as_ref().is_some_and(|now| now.path() == path) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Asks for its lock, without waiting.
    ///
    /// # Errors
    /// [`JournalError`] where its files cannot be opened.
    pub fn lock(&self) -> Result<Locking, JournalError> {
        self.try_lock().map_err(JournalError::io("lock", &self.path()))
    }

    fn try_lock(&self) -> io::Result<Locking> {
        let Some(mut now) = self.again()? else {
            return Ok(Locking::Gone);
        };
        loop {
            let path = now.path();
            let file = match open(&path) {
                Ok(file) => Some(file),
                Err(error) if is_missing(&error) => None,
                Err(error) => return Err(error),
            };
            match file.as_ref().map(File::try_lock) {
                // Somebody who only looks lets go at once.
                Some(Err(TryLockError::WouldBlock)) if is_only_looked_at(file.as_ref()) => continue,
                Some(Err(TryLockError::WouldBlock)) => return Ok(Locking::InUse),
                Some(Err(TryLockError::Error(error))) => return Err(error),
                Some(Ok(())) | None => {}
            }
            // A living recorder holds the newest file at every moment. This one may have been
            // the newest no more when it was locked.
            let Some(later) = self.again()? else {
                return Ok(Locking::Gone);
            };
            if let Some(lock) = file
                && later.path() == path
                && is_at(&lock, &path)
            {
                return Ok(Locking::Dead(DeadJournal { journal: later, _lock: lock }));
            }
            now = later;
        }
    }
}

impl DeadJournal {
    /// The journal.
    pub fn journal(&self) -> &FoundJournal {
        &self.journal
    }

    /// Removes its files: what was in it is in a block now, or was nothing.
    ///
    /// # Errors
    /// [`JournalError`] where a file cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        // The newest, which is locked, goes last.
        for &number in &self.journal.numbers {
            let path = self.journal.segment(number);
            match fs::remove_file(&path) {
                Err(error) if !is_missing(&error) => {
                    return Err(JournalError::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        remove_unfinished(&self.journal.folder);
        folder::remove_if_empty(&self.journal.folder);
        Ok(())
    }
}

/// Whether a file in the folder of journals is one that a recorder was about to put in place.
pub fn is_unfinished(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes())
}

/// Whether a file in the folder of journals belongs to one.
pub fn is_journal_file(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| Stem::parse(name).is_some())
}

/// Removes files that a recorder was about to put in place when it died. Nothing is in them.
fn remove_unfinished(folder: &Path) {
    const OLD: Duration = Duration::from_secs(60);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_unfinished = is_unfinished(&entry.file_name());
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if is_unfinished && age.is_some_and(|age| age > OLD) {
            fs::remove_file(entry.path()).unwrap_or_default();
        }
    }
}

/// Opens a regular file for reading, without ever hanging on something else.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

fn is_only_looked_at(file: Option<&File>) -> bool {
    file.is_some_and(|file| file.try_lock_shared().is_ok())
}

fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(held), Ok(named)) => identity(held) == identity(named),
        _ => false,
    }
}

pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
