//! One cell of a row.

use super::style::Style;

/// What stands in a cell, in 32 bits: a character, how many columns it takes, and whether marks
/// are combined with it (the row keeps those).
///
/// A cell without a character is either *null*, never written or erased, which takes one column,
/// or the second half of a wide character, which takes none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glyph(u32);

const CHAR: u32 = 0x1f_ffff;
const COMBINED: u32 = 1 << 21;
const WIDTH_SHIFT: u32 = 22;

impl Glyph {
    /// Never written, or erased.
    pub(super) const NULL: Self = Self(1 << WIDTH_SHIFT);
    /// The second half of a wide character.
    pub(super) const TAIL: Self = Self(0);

    pub(super) const fn new(c: char, width: u8) -> Self {
        Self(c as u32 | (width as u32) << WIDTH_SHIFT)
    }

    pub(super) const fn ascii(byte: u8) -> Self {
        Self(byte as u32 | 1 << WIDTH_SHIFT)
    }

    /// The character, or the first of those combined; none in an empty cell.
    pub(super) fn char(self) -> Option<char> {
        match self.0 & CHAR {
            0 => None,
            code => char::from_u32(code),
        }
    }

    /// An ASCII character without marks.
    pub(super) const fn is_ascii(self) -> bool {
        self.0 & !0x7f == 1 << WIDTH_SHIFT && self.0 & 0x7f != 0
    }

    /// A character of this width without marks.
    pub(super) const fn is_plain(self, width: u8) -> bool {
        self.0 & !CHAR == (width as u32) << WIDTH_SHIFT && self.0 & CHAR != 0
    }

    pub(super) const fn width(self) -> u8 {
        (self.0 >> WIDTH_SHIFT) as u8
    }

    #[must_use]
    pub(super) const fn with_width(self, width: u8) -> Self {
        Self(self.0 & (CHAR | COMBINED) | (width as u32) << WIDTH_SHIFT)
    }

    pub(super) const fn is_combined(self) -> bool {
        self.0 & COMBINED != 0
    }

    #[must_use]
    pub(super) const fn combined(self) -> Self {
        Self(self.0 | COMBINED)
    }

    pub(super) const fn has_content(self) -> bool {
        self.0 & (CHAR | COMBINED) != 0
    }

    /// Empty and of no width.
    pub(super) const fn is_tail(self) -> bool {
        self.0 == Self::TAIL.0
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// A glyph and its style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) glyph: Glyph,
    pub(super) style: Style,
}

impl Cell {
    /// A null cell with this style.
    pub(super) const fn null(style: Style) -> Self {
        Self { glyph: Glyph::NULL, style }
    }
}
