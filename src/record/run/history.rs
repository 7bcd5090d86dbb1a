//! History beyond memory: rows that leave it go onto the pending snapshot on disk.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::artifact::Head;
use crate::screen::Screen;
use crate::snapshot::RowsBefore;

/// Rows that stay in memory, and how many more there may be before some are written.
const KEPT: usize = 10_000;
const SURPLUS: usize = 2_000;

/// The beginning of the snapshot that comes next.
pub(crate) struct History {
    /// Has no name, so that nothing of it is left whatever happens; the journal has it all.
    file: File,
    before: RowsBefore,
    bytes: u64,
    /// Its length as snapshots count it.
    units: u64,
    text: String,
}

/// Rows that left memory.
pub(crate) struct Relieved {
    /// How many.
    pub(crate) rows: u64,
    /// Lines that begin in them, but for one that begins in the first row of all.
    pub(crate) lines: u64,
    /// Whether they were written.
    pub(crate) result: io::Result<()>,
}

impl History {
    /// Where the snapshot will be, so that there is room for it.
    pub(crate) fn begin(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            file: tempfile::tempfile_in(folder)?,
            before: RowsBefore::default(),
            bytes: 0,
            units: 0,
            text: String::new(),
        })
    }

    /// Takes rows that are too many for memory; how many. They are gone from there even if they
    /// could not be written.
    pub(crate) fn relieve(&mut self, screen: &mut Screen) -> Relieved {
        let rows = screen.normal().scrollback_len();
        if rows < KEPT && self.bytes > 0 && !screen.is_alternate() {
            // Nothing but a program that clears the history takes rows away here.
            self.clear();
        }
        if rows < KEPT + SURPLUS {
            return Relieved { rows: 0, lines: 0, result: Ok(()) };
        }
        let count = rows - KEPT;
        let begins = |index: &usize| *index > 0 && !screen.normal().row(*index).is_wrapped();
        let first = u64::from(self.bytes > 0 && !screen.normal().row(0).is_wrapped());
        let lines = first + (0..count).filter(begins).count() as u64;
        let mut before = self.before;
        self.text.clear();
        before.push(screen, count, &mut self.text);
        screen.forget_oldest(count);
        let result = self.file.write_all_at(self.text.as_bytes(), self.bytes);
        if result.is_ok() {
            self.before = before;
            self.bytes += u64::try_from(self.text.len()).unwrap_or(0);
            self.units += u64::try_from(self.text.encode_utf16().count()).unwrap_or(0);
        }
        Relieved { rows: count as u64, lines, result }
    }

    /// Begins again.
    pub(crate) fn clear(&mut self) {
        self.before = RowsBefore::default();
        (self.bytes, self.units) = (0, 0);
        // What cannot be given back is written over.
        self.file.set_len(0).unwrap_or_default();
    }

    /// What stands before the rows in memory.
    pub(crate) fn head(&self) -> Option<Head<'_>> {
        (self.bytes > 0).then_some(Head { file: &self.file, bytes: self.bytes, units: self.units })
    }

    pub(crate) fn before(&self) -> RowsBefore {
        self.before
    }
}
