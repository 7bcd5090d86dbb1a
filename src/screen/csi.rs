//! Control sequences.

use super::buffer::Buffer;
use super::params::Params;
use super::style::Style;
use super::terminal::Terminal;

/// A count as a distance; no screen is larger.
fn distance(count: usize) -> isize {
    count.min(1 << 20) as isize
}

impl Terminal {
    /// Does what a control sequence asks for.
    pub(super) fn csi(&mut self, collected: u32, last: u8, params: &Params) {
        match collected {
            0 => self.csi_plain(last, params),
            0x3f => self.csi_private(last, params),
            _ => self.csi_other(collected, last, params),
        }
    }

    fn csi_plain(&mut self, last: u8, params: &Params) {
        let count = params.count(0);
        let step = distance(count);
        match last {
            b'm' => self.sgr(params),
            b'@' => self.insert_cells(count),
            b'A' => self.cursor_up(step),
            b'B' => self.cursor_down(step),
            b'C' | b'a' => self.move_cursor(step, 0),
            b'D' => self.move_cursor(-step, 0),
            b'E' => {
                self.cursor_down(step);
                self.buffer_mut().x = 0;
            }
            b'F' => {
                self.cursor_up(step);
                self.buffer_mut().x = 0;
            }
            b'G' | b'`' => self.set_cursor(count - 1, self.buffer().y),
            b'H' | b'f' => self.set_cursor(params.count(1) - 1, count - 1),
            b'I' => self.tab(count),
            b'J' => self.erase_display(params.get(0), false),
            b'K' => self.erase_line(params.get(0), false),
            b'L' => self.insert_lines(count),
            b'M' => self.delete_lines(count),
            b'P' => self.delete_cells(count),
            b'S' => self.scroll_up(count),
            b'T' => self.scroll_down(count),
            b'X' => self.erase_cells(count),
            b'Z' => self.back_tab(count),
            b'b' => self.repeat(count),
            b'c' if params.get(0) == 0 => self.replies.push("\x1b[?1;2c"),
            b'd' => self.set_cursor(self.buffer().x, count - 1),
            b'e' => self.move_cursor(0, step),
            b'g' => match params.get(0) {
                0 => {
                    let buffer = self.buffer_mut();
                    buffer.tabs.clear(buffer.x);
                }
                3 => self.buffer_mut().tabs.clear_all(),
                _ => {}
            },
            b'h' => self.set_ansi_modes(params, true),
            b'l' => self.set_ansi_modes(params, false),
            b'n' => self.report_status(params.get(0), false),
            b'r' => self.set_region(params),
            b's' => self.save_cursor(),
            b't' => self.report_window(params),
            b'u' => self.restore_cursor(),
            _ => {}
        }
    }

    fn csi_private(&mut self, last: u8, params: &Params) {
        match last {
            b'J' => self.erase_display(params.get(0), true),
            b'K' => self.erase_line(params.get(0), true),
            b'h' => self.set_private_modes(params, true),
            b'l' => self.set_private_modes(params, false),
            b'n' => self.report_status(params.get(0), true),
            _ => {}
        }
    }

    fn csi_other(&mut self, collected: u32, last: u8, params: &Params) {
        let count = params.count(0);
        match (&collected.to_be_bytes()[2..], last) {
            ([0, b'!'], b'p') => self.soft_reset(),
            ([0, b'"'], b'q') => self.set_protected(params.get(0)),
            ([0, b' '], b'@') => self.shift_columns(count, false),
            ([0, b' '], b'A') => self.shift_columns(count, true),
            ([0, b'\''], b'}') => self.edit_columns(count, true),
            ([0, b'\''], b'~') => self.edit_columns(count, false),
            ([0, b'$'], b'p') => self.report_mode(params.get(0), false),
            ([b'?', b'$'], b'p') => self.report_mode(params.get(0), true),
            ([0, b'>'], b'c') if params.get(0) == 0 => self.replies.push("\x1b[>0;276;0c"),
            ([0, b'>'], b'q') if params.get(0) == 0 => self.report_version(),
            _ => {}
        }
    }

    fn cursor_up(&mut self, step: isize) {
        let buffer = self.buffer();
        let most = match buffer.y.checked_sub(buffer.top) {
            Some(distance) => step.min(distance as isize),
            None => step,
        };
        self.move_cursor(0, -most);
    }

    fn cursor_down(&mut self, step: isize) {
        let buffer = self.buffer();
        let most = match buffer.bottom.checked_sub(buffer.y) {
            Some(distance) => step.min(distance as isize),
            None => step,
        };
        self.move_cursor(0, most);
    }

    /// DECSTBM.
    fn set_region(&mut self, params: &Params) {
        let rows = self.buffer().rows;
        let top = params.count(0);
        let bottom = match params.get(1) as usize {
            bottom if bottom == 0 || bottom > rows => rows,
            bottom => bottom,
        };
        if bottom > top {
            let buffer = self.buffer_mut();
            buffer.top = top - 1;
            buffer.bottom = bottom - 1;
            self.set_cursor(0, 0);
        }
    }

    fn in_region(&self) -> bool {
        let buffer = self.buffer();
        (buffer.top..=buffer.bottom).contains(&buffer.y)
    }

    /// IL.
    fn insert_lines(&mut self, count: usize) {
        self.shift_lines(count, |buffer, fill| buffer.rotate(buffer.bottom, buffer.y, fill));
    }

    /// DL.
    fn delete_lines(&mut self, count: usize) {
        self.shift_lines(count, |buffer, fill| buffer.rotate(buffer.y, buffer.bottom, fill));
    }

    /// Moves the rows from the cursor to the end of the scroll region, one row at a time.
    fn shift_lines(&mut self, count: usize, shift: fn(&mut Buffer, Style)) {
        self.restrict_cursor();
        if !self.in_region() {
            return;
        }
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        for _ in 0..count.min(buffer.bottom + 1 - buffer.y) {
            shift(buffer, fill);
        }
        buffer.x = 0;
    }

    /// SU: the rows that leave are lost, also at the top of the screen.
    fn scroll_up(&mut self, count: usize) {
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        for _ in 0..count.min(buffer.bottom + 1 - buffer.top) {
            buffer.rotate(buffer.top, buffer.bottom, fill);
        }
    }

    /// SD.
    fn scroll_down(&mut self, count: usize) {
        let buffer = self.buffer_mut();
        for _ in 0..count.min(buffer.bottom + 1 - buffer.top) {
            buffer.rotate(buffer.bottom, buffer.top, Style::default());
        }
    }

    /// ICH.
    fn insert_cells(&mut self, count: usize) {
        self.restrict_cursor();
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        let x = buffer.x;
        buffer.line().insert(x, count, fill);
    }

    /// DCH.
    fn delete_cells(&mut self, count: usize) {
        self.restrict_cursor();
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        let x = buffer.x;
        buffer.line().delete(x, count, fill);
    }

    /// SL and SR: the rows of the region move sideways.
    fn shift_columns(&mut self, count: usize, right: bool) {
        self.edit_region(|line, _, fill| {
            if right {
                line.insert(0, count, fill);
            } else {
                line.delete(0, count, fill);
            }
        });
    }

    /// DECIC and DECDC: the same from the cursor's column on.
    fn edit_columns(&mut self, count: usize, insert: bool) {
        self.edit_region(|line, x, fill| {
            if insert {
                line.insert(x, count, fill);
            } else {
                line.delete(x, count, fill);
            }
        });
    }

    fn edit_region(&mut self, edit: impl Fn(&mut super::line::Line, usize, Style)) {
        if !self.in_region() {
            return;
        }
        let fill = self.pen.erased();
        let buffer = self.buffer_mut();
        let x = buffer.x;
        for y in buffer.top..=buffer.bottom {
            let row = buffer.screen_row(y);
            edit(row.line(), x, fill);
            row.wrapped = false;
        }
    }
}
