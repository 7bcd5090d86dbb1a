//! What is wrong with a recording.

use std::io;

use thiserror::Error;

use crate::artifact::StoreError;
use crate::artifact::json::JsonError;
use crate::text::system_error;

/// Why a recording was not imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A file is not what it should be.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An option does not go with the format of the file.
    #[error("{0}")]
    Mismatch(&'static str),
    /// Frozen screens could not be kept until the end of the import.
    #[error("cannot keep frozen screens in a temporary file: {}", system_error(.0))]
    Spool(#[source] io::Error),
    /// The session could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is wrong with a file, and where.
#[derive(Debug, Error)]
#[error("{file}: {}{fault}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct InputError {
    /// The file as it was named.
    pub file: String,
    /// Counted from 1, for files with lines.
    pub line: Option<u64>,
    /// What is wrong.
    #[source]
    pub fault: InputFault,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputFault {
    /// The system refused.
    #[error("{}", system_error(.0))]
    Read(#[from] io::Error),
    /// Bytes that are no UTF-8 where text has to be.
    #[error("not UTF-8")]
    NotUtf8,
    /// The file is empty.
    #[error("no asciicast: the file is empty")]
    Empty,
    /// The first line of a cast is not JSON.
    #[error("no asciicast header: {0}")]
    HeaderJson(#[source] JsonError),
    /// The first line of a cast is another JSON value.
    #[error("no asciicast header: not a JSON object")]
    HeaderNotAnObject,
    /// A header line beyond all measure.
    #[error("no asciicast header: the first line is longer than {0} bytes")]
    HeaderTooLong(usize),
    /// No version, or one that nobody has defined.
    #[error("no asciicast of version 1, 2 or 3: \"version\" is {0}")]
    Version(String),
    /// The format must have a size and does not.
    #[error("no usable terminal size ({0}); name one with --size COLSxROWS")]
    NoSize(String),
    /// A size that is none.
    #[error("a size is COLSxROWS, each from 1 to 65535, not {0:?}")]
    BadSize(String),
    /// Something else stands where this should be.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The line ends inside an event.
    #[error("the line ends inside an event")]
    LineEnds,
    /// The file ends inside a value.
    #[error("the file ends inside a value")]
    End,
    /// A raw control character in a JSON string.
    #[error("control character in a string")]
    ControlCharacter,
    /// A backslash with an unknown or unfinished escape.
    #[error("invalid escape in a string")]
    InvalidEscape,
    /// Nesting beyond all measure.
    #[error("more than {0} nested levels")]
    TooDeep(usize),
    /// A value or line that is much longer than any real one.
    #[error("{0} is longer than {1} bytes")]
    TooLong(&'static str, usize),
    /// Text behind an event.
    #[error("text after the event")]
    ExtraText,
    /// A line of a resize file.
    #[error("expected OFFSET COLS ROWS, with offsets that never fall")]
    BadResize,
    /// A line of a timing file.
    #[error("expected DELTA COUNT, or I, O, S or H and what belongs to it")]
    BadTiming,
}

impl InputFault {
    /// The error of a file as a whole.
    pub(super) fn of(self, file: &str) -> ImportError {
        ImportError::Input(InputError { file: file.to_owned(), line: None, fault: self })
    }

    /// The error of one line.
    pub(super) fn at(self, file: &str, line: u64) -> ImportError {
        // A system error is about the file, wherever it happens.
        let line = (!matches!(self, Self::Read(_))).then_some(line);
        ImportError::Input(InputError { file: file.to_owned(), line, fault: self })
    }
}
