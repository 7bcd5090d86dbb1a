//! Terminal ids: one plain path component, so that no id leaves the sessions folder.

use std::fmt;

use thiserror::Error;

use crate::text;

/// A terminal id that is safe to join onto the sessions folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TerminalId(String);

/// Why a text is no terminal id.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdError {
    /// Nothing but blanks.
    #[error("terminal session id is required")]
    Empty,
    /// It has a separator, or is `.` or `..`.
    #[error("terminal session id must be one folder name: {0}")]
    NotAComponent(String),
    /// It has a NUL character, which no file name can hold.
    #[error("terminal session id holds a NUL character: {0}")]
    Nul(String),
}

impl TerminalId {
    /// The id without surrounding blanks.
    ///
    /// # Errors
    /// [`IdError`] when it is empty or not one plain path component.
    pub fn new(given: &str) -> Result<Self, IdError> {
        let id = text::strip(given);
        match id {
            "" => Err(IdError::Empty),
            "." | ".." => Err(IdError::NotAComponent(id.to_owned())),
            _ if id.contains(['/', std::path::MAIN_SEPARATOR]) => {
                Err(IdError::NotAComponent(id.to_owned()))
            }
            _ if id.contains('\0') => Err(IdError::Nul(id.to_owned())),
            _ => Ok(Self(id.to_owned())),
        }
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TerminalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_an_id_are_not_part_of_it() {
        assert_eq!(TerminalId::new(" a b\t").unwrap().as_str(), "a b");
    }

    #[test]
    fn ids_that_leave_the_sessions_folder_are_refused() {
        for bad in ["", " \n", ".", "..", "../x", "/x", "a/b", "a/", "a\0b"] {
            assert!(TerminalId::new(bad).is_err(), "{bad:?}");
        }
        for good in ["...", "a..b", ".hidden", "grove 🌳 two", "a\\b"] {
            assert!(TerminalId::new(good).is_ok(), "{good:?}");
        }
    }
}
