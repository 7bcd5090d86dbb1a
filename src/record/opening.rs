//! What is known before the first output.

use std::str::FromStr;

use jiff::Timestamp;
use thiserror::Error;

use super::InputFault;
use crate::screen::Size;

/// The start of a recording.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    /// The size of the terminal.
    pub(super) size: Size,
    /// When it began.
    pub(super) started: Option<Timestamp>,
    /// What was recorded.
    pub(super) command: Option<String>,
}

impl Opening {
    pub(super) fn of(size: Size) -> Self {
        Self { size, started: None, command: None }
    }
}

/// The size where nothing says one.
pub(super) const DEFAULT_SIZE: Size = Size { cols: 80, rows: 24 };

/// A size of which a part may be left to the recording: `80x24`, `80x`, `x24`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeChoice {
    /// Columns.
    pub cols: Option<u16>,
    /// Rows.
    pub rows: Option<u16>,
}

/// A text that is no size.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a size is COLSxROWS, COLSx or xROWS, each from 1 to 65535")]
pub struct SizeError;

impl SizeChoice {
    /// This size, with `other` where this one leaves a part open.
    pub(crate) fn or(self, other: Size) -> Size {
        Size { cols: self.cols.unwrap_or(other.cols), rows: self.rows.unwrap_or(other.rows) }
    }

    /// The whole size, if both parts are there.
    pub(super) fn whole(self) -> Option<Size> {
        Size::new(self.cols?, self.rows?)
    }

    /// This size, with parts of a header's where this one leaves them open.
    pub(super) fn or_header(self, cols: Option<u16>, rows: Option<u16>) -> Option<Size> {
        let merged = Self { cols: self.cols.or(cols), rows: self.rows.or(rows) };
        merged.whole()
    }
}

impl FromStr for SizeChoice {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let (cols, rows) = text.split_once(['x', 'X']).ok_or(SizeError)?;
        let part = |part: &str| match part {
            "" => Ok(None),
            _ => dimension(part).map(Some).ok_or(SizeError),
        };
        let choice = Self { cols: part(cols)?, rows: part(rows)? };
        if choice == Self::default() {
            return Err(SizeError);
        }
        Ok(choice)
    }
}

/// A number of columns or rows.
pub(super) fn dimension(text: &str) -> Option<u16> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&count| is_number && count > 0)
}

/// A whole size, as resize events have it.
pub(super) fn parse_size(text: &str) -> Result<Size, InputFault> {
    text.parse::<SizeChoice>()
        .ok()
        .and_then(SizeChoice::whole)
        .ok_or_else(|| InputFault::BadSize(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_size_may_be_left_out() {
        let choice = |cols, rows| Ok(SizeChoice { cols, rows });
        for (text, want) in [
            ("80x24", choice(Some(80), Some(24))),
            ("80x", choice(Some(80), None)),
            ("x24", choice(None, Some(24))),
            ("1X65535", choice(Some(1), Some(65535))),
        ] {
            assert_eq!(text.parse::<SizeChoice>(), want, "{text}");
        }
        for text in ["", "x", "80", "0x24", "80x0", "80x65536", "+8x24", " 8x24", "8x2x4"] {
            assert_eq!(text.parse::<SizeChoice>(), Err(SizeError), "{text}");
        }
        assert!(parse_size("80x").is_err());
    }
}
