//! Cutting a text to a budget of characters, so that the rest can be asked for exactly.

use crate::text;

use super::LineRange;

/// A text within its budget, and what it left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Cut<'a> {
    /// What fits.
    pub kept: &'a str,
    /// What follows, where something does.
    pub rest: Option<Rest>,
}

/// What a cut left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Lines that follow; a line cut in its middle counts as one.
    pub lines: usize,
    /// Characters that follow; the newline at the cut is not among them.
    pub chars: usize,
    /// The lines that print exactly what follows.
    pub range: LineRange,
}

/// Cuts `text`, which `range` chose, to at most `budget` characters: after the last line that fits,
/// or inside the first line where that alone is longer.
pub fn cut(text: &str, range: LineRange, budget: usize) -> Cut<'_> {
    let within = text::prefix(text, budget);
    if within.len() == text.len() {
        return Cut { kept: text, rest: None };
    }
    let after = &text[within.len()..];
    let line_end = if after.starts_with('\n') { Some(within.len()) } else { within.rfind('\n') };
    let (kept, rest, range) = match line_end {
        Some(end) => {
            let kept = &text[..end];
            let start = range.start + kept.matches('\n').count() + 1;
            (kept, &text[end + 1..], LineRange { start, skip: 0, end: range.end })
        }
        None => {
            let skip = range.skip + budget;
            (within, after, LineRange { skip, ..range })
        }
    };
    let rest = Rest { lines: rest.matches('\n').count() + 1, chars: rest.chars().count(), range };
    Cut { kept, rest: Some(rest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole() -> LineRange {
        LineRange::from(1)
    }

    #[test]
    fn cuts_after_a_whole_line_where_one_fits() {
        let found = cut("one\ntwo\nthree", whole(), 8);
        assert_eq!(found.kept, "one\ntwo");
        let rest = found.rest.unwrap();
        assert_eq!((rest.lines, rest.chars, rest.range), (1, 5, LineRange::from(3)));
        assert_eq!(cut("one\ntwo", whole(), 7).rest, None);
        assert_eq!(cut("one\ntwo\n\nx", whole(), 7).kept, "one\ntwo");
    }

    #[test]
    fn cuts_inside_a_line_that_is_longer_than_the_budget() {
        let range = LineRange { start: 4, skip: 2, end: Some(5) };
        let found = cut("äöüß\nnext", range, 3);
        assert_eq!(found.kept, "äöü");
        let rest = found.rest.unwrap();
        assert_eq!((rest.lines, rest.chars), (2, 6));
        assert_eq!(rest.range, LineRange { start: 4, skip: 5, end: Some(5) });
    }

    proptest! {
        /// Reading on from each cut gives every character once.
        #[test]
        fn nothing_is_lost(text in "[a🍏\n]{0,40}", budget in 1usize..10) {
            let lines: Vec<_> = text.split('\n').collect();
            let mut range = whole();
            let mut pieces = Vec::new();
            loop {
                let part = range.of(&lines);
                let found = cut(&part, range, budget);
                prop_assert!(found.kept.chars().count() <= budget);
                pieces.push(found.kept.to_owned());
                let Some(rest) = found.rest else { break };
                // A cut between lines takes the newline with it.
                if rest.range.skip == 0 {
                    pieces.push("\n".to_owned());
                }
                range = rest.range;
            }
            prop_assert_eq!(pieces.concat(), text);
        }
    }
}
