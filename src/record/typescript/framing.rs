//! Output without the lines that `script` adds at its end, and where it appends.

use std::io;

use super::super::byte_reader::ByteReader;
use super::{STARTED, field};

/// How the last line starts; the newline before it is `script`'s as well.
const DONE: &[u8] = b"\nScript done on ";
/// Longer than any real pair of lines; a program that prints such a text only looks like it.
const LONGEST: usize = 64 * 1024;

/// The bytes of a typescript after its first line.
pub(super) struct Framing {
    reader: ByteReader,
    exit_code: Option<i64>,
}

impl Framing {
    pub(super) fn new(reader: ByteReader) -> Self {
        Self { reader, exit_code: None }
    }

    /// The exit code that the last line named.
    pub(super) fn exit_code(&self) -> Option<i64> {
        self.exit_code
    }

    /// Replaces `out` with the next output, at most so many bytes; nothing at the end.
    pub(super) fn next(&mut self, most: usize, out: &mut Vec<u8>) -> io::Result<()> {
        out.clear();
        while out.is_empty() {
            // One byte more than `most` may be the start of a line that must not be split.
            let head = self.reader.head(most + DONE.len())?;
            if head.is_empty() {
                return Ok(());
            }
            let is_end = head.len() < most + DONE.len();
            let count = match memchr::memmem::find(head, DONE) {
                Some(0) => match self.frame()? {
                    Some(frame) => {
                        self.reader.consume(frame);
                        continue;
                    }
                    None => 1,
                },
                Some(at) => at.min(most),
                None if is_end => head.len().min(most),
                None => (head.len() - DONE.len()).max(1).min(most),
            };
            let head = self.reader.head(count)?;
            out.extend_from_slice(head);
            self.reader.consume(count);
        }
        Ok(())
    }

    /// How long the lines of `script`'s own are that stand here. They are only that at the end of
    /// the file, or where another recording was appended.
    fn frame(&mut self) -> io::Result<Option<usize>> {
        let head = self.reader.head(LONGEST)?;
        let is_all = head.len() < LONGEST;
        let line_end = |from: usize| {
            let newline = memchr::memchr(b'\n', head.get(from..)?)?;
            Some(from + newline + 1)
        };
        let Some(done) = line_end(1).or_else(|| is_all.then_some(head.len())) else {
            return Ok(None);
        };
        let rest = &head[done..];
        if rest.is_empty() && is_all {
            let line = String::from_utf8_lossy(&head[1..done]);
            let code = field(&line, "COMMAND_EXIT_CODE");
            self.exit_code = code.and_then(|code| code.parse().ok());
            return Ok(Some(done));
        }
        Ok(if rest.starts_with(STARTED) { line_end(done) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str, most: usize) -> String {
        let mut framing = Framing::new(ByteReader::of(text));
        let (mut all, mut part) = (Vec::new(), Vec::new());
        loop {
            framing.next(most, &mut part).unwrap();
            assert!(part.len() <= most);
            if part.is_empty() {
                return String::from_utf8(all).unwrap();
            }
            all.extend_from_slice(&part);
        }
    }

    #[test]
    fn only_real_frames_go() {
        let frame = "\nScript done on now [COMMAND_EXIT_CODE=\"0\"]\n";
        for (text, want) in [
            ("", String::new()),
            ("abc", "abc".to_owned()),
            (&format!("abc{frame}"), "abc".to_owned()),
            (frame, String::new()),
            ("abc\nScript done on", "abc\nScript done on".to_owned()),
            ("abc\nScript done on now", "abc".to_owned()),
            (&format!("a{frame}b"), format!("a{frame}b")),
            (&format!("a{frame}Script started on now\nb{frame}"), "ab".to_owned()),
        ] {
            for most in [1, 2, 7, 1000] {
                assert_eq!(framed(text, most), want, "{most}");
            }
        }
    }

    #[test]
    fn long_bodies_keep_every_byte() {
        let text = "0123456789\n".repeat(40_000);
        assert_eq!(framed(&text, 64 * 1024), text);
    }
}
