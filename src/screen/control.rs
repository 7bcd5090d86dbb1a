//! Single control characters.

use super::events::Event;
use super::terminal::Terminal;

impl Terminal {
    /// Does what a C0 or C1 control asks for.
    pub(super) fn control(&mut self, c: char) {
        match c {
            '\x07' => self.events.push("", |_| Event::Bell),
            '\x08' => self.backspace(),
            '\t' => self.tab(1),
            '\n' | '\x0b' | '\x0c' => self.line_feed(),
            '\r' => self.carriage_return(),
            '\x0e' => self.charsets.shift(1),
            '\x0f' => self.charsets.shift(0),
            '\u{84}' => self.index(),
            '\u{85}' => self.next_line(),
            '\u{88}' => self.set_tab(),
            _ => {}
        }
    }

    fn backspace(&mut self) {
        if !self.modes.reverse_wrap {
            self.restrict_cursor();
            let buffer = self.buffer_mut();
            buffer.x = buffer.x.saturating_sub(1);
            return;
        }
        self.restrict_cursor_to(self.buffer().cols);
        let buffer = self.buffer_mut();
        if buffer.x > 0 {
            buffer.x -= 1;
        } else if buffer.y > buffer.top
            && buffer.y <= buffer.bottom
            && buffer.screen_row(buffer.y).wrapped
        {
            buffer.set_wrapped(buffer.y, false);
            buffer.y -= 1;
            buffer.x = buffer.cols - 1;
            // The last cell may be a place that a wide character did not fit in.
            let last = buffer.x;
            let cell = buffer.line().get(last);
            if cell.glyph.width() > 0 && !cell.glyph.has_content() {
                buffer.x = buffer.x.saturating_sub(1);
            }
        }
        self.restrict_cursor();
    }

    /// HT and CHT: to the next tab stop, `count` times.
    pub(super) fn tab(&mut self, count: usize) {
        let buffer = self.buffer_mut();
        for _ in 0..count {
            if buffer.x + 1 >= buffer.cols {
                return;
            }
            buffer.x = buffer.tabs.next(buffer.x, buffer.cols);
        }
    }

    /// CBT: to the tab stop before, `count` times.
    pub(super) fn back_tab(&mut self, count: usize) {
        let buffer = self.buffer_mut();
        if buffer.x >= buffer.cols {
            return;
        }
        for _ in 0..count {
            if buffer.x == 0 {
                return;
            }
            buffer.x = buffer.tabs.previous(buffer.x, buffer.cols);
        }
    }

    /// HTS.
    pub(super) fn set_tab(&mut self) {
        let buffer = self.buffer_mut();
        buffer.tabs.set(buffer.x);
    }

    pub(super) fn carriage_return(&mut self) {
        self.buffer_mut().x = 0;
    }

    pub(super) fn line_feed(&mut self) {
        let fill = self.pen.erased();
        let returns = self.modes.line_feed_returns;
        let buffer = self.buffer_mut();
        if returns {
            buffer.x = 0;
        }
        if buffer.y == buffer.bottom {
            buffer.scroll(fill, false);
        } else if buffer.y + 1 >= buffer.rows {
            buffer.y = buffer.rows - 1;
        } else {
            buffer.y += 1;
            buffer.set_wrapped(buffer.y, false);
        }
        if buffer.x >= buffer.cols {
            buffer.x -= 1;
        }
    }

    /// IND: down one row, scrolling at the bottom.
    pub(super) fn index(&mut self) {
        self.restrict_cursor();
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        if buffer.y == buffer.bottom {
            buffer.scroll(fill, false);
        } else {
            buffer.y = (buffer.y + 1).min(buffer.rows - 1);
        }
        self.restrict_cursor();
    }

    /// NEL.
    pub(super) fn next_line(&mut self) {
        self.buffer_mut().x = 0;
        self.index();
    }

    /// RI: up one row, scrolling at the top.
    pub(super) fn reverse_index(&mut self) {
        self.restrict_cursor();
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        if buffer.y == buffer.top {
            buffer.scroll_back(fill);
        } else {
            buffer.y = buffer.y.saturating_sub(1);
            self.restrict_cursor();
        }
    }
}
