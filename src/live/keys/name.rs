//! From a name to a key.

use super::key::{Base, Held, Key};
use super::table::named;

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
