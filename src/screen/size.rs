//! How large a screen is, and how much it keeps.

/// Columns and rows of a screen; neither is ever 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Columns, from 1 on.
    pub cols: u16,
    /// Rows, from 1 on.
    pub rows: u16,
}

impl Size {
    /// The size, or `None` where one of the two is 0.
    pub const fn new(cols: u16, rows: u16) -> Option<Self> {
        if cols == 0 || rows == 0 { None } else { Some(Self { cols, rows }) }
    }
}

/// How many rows above the screen the normal buffer keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scrollback {
    /// At most this many; the oldest go first.
    Rows(usize),
    /// Every one.
    Unlimited,
}

impl Default for Scrollback {
    fn default() -> Self {
        Self::Rows(10_000)
    }
}
