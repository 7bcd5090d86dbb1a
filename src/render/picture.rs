//! The rows of a screen, and which of them to show.

use std::ops::Range;

use super::span::{Span, spans};
use crate::screen::{Buffer, Screen};

/// A screen to be shown: everything of its normal buffer, then of the alternate one if that is
/// shown.
#[derive(Debug)]
pub struct Picture<'a> {
    screen: &'a Screen,
    lines: Vec<Line>,
    /// Lines of the text.
    total: usize,
    /// The numbers of those to show.
    chosen: Range<usize>,
}

/// Rows that wrap into each other.
#[derive(Clone, Debug)]
struct Line {
    is_alternate: bool,
    rows: Range<usize>,
    /// Its number in the text, from 1; 0 for a blank line that the text is without.
    number: usize,
    /// The number of the last line that has one, itself included.
    reached: usize,
}

impl<'a> Picture<'a> {
    /// A picture of a screen. Its lines are numbered as those of the screen's text, `squeeze`d or
    /// not: without the blank lines at the end of each buffer, and if they are squeezed without
    /// those at the start and with one for each run of them.
    pub fn new(screen: &'a Screen, squeeze: bool) -> Self {
        let mut lines = lines(screen.normal(), false);
        if screen.is_alternate() {
            lines.extend(lines_of_screen(screen.alternate()));
        }
        let total = number(screen, &mut lines, squeeze);
        Self { screen, lines, total, chosen: 0..usize::MAX }
    }

    /// How many lines the text has.
    pub fn total_lines(&self) -> usize {
        self.total
    }

    /// Shows only lines `start` to `end`, counted from 1, both included.
    pub fn choose(&mut self, start: usize, end: Option<usize>) {
        self.chosen = start..end.map_or(usize::MAX, |end| end.saturating_add(1));
    }

    /// Columns that the widest row to show takes, at least those of the screen.
    pub(super) fn columns(&self) -> usize {
        let rows = self.shown().flat_map(|line| line.rows.clone().map(move |row| (line, row)));
        let widths = rows.map(|(line, row)| self.buffer(line).row(row).content_width());
        widths.max().unwrap_or(0).max(usize::from(self.screen.size().cols))
    }

    /// The text's lines with each row's spans one after the other.
    pub(super) fn text_lines(&self) -> impl Iterator<Item = Vec<Span>> + '_ {
        let lines = self.shown().filter(|line| line.number > 0);
        lines.map(|line| {
            let last = line.rows.end - 1;
            let buffer = self.buffer(line);
            line.rows.clone().flat_map(|row| spans(buffer.row(row), row == last)).collect()
        })
    }

    /// The rows of one buffer.
    pub(super) fn rows(&self, is_alternate: bool) -> impl Iterator<Item = Vec<Span>> + '_ {
        let lines = self.shown().filter(move |line| line.is_alternate == is_alternate);
        let rows = lines.flat_map(|line| line.rows.clone().map(move |row| (line, row)));
        rows.map(|(line, row)| spans(self.buffer(line).row(row), true))
    }

    /// How many rows of a buffer there are to show.
    pub(super) fn row_count(&self, is_alternate: bool) -> usize {
        let lines = self.shown().filter(|line| line.is_alternate == is_alternate);
        lines.map(|line| line.rows.len()).sum()
    }

    fn shown(&self) -> impl Iterator<Item = &Line> + '_ {
        let is_all = self.chosen == (0..usize::MAX);
        self.lines
            .iter()
            .filter(move |line| is_all || (self.chosen.contains(&line.reached) && line.reached > 0))
    }

    fn buffer(&self, line: &Line) -> &'a Buffer {
        if line.is_alternate { self.screen.alternate() } else { self.screen.normal() }
    }
}

/// The lines of a buffer without the rows at its end that show nothing.
fn lines(buffer: &Buffer, is_alternate: bool) -> Vec<Line> {
    let shows = |row: &usize| !spans(buffer.row(*row), true).is_empty();
    let end = (0..buffer.len()).rev().find(shows).map_or(0, |row| row + 1);
    group(buffer, end, is_alternate)
}

/// All lines of the alternate buffer: a program drew it as a whole.
fn lines_of_screen(buffer: &Buffer) -> Vec<Line> {
    group(buffer, buffer.len(), true)
}

fn group(buffer: &Buffer, end: usize, is_alternate: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for row in 0..end {
        match lines.last_mut() {
            Some(line) if buffer.row(row).is_wrapped() => line.rows.end = row + 1,
            _ => lines.push(Line { is_alternate, rows: row..row + 1, number: 0, reached: 0 }),
        }
    }
    lines
}

/// Numbers the lines; how many have a number.
fn number(screen: &Screen, lines: &mut [Line], squeeze: bool) -> usize {
    let is_blank: Vec<bool> = lines
        .iter()
        .map(|line| {
            let buffer = if line.is_alternate { screen.alternate() } else { screen.normal() };
            let mut text = String::new();
            line.rows.clone().for_each(|row| buffer.row(row).push_text(&mut text));
            text.trim_end_matches(' ').is_empty()
        })
        .collect();
    let last_of = |is_alternate: bool| {
        let mut found = lines.iter().zip(&is_blank);
        found.rposition(|(line, blank)| line.is_alternate == is_alternate && !*blank)
    };
    let ends = [last_of(false), last_of(true)];
    let mut count = 0;
    let mut follows_blank = true;
    for (index, (line, blank)) in lines.iter_mut().zip(&is_blank).enumerate() {
        let is_past_end = ends[usize::from(line.is_alternate)].is_none_or(|last| index > last);
        let is_squeezed = squeeze && *blank && follows_blank;
        if !is_past_end && !is_squeezed {
            count += 1;
            line.number = count;
            follows_blank = *blank;
        }
        line.reached = count;
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::ansi_text;
    use crate::screen::Size;
    use crate::snapshot::{replay, text};
    use crate::text::squeeze;

    const SIZE: Size = Size { cols: 10, rows: 3 };

    /// The text without its colours and the blanks at line ends.
    fn plain(colored: &str) -> String {
        let sgr = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap();
        let lines = sgr.replace_all(colored, "");
        let lines: Vec<_> = lines.split('\n').map(|line| line.trim_end_matches(' ')).collect();
        lines.join("\n")
    }

    #[test]
    fn lines_are_chosen_by_their_numbers() {
        let data = "\r\n\r\none\r\n\r\n\r\n\x1b[42m   \x1b[m\r\n0123456789abc\r\nend\r\n\r\n";
        let screen = replay(data.as_bytes(), Some(SIZE));
        let mut picture = Picture::new(&screen, true);
        assert_eq!(picture.total_lines(), 4);
        picture.choose(3, Some(3));
        assert_eq!(ansi_text(&picture), "0123456789abc");
        assert_eq!(picture.row_count(false), 2);
        picture.choose(1, Some(2));
        assert_eq!(plain(&ansi_text(&picture)), "one\n");
        // The blank lines that the text is without are part of the picture.
        assert_eq!(picture.row_count(false), 4);
        assert_eq!(Picture::new(&screen, false).total_lines(), 8);
    }

    #[test]
    fn a_background_goes_to_the_end_of_the_line() {
        let screen = replay(b"\x1b[44mab\x1b[K\x1b[m\r\n\x1b[1;2mx\x1b[22;2my", Some(SIZE));
        assert_eq!(
            ansi_text(&Picture::new(&screen, true)),
            "\x1b[44mab        \x1b[0m\n\x1b[1;2mx\x1b[0m\x1b[2my\x1b[0m"
        );
    }

    proptest! {
        /// Whatever is on the screen, colours alone tell its lines from those of its text.
        #[test]
        fn is_the_text_of_the_screen(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "bc ", "  ", "\r\n", "\r\n", "\r\n\r\n\r\n", "0123456789", "0123456789ab",
                    "\x1b[31m", "\x1b[44m", "\x1b[0m", "\x1b[3C", "\x1b[2X", "\x1b[A", "\x1b[H", "桃",
                    "e\u{301}", "\u{301}", "\x1b[K", "\x1b[7m", "\x1b[4;9m", "\x1b[?1049h", "\t",
                    "\x1b[?1049l", "\x1b[10Ax", "\x08", "\x1b[J", "\x1b[2P", "\x1b[2@",
                ]),
                0..60,
            ),
            is_squeezed in any::<bool>(),
        ) {
            let screen = replay(pieces.concat().as_bytes(), Some(SIZE));
            let picture = Picture::new(&screen, is_squeezed);
            let want = if is_squeezed { squeeze(&text(&screen)) } else { text(&screen) };
            let found = ansi_text(&picture);
            prop_assert_eq!(plain(&found), want.as_str());
            let total = if want.is_empty() { 0 } else { want.split('\n').count() };
            prop_assert_eq!(picture.total_lines(), total);
            for line in found.split('\n') {
                let last = line.rfind('\x1b').and_then(|at| line.get(at..));
                prop_assert!(last.is_none_or(|last| last.starts_with("\x1b[0m")), "{line:?}");
            }
        }
    }
}
