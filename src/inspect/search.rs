//! Lines of a text that match a pattern, with lines around them.

use std::collections::VecDeque;

use regex::{Regex, RegexBuilder};
use thiserror::Error;

use crate::text;

/// What a line must hold.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// A text that is no pattern.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("invalid pattern: {pattern} ({reason})")]
pub struct PatternError {
    /// What was given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Pattern {
    /// A regular expression of the regex crate, or with `is_fixed` the text itself.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn new(pattern: &str, is_fixed: bool, ignore_case: bool) -> Result<Self, PatternError> {
        let expression = if is_fixed { regex::escape(pattern) } else { pattern.to_owned() };
        let built = RegexBuilder::new(&expression).case_insensitive(ignore_case).build();
        built.map(Self).map_err(|error| {
            let message = error.to_string();
            // It draws the place over several lines, and says what is wrong there on the last one.
            let last = message.lines().next_back().unwrap_or_default();
            let reason = last.strip_prefix("error: ").unwrap_or(last).to_owned();
            PatternError { pattern: pattern.to_owned(), reason }
        })
    }
}

/// Lines around a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Before it.
    pub before: usize,
    /// After it.
    pub after: usize,
}

impl Context {
    /// Whether any lines are asked for.
    pub fn is_some(&self) -> bool {
        self.before > 0 || self.after > 0
    }
}

/// A search through the lines of one text after the other.
#[derive(Clone, Debug)]
pub struct Search {
    /// What a line must hold.
    pub pattern: Pattern,
    /// Lines to show around a match.
    pub context: Context,
    /// Matching lines after which the rest of a text is left alone.
    pub max_count: Option<usize>,
}

/// One line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// Counted from 1.
    pub number: usize,
    /// Code points of it that were left out before `text`.
    pub skip: usize,
    /// What to search.
    pub text: &'t str,
}

/// What a search shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit<'t> {
    /// A line that matches, and the bytes of its first match.
    Match(Line<'t>, (usize, usize)),
    /// A line near one.
    Near(Line<'t>),
    /// Lines are left out here, between two that are shown; said only where lines around matches
    /// are asked for.
    Gap,
}

impl Search {
    /// Calls `show` for every line that is to be shown, in order; returns how many of them match.
    ///
    /// # Errors
    /// What `show` returns, at once.
    pub fn run<'t, E>(
        &self,
        lines: impl IntoIterator<Item = Line<'t>>,
        mut show: impl FnMut(Hit<'t>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut matches = 0;
        let mut before: VecDeque<Line<'t>> = VecDeque::new();
        let mut after = 0;
        let mut last_shown: Option<usize> = None;
        for line in lines {
            let is_full = self.max_count.is_some_and(|most| matches >= most);
            if is_full && after == 0 {
                break;
            }
            let found = if is_full { None } else { self.pattern.0.find(line.text) };
            if let Some(found) = found {
                let first = before.front().map_or(line.number, |line| line.number);
                if last_shown.is_some_and(|last| last + 1 < first) && self.context.is_some() {
                    show(Hit::Gap)?;
                }
                before.drain(..).try_for_each(|line| show(Hit::Near(line)))?;
                show(Hit::Match(line, (found.start(), found.end())))?;
                matches += 1;
                after = self.context.after;
                last_shown = Some(line.number);
            } else if after > 0 {
                show(Hit::Near(line))?;
                after -= 1;
                last_shown = Some(line.number);
            } else if self.context.before > 0 {
                if before.len() == self.context.before {
                    before.pop_front();
                }
                before.push_back(line);
            }
        }
        Ok(matches)
    }
}

/// Part of a line that is too long to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<'t> {
    /// Code points before it.
    pub before: usize,
    /// The part.
    pub shown: &'t str,
    /// Code points after it.
    pub after: usize,
}

impl<'t> Window<'t> {
    /// At most `budget` code points of `text`, the byte `at` among them with a little of what is
    /// before it.
    pub fn around(text: &'t str, at: usize, budget: usize) -> Self {
        let total = text.chars().count();
        if total <= budget {
            return Self { before: 0, shown: text, after: 0 };
        }
        let until = text.get(..at).unwrap_or(text).chars().count();
        let before = until.saturating_sub(budget / 4).min(total - budget);
        let start = text::prefix(text, before).len();
        let shown = text::prefix(text.get(start..).unwrap_or(""), budget);
        Self { before, shown, after: total - before - budget }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `3:` is a match, `3-` a line near one.
    fn found(text: &str, context: Context, max_count: Option<usize>) -> (Vec<String>, usize) {
        let search =
            Search { pattern: Pattern::new("x", false, false).unwrap(), context, max_count };
        let lines = text.split('\n').zip(1..).map(|(text, number)| Line { number, skip: 0, text });
        let mut shown = Vec::new();
        let count = search.run(lines, |hit| {
            shown.push(match hit {
                Hit::Match(line, _) => format!("{}:", line.number),
                Hit::Near(line) => format!("{}-", line.number),
                Hit::Gap => "--".to_owned(),
            });
            Ok::<_, ()>(())
        });
        (shown, count.unwrap())
    }

    #[test]
    fn context_and_gaps_are_grep_s() {
        let text = "x\na\nb\nc\nx\nx\nd\ne\nf\ng\nx";
        let around = |before, after| found(text, Context { before, after }, None).0.join(" ");
        assert_eq!(around(0, 0), "1: 5: 6: 11:");
        assert_eq!(around(1, 1), "1: 2- -- 4- 5: 6: 7- -- 10- 11:");
        assert_eq!(around(2, 1), "1: 2- 3- 4- 5: 6: 7- -- 9- 10- 11:");
        assert_eq!(around(0, 9), "1: 2- 3- 4- 5: 6: 7- 8- 9- 10- 11:");
    }

    #[test]
    fn after_the_last_one_counted_only_its_context_follows() {
        let text = "x\nx\na\nx\nb";
        assert_eq!(found(text, Context::default(), Some(1)), (vec!["1:".to_owned()], 1));
        let (shown, count) = found(text, Context { before: 1, after: 2 }, Some(2));
        assert_eq!((shown.join(" ").as_str(), count), ("1: 2: 3- 4-", 2));
    }

    #[test]
    fn patterns_are_checked() {
        assert!(Pattern::new("a(", true, false).unwrap().0.is_match("a(b"));
        assert!(Pattern::new("Ä+", false, true).unwrap().0.is_match("xää"));
        let error = Pattern::new("a(", false, false).unwrap_err();
        assert_eq!(error.to_string(), "invalid pattern: a( (unclosed group)");
        assert!(Pattern::new("(a{1000}){1000}", false, false).is_err());
    }

    proptest! {
        #[test]
        fn a_window_holds_the_match_and_counts_the_rest(
            head in "[aä🍏]{0,30}", tail in "[aä🍏]{0,30}", budget in 1usize..20,
        ) {
            let text = format!("{head}x{tail}");
            let window = Window::around(&text, head.len(), budget);
            prop_assert!(window.shown.contains('x'));
            let shown = window.shown.chars().count();
            prop_assert!(shown <= budget);
            prop_assert_eq!(window.before + shown + window.after, text.chars().count());
            let start = text::prefix(&text, window.before).len();
            prop_assert!(text[start..].starts_with(window.shown));
        }
    }
}
