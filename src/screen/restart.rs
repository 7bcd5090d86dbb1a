//! Beginning again in the middle of a stream.

use super::Screen;
use super::buffer::Buffer;
use super::style::Style;

impl Screen {
    /// Empties the screen and its history. What the program switched on stays on: modes,
    /// character sets, and the alternate buffer where it is shown. A sequence or a character that
    /// is not complete yet is completed by what comes next.
    pub fn restart(&mut self) {
        let terminal = &mut self.terminal;
        let (cols, rows) = (terminal.normal.cols, terminal.normal.rows);
        let scrollback = terminal.normal.scrollback;
        terminal.normal = Buffer::empty(cols, rows, scrollback);
        terminal.normal.fill(Style::default());
        terminal.alternate = Buffer::empty(cols, rows, 0);
        if terminal.alternate_active {
            terminal.alternate.fill(Style::default());
        }
        terminal.reset_pen();
        terminal.joinable = 0;
    }

    /// Whether nothing was written that is still there, in either buffer.
    pub fn is_blank(&self) -> bool {
        let is_blank = |buffer: &Buffer| (0..buffer.len()).all(|row| buffer.row(row).is_blank());
        is_blank(self.normal()) && (!self.is_alternate() || is_blank(self.alternate()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Scrollback, Size};
    use crate::snapshot::{prelude, serialize};

    fn screen() -> Screen {
        Screen::new(Size { cols: 20, rows: 3 }, Scrollback::Rows(2))
    }

    #[test]
    fn modes_and_the_alternate_buffer_stay() {
        let mut screen = screen();
        screen.feed(b"a\r\n\x1b[?1h\x1b[?2004h\x1b[?1003h\x1b[?1049h\x1b[31mvim");
        screen.restart();
        assert!(screen.is_blank());
        assert_eq!(serialize(&screen), "\x1b[?1049h\x1b[H\x1b[?1h\x1b[?2004h\x1b[?1003h");
        screen.feed(b"\x1b[?1049lback");
        assert!(!screen.is_blank());
        assert_eq!(serialize(&screen), "back\x1b[?1h\x1b[?2004h\x1b[?1003h");
    }

    #[test]
    fn a_prelude_brings_back_what_a_restart_keeps() {
        for stream in ["\x1b[?1049h\x1b[4h", "\x1b(0\x1b[?7l", "\x1b)0\x0e\x1b[20h"] {
            let mut kept = screen();
            kept.feed(stream.as_bytes());
            kept.feed(b"text");
            kept.restart();
            let mut fresh = screen();
            fresh.feed(prelude(&kept).as_bytes());
            for screen in [&mut kept, &mut fresh] {
                screen.feed(b"qx long enough to wrap\nq\rxx\x1b[?1049lq");
            }
            assert_eq!(serialize(&kept), serialize(&fresh), "{stream:?}");
        }
    }

    #[test]
    fn history_and_its_count_begin_again() {
        let mut screen = screen();
        screen.feed(b"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
        assert_eq!(screen.dropped_rows(), 2);
        screen.restart();
        assert_eq!(screen.dropped_rows(), 0);
        screen.feed(b"1\r\n2\r\n3\r\n4\r\n5\r\n6");
        assert_eq!(screen.dropped_rows(), 1);
        assert_eq!(screen.normal().scrollback_len(), 2);
    }

    #[test]
    fn what_is_incomplete_is_completed() {
        let mut screen = screen();
        screen.feed(b"a\xe2\x82");
        screen.restart();
        screen.feed(b"\xac\x1b[3");
        screen.restart();
        screen.feed(b"1mx");
        assert_eq!(serialize(&screen), "\x1b[31mx");
    }
}
