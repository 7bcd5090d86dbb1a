//! A row that is being written: cells side by side.

use super::cell::{Cell, Glyph};
use super::combined::Combined;
use super::packed;
use super::style::{Attributes, Style};

/// Cells of one row, from the left to the last that was touched; `fill` stands for all after it.
#[derive(Clone, Default, Debug)]
pub(super) struct Line {
    /// Columns. Rows of the alternate buffer may have more than the screen, after it shrank.
    len: usize,
    cells: Vec<Cell>,
    /// Style of the null cells behind `cells`.
    fill: Style,
    /// The whole text of the cells whose glyph is combined.
    combined: Combined,
}

impl Line {
    /// A row of null cells.
    pub(super) fn blank(len: usize, fill: Style) -> Self {
        Self { len, fill, ..Self::default() }
    }

    /// The line of a packed row.
    pub(super) fn unpack(len: usize, cells: packed::Cells<'_>) -> Self {
        let mut line = Self::blank(len, cells.fill());
        for (col, text) in cells.texts() {
            line.combined.set(col, text.to_owned());
        }
        line.cells.extend(cells.map(|content| content.cell()));
        line
    }

    /// The texts of combined cells.
    pub(super) const fn texts(&self) -> &Combined {
        &self.combined
    }

    /// Makes it blank again, keeping the memory.
    pub(super) fn reset(&mut self, len: usize, fill: Style) {
        self.len = len;
        self.cells.clear();
        self.fill = fill;
        self.combined.clear();
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(super) const fn fill(&self) -> Style {
        self.fill
    }

    pub(super) fn get(&self, x: usize) -> Cell {
        self.cells.get(x).copied().unwrap_or(Cell::null(self.fill))
    }

    pub(super) fn width(&self, x: usize) -> u8 {
        self.cells.get(x).map_or(1, |cell| cell.glyph.width())
    }

    /// The text of a combined cell.
    pub(super) fn combined(&self, x: usize) -> Option<&str> {
        self.combined.get(x)
    }

    fn reach(&mut self, len: usize) {
        if self.cells.len() < len {
            self.cells.resize(len, Cell::null(self.fill));
        }
    }

    pub(super) fn set(&mut self, x: usize, cell: Cell) {
        self.reach(x + 1);
        self.cells[x] = cell;
    }

    /// Writes ASCII from column `x` on.
    pub(super) fn set_ascii(&mut self, x: usize, text: &[u8], style: Style) {
        let cells = text.iter().map(|&byte| Cell { glyph: Glyph::ascii(byte), style });
        if self.cells.len() == x {
            self.cells.extend(cells);
            return;
        }
        self.reach(x + text.len());
        for (place, cell) in self.cells[x..].iter_mut().zip(cells) {
            *place = cell;
        }
    }

    /// Adds a mark to the character at `x`, which may widen it.
    pub(super) fn combine(&mut self, x: usize, mark: char, width: u8) {
        let cell = self.get(x);
        let glyph = if !cell.glyph.has_content() {
            Glyph::new(mark, 1)
        } else {
            if !cell.glyph.is_combined() || !self.combined.push(x, mark) {
                let text = cell.glyph.char().into_iter().chain([mark]).collect();
                self.combined.set(x, text);
            }
            cell.glyph.combined()
        };
        let glyph = if width > 0 { glyph.with_width(width) } else { glyph };
        self.set(x, Cell { glyph, ..cell });
    }

    /// Before a character goes to column `x`: a wide one that starts left of it loses its half.
    pub(super) fn split_left(&mut self, x: usize, style: Style) {
        if x > 0 && self.width(x - 1) == 2 {
            self.set(x - 1, Cell::null(style));
        }
    }

    /// After writing up to column `x`: the half of a wide character that is left there goes.
    pub(super) fn split_right(&mut self, x: usize, style: Style) {
        if self.cells.get(x).is_some_and(|cell| cell.glyph.is_tail()) {
            self.cells[x] = Cell::null(style);
        }
    }

    /// Makes the cells from `from` to `to` null.
    pub(super) fn erase(&mut self, from: usize, to: usize, style: Style) {
        let to = to.min(self.len);
        self.split_left(from, style);
        if to < self.len && to > 0 && self.width(to - 1) == 2 {
            self.set(to, Cell::null(style));
        }
        if from >= to {
            return;
        }
        if to == self.len {
            self.reach(from);
            self.cells.truncate(from);
            self.fill = style;
            return;
        }
        self.reach(to);
        self.cells[from..to].fill(Cell::null(style));
    }

    /// The same, but protected cells stay.
    pub(super) fn erase_unprotected(&mut self, from: usize, to: usize, style: Style) {
        let to = to.min(self.len);
        let is_protected = |cell: Cell| cell.style.attributes.contains(Attributes::PROTECTED);
        if from > 0 && self.width(from - 1) == 2 && !is_protected(self.get(from - 1)) {
            self.set(from - 1, Cell::null(style));
        }
        if to < self.len && to > 0 && self.width(to - 1) == 2 && !is_protected(self.get(to)) {
            self.set(to, Cell::null(style));
        }
        if from >= to {
            return;
        }
        self.reach(to);
        for cell in &mut self.cells[from..to] {
            if !is_protected(*cell) {
                *cell = Cell::null(style);
            }
        }
    }

    /// Makes every cell this one.
    pub(super) fn fill_with(&mut self, cell: Cell) {
        self.reset(self.len, self.fill);
        self.cells.resize(self.len, cell);
    }

    /// Moves the cells from `x` on `count` columns to the right; what leaves the row is lost.
    pub(super) fn insert(&mut self, x: usize, count: usize, style: Style) {
        let cols = self.len;
        let x = x % cols;
        self.split_left(x, style);
        let count = count.min(cols - x);
        self.tidy();
        for at in self.combined.cols(x..cols - count).into_iter().rev() {
            self.move_combined(at, at + count);
        }
        if self.cells.len() > x || self.fill != style {
            self.reach(x);
            self.cells.splice(x..x, std::iter::repeat_n(Cell::null(style), count));
            self.cells.truncate(cols);
        }
        if self.width(cols - 1) == 2 {
            self.set(cols - 1, Cell::null(style));
        }
    }

    /// Takes `count` cells out from `x` on; blanks come in at the right.
    pub(super) fn delete(&mut self, x: usize, count: usize, style: Style) {
        let cols = self.len;
        let x = x % cols;
        let count = count.min(cols - x);
        if self.fill != style {
            self.reach(cols);
            self.fill = style;
        }
        self.tidy();
        for at in self.combined.cols(x + count..cols) {
            self.move_combined(at, at - count);
        }
        let len = self.cells.len();
        self.cells.drain(x.min(len)..(x + count).min(len));
        self.split_left(x, style);
        self.split_right(x, style);
    }

    /// Copies cells from another row. What lies past its end counts as halves of wide characters.
    pub(super) fn copy_from(&mut self, from: &Self, at: usize, to: usize, count: usize) {
        let count = count.min(self.len.saturating_sub(to));
        self.reach(to + count);
        for index in 0..count {
            self.cells[to + index] = from.get_or_tail(at + index);
        }
        self.combined.copy_from(&from.combined, at, to);
    }

    /// The same within this row.
    pub(super) fn copy_within(&mut self, at: usize, to: usize, count: usize) {
        let copied: Vec<Cell> = (at..at + count).map(|x| self.get_or_tail(x)).collect();
        let end = self.len.min(to + count);
        self.reach(end);
        for (place, cell) in self.cells[to.min(end)..end].iter_mut().zip(copied) {
            *place = cell;
        }
        self.combined.copy_within(at, to);
    }

    fn get_or_tail(&self, x: usize) -> Cell {
        if x < self.len {
            self.get(x)
        } else {
            Cell { glyph: Glyph::TAIL, style: Style::default() }
        }
    }

    fn tidy(&mut self) {
        let cells = &self.cells;
        let is_combined = |x: usize| cells.get(x).is_some_and(|cell| cell.glyph.is_combined());
        self.combined.tidy(is_combined);
    }

    /// Copies the text of a combined cell to where the cell is going.
    fn move_combined(&mut self, from: usize, to: usize) {
        if self.get(from).glyph.is_combined() {
            self.combined.copy_one(from, to);
        }
    }

    /// Cuts or widens the row to `cols` columns; new ones are null and plain.
    pub(super) fn resize(&mut self, cols: usize) {
        if cols < self.len {
            self.cells.truncate(cols);
            self.combined.truncate(cols);
        } else if cols > self.len && !self.fill.is_default() {
            self.reach(self.len);
            self.fill = Style::default();
        }
        self.len = cols;
    }

    /// One past the last column that shows something, counting the halves of wide characters.
    pub(super) fn content_end(&self) -> usize {
        let last = self.cells.iter().rposition(|cell| cell.glyph.has_content());
        last.map_or(0, |x| x + usize::from(self.cells[x].glyph.width()))
    }
}
