//! The keys that make a block.

use std::str::FromStr;

use thiserror::Error;

/// Two keys after each other, the first one a control character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotKey {
    first: u8,
    second: u8,
}

/// A text that names no keys.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a hot key is ^ and a key, then another key, such as ^]s")]
pub struct HotKeyError;

impl Default for HotKey {
    /// Ctrl-] and s.
    fn default() -> Self {
        Self { first: 0x1d, second: b's' }
    }
}

impl FromStr for HotKey {
    type Err = HotKeyError;

    fn from_str(text: &str) -> Result<Self, HotKeyError> {
        let text = text.replace(' ', "");
        let &[b'^', control, second @ b'!'..=b'~'] = text.as_bytes() else {
            return Err(HotKeyError);
        };
        match control.to_ascii_uppercase() {
            upper @ b'@'..=b'_' => Ok(Self { first: upper & 0x1f, second }),
            _ => Err(HotKeyError),
        }
    }
}

/// Looks for the keys in what is typed.
#[derive(Debug)]
pub(crate) struct HotKeyFilter {
    keys: HotKey,
    /// Whether the first one was typed just now.
    is_armed: bool,
}

impl HotKeyFilter {
    pub(crate) fn new(keys: HotKey) -> Self {
        Self { keys, is_armed: false }
    }

    /// Moves what is for the program to `out`; how often the keys were typed. The first key
    /// twice is that key once, anything else after it is both.
    pub(crate) fn feed(&mut self, typed: &[u8], out: &mut Vec<u8>) -> usize {
        let mut hits = 0;
        for &byte in typed {
            if !std::mem::take(&mut self.is_armed) {
                self.is_armed = byte == self.keys.first;
                if !self.is_armed {
                    out.push(byte);
                }
            } else if byte == self.keys.second {
                hits += 1;
            } else {
                out.push(self.keys.first);
                if byte != self.keys.first {
                    out.push(byte);
                }
            }
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_with_a_caret() {
        assert_eq!("^]s".parse(), Ok(HotKey::default()));
        assert_eq!("^] s".parse(), Ok(HotKey::default()));
        assert_eq!("^a ^".parse(), Ok(HotKey { first: 1, second: b'^' }));
        for bad in ["", "^]", "s", "^1s", "^]ss", "^]ä"] {
            assert_eq!(bad.parse::<HotKey>(), Err(HotKeyError), "{bad}");
        }
    }

    #[test]
    fn everything_else_is_typed() {
        let mut filter = HotKeyFilter::new(HotKey::default());
        let mut out = Vec::new();
        assert_eq!(filter.feed(b"as\x1d", &mut out), 0);
        assert_eq!(filter.feed(b"sb\x1d\x1dc\x1dd", &mut out), 1);
        assert_eq!(out, b"asb\x1dc\x1dd");
    }
}
