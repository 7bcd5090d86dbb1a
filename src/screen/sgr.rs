//! Select graphic rendition: colours and attributes of the pen.

use super::params::Params;
use super::style::{Attributes, Color, Style};
use super::terminal::Terminal;

impl Terminal {
    /// SGR.
    pub(super) fn sgr(&mut self, params: &Params) {
        let mut at = 0;
        while at < params.len() {
            at += self.sgr_at(params, at);
        }
    }

    /// Does what the parameter at `at` says; how many parameters that took.
    fn sgr_at(&mut self, params: &Params, at: usize) -> usize {
        let pen = &mut self.pen;
        match params.get(at) {
            0 => self.reset_style(),
            1 => pen.attributes |= Attributes::BOLD,
            2 => pen.attributes |= Attributes::DIM,
            3 => pen.attributes |= Attributes::ITALIC,
            4 => {
                let style = params.subs(at).next().map_or(1, |sub| sub.unwrap_or(1));
                self.underline(u8::try_from(style).unwrap_or(u8::MAX));
            }
            5 => pen.attributes |= Attributes::BLINK,
            7 => pen.attributes |= Attributes::INVERSE,
            8 => pen.attributes |= Attributes::INVISIBLE,
            9 => pen.attributes |= Attributes::STRIKE,
            21 => self.underline(2),
            22 => {
                pen.attributes = pen.attributes.without(Attributes::BOLD | Attributes::DIM);
            }
            23 => pen.attributes = pen.attributes.without(Attributes::ITALIC),
            24 => self.underline(0),
            25 => pen.attributes = pen.attributes.without(Attributes::BLINK),
            27 => pen.attributes = pen.attributes.without(Attributes::INVERSE),
            28 => pen.attributes = pen.attributes.without(Attributes::INVISIBLE),
            29 => pen.attributes = pen.attributes.without(Attributes::STRIKE),
            code @ 30..=37 => pen.foreground = Color::basic(code as u8 - 30),
            39 => pen.foreground = Color::DEFAULT,
            code @ 40..=47 => pen.background = Color::basic(code as u8 - 40),
            49 => pen.background = Color::DEFAULT,
            53 => pen.attributes |= Attributes::OVERLINE,
            59 => self.extend_pen(Attributes::default(), Attributes::default()),
            55 => pen.attributes = pen.attributes.without(Attributes::OVERLINE),
            code @ 90..=97 => pen.foreground = Color::basic(code as u8 - 90 + 8),
            code @ 100..=107 => pen.background = Color::basic(code as u8 - 100 + 8),
            code @ (38 | 48 | 58) => return self.sgr_color(params, at, code),
            _ => {}
        }
        1
    }

    /// SGR 0.
    pub(super) fn reset_style(&mut self) {
        self.pen = Style::default();
        self.underline(0);
    }

    /// DECSCA.
    pub(super) fn set_protected(&mut self, what: u32) {
        match what {
            1 => self.pen.attributes |= Attributes::PROTECTED,
            0 | 2 => self.pen.attributes = self.pen.attributes.without(Attributes::PROTECTED),
            _ => {}
        }
    }

    fn underline(&mut self, style: u8) {
        self.pen.attributes = self.pen.attributes.without(Attributes::UNDERLINE);
        if style > 0 {
            self.pen.attributes |= Attributes::UNDERLINE;
        }
        let part = Attributes::EXTENSION.without(Attributes::LINK);
        self.extend_pen(part, Attributes::extension_of_style(style));
    }

    /// SGR 38, 48 and 58: a colour in the parameters or sub-parameters that follow.
    fn sgr_color(&mut self, params: &Params, at: usize, code: u32) -> usize {
        let (slots, used) = color_slots(params, at);
        let [_, _, _, first, second, third] = slots.map(|value| (value & 0xff) as u8);
        let color = match slots[1] {
            2 => Color::rgb(first, second, third),
            5 => Color::indexed(first),
            _ => return used,
        };
        match code {
            38 => self.pen.foreground = color,
            48 => self.pen.background = color,
            // The colour of underlines is not kept.
            _ => {}
        }
        used
    }
}

/// Lays out the parts of a colour from `at` on: code, kind, colour space, and up to three values;
/// and counts the parameters they took. Semicolons have no place for the colour space. Colons may
/// begin anywhere, and with them the colour ends.
fn color_slots(params: &Params, at: usize) -> ([u32; 6], usize) {
    let mut slots = [0; 6];
    let mut skipped = 0;
    let mut taken = 0;
    loop {
        slots[taken + skipped] = params.get(at + taken);
        let subs = params.subs(at + taken);
        if subs.len() > 0 {
            for (index, sub) in subs.enumerate() {
                if slots[1] == 5 {
                    skipped = 1;
                }
                match slots.get_mut(taken + index + 1 + skipped) {
                    Some(slot) => *slot = sub.unwrap_or(0),
                    None => break,
                }
            }
            return (slots, taken + 1);
        }
        let is_complete = match slots[1] {
            5 => taken + skipped >= 2,
            2 => taken + skipped >= 5,
            _ => false,
        };
        if is_complete {
            return (slots, taken + 1);
        }
        if slots[1] != 0 {
            skipped = 1;
        }
        taken += 1;
        if at + taken >= params.len() || taken + skipped >= slots.len() {
            return (slots, taken + 1);
        }
    }
}
