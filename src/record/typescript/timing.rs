//! Timing files: `DELTA COUNT`, or rows of several kinds.

use super::super::byte_reader::ByteReader;
use super::super::lines::Lines;
use super::super::opening::dimension;
use super::super::{ImportError, InputFault};
use crate::screen::Size;

/// Headers at the start of a real file are a dozen.
const MOST_HEADERS: usize = 1000;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// So many bytes of output.
    Output(u64),
    /// So many bytes of input.
    Input(u64),
    /// A new size.
    Resize(Size),
    /// Another signal, or a header.
    Other,
}

/// The rows of a timing file.
pub(super) struct Timing {
    lines: Lines,
    headers: Vec<(String, String)>,
    next: Option<(f64, Row)>,
    torn: Option<String>,
}

impl Timing {
    /// Opens the file and reads the headers it starts with.
    pub(super) fn open(name: String, reader: ByteReader) -> Result<Self, ImportError> {
        let mut timing =
            Self { lines: Lines::new(name, reader), headers: Vec::new(), next: None, torn: None };
        while timing.headers.len() < MOST_HEADERS {
            let before = timing.headers.len();
            timing.next = timing.read(true)?;
            if timing.headers.len() == before {
                break;
            }
        }
        Ok(timing)
    }

    /// A header that the file starts with.
    pub(super) fn header(&self, key: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether input was written into the same file as output.
    pub(super) fn input_is_in_output(&self) -> bool {
        let input = self.header("INPUT_LOG");
        input.is_some() && input == self.header("OUTPUT_LOG")
    }

    /// The seconds since the row before, and the row.
    pub(super) fn next(&mut self) -> Result<Option<(f64, Row)>, ImportError> {
        match self.next.take() {
            Some(row) => Ok(Some(row)),
            None => self.read(false),
        }
    }

    /// What to say if the last row is not whole.
    pub(super) fn torn(&mut self) -> Option<String> {
        self.torn.take()
    }

    fn read(&mut self, keep_header: bool) -> Result<Option<(f64, Row)>, ImportError> {
        loop {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            if line.text.trim().is_empty() {
                continue;
            }
            match parse(&line.text) {
                Some((delay, row)) => {
                    if let Some(header) = header(&line.text).filter(|_| keep_header) {
                        self.headers.push(header);
                    }
                    return Ok(Some((delay, row)));
                }
                None if line.is_complete => return Err(self.lines.fail(InputFault::BadTiming)),
                None => {
                    let error = self.lines.fail(InputFault::End);
                    self.torn = Some(format!("{error}; the rows before it are used"));
                    return Ok(None);
                }
            }
        }
    }
}

fn parse(line: &str) -> Option<(f64, Row)> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?;
    let is_classic = first.starts_with(|c: char| c.is_ascii_digit());
    let delay = if is_classic { first } else { words.next()? };
    let delay: f64 = delay.parse().ok().filter(|delay| *delay >= 0.0)?;
    let count = |word: &str| word.parse::<u64>().ok().filter(|_| !word.starts_with('+'));
    let row = match first {
        _ if is_classic => Row::Output(count(words.next()?)?),
        "O" => Row::Output(count(words.next()?)?),
        "I" => Row::Input(count(words.next()?)?),
        "S" if words.next()? == "SIGWINCH" => Row::Resize(new_size(words.by_ref())?),
        "S" | "H" => return Some((delay, Row::Other)),
        _ => return None,
    };
    let is_resize = matches!(row, Row::Resize(_));
    (is_resize || words.next().is_none()).then_some((delay, row))
}

fn new_size<'a>(words: impl Iterator<Item = &'a str>) -> Option<Size> {
    let (mut cols, mut rows) = (None, None);
    for word in words {
        if let Some(text) = word.strip_prefix("COLS=") {
            cols = dimension(text);
        } else if let Some(text) = word.strip_prefix("ROWS=") {
            rows = dimension(text);
        }
    }
    Size::new(cols?, rows?)
}

/// The key and the value of `H DELTA KEY VALUE`.
fn header(line: &str) -> Option<(String, String)> {
    let mut parts = line.strip_prefix("H ")?.trim_start().splitn(3, ' ');
    parts.next()?;
    let key = parts.next()?;
    Some((key.to_owned(), parts.next().unwrap_or("").to_owned()))
}
