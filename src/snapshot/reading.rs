//! The text of a snapshot, read without keeping its screen.
//!
//! Rows that have left the screen for the scrollback cannot change any more, as long as nothing in
//! the data can reach the scrollback. So they become text as the data is drawn, and a snapshot of
//! any length takes a screen of bounded size. Data that can reach it is replayed as a whole.

use super::harmless::leaves_scrollback_alone;
use super::line_builder::LineBuilder;
use super::plain;
use super::replay::{WIDEST, feed_line, lines, size_for, widest_shown};
use super::text::finish;
use crate::screen::{RowRef, Screen, Scrollback, Size};
use crate::text;

use thiserror::Error;

/// Rows of scrollback to keep: more than one piece of data can push out of the screen.
const SCROLLBACK: usize = 2 * PIECE;
/// Bytes drawn at once; a byte ends at most one row.
const PIECE: usize = 1024;

/// The text of a snapshot.
#[derive(Debug)]
pub struct Reading {
    /// What [`super::text()`] says of the whole screen.
    pub text: String,
    /// Whether the alternate buffer is shown at the end.
    pub alternate: bool,
}

/// A few bytes can stand for gigabytes of blanks; such a snapshot has no text.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("its screen holds more than {} MiB for {} KiB of data", .0 >> 20, .1 >> 10)]
pub struct TooLarge(usize, usize);

/// How many cells, and bytes of text, data of a length may make.
fn budget(data: &[u8]) -> usize {
    const FLOOR: usize = 64 << 20;
    FLOOR.saturating_add(data.len().saturating_mul(64))
}

fn too_large(data: &[u8]) -> TooLarge {
    TooLarge(budget(data), data.len())
}

/// Reads the text of a snapshot: that of `replay(data, size)`.
///
/// # Errors
/// [`TooLarge`].
pub fn read(data: &[u8], size: Option<Size>) -> Result<Reading, TooLarge> {
    let size = size_or_widest(data, size)?;
    if let Some(drawing) = draw(data, size, usize::MAX)? {
        let alternate = drawing.screen.is_alternate();
        return Ok(Reading { text: drawing.finish(data)?, alternate });
    }
    let screen = replay_within(data, size)?;
    Ok(Reading { text: whole_text(&screen, data)?, alternate: screen.is_alternate() })
}

/// The first `max_chars` code points of the squeezed text of a snapshot, drawing no more of it than
/// that takes.
///
/// # Errors
/// [`TooLarge`].
pub fn preview(data: &[u8], size: Option<Size>, max_chars: usize) -> Result<String, TooLarge> {
    let size = size_or_widest(data, size)?;
    if let Some(preview) = plain::preview(data, size, max_chars) {
        return Ok(preview);
    }
    let text = match draw(data, size, max_chars)? {
        Some(drawing) if drawing.is_enough(max_chars) => text::squeeze(drawing.rows.so_far()),
        Some(drawing) => text::squeeze(&drawing.finish(data)?),
        None => text::squeeze(&whole_text(&replay_within(data, size)?, data)?),
    };
    Ok(text::prefix(&text, max_chars).to_owned())
}

/// The screen of a snapshot: `replay(data, size)`, within bounds.
///
/// # Errors
/// [`TooLarge`].
pub fn replay_bounded(data: &[u8], size: Option<Size>) -> Result<Screen, TooLarge> {
    replay_within(data, size_or_widest(data, size)?)
}

fn whole_text(screen: &Screen, data: &[u8]) -> Result<String, TooLarge> {
    finish(screen, LineBuilder::default(), 0, budget(data)).ok_or_else(|| too_large(data))
}

fn size_or_widest(data: &[u8], size: Option<Size>) -> Result<Size, TooLarge> {
    if let Some(size) = size {
        return Ok(size);
    }
    let widest = match draw_rows(data, WIDEST, Widest(0), |_| false)? {
        Some(Drawing { screen, rows: Widest(settled), .. }) => settled.max(widest_shown(&screen)),
        None => widest_shown(&replay_within(data, WIDEST)?),
    };
    Ok(size_for(widest))
}

/// Whether a snapshot stands for no more than its length allows, in little memory whatever its
/// length; `blank_cells` are those that it erases or steps over ([`super::Shape`]).
///
/// # Errors
/// [`TooLarge`].
pub fn check_size(data: &[u8], size: Size, blank_cells: usize) -> Result<(), TooLarge> {
    // Each of them costs time, also where no text comes of it.
    if blank_cells > budget(data) {
        return Err(too_large(data));
    }
    draw_rows(data, size, Length(0), |_| false).map(|_| ())
}

/// A screen of the whole, if the rows that it keeps stay within what its length allows.
///
/// # Errors
/// [`TooLarge`].
pub fn replay_within(data: &[u8], size: Size) -> Result<Screen, TooLarge> {
    let mut screen = Screen::new(size, Scrollback::Unlimited);
    let rows = budget(data) / usize::from(size.cols);
    for line in lines(data) {
        for piece in pieces(line) {
            feed_line(&mut screen, piece);
            // Rows of the screen itself are made as they are written to.
            if screen.normal().scrollback_len() > rows {
                return Err(too_large(data));
            }
        }
    }
    screen.finish();
    Ok(screen)
}

/// Draws until `max_chars` code points have settled, else to the end; none where the data can reach
/// the scrollback.
fn draw(
    data: &[u8],
    size: Size,
    max_chars: usize,
) -> Result<Option<Drawing<LineBuilder>>, TooLarge> {
    draw_rows(data, size, LineBuilder::default(), |rows| rows.settled_chars() >= max_chars)
}

fn draw_rows<R: Rows>(
    data: &[u8],
    size: Size,
    rows: R,
    is_enough: impl Fn(&R) -> bool,
) -> Result<Option<Drawing<R>>, TooLarge> {
    if !leaves_scrollback_alone(data) {
        return Ok(None);
    }
    let screen = Screen::new(size, Scrollback::Rows(SCROLLBACK));
    let mut drawing = Drawing { screen, rows, settled: 0 };
    let budget = budget(data);
    for line in lines(data) {
        for piece in pieces(line) {
            feed_line(&mut drawing.screen, piece);
            drawing.settle();
            if drawing.rows.length() > budget {
                return Err(too_large(data));
            }
        }
        if is_enough(&drawing.rows) {
            return Ok(Some(drawing));
        }
    }
    drawing.screen.finish();
    drawing.settle();
    Ok(Some(drawing))
}

/// A line in parts, the last of which has its end.
fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    // The end of a line is told by its last two bytes, which stay together.
    let (start, end) = line.split_at(line.len().saturating_sub(PIECE));
    start.chunks(PIECE).chain(std::iter::once(end))
}

/// What becomes of rows that cannot change any more.
trait Rows {
    fn push(&mut self, row: RowRef<'_>);

    /// Bytes kept of them.
    fn length(&self) -> usize;
}

impl Rows for LineBuilder {
    fn push(&mut self, row: RowRef<'_>) {
        self.push(row);
    }

    fn length(&self) -> usize {
        self.so_far().len()
    }
}

/// How long the text of the rows would be at most.
struct Length(usize);

impl Rows for Length {
    fn push(&mut self, row: RowRef<'_>) {
        self.0 += row.content_width() + 1;
    }

    fn length(&self) -> usize {
        self.0
    }
}

/// The most columns so far.
struct Widest(usize);

impl Rows for Widest {
    fn push(&mut self, row: RowRef<'_>) {
        self.0 = self.0.max(row.content_width());
    }

    fn length(&self) -> usize {
        0
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

    fn finish(self, data: &[u8]) -> Result<String, TooLarge> {
        let from = self.settled.saturating_sub(self.screen.dropped_rows());
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        finish(&self.screen, self.rows, from, budget(data)).ok_or_else(|| too_large(data))
    }
}

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
        let drawing = draw(data.as_bytes(), SIZE, 20).unwrap().unwrap();
        assert!(drawing.settled < 10, "{}", drawing.settled);
        assert_eq!(preview(data.as_bytes(), Some(SIZE), 20).unwrap(), "apples\napples\napples");
        assert_eq!(preview(data.as_bytes(), Some(SIZE), 0).unwrap(), "");
    }

    #[test]
    fn a_long_snapshot_takes_a_short_scrollback() {
        let data = "0123456789abc\r\n".repeat(20_000) + &"x".repeat(500_000) + "\r\n\r\n";
        let drawing = draw(data.as_bytes(), SIZE, usize::MAX).unwrap().unwrap();
        assert!(drawing.screen.normal().len() <= SCROLLBACK + 3);
        assert!(drawing.finish(data.as_bytes()).unwrap() == whole(data.as_bytes()));
    }

    #[test]
    fn the_widest_row_is_found_wherever_it_is() {
        for data in ["x\r\n123456789\r\ny", "x\r\n12345\x1b[3C9", "\x1b[?1049h\x1b[H123456789"] {
            for rest in ["", "\r\nx\r\nx\r\nx\r\nx", "\x1b[3J"] {
                let whole = data.to_owned() + rest;
                let size = size_or_widest(whole.as_bytes(), None).unwrap();
                assert_eq!(size, Size { cols: 80, rows: 24 });
                let wide = whole.replace('9', &"9".repeat(120));
                let size = size_or_widest(wide.as_bytes(), None).unwrap();
                assert_eq!(size, Size { cols: 128, rows: 24 }, "{wide:?}");
            }
        }
    }

    #[test]
    fn a_few_bytes_that_stand_for_gigabytes_are_refused() {
        let huge = Size { cols: u16::MAX, rows: u16::MAX };
        for data in ["\x1b[65535Cx\r\n", "x\x1b[65535b", "\x1b[65535Cx\x1bD"] {
            let data = data.repeat(1_200);
            assert!(read(data.as_bytes(), Some(huge)).is_err());
            assert!(read(data.as_bytes(), None).is_err());
        }
        assert!(read("x\r\n".repeat(2_000).as_bytes(), Some(huge)).is_ok());
    }

    #[test]
    fn what_clears_the_scrollback_is_seen_wherever_it_is() {
        for clearing in ["\x1bc", "\x1b[3J", "\u{9b}3J", "\x1b[!p"] {
            let data = "apples\r\n".repeat(50) + clearing + "pear" + &"\r\nplum".repeat(9);
            assert!(draw(data.as_bytes(), SIZE, 20).unwrap().is_none());
            let text = whole(data.as_bytes());
            assert_eq!(read(data.as_bytes(), Some(SIZE)).unwrap().text, text);
            assert_eq!(preview(data.as_bytes(), Some(SIZE), 20).unwrap(), text::prefix(&text, 20));
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
            let found = read(data.as_bytes(), Some(SIZE)).unwrap();
            prop_assert_eq!(&found.text, &text);
            let squeezed = text::squeeze(&text);
            let start = preview(data.as_bytes(), Some(SIZE), max_chars).unwrap();
            prop_assert_eq!(start, text::prefix(&squeezed, max_chars));
        }
    }
}
