//! The frozen `<terminal-command-output>` message: how codex-deck cleans a terminal's output and
//! which part of it the message leaves out.
//!
//! The rules are those of codex-deck 0.2.1.

use std::sync::LazyLock;

use regex::Regex;

use crate::text;

/// A longer text is cut after this many UTF-16 code units.
const MAX_UNITS: usize = 12_000;
/// A text of more lines keeps only its first and last [`KEPT_LINES`].
const MAX_LINES: usize = 50;
const KEPT_LINES: usize = 20;

/// The part of a cleaned text that the message does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// It shows everything.
    Nothing,
    /// Whole lines from the middle.
    Lines {
        /// First line left out, counted from 1.
        first: usize,
        /// Last line left out.
        last: usize,
        /// The lines.
        text: String,
    },
    /// What follows the first 12,000 UTF-16 code units.
    Units {
        /// How many code units.
        count: usize,
        /// The text; half of a pair that the cut splits is U+FFFD.
        text: String,
    },
}

/// A lone prompt mark, or one behind a prompt character: what a shell leaves on a line of its own
/// when its prompt is redrawn.
static PROMPT_ARTEFACT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^\s*(?:[$#%>❯➜›»λ]\s*)?[%=<>]\s*$").ok());

/// The text of a screen as the message has it before it is cut.
pub fn clean(screen_text: &str) -> String {
    let is_artefact =
        |line: &str| PROMPT_ARTEFACT.as_ref().is_some_and(|artefact| artefact.is_match(line));
    let lines: Vec<_> = screen_text
        .split('\n')
        .map(|line| line.trim_end_matches([' ', '\t']))
        .filter(|line| !is_artefact(line))
        .collect();
    text::squeeze(lines.join("\n").trim_end())
}

/// What the message leaves out of a cleaned text.
pub fn omitted(cleaned: &str) -> Omitted {
    let units: usize = cleaned.chars().map(char::len_utf16).sum();
    if units > MAX_UNITS {
        let tail: Vec<u16> = cleaned.encode_utf16().skip(MAX_UNITS).collect();
        let text = String::from_utf16_lossy(&tail);
        return Omitted::Units { count: tail.len(), text };
    }
    let lines: Vec<_> = cleaned.split('\n').collect();
    if lines.len() <= MAX_LINES {
        return Omitted::Nothing;
    }
    let last = lines.len() - KEPT_LINES;
    let middle = lines.get(KEPT_LINES..last).unwrap_or(&[]);
    Omitted::Lines { first: KEPT_LINES + 1, last, text: middle.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: usize) -> String {
        (1..=count).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn artefact_lines_go_and_blank_runs_shrink() {
        let given = "\n%\n$ ls  \na b\n\n >\n\n❯ %\n= x\n$ =\n<\nend\n\n";
        assert_eq!(clean(given), "$ ls\na b\n\n= x\nend");
    }

    #[test]
    fn fifty_lines_are_shown_whole() {
        assert_eq!(omitted(""), Omitted::Nothing);
        assert_eq!(omitted(&numbered(50)), Omitted::Nothing);
    }

    #[test]
    fn more_lines_lose_their_middle() {
        let Omitted::Lines { first, last, text } = omitted(&numbered(53)) else {
            panic!("no lines left out");
        };
        assert_eq!((first, last), (21, 33));
        assert!(text.starts_with("line 21\n") && text.ends_with("\nline 33"));
        assert_eq!(text.split('\n').count(), 13);
    }

    #[test]
    fn long_texts_are_cut_by_utf16_units_whatever_their_lines() {
        let text = "x".repeat(11_999) + "🍎" + &"y\n".repeat(60);
        let Omitted::Units { count, text } = omitted(&text) else {
            panic!("no units left out");
        };
        assert_eq!(count, 121);
        assert_eq!(text, "\u{fffd}".to_owned() + &"y\n".repeat(60));
        assert_eq!(omitted(&"z".repeat(12_000)), Omitted::Nothing);
    }
}
