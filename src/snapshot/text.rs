//! The text on a screen.

use crate::screen::{Buffer, Screen};

/// The text of the normal buffer and then, if it is shown, of the alternate one.
///
/// Wrapped rows are one line, without the spaces at its end; empty lines at the end of each buffer
/// are left out, and so is a newline after the last line.
pub fn text(screen: &Screen) -> String {
    let mut out = String::new();
    push_buffer(screen.normal(), &mut out);
    if screen.is_alternate() {
        let end = out.len();
        if end > 0 {
            out.push('\n');
        }
        let start = out.len();
        push_buffer(screen.alternate(), &mut out);
        if out.len() == start {
            out.truncate(end);
        }
    }
    out
}

fn push_buffer(buffer: &Buffer, out: &mut String) {
    let start = out.len();
    let mut end = start;
    for index in 0..buffer.len() {
        let row = buffer.row(index);
        if index > 0 && !row.is_wrapped() {
            end = trim_line(out, start.max(end));
            out.push('\n');
        }
        row.push_text(out);
    }
    trim_line(out, end);
    while out.len() > start && out.ends_with('\n') {
        out.pop();
    }
}

/// Takes the spaces off the end of the last line, which begins at or after `from`.
fn trim_line(out: &mut String, from: usize) -> usize {
    let kept = out
        .get(from..)
        .map_or(0, |line| line.trim_end_matches(' ').len());
    out.truncate(from + kept);
    out.len()
}
