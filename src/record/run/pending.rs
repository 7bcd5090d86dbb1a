//! What was shown and is in no block yet.

use crate::screen::{Modes, Screen, Scrollback, Size};
use crate::snapshot::serialize;

/// The screen that is frozen, and where somebody must answer queries the one that is seen.
///
/// Up to the first freeze they are the same. After one the first starts again empty, and the other,
/// which keeps no history, goes on.
pub(super) struct Pending {
    screen: Screen,
    seen: Option<Screen>,
    answers: bool,
}

impl Pending {
    pub(super) fn new(size: Size, scrollback: Scrollback, answers: bool) -> Self {
        let screen = Screen::new(size, scrollback);
        let screen = if answers { screen.with_replies() } else { screen };
        Self { screen, seen: None, answers }
    }

    pub(super) fn output(&mut self, bytes: &[u8]) {
        self.screen.feed(bytes);
        if let Some(seen) = &mut self.seen {
            seen.feed(bytes);
        }
    }

    /// What the terminal answers to the queries so far.
    pub(super) fn take_replies(&mut self) -> Vec<u8> {
        if !self.answers {
            return Vec::new();
        }
        let replies = self.screen.take_replies();
        match &mut self.seen {
            Some(seen) => seen.take_replies(),
            None => replies,
        }
    }

    pub(super) fn resize(&mut self, size: Size) {
        if size != self.screen.size() {
            self.screen.resize(size);
            if let Some(seen) = &mut self.seen {
                seen.resize(size);
            }
        }
    }

    /// The screen that would be frozen.
    pub(super) fn screen(&self) -> &Screen {
        &self.screen
    }

    /// No more bytes come: half a character is shown as such.
    pub(super) fn finish(&mut self) {
        self.screen.finish();
    }

    pub(super) fn serialized(&self) -> String {
        serialize(&self.screen)
    }

    /// Begins the next block.
    pub(super) fn restart(&mut self) {
        if self.answers && self.seen.is_none() {
            let mut seen = self.screen.clone();
            seen.forget_history();
            self.seen = Some(seen);
        }
        self.screen.restart();
    }

    pub(super) fn is_full_screen(&self) -> bool {
        self.screen.is_alternate()
    }

    pub(super) fn modes(&self) -> Modes {
        *self.screen.modes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { cols: 20, rows: 4 };

    #[test]
    fn a_block_begins_empty_with_the_modes_of_before() {
        let mut pending = Pending::new(SIZE, Scrollback::Rows(9), true);
        pending.output(b"\x1b[?2004hone\r\ntwo\x1b[c");
        assert!(!pending.take_replies().is_empty());
        pending.restart();
        assert!(pending.screen().is_blank());
        pending.output(b"three\x1b[c");
        assert_eq!(pending.serialized(), "three\x1b[?2004h");
        let seen = pending.seen.as_ref().unwrap();
        assert_eq!(crate::snapshot::text(seen), "one\ntwothree");
        assert!(!pending.take_replies().is_empty());
        assert!(pending.take_replies().is_empty());
    }
}
