//! Short lines of a text file.

use super::byte_reader::ByteReader;
use super::{ImportError, InputFault};

/// Lines of the files beside a recording are short; a long one is no such file.
const LONGEST: usize = 64 * 1024;

/// A line without its newline.
pub(super) struct Line {
    /// Its text.
    pub(super) text: String,
    /// Whether a newline ended it. The last line of a file that was not finished has none.
    pub(super) is_complete: bool,
}

/// The lines of a file, with a count for messages.
pub(super) struct Lines {
    file: String,
    reader: ByteReader,
    number: u64,
}

impl Lines {
    pub(super) fn new(file: String, reader: ByteReader) -> Self {
        Self { file, reader, number: 0 }
    }

    /// The error of the line that came last.
    pub(super) fn fail(&self, fault: InputFault) -> ImportError {
        fault.at(&self.file, self.number)
    }

    /// The next line, none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Line>, ImportError> {
        self.number += 1;
        let mut text = Vec::new();
        let is_complete = loop {
            let bytes = match self.reader.fill() {
                Ok(bytes) => bytes,
                Err(error) => return Err(InputFault::Read(error).of(&self.file)),
            };
            if bytes.is_empty() {
                break false;
            }
            let newline = memchr::memchr(b'\n', bytes);
            let count = newline.unwrap_or(bytes.len());
            text.extend_from_slice(&bytes[..count]);
            self.reader.consume(count + usize::from(newline.is_some()));
            if text.len() > LONGEST {
                return Err(self.fail(InputFault::TooLong("the line", LONGEST)));
            }
            if newline.is_some() {
                break true;
            }
        };
        if text.is_empty() && !is_complete {
            return Ok(None);
        }
        let text = String::from_utf8(text).map_err(|_| self.fail(InputFault::NotUtf8))?;
        Ok(Some(Line { text, is_complete }))
    }
}
