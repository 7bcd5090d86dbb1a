//! What must, or must not, be in the texts of a session.

use regex::Regex;

use super::filter::line_pattern;
use super::{BlockText, Shot};

/// A regular expression and whether it must match.
#[derive(Clone, Debug)]
pub struct Expectation {
    pattern: Regex,
    must: bool,
}

/// An expectation that does not hold.
#[derive(Debug, PartialEq, Eq)]
pub enum Unmet<'a> {
    /// No block has a match.
    NoMatch,
    /// A block has one.
    Match {
        /// The block's position, counted from 1.
        index: usize,
        /// The line in its text, counted from 1.
        line: usize,
        /// That line.
        text: &'a str,
    },
}

impl Expectation {
    /// The text of at least one block must have a match, or none may.
    ///
    /// # Errors
    /// The pattern is no regular expression.
    pub fn new(pattern: &str, must: bool) -> Result<Self, regex::Error> {
        Ok(Self { pattern: line_pattern(pattern)?, must })
    }

    /// The pattern.
    pub fn pattern(&self) -> &str {
        self.pattern.as_str()
    }

    /// What is wrong, none where it holds.
    pub fn unmet<'a>(&self, shot: &'a Shot) -> Option<Unmet<'a>> {
        let found = shot.blocks.iter().find_map(|block| self.find(block));
        match found {
            None if self.must => Some(Unmet::NoMatch),
            Some(found) if !self.must => Some(found),
            _ => None,
        }
    }

    fn find<'a>(&self, block: &'a BlockText) -> Option<Unmet<'a>> {
        let at = self.pattern.find(&block.text)?.start();
        let before = block.text.get(..at).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let text = block.text.get(start..).unwrap_or("").lines().next().unwrap_or("");
        Some(Unmet::Match { index: block.index, line: before.matches('\n').count() + 1, text })
    }
}
