//! The screen that a recording is drawn on, and when it is frozen.

use jiff::{SignedDuration, Timestamp};

use super::ImportError;
use super::opening::Opening;
use super::prompts::{Command, Prompts};
use super::sink::Sink;
use super::spool::Spool;
use crate::artifact::clock;
use crate::artifact::records::Extras;
use crate::screen::{Screen, Scrollback, Size};

/// When the screen becomes a block, besides the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeze {
    /// Never.
    End,
    /// At each marker of an asciicast.
    Markers,
    /// At the end of each command, where the shell marked its prompts.
    Prompts,
}

/// Draws a recording and freezes it.
///
/// After a freeze the screen starts again empty, with the modes and the alternate screen as they
/// are. A screen on which nothing was written freezes to nothing.
pub(super) struct Capture {
    screen: Screen,
    freeze: Freeze,
    prompts: Prompts,
    spool: Spool,
    facts: Facts,
    notes: Vec<String>,
}

/// What is known beside the screen.
struct Facts {
    started: Option<Timestamp>,
    command: Option<String>,
    exit_code: Option<i64>,
    /// Seconds since the start: now, and when the block began.
    now: f64,
    since: f64,
}

/// All of a recording, frozen.
pub(super) struct Captured {
    pub(super) spool: Spool,
    pub(super) notes: Vec<String>,
}

impl Capture {
    pub(super) fn new(opening: &Opening, freeze: Freeze, scrollback: usize) -> Self {
        let mut screen = Screen::new(opening.size, Scrollback::Rows(scrollback));
        if freeze == Freeze::Prompts {
            screen = screen.with_events();
        }
        Self {
            screen,
            freeze,
            prompts: Prompts::default(),
            spool: Spool::new(),
            facts: Facts {
                started: opening.started,
                command: opening.command.clone(),
                exit_code: None,
                now: 0.0,
                since: 0.0,
            },
            notes: Vec::new(),
        }
    }

    /// Freezes what is left. There is at least one block, even of a recording that shows nothing.
    pub(super) fn finish(mut self) -> Result<Captured, ImportError> {
        self.screen.finish();
        if self.freeze == Freeze::Prompts && !self.prompts.any {
            self.note("no prompt marks (OSC 133) in the recording: it is one block".to_owned());
        }
        let is_first = self.spool.is_empty();
        let is_over = self.screen.is_blank()
            || self.freeze == Freeze::Prompts && self.prompts.is_only_prompt(&self.screen);
        if is_first || !is_over {
            // What ran as a whole is said of a block only if it is the whole.
            let mut command = self.prompts.last();
            if is_first {
                command.text = command.text.or(self.facts.command.take());
                command.exit_code = command.exit_code.or(self.facts.exit_code);
            }
            self.push(command)?;
        }
        Ok(Captured { spool: self.spool, notes: self.notes })
    }

    fn freeze(&mut self, command: Command) -> Result<(), ImportError> {
        if !self.screen.is_blank() {
            self.push(command)?;
        }
        self.screen.restart();
        self.facts.since = self.facts.now;
        Ok(())
    }

    fn push(&mut self, command: Command) -> Result<(), ImportError> {
        let facts = &self.facts;
        let extras = Extras {
            command: command.text,
            exit_code: command.exit_code,
            cwd: command.cwd,
            started_at: facts.time(facts.since),
            ended_at: facts.time(facts.now),
            dropped_rows: self.screen.dropped_rows(),
            ..Extras::default()
        };
        self.spool.push(&self.screen, extras).map_err(ImportError::Spool)
    }

    /// Feeds bytes that may hold marks. A mark ends with BEL or ST, so the screen is asked behind
    /// each byte that may be the end of one.
    fn feed_to_marks(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr3(0x07, b'\\', 0x9c, rest);
            let (part, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            self.screen.feed(part);
            for event in self.screen.take_events() {
                if let Some(command) = self.prompts.take(event, &self.screen) {
                    self.freeze(command)?;
                }
            }
            rest = after;
        }
        Ok(())
    }
}

impl Facts {
    fn time(&self, seconds: f64) -> Option<String> {
        // Times beyond all calendars are left out.
        let since = SignedDuration::try_from_secs_f64(seconds).ok()?;
        let time = self.started?.checked_add(since).ok()?;
        Some(clock::format_time(time))
    }
}

impl Sink for Capture {
    fn time(&mut self, seconds: f64) {
        self.facts.now = seconds;
    }

    fn output(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        if self.freeze == Freeze::Prompts {
            return self.feed_to_marks(bytes);
        }
        self.screen.feed(bytes);
        Ok(())
    }

    fn resize(&mut self, size: Size) {
        if size != self.screen.size() {
            self.screen.resize(size);
        }
    }

    fn marker(&mut self) -> Result<(), ImportError> {
        if self.freeze == Freeze::Markers {
            self.freeze(Command::default())?;
        }
        Ok(())
    }

    fn exit(&mut self, code: i64) {
        self.facts.exit_code = Some(code);
    }

    fn note(&mut self, note: String) {
        self.notes.push(note);
    }
}
