//! The text of a snapshot, read without keeping its screen.
//!
//! Rows that have left the screen for the scrollback cannot change any more, as long as nothing in
//! the data can reach the scrollback. So they become text as the data is drawn, and a snapshot of
//! any length takes a screen of bounded size. Data that can reach it is replayed as a whole.

use super::line_builder::LineBuilder;
use super::plain;
use super::replay::{feed_line, lines, size_or_widest};
use super::text::finish;
use crate::screen::{RowRef, Screen, Scrollback, Size};
use crate::text;

/// Rows of scrollback to keep: more than one piece of data can push out of the screen.
const SCROLLBACK: usize = 2 * PIECE;
/// Bytes drawn at once; a byte ends at most one row.
const PIECE: usize = 4096;

/// The text of a snapshot.
#[derive(Debug)]
pub struct Reading {
    /// What [`super::text()`] says of the whole screen.
    pub text: String,
    /// Whether the alternate buffer is shown at the end.
    pub alternate: bool,
}

/// Reads the text of a snapshot: that of `replay(data, size)`.
pub fn read(data: &[u8], size: Option<Size>) -> Reading {
    let size = size_or_widest(data, size);
    if let Some(drawing) = draw(data, size, usize::MAX) {
        let alternate = drawing.screen.is_alternate();
        return Reading { text: drawing.finish(), alternate };
    }
    let screen = super::replay(data, Some(size));
    Reading { text: super::text(&screen), alternate: screen.is_alternate() }
}

/// The first `max_chars` code points of the squeezed text of a snapshot, drawing no more of it than
/// that takes.
pub fn preview(data: &[u8], size: Option<Size>, max_chars: usize) -> String {
    let size = size_or_widest(data, size);
    if let Some(preview) = plain::preview(data, size, max_chars) {
        return preview;
    }
    let text = match draw(data, size, max_chars) {
        Some(drawing) if drawing.is_enough(max_chars) => text::squeeze(drawing.rows.so_far()),
        Some(drawing) => text::squeeze(&drawing.finish()),
        None => text::squeeze(&super::text(&super::replay(data, Some(size)))),
    };
    text::prefix(&text, max_chars).to_owned()
}

/// Draws until `max_chars` code points have settled, else to the end; none where the data can reach
/// the scrollback.
fn draw(data: &[u8], size: Size, max_chars: usize) -> Option<Drawing<LineBuilder>> {
    let mut drawing = Drawing::new(data, size, LineBuilder::default())?;
    for line in lines(data) {
        drawing.feed(line);
        if drawing.is_enough(max_chars) {
            return Some(drawing);
        }
    }
    drawing.end();
    Some(drawing)
}

/// Columns of the widest row of a snapshot, with room for any; none where the data can reach the
/// scrollback.
pub(super) fn widest_row(data: &[u8], size: Size) -> Option<usize> {
    let mut drawing = Drawing::new(data, size, Widest(0))?;
    for line in lines(data) {
        drawing.feed(line);
    }
    drawing.end();
    let Drawing { screen, rows: Widest(settled), .. } = drawing;
    Some(settled.max(super::replay::widest_shown(&screen)))
}

/// What becomes of rows that cannot change any more.
trait Rows {
    fn push(&mut self, row: RowRef<'_>);
}

impl Rows for LineBuilder {
    fn push(&mut self, row: RowRef<'_>) {
        self.push(row);
    }
}

/// The most columns so far.
struct Widest(usize);

impl Rows for Widest {
    fn push(&mut self, row: RowRef<'_>) {
        self.0 = self.0.max(row.content_width());
    }
}

/// A snapshot being drawn.
struct Drawing<R> {
    screen: Screen,
    /// Takes the rows that have settled.
    rows: R,
    /// How many those are.
    settled: u64,
}

impl<R: Rows> Drawing<R> {
    /// None where the data can reach the scrollback.
    fn new(data: &[u8], size: Size, rows: R) -> Option<Self> {
        let screen = Screen::new(size, Scrollback::Rows(SCROLLBACK));
        leaves_scrollback_alone(data).then_some(Self { screen, rows, settled: 0 })
    }

    fn feed(&mut self, line: &[u8]) {
        if line.len() <= PIECE {
            feed_line(&mut self.screen, line);
        } else {
            let (pieces, end) = line.split_at(line.len() - PIECE);
            for piece in pieces.chunks(PIECE) {
                self.screen.feed(piece);
                self.settle();
            }
            feed_line(&mut self.screen, end);
        }
        self.settle();
    }

    fn end(&mut self) {
        self.screen.finish();
        self.settle();
    }

    /// Takes over the rows that are in the scrollback.
    fn settle(&mut self) {
        let dropped = self.screen.dropped_rows();
        let buffer = self.screen.normal();
        let end = dropped + buffer.scrollback_len() as u64;
        for row in self.settled..end {
            let index = usize::try_from(row.saturating_sub(dropped)).unwrap_or(usize::MAX);
            self.rows.push(buffer.row(index));
        }
        self.settled = end;
    }
}

impl Drawing<LineBuilder> {
    fn is_enough(&self, max_chars: usize) -> bool {
        self.rows.settled_chars() >= max_chars
    }

    fn finish(self) -> String {
        let from = self.settled.saturating_sub(self.screen.dropped_rows());
        finish(&self.screen, self.rows, usize::try_from(from).unwrap_or(usize::MAX))
    }
}

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
    use proptest::prelude::*;

    const SIZE: Size = Size { cols: 10, rows: 3 };

    fn whole(data: &[u8]) -> String {
        crate::snapshot::text(&crate::snapshot::replay(data, Some(SIZE)))
    }

    #[test]
    fn a_long_snapshot_is_not_drawn_to_its_end() {
        let data = "\x1b[32mapples\x1b[0m\r\n".repeat(50);
        let drawing = draw(data.as_bytes(), SIZE, 20).unwrap();
        assert!(drawing.settled < 10, "{}", drawing.settled);
        assert_eq!(preview(data.as_bytes(), Some(SIZE), 20), "apples\napples\napples");
        assert_eq!(preview(data.as_bytes(), Some(SIZE), 0), "");
    }

    #[test]
    fn a_long_snapshot_takes_a_short_scrollback() {
        let data = "0123456789abc\r\n".repeat(20_000) + &"x".repeat(500_000) + "\r\n\r\n";
        let drawing = draw(data.as_bytes(), SIZE, usize::MAX).unwrap();
        assert!(drawing.screen.normal().len() <= SCROLLBACK + 3);
        assert!(drawing.finish() == whole(data.as_bytes()));
    }

    #[test]
    fn the_widest_row_is_found_wherever_it_is() {
        for data in ["x\r\n123456789\r\ny", "x\r\n12345\x1b[3C9", "\x1b[?1049h\x1b[H123456789"] {
            for rest in ["", "\r\nx\r\nx\r\nx\r\nx", "\x1b[3J"] {
                let whole = data.to_owned() + rest;
                let size = size_or_widest(whole.as_bytes(), None);
                assert_eq!(size, Size { cols: 80, rows: 24 });
                let wide = whole.replace('9', &"9".repeat(120));
                let size = size_or_widest(wide.as_bytes(), None);
                assert_eq!(size, Size { cols: 128, rows: 24 }, "{wide:?}");
            }
        }
    }

    #[test]
    fn what_clears_the_scrollback_is_seen_wherever_it_is() {
        for clearing in ["\x1bc", "\x1b[3J", "\u{9b}3J", "\x1b[!p"] {
            let data = "apples\r\n".repeat(50) + clearing + "pear" + &"\r\nplum".repeat(9);
            assert!(draw(data.as_bytes(), SIZE, 20).is_none());
            let text = whole(data.as_bytes());
            assert_eq!(read(data.as_bytes(), Some(SIZE)).text, text);
            assert_eq!(preview(data.as_bytes(), Some(SIZE), 20), text::prefix(&text, 20));
        }
    }

    proptest! {
        #[test]
        fn is_the_text_of_the_whole_screen(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "bc ", "  ", "\r\n", "\r\n", "\r\n\r\n\r\n", "0123456789", "0123456789ab",
                    "\x1b[31m", "\x1b[0m", "\x1b[3C", "\x1b[2X", "\x1b[A", "\x1b[H", "桃", "\t", "\n",
                    "\x1b[?7l", "\x1b[4h", "\x1b[?1049h", "\x1b[?1049l", "\x1b[10Ax", "\r", "\x08",
                ]),
                0..80,
            ),
            rare in prop::sample::select(vec!["", "", "", "\x1b[3J", "\x1bc", "\u{9b}2J"]),
            max_chars in 0usize..60,
        ) {
            let data = pieces.concat() + rare + &pieces.concat();
            let text = whole(data.as_bytes());
            let found = read(data.as_bytes(), Some(SIZE));
            prop_assert_eq!(&found.text, &text);
            let squeezed = text::squeeze(&text);
            let start = preview(data.as_bytes(), Some(SIZE), max_chars);
            prop_assert_eq!(start, text::prefix(&squeezed, max_chars));
        }
    }
}
