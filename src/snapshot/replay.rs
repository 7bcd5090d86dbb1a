//! Making a screen of a stored one.

use crate::screen::{Buffer, Screen, Scrollback, Size};

/// Rows, and columns at least, of a snapshot whose size is not known.
const ROWS: u16 = 24;
const COLS: u16 = 80;

/// Draws a snapshot on a fresh screen with unlimited scrollback.
///
/// Without a size the screen is as wide as the widest line, at least 80 columns, and has 24 rows.
/// A line feed without a carriage return before it counts as both.
pub fn replay(data: &[u8], size: Option<Size>) -> Screen {
    let size = size.unwrap_or_else(|| size_for(widest_shown(&draw(data, WIDEST))));
    draw(data, size)
}

/// Room for any row.
pub(super) const WIDEST: Size = Size { cols: u16::MAX, rows: ROWS };

/// The size for a snapshot whose widest row has so many columns.
pub(super) fn size_for(widest: usize) -> Size {
    let cols = widest.max(usize::from(COLS));
    Size { cols: u16::try_from(cols).unwrap_or(u16::MAX), rows: ROWS }
}

/// Columns of the widest row of the buffers that are shown.
pub(super) fn widest_shown(screen: &Screen) -> usize {
    let alternate = if screen.is_alternate() { widest_row(screen.alternate()) } else { 0 };
    widest_row(screen.normal()).max(alternate)
}

fn draw(data: &[u8], size: Size) -> Screen {
    let mut screen = Screen::new(size, Scrollback::Unlimited);
    for line in lines(data) {
        feed_line(&mut screen, line);
    }
    screen.finish();
    screen
}

/// The data cut behind each line feed.
pub(super) fn lines(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    data.split_inclusive(|byte| *byte == b'\n')
}

/// Feeds one of [`lines`].
pub(super) fn feed_line(screen: &mut Screen, line: &[u8]) {
    match line.strip_suffix(b"\n") {
        Some(text) if !text.ends_with(b"\r") => {
            screen.feed(text);
            screen.feed(b"\r\n");
        }
        _ => screen.feed(line),
    }
}

fn widest_row(buffer: &Buffer) -> usize {
    (0..buffer.len()).map(|index| buffer.row(index).content_width()).max().unwrap_or(0)
}
