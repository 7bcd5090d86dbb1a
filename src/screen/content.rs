//! What readers of a row get: cells one by one, or runs of like ones.

use super::cell::{Cell, Glyph};
use super::style::Style;

/// A cell with its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'a> {
    glyph: Glyph,
    style: Style,
    /// All of it, if marks are combined with the character.
    combined: Option<&'a str>,
}

impl<'a> Content<'a> {
    pub(super) const fn new(glyph: Glyph, style: Style, combined: Option<&'a str>) -> Self {
        Self { glyph, style, combined }
    }

    pub(super) const fn null(style: Style) -> Self {
        Self::new(Glyph::NULL, style, None)
    }

    pub(super) const fn cell(&self) -> Cell {
        Cell { glyph: self.glyph, style: self.style }
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

/// Some cells of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Span<'a> {
    /// ASCII text in one style.
    Ascii(&'a str, Style),
    /// Null cells.
    Null(usize, Style),
    /// One cell.
    Cell(Content<'a>),
}
