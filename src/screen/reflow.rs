//! Wrapping rows anew when the width changes.
//!
//! A row and those that continue it are a *group*. Groups other than the one the cursor is in are
//! filled anew, within the rows they have: a wider screen leaves rows over, which go, and a
//! narrower one needs more. Cells move from row to row as in xterm.js, because marks that are
//! combined with a character can move along with the wrong one, and that shows.

use std::collections::VecDeque;

use super::buffer::Buffer;
use super::cell::Cell;
use super::row::Row;
use super::style::Style;

/// A place in a group: which row, which column.
#[derive(Clone, Copy, Default)]
struct Place {
    row: usize,
    col: usize,
}

impl Buffer {
    /// Wraps all rows for `cols` columns, with the screen already `rows` high.
    pub(super) fn reflow(&mut self, cols: usize, rows: usize) {
        if cols > self.cols {
            self.widen(cols, rows);
        } else {
            self.narrow(cols, rows);
        }
    }

    /// The end of the group that begins at `start`.
    fn group_end(&self, start: usize) -> usize {
        let after = self.lines.range(start + 1..);
        start + 1 + after.take_while(|row| row.wrapped).count()
    }

    fn widen(&mut self, cols: usize, rows: usize) {
        let cursor = self.base + self.y;
        let old = self.cols;
        let mut surplus = Vec::new();
        let mut start = 0;
        while start < self.lines.len() {
            let end = self.group_end(start);
            if end - start > 1 && !(start..end).contains(&cursor) {
                let group = &mut self.lines.make_contiguous()[start..end];
                let kept = start + join(group, old, cols);
                pack(group);
                if kept < end {
                    surplus.push(kept..end);
                }
            }
            start = end;
        }
        let removed = surplus.iter().map(ExactSizeIterator::len).sum();
        self.remove(&surplus);
        for _ in 0..removed {
            if self.base > 0 {
                self.base -= 1;
                continue;
            }
            self.y = self.y.saturating_sub(1);
            if self.lines.len() < rows {
                self.lines.push_back(Row::blank(cols, Style::default()));
            }
        }
        self.saved.y = self.saved.y.saturating_sub(removed);
    }

    /// Takes out rows, given as ranges from the top down.
    fn remove(&mut self, ranges: &[std::ops::Range<usize>]) {
        let mut ranges = ranges.iter();
        let mut range = ranges.next();
        let mut index = 0;
        self.lines.retain(|_| {
            if range.is_some_and(|range| range.end <= index) {
                range = ranges.next();
            }
            index += 1;
            !range.is_some_and(|range| range.contains(&(index - 1)))
        });
    }

    fn narrow(&mut self, cols: usize, rows: usize) {
        let most = self.most;
        // Rows that are dropped below the cursor take part until the end.
        let mut len = self.lines.len();
        // Rows that were made, from the bottom up, and the row before which they go.
        let mut made: Vec<(usize, Vec<Row>)> = Vec::new();
        let mut count = 0;
        let mut end = self.lines.len();
        while end > 0 {
            let mut start = end - 1;
            if !self.lines[start].wrapped && self.lines[start].content_end() <= cols {
                end = start;
                continue;
            }
            while start > 0 && self.lines[start].wrapped {
                start -= 1;
            }
            let group_end = std::mem::replace(&mut end, start);
            // Where the cursor is depends on the rows made so far, which may take it elsewhere.
            if (start..group_end).contains(&(self.base + self.y)) {
                continue;
            }
            let height = group_end - start;
            let group = &mut self.lines.make_contiguous()[start..group_end];
            unpack(group);
            let lengths = split_lengths(group, self.cols, cols);
            let added = lengths.len().saturating_sub(height);
            let mut new = split(group, &lengths, self.cols, cols);
            pack(group);
            pack(&mut new);
            let trimmed = if self.base == 0 && self.y + 1 != len {
                (self.y + added).saturating_sub(most)
            } else {
                (len + added).saturating_sub(most)
            };
            if added > 0 {
                made.push((group_end, new));
                count += added;
            }
            for _ in trimmed..added {
                if self.base > 0 {
                    let longest = most.min(len + count);
                    if self.base < longest.saturating_sub(rows) {
                        self.base += 1;
                    }
                } else if self.y + 1 < rows {
                    self.y += 1;
                    len -= 1;
                } else {
                    self.base += 1;
                }
            }
            let change = lengths.len() as isize - height as isize;
            let lowest = self.base + rows - 1;
            self.saved.y = self.saved.y.saturating_add_signed(change).min(lowest);
        }
        self.lines.truncate(len);
        if count > 0 {
            self.insert(made, most);
        }
    }

    /// Puts in the rows that were made, and lets the oldest go where there are too many.
    fn insert(&mut self, made: Vec<(usize, Vec<Row>)>, most: usize) {
        let added: usize = made.iter().map(|(_, rows)| rows.len()).sum();
        let mut all = VecDeque::with_capacity((self.lines.len() + added).min(most));
        let mut dropped = 0;
        let mut keep = |row: Row| {
            if all.len() < most {
                all.push_front(row);
            } else {
                dropped += 1;
            }
        };
        let mut made = made.into_iter().peekable();
        let mut index = self.lines.len();
        loop {
            while let Some((_, rows)) = made.next_if(|&(before, _)| before >= index) {
                rows.into_iter().rev().for_each(&mut keep);
            }
            match self.lines.pop_back() {
                Some(row) => keep(row),
                None => break,
            }
            index -= 1;
        }
        self.dropped += dropped;
        self.lines = all;
    }
}

fn unpack(group: &mut [Row]) {
    for row in group {
        row.line();
    }
}

fn pack(group: &mut [Row]) {
    let mut buffer = Vec::new();
    for row in group {
        row.pack(&mut buffer, Vec::new());
    }
}

/// The columns of a group's row that count: all, but for a last one left free because the wide
/// character after it did not fit; in the last row those up to the last content.
fn used(group: &[Row], index: usize, cols: usize) -> usize {
    let Some(next) = group.get(index + 1) else {
        return group.get(index).map_or(0, Row::content_end);
    };
    let last = group[index].cell(cols - 1).glyph;
    let is_free = last.width() == 1 && !last.has_content();
    if is_free && next.cell(0).glyph.width() == 2 { cols - 1 } else { cols }
}

/// Copies `count` cells from one place to another, with the marks of all cells from there on.
fn copy(group: &mut [Row], from: Place, to: Place, count: usize) {
    if from.row == to.row {
        group[to.row].line().copy_within(from.col, to.col, count);
    } else if let Ok([from_row, to_row]) = group.get_disjoint_mut([from.row, to.row]) {
        to_row.line().copy_from(from_row.line(), from.col, to.col, count);
    }
}

/// Moves the cells of a group up into the room that the wider rows have. How many rows it needs.
fn join(group: &mut [Row], old: usize, cols: usize) -> usize {
    unpack(group);
    let mut to = Place { row: 0, col: used(group, 0, old) };
    let mut from = Place { row: 1, col: 0 };
    while from.row < group.len() {
        let end = used(group, from.row, old);
        let count = (end - from.col).min(cols - to.col);
        copy(group, from, to, count);
        to.col += count;
        from.col += count;
        if to.col == cols {
            to = Place { row: to.row + 1, col: 0 };
        }
        if from.col == end {
            from = Place { row: from.row + 1, col: 0 };
        }
        // A wide character does not start in the last column.
        if to.col == 0 && to.row > 0 && group[to.row - 1].cell(cols - 1).glyph.width() == 2 {
            copy(group, Place { row: to.row - 1, col: cols - 1 }, to, 1);
            to.col = 1;
            group[to.row - 1].line().set(cols - 1, Cell::null(Style::default()));
        }
    }
    group[to.row].line().erase(to.col, cols, Style::default());
    let mut kept = group.len();
    while kept > 1 && (kept - 1 > to.row || group[kept - 1].content_end() == 0) {
        kept -= 1;
    }
    kept
}

/// How many cells each row of a group gets when they are narrower.
fn split_lengths(group: &[Row], old: usize, cols: usize) -> Vec<usize> {
    let needed: usize = (0..group.len()).map(|index| used(group, index, old)).sum();
    let mut lengths = Vec::new();
    let mut at = Place::default();
    let mut placed = 0;
    while placed < needed {
        if needed - placed < cols {
            lengths.push(needed - placed);
            break;
        }
        at.col += cols;
        let end = used(group, at.row, old);
        if at.col > end {
            at = Place { row: at.row + 1, col: at.col - end };
        }
        let ends_wide = group.get(at.row).is_some_and(|row| {
            at.col.checked_sub(1).is_some_and(|col| row.cell(col).glyph.width() == 2)
        });
        let length = if ends_wide { cols - 1 } else { cols };
        at.col -= usize::from(ends_wide);
        lengths.push(length);
        placed += length;
    }
    lengths
}

/// Moves the cells of a group down, into rows of these lengths. The rows that were added.
fn split(group: &mut [Row], lengths: &[usize], old: usize, cols: usize) -> Vec<Row> {
    let len = group.len();
    let last = used(group, len - 1, old);
    let mut rows: Vec<Row> = group.iter_mut().map(std::mem::take).collect();
    rows.resize_with(lengths.len().max(len), || Row::blank(cols, Style::default()));
    rows.iter_mut().skip(len).for_each(|row| row.wrapped = true);

    // From the end, because the cells move towards it.
    let mut from = Place { row: len - 1, col: last };
    let mut targets = lengths.iter().copied().enumerate().rev();
    let mut target = targets.next();
    while let Some((row, end)) = target {
        let count = from.col.min(end);
        if end > 0 {
            let start = Place { row: from.row, col: from.col - count };
            copy(&mut rows, start, Place { row, col: end - count }, count);
        }
        from.col -= count;
        target = if end == count { targets.next() } else { Some((row, end - count)) };
        if from.col == 0 {
            let Some(row) = from.row.checked_sub(1) else {
                break;
            };
            from = Place { row, col: used(&rows, row, old) };
        }
    }
    // The place that a wide character left free.
    for (row, &length) in rows.iter_mut().zip(lengths) {
        if length < cols {
            row.line().set(length, Cell::null(Style::default()));
        }
    }
    let added = rows.split_off(len);
    for (place, row) in group.iter_mut().zip(rows) {
        *place = row;
    }
    added
}
