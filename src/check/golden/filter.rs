//! Replacements that the user asks for.

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};
use thiserror::Error;

/// A regular expression and what stands for its matches.
#[derive(Clone, Debug)]
pub struct Filter {
    pattern: Regex,
    text: String,
}

/// Why a text is no filter.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum FilterError {
    /// There is no `=>` in it.
    #[error("a filter has the form RE=>TEXT")]
    NoArrow,
    /// What stands before it is no regular expression.
    #[error(transparent)]
    Regex(#[from] regex::Error),
}

/// A regular expression whose `^` and `$` are the ends of a line.
pub(super) fn line_pattern(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).multi_line(true).build()
}

impl Filter {
    /// Reads `RE=>TEXT`, cut at the last `=>`. In the text, `$1` and `${name}` are groups.
    ///
    /// # Errors
    /// [`FilterError`].
    pub fn parse(given: &str) -> Result<Self, FilterError> {
        let (pattern, text) = given.rsplit_once("=>").ok_or(FilterError::NoArrow)?;
        Ok(Self { pattern: line_pattern(pattern)?, text: text.to_owned() })
    }

    /// The text with all matches replaced.
    pub fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.pattern.replace_all(text, self.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_line_ends_are_understood() {
        for (filter, text, want) in [
            ("in [0-9.]+s=>in <time>", "a in 0.35s\nb in 12s", "a in <time>\nb in <time>"),
            (r"(\w+)-(\d+)=>$2-${1}", "pear-12", "12-pear"),
            ("^b$=>x", "a\nb\nbb", "a\nx\nbb"),
            ("a => b=>c", "a => b", "c"),
            ("x=>", "axb", "ab"),
        ] {
            assert_eq!(Filter::parse(filter).unwrap().apply(text), want, "{filter}");
        }
        assert!(matches!(Filter::parse("x"), Err(FilterError::NoArrow)));
        assert!(matches!(Filter::parse("(=>x"), Err(FilterError::Regex(_))));
    }
}
