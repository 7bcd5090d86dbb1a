//! What a style means in a style sheet.

use std::fmt::Write;

use super::palette::fixed;
use crate::screen::{Attributes, Color, ColorKind, Style};

/// A colour on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// That of text.
    Fore,
    /// That of the page.
    Back,
    /// One of the sixteen that a theme has, as it is on the page.
    Basic(u8),
    /// The same as it is behind text.
    Fill(u8),
    /// One that is the same in every theme.
    Fixed([u8; 3]),
}

impl Paint {
    /// Its value in a style sheet.
    pub(super) fn css(self) -> String {
        match self {
            Self::Fore => "var(--fore)".to_owned(),
            Self::Back => "var(--back)".to_owned(),
            Self::Basic(index) => format!("var(--c{index})"),
            Self::Fill(index) => format!("var(--g{index})"),
            Self::Fixed([red, green, blue]) => format!("#{red:02x}{green:02x}{blue:02x}"),
        }
    }

    /// Black and white as they are on another colour. On the page they are greys that can be seen.
    fn on_color(self) -> Self {
        match self {
            Self::Basic(0) => Self::Fixed([0x10, 0x12, 0x15]),
            Self::Basic(7 | 15) => Self::Fixed([0xff; 3]),
            other => other,
        }
    }

    fn of(color: Color, own: Self, is_bright: bool) -> Self {
        match color.kind() {
            ColorKind::Default => own,
            ColorKind::Basic(index) | ColorKind::Indexed(index @ 0..16) => {
                let bright = if is_bright && index < 8 { 8 } else { 0 };
                Self::Basic(index + bright)
            }
            ColorKind::Indexed(index) => Self::Fixed(fixed(index)),
            ColorKind::Rgb(red, green, blue) => Self::Fixed([red, green, blue]),
        }
    }
}

/// How a span looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) fore: Paint,
    /// None for that of the page.
    pub(super) back: Option<Paint>,
    attributes: Attributes,
}

/// Attributes and their classes. Blinking is not shown.
const CLASSES: [(Attributes, char); 6] = [
    (Attributes::BOLD, 'b'),
    (Attributes::DIM, 'd'),
    (Attributes::ITALIC, 'i'),
    (Attributes::INVISIBLE, 'h'),
    (Attributes::STRIKE, 's'),
    (Attributes::OVERLINE, 'o'),
];

impl Look {
    pub(super) fn of(style: Style) -> Self {
        let attributes = style.attributes;
        // Bold text of the first eight colours is bright in xterm.js.
        let fore = Paint::of(style.foreground, Paint::Fore, attributes.contains(Attributes::BOLD));
        let back = Paint::of(style.background, Paint::Back, false);
        let (fore, back) =
            if attributes.contains(Attributes::INVERSE) { (back, fore) } else { (fore, back) };
        // What is the page behind the text elsewhere is the text here, so both are seen.
        let (fore, back) = match back {
            Paint::Basic(index) if fore != Paint::Back => (fore.on_color(), Paint::Fill(index)),
            back => (fore, back),
        };
        let back = Some(back).filter(|back| *back != Paint::Back);
        Self { fore, back, attributes }
    }

    /// The names of its classes but those of colours.
    pub(super) fn classes(&self) -> String {
        let mut out = String::new();
        for (attribute, class) in CLASSES {
            if self.attributes.contains(attribute) {
                push_word(&mut out, class);
            }
        }
        if self.attributes.is_underlined() {
            push_word(&mut out, 'u');
            let style = match self.attributes.underline_style() {
                style @ 2..=5 => style,
                _ => return out,
            };
            write!(out, " u{style}").unwrap_or_default();
        }
        out
    }
}

fn push_word(out: &mut String, class: char) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push(class);
}

/// The rules of those classes that HTML and SVG share; lines add up.
pub(super) const RULES: &str = "\
.b{font-weight:bold}.i{font-style:italic}
.u{--u:underline}.o{--o:overline}.s{--s:line-through}
.u,.o,.s,.u *,.o *,.s *{text-decoration-line:var(--u,) var(--o,) var(--s,)}
.u2{text-decoration-style:double}.u3{text-decoration-style:wavy}
.u4{text-decoration-style:dotted}.u5{text-decoration-style:dashed}
";

#[cfg(test)]
mod tests {
    use super::*;

    fn look(foreground: Color, background: Color, attributes: Attributes) -> Look {
        Look::of(Style { foreground, background, attributes })
    }

    #[test]
    fn colours_and_what_inverse_makes_of_them() {
        let (none, own) = (Attributes::default(), Color::DEFAULT);
        let (red, black, orange) = (Color::basic(1), Color::basic(0), Color::indexed(208));
        let paints = |look: Look| (look.fore, look.back);
        let bright = Attributes::BOLD;
        let inverse = Attributes::INVERSE;
        for (given, want) in [
            (look(own, own, none), (Paint::Fore, None)),
            (look(red, own, none), (Paint::Basic(1), None)),
            (look(red, own, bright), (Paint::Basic(9), None)),
            (look(Color::indexed(9), own, bright), (Paint::Basic(9), None)),
            (look(own, red, bright), (Paint::Fore, Some(Paint::Fill(1)))),
            (look(orange, own, none), (Paint::Fixed([255, 135, 0]), None)),
            (look(own, own, inverse), (Paint::Back, Some(Paint::Fore))),
            (look(red, own, inverse), (Paint::Back, Some(Paint::Basic(1)))),
            (look(own, red, inverse), (Paint::Basic(1), Some(Paint::Fore))),
            (look(red, black, inverse), (Paint::Fixed([0x10, 0x12, 0x15]), Some(Paint::Fill(1)))),
        ] {
            assert_eq!(paints(given), want);
        }
    }

    #[test]
    fn attributes_have_classes() {
        let all = Attributes::BOLD | Attributes::DIM | Attributes::UNDERLINE | Attributes::STRIKE;
        assert_eq!(look(Color::DEFAULT, Color::DEFAULT, all).classes(), "b d s u");
        let of = |sequence: &str| {
            let size = crate::screen::Size { cols: 9, rows: 1 };
            let mut screen = crate::screen::Screen::new(size, crate::screen::Scrollback::Rows(0));
            screen.feed(sequence.as_bytes());
            Look::of(screen.pen()).classes()
        };
        assert_eq!(of("\x1b[4:3m"), "u u3");
        assert_eq!(of("\x1b[3;4:1;53m"), "i o u");
    }
}
