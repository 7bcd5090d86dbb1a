//! Which lines of a block: `START:END` and its short forms.

use std::fmt;

use thiserror::Error;

use crate::text::parse_decimal;

/// Lines from `start` to `end`, counted from 1, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First line, at least 1.
    pub start: usize,
    /// Characters of the first line to leave out.
    pub skip: usize,
    /// Last line, at least `start`; none for the end of the text.
    pub end: Option<usize>,
}

/// Why a text is no line range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RangeError {
    /// Not one of the forms.
    #[error("invalid line range: {0}")]
    Invalid(String),
    /// Lines are counted from 1.
    #[error("line range start must be >= 1: {0}")]
    Start(String),
    /// The range runs backwards.
    #[error("line range end must be >= start: {0}")]
    End(String),
}

impl LineRange {
    /// Reads `START:END`, `START:`, `:END`, the same with `-`, or `N`. `START` may be `LINE+SKIP`.
    ///
    /// # Errors
    /// [`RangeError`].
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        let invalid = || RangeError::Invalid(text.to_owned());
        let (first, last) = match text.split_once([':', '-']) {
            Some(parts) => parts,
            None => (text, text.split_once('+').map_or(text, |(line, _)| line)),
        };
        if first.is_empty() && last.is_empty() {
            return Err(invalid());
        }
        let number = |digits: &str| parse_decimal(digits).ok_or_else(invalid);
        let (start, skip) = match first.split_once('+') {
            Some((line, skip)) => (number(line)?, number(skip)?),
            None if first.is_empty() => (1, 0),
            None => (number(first)?, 0),
        };
        let end = if last.is_empty() { None } else { Some(number(last)?) };
        if start == 0 {
            return Err(RangeError::Start(text.to_owned()));
        }
        if end.is_some_and(|end| end < start) {
            return Err(RangeError::End(text.to_owned()));
        }
        Ok(Self { start, skip, end })
    }

    /// All lines from `start` on.
    pub fn from(start: usize) -> Self {
        Self { start, skip: 0, end: None }
    }

    /// The first `count` lines.
    pub fn head(count: usize) -> Self {
        Self { start: 1, skip: 0, end: Some(count) }
    }

    /// The last `count` of `total` lines.
    pub fn tail(count: usize, total: usize) -> Self {
        Self::from(total.saturating_sub(count) + 1)
    }

    /// The chosen ones of `lines`, joined by newlines.
    pub fn of(&self, lines: &[&str]) -> String {
        let end = self.end.unwrap_or(usize::MAX).min(lines.len());
        let chosen = lines.get(self.start - 1..end).unwrap_or(&[]);
        let text = chosen.join("\n");
        match self.skip {
            0 => text,
            skip => {
                let first = chosen.first().map_or("", |line| crate::text::prefix(line, skip));
                text.get(first.len()..).unwrap_or("").to_owned()
            }
        }
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start)?;
        if self.skip > 0 {
            write!(f, "+{}", self.skip)?;
        }
        match self.end {
            Some(end) => write!(f, ":{end}"),
            None => f.write_str(":end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: usize, skip: usize, end: Option<usize>) -> Result<LineRange, RangeError> {
        Ok(LineRange { start, skip, end })
    }

    #[test]
    fn all_forms() {
        for (text, want) in [
            ("2:5", range(2, 0, Some(5))),
            ("2-5", range(2, 0, Some(5))),
            ("3:", range(3, 0, None)),
            ("3-", range(3, 0, None)),
            (":2", range(1, 0, Some(2))),
            ("-2", range(1, 0, Some(2))),
            ("4", range(4, 0, Some(4))),
            ("٤", range(4, 0, Some(4))),
            ("4+100:", range(4, 100, None)),
            ("4+100", range(4, 100, Some(4))),
            ("4+0:4", range(4, 0, Some(4))),
        ] {
            assert_eq!(LineRange::parse(text), want, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, want) in [
            ("0", "line range start must be >= 1: 0"),
            ("0:1", "line range start must be >= 1: 0:1"),
            (":0", "line range end must be >= start: :0"),
            ("5:2", "line range end must be >= start: 5:2"),
            ("a", "invalid line range: a"),
            ("", "invalid line range: "),
            (":", "invalid line range: :"),
            ("1:2:3", "invalid line range: 1:2:3"),
            ("1:+2", "invalid line range: 1:+2"),
            ("+2:", "invalid line range: +2:"),
            (" 1", "invalid line range:  1"),
        ] {
            assert_eq!(LineRange::parse(text).unwrap_err().to_string(), want);
        }
    }

    #[test]
    fn chooses_lines_and_leaves_out_characters() {
        let lines = ["one", "zwei🍏", "three"];
        for (text, want) in [
            ("1:2", "one\nzwei🍏"),
            ("2:", "zwei🍏\nthree"),
            ("4:", ""),
            ("2+4:", "🍏\nthree"),
            ("2+5:", "\nthree"),
            ("2+99:2", ""),
            ("3:99", "three"),
        ] {
            assert_eq!(LineRange::parse(text).unwrap().of(&lines), want, "{text}");
        }
        assert_eq!(LineRange::tail(2, 3).of(&lines), "zwei🍏\nthree");
        assert_eq!(LineRange::tail(9, 3).of(&lines), "one\nzwei🍏\nthree");
        assert_eq!(LineRange::tail(1, 0).of(&[]), "");
        assert_eq!(LineRange::head(1).of(&lines), "one");
    }
}
