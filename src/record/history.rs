//! History beyond memory: rows that leave it go onto the pending snapshot on disk.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::artifact::SnapshotData;
use crate::screen::Screen;
use crate::snapshot::{RowsBefore, serialize_parts};

/// Rows that stay in memory, and how many more there may be before some are written.
const KEPT: usize = 10_000;
const SURPLUS: usize = 2_000;

/// The beginning of the snapshot that comes next.
#[derive(Debug)]
pub(crate) struct History {
    /// Where its files are, so that there is room for the snapshot.
    folder: PathBuf,
    /// Most bytes; the oldest lines are dropped beyond that.
    most: Option<u64>,
    chunks: VecDeque<Chunk>,
    /// What the stream is in behind the last of them.
    before: RowsBefore,
    text: String,
    /// How often the program had erased its history when rows were taken last.
    erasures: u64,
}

/// A part that is dropped as a whole. It ends with a line, unless it is the last one.
#[derive(Debug)]
struct Chunk {
    /// Has no name, so that nothing of it is left whatever happens; the journal has it all.
    file: File,
    bytes: u64,
    rows: u64,
    lines: u64,
    /// What the stream is in before it.
    start: RowsBefore,
}

/// A history that may be so long is kept in so many parts.
const CHUNKS: u64 = 8;

/// Rows that left memory.
#[derive(Debug, Default)]
pub(crate) struct Relieved {
    /// How many.
    pub(crate) rows: u64,
    /// Lines that begin in them.
    pub(crate) lines: u64,
    /// Whether those that left before are gone for good.
    pub(crate) cleared: bool,
    /// Rows and lines that were dropped because there are too many.
    pub(crate) dropped: (u64, u64),
}

impl History {
    /// Where the snapshot will be, so that there is room for it; of `most` bytes if that is given.
    pub(crate) fn begin(folder: &Path, most: Option<u64>) -> io::Result<Self> {
        let mut history = Self {
            folder: folder.to_owned(),
            most,
            chunks: VecDeque::new(),
            before: RowsBefore::default(),
            text: String::new(),
            erasures: 0,
        };
        history.begin_chunk()?;
        Ok(history)
    }

    fn begin_chunk(&mut self) -> io::Result<()> {
        let file = tempfile::tempfile_in(&self.folder)?;
        let start = self.before;
        self.chunks.push_back(Chunk { file, bytes: 0, rows: 0, lines: 0, start });
        Ok(())
    }

    /// Takes rows that are too many for memory. They are gone from there even if they could not be
    /// written, which is the error.
    pub(crate) fn relieve(&mut self, screen: &mut Screen) -> (Relieved, io::Result<()>) {
        let rows = screen.normal().scrollback_len();
        // That there are few rows says nothing: a taller screen takes rows back, and a wider one
        // needs fewer for the same lines.
        let erasures = screen.history_erasures();
        let cleared = std::mem::replace(&mut self.erasures, erasures) != erasures;
        if cleared {
            self.clear();
        }
        if rows < KEPT + SURPLUS {
            return (Relieved { cleared, ..Relieved::default() }, Ok(()));
        }
        let begins = |&index: &usize| !screen.normal().row(index).is_wrapped();
        // Whole lines, but for one that is longer than all that.
        let most = rows - KEPT;
        let count = (1..=most).rev().find(begins).unwrap_or(most);
        // The first row of all begins a line whatever its flag says.
        let first = u64::from(self.is_empty() && !begins(&0));
        let lines = first + (0..count).filter(begins).count() as u64;
        let mut before = self.before;
        self.text.clear();
        before.push(screen, count, &mut self.text);
        screen.forget_oldest(count);
        let result = self.write(before, count as u64, lines);
        let dropped = self.drop_oldest();
        (Relieved { rows: count as u64, lines, cleared, dropped }, result)
    }

    fn write(&mut self, before: RowsBefore, rows: u64, lines: u64) -> io::Result<()> {
        let is_full = |chunk: &Chunk| self.most.is_some_and(|most| chunk.bytes >= most / CHUNKS);
        if self.chunks.back().is_none_or(|chunk| is_full(chunk) && chunk.ends_line()) {
            self.begin_chunk()?;
        }
        let Some(chunk) = self.chunks.back_mut() else {
            return Ok(());
        };
        chunk.file.write_all_at(self.text.as_bytes(), chunk.bytes)?;
        chunk.bytes += u64::try_from(self.text.len()).unwrap_or(0);
        chunk.rows += rows;
        chunk.lines += lines;
        self.before = before;
        Ok(())
    }

    /// Drops parts until the rest is short enough; their rows and lines.
    fn drop_oldest(&mut self) -> (u64, u64) {
        let mut dropped = (0, 0);
        let Some(most) = self.most else {
            return dropped;
        };
        let bytes = |chunks: &VecDeque<Chunk>| chunks.iter().map(|chunk| chunk.bytes).sum::<u64>();
        while self.chunks.len() > 1 && bytes(&self.chunks) > most {
            if let Some(chunk) = self.chunks.pop_front() {
                dropped = (dropped.0 + chunk.rows, dropped.1 + chunk.lines);
            }
        }
        dropped
    }

    /// Begins again.
    pub(crate) fn clear(&mut self) {
        self.before = RowsBefore::default();
        self.chunks.truncate(1);
        for chunk in &mut self.chunks {
            // What cannot be given back is written over.
            chunk.file.set_len(0).unwrap_or_default();
            (chunk.bytes, chunk.rows, chunk.lines) = (0, 0, 0);
            chunk.start = RowsBefore::default();
        }
    }

    /// Whether no row left memory.
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.bytes == 0)
    }

    fn copy_to(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(first) = self.chunks.front() {
            // What came before it may have left a style on.
            out.write_all(first.start.style_sequence().as_bytes())?;
        }
        self.chunks.iter().try_for_each(|chunk| chunk.copy_to(out))
    }
}

impl Chunk {
    fn ends_line(&self) -> bool {
        let mut end = [0; 2];
        let start = self.bytes.saturating_sub(2);
        self.bytes >= 2 && self.file.read_exact_at(&mut end, start).is_ok() && &end == b"\r\n"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Scrollback, Size};
    use crate::snapshot;

    #[test]
    fn the_oldest_lines_are_dropped_whole_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let size = Size { cols: 20, rows: 4 };
        let mut history = History::begin(folder.path(), Some(400_000)).unwrap();
        let mut screen = Screen::new(size, Scrollback::Unlimited);
        let (mut lines, mut dropped) = (0, (0, 0));
        for number in 0..120_000_u32 {
            // A style that goes on over every boundary, and lines of two rows.
            let style = number % 7 + 1;
            screen.feed(
                format!("\x1b[3{style}mline {number} goes on in a second row\r\n").as_bytes(),
            );
            let (relieved, result) = history.relieve(&mut screen);
            result.unwrap();
            lines += relieved.lines;
            dropped = (dropped.0 + relieved.dropped.0, dropped.1 + relieved.dropped.1);
        }
        let mut data = Vec::new();
        let whole = ScreenData { history: Some(&history), screen: &screen };
        whole.write_to(&mut data).unwrap();
        assert!(data.len() < 1_300_000, "{}", data.len());
        let text = snapshot::read(&data, Some(size)).unwrap().text;
        let first = text.lines().next().unwrap();
        assert_eq!(first, format!("line {} goes on in a second row", dropped.1));
        assert_eq!(text.lines().count() as u64, 120_000 - dropped.1);
        assert_eq!(dropped.0, 2 * dropped.1);
        assert!(lines > dropped.1 && dropped.1 > 0);
    }
}
