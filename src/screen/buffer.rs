//! The normal or the alternate buffer: rows, the cursor in them, and how they scroll.

use std::collections::VecDeque;

use super::Cursor;
use super::charset::Charset;
use super::line::Line;
use super::row::Row;
use super::row_ref::RowRef;
use super::size::Scrollback;
use super::style::Style;
use super::tabs::Tabs;

/// Most cells of a screen whose rows are kept unpacked.
const MOST_UNPACKED: usize = 1 << 20;

/// What DECSC keeps.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Saved {
    pub(super) x: usize,
    /// Counted from the oldest row of the buffer.
    pub(super) y: usize,
    pub(super) style: Style,
    pub(super) charset: Charset,
}

/// Rows of scrollback and screen, and the cursor.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub(super) cols: usize,
    pub(super) rows: usize,
    /// Oldest first; the last `rows` are the screen.
    pub(super) lines: VecDeque<Row>,
    /// Stands for a row of the screen that does not exist (see `place`).
    nowhere: Row,
    /// Rows above the screen.
    pub(super) base: usize,
    /// Most rows above the screen, as asked for.
    pub(super) scrollback: usize,
    /// Most rows in all. The alternate buffer may have more than the screen, after it shrank.
    pub(super) most: usize,
    /// Rows that fell off.
    pub(super) dropped: u64,
    /// The column of the cursor; `cols` where it waits behind the last one.
    pub(super) x: usize,
    pub(super) y: usize,
    /// First and last row of the scroll region.
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) saved: Saved,
    pub(super) tabs: Tabs,
    /// Whether rows need preparing.
    is_special: bool,
    /// A row with a twin that was written to, and the last number given to twins.
    twin_written: Option<usize>,
    last_twin: u16,
    /// The screen is so large that only the row written to last is unpacked; that one.
    unpacked: Option<usize>,
    /// Room for packing.
    scratch: Vec<u8>,
}

impl Buffer {
    /// The normal buffer, blank.
    pub(super) fn normal(cols: usize, rows: usize, scrollback: Scrollback) -> Self {
        let scrollback = match scrollback {
            Scrollback::Rows(rows) => rows,
            Scrollback::Unlimited => usize::MAX,
        };
        let mut buffer = Self::empty(cols, rows, scrollback);
        buffer.fill(Style::default());
        buffer
    }

    /// The alternate buffer, which has no rows while it is not shown.
    pub(super) fn empty(cols: usize, rows: usize, scrollback: usize) -> Self {
        Self {
            cols,
            rows,
            lines: VecDeque::new(),
            nowhere: Row::blank(cols, Style::default()),
            base: 0,
            scrollback,
            most: scrollback.saturating_add(rows),
            dropped: 0,
            x: 0,
            y: 0,
            top: 0,
            bottom: rows - 1,
            saved: Saved::default(),
            tabs: Tabs::new(cols),
            is_special: cols * rows > MOST_UNPACKED,
            twin_written: None,
            last_twin: 0,
            unpacked: None,
            scratch: Vec::new(),
        }
    }

    /// Gives an empty buffer the rows of the screen.
    pub(super) fn fill(&mut self, fill: Style) {
        let missing = self.rows.saturating_sub(self.lines.len());
        let blanks = std::iter::repeat_with(|| Row::blank(self.cols, fill));
        self.lines.extend(blanks.take(missing));
    }

    /// Rows of scrollback and screen together.
    #[expect(clippy::len_without_is_empty, reason = "what counts is whether it is shown")]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Rows above the screen.
    pub const fn scrollback_len(&self) -> usize {
        self.base
    }

    /// The row at `index`, counted from the oldest; a blank one past the end.
    pub fn row(&self, index: usize) -> RowRef<'_> {
        RowRef::new(self.lines.get(index))
    }

    /// Columns and rows of the screen.
    pub(crate) const fn width(&self) -> usize {
        self.cols
    }

    pub(crate) const fn height(&self) -> usize {
        self.rows
    }

    pub(crate) const fn cursor(&self) -> Cursor {
        Cursor { row: self.y, col: self.x }
    }

    /// As at the start.
    pub(super) fn reset(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.truncate(self.rows);
        for row in &mut lines {
            row.reset(self.cols, Style::default());
        }
        self.clear();
        self.lines = lines;
        self.saved = Saved::default();
        self.fill(Style::default());
    }

    /// Takes all rows out; everything else as at the start, but for what is saved.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.base = 0;
        self.most = self.scrollback.saturating_add(self.rows);
        self.x = 0;
        self.y = 0;
        self.top = 0;
        self.bottom = self.rows - 1;
        self.tabs = Tabs::new(self.cols);
    }

    /// Where the row of the screen at `y` is in `lines`.
    ///
    /// When the alternate buffer grows again after it shrank, xterm.js can lose a row, and rows
    /// past the end are then those at the start.
    #[inline]
    fn place(&self, y: usize) -> usize {
        let at = self.base + y;
        if at >= self.lines.len() && self.lines.len() == self.most { at % self.most } else { at }
    }

    /// The row of the screen at `y`.
    #[inline]
    pub(super) fn screen_row(&mut self, y: usize) -> &mut Row {
        let at = self.place(y);
        if self.is_special {
            self.prepare(at);
        }
        match self.lines.get_mut(at) {
            Some(row) => row,
            None => &mut self.nowhere,
        }
    }

    /// Copies a row that was written to over its twins.
    pub(super) fn sync_twins(&mut self) {
        let Some(at) = self.twin_written.take() else {
            return;
        };
        if let Some(row) = self.lines.get(at).filter(|row| row.twin > 0).cloned() {
            for other in self.lines.iter_mut().filter(|other| other.twin == row.twin) {
                other.clone_from(&row);
            }
        }
    }

    /// The same row as the last one, once more.
    fn twin_of_last(&mut self) -> Row {
        let last = self.lines.len().saturating_sub(1);
        self.make_twin(last);
        self.lines.back().cloned().unwrap_or_default()
    }

    /// Has a row stay the same as its copies.
    fn make_twin(&mut self, at: usize) {
        if let Some(row) = self.lines.get_mut(at).filter(|row| row.twin == 0) {
            self.last_twin = self.last_twin.checked_add(1).unwrap_or(1);
            row.twin = self.last_twin;
            self.is_special = true;
        }
    }

    fn is_large(&self) -> bool {
        self.cols * self.rows > MOST_UNPACKED
    }

    /// Before the row at `at` is written to, where rows are not just rows.
    fn prepare(&mut self, at: usize) {
        self.sync_twins();
        if self.is_large() && self.unpacked != Some(at) {
            self.pack_all();
            self.unpacked = Some(at);
        }
        if self.lines.get(at).is_some_and(|row| row.twin > 0) {
            self.twin_written = Some(at);
        }
    }

    /// Sees whether rows need preparing, after the size or the twins changed.
    pub(super) fn update_special(&mut self) {
        self.is_special = self.is_large() || self.last_twin > 0;
    }

    /// Packs the row that was written to last, on a large screen.
    fn pack_all(&mut self) {
        if let Some(at) = self.unpacked.take()
            && let Some(row) = self.lines.get_mut(at)
        {
            row.pack(&mut self.scratch, Vec::new());
        }
    }

    /// Cells of the row the cursor is in.
    pub(super) fn line(&mut self) -> &mut Line {
        self.screen_row(self.y).line()
    }

    /// Before text goes to the cursor: a wide character that starts left of it loses its half.
    pub(super) fn split_left(&mut self, style: Style) {
        let x = self.x;
        let row = self.screen_row(self.y);
        if row.draft(x).is_none() {
            row.line().split_left(x, style);
        }
    }

    pub(super) fn set_wrapped(&mut self, y: usize, wrapped: bool) {
        self.screen_row(y).wrapped = wrapped;
    }

    /// Moves the rows of the scroll region up by one. At the top of the screen the first one
    /// becomes scrollback; otherwise it is lost.
    pub(super) fn scroll(&mut self, fill: Style, wrapped: bool) {
        self.sync_twins();
        if self.top > 0 {
            self.shift_region(fill);
            self.screen_row(self.bottom).wrapped = wrapped;
            return;
        }
        self.pack_all();
        let at = self.base + self.bottom + 1;
        if at > self.lines.len() {
            // The row goes to the start, as one past the end.
            let mut row = Row::blank(self.cols, fill);
            row.wrapped = wrapped;
            if let Some(place) = self.lines.get_mut(at % self.most) {
                *place = row;
            }
            self.lines.rotate_left(1);
            return;
        }
        let is_last = at == self.lines.len();
        let dropped = if self.lines.len() < self.most {
            self.base += 1;
            None
        } else {
            self.dropped += 1;
            self.lines.pop_front()
        };
        let twin = dropped.as_ref().map_or(0, |row| row.twin);
        let row = match self.base.checked_sub(1).and_then(|at| self.lines.get_mut(at)) {
            // The row that just left the screen: what it was written in is right for the next one.
            Some(left) if left.has_draft() => {
                let memory = dropped.map(Row::into_memory).unwrap_or_default();
                left.pack(&mut self.scratch, memory).map(|draft| Row::reuse(draft, self.cols, fill))
            }
            Some(left) => {
                left.pack(&mut self.scratch, Vec::new());
                dropped.map(|row| row.renewed(self.cols, fill))
            }
            None => dropped.map(|row| row.renewed(self.cols, fill)),
        };
        let row = row.unwrap_or_else(|| Row::blank(self.cols, fill));
        let place = self.base + self.bottom;
        // Its small parts are set in its place: a move right after that would wait for them.
        if is_last {
            self.lines.push_back(row);
        } else {
            self.lines.insert(place, row);
        }
        if let Some(row) = self.lines.get_mut(place) {
            row.wrapped = wrapped;
            // The oldest row itself becomes the new one, where that is the last.
            row.twin = if is_last { twin } else { 0 };
            self.twin_written = Some(place).filter(|_| row.twin > 0);
        }
    }

    /// Moves the rows of the scroll region up by one; the first is lost.
    fn shift_region(&mut self, fill: Style) {
        for y in self.top..self.bottom {
            let (here, next) = (self.place(y), self.place(y + 1));
            if here.max(next) < self.lines.len() {
                self.lines.swap(here, next);
            }
        }
        let cols = self.cols;
        let row = self.screen_row(self.bottom);
        row.twin = 0;
        row.reset(cols, fill);
    }

    /// Moves the rows of the scroll region down by one; the last is lost.
    pub(super) fn scroll_back(&mut self, fill: Style) {
        let end = self.base + self.bottom + 1;
        if end > self.lines.len() && self.lines.len() == self.most {
            return self.scroll_back_torn(end, fill);
        }
        self.rotate(self.bottom, self.top, fill);
    }

    /// The same where rows of the region, which ends before `end`, stand past the end, where the
    /// first ones are. Moving rows there also makes the buffer begin later by as many.
    fn scroll_back_torn(&mut self, end: usize, fill: Style) {
        self.sync_twins();
        self.pack_all();
        let (most, start) = (self.most, self.base + self.top);
        let mut moved: Vec<usize> = (0..most).collect();
        for at in (start + 1..end).rev() {
            moved[at % most] = moved[(at - 1) % most];
        }
        moved.rotate_left((end - most) % most);
        for at in 0..most {
            if moved[at + 1..].contains(&moved[at]) {
                self.make_twin(moved[at]);
            }
        }
        let rows = moved.iter().filter_map(|&at| self.lines.get(at).cloned()).collect();
        self.lines = rows;
        if let Some(row) = self.lines.get_mut(start % most) {
            *row = Row::blank(self.cols, fill);
        }
    }

    /// Takes out the row at `from` and puts a blank one in at `to`, both in the screen.
    pub(super) fn rotate(&mut self, from: usize, to: usize, fill: Style) {
        self.sync_twins();
        self.pack_all();
        let (from, to) = (self.base + from, self.base + to);
        let is_last = from + 1 >= self.lines.len();
        let taken = if is_last { self.lines.pop_back() } else { self.lines.remove(from) };
        let mut row = taken.unwrap_or_default();
        if to > self.lines.len() {
            // The row goes to the start, as one past the end; what was last is there twice.
            let last = if is_last { std::mem::take(&mut row) } else { self.twin_of_last() };
            self.lines.push_back(last);
            if let Some(place) = self.lines.get_mut(to % self.most) {
                *place = Row::blank(self.cols, fill);
            }
            return;
        }
        row.twin = 0;
        row.reset(self.cols, fill);
        self.lines.insert(to, row);
    }

    /// Adds a row at the end; the first one makes room where there are too many.
    pub(super) fn push(&mut self, row: Row) {
        if self.lines.len() >= self.most {
            self.lines.pop_front();
            self.dropped += 1;
        }
        self.lines.push_back(row);
    }

    /// Forgets the rows above the screen.
    pub(super) fn drop_scrollback(&mut self) {
        self.sync_twins();
        let surplus = self.lines.len().saturating_sub(self.rows);
        self.lines.drain(..surplus);
        self.base = self.base.saturating_sub(surplus);
    }
}
