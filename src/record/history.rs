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
pub(super) struct History {
    /// Has no name, so that nothing of it is left whatever happens; the journal has it all.
    file: File,
    before: RowsBefore,
    bytes: u64,
    text: String,
}

impl History {
    /// Where the snapshot will be, so that there is room for it.
    pub(super) fn begin(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            file: tempfile::tempfile_in(folder)?,
            before: RowsBefore::default(),
            bytes: 0,
            text: String::new(),
        })
    }

    /// Takes rows that are too many for memory; how many. They are gone from there even if they
    /// could not be written.
    pub(super) fn relieve(&mut self, screen: &mut Screen) -> (usize, io::Result<()>) {
        let rows = screen.normal().scrollback_len();
        if rows < KEPT && self.bytes > 0 && !screen.is_alternate() {
            // Nothing but a program that clears the history takes rows away here.
            self.clear();
        }
        if rows < KEPT + SURPLUS {
            return (0, Ok(()));
        }
        let count = rows - KEPT;
        let mut before = self.before;
        self.text.clear();
        before.push(screen, count, &mut self.text);
        screen.forget_oldest(count);
        let result = self.file.write_all_at(self.text.as_bytes(), self.bytes);
        if result.is_ok() {
            self.before = before;
            self.bytes += u64::try_from(self.text.len()).unwrap_or(0);
        }
        (count, result)
    }

    /// Begins again.
    pub(super) fn clear(&mut self) {
        self.before = RowsBefore::default();
        self.bytes = 0;
        // What cannot be given back is written over.
        self.file.set_len(0).unwrap_or_default();
    }

    /// Whether no row left memory.
    pub(super) fn is_empty(&self) -> bool {
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
pub(super) struct ScreenData<'a> {
    pub(super) history: Option<&'a History>,
    pub(super) screen: &'a Screen,
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
