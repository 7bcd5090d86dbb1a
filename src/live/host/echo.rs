//! What in the lines of a block is a prompt and what was typed at it, and so no output.
//!
//! The shell says where its prompt begins and ends and when a command starts; what stands between is
//! what was typed. Lines that became other ones since, as after `clear`, are output again.

use super::view::{View, first_line, hash, lines_from};
use crate::live::wire::Region;

/// Most lines of a command that are known again.
const MOST_LINES: u64 = 10_000;
/// Most places of one block.
const MOST_PLACES: usize = 100;
/// Most columns that zsh leaves behind a right prompt.
const INDENT: usize = 2;

/// The prompt and what was typed, in the lines of the block to come.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// Where a prompt begins that is not there yet.
    begins: Option<Spot>,
    /// The prompt that stands there.
    prompt: Option<Place>,
    /// Whether all of it is there. fish says only where it begins.
    is_drawn: bool,
    /// Where something was typed, where that is not behind the prompt.
    typed: Option<Spot>,
    /// Where the last prompt for more of it ends, while the shell wants more.
    more: Option<Spot>,
    /// Where the line editor had all of what was typed: what comes there the shell says.
    entered: Option<Spot>,
    /// What may be a prompt, while a command runs.
    lone: Option<Place>,
    /// Older prompts, and what was typed at them.
    past: Vec<Place>,
}

/// A place in the text of a block: its line, and the code points before it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) line: u64,
    pub(super) chars: u64,
}

/// The text between two spots, and what tells whether it still stands there.
#[derive(Debug)]
struct Place {
    from: Spot,
    to: Spot,
    lines: Vec<u64>,
    /// What stands at the other end of its last line.
    right: Option<String>,
}

impl Echo {
    /// A prompt comes now.
    pub(super) fn prompt_begins(&mut self, view: View<'_>) {
        self.begins = cursor(view);
    }

    /// The prompt is there, all of it if it is `drawn`.
    pub(super) fn prompt_ends(&mut self, view: View<'_>, is_drawn: bool) {
        let begins = self.begins.take();
        let old = self.prompt.take();
        (self.typed, self.more, self.is_drawn) = (None, None, is_drawn);
        (self.entered, self.lone) = (None, None);
        let prompt = Place::of_prompt(view, begins);
        // One that was drawn anew where it stood is the same.
        if let (Some(old), Some(new)) = (old, &prompt)
            && old.to <= new.from
        {
            self.add(old);
        }
        self.prompt = prompt;
    }

    /// What may be the prompt is there.
    pub(super) fn lone_prompt_ends(&mut self, view: View<'_>) {
        let begins = self.begins.take();
        self.lone = Place::of_prompt(view, begins);
    }

    /// It is one.
    pub(super) fn lone_prompt_is_one(&mut self) {
        if let Some(lone) = self.lone.take() {
            (self.typed, self.more, self.entered, self.is_drawn) = (None, None, None, true);
            let old = self.prompt.replace(lone);
            old.into_iter().for_each(|old| self.add(old));
        }
    }

    /// The line editor has all of what was typed.
    pub(super) fn typing_ends(&mut self, view: View<'_>) {
        let line = |spot: Spot| Spot { line: spot.line + 1, chars: 0 };
        // zsh goes to the next line after that.
        self.entered = cursor(view).map(|here| if here.chars > 0 { line(here) } else { here });
    }

    /// Something is about to be typed; `is_told` where an answer has the line as it is.
    pub(super) fn typing_begins(&mut self, view: View<'_>, is_told: bool) {
        let here = cursor(view);
        if let (Some(here), None) = (here, &self.prompt) {
            // A prompt of which the shell said nothing.
            self.typed = Some(Spot { chars: 0, ..here });
        }
        let (Some(here), Some(prompt), true) = (here, &self.prompt, self.is_drawn) else {
            return;
        };
        if here == prompt.to || (is_told && here.line == prompt.to.line) {
            return;
        }
        // Something was printed behind the prompt.
        self.typed = Some(if is_told { Spot { chars: 0, ..here } } else { here });
        let prompt = self.prompt.take();
        self.past.extend(prompt);
    }

    /// The shell wants more of what was typed.
    pub(super) fn more_is_wanted(&mut self, view: View<'_>) {
        self.more = cursor(view);
        self.entered = None;
    }

    /// A command starts: what comes now is its output, and so is what the shell said before that.
    /// Whether it said anything. The line that it made of what was typed is nothing of the kind.
    pub(super) fn command_starts(&mut self, view: View<'_>, command: Option<&str>) -> bool {
        // Of several commands that were typed as one only the first one has a prompt.
        let from = self.typed.take().or(self.prompt.take().map(|prompt| prompt.from));
        self.more = None;
        let said = self.said(view).filter(|(_, said)| command != Some(said.as_str()));
        self.entered = None;
        if let (Some(from), Some(to)) = (from, cursor(view)) {
            let to = said.as_ref().map_or(to, |(begin, _)| *begin);
            self.past_until(view, from, to);
        }
        said.is_some()
    }

    /// What the shell said since it has all of what was typed, and where that begins.
    fn said(&self, view: View<'_>) -> Option<(Spot, String)> {
        let (entered, here) = (self.entered?, cursor(view)?);
        let count = usize::try_from(here.line.checked_sub(entered.line)?).ok()?;
        let (first, lines) = lines_from(view, entered.line);
        let last = lines.get(count).map(|line| line.chars().take(here.index()).collect::<String>());
        let mut lines: Vec<&str> = lines.iter().take(count).map(String::as_str).collect();
        lines.extend(last.as_deref());
        let text = lines.join("\n").trim_end().to_owned();
        (first == entered.line && !text.is_empty()).then_some((entered, text))
    }

    /// What was typed became no command: what was said of that is output, and so is what was typed
    /// last unless it was a whole `line`. Whether anything was said.
    pub(super) fn command_fails(&mut self, view: View<'_>, line: bool) -> bool {
        let said = self.said(view).filter(|_| line);
        let entered = self.entered.take();
        let prompt = self.prompt.take();
        let more = self.more.take();
        let typed = self.typed.take().map(|typed| (typed, typed));
        let begun = typed.or(prompt.as_ref().map(|prompt| (prompt.from, prompt.to)));
        if let Some(prompt) = prompt.filter(|_| !line && more.is_none()) {
            self.add(prompt);
        } else if let (Some((from, to)), Some(here)) = (begun, cursor(view)) {
            let to = more.unwrap_or(to);
            let next = Spot { line: to.line + 1, chars: 0 };
            let behind = entered.filter(|entered| *entered >= to).unwrap_or(next);
            self.past_until(view, from, if line { behind.min(here) } else { to });
        }
        said.is_some()
    }

    fn past_until(&mut self, view: View<'_>, from: Spot, to: Spot) {
        if let Some(place) = Place::new(view, from, to) {
            self.add(place);
        }
    }

    fn add(&mut self, place: Place) {
        self.past.push(place);
        if self.past.len() > MOST_PLACES {
            self.past.remove(0);
        }
    }

    /// The view has become a block. A prompt that stood there stands in it.
    pub(super) fn freeze(&mut self) {
        let stands = self.prompt.is_some() || self.typed.is_some();
        let top = Spot { line: 1, chars: 0 };
        *self = Self {
            prompt: stands.then(|| Place { from: top, to: top, lines: Vec::new(), right: None }),
            is_drawn: self.is_drawn,
            more: self.more.filter(|_| stands).map(|_| top),
            ..Self::default()
        };
    }

    /// Lines at the beginning are no part of the block any more.
    pub(super) fn follow(&mut self, gone: u64) {
        if gone == 0 {
            return;
        }
        let shifted = |spot: Spot| {
            let line = spot.line.checked_sub(gone).filter(|line| *line > 0)?;
            Some(Spot { line, ..spot })
        };
        let moved = |place: Place| {
            Some(Place { from: shifted(place.from)?, to: shifted(place.to)?, ..place })
        };
        self.begins = self.begins.and_then(shifted);
        self.prompt = self.prompt.take().and_then(moved);
        self.typed = self.typed.and_then(shifted);
        self.more = self.more.and_then(shifted);
        self.entered = self.entered.and_then(shifted);
        self.lone = self.lone.take().and_then(moved);
        self.past = std::mem::take(&mut self.past).into_iter().filter_map(moved).collect();
    }

    /// What is no output, as far as it still is what it was. `lines` are those in memory, from line
    /// `first` on.
    pub(super) fn regions(&self, view: View<'_>, first: u64, lines: &[String]) -> Vec<Region> {
        let mut regions: Vec<Region> = Vec::new();
        let mut add = |from: Spot, to: Spot| {
            let end = regions.last().map_or((0, 0), |last| last.to);
            let region = Region { from: (from.line, from.chars), to: (to.line, to.chars) };
            if region.from >= end && region.from < region.to {
                regions.push(region);
            }
        };
        for place in self.past.iter().filter(|place| place.is_there(first, lines)) {
            add(place.from, place.to);
            place.right_region(first, lines).into_iter().for_each(|(from, to)| add(from, to));
        }
        let begins = self.typed.or(self.prompt.as_ref().map(|prompt| prompt.from));
        match (begins, cursor(view)) {
            (Some(from), Some(to)) if self.more.is_some() => add(from, to),
            _ => {
                let prompt = self.prompt.as_ref().filter(|_| self.is_drawn);
                if let Some(prompt) = prompt.filter(|prompt| prompt.is_there(first, lines)) {
                    add(prompt.from, prompt.to);
                    let right = prompt.right_region(first, lines);
                    right.into_iter().for_each(|(from, to)| add(from, to));
                }
            }
        }
        regions
    }

    /// What stands behind the prompt, where that is known.
    pub(super) fn standing(&self, view: View<'_>) -> Option<String> {
        let prompt = self.prompt.as_ref().filter(|_| self.is_drawn && self.more.is_none())?;
        let (first, lines) = lines_from(view, prompt.from.line);
        if !prompt.is_there(first, &lines) {
            return None;
        }
        let index = usize::try_from(prompt.to.line.checked_sub(first)?).ok()?;
        let Some((line, rest)) = lines.get(index..).and_then(<[_]>::split_first) else {
            return Some(String::new());
        };
        let right = prompt.right_region(first, &lines).map(|(from, _)| from.index());
        let count = right.unwrap_or(usize::MAX).saturating_sub(prompt.to.index());
        let behind: String = line.chars().skip(prompt.to.index()).take(count).collect();
        let lines = std::iter::once(behind.as_str()).chain(rest.iter().map(String::as_str));
        Some(lines.collect::<Vec<_>>().join("\n"))
    }
}

impl Spot {
    fn index(self) -> usize {
        usize::try_from(self.chars).unwrap_or(usize::MAX)
    }
}

impl Place {
    /// That of a prompt which stands before the cursor.
    fn of_prompt(view: View<'_>, begins: Option<Spot>) -> Option<Self> {
        let to = cursor(view)?;
        let line = Spot { line: to.line, chars: 0 };
        let from = begins.filter(|from| *from <= to).unwrap_or(line);
        let right = right_prompt(view, to);
        Self::new(view, from, to).map(|place| Self { right, ..place })
    }

    fn new(view: View<'_>, from: Spot, to: Spot) -> Option<Self> {
        if to < from || to.line - from.line > MOST_LINES {
            return None;
        }
        let (first, lines) = lines_from(view, from.line);
        let is_known = first == from.line || lines.is_empty();
        let hashes = (from.line..=to.line).map(|line| line_hash(line, to, from.line, &lines));
        is_known.then(|| Self { from, to, lines: hashes.collect(), right: None })
    }

    /// Whether it is as it was. What left the screen cannot change.
    fn is_there(&self, first: u64, lines: &[String]) -> bool {
        (self.from.line..)
            .zip(&self.lines)
            .all(|(line, before)| line < first || line_hash(line, self.to, first, lines) == *before)
    }
}

impl Place {
    /// What stands at the other end of its last line, with the blanks before it.
    fn right_region(&self, first: u64, lines: &[String]) -> Option<(Spot, Spot)> {
        let index = usize::try_from(self.to.line.checked_sub(first)?).ok()?;
        let text = lines.get(index)?;
        let before = text.strip_suffix(self.right.as_deref()?)?.trim_end_matches(' ');
        let spot = |text: &str| Spot { chars: text.chars().count() as u64, ..self.to };
        Some((spot(before).max(self.to), spot(text)))
    }
}

/// What stands at the other end of the line where a prompt ends, in zsh: all the way at the right,
/// with a gap before it.
fn right_prompt(view: View<'_>, to: Spot) -> Option<String> {
    let screen = view.screen;
    let row = screen.normal().row(screen.normal().scrollback_len() + screen.cursor().row);
    if row.content_width() + INDENT < screen.size().cols.into() {
        return None;
    }
    let (first, lines) = lines_from(view, to.line);
    let line = lines.first().filter(|_| first == to.line)?;
    let behind: String = line.chars().skip(to.index()).collect();
    let text = behind.trim_start_matches(' ');
    (text.len() < behind.len() && !text.is_empty()).then(|| text.to_owned())
}

/// What tells a line up to a spot from others. Empty ones at the end are not there.
fn line_hash(line: u64, to: Spot, first: u64, lines: &[String]) -> u64 {
    let index = usize::try_from(line - first).unwrap_or(usize::MAX);
    let text = lines.get(index).map_or("", String::as_str);
    if line < to.line {
        return hash(text);
    }
    // Blanks at the end count only where something follows them.
    let end = text.char_indices().nth(to.index()).map_or(text.len(), |(end, _)| end);
    hash(text[..end].trim_end_matches(' '))
}

/// Where the cursor is on the normal screen; none where the beginning of its line is not in memory.
pub(super) fn cursor(view: View<'_>) -> Option<Spot> {
    let screen = view.screen;
    if screen.is_alternate() {
        return None;
    }
    let (normal, cursor) = (screen.normal(), screen.cursor());
    let row = normal.scrollback_len() + cursor.row;
    let begun = (1..=row).filter(|&index| !normal.row(index).is_wrapped()).count() as u64;
    let begin = (0..=row).rev().find(|&index| !normal.row(index).is_wrapped())?;
    let mut before = String::new();
    (begin..row).for_each(|index| normal.row(index).push_text(&mut before));
    for cell in normal.row(row).cells().filter(|cell| cell.column() < cursor.col) {
        match cell.is_null() {
            true => before.push(' '),
            false => cell.push_text(&mut before),
        }
    }
    Some(Spot { line: first_line(view) + begun, chars: before.chars().count() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Scrollback, Size};

    fn view(screen: &Screen) -> View<'_> {
        View { screen, lines_before: 0, dropped: 0, block_id: "b" }
    }

    /// What of a screen is no output.
    fn regions(echo: &Echo, screen: &Screen) -> Vec<((u64, u64), (u64, u64))> {
        let (first, lines) = lines_from(view(screen), 1);
        let regions = echo.regions(view(screen), first, &lines);
        regions.iter().map(|region| (region.from, region.to)).collect()
    }

    /// The same after a prompt, what was printed behind it, what was typed there, and output.
    fn echo(
        prompt: &str,
        printed: &str,
        typed: &str,
        output: &str,
    ) -> Vec<((u64, u64), (u64, u64))> {
        let mut screen = Screen::new(Size { cols: 10, rows: 4 }, Scrollback::Unlimited);
        let mut echo = Echo::default();
        echo.prompt_begins(view(&screen));
        screen.feed(prompt.as_bytes());
        echo.prompt_ends(view(&screen), true);
        screen.feed(printed.as_bytes());
        echo.typing_begins(view(&screen), false);
        screen.feed(typed.as_bytes());
        if typed.ends_with('\n') {
            echo.command_starts(view(&screen), None);
        }
        screen.feed(output.as_bytes());
        regions(&echo, &screen)
    }

    #[test]
    fn a_prompt_and_what_is_typed_at_it_are_no_output() {
        assert_eq!(echo("$ ", "", "", ""), [((1, 0), (1, 2))]);
        assert_eq!(echo("$ ", "", "ls", ""), [((1, 0), (1, 2))], "what waits for Enter is shown");
        assert_eq!(echo("$ ", "", "ls\r\n", "a\r\nb"), [((1, 0), (2, 0))]);
        assert_eq!(echo("$ ", "", "a command of two rows\r\n", "a"), [((1, 0), (2, 0))]);
        assert_eq!(echo("", "", "a\r\n", ""), [((1, 0), (2, 0))]);
        let output = "c\r\n".repeat(9);
        assert_eq!(echo("$ ", "", "a\r\nb\r\n", &output), [((1, 0), (3, 0))]);
    }

    #[test]
    fn a_prompt_has_many_lines() {
        assert_eq!(echo("\r\n\u{6f22} ~/here it wraps\r\n> ", "", "", ""), [((1, 0), (3, 2))]);
        assert_eq!(echo("\r\none\r\n> ", "", "ls\r\n", "a"), [((1, 0), (4, 0))]);
        let both = [((1, 0), (2, 2)), ((2, 7), (3, 0))];
        assert_eq!(echo("one\r\n> ", "late ", "ls\r\n", "a"), both);
    }

    #[test]
    fn what_was_printed_behind_a_prompt_is_output() {
        assert_eq!(echo("$ ", "job\r\n", "ls\r\n", "a"), [((1, 0), (1, 2)), ((2, 0), (3, 0))]);
        assert_eq!(echo("$ ", "job", "ls\r\n", "a"), [((1, 0), (1, 2)), ((1, 5), (2, 0))]);
    }

    #[test]
    fn lines_that_became_others_are_output() {
        assert_eq!(echo("$ ", "", "clear\r\n", "\x1b[H\x1b[2J\x1b[3Jnew"), []);
    }

    #[test]
    fn a_right_prompt_is_no_output() {
        let mut screen = Screen::new(Size { cols: 20, rows: 4 }, Scrollback::Unlimited);
        let mut echo = Echo::default();
        screen.feed(b"% \x1b[12Gon the R\x1b[3G");
        echo.prompt_ends(view(&screen), true);
        assert_eq!(regions(&echo, &screen), [((1, 0), (1, 2)), ((1, 2), (1, 19))]);
        screen.feed(b"typed");
        assert_eq!(regions(&echo, &screen), [((1, 0), (1, 2)), ((1, 7), (1, 19))]);
        assert_eq!(echo.standing(view(&screen)).as_deref(), Some("typed"));
    }

    #[test]
    fn each_prompt_that_is_drawn_counts() {
        let mut screen = Screen::new(Size { cols: 20, rows: 9 }, Scrollback::Unlimited);
        let mut echo = Echo::default();
        for shown in ["$ ", "f\r\nfile1 file2\r\n$ "] {
            screen.feed(shown.as_bytes());
            echo.prompt_ends(view(&screen), true);
        }
        // In its place.
        screen.feed(b"\r$ ");
        echo.prompt_ends(view(&screen), true);
        screen.feed(b"f");
        assert_eq!(regions(&echo, &screen), [((1, 0), (1, 2)), ((3, 0), (3, 2))]);
        assert_eq!(echo.standing(view(&screen)).as_deref(), Some("f"));
        screen.feed(b"or\r\n> ");
        echo.more_is_wanted(view(&screen));
        assert_eq!(regions(&echo, &screen), [((1, 0), (1, 2)), ((3, 0), (4, 2))]);
        screen.feed(b"a^C\r\n");
        echo.command_fails(view(&screen), false);
        assert_eq!(regions(&echo, &screen), [((1, 0), (1, 2)), ((3, 0), (4, 2))]);
    }
}
