//! A row as a buffer keeps it.

use super::cell::Cell;
use super::combined::Combined;
use super::content::{Content, Span};
use super::draft::Draft;
use super::line::Line;
use super::packed::{self, pack};
use super::style::Style;

/// Rows whose draft is longer than this are packed anew, because a draft does not fold repeated
/// characters.
const LONG: usize = 4096;

/// Puts bytes into memory that fits them, else into memory of their size.
///
/// In a flood each row that leaves the scrollback makes room for one that enters it.
fn refill(mut memory: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    let spare = memory.capacity().checked_sub(bytes.len());
    if spare.is_some_and(|spare| spare <= bytes.len() / 2 + 32) {
        memory.clear();
        memory.extend_from_slice(bytes);
        memory
    } else {
        bytes.to_vec()
    }
}

/// One row of a buffer.
#[derive(Clone, Default, Debug)]
pub(super) struct Row {
    /// Continues the row before it.
    pub(super) wrapped: bool,
    /// Not 0: all rows of a buffer with this number are one, and change together (see
    /// `Buffer::place`).
    pub(super) twin: u16,
    /// Columns of the packed row.
    len: u16,
    /// The packed row, while there is neither of the following.
    packed: Vec<u8>,
    /// The row while text is appended to it, and nothing else is done.
    draft: Option<Box<Draft>>,
    /// The row as it can be written to anywhere.
    line: Option<Box<Line>>,
}

impl Row {
    /// A row of null cells.
    pub(super) fn blank(len: usize, fill: Style) -> Self {
        let mut packed = Vec::new();
        pack(&[], fill, &Combined::default(), &mut packed);
        Self { len: len as u16, packed, ..Self::default() }
    }

    /// Makes it a blank row of its own again.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        self.wrapped = false;
        if fill.is_default() && self.is_untouched() {
            self.len = len as u16;
            return;
        }
        self.line = None;
        match &mut self.draft {
            Some(draft) => draft.reset(len, fill),
            None => *self = Self { twin: self.twin, ..Self::blank(len, fill) },
        }
    }

    /// The same as a value.
    pub(super) fn renewed(mut self, len: usize, fill: Style) -> Self {
        self.reset(len, fill);
        self
    }

    /// Whether text is being appended to it.
    pub(super) const fn has_draft(&self) -> bool {
        self.draft.is_some()
    }

    fn is_untouched(&self) -> bool {
        self.packed.is_empty() && self.draft.is_none() && self.line.is_none()
    }

    /// Packs it, in `memory` if that has about the right size. A draft that it was written in is
    /// left for another row.
    pub(super) fn pack(&mut self, buffer: &mut Vec<u8>, memory: Vec<u8>) -> Option<Box<Draft>> {
        if self.draft.as_ref().is_some_and(|draft| draft.bytes().len() > LONG) {
            self.line();
        }
        if let Some(draft) = self.draft.take() {
            self.len = draft.len() as u16;
            self.packed = refill(memory, draft.bytes());
            return Some(draft);
        }
        if let Some(line) = self.line.take() {
            buffer.clear();
            pack(line.cells(), line.fill(), line.texts(), buffer);
            self.len = line.len() as u16;
            self.packed = buffer.as_slice().to_vec();
        }
        None
    }

    /// The memory of a packed row that is no longer needed.
    pub(super) fn into_memory(self) -> Vec<u8> {
        self.packed
    }

    /// A blank row that is written in `draft`.
    pub(super) fn reuse(mut draft: Box<Draft>, len: usize, fill: Style) -> Self {
        draft.reset(len, fill);
        Self { draft: Some(draft), ..Self::default() }
    }

    /// The row as one that text can be appended to at column `x`, if it is one.
    #[inline]
    pub(super) fn draft(&mut self, x: usize) -> Option<&mut Draft> {
        if self.draft.is_none() {
            self.begin_draft();
        }
        let draft = self.draft.as_deref_mut().filter(|draft| draft.cells() <= x)?;
        draft.pad(x);
        Some(draft)
    }

    /// Makes a draft of a row that was not written to yet.
    fn begin_draft(&mut self) {
        if self.is_untouched() {
            let mut draft = Box::<Draft>::default();
            draft.reset(usize::from(self.len), Style::default());
            self.draft = Some(draft);
        }
    }

    /// Whether the cells from `x` on are null cells of this style, as far as is easy to see.
    pub(super) fn is_blank_from(&self, x: usize, style: Style) -> bool {
        match (&self.draft, &self.line) {
            (Some(draft), _) => draft.cells() <= x && draft.fill() == style,
            (None, None) => self.packed.is_empty() && style.is_default(),
            _ => false,
        }
    }

    /// The row to be written to.
    pub(super) fn line(&mut self) -> &mut Line {
        self.line.get_or_insert_with(|| {
            let line = match self.draft.take() {
                Some(draft) => Line::unpack(draft.len(), draft.contents()),
                None => {
                    let packed = std::mem::take(&mut self.packed);
                    Line::unpack(usize::from(self.len), packed::Cells::new(&packed))
                }
            };
            Box::new(line)
        })
    }

    /// The cells where they are packed.
    fn contents(&self) -> packed::Cells<'_> {
        match &self.draft {
            Some(draft) => draft.contents(),
            None => packed::Cells::new(&self.packed),
        }
    }

    /// Cuts or widens the row.
    pub(super) fn resize(&mut self, len: usize) {
        if self.line.is_some() || self.draft.is_some() {
            return self.line().resize(len);
        }
        let cells = self.contents();
        let fits = if len < usize::from(self.len) {
            cells.texts().next().is_none() && cells.count() <= len
        } else {
            cells.fill().is_default()
        };
        if fits {
            self.len = len as u16;
        } else {
            self.line().resize(len);
            self.pack(&mut Vec::new(), Vec::new());
        }
    }

    /// Its columns.
    pub(super) fn len(&self) -> usize {
        match (&self.line, &self.draft) {
            (Some(line), _) => line.len(),
            (None, Some(draft)) => draft.len(),
            (None, None) => usize::from(self.len),
        }
    }

    /// The cell at `col`.
    pub(super) fn cell(&self, col: usize) -> Cell {
        match &self.line {
            Some(line) => line.get(col),
            None => {
                let mut cells = self.contents();
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
                let last = self.contents().enumerate().filter(|(_, cell)| !cell.is_null()).last();
                last.map_or(0, |(x, cell)| x + cell.width())
            }
        }
    }

    /// The cells up to the last that was touched.
    pub(super) fn cells(&self) -> Cells<'_> {
        match &self.line {
            Some(line) => Cells::Line { line, x: 0 },
            None => Cells::Packed(self.contents()),
        }
    }

    /// Style of the null cells after those.
    pub(super) fn fill(&self) -> Style {
        match &self.line {
            Some(line) => line.fill(),
            None => self.contents().fill(),
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

impl<'a> Cells<'a> {
    /// The next cells.
    pub(super) fn span(&mut self) -> Option<Span<'a>> {
        match self {
            Cells::Packed(cells) => cells.span(),
            Cells::Line { .. } => self.next().map(Span::Cell),
        }
    }
}
