//! A row as a buffer keeps it.

use super::cell::{Cell, Glyph};
use super::combined::Combined;
use super::line::Line;
use super::packed::{self, pack};
use super::style::Style;

/// One row of a buffer.
#[derive(Clone, Default, Debug)]
pub(super) struct Row {
    /// Continues the row before it.
    pub(super) wrapped: bool,
    /// Columns of the packed row.
    len: u16,
    /// The packed row, while there is no `line`.
    packed: Box<[u8]>,
    /// The row as it can be written to.
    line: Option<Box<Line>>,
}

impl Row {
    /// A row of null cells.
    pub(super) fn blank(len: usize, fill: Style) -> Self {
        let mut packed = Vec::new();
        pack(&[], fill, &Combined::default(), &mut packed);
        Self { len: len as u16, packed: packed.into_boxed_slice(), ..Self::default() }
    }

    /// Makes it a blank row of its own again.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        match &mut self.line {
            Some(line) => line.reset(len, fill),
            None => *self = Self::blank(len, fill),
        }
        self.wrapped = false;
    }

    /// Packs it. What it was written in is left for another row.
    pub(super) fn pack(&mut self, buffer: &mut Vec<u8>) -> Option<Box<Line>> {
        let line = self.line.take()?;
        buffer.clear();
        pack(line.cells(), line.fill(), line.texts(), buffer);
        self.len = line.len() as u16;
        self.packed = buffer.as_slice().into();
        Some(line)
    }

    /// A blank row that is written in `line`.
    pub(super) fn reuse(mut line: Box<Line>, len: usize, fill: Style) -> Self {
        line.reset(len, fill);
        Self { line: Some(line), ..Self::default() }
    }

    /// The row to be written to.
    pub(super) fn line(&mut self) -> &mut Line {
        self.line.get_or_insert_with(|| {
            let packed = std::mem::take(&mut self.packed);
            Box::new(Line::unpack(usize::from(self.len), packed::Cells::new(&packed)))
        })
    }

    /// Cuts or widens the row.
    pub(super) fn resize(&mut self, len: usize) {
        if let Some(line) = &mut self.line {
            return line.resize(len);
        }
        let cells = packed::Cells::new(&self.packed);
        let fits = if len < usize::from(self.len) {
            cells.texts().next().is_none() && cells.count() <= len
        } else {
            cells.fill().is_default()
        };
        if fits {
            self.len = len as u16;
        } else {
            self.line().resize(len);
            self.pack(&mut Vec::new());
        }
    }

    /// Its columns.
    pub(super) fn len(&self) -> usize {
        self.line.as_ref().map_or(usize::from(self.len), |line| line.len())
    }

    /// The cell at `col`.
    pub(super) fn cell(&self, col: usize) -> Cell {
        match &self.line {
            Some(line) => line.get(col),
            None => {
                let mut cells = packed::Cells::new(&self.packed);
                let fill = Content::null(cells.fill());
                cells.nth(col).unwrap_or(fill).cell()
            }
        }
    }

    /// One past the last column that shows something.
    pub(super) fn content_end(&self) -> usize {
        match &self.line {
            Some(line) => line.content_end(),
            None => {
                let cells = packed::Cells::new(&self.packed).enumerate();
                let last = cells.filter(|(_, cell)| !cell.is_null()).last();
                last.map_or(0, |(x, cell)| x + cell.width())
            }
        }
    }

    /// The cells up to the last that was touched.
    pub(super) fn cells(&self) -> Cells<'_> {
        match &self.line {
            Some(line) => Cells::Line { line, x: 0 },
            None => Cells::Packed(packed::Cells::new(&self.packed)),
        }
    }

    /// Style of the null cells after those.
    pub(super) fn fill(&self) -> Style {
        match &self.line {
            Some(line) => line.fill(),
            None => packed::Cells::new(&self.packed).fill(),
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
