//! Whether a snapshot can reach rows that have left the screen.

/// Whether data holds only sequences that the serializer writes, none of which clears or rewraps
/// the scrollback.
pub(super) fn leaves_scrollback_alone(data: &[u8]) -> bool {
    let has_control = |at: usize| matches!(data.get(at + 1), Some(0x80..=0x9f));
    let is_alien = |at: usize| match data.get(at + 1..) {
        Some([b'[', body @ ..]) => !is_harmless(body),
        _ => true,
    };
    // U+0080 to U+009F are C2 and one more byte, and some of them start sequences.
    !memchr::memchr_iter(0xc2, data).any(has_control)
        && !memchr::memchr_iter(0x1b, data).any(is_alien)
}

/// Whether a control sequence is one of the serializer's, given what follows its introducer.
fn is_harmless(body: &[u8]) -> bool {
    let mut length = 0;
    while let Some(b'0'..=b';' | b'?') = body.get(length) {
        length += 1;
    }
    match body.get(length) {
        Some(b'm' | b'A' | b'B' | b'C' | b'D' | b'X' | b'H') => true,
        Some(b'h' | b'l') => HARMLESS_MODES.contains(&body.get(..length).unwrap_or(&[])),
        _ => false,
    }
}

/// The modes of the serializer's grammar.
const HARMLESS_MODES: [&[u8]; 13] = [
    b"?1", b"?66", b"?2004", b"4", b"?6", b"?45", b"?1004", b"?7", b"?9", b"?1000", b"?1002",
    b"?1003", b"?1049",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_serializer_writes_is_harmless() {
        for data in
            ["apples", "\x1b[1;31mä\x1b[0m", "\x1b[?1049h\x1b[H", "\x1b[4h\x1b[?7l", "\u{a0}"]
        {
            assert!(leaves_scrollback_alone(data.as_bytes()), "{data:?}");
        }
        for data in [
            "\x1bc", "\x1b[3J", "\x1b[J", "\u{9b}3J", "\x1b[!p", "\x1b[?3h", "\x1b", "\x1b[1",
            "\x1bM",
        ] {
            assert!(!leaves_scrollback_alone(data.as_bytes()), "{data:?}");
        }
    }
}
