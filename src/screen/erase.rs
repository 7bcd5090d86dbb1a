//! Erasing parts of the screen.

use super::terminal::Terminal;

impl Terminal {
    /// Erases cells of one row. `unwrap`: the row no longer continues the one before.
    fn erase_in_row(&mut self, y: usize, from: usize, to: usize, unwrap: bool, selective: bool) {
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        let cols = buffer.cols;
        let row = buffer.screen_row(y);
        if selective {
            row.line().erase_unprotected(from, to, cols, fill);
        } else {
            row.line().erase(from, to, cols, fill);
        }
        if unwrap {
            row.wrapped = false;
        }
    }

    fn erase_row(&mut self, y: usize, selective: bool) {
        if selective {
            let cols = usize::from(self.size.cols);
            return self.erase_in_row(y, 0, cols, true, true);
        }
        let fill = self.pen.erased();
        self.buffer_mut().screen_row(y).reset(fill);
    }

    /// ED and DECSED.
    pub(super) fn erase_display(&mut self, what: u32, selective: bool) {
        let (cols, rows) = (usize::from(self.size.cols), usize::from(self.size.rows));
        self.restrict_cursor_to(cols);
        let (x, y) = (self.buffer().x, self.buffer().y);
        match what {
            0 => {
                self.erase_in_row(y, x, cols, x == 0, selective);
                for y in y + 1..rows {
                    self.erase_row(y, selective);
                }
            }
            1 => {
                self.erase_in_row(y, 0, x + 1, true, selective);
                if x + 1 >= cols && y + 1 < rows {
                    self.buffer_mut().set_wrapped(y + 1, false);
                }
                for y in 0..y {
                    self.erase_row(y, selective);
                }
            }
            2 => {
                for y in 0..rows {
                    self.erase_row(y, selective);
                }
            }
            3 => self.buffer_mut().drop_scrollback(),
            _ => {}
        }
    }

    /// EL and DECSEL.
    pub(super) fn erase_line(&mut self, what: u32, selective: bool) {
        let cols = usize::from(self.size.cols);
        self.restrict_cursor_to(cols);
        let (x, y) = (self.buffer().x, self.buffer().y);
        match what {
            0 => self.erase_in_row(y, x, cols, x == 0, selective),
            1 => self.erase_in_row(y, 0, x + 1, false, selective),
            2 => self.erase_in_row(y, 0, cols, true, selective),
            _ => {}
        }
    }

    /// ECH.
    pub(super) fn erase_cells(&mut self, count: usize) {
        self.restrict_cursor();
        let (x, y) = (self.buffer().x, self.buffer().y);
        self.erase_in_row(y, x, x.saturating_add(count), false, false);
    }
}
