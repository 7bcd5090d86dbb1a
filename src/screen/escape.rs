//! Escape sequences without parameters.

use super::cell::{Cell, Glyph};
use super::charset::Charset;
use super::style::Attributes;
use super::terminal::Terminal;

impl Terminal {
    /// Does what `ESC`, intermediates and a final character ask for.
    pub(super) fn escape(&mut self, collected: u32, last: u8) {
        match (collected, last) {
            (0, b'7') => self.save_cursor(),
            (0, b'8') => self.restore_cursor(),
            (0, b'D') => self.index(),
            (0, b'E') => self.next_line(),
            (0, b'H') => self.set_tab(),
            (0, b'M') => self.reverse_index(),
            (0, b'=') => self.modes.application_keypad = true,
            (0, b'>') => self.modes.application_keypad = false,
            (0, b'c') => self.reset(),
            (0, b'n' | b'}') => self.charsets.shift(2),
            (0, b'o' | b'|') => self.charsets.shift(3),
            (0, b'~') => self.charsets.shift(1),
            (0x25, b'@' | b'G') => {
                self.charsets.shift(0);
                self.charsets.designate(0, Charset::Ascii);
            }
            (0x23, b'8') => self.alignment_pattern(),
            (0x28..=0x2b, _) => self.designate(collected - 0x28, last),
            (0x2d..=0x2f, _) => self.designate(collected - 0x2c, last),
            _ => {}
        }
    }

    fn designate(&mut self, slot: u32, last: u8) {
        if let Some(set) = Charset::designated(last) {
            self.charsets.designate(slot as u8, set);
        }
    }

    /// DECALN: a screen full of E.
    fn alignment_pattern(&mut self) {
        let mut style = self.pen;
        style.attributes = style.attributes.without(Attributes::EXTENSION);
        self.set_cursor(0, 0);
        let cols = usize::from(self.size.cols);
        let buffer = self.buffer_mut();
        // In origin mode the cursor is in the scroll region, and the pattern begins there. Three
        // bytes must not fill gigabytes: a screen beyond all real ones gets part of the pattern.
        let rows = buffer.rows.min((MAX_PATTERN_CELLS / cols.max(1)).max(1));
        for y in buffer.y..buffer.y + rows {
            let row = buffer.screen_row(y);
            row.wrapped = false;
            row.line().fill_with(Cell { glyph: Glyph::ascii(b'E'), style });
        }
        self.set_cursor(0, 0);
    }
}

/// Cells that the alignment pattern fills at most.
const MAX_PATTERN_CELLS: usize = 16 << 20;
