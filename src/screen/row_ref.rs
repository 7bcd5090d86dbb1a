//! Reading rows.

use super::content::{Content, Span};
use super::row::Row;
use super::style::Style;

/// A row of a buffer, to be read.
#[derive(Clone, Copy, Debug)]
pub struct RowRef<'a> {
    row: Option<&'a Row>,
}

/// A cell of a row that shows something of its own; the second half of a wide one is left out.
#[derive(Clone, Copy, Debug)]
pub struct CellRef<'a> {
    content: Content<'a>,
    column: usize,
}

impl<'a> RowRef<'a> {
    pub(super) const fn new(row: Option<&'a Row>) -> Self {
        Self { row }
    }

    /// Whether it continues the row before.
    pub fn is_wrapped(&self) -> bool {
        self.row.is_some_and(|row| row.wrapped)
    }

    /// Whether no cell of it was written since it was last erased.
    pub fn is_blank(&self) -> bool {
        self.contents().all(|content| content.is_null())
    }

    /// Appends its text, up to the last cell that was written; null cells before that are spaces.
    pub fn push_text(&self, out: &mut String) {
        let mut kept = out.len();
        let mut skip = 0_usize;
        for span in self.spans() {
            let skipped = skip;
            skip = 0;
            match span {
                Span::Ascii(text, _) => {
                    out.push_str(text.get(skipped..).unwrap_or_default());
                    kept = out.len();
                }
                Span::Null(count, _) => {
                    out.extend(std::iter::repeat_n(' ', count.saturating_sub(skipped)));
                }
                Span::Cell(_) if skipped > 0 => skip = skipped - 1,
                Span::Cell(content) if content.is_null() => out.push(' '),
                Span::Cell(content) => {
                    skip = content.width().saturating_sub(1);
                    // A mark without a base takes no column: at the end of a row it is not shown.
                    kept = out.len();
                    content.push_text(out);
                    if content.width() > 0 {
                        kept = out.len();
                    }
                }
            }
        }
        out.truncate(kept);
    }

    /// Cells from the left, all columns of the row, null ones too.
    pub fn cells(&self) -> impl Iterator<Item = CellRef<'a>> + use<'a> {
        let cells = self.contents().chain(std::iter::repeat(self.rest())).take(self.len());
        cells
            .enumerate()
            .filter(|(_, content)| !content.is_tail())
            .map(|(column, content)| CellRef { content, column })
    }

    /// Its columns; more than the screen has in an alternate buffer that was wider before.
    #[expect(clippy::len_without_is_empty, reason = "a row has at least one column")]
    pub fn len(&self) -> usize {
        self.row.map_or(1, Row::len)
    }

    /// How many columns its text takes.
    pub fn content_width(&self) -> usize {
        let mut end = 0;
        for (column, content) in self.contents().enumerate() {
            if !content.is_null() {
                end = column + content.width();
            }
        }
        end
    }

    /// The cells up to the last that was touched, halves of wide ones too.
    pub(crate) fn contents(&self) -> impl Iterator<Item = Content<'a>> + use<'a> {
        self.row.into_iter().flat_map(Row::cells)
    }

    /// The same, as few spans.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span<'a>> + use<'a> {
        let mut cells = self.row.map(Row::cells);
        std::iter::from_fn(move || cells.as_mut()?.span())
    }

    /// What each cell after those is.
    pub(crate) fn rest(&self) -> Content<'a> {
        Content::null(self.row.map_or_else(Style::default, Row::fill))
    }

    /// The cell at `column`.
    pub(crate) fn cell(&self, column: usize) -> Content<'a> {
        self.contents().nth(column).unwrap_or_else(|| self.rest())
    }
}

impl<'a> CellRef<'a> {
    /// The column it starts at, from 0.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Columns it takes: 1, 2, or 0 for a mark that has no character to stand on.
    pub fn width(&self) -> usize {
        self.content.width()
    }

    /// How it looks.
    pub const fn style(&self) -> Style {
        self.content.style()
    }

    /// Whether it was never written, or erased.
    pub fn is_null(&self) -> bool {
        self.content.is_null()
    }

    /// Appends its character with all marks; nothing for a null cell.
    pub fn push_text(&self, out: &mut String) {
        self.content.push_text(out);
    }
}
