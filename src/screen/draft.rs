//! A row that text is appended to, which is how most rows come to be: packed as it grows.

use super::packed::{self, ASCII, Cells, NULL, TEXT, WIDE, Writer};
use super::style::Style;

/// Most cells of one segment, whose head has two bytes.
const MOST_CELLS: usize = (1 << (14 - packed::KIND_BITS)) - 1;

/// Text up to this length is copied in one go.
const SHORT: usize = 16;

/// A packed row that is still open at its end.
#[derive(Clone, Default, Debug)]
pub(super) struct Draft {
    /// Columns of the row.
    len: usize,
    bytes: Vec<u8>,
    fill: Style,
    style: Style,
    /// Cells so far.
    cells: usize,
    /// The segment that text can be added to: its kind, where its head is, and its count.
    kind: usize,
    head: usize,
    count: usize,
}

impl Draft {
    /// Starts a row anew.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        self.len = len;
        self.bytes.clear();
        self.style = Style::default();
        self.fill = fill;
        self.cells = 0;
        self.kind = NULL;
        self.count = 0;
        if !fill.is_default() {
            self.style = fill;
            Writer { out: &mut self.bytes }.fill(fill);
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn fill(&self) -> Style {
        self.fill
    }

    /// How many cells there are; those after them are null.
    pub(super) const fn cells(&self) -> usize {
        self.cells
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn contents(&self) -> Cells<'_> {
        Cells::new(&self.bytes)
    }

    /// Adds null cells up to column `x`.
    #[inline]
    pub(super) fn pad(&mut self, x: usize) {
        if let Some(count) = x.checked_sub(self.cells).filter(|&count| count > 0) {
            self.set_style(self.fill);
            self.kind = NULL;
            Writer { out: &mut self.bytes }.head(NULL, count);
            self.cells = x;
        }
    }

    #[inline]
    fn set_style(&mut self, style: Style) {
        if style != self.style {
            self.style = style;
            self.kind = NULL;
            Writer { out: &mut self.bytes }.style(style);
        }
    }

    /// Makes room for `count` more of a kind in the open segment, or begins one.
    #[inline]
    fn open(&mut self, kind: usize, count: usize) {
        let head = |count: usize| {
            let head = count << packed::KIND_BITS | kind;
            [head as u8 | 0x80, (head >> 7) as u8]
        };
        if self.kind != kind || self.count + count > MOST_CELLS {
            self.kind = kind;
            self.count = count;
            self.head = self.bytes.len();
            self.bytes.extend_from_slice(&head(count));
            return;
        }
        self.count += count;
        if let Some(place) = self.bytes.get_mut(self.head..self.head + 2) {
            place.copy_from_slice(&head(self.count));
        }
    }

    /// Adds ASCII characters: the first `len` of `source`.
    #[inline]
    pub(super) fn push_ascii(&mut self, source: &[u8], len: usize, style: Style) {
        self.set_style(style);
        self.cells += len;
        if let Some(short) = source.first_chunk::<SHORT>()
            && len <= SHORT
        {
            // Copying a fixed length and cutting it is faster than copying the right one.
            self.open(ASCII, len);
            let end = self.bytes.len() + len;
            self.bytes.extend_from_slice(short);
            self.bytes.truncate(end);
            return;
        }
        for part in source.get(..len).unwrap_or(source).chunks(MOST_CELLS) {
            self.open(ASCII, part.len());
            self.bytes.extend_from_slice(part);
        }
    }

    /// Adds a character of one or two columns.
    pub(super) fn push(&mut self, c: char, columns: u8, style: Style) {
        self.set_style(style);
        let kind = if columns == 2 { WIDE } else { TEXT };
        self.open(kind, 1);
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.cells += usize::from(columns);
    }
}
