//! Changing the size.

use super::buffer::Buffer;
use super::row::Row;
use super::size::Size;
use super::style::Style;
use super::terminal::{Terminal, grid};

impl Terminal {
    /// Changes the size of both buffers.
    pub(super) fn resize(&mut self, size: Size) {
        if size == self.size {
            return;
        }
        self.size = size;
        self.in_run = false;
        let (cols, rows) = grid(size);
        self.normal.resize(cols, rows, true);
        self.alternate.resize(cols, rows, false);
    }
}

impl Buffer {
    fn resize(&mut self, cols: usize, rows: usize, reflow: bool) {
        let most = self.scrollback.saturating_add(rows);
        self.most = self.most.max(most);
        self.sync_twins();
        if !self.lines.is_empty() {
            self.resize_screen(cols, rows, most);
        }
        self.bottom = rows - 1;

        if reflow && cols != self.cols {
            self.reflow(cols, rows);
            if cols < self.cols {
                self.resize_lines(cols);
            }
        }
        self.cols = cols;
        self.rows = rows;
        self.update_special();
        self.tabs.resize(cols);
    }

    fn resize_screen(&mut self, cols: usize, rows: usize, most: usize) {
        if cols > self.cols {
            self.resize_lines(cols);
        }
        let risen = if rows > self.rows { self.grow(cols, rows) } else { self.shrink(rows) };
        self.trim(most);
        self.x = self.x.min(cols - 1);
        self.y = self.y.min(rows - 1) + risen;
        self.saved.x = self.saved.x.min(cols - 1);
        self.top = 0;
    }

    fn resize_lines(&mut self, cols: usize) {
        for row in &mut self.lines {
            row.resize(cols);
        }
    }

    /// More rows: from the scrollback while the cursor is in the last row, blank ones otherwise.
    /// How far the cursor's row moved down.
    fn grow(&mut self, cols: usize, rows: usize) -> usize {
        let mut risen = 0;
        for _ in self.rows..rows {
            if self.lines.len() >= rows + self.base {
                continue;
            }
            if self.base > 0 && self.lines.len() <= self.base + self.y + risen + 1 {
                self.base -= 1;
                risen += 1;
            } else {
                self.push(Row::blank(cols, Style::default()));
            }
        }
        risen
    }

    /// Fewer rows: those below the cursor go, then the ones at the top become scrollback.
    fn shrink(&mut self, rows: usize) -> usize {
        for _ in rows..self.rows {
            if self.lines.len() > rows + self.base {
                if self.lines.len() > self.base + self.y + 1 {
                    self.lines.pop_back();
                } else {
                    self.base += 1;
                }
            }
        }
        0
    }

    /// Drops the oldest rows of those that are too many for the new size.
    fn trim(&mut self, most: usize) {
        self.most = most;
        if let Some(extra) = self.lines.len().checked_sub(most) {
            self.lines.drain(..extra);
            self.dropped += extra as u64;
            self.base = self.base.saturating_sub(extra);
            self.saved.y = self.saved.y.saturating_sub(extra);
        }
    }
}
