//! The screen and its history, as answers.

use sha2::{Digest, Sha256};

use crate::live::wire::{Lines, ScreenNow};
use crate::screen::Screen;
use crate::snapshot::text_from;
use crate::text::hexadecimal;

/// The rows that are shown, one a line.
fn rows(screen: &Screen) -> String {
    let (buffer, first) = match screen.is_alternate() {
        true => (screen.alternate(), 0),
        false => (screen.normal(), screen.normal().scrollback_len()),
    };
    let mut text = String::new();
    for index in first..buffer.len() {
        if index > first {
            text.push('\n');
        }
        let start = text.len();
        buffer.row(index).push_text(&mut text);
        text.truncate(start + text[start..].trim_end_matches(' ').len());
    }
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// A hash of what is shown.
pub(super) fn hash(screen: &Screen) -> String {
    hexadecimal(&Sha256::digest(rows(screen))[..8])
}

/// The screen as it stands.
pub(super) fn screen_now(screen: &Screen) -> ScreenNow {
    let (size, cursor) = (screen.size(), screen.cursor());
    ScreenNow {
        text: rows(screen),
        size: size.into(),
        cursor_row: cursor.row,
        cursor_col: cursor.col.min(usize::from(size.cols) - 1),
        title: screen.title().to_owned(),
        alternate_screen: screen.is_alternate(),
        hash: hash(screen),
    }
}

/// Which lines of the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Newest lines to leave out.
    pub(super) offset: u64,
    /// Most lines.
    pub(super) count: u64,
    /// The first line, counted from 1, instead of `offset`.
    pub(super) from: Option<u64>,
    /// The longest text in bytes.
    pub(super) most: usize,
}

/// Lines of the normal screen and its history. `gone` rows of history are in memory no more.
pub(super) fn lines(screen: &Screen, gone: Gone, wanted: Wanted) -> Lines {
    let text = text_from(screen.normal(), 0);
    let mut lines: Vec<&str> =
        if text.is_empty() { Vec::new() } else { text.split('\n').collect() };
    // The rest of a line whose beginning is gone is none.
    if gone.cuts_line && !lines.is_empty() {
        lines.remove(0);
    }
    let here = lines.len() as u64;
    let total = gone.lines + here;
    // Both counted from 0, the second one exclusive.
    let (begin, end) = match wanted.from {
        Some(from) => {
            let begin = from.saturating_sub(1).min(total);
            (begin, begin.saturating_add(wanted.count).min(total))
        }
        None => {
            let end = total.saturating_sub(wanted.offset);
            (end.saturating_sub(wanted.count), end)
        }
    };
    let index = |line: u64| usize::try_from(line.saturating_sub(gone.lines)).unwrap_or(usize::MAX);
    let mut found: Vec<&str> = lines.get(index(begin)..index(end)).unwrap_or_default().to_vec();
    let mut first = begin.max(gone.lines).min(end);
    let in_blocks = gone.lines.min(end).saturating_sub(begin);
    let mut length: usize = found.iter().map(|line| line.len() + 1).sum();
    let mut is_cut = in_blocks > 0;
    let mut skipped = 0;
    while length > wanted.most + 1 && skipped + 1 < found.len() {
        length -= found[skipped].len() + 1;
        skipped += 1;
    }
    found.drain(..skipped);
    first += skipped as u64;
    is_cut |= skipped > 0;
    let mut text = found.join("\n");
    let mut chars = 0;
    if text.len() > wanted.most {
        let mut start = text.len() - wanted.most;
        while !text.is_char_boundary(start) {
            start += 1;
        }
        chars = text.drain(..start).count();
        is_cut = true;
    }
    let is_empty = first >= end;
    Lines {
        text,
        total_lines: total,
        line_begin: total - end,
        line_end: total - first,
        first_line: if is_empty { 0 } else { first + 1 },
        last_line: if is_empty { 0 } else { end },
        truncated: is_cut,
        lines_in_blocks: in_blocks,
        lines_left_out: skipped as u64,
        chars_left_out: chars as u64,
    }
}

/// Lines that are in memory no more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    /// How many.
    pub(super) lines: u64,
    /// Whether the last of them goes on in memory.
    pub(super) cuts_line: bool,
    /// How many rows they are.
    pub(super) rows: u64,
    /// How often the program had erased its history when lines went last.
    erasures: u64,
    /// Lines that there were when it was about to erase something last.
    noted: u64,
}

impl Gone {
    /// Takes note of how many lines there are, before something is erased.
    pub(super) fn note(&mut self, screen: &Screen) {
        let normal = screen.normal();
        let begins = |&index: &usize| !normal.row(index).is_wrapped();
        self.noted = self.lines + (0..normal.len()).filter(begins).count() as u64;
    }

    /// Takes the oldest rows of the history away where there are more than `most` of them, and
    /// some more so that this is not done for each.
    pub(super) fn relieve(&mut self, screen: &mut Screen, most: usize) {
        let erasures = screen.history_erasures();
        if erasures != self.erasures {
            // They stay counted, and the first row goes on with none of them.
            let lines = self.noted.max(self.lines);
            *self = Self { erasures, lines, ..Self::default() };
        }
        let rows = screen.normal().scrollback_len();
        if rows < most + most / 5 {
            return;
        }
        let count = rows - most;
        let is_first = self.lines == 0 && !self.cuts_line;
        let begins =
            |&index: &usize| (index == 0 && is_first) || !screen.normal().row(index).is_wrapped();
        self.lines += (0..count).filter(begins).count() as u64;
        self.rows += count as u64;
        screen.forget_oldest(count);
        self.cuts_line = screen.normal().row(0).is_wrapped();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Scrollback, Size};

    fn screen(text: &str) -> Screen {
        let mut screen = Screen::new(Size { cols: 10, rows: 3 }, Scrollback::Rows(100));
        screen.feed(text.as_bytes());
        screen
    }

    fn wanted(offset: u64, count: u64) -> Wanted {
        Wanted { offset, count, from: None, most: 1000 }
    }

    #[test]
    fn lines_are_counted_from_both_ends() {
        let screen = screen("one\r\ntwo\r\nthree is wrapped\r\nfour\r\nfive");
        let all = lines(&screen, Gone::default(), wanted(0, 500));
        assert_eq!(all.text, "one\ntwo\nthree is wrapped\nfour\nfive");
        assert_eq!((all.line_begin, all.line_end, all.total_lines), (0, 5, 5));
        assert_eq!((all.first_line, all.last_line, all.truncated), (1, 5, false));
        let page = lines(&screen, Gone::default(), wanted(1, 2));
        assert_eq!(page.text, "three is wrapped\nfour");
        assert_eq!((page.line_begin, page.line_end), (1, 3));
        assert_eq!((page.first_line, page.last_line), (3, 4));
        let beyond = lines(&screen, Gone::default(), wanted(9, 2));
        assert_eq!((beyond.text.as_str(), beyond.line_begin, beyond.line_end), ("", 5, 5));
        let from = Wanted { from: Some(4), ..wanted(0, 9) };
        assert_eq!(lines(&screen, Gone::default(), from).text, "four\nfive");
    }

    #[test]
    fn what_is_gone_is_counted() {
        let screen = screen("one\r\ntwo");
        let gone = Gone { lines: 40, ..Gone::default() };
        let page = lines(&screen, gone, wanted(0, 10));
        assert_eq!((page.text.as_str(), page.total_lines), ("one\ntwo", 42));
        assert_eq!((page.line_begin, page.line_end, page.truncated), (0, 2, true));
        assert_eq!((page.first_line, page.last_line, page.lines_in_blocks), (41, 42, 8));
        let short = Wanted { most: 3, ..wanted(0, 2) };
        let page = lines(&screen, gone, short);
        assert_eq!((page.text.as_str(), page.truncated), ("two", true));
        assert_eq!((page.first_line, page.lines_in_blocks), (42, 0));
    }

    #[test]
    fn what_the_program_erased_is_gone_and_counted() {
        let mut screen = Screen::new(Size { cols: 4, rows: 2 }, Scrollback::Unlimited);
        let mut gone = Gone::default();
        screen.feed("a line of very many rows ".repeat(4).as_bytes());
        gone.relieve(&mut screen, 5);
        assert_eq!((gone.lines, gone.cuts_line), (1, true));
        screen.feed(b"\r\ntwo");
        gone.note(&screen);
        screen.feed(b"\x1b[H\x1b[2J\x1b[3Jnew");
        gone.relieve(&mut screen, 5);
        let page = lines(&screen, gone, wanted(0, 10));
        assert_eq!((page.text.as_str(), page.first_line, page.total_lines), ("new", 3, 3));
    }

    #[test]
    fn the_screen_is_its_rows() {
        let now = screen_now(&screen("one\r\ntwo\r\nthree\r\n\x1b]2;title\x07four  "));
        assert_eq!((now.text.as_str(), now.title.as_str()), ("two\nthree\nfour", "title"));
        assert_eq!((now.cursor_row, now.cursor_col, now.alternate_screen), (2, 6, false));
        assert_eq!(now.hash.len(), 16);
    }
}
