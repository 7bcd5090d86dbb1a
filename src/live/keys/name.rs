//! From a word to a key.

use super::KeyError;
use super::mistake::suggestion;
use super::table::named;

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

/// What a word is.
pub(super) enum Word {
    /// The name of a key.
    Key(Key),
    /// Text to be typed.
    Text,
}

/// Reads a word.
///
/// # Errors
/// It looks like a key and is none.
pub(super) fn read(word: &str) -> Result<Word, KeyError> {
    let unknown = || KeyError::Unknown { word: word.to_owned(), suggestion: suggestion(word) };
    if let Some(key) = key(word) {
        return Ok(Word::Key(key));
    }
    if super::mistake::looks_like_a_key(word) { Err(unknown()) } else { Ok(Word::Text) }
}

/// The key that a word names.
pub(super) fn key(word: &str) -> Option<Key> {
    if let Some(digits) = word.strip_prefix("0x") {
        return code_point(digits).map(plain);
    }
    let mut held = Held::default();
    let mut rest = word;
    if let Some(after) = word.strip_prefix('^')
        && let Some(c) = after.chars().next()
    {
        held.ctrl = true;
        if c.len_utf8() == after.len() {
            return Some(Key { base: Base::Char(c.to_ascii_lowercase()), held });
        }
        rest = after;
    }
    while let [modifier, b'-', _, ..] = rest.as_bytes() {
        match modifier.to_ascii_uppercase() {
            b'C' => held.ctrl = true,
            b'M' => held.meta = true,
            b'S' => held.shift = true,
            _ => break,
        }
        rest = &rest[2..];
    }
    let mut chars = rest.chars();
    let base = match (chars.next(), chars.next()) {
        (Some(c), None) if c >= ' ' => Base::Char(c),
        _ => named(rest)?,
    };
    Some(Key { base, held })
}

fn plain(c: char) -> Key {
    Key { base: Base::Char(c), held: Held::default() }
}

fn code_point(digits: &str) -> Option<char> {
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?)
}
