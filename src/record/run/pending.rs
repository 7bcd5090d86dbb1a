//! What was shown and is in no block yet.

use std::io;

use crate::record::history::{History, Relieved, ScreenData};
use crate::screen::{Modes, Screen, Scrollback, Size};

/// The screen that is frozen, and where somebody must answer queries the one that is seen.
///
/// Up to the first freeze they are the same. After one the first starts again empty, and the other,
/// which keeps no history, goes on.
pub(crate) struct Pending {
    screen: Screen,
    seen: Option<Screen>,
    answers: bool,
    /// Rows beyond memory, where they are kept.
    history: Option<History>,
    /// Rows that left memory for it, and those of them that it could not take.
    relieved: u64,
    lost: u64,
    /// Lines that begin in rows that left memory and are kept, and those that are not.
    lines_before: u64,
    lines_dropped: u64,
}

impl Pending {
    pub(crate) fn new(
        size: Size,
        scrollback: Scrollback,
        history: Option<History>,
        answers: bool,
    ) -> Self {
        let screen = Screen::new(size, scrollback);
        let screen = if answers { screen.with_replies() } else { screen };
        Self {
            screen,
            seen: None,
            answers,
            history,
            relieved: 0,
            lost: 0,
            lines_before: 0,
            lines_dropped: 0,
        }
    }

    /// Draws.
    ///
    /// # Errors
    /// Rows that are too many for memory could not be written and are gone.
    pub(crate) fn output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.screen.feed(bytes);
        if let Some(seen) = &mut self.seen {
            seen.feed(bytes);
        }
        let Some(history) = &mut self.history else {
            return Ok(());
        };
        let (relieved, result) = history.relieve(&mut self.screen);
        let Relieved { rows, lines, cleared, dropped } = relieved;
        if cleared {
            (self.lines_before, self.lines_dropped, self.lost) = (0, 0, 0);
        }
        self.relieved += rows;
        self.lines_before += lines;
        self.lines_before = self.lines_before.saturating_sub(dropped.1);
        self.lines_dropped += dropped.1;
        self.lost += dropped.0 + if result.is_err() { rows } else { 0 };
        result
    }

    /// Rows that are not in the next block.
    pub(crate) fn dropped_rows(&self) -> u64 {
        self.screen.dropped_rows() + self.lost
    }

    /// The number of the oldest row in memory, counted from the first one ever.
    pub(crate) fn first_row(&self) -> u64 {
        self.screen.dropped_rows() + self.relieved
    }

    /// Lines that begin in rows that are in memory no more. The first row in memory may go on with
    /// the last of them.
    pub(crate) fn lines_before(&self) -> u64 {
        self.lines_before
    }

    /// Lines that were dropped because there are too many.
    pub(crate) fn lines_dropped(&self) -> u64 {
        self.lines_dropped
    }

    /// What the terminal answers to the queries so far.
    pub(crate) fn take_replies(&mut self) -> Vec<u8> {
        if !self.answers {
            return Vec::new();
        }
        let replies = self.screen.take_replies();
        match &mut self.seen {
            Some(seen) => seen.take_replies(),
            None => replies,
        }
    }

    pub(crate) fn resize(&mut self, size: Size) {
        if size != self.screen.size() {
            self.screen.resize(size);
            if let Some(seen) = &mut self.seen {
                seen.resize(size);
            }
        }
    }

    /// The screen that would be frozen.
    pub(crate) fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Whether there is nothing to freeze.
    pub(crate) fn is_blank(&self) -> bool {
        self.history.as_ref().is_none_or(History::is_empty) && self.screen.is_blank()
    }

    /// No more bytes come: half a character is shown as such.
    pub(crate) fn finish(&mut self) {
        self.screen.finish();
    }

    /// The snapshot that would be made of it.
    pub(crate) fn data(&self) -> ScreenData<'_> {
        ScreenData { history: self.history.as_ref(), screen: &self.screen }
    }

    /// Begins the next block.
    pub(crate) fn restart(&mut self) {
        if self.answers && self.seen.is_none() {
            let mut seen = self.screen.clone();
            seen.forget_history();
            self.seen = Some(seen);
        }
        self.screen.restart();
        if let Some(history) = &mut self.history {
            history.clear();
        }
        (self.relieved, self.lost) = (0, 0);
        (self.lines_before, self.lines_dropped) = (0, 0);
    }

    pub(crate) fn is_full_screen(&self) -> bool {
        self.screen.is_alternate()
    }

    pub(crate) fn modes(&self) -> Modes {
        *self.screen.modes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::SnapshotData;

    const SIZE: Size = Size { cols: 20, rows: 4 };

    fn serialized(pending: &Pending) -> String {
        let mut data = Vec::new();
        pending.data().write_to(&mut data).unwrap();
        String::from_utf8(data).unwrap()
    }

    #[test]
    fn a_block_begins_empty_with_the_modes_of_before() {
        let mut pending = Pending::new(SIZE, Scrollback::Rows(9), None, true);
        pending.output(b"\x1b[?2004hone\r\ntwo\x1b[c").unwrap();
        assert!(!pending.take_replies().is_empty());
        pending.restart();
        assert!(pending.screen().is_blank());
        pending.output(b"three\x1b[c").unwrap();
        assert_eq!(serialized(&pending), "three\x1b[?2004h");
        let seen = pending.seen.as_ref().unwrap();
        assert_eq!(crate::snapshot::text(seen), "one\ntwothree");
        assert!(!pending.take_replies().is_empty());
        assert!(pending.take_replies().is_empty());
    }

    #[test]
    fn a_history_beyond_memory_is_that_of_one_screen() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::begin(folder.path(), None).unwrap();
        let mut pending = Pending::new(SIZE, Scrollback::Unlimited, Some(history), false);
        let mut whole = Screen::new(SIZE, Scrollback::Unlimited);
        for number in 0..40_000 {
            // Styles, gaps and wraps over every boundary.
            let line = match number % 5 {
                0 => format!("\x1b[4{}m{number}\r\n", number % 8),
                1 => format!("{number}\x1b[5Cgap\x1b[K\r\n"),
                2 => format!("{number} is longer than a row of this screen\r\n"),
                3 => "\r\n".to_owned(),
                _ => format!("\x1b[0m{number}漢\x1b[3Cwide 漢字漢字漢字漢字 over the edge"),
            };
            pending.output(line.as_bytes()).unwrap();
            whole.feed(line.as_bytes());
        }
        assert!(!pending.history.as_ref().unwrap().is_empty());
        assert!(pending.screen().normal().len() < 13_000);
        assert!(serialized(&pending) == crate::snapshot::serialize(&whole));

        // A program that clears the history clears all of it, however much comes behind that.
        pending.output(b"\x1b[3J").unwrap();
        whole.feed(b"\x1b[3J");
        assert!(pending.history.as_ref().unwrap().is_empty());
        for bytes in
            [b"before\r\n".repeat(13_000), [b"\x1b[3J", b"x\n".repeat(11_000).as_slice()].concat()]
        {
            pending.output(&bytes).unwrap();
            whole.feed(&bytes);
        }
        assert!(serialized(&pending) == crate::snapshot::serialize(&whole));
        pending.output(b"\x1b[H\x1b[2J\x1b[3Jnew").unwrap();
        assert!(pending.history.as_ref().unwrap().is_empty());
        assert_eq!(serialized(&pending), "new");
    }

    #[test]
    fn a_new_size_costs_no_history() {
        let (cols, rows) = (SIZE.cols, SIZE.rows);
        for size in [
            Size { cols, rows: 30 },
            Size { cols: 60, rows },
            Size { cols: 7, rows },
            // More than there is in memory.
            Size { cols, rows: 12_500 },
        ] {
            let folder = tempfile::tempdir().unwrap();
            let history = History::begin(folder.path(), None).unwrap();
            let mut pending = Pending::new(SIZE, Scrollback::Unlimited, Some(history), false);
            let mut want = Vec::new();
            let mut show = |pending: &mut Pending, count: usize| {
                for _ in 0..count {
                    let line = format!("line {} is two rows long", want.len());
                    pending.output(format!("{line}\r\n").as_bytes()).unwrap();
                    want.push(line);
                }
            };
            // Just as many rows stay in memory as may.
            while pending.history.as_ref().unwrap().is_empty() {
                show(&mut pending, 1);
            }
            pending.resize(size);
            show(&mut pending, 3);
            pending.resize(SIZE);
            show(&mut pending, 8000);
            pending.resize(size);
            show(&mut pending, 3);
            let data = serialized(&pending);
            let text = crate::snapshot::read(data.as_bytes(), Some(size)).unwrap().text;
            let shown: Vec<_> = text.trim_end().lines().collect();
            assert!(shown == want, "{size:?}: {} lines of {}", shown.len(), want.len());
            assert_eq!(pending.dropped_rows(), 0);
        }
    }
}
