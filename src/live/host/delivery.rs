//! What an agent was shown and what it was not.
//!
//! An answer is lines of blocks: those that came since the last answer. What does not fit is named
//! by block and lines, so that nothing is lost. A line that was in an answer and has changed since,
//! such as a progress bar, comes again with all that follows it.

use std::collections::VecDeque;

use super::echo::{Echo, cursor};
use super::view::{View, first_line, hash, lines_from};
use crate::live::place::Place;
use crate::live::wire::{Omitted, Part, Region, Shown};
use crate::text;

/// Text kept of blocks that were made before anybody asked, in bytes; of older lines there is only
/// where they are.
const MOST_KEPT: usize = 256 << 10;
/// Blocks of which is kept where they are.
const MOST_PIECES: usize = 256;
/// Code points kept of the last line of an answer.
const LONGEST_LAST: usize = 1024;

/// How far the agent has read.
#[derive(Debug, Default)]
pub(super) struct Delivery {
    /// Lines of blocks that were made since the last answer.
    frozen: VecDeque<Piece>,
    /// Blocks that fell off there.
    forgotten: u64,
    /// Lines of the block to come that are in none, as far as they are counted here.
    dropped: u64,
    /// Those of them that were in no answer.
    lost: u64,
    /// Lines of the block to come that were in answers.
    delivered: u64,
    /// Those of them that may still change.
    tail: Vec<(u64, u64)>,
    /// The beginning of the last of them.
    last: String,
    /// Lines of the block to come that are a prompt and what was typed at it.
    echo: Echo,
    bell: bool,
}

/// Lines of one block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    block_id: String,
    from: u64,
    to: u64,
    /// The first line of which there is text.
    shown: u64,
    /// Code points at the beginning of that line that there are not.
    cut: u64,
    text: String,
    /// Lines at the beginning that were in an answer before.
    again: u64,
    /// What is a prompt and what was typed at it.
    echo: Vec<Region>,
    /// Whether it is of a command that ended before the last one was typed.
    is_earlier: bool,
}

/// What an answer says.
#[derive(Debug, PartialEq)]
pub(super) struct Taken {
    pub(super) shown: Shown,
    /// Where its lines are.
    pub(super) parts: Vec<Part>,
    /// Whether lines of the block to come were left out, so that it has to be made.
    pub(super) needs_block: bool,
    /// Blocks before all that of which not even the names are known any more.
    pub(super) forgotten: u64,
    /// Lines that are in no answer and no block.
    pub(super) lost: u64,
}

impl Delivery {
    /// The bell rang.
    pub(super) fn ring(&mut self) {
        self.bell = true;
    }

    /// Whether the view holds a line with text that was in no answer.
    pub(super) fn has_news(&mut self, view: View<'_>) -> bool {
        let piece = self.next_piece(view);
        piece.is_some_and(|piece| piece.to > piece.from || !piece.text.trim().is_empty())
    }

    /// What is new in the view, which is about to become a block.
    pub(super) fn next_piece(&mut self, view: View<'_>) -> Option<Piece> {
        self.follow(view);
        self.current(view)
    }

    /// The view has become a block; this was new in it.
    pub(super) fn freeze(&mut self, piece: Option<Piece>) {
        self.frozen.extend(piece);
        (self.delivered, self.dropped) = (0, 0);
        self.echo.freeze();
        self.tail.clear();
        let mut room = MOST_KEPT;
        for piece in self.frozen.iter_mut().rev() {
            piece.shorten(room);
            room = room.saturating_sub(piece.text.len());
        }
        while self.frozen.len() > MOST_PIECES {
            self.frozen.pop_front();
            self.forgotten += 1;
        }
    }

    /// All that is in blocks now is of a command that ended.
    pub(super) fn set_earlier(&mut self) {
        self.frozen.iter_mut().for_each(|piece| piece.is_earlier = true);
    }

    /// The prompt of the shell comes now.
    pub(super) fn prompt_begins(&mut self, view: View<'_>) {
        self.follow(view);
        self.echo.prompt_begins(view);
    }

    /// The prompt of the shell stands there now, all of it if it is `drawn`.
    pub(super) fn prompt_ends(&mut self, view: View<'_>, is_drawn: bool) {
        self.follow(view);
        self.echo.prompt_ends(view, is_drawn);
    }

    /// Something is about to be typed at the prompt.
    pub(super) fn typing_begins(&mut self, view: View<'_>) {
        self.follow(view);
        let told = |line: u64| {
            let before = self.tail.iter().find(|(told, _)| *told == line);
            let (first, lines) = lines_from(view, line);
            let now = lines.first().filter(|_| first == line).map(|text| hash(text));
            before.is_some_and(|(_, before)| now == Some(*before))
        };
        let is_told = cursor(view).is_some_and(|here| told(here.line));
        self.echo.typing_begins(view, is_told);
    }

    /// The shell wants more of what was typed.
    pub(super) fn more_is_wanted(&mut self, view: View<'_>) {
        self.follow(view);
        self.echo.more_is_wanted(view);
    }

    /// What may be the prompt of the shell stands there now, while a command runs.
    pub(super) fn lone_prompt_ends(&mut self, view: View<'_>) {
        self.follow(view);
        self.echo.lone_prompt_ends(view);
    }

    /// It is one.
    pub(super) fn lone_prompt_is_one(&mut self, view: View<'_>) {
        self.follow(view);
        self.echo.lone_prompt_is_one();
    }

    /// The line editor has all of what was typed.
    pub(super) fn typing_ends(&mut self, view: View<'_>) {
        self.follow(view);
        self.echo.typing_ends(view);
    }

    /// What was typed became no command, though it was a whole `line` of one; whether the shell said
    /// anything of it.
    pub(super) fn command_fails(&mut self, view: View<'_>, line: bool) -> bool {
        self.follow(view);
        self.echo.command_fails(view, line)
    }

    /// What stands behind the prompt, where that is known.
    pub(super) fn standing(&mut self, view: View<'_>) -> Option<String> {
        self.follow(view);
        self.echo.standing(view)
    }

    /// A command starts: what comes now is its output; whether the shell said anything before.
    pub(super) fn command_starts(&mut self, view: View<'_>, command: Option<&str>) -> bool {
        self.follow(view);
        self.echo.command_starts(view, command)
    }

    /// Takes what came since the last time, the end of it where it is longer than `most` bytes.
    /// `place` names the rest in arguments.
    pub(super) fn take(&mut self, view: View<'_>, most: usize, place: &Place) -> Taken {
        self.follow(view);
        let current = self.current(view);
        let has_current = current.is_some();
        self.frozen.extend(current);
        self.settle(view);
        let (mut taken, is_last_cut) = self.take_all(most, place);
        taken.needs_block = has_current && is_last_cut;
        taken
    }

    /// Takes what is in blocks since the last time.
    pub(super) fn take_frozen(&mut self, most: usize, place: &Place) -> Taken {
        self.take_all(most, place).0
    }

    /// Takes all pieces; whether something of the last one was left out.
    fn take_all(&mut self, most: usize, place: &Place) -> (Taken, bool) {
        let mut pieces: Vec<_> = self.frozen.drain(..).collect();
        let mut room = most;
        for piece in pieces.iter_mut().rev() {
            piece.shorten(room);
            // A newline between two pieces counts as well.
            room = room.saturating_sub(piece.text.len() + 1);
        }
        let is_cut = |piece: &Piece| piece.shown > piece.from || piece.cut > 0;
        let omitted: Vec<_> = pieces.iter().flat_map(|piece| piece.omitted(place)).collect();
        let texts: Vec<_> = pieces
            .iter()
            .filter(|piece| piece.has_text())
            .map(|piece| piece.text.as_str())
            .collect();
        let parts = pieces.iter().map(Piece::part).collect();
        let forgotten = std::mem::take(&mut self.forgotten);
        let shown = Shown {
            viewport: texts.join("\n"),
            is_screen: false,
            truncated: !omitted.is_empty() || forgotten > 0,
            omitted,
            lines_again: pieces.first().map_or(0, |piece| piece.again),
            bell: self.take_bell(),
        };
        let lost = std::mem::take(&mut self.lost);
        let is_last_cut = pieces.last().is_some_and(is_cut);
        (Taken { shown, parts, needs_block: false, forgotten, lost }, is_last_cut)
    }

    /// Whether the bell rang since the last answer.
    pub(super) fn take_bell(&mut self) -> bool {
        std::mem::take(&mut self.bell)
    }

    /// Counts lines from another one on where some were dropped.
    fn follow(&mut self, view: View<'_>) {
        let gone = view.dropped.saturating_sub(self.dropped);
        self.dropped = view.dropped;
        self.lost += gone.saturating_sub(self.delivered);
        self.delivered = self.delivered.saturating_sub(gone);
        self.tail.retain(|(line, _)| *line > gone);
        self.tail.iter_mut().for_each(|(line, _)| *line -= gone);
        self.echo.follow(gone);
    }

    /// Lines of the view that are new, or that changed since they were in an answer.
    fn current(&self, view: View<'_>) -> Option<Piece> {
        let wanted = self.tail.first().map_or(self.delivered + 1, |&(line, _)| line);
        let (first, lines) = lines_from(view, wanted);
        let text_of = |line: u64| {
            let index = usize::try_from(line.checked_sub(first)?).ok()?;
            lines.get(index)
        };
        let changed = self.tail.iter().find(|&&(line, before)| {
            line >= first && text_of(line).is_none_or(|text| hash(text) != before)
        });
        let from = changed.map_or(self.delivered + 1, |&(line, _)| line);
        let to = first + lines.len() as u64 - 1;
        if to < from {
            return None;
        }
        let shown = from.max(first);
        let index = usize::try_from(shown - first).unwrap_or(usize::MAX);
        let mut piece = Piece {
            block_id: view.block_id.to_owned(),
            from,
            to,
            shown,
            cut: 0,
            text: lines.get(index..).unwrap_or_default().join("\n"),
            again: self.again(from, text_of(self.delivered)),
            echo: self.echo.regions(view, first, &lines),
            is_earlier: false,
        };
        piece.shorten(MOST_KEPT);
        Some(piece)
    }

    /// How many of the lines from one on were in an answer and have changed since. A last line that
    /// only goes on has not.
    fn again(&self, from: u64, last: Option<&String>) -> u64 {
        let goes_on =
            from == self.delivered && last.is_some_and(|text| text.starts_with(&self.last));
        if goes_on { 0 } else { (self.delivered + 1).saturating_sub(from) }
    }

    /// All lines of the view are in an answer now.
    fn settle(&mut self, view: View<'_>) {
        let screen = view.screen.normal();
        let mut line = first_line(view);
        for index in 1..=screen.scrollback_len() {
            line += u64::from(!screen.row(index).is_wrapped());
        }
        let (first, lines) = lines_from(view, line);
        self.delivered = (first + lines.len() as u64 - 1).max(first - 1);
        self.tail = (first..).zip(lines.iter().map(|text| hash(text))).collect();
        let last = lines.last().map(|line| text::prefix(line, LONGEST_LAST));
        self.last = last.unwrap_or_default().to_owned();
    }
}

impl Piece {
    /// Where it is.
    fn part(&self) -> Part {
        let Self { from, to, shown, is_earlier, .. } = *self;
        Part {
            block_id: self.block_id.clone(),
            from,
            to,
            shown,
            is_cut: self.cut > 0,
            echo: self.echo.clone(),
            is_earlier,
        }
    }

    fn has_text(&self) -> bool {
        self.shown <= self.to
    }

    /// Takes text away at the beginning until it is at most so many bytes.
    fn shorten(&mut self, most: usize) {
        if self.text.len() <= most || !self.has_text() {
            return;
        }
        let mut start = self.text.len() - most;
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        // At a line, where one begins in what is left.
        let newline = memchr::memchr(b'\n', &self.text.as_bytes()[start.saturating_sub(1)..]);
        if let Some(newline) = newline {
            let start = start.saturating_sub(1) + newline + 1;
            let gone = self.text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
            self.shown += gone as u64;
            self.cut = 0;
            self.text.drain(..start);
        } else if start == self.text.len() {
            self.shown = self.to + 1;
            self.cut = 0;
            self.text.clear();
        } else {
            // Inside of the last line.
            let head = &self.text[..start];
            let line = head.rfind('\n').map_or(0, |newline| newline + 1);
            let gone = head.bytes().filter(|&byte| byte == b'\n').count() as u64;
            let before = if gone > 0 { 0 } else { self.cut };
            self.cut = before + head[line..].chars().count() as u64;
            self.shown += gone;
            self.text.drain(..start);
        }
    }

    /// Where what is left out is.
    fn omitted(&self, place: &Place) -> Vec<Omitted> {
        let part = |from: u64, to: u64, chars: Option<u64>| {
            let Self { block_id, .. } = self;
            let arguments = place.arguments(block_id, (from, to), chars);
            Omitted { block_id: block_id.clone(), from, to, chars, arguments }
        };
        let lines = (self.shown > self.from).then(|| part(self.from, self.shown - 1, None));
        let rest = (self.cut > 0).then(|| part(self.shown, self.shown, Some(self.cut)));
        lines.into_iter().chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Scrollback, Size};

    const SIZE: Size = Size { cols: 20, rows: 4 };

    fn place() -> Place {
        Place::named("t")
    }

    struct Fixture {
        screen: Screen,
        delivery: Delivery,
        block: &'static str,
    }

    impl Fixture {
        fn new() -> Self {
            let screen = Screen::new(SIZE, Scrollback::Unlimited);
            Self { screen, delivery: Delivery::default(), block: "block-1" }
        }

        fn take_most(&mut self, shown: &str, most: usize) -> Taken {
            self.screen.feed(shown.as_bytes());
            let view =
                View { screen: &self.screen, lines_before: 0, dropped: 0, block_id: self.block };
            self.delivery.take(view, most, &place())
        }

        fn take(&mut self, shown: &str) -> String {
            let taken = self.take_most(shown, MOST_KEPT);
            assert!(!taken.shown.truncated && !taken.needs_block, "{taken:?}");
            taken.shown.viewport
        }

        fn freeze(&mut self, next: &'static str) {
            let view =
                View { screen: &self.screen, lines_before: 0, dropped: 0, block_id: self.block };
            let piece = self.delivery.next_piece(view);
            self.delivery.freeze(piece);
            self.screen.restart();
            self.block = next;
        }
    }

    #[test]
    fn each_answer_has_what_is_new() {
        let mut fixture = Fixture::new();
        assert_eq!(fixture.take(""), "");
        assert_eq!(fixture.take("one\r\ntwo\r\n"), "one\ntwo");
        assert_eq!(fixture.take(""), "");
        assert_eq!(
            fixture.take("\r\nfour is wrapped over two rows\r\nfive"),
            "\nfour is wrapped over two rows\nfive"
        );
        for number in 6..40 {
            let shown = format!("\r\n{number}");
            assert_eq!(fixture.take(&shown), number.to_string());
        }
    }

    #[test]
    fn what_changed_comes_again() {
        let mut fixture = Fixture::new();
        assert_eq!(fixture.take("one\r\nabc"), "one\nabc");
        let taken = fixture.take_most("def", MOST_KEPT);
        assert_eq!((taken.shown.viewport.as_str(), taken.shown.lines_again), ("abcdef", 0));
        assert_eq!(fixture.take("\r10%   "), "10%");
        let taken = fixture.take_most("\r100%\r\ndone\r\n", MOST_KEPT);
        assert_eq!(taken.shown.viewport, "100%\ndone");
        assert_eq!(taken.shown.lines_again, 1);
        let taken = fixture.take_most("\x1b[2J\x1b[Hnew", MOST_KEPT);
        assert_eq!((taken.shown.viewport.as_str(), taken.shown.lines_again), ("new", 3));
        assert_eq!(fixture.take(""), "");
    }

    #[test]
    fn blocks_that_were_made_meanwhile_come_first() {
        let mut fixture = Fixture::new();
        assert_eq!(fixture.take("one\r\n"), "one");
        fixture.screen.feed(b"two\r\n");
        fixture.freeze("block-2");
        fixture.screen.feed(b"three\r\n");
        fixture.freeze("block-3");
        assert_eq!(fixture.take("four"), "two\nthree\nfour");
        assert_eq!(fixture.take(""), "");
    }

    #[test]
    fn a_cut_names_the_rest() {
        let mut fixture = Fixture::new();
        fixture.take("zero\r\n");
        let taken = fixture.take_most("one\r\ntwo\r\nthree\r\nfour", 11);
        assert_eq!(taken.shown.viewport, "three\nfour");
        assert!(taken.needs_block);
        let omitted = &taken.shown.omitted;
        assert_eq!(omitted.len(), 1);
        assert_eq!((omitted[0].from, omitted[0].to, omitted[0].chars), (2, 3, None));
        assert_eq!(omitted[0].arguments, "t block-1@2:3 --no-squeeze");
        // Inside of a line where one alone is too long.
        let taken = fixture.take_most("\r\nlast\r\nééééé", 4);
        assert_eq!(taken.shown.viewport, "éé");
        let parts: Vec<_> = taken.shown.omitted.iter().map(|o| (o.from, o.to, o.chars)).collect();
        assert_eq!(parts, [(6, 6, None), (7, 7, Some(3))]);
        assert_eq!(fixture.take_most("", 4).shown.viewport, "");
    }

    #[test]
    fn a_cut_over_several_blocks_names_them_all() {
        let mut fixture = Fixture::new();
        fixture.screen.feed(b"one\r\n");
        fixture.freeze("block-2");
        fixture.screen.feed(b"two\r\nthree\r\n");
        fixture.freeze("block-3");
        let taken = fixture.take_most("four", 10);
        assert_eq!(taken.shown.viewport, "three\nfour");
        assert!(!taken.needs_block);
        let names: Vec<_> =
            taken.shown.omitted.iter().map(|o| (o.block_id.as_str(), o.from, o.to)).collect();
        assert_eq!(names, [("block-1", 1, 1), ("block-2", 1, 1)]);
    }

    #[test]
    fn what_is_in_a_block_needs_no_other() {
        let mut fixture = Fixture::new();
        fixture.screen.feed(b"one\r\ntwo\r\n");
        fixture.freeze("block-2");
        fixture.screen.feed(b"prompt");
        let taken = fixture.delivery.take_frozen(3, &place());
        assert_eq!((taken.shown.viewport.as_str(), taken.needs_block), ("two", false));
        assert_eq!(taken.shown.omitted.len(), 1);
    }

    #[test]
    fn lines_beyond_memory_are_counted() {
        let mut fixture = Fixture::new();
        fixture.screen.feed(b"in memory\r\nand this\r\n");
        let view = View { screen: &fixture.screen, lines_before: 700, dropped: 0, block_id: "b" };
        let taken = fixture.delivery.take(view, MOST_KEPT, &place());
        assert_eq!(taken.shown.viewport, "in memory\nand this");
        assert_eq!(taken.shown.omitted[0].arguments, "t b@1:700 --no-squeeze");
        assert!(taken.needs_block);
        // Of 900 more lines the first 800 are dropped, 98 of which were in no answer.
        fixture.screen.feed(b"last\r\n");
        let view = View { screen: &fixture.screen, lines_before: 800, dropped: 800, block_id: "b" };
        let taken = fixture.delivery.take(view, MOST_KEPT, &place());
        assert_eq!(taken.lost, 98);
        assert_eq!(taken.shown.omitted[0].arguments, "t b@1:800 --no-squeeze");
        assert_eq!(taken.shown.viewport, "in memory\nand this\nlast");
    }
}
