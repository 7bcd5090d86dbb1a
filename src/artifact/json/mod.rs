//! A lenient JSON reader: what Python's `json` module loads, this loads too.
//!
//! serde_json refuses NaN, lone surrogates and deep nesting, and real manifests have them. Here NaN
//! and the infinities become null, a lone surrogate becomes U+FFFD, and numbers keep their value as
//! Python prints them. Values come out as [`serde_json::Value`].

mod object;
mod read;
mod reformat;
mod scanner;
mod string;

use thiserror::Error;

pub use object::Object;
pub use read::read;
pub use reformat::{new_line, reformat};
pub use scanner::Scanner;
pub use string::{decode as decode_string, of_value as string};

/// Nesting of arrays and objects beyond this is refused, so that no input can overflow the stack.
pub const MAX_DEPTH: usize = 1000;

/// Why a text is not JSON, and where.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{kind} at line {line} column {column}")]
pub struct JsonError {
    /// What is wrong there.
    pub kind: ErrorKind,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

/// What is wrong at one place of a JSON text.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text starts with a byte order mark.
    #[error("byte order mark before the JSON text")]
    ByteOrderMark,
    /// The text stops inside a value.
    #[error("unexpected end of text")]
    UnexpectedEnd,
    /// No value starts here.
    #[error("expected a value")]
    ExpectedValue,
    /// An object's member must start with a string.
    #[error("expected a property name in double quotes")]
    ExpectedKey,
    /// No colon after a property name.
    #[error("expected ':'")]
    ExpectedColon,
    /// Neither a comma nor the end of the array or object.
    #[error("expected ',' or the end of the array or object")]
    ExpectedComma,
    /// A raw control character in a string.
    #[error("control character in a string")]
    ControlCharacter,
    /// A backslash with an unknown or unfinished escape.
    #[error("invalid escape in a string")]
    InvalidEscape,
    /// More than [`MAX_DEPTH`] levels.
    #[error("more than {MAX_DEPTH} nested levels")]
    TooDeep,
    /// NaN or an infinity where a strict reader is to read the text.
    #[error("NaN or Infinity, which JSON has not")]
    NotANumber,
    /// Text after the one value.
    #[error("text after the end of the value")]
    ExtraText,
}

impl JsonError {
    fn at(kind: ErrorKind, text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            kind,
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or("").chars().count() + 1,
        }
    }
}
