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

fn push_text(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    loop {
        let (plain, after) = rest.split_at(plain_length(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = after.split_first() else {
            return;
        };
        push_escape(byte, out);
        rest = after;
    }
}

fn push_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        b'"' | b'\\' => byte,
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |nibble: u8| DIGITS[usize::from(nibble & 0xf)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Bytes at the start that a JSON string holds as they are.
pub(in crate::record) fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    let mut length = 0;
    for word in words {
        let specials = specials(u64::from_le_bytes(*word));
        if specials != 0 {
            // A borrow marks only bytes above a true one, so the lowest mark is right.
            return length + usize::try_from(specials.trailing_zeros() / 8).unwrap_or(0);
        }
        length += word.len();
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    length + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The top bit of each byte that needs an escape, of eight at once.
fn specials(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let below = |bytes: u64, limit: u64| bytes.wrapping_sub(ONES * limit) & !bytes;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & TOPS
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
        fn json_readers_get_what_the_screen_would(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
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
