//! The names of keys, in any case of letters.

use super::key::Base;

const NAMES: [(&str, Base); 49] = [
    ("F1", Base::Function('P')),
    ("F2", Base::Function('Q')),
    ("F3", Base::Function('R')),
    ("F4", Base::Function('S')),
    ("F5", Base::Numbered(15)),
    ("F6", Base::Numbered(17)),
    ("F7", Base::Numbered(18)),
    ("F8", Base::Numbered(19)),
    ("F9", Base::Numbered(20)),
    ("F10", Base::Numbered(21)),
    ("F11", Base::Numbered(23)),
    ("F12", Base::Numbered(24)),
    ("IC", Base::Numbered(2)),
    ("Insert", Base::Numbered(2)),
    ("DC", Base::Numbered(3)),
    ("Delete", Base::Numbered(3)),
    ("PPage", Base::Numbered(5)),
    ("PageUp", Base::Numbered(5)),
    ("PgUp", Base::Numbered(5)),
    ("NPage", Base::Numbered(6)),
    ("PageDown", Base::Numbered(6)),
    ("PgDn", Base::Numbered(6)),
    ("Home", Base::Cursor('H')),
    ("End", Base::Cursor('F')),
    ("Up", Base::Cursor('A')),
    ("Down", Base::Cursor('B')),
    ("Right", Base::Cursor('C')),
    ("Left", Base::Cursor('D')),
    ("BTab", Base::BackTab),
    ("BSpace", Base::Backspace),
    ("Space", Base::Char(' ')),
    ("Tab", Base::Char('\t')),
    ("Enter", Base::Char('\r')),
    ("Escape", Base::Char('\x1b')),
    ("KP0", Base::Keypad('0', 'p')),
    ("KP1", Base::Keypad('1', 'q')),
    ("KP2", Base::Keypad('2', 'r')),
    ("KP3", Base::Keypad('3', 's')),
    ("KP4", Base::Keypad('4', 't')),
    ("KP5", Base::Keypad('5', 'u')),
    ("KP6", Base::Keypad('6', 'v')),
    ("KP7", Base::Keypad('7', 'w')),
    ("KP8", Base::Keypad('8', 'x')),
    ("KP9", Base::Keypad('9', 'y')),
    ("KP/", Base::Keypad('/', 'o')),
    ("KP*", Base::Keypad('*', 'j')),
    ("KP-", Base::Keypad('-', 'm')),
    ("KP+", Base::Keypad('+', 'k')),
    ("KP.", Base::Keypad('.', 'n')),
];

/// Enter on the keypad: as xterm has it.
const KEYPAD_ENTER: (&str, Base) = ("KPEnter", Base::Keypad('\r', 'M'));

/// Names of control characters, from 0 on.
const CONTROLS: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ASC", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US",
];

/// The key of this name.
pub(super) fn named(name: &str) -> Option<Base> {
    if let Some(control) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        let code = CONTROLS.iter().position(|known| known.eq_ignore_ascii_case(control))?;
        return char::from_u32(u32::try_from(code).ok()?).map(Base::Char);
    }
    all().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, base)| base)
}

/// Every name that is a word.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, _)| name)
}

fn all() -> impl Iterator<Item = (&'static str, Base)> {
    NAMES.into_iter().chain([KEYPAD_ENTER])
}
