//! The beginning of a snapshot's text without replaying all of it.

use crate::screen::{Buffer, Screen, Scrollback, Size};
use crate::text;

use super::replay::{feed_line, lines};

/// The first `max_chars` code points of the squeezed text of a snapshot: what
/// `squeeze(text(replay(data, size)))` begins with.
///
/// Rows that have left the screen for the scrollback cannot change any more, so replaying stops
/// there once enough of them are filled, provided that nothing in the data can reach the scrollback.
pub fn preview(data: &[u8], size: Option<Size>, max_chars: usize) -> String {
    let found = size.and_then(|size| early(data, size, max_chars));
    found.unwrap_or_else(|| {
        let text = text::squeeze(&super::text(&super::replay(data, size)));
        text::prefix(&text, max_chars).to_owned()
    })
}

fn early(data: &[u8], size: Size, max_chars: usize) -> Option<String> {
    let mut screen = Screen::new(size, Scrollback::Unlimited);
    let mut settled = Settled::default();
    let mut fed = 0;
    for line in lines(data) {
        if !leaves_scrollback_alone(line) {
            return None;
        }
        feed_line(&mut screen, line);
        fed += line.len();
        settled.take(screen.normal());
        if settled.filled_chars >= max_chars {
            let rest = data.get(fed..).unwrap_or(&[]);
            return leaves_scrollback_alone(rest).then(|| settled.prefix(max_chars));
        }
    }
    None
}

/// The text of rows that cannot change any more.
#[derive(Default)]
struct Settled {
    text: String,
    rows: usize,
    /// Where the last line starts.
    line: usize,
    /// Characters that the squeezed text has at least, blanks at its end not counted.
    filled_chars: usize,
    /// The same up to the last line.
    chars_before_line: usize,
}

impl Settled {
    /// Adds what has newly settled: a row that is followed by another one in the scrollback, whose
    /// wrap flag tells whether the line goes on.
    fn take(&mut self, buffer: &Buffer) {
        while self.rows + 1 < buffer.scrollback_len() {
            buffer.row(self.rows).push_text(&mut self.text);
            self.rows += 1;
            let line = self.text.get(self.line..).unwrap_or("").trim_end_matches(' ');
            let chars = line.chars().count();
            let end = self.line + line.len();
            if chars > 0 {
                self.filled_chars = self.chars_before_line + chars;
            }
            if !buffer.row(self.rows).is_wrapped() {
                self.text.truncate(end);
                self.text.push('\n');
                self.line = self.text.len();
                if chars > 0 {
                    // Its newline counts once something follows.
                    self.chars_before_line = self.filled_chars + 1;
                }
            }
        }
    }

    fn prefix(&self, max_chars: usize) -> String {
        text::prefix(&text::squeeze(&self.text), max_chars).to_owned()
    }
}

/// Whether data holds only sequences that the serializer writes, none of which clears or rewraps
/// the scrollback.
fn leaves_scrollback_alone(data: &[u8]) -> bool {
    let mut rest = data;
    // U+0080 to U+009F are C2 and one more byte, and some of them start sequences.
    while let Some(at) = memchr::memchr2(0x1b, 0xc2, rest) {
        let after = rest.get(at + 1..).unwrap_or(&[]);
        let is_escape = rest.get(at) == Some(&0x1b);
        if is_escape {
            if !starts_harmless_sequence(after) {
                return false;
            }
        } else if matches!(after.first(), Some(0x80..=0x9f)) {
            return false;
        }
        rest = after;
    }
    true
}

fn starts_harmless_sequence(after_escape: &[u8]) -> bool {
    let Some((b'[', body)) = after_escape.split_first() else {
        return false;
    };
    let is_parameter = |byte: &u8| matches!(byte, b'0'..=b';' | b'?');
    let length = body.iter().take_while(|byte| is_parameter(byte)).count();
    let parameters = body.get(..length).unwrap_or(&[]);
    match body.get(length) {
        Some(b'm' | b'A' | b'B' | b'C' | b'D' | b'X' | b'H') => true,
        Some(b'h' | b'l') => HARMLESS_MODES.contains(&parameters),
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
    use proptest::prelude::*;

    const SIZE: Size = Size { cols: 10, rows: 3 };

    fn whole(data: &[u8]) -> String {
        text::squeeze(&crate::snapshot::text(&crate::snapshot::replay(data, Some(SIZE))))
    }

    #[test]
    fn a_long_snapshot_is_not_replayed_to_its_end() {
        let data = "\x1b[32mapples\x1b[0m\r\n".repeat(50);
        assert_eq!(early(data.as_bytes(), SIZE, 20).as_deref(), Some("apples\napples\napples"));
        assert_eq!(preview(data.as_bytes(), Some(SIZE), 0), "");
    }

    #[test]
    fn what_clears_the_scrollback_is_seen() {
        for clearing in ["\x1bc", "\x1b[3J", "\u{9b}3J", "\x1b[!p"] {
            let data = "apples\r\n".repeat(50) + clearing + "pear";
            assert_eq!(early(data.as_bytes(), SIZE, 20), None);
            assert_eq!(
                preview(data.as_bytes(), Some(SIZE), 20),
                text::prefix(&whole(data.as_bytes()), 20)
            );
        }
    }

    #[test]
    fn clearing_before_enough_rows_have_settled_is_seen_too() {
        let data = b"a\r\n\r\n\r\n\r\n\x1b[3Ja0123456789\r\n\r\n\r\n";
        assert_eq!(preview(data, Some(SIZE), 2), "a0");
    }

    proptest! {
        #[test]
        fn is_what_the_whole_text_begins_with(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "bc ", "  ", "\r\n", "\r\n", "\r\n\r\n\r\n", "0123456789", "0123456789ab",
                    "\x1b[31m", "\x1b[0m", "\x1b[3C", "\x1b[2X", "\x1b[A", "\x1b[H", "桃", "\t", "\n",
                    "\x1b[3J", "\x1bc", "\x1b[?1049h", "\u{9b}2J",
                ]),
                0..80,
            ),
            max_chars in 0usize..60,
        ) {
            let data = pieces.concat();
            let text = whole(data.as_bytes());
            prop_assert_eq!(preview(data.as_bytes(), Some(SIZE), max_chars), text::prefix(&text, max_chars));
        }
    }
}
