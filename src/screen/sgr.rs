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
            0 => {
                let link = pen.attributes.contains(Attributes::LINK);
                *pen = Style::default();
                if link {
                    pen.attributes |= Attributes::LINK;
                }
            }
            1 => pen.attributes |= Attributes::BOLD,
            2 => pen.attributes |= Attributes::DIM,
            3 => pen.attributes |= Attributes::ITALIC,
            4 => {
                let style = params.subs(at).next().map_or(1, |sub| sub.unwrap_or(1));
                let style = u8::try_from(style).unwrap_or(u8::MAX);
                pen.attributes = pen.attributes.with_underline_style(style);
            }
            5 | 6 => pen.attributes |= Attributes::BLINK,
            7 => pen.attributes |= Attributes::INVERSE,
            8 => pen.attributes |= Attributes::INVISIBLE,
            9 => pen.attributes |= Attributes::STRIKE,
            21 => pen.attributes = pen.attributes.with_underline_style(2),
            22 => {
                pen.attributes = pen.attributes.without(Attributes::BOLD | Attributes::DIM);
            }
            23 => pen.attributes = pen.attributes.without(Attributes::ITALIC),
            24 => pen.attributes = pen.attributes.with_underline_style(0),
            25 => pen.attributes = pen.attributes.without(Attributes::BLINK),
            27 => pen.attributes = pen.attributes.without(Attributes::INVERSE),
            28 => pen.attributes = pen.attributes.without(Attributes::INVISIBLE),
            29 => pen.attributes = pen.attributes.without(Attributes::STRIKE),
            code @ 30..=37 => pen.foreground = Color::basic(code as u8 - 30),
            39 => pen.foreground = Color::DEFAULT,
            code @ 40..=47 => pen.background = Color::basic(code as u8 - 40),
            49 => pen.background = Color::DEFAULT,
            53 => pen.attributes |= Attributes::OVERLINE,
            55 => pen.attributes = pen.attributes.without(Attributes::OVERLINE),
            code @ 90..=97 => pen.foreground = Color::basic(code as u8 - 90 + 8),
            code @ 100..=107 => pen.background = Color::basic(code as u8 - 100 + 8),
            code @ (38 | 48 | 58) => return self.sgr_color(params, at, code),
            _ => {}
        }
        1
    }

    /// An extended colour, by sub-parameters or by the parameters that follow.
    fn sgr_color(&mut self, params: &Params, at: usize, code: u32) -> usize {
        let (color, used) = extended_color(params, at);
        if let Some(color) = color {
            match code {
                38 => self.pen.foreground = color,
                48 => self.pen.background = color,
                // The colour of underlines is not kept.
                _ => {}
            }
        }
        used
    }
}

fn byte(value: u32) -> u8 {
    (value & 0xff) as u8
}

fn extended_color(params: &Params, at: usize) -> (Option<Color>, usize) {
    if params.subs(at).len() > 0 {
        let mut subs = params.subs(at).map(|sub| sub.unwrap_or(0));
        let kind = subs.next();
        let rest: Vec<u32> = subs.collect();
        let color = match (kind, rest.as_slice()) {
            (Some(5), [index, ..]) => Some(Color::indexed(byte(*index))),
            (Some(2), [_, red, green, blue, ..] | [red, green, blue]) => {
                Some(Color::rgb(byte(*red), byte(*green), byte(*blue)))
            }
            _ => None,
        };
        return (color, 1);
    }
    match params.get(at + 1) {
        5 => (Some(Color::indexed(byte(params.get(at + 2)))), 3),
        2 => {
            let [red, green, blue] = [2, 3, 4].map(|i| byte(params.get(at + i)));
            (Some(Color::rgb(red, green, blue)), 5)
        }
        _ => (None, 2),
    }
}
