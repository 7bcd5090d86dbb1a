//! The marks of our prompt hooks: `OSC 7717 ; KIND ; NONCE ; …`, taken out of the output.
//!
//! Only the hook knows the nonce, so nothing that a program prints can end a command. The counter
//! must grow, so neither can a recording that is printed later. Marks of anybody else are taken out
//! as well: nothing shows them, and they may hold the nonce.

use crate::record::percent;

const PREFIX: &[u8] = b"\x1b]7717;";
const BELL: u8 = 0x07;
const ESCAPE: u8 = 0x1b;

/// A mark may hold a command. What is longer is none.
const LONGEST: usize = 32 * 1024;

/// What a shell says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A command starts.
    Start {
        /// Its text, if the shell knows it.
        command: Option<String>,
        /// Where it runs.
        cwd: Option<String>,
    },
    /// The last command ended, or the person pressed Enter at the prompt.
    Done {
        /// How it ended.
        status: i64,
    },
    /// The prompt comes now. Not every shell says so.
    PromptBegins {
        /// How the last command ended, where the prompt was made anew and knows that.
        status: Option<i64>,
    },
    /// The prompt is there; in fish it comes now.
    Prompt,
    /// The shell wants more of a command that is not complete.
    More,
    /// What was typed is no command, and stands where it was typed.
    Refused,
    /// What was typed is thrown away.
    Cancelled,
}

/// A part of the output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Bytes for the screen.
    Bytes(&'a [u8]),
    /// A mark between them.
    Mark(Mark),
}

/// Takes marks out of output that comes in any pieces.
#[derive(Debug)]
pub(crate) struct MarkFilter {
    nonce: String,
    /// The highest counter so far.
    counter: u64,
    /// The beginning of what may become a mark.
    held: Vec<u8>,
}

enum Found {
    /// No mark.
    Other,
    /// It may become one.
    Unfinished,
    /// A mark of so many bytes, and what of it is text.
    Mark { length: usize, text: std::ops::Range<usize> },
}

impl MarkFilter {
    pub(crate) fn new(nonce: String) -> Self {
        Self { nonce, counter: 0, held: Vec::new() }
    }

    /// Whether the beginning of a mark waits for its end.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Gives up waiting.
    pub(crate) fn flush(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    /// Takes apart the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut sink: impl FnMut(Piece<'_>)) {
        if self.held.is_empty() {
            return self.split(bytes, &mut sink);
        }
        let mut joined = std::mem::take(&mut self.held);
        joined.extend_from_slice(bytes);
        self.split(&joined, &mut sink);
    }

    fn split(&mut self, bytes: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        let mut start = 0;
        let mut from = 0;
        while let Some(at) = memchr::memchr(ESCAPE, &bytes[from..]).map(|at| from + at) {
            match find(&bytes[at..]) {
                Found::Other => from = at + 1,
                Found::Unfinished => {
                    self.held.extend_from_slice(&bytes[at..]);
                    return emit(&bytes[start..at], sink);
                }
                Found::Mark { length, text } => {
                    emit(&bytes[start..at], sink);
                    if let Some(mark) = self.read(&bytes[at..][text]) {
                        sink(Piece::Mark(mark));
                    }
                    start = at + length;
                    from = start;
                }
            }
        }
        emit(&bytes[start..], sink);
    }

    /// What a mark says, if it is one of ours.
    fn read(&mut self, text: &[u8]) -> Option<Mark> {
        let text = String::from_utf8_lossy(text);
        let mut fields = text.split(';');
        let kind = fields.next()?;
        if !is_equal(fields.next()?.as_bytes(), self.nonce.as_bytes()) {
            return None;
        }
        // Shells print their prompts again without asking, so these have no counter.
        match kind {
            // With one the first time, where nothing else may tell of an end.
            "B" => {
                let counter = fields.next().and_then(|field| field.parse().ok());
                let counter = counter.filter(|counter: &u64| *counter > self.counter);
                let status = counter.and_then(|_| fields.next()?.parse().ok());
                self.counter = counter.unwrap_or(self.counter);
                return Some(Mark::PromptBegins { status });
            }
            "P" => return Some(Mark::Prompt),
            "Q" => return Some(Mark::More),
            "E" => return Some(Mark::Refused),
            "K" => return Some(Mark::Cancelled),
            _ => {}
        }
        let counter: u64 = fields.next()?.parse().ok()?;
        if counter <= self.counter {
            return None;
        }
        self.counter = counter;
        match kind {
            "C" => {
                let cwd = fields.next().and_then(percent::decoded);
                let command = fields.next().and_then(percent::decoded);
                let filled = |text: &String| !text.trim().is_empty();
                Some(Mark::Start { command: command.filter(filled), cwd: cwd.filter(filled) })
            }
            "D" => Some(Mark::Done { status: fields.next()?.parse().ok()? }),
            _ => None,
        }
    }
}

fn emit(bytes: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
    if !bytes.is_empty() {
        sink(Piece::Bytes(bytes));
    }
}

/// Whether `bytes`, which start with an escape, are a mark.
fn find(bytes: &[u8]) -> Found {
    if bytes.len() < PREFIX.len() {
        return if PREFIX.starts_with(bytes) { Found::Unfinished } else { Found::Other };
    }
    if !bytes.starts_with(PREFIX) {
        return Found::Other;
    }
    let start = PREFIX.len();
    let end = bytes[start..].iter().position(|&byte| byte < b' ');
    let Some(end) = end.map(|end| start + end) else {
        return if bytes.len() > LONGEST { Found::Other } else { Found::Unfinished };
    };
    match (bytes[end], bytes.get(end + 1)) {
        (BELL, _) => Found::Mark { length: end + 1, text: start..end },
        (ESCAPE, Some(b'\\')) => Found::Mark { length: end + 2, text: start..end },
        (ESCAPE, None) => Found::Unfinished,
        _ => Found::Other,
    }
}

/// Comparison that takes as long for a near miss as for a far one.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(filter: &mut MarkFilter, parts: &[&[u8]]) -> (Vec<u8>, Vec<Mark>) {
        let (mut bytes, mut marks) = (Vec::new(), Vec::new());
        for part in parts {
            filter.feed(part, |piece| match piece {
                Piece::Bytes(more) => bytes.extend_from_slice(more),
                Piece::Mark(mark) => marks.push(mark),
            });
        }
        bytes.extend(filter.flush());
        (bytes, marks)
    }

    fn filter() -> MarkFilter {
        MarkFilter::new("n0nce".to_owned())
    }

    #[test]
    fn marks_are_the_same_wherever_they_are_cut() {
        let stream: &[u8] = b"a\x1b[1mb\x1b]7717;C;n0nce;1;/a%20b;ls%0A-l\x07c\
            \x1b]7717;D;n0nce;2;130\x1b\\d\x1b]7717;P;n0nce\x07\x1b";
        let want = vec![
            Mark::Start { command: Some("ls\n-l".to_owned()), cwd: Some("/a b".to_owned()) },
            Mark::Done { status: 130 },
            Mark::Prompt,
        ];
        for cut in 0..=stream.len() {
            let (before, after) = stream.split_at(cut);
            let (bytes, marks) = pieces(&mut filter(), &[before, after]);
            assert_eq!(bytes, b"a\x1b[1mbcd\x1b", "cut at {cut}");
            assert_eq!(marks, want, "cut at {cut}");
        }
    }

    #[test]
    fn forged_and_old_marks_show_and_do_nothing() {
        let mut filter = filter();
        let stream: &[u8] = b"\x1b]7717;D;n0nce;5;0\x07\x1b]7717;D;n0nce;5;1\x07\
            \x1b]7717;D;wrong;9;0\x07\x1b]7717;D;n0nce;4;0\x07\x1b]7717;X;n0nce;9\x07";
        let (bytes, marks) = pieces(&mut filter, &[stream]);
        assert_eq!((bytes.as_slice(), marks), (&b""[..], vec![Mark::Done { status: 0 }]));
    }

    #[test]
    fn a_prompt_that_is_drawn_again_has_no_status() {
        let prompt: &[u8] = b"\x1b]7717;B;n0nce;3;7\x07";
        let (_, marks) = pieces(&mut filter(), &[prompt, prompt, b"\x1b]7717;B;n0nce\x07"]);
        let mark = |status| Mark::PromptBegins { status };
        assert_eq!(marks, [mark(Some(7)), mark(None), mark(None)]);
    }

    #[test]
    fn what_is_no_mark_passes() {
        let long = [PREFIX, &vec![b'x'; LONGEST]].concat();
        for stream in
            [&b"\x1b]7717;D\nx\x07"[..], b"\x1b]771", b"\x1b]133;A\x07", b"\x1b\x1b]", &long]
        {
            let (bytes, marks) = pieces(&mut filter(), &[stream]);
            assert_eq!((bytes.as_slice(), marks.len()), (stream, 0));
        }
    }
}
