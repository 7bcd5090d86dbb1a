//! History beyond memory: rows that leave it go onto the pending snapshot on disk.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::artifact::SnapshotData;
use crate::screen::Screen;
use crate::snapshot::{RowsBefore, serialize_parts};

/// Rows that stay in memory, and how many more there may be before some are written.
const KEPT: usize = 10_000;
const SURPLUS: usize = 2_000;

/// The beginning of the snapshot that comes next.
#[derive(Debug)]
pub(crate) struct History {
    /// Has no name, so that nothing of it is left whatever happens; the journal has it all.
    file: File,
    before: RowsBefore,
    bytes: u64,
    text: String,
}

/// Rows that left memory.
#[derive(Debug)]
pub(crate) struct Relieved {
    /// How many.
    pub(crate) rows: u64,
    /// Lines that begin in them.
    pub(crate) lines: u64,
    /// Whether those that left before are gone for good.
    pub(crate) cleared: bool,
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
            text: String::new(),
        })
    }

    /// Takes rows that are too many for memory; how many. They are gone from there even if they
    /// could not be written.
    pub(crate) fn relieve(&mut self, screen: &mut Screen) -> Relieved {
        let rows = screen.normal().scrollback_len();
        let cleared = rows < KEPT && self.bytes > 0 && !screen.is_alternate();
        if cleared {
            // Nothing but a program that clears the history takes rows away here.
            self.clear();
        }
        if rows < KEPT + SURPLUS {
            return Relieved { rows: 0, lines: 0, cleared, result: Ok(()) };
        }
        let count = rows - KEPT;
        let begins = |&index: &usize| !screen.normal().row(index).is_wrapped();
        // The first row of all begins a line whatever its flag says.
        let first = u64::from(self.bytes == 0 && !begins(&0));
        let lines = first + (0..count).filter(begins).count() as u64;
        let mut before = self.before;
        self.text.clear();
        before.push(screen, count, &mut self.text);
        screen.forget_oldest(count);
        let result = self.file.write_all_at(self.text.as_bytes(), self.bytes);
        if result.is_ok() {
            self.before = before;
            self.bytes += u64::try_from(self.text.len()).unwrap_or(0);
        }
        Relieved { rows: count as u64, lines, cleared, result }
    }

    /// Begins again.
    pub(crate) fn clear(&mut self) {
        self.before = RowsBefore::default();
        self.bytes = 0;
        // What cannot be given back is written over.
        self.file.set_len(0).unwrap_or_default();
    }

    /// Whether no row left memory.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    fn copy_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut source = &self.file;
        source.rewind()?;
        let copied = io::copy(&mut source.take(self.bytes), out)?;
        if copied < self.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

/// A screen as the data of a snapshot, behind the rows that left memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenData<'a> {
    pub(crate) history: Option<&'a History>,
    pub(crate) screen: &'a Screen,
}

impl SnapshotData for ScreenData<'_> {
    fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        let mut before = RowsBefore::default();
        if let Some(history) = self.history.filter(|history| !history.is_empty()) {
            history.copy_to(out)?;
            before = history.before;
        }
        serialize_parts(before, self.screen, &mut |part| out.write_all(part.as_bytes()))
    }
}
