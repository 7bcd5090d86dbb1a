//! Frozen screens that wait until all of a recording was good.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use super::history::ScreenData;
use crate::artifact::records::{Extras, SnapshotFacts};
use crate::artifact::{NewSnapshot, SnapshotData};
use crate::screen::{Screen, Size};

/// Up to this size no file is made.
const IN_MEMORY: usize = 1 << 20;

/// Frozen screens, in a temporary file that has no name.
pub(super) struct Spool {
    file: RefCell<SpooledTempFile>,
    entries: Vec<Entry>,
    length: u64,
}

struct Entry {
    place: Place,
    size: Size,
    extras: Extras,
}

/// Where a frozen screen is in the file.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    length: u64,
}

impl Spool {
    pub(super) fn new() -> Self {
        let file = RefCell::new(SpooledTempFile::new(IN_MEMORY));
        Self { file, entries: Vec::new(), length: 0 }
    }

    /// Whether nothing was frozen.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Freezes a screen.
    pub(super) fn push(&mut self, screen: &Screen, extras: Extras) -> io::Result<()> {
        let file = self.file.get_mut();
        ScreenData { history: None, screen }.write_to(file)?;
        let end = file.stream_position()?;
        let place = Place { start: self.length, length: end - self.length };
        self.length = end;
        self.entries.push(Entry { place, size: screen.size(), extras });
        Ok(())
    }

    /// Hands them out again.
    pub(super) fn snapshots(
        &self,
        session_id: &str,
    ) -> impl Iterator<Item = NewSnapshot<Spooled<'_>>> {
        self.entries.iter().map(move |entry| NewSnapshot {
            block_id: None,
            data: Spooled { file: &self.file, place: entry.place },
            facts: SnapshotFacts {
                session_id: session_id.to_owned(),
                step_id: None,
                cols: entry.size.cols,
                rows: entry.size.rows,
                length: 0,
                extras: entry.extras.clone(),
            },
        })
    }
}

/// One of the frozen screens.
pub(super) struct Spooled<'a> {
    file: &'a RefCell<SpooledTempFile>,
    place: Place,
}

impl SnapshotData for Spooled<'_> {
    fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(self.place.start))?;
        let copied = io::copy(&mut Read::by_ref(&mut *file).take(self.place.length), out)?;
        if copied < self.place.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}
