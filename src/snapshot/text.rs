//! The text on a screen.

use super::line_builder::LineBuilder;
use crate::screen::{Buffer, Screen};

/// The text of the normal buffer and then, if it is shown, of the alternate one.
///
/// Wrapped rows are one line, without the spaces at its end; empty lines at the end of each buffer
/// are left out, and so is a newline after the last line.
pub fn text(screen: &Screen) -> String {
    finish(screen, LineBuilder::default(), 0)
}

/// The text of a screen of whose normal buffer the rows before `from` are in `lines` already.
pub(super) fn finish(screen: &Screen, lines: LineBuilder, from: usize) -> String {
    let mut out = buffer(screen.normal(), lines, from);
    if screen.is_alternate() {
        let alternate = buffer(screen.alternate(), LineBuilder::default(), 0);
        // An empty one starts no line.
        if !out.is_empty() && !alternate.is_empty() {
            out.push('\n');
        }
        out.push_str(&alternate);
    }
    out
}

fn buffer(buffer: &Buffer, mut lines: LineBuilder, from: usize) -> String {
    for index in from..buffer.len() {
        lines.push(buffer.row(index));
    }
    lines.finish()
}
