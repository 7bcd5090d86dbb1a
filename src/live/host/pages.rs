//! The output of a job, page by page: each part once, oldest first.
//!
//! It is the text of the job's block. Rows that leave the screen can change no more and wait in
//! [`Unread`]; those on the screen are read from there. Of the latter it is kept what was in a page,
//! so that they are not read again when they leave the screen, unless they changed.

use std::io;
use std::path::Path;

use super::unread::{Dropped, Unread};
use crate::screen::{Buffer, Screen};
use crate::snapshot::text_from;

/// What was printed and not read.
#[derive(Debug)]
pub(super) struct Pages {
    unread: Unread,
    /// What stands on the screen and was in a page. Where it is any text, nothing is unread before.
    ahead: String,
    /// Lines that were in a page and changed since.
    again: u64,
    /// Blanks that end the row that left the screen last; they count if its line goes on with more.
    blanks: usize,
    /// Code points of the line that the last page ended in.
    column: u64,
    /// Bytes that left the screen since some of it was erased and kept here, which is in no block.
    since_erased: Option<u64>,
    /// The screen of a full-screen program as it was in a page.
    full_screen: String,
    /// The screen is the last one, so what a full-screen program left there is text like any other.
    is_over: bool,
}

/// A page.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Taken {
    pub(super) text: String,
    pub(super) is_screen: bool,
    /// What was dropped before it.
    pub(super) dropped: Option<Dropped>,
    /// Lines that were in a page and come again.
    pub(super) again: u64,
    /// What comes after it.
    pub(super) rest: Rest,
}

/// What is still to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rest {
    pub(super) bytes: u64,
    pub(super) lines: u64,
    /// Lines of it that are in a block, where blank lines at the end are none.
    pub(super) lines_in_block: u64,
    /// Code points of its first line that were in a page.
    pub(super) column: u64,
}

impl Pages {
    /// Nothing yet. What waits is kept in files in `folder`, at most `most` bytes of it.
    pub(super) fn new(folder: &Path, most: u64) -> Self {
        Self {
            unread: Unread::new(folder, most),
            ahead: String::new(),
            again: 0,
            blanks: 0,
            column: 0,
            since_erased: None,
            full_screen: String::new(),
            is_over: false,
        }
    }

    /// Takes the rows that left the screen.
    ///
    /// # Errors
    /// They cannot be kept.
    pub(super) fn relieve(&mut self, screen: &mut Screen) -> io::Result<()> {
        let rows = screen.normal();
        let count = rows.scrollback_len();
        if count == 0 {
            return Ok(());
        }
        let mut text = String::new();
        for index in 0..count {
            push_row(rows, index, &mut self.blanks, &mut text);
            if !rows.row(index + 1).is_wrapped() {
                self.blanks = 0;
                text.push('\n');
            }
        }
        screen.forget_oldest(count);
        let read = self.read_ahead(&text);
        self.since_erased.iter_mut().for_each(|bytes| *bytes += text.len() as u64);
        // It was in a page, so nothing was unread before it.
        self.unread.pass(&text[..read]);
        self.unread.add(&text[read..])
    }

    /// Keeps what is on the screen, which is about to be erased, and was in no page.
    ///
    /// # Errors
    /// It cannot be kept.
    pub(super) fn keep_screen(&mut self, screen: &Screen) -> io::Result<()> {
        let shown = self.on_screen(screen);
        let new = self.follow(&shown);
        let rest = shown[new..].trim_end_matches('\n');
        if rest.is_empty() {
            return Ok(());
        }
        self.ahead.clear();
        self.blanks = 0;
        self.since_erased = Some(0);
        self.unread.add(&format!("{rest}\n"))
    }

    /// How much at the beginning of what leaves the screen was in a page.
    fn read_ahead(&mut self, text: &str) -> usize {
        let common = common(&self.ahead, text);
        if common == text.len() || common == self.ahead.len() {
            self.ahead.drain(..common);
            return common;
        }
        let start = line_start(&text[..common]);
        self.again += lines(&self.ahead[start..]);
        self.ahead.clear();
        self.column = 0;
        start
    }

    /// The end of the output.
    pub(super) fn finish(&mut self) {
        self.is_over = true;
    }

    /// Whether a page would have anything.
    pub(super) fn has_unread(&self, screen: &Screen) -> bool {
        if self.shows_screen(screen) {
            return text_from(screen.alternate(), 0) != self.full_screen;
        }
        let shown = self.on_screen(screen);
        let common = common(&self.ahead, &shown);
        self.unread.bytes() > 0 || self.unread.has_gap() || common < shown.len()
    }

    fn shows_screen(&self, screen: &Screen) -> bool {
        screen.is_alternate() && !self.is_over
    }

    /// The next page, at most so many bytes.
    ///
    /// # Errors
    /// What was kept cannot be read.
    pub(super) fn take(&mut self, screen: &Screen, most: usize) -> io::Result<Taken> {
        if self.shows_screen(screen) {
            return Ok(self.take_screen(screen, most));
        }
        let shown = self.on_screen(screen);
        let new = self.follow(&shown);
        let dropped = self.unread.take_gap();
        // One byte more shows whether there is more; the rest of a character, where to cut.
        let mut bytes = self.unread.peek(most.saturating_add(1))?;
        let from_unread = bytes.len();
        let is_all_unread = from_unread as u64 == self.unread.bytes();
        if is_all_unread && from_unread <= most {
            bytes.extend_from_slice(&shown.as_bytes()[new..]);
        }
        let length = cut(&bytes, most);
        let read = length.min(from_unread);
        self.unread.consume(&bytes[..read]);
        bytes.truncate(length);
        self.ahead.push_str(shown.get(new..new + (length - read)).unwrap_or_default());
        // All that goes in is text, and it is cut between characters.
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        self.column = match text.rfind('\n') {
            Some(newline) => text[newline + 1..].chars().count() as u64,
            None => self.column + text.chars().count() as u64,
        };
        let rest = self.rest(&shown[new + (length - read)..]);
        // Where lines were erased, fewer come again.
        let again = self.again.min(lines(&text));
        self.again = if rest.bytes == 0 { 0 } else { self.again - again };
        Ok(Taken { text, is_screen: false, dropped, again, rest })
    }

    /// Looks what of the screen was in a page; where the rest begins.
    fn follow(&mut self, shown: &str) -> usize {
        let common = common(&self.ahead, shown);
        if common == self.ahead.len() {
            return common;
        }
        if common == shown.len() {
            // Something was erased.
            self.ahead.truncate(common);
            return common;
        }
        let start = line_start(&shown[..common]);
        self.again += lines(&self.ahead[start..]);
        self.ahead.truncate(start);
        self.column = 0;
        start
    }

    /// What there is behind a page, of which this is on the screen.
    fn rest(&self, shown: &str) -> Rest {
        let bytes = self.unread.bytes() + shown.len() as u64;
        let on_screen = memchr::memchr_iter(b'\n', shown.as_bytes()).count() as u64;
        let newlines = self.unread.newlines() + on_screen;
        let body = shown.trim_end_matches('\n');
        // Newlines at the end of all; blank lines there are in no block.
        let before = if body.is_empty() { self.unread.newlines_at_end() } else { 0 };
        let at_end = (shown.len() - body.len()) as u64 + before;
        let ends_line = at_end > 0;
        let is_erased = self.since_erased.is_some_and(|since| self.unread.bytes() > since);
        let is_blank = newlines == bytes || is_erased;
        Rest {
            bytes,
            lines: newlines + u64::from(bytes > 0 && !ends_line),
            lines_in_block: if is_blank { 0 } else { (newlines + 1).saturating_sub(at_end) },
            column: self.column,
        }
    }

    /// Whether something between what was read and the end is nowhere.
    pub(super) fn has_gap(&self) -> bool {
        self.unread.has_gap()
    }

    fn take_screen(&mut self, screen: &Screen, most: usize) -> Taken {
        let text = text_from(screen.alternate(), 0);
        let length = cut(text.as_bytes(), most);
        let rest = &text[length..];
        let rest =
            Rest { bytes: rest.len() as u64, lines: lines(rest), lines_in_block: 0, column: 0 };
        self.full_screen.clone_from(&text);
        Taken { text: text[..length].to_owned(), is_screen: true, rest, ..Taken::default() }
    }

    /// The text on the screen, up to the cursor where that stands below it.
    fn on_screen(&self, screen: &Screen) -> String {
        let rows = screen.normal();
        let first = rows.scrollback_len();
        let is_shown = |&index: &usize| index > first && !rows.row(index).is_blank();
        let last = (first..rows.len()).rev().find(is_shown).unwrap_or(first);
        // In the alternate buffer the cursor is that one's.
        let cursor = if screen.is_alternate() { first } else { first + screen.cursor().row };
        let last = last.max(cursor);
        let (mut blanks, mut text) = (self.blanks, String::new());
        for index in first..=last {
            if index > first && !rows.row(index).is_wrapped() {
                blanks = 0;
                text.push('\n');
            }
            push_row(rows, index, &mut blanks, &mut text);
        }
        if self.is_over && screen.is_alternate() {
            let alternate = text_from(screen.alternate(), 0);
            let end = text.trim_end_matches('\n').len();
            if !alternate.is_empty() && end > 0 {
                text.truncate(end);
                text.push('\n');
            }
            text.push_str(&alternate);
        }
        text
    }
}

/// Adds the text of a row to its line. Blanks at its end count only where more follows.
fn push_row(rows: &Buffer, index: usize, blanks: &mut usize, text: &mut String) {
    let mut row = String::new();
    rows.row(index).push_text(&mut row);
    let filled = row.trim_end_matches(' ');
    if !filled.is_empty() {
        text.extend(std::iter::repeat_n(' ', *blanks));
        *blanks = 0;
        text.push_str(filled);
    }
    *blanks += row.len() - filled.len();
}

/// How many bytes two texts have in common at their beginning, in whole characters.
fn common(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same).rev().find(|&end| one.is_char_boundary(end)).unwrap_or(0)
}

/// Where the last line of a text begins.
fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |newline| newline + 1)
}

/// Lines of a text, the last of which may not be over.
pub(super) fn lines(text: &str) -> u64 {
    text.lines().count() as u64
}

/// Where to cut text so that it is at most so many bytes: behind a line, where one fits, else behind
/// a character, of which there is at least one.
pub(super) fn cut(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    if let Some(newline) = memchr::memrchr(b'\n', &text[..most]) {
        return newline + 1;
    }
    let begins = |&end: &usize| text.get(end).is_none_or(|byte| byte & 0xc0 != 0x80);
    let fits = (1..=most).rev().find(begins);
    fits.or_else(|| (most..=text.len()).find(begins)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Scrollback, Size};

    struct Fixture {
        screen: Screen,
        pages: Pages,
        _folder: tempfile::TempDir,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let size = Size { cols: 10, rows: 4 };
            let screen = Screen::new(size, Scrollback::Unlimited);
            let pages = Pages::new(folder.path(), 64 << 10);
            Self { screen, pages, _folder: folder }
        }

        fn show(&mut self, shown: &str) -> &mut Self {
            self.screen.feed(shown.as_bytes());
            self.pages.relieve(&mut self.screen).unwrap();
            self
        }

        fn page(&mut self, most: usize) -> Taken {
            self.pages.take(&self.screen, most).unwrap()
        }

        fn text(&mut self) -> String {
            let taken = self.page(usize::MAX - 1);
            assert_eq!((taken.rest.bytes, taken.again), (0, 0), "{taken:?}");
            assert!(!self.pages.has_unread(&self.screen));
            taken.text
        }
    }

    #[test]
    fn pages_make_up_what_was_printed() {
        let shown = [
            "one\r\n",
            "two",
            " and",
            " a half  ",
            "\r\n",
            "\r\n\r\n",
            "a line of several rows, ",
            "the last",
            " of them here\r\n",
            "blanks          ",
            "between\r\n",
            "漢字漢字漢字漢字\r\n",
        ];
        let want = shown.concat().replace("\r\n", "\n").replace("half  \n", "half\n");
        for most in [1, 4, 7, 1000] {
            for every in 1..shown.len() {
                let (mut fixture, mut got) = (Fixture::new(), String::new());
                for (index, part) in shown.iter().enumerate() {
                    fixture.show(part);
                    if index % every == 0 {
                        got.push_str(&fixture.page(most).text);
                    }
                }
                while fixture.pages.has_unread(&fixture.screen) {
                    let taken = fixture.page(most);
                    assert!(taken.text.len() <= most.max(3), "{taken:?}");
                    got.push_str(&taken.text);
                }
                assert_eq!(got, want, "pages of {most}, one of {every}");
            }
        }
    }

    #[test]
    fn a_page_is_cut_at_a_line_where_one_fits() {
        let mut fixture = Fixture::new();
        fixture.show("one\r\ntwo\r\nthree and more\r\n1\r\n2\r\n3\r\n\r\n");
        let taken = fixture.page(9);
        assert_eq!(taken.text, "one\ntwo\n");
        assert_eq!((taken.rest.bytes, taken.rest.lines), (22, 5));
        assert_eq!((taken.rest.lines_in_block, taken.rest.column), (4, 0));
        let taken = fixture.page(9);
        assert_eq!((taken.text.as_str(), taken.rest.column), ("three and", 9));
        assert_eq!((taken.rest.lines, taken.rest.lines_in_block), (5, 4));
        let taken = fixture.page(10);
        assert_eq!((taken.text.as_str(), taken.rest.lines), (" more\n1\n2\n", 2));
        assert_eq!(fixture.page(2).text, "3\n");
        let taken = fixture.page(2);
        assert_eq!((taken.text.as_str(), taken.rest), ("\n", Rest::default()));
    }

    #[test]
    fn what_changed_comes_again_and_says_so() {
        let mut fixture = Fixture::new();
        assert_eq!(fixture.show("one\r\n10%").text(), "one\n10%");
        let taken = fixture.show("\r100%\r\ndone\r\n").page(99);
        assert_eq!((taken.text.as_str(), taken.again), ("100%\ndone\n", 1));
        // Also where it left the screen meanwhile.
        assert_eq!(fixture.show("50%").text(), "50%");
        let taken = fixture.show("\r60%\r\n1\r\n2\r\n3\r\n4\r\n5").page(99);
        assert_eq!((taken.text.as_str(), taken.again), ("60%\n1\n2\n3\n4\n5", 1));
        // What was erased is empty lines up to the cursor.
        let taken = fixture.show("\x1b[2J").page(99);
        assert_eq!((taken.text.as_str(), taken.again, taken.rest.bytes), ("\n\n\n", 3, 0));
    }

    #[test]
    fn what_is_erased_before_it_was_read_is_kept() {
        let mut fixture = Fixture::new();
        fixture.show("one\r\ntwo\r\nthree");
        assert_eq!(fixture.page(4).text, "one\n");
        fixture.pages.keep_screen(&fixture.screen).unwrap();
        fixture.show("\x1b[2J\x1b[Hfour\r\nfive");
        let taken = fixture.page(4);
        assert_eq!((taken.text.as_str(), taken.rest.lines), ("two\n", 3));
        // That is in no block.
        assert_eq!(taken.rest.lines_in_block, 0);
        let taken = fixture.page(11);
        assert_eq!((taken.text.as_str(), taken.rest.lines_in_block), ("three\nfour\n", 1));
        assert_eq!(fixture.text(), "five");
    }

    #[test]
    fn a_full_screen_program_is_read_as_its_screen() {
        let mut fixture = Fixture::new();
        fixture.show("before\r\n\x1b[?1049h\x1b[Hmenu\r\nitem");
        let taken = fixture.page(99);
        assert_eq!((taken.text.as_str(), taken.is_screen), ("menu\nitem", true));
        assert!(!fixture.pages.has_unread(&fixture.screen));
        let taken = fixture.show("s").page(6);
        assert_eq!((taken.text.as_str(), taken.rest.lines), ("menu\n", 1));
        fixture.show("\x1b[?1049lafter");
        assert_eq!(fixture.text(), "before\nafter");
        let mut fixture = Fixture::new();
        fixture.show("before\r\n\x1b[?1049h\x1b[Hmenu");
        fixture.pages.finish();
        assert_eq!(fixture.text(), "before\nmenu");
    }
}
