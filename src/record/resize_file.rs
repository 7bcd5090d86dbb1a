//! Sizes for raw bytes: lines `OFFSET COLS ROWS`.

use super::byte_reader::ByteReader;
use super::lines::Lines;
use super::opening::dimension;
use super::{ImportError, InputFault};
use crate::screen::Size;

/// A change of size before the byte at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resize {
    pub(super) offset: u64,
    pub(super) size: Size,
}

/// The changes of size of a recording, in their order.
pub(super) struct ResizeFile {
    lines: Lines,
    next: Option<Resize>,
}

impl ResizeFile {
    /// Opens the file and reads its first line.
    pub(super) fn open(name: String, reader: ByteReader) -> Result<Self, ImportError> {
        let mut file = Self { lines: Lines::new(name, reader), next: None };
        file.next = file.read()?;
        Ok(file)
    }

    /// The next change.
    pub(super) fn peek(&self) -> Option<Resize> {
        self.next
    }

    /// Steps to the change after it.
    pub(super) fn advance(&mut self) -> Result<(), ImportError> {
        let last = self.next.map_or(0, |resize| resize.offset);
        self.next = self.read()?;
        match self.next {
            Some(resize) if resize.offset < last => Err(self.lines.fail(InputFault::BadResize)),
            _ => Ok(()),
        }
    }

    fn read(&mut self) -> Result<Option<Resize>, ImportError> {
        while let Some(line) = self.lines.next()? {
            if !line.text.trim().is_empty() {
                let resize = parse(&line.text);
                return resize.map(Some).ok_or_else(|| self.lines.fail(InputFault::BadResize));
            }
        }
        Ok(None)
    }
}

fn parse(line: &str) -> Option<Resize> {
    let mut words = line.split_ascii_whitespace();
    let offset = words.next()?;
    let resize = Resize {
        offset: offset.parse().ok().filter(|_| !offset.starts_with('+'))?,
        size: Size::new(dimension(words.next()?)?, dimension(words.next()?)?)?,
    };
    words.next().is_none().then_some(resize)
}
