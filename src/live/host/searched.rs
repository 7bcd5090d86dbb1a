//! How far the text of a terminal was searched.

use regex::Regex;

use super::screen_now::Gone;
use crate::screen::{Screen, Size};
use crate::snapshot::text_after;

/// The screen and its history, as they were when they were searched last.
#[derive(Debug, Default)]
pub(super) struct Searched {
    /// Rows above the screen, those that are in memory no more too.
    rows: u64,
    erasures: u64,
    /// None before the first search.
    size: Option<Size>,
}

impl Searched {
    /// Whether the text matches, from the line on that was at the top of the screen last time:
    /// what was above cannot have changed since.
    pub(super) fn find(&mut self, pattern: &Regex, screen: &Screen, gone: Gone) -> bool {
        let normal = screen.normal();
        let above = normal.scrollback_len();
        let now = Self {
            rows: gone.rows + above as u64,
            erasures: screen.history_erasures(),
            size: Some(screen.size()),
        };
        let before = std::mem::replace(self, now);
        // Rows are other ones after a new size, and counted anew after an erasure.
        let is_known = before.size == self.size && before.erasures == self.erasures;
        let known = if is_known { before.rows.saturating_sub(gone.rows) } else { 0 };
        let mut from = usize::try_from(known).unwrap_or(above).min(above);
        while from > 0 && normal.row(from).is_wrapped() {
            from -= 1;
        }
        // With a newline before it a first line is not taken for the beginning of the text.
        let mut text = if from > 0 { "\n".to_owned() } else { String::new() };
        let start = text.len();
        text.push_str(&text_after(screen, from));
        pattern.is_match_at(&text, start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Scrollback;

    const SIZE: Size = Size { cols: 10, rows: 3 };

    /// Whether a pattern is found after each of these was shown.
    fn found(pattern: &str, shown: &[&str]) -> Vec<bool> {
        let pattern = Regex::new(pattern).unwrap();
        let mut screen = Screen::new(SIZE, Scrollback::Unlimited);
        let (mut searched, mut gone) = (Searched::default(), Gone::default());
        let find = |text: &&str| {
            screen.feed(text.as_bytes());
            gone.relieve(&mut screen, 5);
            searched.find(&pattern, &screen, gone)
        };
        shown.iter().map(find).collect()
    }

    #[test]
    fn what_is_new_is_found_with_what_it_goes_on_from() {
        let lines = "a\r\n".repeat(20);
        for (pattern, new) in [
            ("new", "new\r\nb\r\nc\r\nd"),
            ("wordson", "son"),
            (r"word\nnew", "\r\nnew"),
            ("(?m)^new$", "\r\nnew"),
            ("new", "\x1b[Hnew"),
            ("new", "\x1b[?1049hnew"),
            ("new", "\x1b[3J\x1b[2Jnew"),
            ("very long new", " is very long new"),
        ] {
            let shown = [lines.as_str(), "word", new];
            assert_eq!(found(pattern, &shown), [false, false, true], "{pattern}");
        }
    }

    #[test]
    fn a_line_that_was_above_the_screen_is_not_searched_again() {
        let lines = "a\r\nb\r\nc\r\nd\r\n";
        assert_eq!(found("^a", &[lines, "e\r\nf"]), [true, false]);
        assert_eq!(found("^c", &[lines, "e\r\nf"]), [false, false], "nor is it the first one");
    }

    #[test]
    fn a_new_size_is_searched_whole() {
        let mut screen = Screen::new(SIZE, Scrollback::Unlimited);
        let (mut searched, pattern) = (Searched::default(), Regex::new("^first").unwrap());
        screen.feed(b"first\r\na\r\nb\r\nc");
        assert!(searched.find(&pattern, &screen, Gone::default()));
        assert!(!searched.find(&pattern, &screen, Gone::default()));
        screen.resize(Size { cols: 9, rows: 3 });
        assert!(searched.find(&pattern, &screen, Gone::default()));
    }
}
