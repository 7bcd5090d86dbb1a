//! Texts of cells whose character has marks, beside the cells of a row.
//!
//! The texts are kept by column, and those of cells that have been overwritten stay. Where cells
//! are copied from row to row, the texts right of them come along. xterm.js does the same, and when
//! rows are wrapped anew it can show.

use std::collections::BTreeMap;

/// Most bytes of text in one row; what is too much is dropped.
const MOST_BYTES: usize = 1 << 16;
/// Most texts that one copy takes along.
const MOST_COPIED: usize = 128;

/// Texts by column.
#[derive(Clone, Default, Debug)]
pub(super) struct Combined {
    texts: BTreeMap<u16, String>,
    bytes: usize,
    /// How many texts there were when those no longer shown went for the last time.
    tidied: usize,
}

impl Combined {
    pub(super) fn clear(&mut self) {
        if !self.texts.is_empty() {
            self.texts.clear();
            self.bytes = 0;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &str)> {
        self.texts.iter().map(|(&col, text)| (usize::from(col), text.as_str()))
    }

    /// Lets go of texts of cells that are no longer combined, when there are too many of them.
    pub(super) fn tidy(&mut self, is_shown: impl Fn(usize) -> bool) {
        if self.texts.len() > MOST_COPIED.max(self.tidied * 2) {
            self.texts.retain(|&col, _| is_shown(usize::from(col)));
            self.bytes = self.texts.values().map(String::len).sum();
            self.tidied = self.texts.len();
        }
    }

    /// Columns in a range that have a text, from the left.
    pub(super) fn cols(&self, range: std::ops::Range<usize>) -> Vec<usize> {
        let range = range.start as u16..=range.end.saturating_sub(1) as u16;
        if range.is_empty() {
            return Vec::new();
        }
        self.texts.range(range).map(|(&col, _)| usize::from(col)).collect()
    }

    pub(super) fn get(&self, col: usize) -> Option<&str> {
        let col = u16::try_from(col).ok()?;
        self.texts.get(&col).map(String::as_str)
    }

    /// Sets the text of a cell.
    pub(super) fn set(&mut self, col: usize, text: String) {
        let Ok(col) = u16::try_from(col) else {
            return;
        };
        if self.bytes + text.len() <= MOST_BYTES {
            self.bytes += text.len();
            if let Some(old) = self.texts.insert(col, text) {
                self.bytes -= old.len();
            }
        } else if let Some(old) = self.texts.remove(&col) {
            self.bytes -= old.len();
        }
    }

    /// Adds a mark to the text of a cell; false if it has none.
    pub(super) fn push(&mut self, col: usize, mark: char) -> bool {
        let text = u16::try_from(col).ok().and_then(|col| self.texts.get_mut(&col));
        let Some(text) = text else {
            return false;
        };
        if self.bytes + mark.len_utf8() <= MOST_BYTES {
            text.push(mark);
            self.bytes += mark.len_utf8();
        }
        true
    }

    /// Copies the text of one cell to another, in the same row.
    pub(super) fn copy_one(&mut self, from: usize, to: usize) {
        if let Some(text) = self.get(from).map(str::to_owned) {
            self.set(to, text);
        }
    }

    /// Copies the texts of another row from column `at` on, so that this one comes to be at `to`.
    pub(super) fn copy_from(&mut self, from: &Self, at: usize, to: usize) {
        let Ok(first) = u16::try_from(at) else {
            return;
        };
        for (&col, text) in from.texts.range(first..).take(MOST_COPIED) {
            self.set(usize::from(col) - at + to, text.clone());
        }
    }

    /// The same within this row. A text may be overwritten before it is its turn to be copied.
    pub(super) fn copy_within(&mut self, at: usize, to: usize) {
        let Ok(first) = u16::try_from(at) else {
            return;
        };
        let cols: Vec<u16> =
            self.texts.range(first..).take(MOST_COPIED).map(|(&col, _)| col).collect();
        for col in cols {
            self.copy_one(usize::from(col), usize::from(col) - at + to);
        }
    }

    /// Forgets the texts from a column on.
    pub(super) fn truncate(&mut self, len: usize) {
        while let Some((&col, _)) = self.texts.last_key_value()
            && usize::from(col) >= len
        {
            if let Some((_, text)) = self.texts.pop_last() {
                self.bytes -= text.len();
            }
        }
    }
}
