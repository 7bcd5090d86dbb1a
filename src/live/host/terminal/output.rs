//! Output of the program: to the screens, the recording, the pages of a job and who looks on.

use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use super::{HISTORY, Terminal, view};
use crate::live::host::shell::Phase;
use crate::record::{End, Piece};
use crate::screen::Event;
use crate::text::system_error;

/// One read, and most that is read before anything else gets a turn.
const CHUNK: usize = 64 * 1024;
const TURN: usize = 1 << 20;
/// Longest time of that: where commands end one after the other, each is a block on disk.
const LONGEST_TURN: Duration = Duration::from_millis(20);
/// Most blocks that are made of one command because it erases what it has shown.
const MOST_ERASURES: u32 = 8;
/// Begins a sequence, and ends the one before.
const ESC: u8 = 0x1b;

impl Terminal {
    /// Reads what there is, and no more than a turn.
    pub(in crate::live::host) fn read_output(&mut self) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(CHUNK, 0);
        let mut total = 0;
        let start = Instant::now();
        while total < TURN && !self.output_is_over && start.elapsed() < LONGEST_TURN {
            match self.pty.master().read(&mut buffer) {
                // macOS says so with 0, Linux with EIO.
                Ok(0) => self.output_is_over = true,
                Ok(count) => {
                    total += count;
                    self.last_output = Some(Instant::now());
                    self.printed += count as u64;
                    self.take_output(&buffer[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.output_is_over = true,
            }
        }
        self.buffer = buffer;
    }

    fn take_output(&mut self, bytes: &[u8]) {
        let Some(mut marks) = self.marks.take() else {
            return self.show(bytes);
        };
        marks.feed(bytes, |piece| match piece {
            Piece::Bytes(bytes) => self.show_typed(bytes),
            Piece::Mark(mark) => self.take_mark(mark),
        });
        self.marks = Some(marks);
    }

    /// Shows output, and takes note of where the shell's line editor lets go of the terminal.
    fn show_typed(&mut self, mut bytes: &[u8]) {
        let is_editing =
            |it: &Self| it.shell.is_hooked && it.shell.phase != Phase::Running && it.takes_paste();
        // `CSI ? 2004 l`, wherever a read cut it.
        while is_editing(self)
            && let Some(at) = memchr::memchr(b'l', bytes)
        {
            let (head, rest) = bytes.split_at(at + 1);
            self.show(head);
            bytes = rest;
            if let (false, Some(recording)) = (self.takes_paste(), &self.recording) {
                self.delivery.typing_ends(view(recording, ""));
            }
        }
        self.show(bytes);
    }

    pub(super) fn show(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = first_erasure(rest) {
            let (before, after) = rest.split_at(at);
            self.draw(before);
            if !self.is_full_screen() {
                self.before_erasure(after);
            }
            // The sequence itself, so that it is not found again.
            let (sequence, after) = after.split_at(after.len().min(2));
            self.draw(sequence);
            rest = after;
        }
        self.draw(rest);
    }

    /// The program is about to erase what it has shown, which may be in no answer and no block yet.
    fn before_erasure(&mut self, next: &[u8]) {
        // Of the screen alone the lines keep their numbers.
        if !next.starts_with(b"\x1b[2J") || next.get(4..).is_some_and(erases_history) {
            self.gone.note(&self.seen);
        }
        if self.pages.is_some() {
            // That of the history has left the screen already.
            if !erases_history(next) {
                self.keep_erased();
            }
            return;
        }
        // At its prompt a shell erases what is in blocks.
        if self.shell.is_hooked && self.shell.phase != Phase::Running {
            return;
        }
        let block = self.recording.as_ref().map(|recording| recording.written.block_id());
        let has_news = match (&self.recording, &block) {
            (Some(recording), Some(block)) => self.delivery.has_news(view(recording, block)),
            _ => false,
        };
        if !has_news {
            return;
        }
        self.erasures += 1;
        if self.erasures <= MOST_ERASURES {
            self.freeze(&End::Cut);
        } else if self.erasures == MOST_ERASURES + 1 {
            let note = "the program erases what it has shown: from here on that is in no block";
            self.complaints.push(note.to_owned());
        }
    }

    /// A job is one block, so what nobody read yet is kept for a page.
    fn keep_erased(&mut self) {
        if self.erasures > MOST_ERASURES || !self.has_unread() {
            return;
        }
        self.erasures += 1;
        if self.erasures > MOST_ERASURES {
            let note = "it erases what it has shown: from here on that is in no page";
            self.complaints.push(note.to_owned());
        } else if let Some(pages) = &mut self.pages
            && let Err(error) = pages.keep_screen(&self.seen)
        {
            self.complaints.push(format!("output is in no page: {}", system_error(&error)));
        }
    }

    fn draw(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        // A terminal does that to what programs print.
        let drawn = if self.pty.is_pipes() { with_returns(bytes) } else { Cow::Borrowed(bytes) };
        let bytes = &*drawn;
        let was_in_string = self.seen.is_in_string();
        self.seen.feed(bytes);
        self.in_string = match self.seen.is_in_string() {
            false => 0,
            true if was_in_string && memchr::memchr(ESC, bytes).is_none() => {
                self.in_string + bytes.len() as u64
            }
            true => (bytes.len() - memchr::memrchr(ESC, bytes).unwrap_or(0)) as u64,
        };
        match &mut self.pages {
            Some(pages) => {
                let result = pages.relieve(&mut self.seen);
                let complaint = |error| {
                    format!("some output could not be kept for an answer: {}", system_error(&error))
                };
                self.complaints.extend(result.err().map(complaint));
            }
            None => self.gone.relieve(&mut self.seen, HISTORY),
        }
        for event in self.seen.take_events() {
            if event == Event::Bell {
                self.delivery.ring();
            }
        }
        self.replies.add(&self.seen.take_replies(), &self.pty);
        if self.is_watched {
            self.watchers.push_back(bytes.to_vec());
        }
        if let Some(recording) = &mut self.recording {
            let at = recording.clock.now();
            recording.output(bytes, at);
        }
    }
}

/// Whether output begins with ED 3, which erases the history.
fn erases_history(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1b[3J")
}

/// Where output first erases the screen or its history: ED 2, ED 3, or a reset.
fn first_erasure(bytes: &[u8]) -> Option<usize> {
    let is_erasure = |&at: &usize| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        rest.starts_with(b"[2J") || rest.starts_with(b"[3J") || rest.starts_with(b"c")
    };
    memchr::memchr_iter(ESC, bytes).find(is_erasure)
}

/// The lines with a carriage return at the end of each.
fn with_returns(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => {
                out.extend_from_slice(line);
                out.extend_from_slice(b"\r\n");
            }
            None => out.extend_from_slice(line),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_gets_a_return() {
        assert_eq!(&*with_returns(b"a\n\nb\r\nc"), b"a\r\n\r\nb\r\r\nc");
        assert!(matches!(with_returns(b"plain"), Cow::Borrowed(b"plain")));
    }
}
