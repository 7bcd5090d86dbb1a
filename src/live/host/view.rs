//! Lines of what becomes the next block.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::screen::Screen;
use crate::snapshot::text_from;

/// The screen that becomes the next block.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) screen: &'a Screen,
    /// Lines that begin before the rows in memory.
    pub(super) lines_before: u64,
    /// Lines before those that will be in no block.
    pub(super) dropped: u64,
    /// The id that the block will have.
    pub(super) block_id: &'a str,
}

/// The number of the line that the first row in memory belongs to.
pub(super) fn first_line(view: View<'_>) -> u64 {
    let continues = view.lines_before > 0 && view.screen.normal().row(0).is_wrapped();
    view.lines_before + u64::from(!continues)
}

/// How many lines the block will have.
pub(super) fn line_count(view: View<'_>) -> u64 {
    let (first, lines) = lines_from(view, 0);
    let alternate = match view.screen.is_alternate() {
        true => text_from(view.screen.alternate(), 0),
        false => String::new(),
    };
    (first + lines.len() as u64 - 1) + alternate.lines().count() as u64
}

/// The lines from a number on, or from the first one that begins in memory; that number. Empty
/// lines at the end are no lines yet.
pub(super) fn lines_from(view: View<'_>, wanted: u64) -> (u64, Vec<String>) {
    let rows = view.screen.normal();
    let mut line = first_line(view);
    let mut index = 0;
    let is_whole = line > view.lines_before;
    while line < wanted || (index == 0 && !is_whole) {
        index += 1;
        if index >= rows.len() {
            return (line + 1, Vec::new());
        }
        line += u64::from(!rows.row(index).is_wrapped());
        if line > wanted || (line == wanted && !rows.row(index).is_wrapped()) {
            break;
        }
    }
    let text = text_from(rows, index);
    let is_empty = text.is_empty() && (index..rows.len()).all(|index| rows.row(index).is_blank());
    let lines = if is_empty { Vec::new() } else { text.split('\n').map(str::to_owned).collect() };
    (line, lines)
}

/// What tells whether a line is still the same.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
