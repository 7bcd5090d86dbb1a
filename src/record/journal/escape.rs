//! Output as the inside of a JSON string.

/// Appends `bytes` as JSON text. Parts that are no UTF-8 become U+FFFD, one for each that the
/// screen would show; so does a part of a character at the very end.
pub(super) fn push_escaped(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Err(error) = std::str::from_utf8(rest) {
        let (text, after) = rest.split_at(error.valid_up_to());
        push_text(text, out);
        out.extend_from_slice("\u{fffd}".as_bytes());
        rest = error.error_len().map_or(&[], |invalid| &after[invalid..]);
    }
    push_text(rest, out);
}

/// How many bytes at the end are the beginning of a character.
pub(super) fn incomplete_tail(bytes: &[u8]) -> usize {
    // The longest beginning has three bytes; what stands before it does not matter.
    let start = bytes.len().saturating_sub(3);
    let mut rest = &bytes[start..];
    while let Err(error) = std::str::from_utf8(rest) {
        match error.error_len() {
            Some(invalid) => rest = &rest[error.valid_up_to() + invalid..],
            None => return rest.len() - error.valid_up_to(),
        }
    }
    0
}

/// Bytes that are looked at together, and the most that one of them becomes.
const BLOCK: usize = 64;
const LONGEST: usize = 6;

/// Text between two escapes is mostly no longer than this. Copying a fixed length is faster than
/// copying the right one.
const RUN: usize = 16;

fn push_text(text: &[u8], out: &mut Vec<u8>) {
    let (blocks, rest) = text.as_chunks();
    let mut escaped = [0; BLOCK * LONGEST + RUN];
    for block in blocks {
        let (length, from) = escape_block(block, &mut escaped);
        out.extend_from_slice(&escaped[..length]);
        out.extend_from_slice(&block[from..]);
    }
    for &byte in rest {
        if is_special(byte) {
            let escape = escape_of(byte);
            out.extend_from_slice(&escape[..usize::from(escape[LENGTH])]);
        } else {
            out.push(byte);
        }
    }
}

/// Escapes a block up to its last special; how much that became, and where the rest is.
#[inline]
fn escape_block(block: &[u8; BLOCK], out: &mut [u8; BLOCK * LONGEST + RUN]) -> (usize, usize) {
    // All of them are found first, so that no step waits for the one before.
    let mut left = specials_of(block);
    let (mut length, mut from) = (0, 0);
    while left != 0 {
        let at = left.trailing_zeros() as usize;
        left &= left - 1;
        let run = at - from;
        match (block.get(from..from + RUN), out.get_mut(length..length + RUN)) {
            (Some(text), Some(place)) if run <= RUN => place.copy_from_slice(text),
            _ => out[length..length + run].copy_from_slice(&block[from..at]),
        }
        length += run;
        let escape = escape_of(block[at]);
        if let Some(place) = out.get_mut(length..length + escape.len()) {
            place.copy_from_slice(escape);
        }
        length += usize::from(escape[LENGTH]);
        from = at + 1;
    }
    (length, from)
}

/// A bit for each byte of a block that needs an escape, the first in the lowest.
#[inline]
fn specials_of(block: &[u8; BLOCK]) -> u64 {
    // The product has the top bits of all bytes in its highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = block.as_chunks();
    words.iter().rev().fold(0, |all, word| {
        let tops = specials(u64::from_le_bytes(*word)) >> 7;
        all << 8 | tops.wrapping_mul(GATHER) >> 56
    })
}

fn escape_of(byte: u8) -> &'static [u8; 8] {
    &ESCAPES[usize::from(byte) % ESCAPES.len()]
}

/// Of each byte that needs one its escape, which has the length in its last place.
const ESCAPES: [[u8; 8]; 128] = {
    let mut escapes = [[0; 8]; 128];
    let mut byte = 0;
    while byte < escapes.len() {
        escapes[byte] = escape(byte as u8);
        byte += 1;
    }
    escapes
};
const LENGTH: usize = 7;

const fn escape(byte: u8) -> [u8; 8] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        b'"' | b'\\' => byte,
        _ => {
            let (high, low) = (DIGITS[(byte >> 4) as usize], DIGITS[(byte & 0xf) as usize]);
            return [b'\\', b'u', b'0', b'0', high, low, 0, 6];
        }
    };
    [b'\\', short, 0, 0, 0, 0, 0, 2]
}

/// Bytes at the start that a JSON string holds as they are.
pub(in crate::record) fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    let mut length = 0;
    for word in words {
        let plain = plain_in(word);
        length += plain;
        if plain < word.len() {
            return length;
        }
    }
    length + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..=0x1f)
}

/// The same for eight bytes at once.
fn plain_in(word: &[u8; 8]) -> usize {
    specials(u64::from_le_bytes(*word)).trailing_zeros() as usize / 8
}

/// The top bit of each byte that needs an escape, of eight at once.
fn specials(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let seven = word & !TOPS;
    // With seven bits no sum carries into the next byte.
    let below = |bytes: u64, limit: u64| !(bytes + ONES * (0x80 - limit));
    let equal = |byte: u8| below(seven ^ (ONES * u64::from(byte)), 1);
    (below(seven, 0x20) | equal(b'"') | equal(b'\\')) & !word & TOPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        push_escaped(bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn controls_quotes_and_broken_characters() {
        assert_eq!(
            escaped(b"a\x1b[1m\"\\\r\n\t\x00\x7f\xff\xc3(\xe6\x97"),
            "a\\u001b[1m\\\"\\\\\\r\\n\\t\\u0000\u{7f}\u{fffd}\u{fffd}(\u{fffd}"
        );
    }

    #[test]
    fn only_what_more_bytes_can_complete_is_incomplete() {
        for (bytes, want) in [
            (&b""[..], 0),
            (b"abc", 0),
            (b"\xc3", 1),
            (b"\xc3\xc3", 1),
            (b"a\xe6\x97", 2),
            (b"\xf0\x9f\x98", 3),
            (b"\xf0\x9f\x98\x80", 0),
            (b"\x9f\x98\x80", 0),
            (b"\xe0\x80", 0),
            (b"\xff", 0),
        ] {
            assert_eq!(incomplete_tail(bytes), want, "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn json_readers_get_what_the_screen_would(bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), 0x18u8..0x24, Just(b'\\'), Just(b'x'), Just(b'x')], 0..400,
        )) {
            let back: String = serde_json::from_str(&format!("\"{}\"", escaped(&bytes))).unwrap();
            prop_assert_eq!(back, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn plain_text_ends_at_the_first_special(bytes in prop::collection::vec(0u8..0x80, 0..40)) {
            let special = |byte: &u8| *byte < 0x20 || b"\"\\".contains(byte);
            let want = bytes.iter().position(special).unwrap_or(bytes.len());
            prop_assert_eq!(plain_length(&bytes), want);
        }
    }
}
