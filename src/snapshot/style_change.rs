//! The SGR sequence from one style to another.

use crate::screen::{Attributes, Color, ColorKind, Style};

/// Attributes in the order they are written in, with their codes for on and off.
const FLAGS: [(Attributes, u8, u8); 9] = [
    (Attributes::INVERSE, 7, 27),
    (Attributes::BOLD, 1, 22),
    (Attributes::UNDERLINE, 4, 24),
    (Attributes::OVERLINE, 53, 55),
    (Attributes::BLINK, 5, 25),
    (Attributes::INVISIBLE, 8, 28),
    (Attributes::ITALIC, 3, 23),
    (Attributes::DIM, 2, 22),
    (Attributes::STRIKE, 9, 29),
];

/// Appends what changes `from` to `to`; false where no sequence can tell them apart.
pub(crate) fn push_style_change(out: &mut String, from: Style, to: Style) -> bool {
    if from == to {
        return false;
    }
    let start = out.len();
    out.push_str("\x1b[");
    let mut list = List { out, empty: true };
    if from.foreground != to.foreground {
        list.color(to.foreground, 30);
    }
    if from.background != to.background {
        list.color(to.background, 40);
    }
    for (flag, on, off) in FLAGS {
        let (old, new) = (state(from, flag), state(to, flag));
        if old != new {
            list.number(usize::from(if new > 0 { on } else { off }));
        }
    }
    if list.empty {
        out.truncate(start);
        return false;
    }
    if to.is_default() {
        out.truncate(start);
        out.push_str("\x1b[0");
    }
    out.push('m');
    true
}

/// 0 for off; underlines are on in more ways than one.
fn state(style: Style, flag: Attributes) -> u8 {
    if flag == Attributes::UNDERLINE {
        style.attributes.underline_source()
    } else {
        u8::from(style.attributes.contains(flag))
    }
}

struct List<'a> {
    out: &'a mut String,
    empty: bool,
}

impl List<'_> {
    fn number(&mut self, number: usize) {
        if !std::mem::take(&mut self.empty) {
            self.out.push(';');
        }
        push_number(self.out, number);
    }

    /// `first` is the code of the first basic colour.
    fn color(&mut self, color: Color, first: usize) {
        match color.kind() {
            ColorKind::Default => self.number(first + 9),
            ColorKind::Basic(index @ 0..8) | ColorKind::Indexed(index @ 0..8) => {
                self.number(first + usize::from(index));
            }
            ColorKind::Basic(index) | ColorKind::Indexed(index @ 8..16) => {
                self.number(first + 60 + usize::from(index) - 8);
            }
            ColorKind::Indexed(index) => {
                self.number(first + 8);
                self.number(5);
                self.number(usize::from(index));
            }
            ColorKind::Rgb(red, green, blue) => {
                self.number(first + 8);
                self.number(2);
                for part in [red, green, blue] {
                    self.number(usize::from(part));
                }
            }
        }
    }
}

/// Appends a number in decimal.
pub(super) fn push_number(out: &mut String, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}
