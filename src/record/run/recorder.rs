//! The thread that draws what is printed and makes blocks of it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use super::clock::Clock;
use super::marks::Mark;
use super::message::{Feedback, Frozen, Message, Notifier};
use super::pending::Pending;
use super::written::Written;
use crate::artifact::records::{Extras, SnapshotFacts};
use crate::artifact::{AddedBlock, NewSnapshot, OnWait, Store, StoreError};
use crate::screen::Modes;

/// What a block says of its command, but for its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    pub(super) text: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) started: Option<Duration>,
}

/// Draws and freezes, until the program ends.
pub(super) struct Recorder<'a> {
    pub(super) clock: Clock,
    pub(super) store: &'a Store,
    pub(super) session_id: String,
    pub(super) pending: Pending,
    pub(super) written: Written,
    pub(super) every: Option<Duration>,
    pub(super) notifier: Arc<Notifier>,
    /// What is recorded as a whole.
    pub(super) whole: Command,
    /// Whether a shell marks its commands.
    pub(super) has_marks: bool,
    pub(super) progress: Progress,
}

/// How far it is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    blocks: Vec<AddedBlock>,
    /// The command that a shell runs now.
    running: Option<Command>,
    /// Where the prompt ended: row, counted from the first one ever, and column.
    prompt: Option<(u64, usize)>,
    /// When the block that comes next began.
    since: Option<Duration>,
    next_block: Option<Duration>,
    /// Whether somebody was told that blocks cannot be written.
    has_warned: bool,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) blocks: Vec<AddedBlock>,
    /// What went wrong at the end.
    pub(super) complaints: Vec<String>,
    /// Why the last block could not be written.
    pub(super) failure: Option<StoreError>,
    /// What the program left switched on.
    pub(super) modes: Modes,
    pub(super) is_full_screen: bool,
}

/// How a block ends.
enum End {
    /// At a moment that says nothing about a command.
    Cut,
    /// With its command, whose status is known or not.
    Command(Option<i64>),
}

impl Recorder<'_> {
    /// Takes messages until the program has ended.
    pub(super) fn run(mut self, messages: &Receiver<Message>) -> Drawn {
        self.progress.next_block = self.every;
        loop {
            match self.next(messages) {
                Ok(Message::End { code, at }) => return self.finish(Some(code), at),
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let now = self.clock.now();
                    return self.finish(None, now);
                }
            }
            self.notifier.made_room();
            self.work();
        }
    }

    /// The next message, or a timeout when there is something else to do.
    fn next(&mut self, messages: &Receiver<Message>) -> Result<Message, RecvTimeoutError> {
        match messages.try_recv() {
            Err(TryRecvError::Empty) => {}
            result => return result.map_err(|_| RecvTimeoutError::Disconnected),
        }
        self.written.pause();
        let now = self.clock.now();
        let next_block = self.progress.next_block.map(|due| due.saturating_sub(now));
        match next_block.into_iter().chain(self.written.due_in()).min() {
            Some(wait) => messages.recv_timeout(wait),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// What is due by the clock.
    fn work(&mut self) {
        let now = self.clock.now();
        if let (Some(every), Some(due)) = (self.every, self.progress.next_block)
            && due <= now
        {
            self.progress.next_block = Some(now + every);
            if self.progress.since.is_some() {
                self.freeze_and_warn(&End::Cut, now);
            }
        }
        self.written.sync_if_due();
        for complaint in self.written.take_complaints() {
            self.warn(complaint);
        }
    }

    fn warn(&self, text: String) {
        let is_full_screen = self.pending.is_full_screen();
        self.notifier.send(Feedback::Warning { text, is_full_screen });
    }

    /// Warns where another program keeps a block from being written.
    fn on_wait(&self) -> OnWait {
        let notifier = Arc::clone(&self.notifier);
        let is_full_screen = self.pending.is_full_screen();
        OnWait::new(move |path| {
            let text = format!("a block waits for another program that holds {}", path.display());
            notifier.send(Feedback::Warning { text, is_full_screen });
        })
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Output { bytes, at, foreground } => {
                self.progress.since.get_or_insert(at);
                self.written.output(&bytes, at, self.pending.screen());
                if let Err(error) = self.pending.output(&bytes) {
                    self.written.complain_of_history(&error);
                }
                self.notifier.give_back(bytes);
                let bytes = self.pending.take_replies();
                if !bytes.is_empty() {
                    self.notifier.send(Feedback::Reply { bytes, foreground });
                }
            }
            Message::Input { bytes, at } => self.written.input(&bytes, at),
            // The caller looks for it.
            Message::End { .. } => {}
            Message::Mark { mark, at } => self.mark(mark, at),
            Message::Resize { size, at } => {
                self.written.resize(size, at);
                self.pending.resize(size);
            }
            Message::Freeze { at, answer } => {
                let frozen = self.freeze_and_warn(&End::Cut, at);
                if let Some(answer) = answer {
                    // Who asked may have gone.
                    answer.try_send(frozen).unwrap_or_default();
                }
            }
        }
    }

    fn mark(&mut self, mark: Mark, at: Duration) {
        match mark {
            Mark::Start { command, cwd } => {
                let text = command.or_else(|| self.typed());
                self.progress.running = Some(Command { text, cwd, started: Some(at) });
            }
            Mark::Done { status } => self.command_ended(Some(status), at),
            Mark::Prompt => {
                // A shell that lost its hook tells no more than this.
                self.command_ended(None, at);
                let screen = self.pending.screen();
                let (row, cursor) = (screen.normal().scrollback_len(), screen.cursor());
                let row = self.pending.first_row() + (row + cursor.row) as u64;
                self.progress.prompt = Some((row, cursor.col));
            }
        }
    }

    fn command_ended(&mut self, status: Option<i64>, at: Duration) {
        if self.progress.running.is_some() {
            self.freeze_and_warn(&End::Command(status), at);
            self.progress.running = None;
        }
    }

    /// What stands on the screen behind the prompt.
    fn typed(&mut self) -> Option<String> {
        let (row, col) = self.progress.prompt.take()?;
        let screen = self.pending.screen();
        let normal = screen.normal();
        let first = usize::try_from(row.checked_sub(self.pending.first_row())?).ok()?;
        let end = normal.scrollback_len() + screen.cursor().row;
        let mut text = String::new();
        for index in first..end {
            let row = normal.row(index);
            let mut line = String::new();
            row.push_text(&mut line);
            if index == first {
                let cells = row.cells().filter(|cell| cell.column() < col);
                line.drain(..cells.fold(0, |length, cell| length + text_length(&cell)));
            } else if !row.is_wrapped() {
                text.push('\n');
            }
            text.push_str(&line);
        }
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Makes a block, and tells the person the first time that it does not work.
    fn freeze_and_warn(&mut self, end: &End, at: Duration) -> Frozen {
        match self.freeze(end, at) {
            Ok(Some(block)) => Frozen::Block(block),
            Ok(None) => Frozen::Empty,
            Err(error) => {
                if !std::mem::replace(&mut self.progress.has_warned, true) {
                    self.warn(format!("{error}; the recording goes on"));
                }
                Frozen::Failed(error.to_string())
            }
        }
    }

    /// Makes a block of what was shown since the last one, if it was anything. What could not be
    /// written stays for the next one.
    fn freeze(&mut self, end: &End, at: Duration) -> Result<Option<AddedBlock>, StoreError> {
        if self.pending.is_blank() {
            self.begin_next();
            return Ok(None);
        }
        let block = self.write(end, at)?;
        self.begin_next();
        Ok(Some(block))
    }

    fn begin_next(&mut self) {
        self.pending.restart();
        self.written.frozen(self.pending.screen());
        self.progress.since = None;
        self.progress.prompt = None;
    }

    fn write(&mut self, end: &End, at: Duration) -> Result<AddedBlock, StoreError> {
        let progress = &self.progress;
        let command = match &progress.running {
            Some(running) => running.clone(),
            None if self.has_marks => Command::default(),
            None => self.whole.clone(),
        };
        let size = self.pending.screen().size();
        let extras = Extras {
            command: command.text,
            exit_code: match end {
                End::Cut => None,
                End::Command(code) => *code,
            },
            cwd: command.cwd.or_else(|| self.whole.cwd.clone()),
            started_at: command.started.or(progress.since).and_then(|at| self.clock.format(at)),
            ended_at: self.clock.format(at),
            dropped_rows: self.pending.dropped_rows(),
            ..Extras::default()
        };
        let snapshot = NewSnapshot {
            block_id: Some(self.written.block_id()),
            data: self.pending.data(),
            facts: SnapshotFacts {
                session_id: self.session_id.clone(),
                cols: size.cols,
                rows: size.rows,
                length: 0,
                extras,
            },
        };
        let store = self.store.clone().on_wait(self.on_wait());
        let mut added = store.append([snapshot])?;
        let block = added.pop().ok_or_else(|| StoreError::Source(std::io::Error::other("none")))?;
        self.progress.blocks.push(block.clone());
        Ok(block)
    }

    /// The last block. There is at least one, even of a program that printed nothing.
    fn finish(mut self, code: Option<i64>, at: Duration) -> Drawn {
        self.pending.finish();
        let end = End::Command(code);
        let is_needed = self.progress.blocks.is_empty() || !self.pending.is_blank();
        let result = if is_needed { self.write(&end, at).map(drop) } else { self.store.restore() };
        let failure = result.err();
        let keep = failure.is_some();
        Drawn {
            complaints: self.written.end(code.unwrap_or(-1), at, keep),
            blocks: self.progress.blocks,
            failure,
            modes: self.pending.modes(),
            is_full_screen: self.pending.is_full_screen(),
        }
    }
}

fn text_length(cell: &crate::screen::CellRef<'_>) -> usize {
    if cell.is_null() {
        return 1;
    }
    let mut text = String::new();
    cell.push_text(&mut text);
    text.len()
}
