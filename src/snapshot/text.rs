//! The text on a screen.

use super::line_builder::LineBuilder;
use crate::screen::{Buffer, Screen};

/// The text of the normal buffer and then, if it is shown, of the alternate one.
///
/// Wrapped rows are one line, without the spaces at its end; empty lines at the end of each buffer
/// are left out, and so is a newline after the last line.
pub fn text(screen: &Screen) -> String {
    text_after(screen, 0)
}

/// The same without the rows of the normal buffer before one that begins a line.
pub(crate) fn text_after(screen: &Screen, from: usize) -> String {
    // No text is longer than this.
    finish(screen, LineBuilder::default(), from, usize::MAX).unwrap_or_default()
}

/// The text of the rows of a buffer from one on, of which that one begins a line.
pub(crate) fn text_from(rows: &Buffer, from: usize) -> String {
    // No text is longer than this.
    buffer(rows, LineBuilder::default(), from, usize::MAX).unwrap_or_default()
}

/// The text of a screen of whose normal buffer the rows before `from` are in `lines` already; none
/// where it would be longer than `most` bytes.
pub(super) fn finish(
    screen: &Screen,
    lines: LineBuilder,
    from: usize,
    most: usize,
) -> Option<String> {
    let mut out = buffer(screen.normal(), lines, from, most)?;
    if screen.is_alternate() {
        let alternate = buffer(screen.alternate(), LineBuilder::default(), 0, most)?;
        // An empty one starts no line.
        if !out.is_empty() && !alternate.is_empty() {
            out.push('\n');
        }
        out.push_str(&alternate);
    }
    Some(out)
}

fn buffer(buffer: &Buffer, mut lines: LineBuilder, from: usize, most: usize) -> Option<String> {
    for index in from..buffer.len() {
        lines.push(buffer.row(index));
        if lines.so_far().len() > most {
            return None;
        }
    }
    Some(lines.finish())
}
