//! From a key to the bytes that a terminal sends for it.

use super::key::{Base, Held, Key};

/// What the program asked the keyboard for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyModes {
    /// Arrows and Home and End send `ESC O` (DECCKM).
    pub application_cursor: bool,
    /// The keypad sends sequences (DECKPAM).
    pub application_keypad: bool,
}

/// The bytes of a key; none where a keyboard sends nothing.
pub(super) fn encode(key: Key, modes: KeyModes) -> Option<Vec<u8>> {
    let Key { base, held } = key;
    let text = match base {
        // What everybody means by it.
        Base::Char('\t') if held.shift => "\x1b[Z".to_owned(),
        Base::BackTab => "\x1b[Z".to_owned(),
        Base::Char(c) => return char_bytes(c, held),
        Base::Backspace if held.ctrl => return None,
        Base::Backspace => return Some(after_meta(held, b"\x7f")),
        Base::Cursor(letter) => match (modifier(held), modes.application_cursor) {
            (Some(digit), _) => format!("\x1b[1;{digit}{letter}"),
            (None, true) => format!("\x1bO{letter}"),
            (None, false) => format!("\x1b[{letter}"),
        },
        Base::Function(letter) => match modifier(held) {
            Some(digit) => format!("\x1b[1;{digit}{letter}"),
            None => format!("\x1bO{letter}"),
        },
        Base::Numbered(number) => match modifier(held) {
            Some(digit) => format!("\x1b[{number};{digit}~"),
            None => format!("\x1b[{number}~"),
        },
        Base::Keypad(..) if held.ctrl || held.shift => return None,
        Base::Keypad(own, letter) => {
            let text = match modes.application_keypad {
                true => format!("\x1bO{letter}"),
                false => own.to_string(),
            };
            return Some(after_meta(held, text.as_bytes()));
        }
    };
    Some(text.into_bytes())
}

/// The digit that stands for modifiers in a sequence.
fn modifier(held: Held) -> Option<u8> {
    let Held { shift, meta, ctrl } = held;
    let sum = u8::from(shift) + 2 * u8::from(meta) + 4 * u8::from(ctrl);
    (sum > 0).then_some(sum + 1)
}

fn char_bytes(c: char, held: Held) -> Option<Vec<u8>> {
    let c = if held.ctrl { with_ctrl(c)? } else { c };
    Some(after_meta(held, c.encode_utf8(&mut [0; 4]).as_bytes()))
}

fn after_meta(held: Held, bytes: &[u8]) -> Vec<u8> {
    let escape: &[u8] = if held.meta { b"\x1b" } else { b"" };
    [escape, bytes].concat()
}

/// What Ctrl makes of a character. Characters beyond ASCII stay what they are.
fn with_ctrl(c: char) -> Option<char> {
    Some(match c {
        '\t' | '\r' | '\n' => c,
        '@' | ' ' | '2' | '`' => '\0',
        'a'..='z' | 'A'..='Z' => char::from(c as u8 & 0x1f),
        '[' | '3' | '{' => '\x1b',
        '\\' | '4' | '|' => '\x1c',
        ']' | '5' | '}' => '\x1d',
        '^' | '6' | '~' => '\x1e',
        '_' | '7' | '/' | '-' => '\x1f',
        '?' | '8' => '\x7f',
        '1' | '!' => '1',
        '9' | '(' => '9',
        '0' | ')' => '0',
        '=' | '+' => c,
        ';' | ':' => ';',
        '\'' | '"' => '\'',
        ',' | '<' => ',',
        '.' | '>' => '.',
        _ if c.is_ascii() => return None,
        _ => c,
    })
}
