//! Lines of bytes, none longer than a bound.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Reads lines. Whoever stops waiting for one loses nothing of it.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    longest: usize,
    begun: Vec<u8>,
    /// Whether what comes until the next newline is of a line that was too long.
    skips: bool,
    has_ended: bool,
}

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// One that is left out.
    TooLong,
    /// There are no more.
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, longest: usize) -> Self {
        let input = BufReader::new(input);
        Self { input, longest, begun: Vec::new(), skips: false, has_ended: false }
    }

    /// The next one. What comes before the end of the input is one too.
    pub(super) async fn next(&mut self) -> Line {
        while !self.has_ended {
            // Nothing is waited for between here and the next turn.
            let Some(available) = self.input.fill_buf().await.ok().filter(|it| !it.is_empty())
            else {
                self.has_ended = true;
                break;
            };
            let newline = memchr::memchr(b'\n', available);
            let part = &available[..newline.unwrap_or(available.len())];
            let is_too_long = !self.skips && self.begun.len() + part.len() > self.longest;
            self.skips |= is_too_long;
            if self.skips {
                self.begun = Vec::new();
            } else {
                self.begun.extend_from_slice(part);
            }
            let read = part.len() + usize::from(newline.is_some());
            self.input.consume(read);
            let was_skipped = self.skips;
            self.skips &= newline.is_none();
            if is_too_long {
                return Line::TooLong;
            }
            if newline.is_some() && !was_skipped {
                return Line::Whole(std::mem::take(&mut self.begun));
            }
        }
        match self.begun.is_empty() {
            true => Line::End,
            false => Line::Whole(std::mem::take(&mut self.begun)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], longest: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, longest);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut next = || runtime.block_on(lines.next());
        std::iter::from_fn(|| Some(next()).filter(|line| *line != Line::End)).collect()
    }

    fn whole(line: &str) -> Line {
        Line::Whole(line.into())
    }

    #[test]
    fn one_that_is_too_long_is_told_once_and_the_next_is_whole() {
        let long = "x".repeat(100_000);
        let input = format!("a\n\n{long}\nb\n12345\n123456\nend");
        let want = [whole("a"), whole(""), Line::TooLong, whole("b"), whole("12345")];
        let rest = [Line::TooLong, whole("end")];
        assert_eq!(lines(input.as_bytes(), 5), want.into_iter().chain(rest).collect::<Vec<_>>());
        assert_eq!(lines(long.as_bytes(), 5), [Line::TooLong]);
        assert_eq!(lines(b"", 5), []);
    }
}
