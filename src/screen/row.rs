//! A row as a buffer keeps it.

use super::cell::{Cell, Glyph};
use super::line::Line;
use super::style::Style;

/// One row of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Continues the row before it.
    pub(super) wrapped: bool,
    line: Box<Line>,
}

impl Default for Row {
    fn default() -> Self {
        Self::blank(1, Style::default())
    }
}

impl Row {
    pub(super) fn blank(len: usize, fill: Style) -> Self {
        Self { wrapped: false, line: Box::new(Line::blank(len, fill)) }
    }

    /// Makes it a blank row of its own again.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        self.wrapped = false;
        self.line.reset(len, fill);
    }

    /// The row to be written to.
    pub(super) fn line(&mut self) -> &mut Line {
        &mut self.line
    }

    /// Its columns.
    pub(super) fn len(&self) -> usize {
        self.line.len()
    }

    /// The cell at `col`.
    pub(super) fn cell(&self, col: usize) -> Cell {
        self.line.get(col)
    }

    /// One past the last column that shows something.
    pub(super) fn content_end(&self) -> usize {
        self.line.content_end()
    }

    /// The cells up to the last that was touched.
    pub(super) fn cells(&self) -> Cells<'_> {
        Cells { line: &self.line, x: 0 }
    }

    /// Style of the null cells after those.
    pub(super) fn fill(&self) -> Style {
        self.line.fill()
    }
}

/// A cell with its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'a> {
    glyph: Glyph,
    style: Style,
    /// All of it, if marks are combined with the character.
    combined: Option<&'a str>,
}

impl Content<'_> {
    pub(super) const fn null(style: Style) -> Self {
        Self { glyph: Glyph::NULL, style, combined: None }
    }

    /// Whether it was never written, or erased, or is the second half of a wide character.
    pub(crate) const fn is_null(&self) -> bool {
        !self.glyph.has_content()
    }

    pub(super) const fn is_tail(&self) -> bool {
        self.glyph.is_tail()
    }

    /// Columns: 0 for the second half of a wide character and for a mark without a base.
    pub(crate) fn width(&self) -> usize {
        usize::from(self.glyph.width())
    }

    pub(crate) const fn style(&self) -> Style {
        self.style
    }

    /// Appends the character with its marks.
    pub(crate) fn push_text(&self, out: &mut String) {
        match (self.combined, self.glyph.char()) {
            (Some(text), _) => out.push_str(text),
            (None, Some(c)) => out.push(c),
            (None, None) => {}
        }
    }
}

/// The cells of a row, from the left.
#[derive(Clone, Debug)]
pub(super) struct Cells<'a> {
    line: &'a Line,
    x: usize,
}

impl<'a> Iterator for Cells<'a> {
    type Item = Content<'a>;

    fn next(&mut self) -> Option<Content<'a>> {
        let &Cell { glyph, style } = self.line.cells().get(self.x)?;
        let combined = if glyph.is_combined() { self.line.combined(self.x) } else { None };
        self.x += 1;
        Some(Content { glyph, style, combined })
    }
}
