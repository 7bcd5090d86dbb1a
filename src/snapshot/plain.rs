//! A preview of plain rows without a screen.
//!
//! Most snapshots begin with rows of ordinary text: characters, colours and cursor moves to the
//! right, ended by line feeds or wrapped where they are full. What such rows show can be told as
//! they are read. Anything else is left to the emulator. The bound on a summary of hundreds of blocks is
//! what this is for.

use super::harmless::leaves_scrollback_alone;
use crate::screen::{Size, char_width};
use crate::text;

/// The first `max_chars` code points of the squeezed text of a snapshot, where plain rows alone
/// tell them and nothing after those can change them; else none.
pub(super) fn preview(data: &[u8], size: Size, max_chars: usize) -> Option<String> {
    let mut rows = Rows { cols: usize::from(size.cols), is_kept: true, ..Rows::default() };
    let mut rest = data;
    // The row on which there was enough.
    let mut enough_at = None;
    loop {
        rest = rows.take(rest)?;
        if enough_at.is_none() && rows.settled_chars() >= max_chars {
            enough_at = Some(rows.count);
            rows.is_kept = false;
        }
        // A row that far up has left the screen.
        if enough_at.is_some_and(|row| rows.count >= row + usize::from(size.rows)) {
            break;
        }
    }
    if !leaves_scrollback_alone(rest) {
        return None;
    }
    Some(text::prefix(&text::squeeze(&rows.text), max_chars).to_owned())
}

/// Rows of plain text.
#[derive(Default)]
struct Rows {
    cols: usize,
    /// Whether the text is still wanted.
    is_kept: bool,
    text: String,
    /// Row ends so far, wraps included.
    count: usize,
    /// Where the cursor is in the row.
    col: usize,
    /// Columns moved over since the last character.
    gap: usize,
    /// Where the row ends without the blanks at its end.
    filled_end: usize,
    /// Code points of the row, and of it up to its last character that is no blank.
    chars: usize,
    filled_chars: usize,
    /// Code points of the filled rows before, a newline for each.
    filled_before: usize,
}

impl Rows {
    /// Takes one piece off the data: a run of characters, a sequence or a row end. None where it is
    /// not plain, or the data is at its end.
    fn take<'a>(&mut self, data: &'a [u8]) -> Option<&'a [u8]> {
        match data {
            [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => {
                self.end_row();
                Some(rest)
            }
            [0x1b, b'[', rest @ ..] => self.sequence(rest),
            [b' '..=b'~', ..] => {
                let is_plain = |byte: &&u8| matches!(**byte, b' '..=b'~');
                let (run, rest) = data.split_at(data.iter().take_while(is_plain).count());
                self.print(std::str::from_utf8(run).ok()?, 1)?;
                Some(rest)
            }
            [0x80..=0xff, ..] => {
                let run = data.get(..data.len().min(4))?;
                let valid = run.utf8_chunks().next()?.valid();
                let c = valid.chars().next()?;
                let width = usize::from(char_width(c));
                // A character without a width joins the one before it.
                if width == 0 {
                    return None;
                }
                self.print(valid.get(..c.len_utf8())?, width)?;
                data.get(c.len_utf8()..)
            }
            _ => None,
        }
    }

    fn print(&mut self, run: &str, width: usize) -> Option<()> {
        self.advance(run.chars().count(), width)?;
        if !self.is_kept {
            return Some(());
        }
        self.text.extend(std::iter::repeat_n(' ', self.gap));
        self.chars += self.gap;
        self.gap = 0;
        let start = self.text.len();
        self.text.push_str(run);
        let filled = run.trim_end_matches(' ');
        if !filled.is_empty() {
            self.filled_end = start + filled.len();
            self.filled_chars = self.chars + filled.chars().count();
        }
        self.chars += run.chars().count();
        Some(())
    }

    /// Moves the cursor over characters of one width. One that does not fit goes to the next row;
    /// columns left free before it are not part of the text.
    fn advance(&mut self, chars: usize, width: usize) -> Option<()> {
        let end = self.col + chars * width;
        if width == 1 {
            let wraps = end.checked_sub(1)?.checked_div(self.cols)?;
            self.count += wraps;
            self.col = end - wraps * self.cols;
        } else if end <= self.cols {
            self.col = end;
        } else if chars == 1 && width <= self.cols {
            self.count += 1;
            self.col = width;
            self.gap = 0;
        } else {
            return None;
        }
        Some(())
    }

    /// Colours, erasing to the right of all text, and moves to the right.
    fn sequence<'a>(&mut self, body: &'a [u8]) -> Option<&'a [u8]> {
        let is_parameter = |byte: &&u8| matches!(**byte, b'0'..=b'9' | b';');
        let length = body.iter().take_while(is_parameter).count();
        match body.get(length)? {
            b'm' => {}
            // On a full row the cursor stands on its last character.
            b'X' if self.col < self.cols => {}
            b'C' => {
                let digits = std::str::from_utf8(body.get(..length)?).ok()?;
                let count: usize = if digits.is_empty() { 1 } else { digits.parse().ok()? };
                // At the last column the cursor stops.
                let col = self.col.checked_add(count.max(1)).filter(|col| *col < self.cols)?;
                self.gap += col - self.col;
                self.col = col;
            }
            _ => return None,
        }
        body.get(length + 1..)
    }

    fn end_row(&mut self) {
        self.text.truncate(self.filled_end);
        self.text.push('\n');
        self.filled_end = self.text.len();
        if self.filled_chars > 0 {
            self.filled_before += self.filled_chars + 1;
        }
        (self.chars, self.filled_chars, self.col, self.gap) = (0, 0, 0, 0);
        self.count += 1;
    }

    /// Code points that the squeezed text has at least, blanks and newlines at its end left out.
    fn settled_chars(&self) -> usize {
        match self.filled_chars {
            0 => self.filled_before.saturating_sub(1),
            chars => self.filled_before + chars,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: Size = Size { cols: 10, rows: 3 };

    fn whole(data: &[u8], max_chars: usize) -> String {
        let screen = crate::snapshot::replay(data, Some(SIZE));
        let text = text::squeeze(&crate::snapshot::text(&screen));
        text::prefix(&text, max_chars).to_owned()
    }

    #[test]
    fn plain_rows_are_told_without_a_screen() {
        let data = "0123456789桃桃桃桃桃桃 x \r\n".repeat(9);
        let found = preview(data.as_bytes(), SIZE, 30);
        assert_eq!(found.as_deref(), Some("0123456789桃桃桃桃桃桃 x\n0123456789桃"));
        let data = "\x1b[1;32mäpfel\x1b[0m\x1b[2Cx\r\n桃桃桃桃桃\r\n".repeat(9);
        let found = preview(data.as_bytes(), SIZE, 20);
        assert_eq!(found.as_deref(), Some("äpfel  x\n桃桃桃桃桃\näpfel"));
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_emulator() {
        for odd in [
            "0123456789\x1b[X",
            "0123456789\x1b[C",
            "\x1b[10Cx",
            "\x1b[A",
            "\t",
            "\r",
            "e\u{301}",
            "\u{9b}m",
            "\x1bM",
        ] {
            let data = odd.to_owned() + &"\r\nx".repeat(50);
            assert_eq!(preview(data.as_bytes(), SIZE, 20), None, "{odd:?}");
        }
        let data = "x\r\n".repeat(50) + "\x1b[3J";
        assert_eq!(preview(data.as_bytes(), SIZE, 20), None);
        assert_eq!(preview(b"x\r\ny", SIZE, 1), None);
    }

    proptest! {
        #[test]
        fn is_what_the_emulator_shows(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "bc ", "  ", "\r\n", "\r\n", "\r\n\r\n\r\n", "0123456789", "01234", "\n",
                    "\x1b[31m", "\x1b[0m", "\x1b[3C", "\x1b[C", "\x1b[0C", "\x1b[44m\x1b[2X", "桃",
                    "0123456789abcdefghijkl", "桃桃桃桃", "\u{ad}", "\u{fffd}",
                ]),
                0..120,
            ),
            max_chars in 0usize..40,
        ) {
            let data = pieces.concat();
            if let Some(found) = preview(data.as_bytes(), SIZE, max_chars) {
                prop_assert_eq!(found, whole(data.as_bytes(), max_chars));
            }
        }
    }
}
