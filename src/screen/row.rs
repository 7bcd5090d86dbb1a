//! A row as a buffer keeps it.

use super::cell::{Cell, Glyph};
use super::line::Line;
use super::packed::{self, pack};
use super::style::Style;

/// One row of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Continues the row before it.
    pub(super) wrapped: bool,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    /// Ready to be written to.
    Line(Box<Line>),
    /// Columns, and the packed cells.
    Packed(u16, Box<[u8]>),
}

impl Default for Row {
    fn default() -> Self {
        Self { wrapped: false, body: Body::Packed(1, Box::default()) }
    }
}

impl Row {
    pub(super) fn blank(len: usize, fill: Style) -> Self {
        let mut bytes = Vec::new();
        if !fill.is_default() {
            pack(&[], fill, &super::combined::Combined::default(), &mut bytes);
        }
        Self { wrapped: false, body: Body::Packed(len as u16, bytes.into_boxed_slice()) }
    }

    /// Makes it a blank row of its own again.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        match &mut self.body {
            Body::Line(line) => line.reset(len, fill),
            Body::Packed(..) => *self = Self::blank(len, fill),
        }
        self.wrapped = false;
    }

    /// Packs it. What it was written in is left for another row.
    pub(super) fn pack(&mut self, buffer: &mut Vec<u8>) -> Option<Box<Line>> {
        let Body::Line(line) = &self.body else {
            return None;
        };
        buffer.clear();
        pack(line.cells(), line.fill(), line.texts(), buffer);
        let packed = Body::Packed(line.len() as u16, buffer.as_slice().into());
        match std::mem::replace(&mut self.body, packed) {
            Body::Line(line) => Some(line),
            Body::Packed(..) => None,
        }
    }

    /// A blank row that is written in `line`.
    pub(super) fn reuse(mut line: Box<Line>, len: usize, fill: Style) -> Self {
        line.reset(len, fill);
        Self { wrapped: false, body: Body::Line(line) }
    }

    /// The row to be written to.
    pub(super) fn line(&mut self) -> &mut Line {
        if let Body::Packed(len, bytes) = &self.body {
            let cells = packed::Cells::new(bytes);
            let line = Line::unpack(usize::from(*len), cells);
            self.body = Body::Line(Box::new(line));
        }
        match &mut self.body {
            Body::Line(line) => line,
            Body::Packed(..) => unreachable!("was just unpacked"),
        }
    }

    /// Cuts or widens the row.
    pub(super) fn resize(&mut self, len: usize) {
        if let Body::Packed(old, bytes) = &mut self.body {
            let cells = packed::Cells::new(bytes);
            let fits = if len < usize::from(*old) {
                cells.texts().next().is_none() && cells.count() <= len
            } else {
                cells.fill().is_default()
            };
            if fits {
                *old = len as u16;
                return;
            }
            self.line().resize(len);
            self.pack(&mut Vec::new());
            return;
        }
        self.line().resize(len);
    }

    /// Its columns.
    pub(super) fn len(&self) -> usize {
        match &self.body {
            Body::Line(line) => line.len(),
            Body::Packed(len, _) => usize::from(*len),
        }
    }

    /// The cell at `col`.
    pub(super) fn cell(&self, col: usize) -> Cell {
        match &self.body {
            Body::Line(line) => line.get(col),
            Body::Packed(_, bytes) => {
                let mut cells = packed::Cells::new(bytes);
                let fill = Content::null(cells.fill());
                cells.nth(col).unwrap_or(fill).cell()
            }
        }
    }

    /// One past the last column that shows something.
    pub(super) fn content_end(&self) -> usize {
        match &self.body {
            Body::Line(line) => line.content_end(),
            Body::Packed(_, bytes) => {
                let cells = packed::Cells::new(bytes).enumerate();
                cells.filter(|(_, cell)| !cell.is_null()).last().map_or(0, |(x, cell)| x + cell.width())
            }
        }
    }

    /// The cells up to the last that was touched.
    pub(super) fn cells(&self) -> Cells<'_> {
        match &self.body {
            Body::Line(line) => Cells::Line { line, x: 0 },
            Body::Packed(_, bytes) => Cells::Packed(packed::Cells::new(bytes)),
        }
    }

    /// Style of the null cells after those.
    pub(super) fn fill(&self) -> Style {
        match &self.body {
            Body::Line(line) => line.fill(),
            Body::Packed(_, bytes) => packed::Cells::new(bytes).fill(),
        }
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

/// The cells of a row, from the left.
#[derive(Clone, Debug)]
pub(super) enum Cells<'a> {
    Line { line: &'a Line, x: usize },
    Packed(packed::Cells<'a>),
}

impl<'a> Iterator for Cells<'a> {
    type Item = Content<'a>;

    fn next(&mut self) -> Option<Content<'a>> {
        match self {
            Cells::Packed(cells) => cells.next(),
            Cells::Line { line, x } => {
                let &Cell { glyph, style } = line.cells().get(*x)?;
                let combined = if glyph.is_combined() { line.combined(*x) } else { None };
                *x += 1;
                Some(Content::new(glyph, style, combined))
            }
        }
    }
}
