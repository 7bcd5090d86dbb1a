//! Erasing parts of the screen.

use super::terminal::Terminal;

impl Terminal {
    /// Erases cells of one row. `unwrap`: the row no longer continues the one before.
    fn erase_in_row(&mut self, y: usize, from: usize, to: usize, unwrap: bool, selective: bool) {
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        let row = buffer.screen_row(y);
        if to >= row.len() && row.is_blank_from(from, fill) {
            // Nothing to do, and a draft stays one.
        } else if selective {
            row.line().erase_unprotected(from, to, fill);
        } else {
            row.line().erase(from, to, fill);
        }
        if unwrap {
            row.wrapped = false;
        }
    }

    fn erase_row(&mut self, y: usize, selective: bool) {
        if selective {
            return self.erase_in_row(y, 0, usize::MAX, true, true);
        }
        let fill = self.pen.erased();
        let row = self.buffer_mut().screen_row(y);
        row.reset(row.len(), fill);
    }

    /// ED and DECSED.
    pub(super) fn erase_display(&mut self, what: u32, selective: bool) {
        let (cols, rows) = (self.buffer().cols, self.buffer().rows);
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
                // xterm.js counts this row from the top of the scrollback.
                if x + 1 >= cols
                    && let Some(row) = self.buffer_mut().lines.get_mut(y + 1)
                {
                    row.wrapped = false;
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
            3 => {
                // The alternate buffer has no history, and that of the other one stays.
                self.history_erasures += u64::from(!self.alternate_active);
                self.buffer_mut().drop_scrollback();
            }
            _ => {}
        }
    }

    /// EL and DECSEL.
    pub(super) fn erase_line(&mut self, what: u32, selective: bool) {
        let cols = self.buffer().cols;
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
