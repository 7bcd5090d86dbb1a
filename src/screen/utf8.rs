//! Bytes to characters, as they come.
//!
//! Each longest invalid part becomes one U+FFFD, as in the decoders of browsers and of Rust.

/// A UTF-8 decoder that may be fed any number of bytes at a time.
#[derive(Clone, Default, Debug)]
pub(super) struct Decoder {
    /// Bits of the character so far.
    code: u32,
    /// Continuation bytes still to come; 0 between characters.
    missing: u8,
    /// What the next continuation byte must at least and at most be.
    low: u8,
    high: u8,
}

/// What one byte made of the state.
pub(super) enum Decoded {
    /// Nothing yet.
    Pending,
    /// A character.
    Char(char),
    /// The byte broke off the character before it, and was not looked at itself.
    Broken,
}

impl Decoder {
    /// Whether the bytes so far end between two characters.
    pub(super) fn is_idle(&self) -> bool {
        self.missing == 0
    }

    /// Takes the next byte. After `Broken` the same byte has to be given again.
    pub(super) fn push(&mut self, byte: u8) -> Decoded {
        if self.missing == 0 {
            return self.start(byte);
        }
        if byte < self.low || byte > self.high {
            self.missing = 0;
            return Decoded::Broken;
        }
        (self.low, self.high) = (0x80, 0xbf);
        self.code = self.code << 6 | u32::from(byte & 0x3f);
        self.missing -= 1;
        if self.missing > 0 {
            return Decoded::Pending;
        }
        Decoded::Char(char::from_u32(self.code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn start(&mut self, byte: u8) -> Decoded {
        (self.low, self.high) = (0x80, 0xbf);
        let (missing, bits) = match byte {
            0..=0x7f => return Decoded::Char(char::from(byte)),
            0xc2..=0xdf => (1, 0x1f),
            0xe0..=0xef => (2, 0x0f),
            0xf0..=0xf4 => (3, 0x07),
            _ => return Decoded::Char(char::REPLACEMENT_CHARACTER),
        };
        // Overlong forms, surrogates and what lies past U+10FFFF end at the second byte.
        match byte {
            0xe0 => self.low = 0xa0,
            0xed => self.high = 0x9f,
            0xf0 => self.low = 0x90,
            0xf4 => self.high = 0x8f,
            _ => {}
        }
        self.missing = missing;
        self.code = u32::from(byte & bits);
        Decoded::Pending
    }

    /// Ends the input; true where it broke off inside a character.
    pub(super) fn finish(&mut self) -> bool {
        std::mem::take(&mut self.missing) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> String {
        let mut decoder = Decoder::default();
        let mut out = String::new();
        for &byte in bytes {
            loop {
                match decoder.push(byte) {
                    Decoded::Pending => break,
                    Decoded::Char(c) => {
                        out.push(c);
                        break;
                    }
                    Decoded::Broken => out.push(char::REPLACEMENT_CHARACTER),
                }
            }
        }
        if decoder.finish() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
        out
    }

    #[test]
    fn invalid_parts_are_those_of_the_standard_library() {
        let parts: [&[u8]; 14] = [
            b"\xff",
            b"\xe6\x97",
            b"\xf0\x9f\x98",
            b"\xc3\x28",
            b"\xed\xa0\x80",
            b"\xc0\xaf",
            b"\x9b\x33",
            b"\xf5\x80",
            b"\xf4\x90\x80\x80",
            b"\xe0\x9f\x80",
            b"\xf0\x8f\xbf\xbf",
            b"\xef\xbb\xbf",
            b"\xe6\x97\xa5",
            b"\xf0\x9f\x98\x80",
        ];
        for first in parts {
            for second in parts {
                let bytes = [first, b"a", second, first, second].concat();
                assert_eq!(decode(&bytes), String::from_utf8_lossy(&bytes), "{bytes:x?}");
            }
        }
    }
}
