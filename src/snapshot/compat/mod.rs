//! The text of a snapshot as the Python helpers print it, byte for byte.
//!
//! For people who compare this suite with the helpers. Those do not replay a snapshot; they drop
//! what they take for escape sequences and print the rest. So text that a screen would never show
//! in that place is kept here as they keep it: words that a cursor move set apart are joined, the
//! parameters of a title are text, a sequence that was cut off stays. The text a person should read
//! comes from a replay, not from here.
//!
//! In order: bytes are read as UTF-8, what is not becomes U+FFFD; CR LF and a lone CR are line
//! breaks; escapes and a few controls go; more than two line breaks in a row become two,
//! and those at the start go. All of it happens in one pass that can stop early.

mod lines;
mod pieces;
mod squeezed;

pub use lines::{Lines, lines};

use pieces::{Piece, Pieces};
use squeezed::Squeezed;

/// The text of a snapshot.
///
/// Takes time in proportion to `data`, whatever it holds.
///
/// ```
/// use terminal_session::snapshot::compat;
///
/// assert_eq!(compat::text(b"\x1b[1mpear\x1b[6Cfig\x1b[0m\r\n"), "pearfig\n");
/// ```
pub fn text(data: &[u8]) -> String {
    render(data, usize::MAX)
}

/// The first `max_chars` code points of [`text`], reading no more of `data` than that takes.
///
/// ```
/// use terminal_session::snapshot::compat;
///
/// assert_eq!(compat::preview(b"\x1b[1mpear\x1b[6Cfig\x1b[0m\r\n", 5), "pearf");
/// ```
pub fn preview(data: &[u8], max_chars: usize) -> String {
    render(data, max_chars)
}

fn render(data: &[u8], max_chars: usize) -> String {
    let mut pieces = Pieces::new(data);
    let mut out = Squeezed::new(max_chars, data.len());
    while out.room() > 0 {
        // No code point comes from more than four bytes, so a piece that is cut there fills the
        // room before the cut.
        match pieces.next(out.room().saturating_mul(4)) {
            Some(Piece::Text(bytes)) => out.push(bytes),
            Some(Piece::LineBreak) => out.line_break(),
            None => break,
        }
    }
    out.into_text()
}

#[cfg(test)]
mod tests;
