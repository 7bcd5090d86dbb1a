//! A key.

/// A key, and what is held down with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) base: Base,
    pub(super) held: Held,
}

/// Modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) shift: bool,
    pub(super) meta: bool,
    pub(super) ctrl: bool,
}

/// A key by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// A character; Tab, Enter and Escape are some.
    Char(char),
    /// Backspace.
    Backspace,
    /// Back tab.
    BackTab,
    /// A key that sends `ESC [ LETTER`, or `ESC O LETTER` where the program wants it so.
    Cursor(char),
    /// F1 to F4, which send `ESC O LETTER`.
    Function(char),
    /// A key that sends `ESC [ NUMBER ~`.
    Numbered(u8),
    /// A key of the keypad: what it sends itself, and the letter of its sequence.
    Keypad(char, char),
}
