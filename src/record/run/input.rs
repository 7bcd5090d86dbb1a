//! What is on its way to the program.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

use crate::pty::{LineMode, Pty};
use crate::screen::MOST_REPLIES;

/// Input that may wait; more is not read from stdin.
const MOST: usize = 64 * 1024;

/// Keys after which something else has a turn, however quickly they are read.
const TURN: usize = 64 * 1024;

/// The first pause before the program is told again that its input is over, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The keyboard's side of the terminal: keys, and answers that go before them.
#[derive(Debug, Default)]
pub(crate) struct Input {
    replies: Vec<u8>,
    keys: VecDeque<u8>,
    /// The last key, once there was one.
    last: Option<u8>,
    /// Whether nobody types: then lines may be longer than a terminal takes.
    is_piped: bool,
    /// Bytes of a line that the terminal has so far.
    line: usize,
    end: Option<End>,
    /// Whether nobody is left to read anything.
    is_closed: bool,
}

/// No more keys come, and the program is to know.
#[derive(Debug)]
struct End {
    pause: Duration,
    due: Instant,
}

/// Where lines count, a terminal throws away what is behind 4,095 bytes of one (1,023 on macOS).
const LONGEST_LINE: usize = if cfg!(target_os = "linux") { 4000 } else { 1000 };

impl Input {
    /// Input that comes from a file or a pipe.
    pub(crate) fn piped() -> Self {
        Self { is_piped: true, ..Self::default() }
    }

    /// Whether more may be read from stdin.
    pub(crate) fn has_room(&self) -> bool {
        self.end.is_none() && self.keys.len() < MOST
    }

    /// Bytes of keys that the terminal has not taken.
    pub(crate) fn keys_waiting(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn is_waiting(&self) -> bool {
        !self.keys.is_empty() || !self.replies.is_empty()
    }

    pub(crate) fn type_keys(&mut self, keys: &[u8]) {
        if !self.is_closed {
            self.keys.extend(keys);
        }
    }

    /// Throws away the keys that the terminal has not taken; how many.
    pub(crate) fn forget_keys(&mut self) -> usize {
        let count = self.keys.len();
        self.keys.clear();
        self.line = 0;
        count
    }

    /// Types answers before the keys. Where too many wait that nobody reads, new ones are dropped,
    /// each as a whole.
    pub(crate) fn reply(&mut self, replies: &[u8]) {
        // A screen hands out no more than that at once, so twice as much is the limit.
        if !self.is_closed && self.replies.len() < MOST_REPLIES {
            self.replies.extend_from_slice(replies);
        }
    }

    /// No more keys will come.
    pub(crate) fn end(&mut self) {
        self.end.get_or_insert(End { pause: FIRST_PAUSE, due: Instant::now() + FIRST_PAUSE });
    }

    /// Whether nobody is left to read any.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether there will be no more keys.
    pub(crate) fn is_ended(&self) -> bool {
        self.end.is_some() || self.is_closed
    }

    /// When [`Self::tell_end`] has something to do.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.end.as_ref().filter(|_| !self.is_waiting()).map(|end| end.due)
    }

    /// Writes as much as the terminal takes; the keys that it took and that may be recorded. Where
    /// nobody is left to read them, which reads will say, they are dropped.
    pub(crate) fn write(&mut self, pty: &Pty) -> Vec<u8> {
        self.try_write(pty).unwrap_or_else(|_| {
            self.close();
            Vec::new()
        })
    }

    /// Nobody is left to read: what waits is dropped, and what comes is too.
    pub(crate) fn close(&mut self) {
        self.is_closed = true;
        self.replies.clear();
        self.keys.clear();
    }

    fn try_write(&mut self, pty: &Pty) -> io::Result<Vec<u8>> {
        if !self.replies.is_empty() {
            let count = write_some(pty, &self.replies)?;
            self.replies.drain(..count);
            if !self.replies.is_empty() {
                return Ok(Vec::new());
            }
        }
        let mut shown = Vec::new();
        let mut total = 0;
        while !self.keys.is_empty() && total < TURN {
            // Asked before the keys are there: the answer could come too late afterwards.
            let mode = LineMode::of(pty);
            let is_secret = mode.is_none_or(|mode| mode.is_secret());
            let (count, is_all) = match self.write_part(pty, mode) {
                Ok(written) => written,
                // What is written is written; the next write fails again.
                Err(_) if total > 0 => break,
                Err(error) => return Err(error),
            };
            total += count;
            let written = self.keys.drain(..count).inspect(|&key| self.last = Some(key));
            if is_secret {
                written.for_each(drop);
            } else {
                shown.extend(written);
            }
            if !is_all {
                break;
            }
        }
        Ok(shown)
    }

    /// Writes at most one line where lines count; how many bytes the terminal took, and whether
    /// those were all that it was given.
    fn write_part(&mut self, pty: &Pty, mode: Option<LineMode>) -> io::Result<(usize, bool)> {
        match mode.filter(|mode| mode.canonical && self.is_piped) {
            Some(mode) => self.write_line(pty, mode),
            None => {
                self.line = 0;
                let part = self.keys.as_slices().0;
                let count = write_some(pty, part)?;
                Ok((count, count == part.len()))
            }
        }
    }

    /// Writes at most one line. One that is too long is handed over in parts: the key that ends
    /// the input does that inside of a line.
    fn write_line(&mut self, pty: &Pty, mode: LineMode) -> io::Result<(usize, bool)> {
        if self.line >= LONGEST_LINE {
            if write_some(pty, &[mode.end_of_file])? == 0 {
                return Ok((0, false));
            }
            self.line = 0;
        }
        let keys = self.keys.as_slices().0;
        let part = &keys[..(LONGEST_LINE - self.line).min(keys.len())];
        let end = mode.line_end(part);
        let part = end.map_or(part, |end| &part[..end]);
        let count = write_some(pty, part)?;
        let is_all = count == part.len();
        self.line = if is_all && end.is_some() { 0 } else { self.line + count };
        Ok((count, is_all))
    }

    /// Types the key that ends the input where a program waits for more, and again after a while,
    /// since the next program wants to know it as well.
    pub(crate) fn tell_end(&mut self, pty: &Pty, is_quiet: bool) {
        let now = Instant::now();
        let Some(end) = self.end.as_mut().filter(|end| end.due <= now) else {
            return;
        };
        end.due = now + end.pause;
        let Some(mode) = LineMode::of(pty).filter(|_| pty.unread_input() == Some(0)) else {
            return;
        };
        // A line editor takes keys, and this one ends it at an empty prompt. Programs that switch
        // signals off too have their own ideas about it.
        if mode.canonical || (mode.signals && is_quiet) {
            let key = mode.end_of_file;
            // Behind a part of a line it only hands over that part.
            let is_inside_line = mode.canonical && self.last.is_some_and(|last| last != b'\n');
            let times = if is_inside_line { 2 } else { 1 };
            self.last = None;
            // A terminal that takes nothing now is asked again.
            write_some(pty, &[key; 2][..times]).unwrap_or_default();
            end.pause = (end.pause * 2).min(LONGEST_PAUSE);
            end.due = now + end.pause;
        }
    }
}

fn write_some(pty: &Pty, bytes: &[u8]) -> io::Result<usize> {
    loop {
        // Where the input was ended nobody is left to read, as where the reader is gone.
        let mut keyboard = pty.keyboard().ok_or(ErrorKind::BrokenPipe)?;
        match keyboard.write(bytes) {
            Ok(count) => return Ok(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(0),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Scrollback, Size};

    #[test]
    fn answers_that_nobody_reads_are_bounded_and_whole() {
        let size = Size { cols: 80, rows: 24 };
        let mut screen = Screen::new(size, Scrollback::Rows(0)).with_replies();
        let mut input = Input::default();
        input.type_keys(b"key");
        for queries in [1, 100_000, 1, 100_000] {
            screen.feed(&b"\x1b[c".repeat(queries));
            input.reply(&screen.take_replies());
        }
        let answers = String::from_utf8(input.replies).unwrap();
        assert!((MOST_REPLIES..=2 * MOST_REPLIES).contains(&answers.len()), "{}", answers.len());
        let answer = "\x1b[?1;2c";
        assert_eq!(answers, answer.repeat(answers.len() / answer.len()));
        assert_eq!(input.keys, *b"key");
    }

    #[test]
    fn as_many_lines_are_written_at_once_as_the_terminal_takes() {
        let pty = Pty::open(Size { cols: 80, rows: 24 }).unwrap();
        let mut input = Input::piped();
        input.type_keys(&b"line\n".repeat(50));
        assert_eq!(input.write(&pty), b"line\n".repeat(50));
        assert_eq!((input.keys_waiting(), input.last), (0, Some(b'\n')));
        // What does not fit waits, in order.
        let lines: Vec<u8> = (0..100_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        input.type_keys(&lines);
        let written = input.write(&pty);
        assert!((1..lines.len()).contains(&written.len()), "{}", written.len());
        assert_eq!(written, lines[..written.len()]);
        assert_eq!(input.keys, &lines[written.len()..]);
    }

    #[test]
    fn nothing_waits_for_a_reader_that_is_gone() {
        let mut input = Input::default();
        input.type_keys(b"keys");
        assert!(input.is_waiting());
        input.close();
        input.type_keys(b"more");
        input.reply(b"answer");
        assert!(!input.is_waiting());
    }
}
