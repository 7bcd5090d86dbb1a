//! Which lines are a prompt and what was typed at it, and so no output.
//!
//! The shell says where its prompt ends and when a command starts; what stands between is what was
//! typed. Lines that became other ones since, as after `clear`, are output again.

use super::view::{View, first_line, hash, lines_from};

/// Most lines of a command that are known again.
const MOST_LINES: u64 = 1000;

/// The prompt and what was typed, in the lines of the block to come.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// Where the prompt ends.
    prompt: Option<Spot>,
    /// The line at which something was typed, where that is not the prompt's.
    typed: Option<u64>,
    /// The first line of it, and what the lines were when the command started.
    typed_lines: Option<(u64, Vec<u64>)>,
}

/// A place on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    line: u64,
    col: usize,
}

impl Echo {
    pub(super) fn prompt_ends(&mut self, view: View<'_>) {
        *self = Self { prompt: cursor(view), ..Self::default() };
    }

    pub(super) fn typing_begins(&mut self, view: View<'_>) {
        let here = cursor(view);
        // Something was printed behind the prompt.
        if here != self.prompt {
            self.typed = here.map(|spot| spot.line);
        }
    }

    pub(super) fn command_starts(&mut self, view: View<'_>) {
        // Of several commands that were typed as one only the first one has a prompt.
        let Some(from) = self.typed.or(self.prompt.map(|spot| spot.line)) else {
            return;
        };
        *self = Self::default();
        let Some(Spot { line: to, .. }) = cursor(view) else {
            return;
        };
        if to.saturating_sub(from) > MOST_LINES {
            return;
        }
        let (first, lines) = lines_from(view, from);
        if first == from {
            let count = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
            let lines = lines.iter().take(count).map(|line| hash(line)).collect();
            self.typed_lines = Some((from, lines));
        }
    }

    /// Lines at the beginning are no part of the block any more.
    pub(super) fn follow(&mut self, gone: u64) {
        if gone == 0 {
            return;
        }
        let is_there = |line: u64| line > gone;
        self.prompt = self.prompt.filter(|spot| is_there(spot.line));
        self.prompt = self.prompt.map(|spot| Spot { line: spot.line - gone, ..spot });
        self.typed = self.typed.filter(|line| is_there(*line)).map(|line| line - gone);
        self.typed_lines = self.typed_lines.take().filter(|(from, _)| is_there(*from));
        if let Some((from, _)) = &mut self.typed_lines {
            *from -= gone;
        }
    }

    /// The lines as far as they still are what they were: the first, and the one behind the last.
    /// `lines` are those in memory, from line `first` on.
    pub(super) fn lines(&self, view: View<'_>, first: u64, lines: &[String]) -> Option<(u64, u64)> {
        let Some((from, typed)) = &self.typed_lines else {
            // A prompt with nothing behind it.
            let prompt = self.prompt.filter(|prompt| cursor(view) == Some(*prompt))?;
            return Some((prompt.line, prompt.line + 1));
        };
        let is_same = |(line, before): (u64, &u64)| match line.checked_sub(first) {
            // What left the screen cannot change.
            None => true,
            Some(index) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                lines.get(index).is_some_and(|text| hash(text) == *before)
            }
        };
        let is_there = (*from..).zip(typed).all(is_same);
        is_there.then(|| (*from, *from + typed.len() as u64))
    }
}

/// Where the cursor is on the normal screen.
fn cursor(view: View<'_>) -> Option<Spot> {
    let screen = view.screen;
    if screen.is_alternate() {
        return None;
    }
    let (normal, cursor) = (screen.normal(), screen.cursor());
    let row = normal.scrollback_len() + cursor.row;
    let begun = (1..=row).filter(|&index| !normal.row(index).is_wrapped()).count() as u64;
    Some(Spot { line: first_line(view) + begun, col: cursor.col })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Scrollback, Size};

    fn view(screen: &Screen) -> View<'_> {
        View { screen, lines_before: 0, dropped: 0, block_id: "b" }
    }

    /// What of a screen is no output, after a prompt, what was printed behind it, what was typed
    /// there, and output.
    fn echo(prompt: &str, printed: &str, typed: &str, output: &str) -> Option<(u64, u64)> {
        let mut screen = Screen::new(Size { cols: 10, rows: 4 }, Scrollback::Unlimited);
        let mut echo = Echo::default();
        screen.feed(prompt.as_bytes());
        echo.prompt_ends(view(&screen));
        screen.feed(printed.as_bytes());
        echo.typing_begins(view(&screen));
        screen.feed(typed.as_bytes());
        if typed.ends_with('\n') {
            echo.command_starts(view(&screen));
        }
        screen.feed(output.as_bytes());
        let (first, lines) = lines_from(view(&screen), 1);
        echo.lines(view(&screen), first, &lines)
    }

    #[test]
    fn a_prompt_and_what_is_typed_at_it_are_no_output() {
        assert_eq!(echo("$ ", "", "", ""), Some((1, 2)));
        assert_eq!(echo("$ ", "", "ls", ""), None, "what waits for Enter is shown");
        assert_eq!(echo("$ ", "", "ls\r\n", "a\r\nb"), Some((1, 2)));
        assert_eq!(echo("$ ", "", "a command of two rows\r\n", "a"), Some((1, 2)));
        assert_eq!(echo("", "", "a\r\n", ""), Some((1, 2)));
        assert_eq!(echo("$ ", "", "a\r\nb\r\n", "c\r\n".repeat(9).as_str()), Some((1, 3)));
    }

    #[test]
    fn what_was_printed_behind_a_prompt_is_output() {
        assert_eq!(echo("$ ", "job\r\n", "ls\r\n", "a"), Some((2, 3)));
    }

    #[test]
    fn lines_that_became_others_are_output() {
        assert_eq!(echo("$ ", "", "clear\r\n", "\x1b[H\x1b[2J\x1b[3Jnew"), None);
    }
}
