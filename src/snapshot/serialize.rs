//! Writing a screen as a stream that draws it again.

use std::io;

use super::style_change::{push_number, push_style_change};
use crate::screen::{Buffer, Color, Content, Modes, MouseTracking, Screen, Span, Style};

/// The snapshot of a screen.
pub fn serialize(screen: &Screen) -> String {
    let mut parts = Parts { text: String::new(), most: usize::MAX, hand_on: &mut |_| Ok(()) };
    // Nothing is handed on, so nothing fails.
    parts.screen(RowsBefore::default(), screen).unwrap_or_default();
    parts.text
}

/// Rows of the normal buffer that were written before, and what the stream was in after them.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowsBefore {
    rows: usize,
    style: Style,
    background: Color,
}

impl RowsBefore {
    /// Appends the oldest `count` rows of a screen, which are to be forgotten then
    /// ([`Screen::forget_oldest`]). They must have left the screen.
    pub fn push(&mut self, screen: &Screen, count: usize, out: &mut String) {
        let buffer = screen.normal();
        let mut writer = Writer::new(buffer, *self, out);
        let count = count.min(buffer.len().saturating_sub(buffer.height()));
        for row in 0..count {
            writer.row(row);
            writer.separator(row);
            writer.nulls = 0;
        }
        (self.style, self.background) = (writer.style, writer.background);
        self.rows += count;
    }

    /// The sequence that brings a fresh terminal into the style that the next row begins in.
    pub(crate) fn style_sequence(&self) -> String {
        let mut out = String::new();
        if self.style != Style::default() {
            push_style_change(&mut out, Style::default(), self.style);
        }
        out
    }
}

/// The snapshot of a screen, or the end of it behind rows that were written before, in parts: so a
/// long one is never in memory as a whole.
///
/// # Errors
/// What `hand_on` returns.
pub fn serialize_parts(
    before: RowsBefore,
    screen: &Screen,
    hand_on: &mut dyn FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let mut parts = Parts { text: String::new(), most: PART, hand_on };
    parts.screen(before, screen)?;
    parts.hand_on()
}

/// Parts are not much longer than this.
const PART: usize = 64 * 1024;

/// The snapshot as it comes to be.
struct Parts<'a> {
    text: String,
    /// A longer text is handed on.
    most: usize,
    hand_on: &'a mut dyn FnMut(&str) -> io::Result<()>,
}

impl Parts<'_> {
    fn screen(&mut self, before: RowsBefore, screen: &Screen) -> io::Result<()> {
        push_buffer(screen.normal(), before, screen.pen(), self)?;
        if screen.is_alternate() {
            self.text.push_str("\x1b[?1049h\x1b[H");
            push_buffer(screen.alternate(), RowsBefore::default(), screen.pen(), self)?;
        }
        push_modes(screen.modes(), &mut self.text);
        Ok(())
    }

    fn hand_on_if_long(&mut self) -> io::Result<()> {
        if self.text.len() > self.most { self.hand_on() } else { Ok(()) }
    }

    fn hand_on(&mut self) -> io::Result<()> {
        (self.hand_on)(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

/// Sequences that give a fresh screen the modes, character sets and, if it is shown, the blank
/// alternate screen that this one has, and the beginning of the sequence that it is in: the state
/// that a new beginning keeps ([`Screen::restart`]).
pub fn prelude(screen: &Screen) -> String {
    let mut out = String::new();
    if screen.is_alternate() {
        out.push_str("\x1b[?1049h\x1b[H");
    }
    push_modes(screen.modes(), &mut out);
    if screen.modes().line_feed_returns {
        out.push_str("\x1b[20h");
    }
    out.push_str(&screen.charset_sequences());
    out.push_str(&screen.unfinished_sequence());
    out
}

fn push_modes(modes: &Modes, out: &mut String) {
    let flags = [
        (modes.application_cursor, "\x1b[?1h"),
        (modes.application_keypad, "\x1b[?66h"),
        (modes.bracketed_paste, "\x1b[?2004h"),
        (modes.insert, "\x1b[4h"),
        (modes.origin, "\x1b[?6h"),
        (modes.reverse_wrap, "\x1b[?45h"),
        (modes.focus_events, "\x1b[?1004h"),
        (!modes.wrap, "\x1b[?7l"),
    ];
    for (_, sequence) in flags.into_iter().filter(|&(on, _)| on) {
        out.push_str(sequence);
    }
    out.push_str(match modes.mouse_tracking {
        MouseTracking::Off => "",
        MouseTracking::X10 => "\x1b[?9h",
        MouseTracking::Press => "\x1b[?1000h",
        MouseTracking::Drag => "\x1b[?1002h",
        MouseTracking::Any => "\x1b[?1003h",
    });
}

/// A row and a column.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    row: usize,
    col: usize,
}

struct Writer<'a> {
    out: &'a mut String,
    buffer: &'a Buffer,
    /// The style the stream is in.
    style: Style,
    /// The background that the terminal itself gives to rows that scroll in.
    background: Color,
    /// Null cells since the last thing written in this row.
    nulls: usize,
    /// Where the stream leaves the cursor, and where it was after the last content.
    cursor: Place,
    content: Place,
    /// Rows that stand before the buffer's.
    before: usize,
}

fn push_buffer(
    buffer: &Buffer,
    before: RowsBefore,
    pen: Style,
    parts: &mut Parts<'_>,
) -> io::Result<()> {
    // Rows after the last content are left out, unless there is scrollback. Where they may be, the
    // text must stay at hand.
    let is_kept = before.rows + buffer.len() <= buffer.height();
    let mut writer = Writer::new(buffer, before, &mut parts.text);
    if is_kept {
        writer.kept_rows();
    } else {
        for row in 0..buffer.len() {
            writer.whole_row(row);
            if writer.out.len() > parts.most {
                let Writer { style, background, nulls, cursor, content, before, .. } = writer;
                parts.hand_on_if_long()?;
                let out = &mut parts.text;
                writer = Writer { out, buffer, style, background, nulls, cursor, content, before };
            }
        }
    }
    writer.restore_cursor();
    writer.change_style(pen);
    Ok(())
}

impl<'a> Writer<'a> {
    fn new(buffer: &'a Buffer, before: RowsBefore, out: &'a mut String) -> Self {
        Self {
            out,
            buffer,
            style: before.style,
            background: before.background,
            nulls: 0,
            cursor: Place::default(),
            content: Place::default(),
            before: before.rows,
        }
    }

    fn kept_rows(&mut self) {
        let mut content_end = 0;
        for row in 0..self.buffer.len() {
            self.row(row);
            if self.content.row == row {
                content_end = self.out.len();
            }
            self.end_row(row);
        }
        self.out.truncate(content_end);
        self.cursor = self.content;
    }

    fn whole_row(&mut self, row: usize) {
        self.row(row);
        self.end_row(row);
    }

    fn end_row(&mut self, row: usize) {
        if row + 1 < self.buffer.len() {
            self.separator(row);
        }
        self.nulls = 0;
    }

    fn row(&mut self, row: usize) {
        let cells = self.buffer.row(row);
        let columns = self.columns(row);
        let mut col = 0;
        for span in cells.spans() {
            let left = columns - col;
            if left == 0 {
                break;
            }
            let place = Place { row, col };
            col += match span {
                Span::Ascii(text, style) => {
                    let text = text.get(..left).unwrap_or(text);
                    self.text(text, style, place);
                    text.len()
                }
                Span::Null(count, style) => {
                    self.null_cells(count.min(left), style, place);
                    count.min(left)
                }
                Span::Cell(cell) => {
                    self.cell(cell, place);
                    1
                }
            };
        }
        if col < columns {
            self.null_cells(columns - col, cells.rest().style(), Place { row, col });
        }
        if self.nulls > 0 && self.style.background != self.background {
            self.push_csi(self.nulls, 'X');
        }
    }

    /// How many cells of a row are looked at.
    fn columns(&self, row: usize) -> usize {
        let cells = self.buffer.row(row);
        if row + 1 == self.buffer.len() { self.buffer.width() } else { cells.len() }
    }

    fn cell(&mut self, cell: Content<'_>, place: Place) {
        if cell.width() == 0 {
            return;
        }
        if cell.is_null() {
            return self.null_cells(1, cell.style(), place);
        }
        self.start_content(cell.style(), place);
        cell.push_text(self.out);
        self.end_content(Place { row: place.row, col: place.col + cell.width() });
    }

    fn null_cells(&mut self, count: usize, style: Style, place: Place) {
        if style.background != self.style.background {
            self.start_style(style, place);
        }
        self.nulls += count;
    }

    fn text(&mut self, text: &str, style: Style, place: Place) {
        self.start_content(style, place);
        self.out.push_str(text);
        self.end_content(Place { row: place.row, col: place.col + text.len() });
    }

    fn start_content(&mut self, style: Style, place: Place) {
        if style != self.style {
            self.start_style(style, place);
        }
        self.push_nulls();
        self.nulls = 0;
    }

    fn end_content(&mut self, end: Place) {
        self.cursor = end;
        self.content = end;
    }

    /// Goes over to the style of the cell at `place`, unless a stream cannot tell it from the one
    /// it is in.
    fn start_style(&mut self, style: Style, place: Place) {
        let start = self.out.len();
        self.push_nulls();
        if push_style_change(self.out, self.style, style) {
            self.nulls = 0;
            self.cursor = place;
            self.content = place;
            self.style = style;
        } else {
            self.out.truncate(start);
        }
    }

    /// Steps over the null cells since the last content.
    fn push_nulls(&mut self) {
        if self.nulls > 0 {
            if self.style.background != self.background {
                self.push_csi(self.nulls, 'X');
            }
            self.push_csi(self.nulls, 'C');
        }
    }

    /// What stands between `row` and the next one.
    fn separator(&mut self, row: usize) {
        if self.before + row >= self.buffer.height() {
            self.background = self.style.background;
        }
        let next = self.buffer.row(row + 1);
        if !next.is_wrapped() {
            self.out.push_str("\r\n");
            self.cursor = Place { row: row + 1, col: 0 };
        } else if !self.wraps_by_itself(row) {
            self.force_wrap(row);
            self.cursor = Place { row: row + 1, col: 0 };
            self.content = self.cursor;
        }
    }

    /// Whether text that goes on after the end of `row` wraps into the next one as it did before.
    fn wraps_by_itself(&self, row: usize) -> bool {
        let (this, next) = (self.buffer.row(row), self.buffer.row(row + 1));
        let cols = this.len();
        let first = next.cell(0);
        let is_wide = first.width() > 1;
        if self.nulls > usize::from(!first.is_null() && is_wide) {
            return false;
        }
        let fits = |cell: Content<'_>| {
            let is_taken = !cell.is_null() || cell.width() == 0;
            is_taken && cell.style().background == first.style().background
        };
        let last = this.cell(cols - 1);
        if fits(last) {
            return true;
        }
        let before = cols.checked_sub(2).map(|col| this.cell(col));
        is_wide && before.is_some_and(fits) && last.style().background == first.style().background
    }

    /// Fills the row so that the terminal wraps, and takes back what that wrote.
    fn force_wrap(&mut self, row: usize) {
        let nulls = self.nulls;
        self.out.extend(std::iter::repeat_n('-', nulls + 1));
        self.out.push_str("\x1b[1D\x1b[1X");
        if nulls > 0 {
            let kept = self.buffer.row(row).len() - nulls;
            self.out.push_str("\x1b[A");
            self.push_csi(kept, 'C');
            self.push_csi(nulls, 'X');
            self.push_csi(kept, 'D');
            self.out.push_str("\x1b[B");
        }
    }

    fn restore_cursor(&mut self) {
        let cursor = self.buffer.cursor();
        let row = self.buffer.scrollback_len() + cursor.row;
        self.push_move(self.cursor.row, row, 'A', 'B');
        self.push_move(self.cursor.col, cursor.col, 'D', 'C');
    }

    fn push_move(&mut self, from: usize, to: usize, back: char, forth: char) {
        if from != to {
            self.push_csi(from.abs_diff(to), if from > to { back } else { forth });
        }
    }

    fn change_style(&mut self, style: Style) {
        push_style_change(self.out, self.style, style);
    }

    fn push_csi(&mut self, count: usize, last: char) {
        self.out.push_str("\x1b[");
        push_number(self.out, count);
        self.out.push(last);
    }
}
