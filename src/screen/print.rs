//! Characters that are shown.

use super::cell::{Cell, Glyph};
use super::charset::Charset;
use super::style::Style;
use super::terminal::Terminal;
use super::widths::width;

impl Terminal {
    /// Shows a character at the cursor, or joins a mark to the one before.
    pub(super) fn print(&mut self, c: char) {
        let c = if c < '\x7f' { self.charsets.current().map(c) } else { c };
        let before = self.joinable;
        let own = width(c);
        let joins = own == 0 && before > 0;
        let columns = if joins { before } else { own };
        self.joinable = columns;
        self.put(c, columns, joins);
    }

    fn put(&mut self, c: char, columns: u8, joins: bool) {
        let starts_run = !std::mem::replace(&mut self.in_run, true);
        let pen = self.pen;
        let (wrap, insert) = (self.modes.wrap, self.modes.insert);
        let buffer = self.buffer_mut();
        let cols = buffer.cols;
        if starts_run {
            buffer.split_left(pen);
        }

        let needed = if joins { 0 } else { usize::from(columns) };
        if buffer.x + needed > cols {
            if wrap {
                self.wrap_line(pen);
            } else {
                buffer.x = cols - 1;
                if columns == 2 {
                    buffer.line().split_right(cols - 1, pen);
                    return;
                }
            }
        }

        let buffer = self.buffer_mut();
        let x = buffer.x;
        if columns > 0
            && !joins
            && !insert
            && let Some(draft) = buffer.screen_row(buffer.y).draft(x)
        {
            draft.push(c, columns, pen);
            buffer.x = x + usize::from(columns);
            return;
        }
        let line = buffer.line();
        if joins && x > 0 {
            let back = if line.width(x - 1) > 0 { 1 } else { 2 };
            if let Some(at) = x.checked_sub(back) {
                line.combine(at, c, columns);
            }
            if x < cols {
                line.split_right(x, pen);
            }
            return;
        }
        if insert {
            line.insert(x, needed, pen);
            if line.width(cols - 1) == 2 {
                line.set(cols - 1, Cell::null(pen));
            }
        }
        // A mark without a base may come to stand behind the last column.
        if x < line.len() {
            line.set(x, Cell { glyph: Glyph::new(c, columns), style: pen });
        }
        let mut end = x + 1;
        if columns == 2 {
            line.set(end, Cell { glyph: Glyph::TAIL, style: pen });
            end += 1;
        }
        if end < cols {
            line.split_right(end, pen);
        }
        buffer.x = end;
    }

    /// Goes on in the next row, which continues this one.
    fn wrap_line(&mut self, pen: Style) {
        let fill = pen.erased();
        let buffer = self.buffer_mut();
        for x in buffer.x..buffer.cols {
            buffer.line().set(x, Cell::null(pen));
        }
        buffer.x = 0;
        if buffer.y == buffer.bottom {
            buffer.scroll(fill, true);
        } else {
            buffer.y = (buffer.y + 1).min(buffer.rows - 1);
            buffer.set_wrapped(buffer.y, true);
        }
    }

    /// Shows the first `len` characters of `source`, which are printable ASCII.
    #[inline]
    pub(super) fn print_plain(&mut self, source: &[u8], len: usize) {
        if !self.append_plain(source, len) {
            self.print_ascii(source.get(..len).unwrap_or(source));
        }
    }

    /// The same, if it only adds to a row, as it mostly does.
    #[inline]
    fn append_plain(&mut self, source: &[u8], len: usize) -> bool {
        if self.modes.insert || self.charsets.current() != Charset::Ascii {
            return false;
        }
        let pen = self.pen;
        let buffer = self.buffer_mut();
        let x = buffer.x;
        if x + len > buffer.cols {
            return false;
        }
        let Some(draft) = buffer.screen_row(buffer.y).draft(x) else {
            return false;
        };
        draft.push_ascii(source, len, pen);
        buffer.x = x + len;
        self.joinable = 1;
        self.in_run = true;
        true
    }

    /// Shows printable ASCII characters.
    fn print_ascii(&mut self, text: &[u8]) {
        if self.modes.insert || self.charsets.current() != Charset::Ascii {
            for &byte in text {
                self.print(char::from(byte));
            }
            return;
        }
        self.joinable = 1;
        let pen = self.pen;
        let wrap = self.modes.wrap;
        let mut starts_run = !std::mem::replace(&mut self.in_run, true);
        let mut rest = text;
        while !rest.is_empty() {
            let buffer = self.buffer_mut();
            let (x, cols) = (buffer.x, buffer.cols);
            if x >= cols {
                if std::mem::take(&mut starts_run) {
                    buffer.split_left(pen);
                }
                if !wrap {
                    // All but the last are written over.
                    buffer.line().set_ascii(cols - 1, &rest[rest.len() - 1..], pen);
                    buffer.x = cols;
                    return;
                }
                self.wrap_line(pen);
                continue;
            }
            let (now, later) = rest.split_at(rest.len().min(cols - x));
            let row = buffer.screen_row(buffer.y);
            match row.draft(x) {
                Some(draft) => draft.push_ascii(now, now.len(), pen),
                None => {
                    let line = row.line();
                    if starts_run {
                        line.split_left(x, pen);
                    }
                    line.set_ascii(x, now, pen);
                    if x + now.len() < cols {
                        line.split_right(x + now.len(), pen);
                    }
                }
            }
            buffer.x = x + now.len();
            rest = later;
            starts_run = false;
        }
    }

    /// REP: shows the character before the cursor `count` more times.
    pub(super) fn repeat(&mut self, count: usize) {
        let before = usize::from(self.joinable);
        let buffer = self.buffer_mut();
        let Some(x) = buffer.x.checked_sub(before).filter(|_| before > 0) else {
            return;
        };
        let line = buffer.line();
        let cell = line.get(x);
        let text: String = match line.combined(x) {
            Some(text) if cell.glyph.is_combined() => text.to_owned(),
            _ => cell.glyph.char().into_iter().collect(),
        };
        // What is repeated is a run of its own.
        self.in_run = false;
        let count = count.min(MOST_REPEATS);
        if let [byte @ b' '..=b'~'] = text.as_bytes() {
            // A few bytes of output may ask for millions.
            let row = [*byte; 256];
            for at in (0..count).step_by(row.len()) {
                self.print_ascii(&row[..row.len().min(count - at)]);
            }
            return;
        }
        for _ in 0..count {
            for c in text.chars() {
                self.print(c);
            }
        }
    }
}

/// Most times a character is repeated by one sequence.
const MOST_REPEATS: usize = 1 << 16;
