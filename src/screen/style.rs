//! How a cell looks: two colours and a set of attributes.

use std::ops::{BitOr, BitOrAssign};

/// A colour as it was set. The first sixteen set by their own code and by `38;5;n` are not equal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Color(u32);

/// What a [`Color`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorKind {
    /// The terminal's own.
    Default,
    /// One of the sixteen of SGR 30 to 37, 90 to 97 and their backgrounds.
    Basic(u8),
    /// One of the 256 of SGR 38;5 and 48;5.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

impl Color {
    /// The terminal's own colour.
    pub const DEFAULT: Self = Self(0);

    /// One of the sixteen basic colours.
    pub const fn basic(index: u8) -> Self {
        Self(1 << 24 | index as u32)
    }

    /// One of the palette's 256 colours.
    pub const fn indexed(index: u8) -> Self {
        Self(2 << 24 | index as u32)
    }

    /// A colour by its parts.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self(3 << 24 | (red as u32) << 16 | (green as u32) << 8 | blue as u32)
    }

    /// What it stands for.
    pub const fn kind(self) -> ColorKind {
        let [tag, red, green, blue] = self.0.to_be_bytes();
        match tag {
            0 => ColorKind::Default,
            1 => ColorKind::Basic(blue),
            2 => ColorKind::Indexed(blue),
            _ => ColorKind::Rgb(red, green, blue),
        }
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// A set of attributes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Attributes(u16);

impl Attributes {
    /// SGR 1.
    pub const BOLD: Self = Self(1);
    /// SGR 2.
    pub const DIM: Self = Self(1 << 1);
    /// SGR 3.
    pub const ITALIC: Self = Self(1 << 2);
    /// SGR 4; its style is part of the extension.
    pub const UNDERLINE: Self = Self(1 << 3);
    /// SGR 5.
    pub const BLINK: Self = Self(1 << 4);
    /// SGR 7.
    pub const INVERSE: Self = Self(1 << 5);
    /// SGR 8.
    pub const INVISIBLE: Self = Self(1 << 6);
    /// SGR 9.
    pub const STRIKE: Self = Self(1 << 7);
    /// SGR 53.
    pub const OVERLINE: Self = Self(1 << 8);
    /// DECSCA 1: selective erase leaves the cell alone.
    pub const PROTECTED: Self = Self(1 << 9);
    /// Part of an OSC 8 link, which shows as an underline.
    pub const LINK: Self = Self(1 << 10);
    /// The style of the underline and [`Self::LINK`] count for this cell.
    pub(super) const EXTENDED: Self = Self(1 << 11);
    const STYLE_SHIFT: u32 = 12;
    /// What [`Self::EXTENDED`] is about.
    pub(super) const EXTENSION: Self = Self(Self::LINK.0 | 7 << Self::STYLE_SHIFT);

    /// Whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether none is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
    pub const fn underline_style(self) -> u8 {
        (self.0 >> Self::STYLE_SHIFT) as u8 & 7
    }

    /// Whether the cell shows an underline, by SGR 4 or as part of a link.
    pub const fn is_underlined(self) -> bool {
        self.underline_source() != 0
    }

    /// Where an underline comes from: 0 nowhere, 1 an extension, 2 only the flag. A snapshot sets
    /// it again between the last two.
    pub(crate) const fn underline_source(self) -> u8 {
        if self.contains(Self::EXTENDED) && self.0 & Self::EXTENSION.0 != 0 {
            1
        } else if self.contains(Self::UNDERLINE) {
            2
        } else {
            0
        }
    }

    /// The bits of an underline style.
    pub(super) const fn extension_of_style(style: u8) -> Self {
        Self((if style > 5 { 1 } else { style as u16 }) << Self::STYLE_SHIFT)
    }

    /// These with another extension.
    #[must_use]
    pub(super) const fn with_extension(self, extension: Self) -> Self {
        let flag = if extension.is_empty() { 0 } else { Self::EXTENDED.0 };
        Self(self.0 & !(Self::EXTENSION.0 | Self::EXTENDED.0) | extension.0 | flag)
    }

    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl BitOr for Attributes {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Attributes {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Colours and attributes of a cell, and of the pen that writes cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Style {
    /// The colour of the text.
    pub foreground: Color,
    /// The colour behind it.
    pub background: Color,
    /// Everything else.
    pub attributes: Attributes,
}

impl Style {
    /// The style erased cells get under this pen: its background, nothing more.
    pub(super) const fn erased(self) -> Self {
        Self { foreground: Color::DEFAULT, background: self.background, attributes: Attributes(0) }
    }

    /// Whether nothing at all is set.
    pub fn is_default(self) -> bool {
        self == Self::default()
    }
}
