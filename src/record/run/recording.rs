//! What is shown becomes blocks.

use std::time::Duration;

use super::clock::Clock;
use super::marks::Mark;
use super::message::Frozen;
use super::pending::Pending;
use super::written::Written;
use crate::artifact::records::{Extras, SnapshotFacts};
use crate::artifact::{AddedBlock, NewSnapshot, OnWait, Store, StoreError};
use crate::home::TerminalId;
use crate::record::history::History;
use crate::record::{Journal, JournalError, JournalHeader};
use crate::screen::{Modes, Scrollback, Size};

/// What a block says of its command, but for its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Command {
    pub(crate) text: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) started: Option<Duration>,
}

/// Longest text of a command that another one is added to, in bytes.
const LONGEST_COMMAND: usize = 16 << 10;

impl Command {
    /// This one and another that a shell began before it had said that this one ended: it takes
    /// several lines at once for one command each.
    fn and(self, next: Self) -> Self {
        let text = match (self.text, next.text) {
            (Some(text), Some(next)) if text.len() < LONGEST_COMMAND => Some(text + "\n" + &next),
            (Some(text), _) => Some(text),
            (None, next) => next,
        };
        Self { text, ..self }
    }
}

/// A recording under way: draws, writes and freezes. It never waits for anything but a freeze.
pub(crate) struct Recording {
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) session_id: String,
    pub(crate) pending: Pending,
    pub(crate) written: Written,
    /// What is recorded as a whole.
    pub(crate) whole: Command,
    /// Whether a shell marks its commands.
    pub(crate) has_marks: bool,
    /// What blocks are a step of.
    pub(crate) step_id: Option<String>,
    pub(crate) progress: Progress,
    /// What is done where another program keeps a block from being written, which depends on
    /// whether a full-screen program is on.
    pub(crate) on_wait: Option<Box<dyn Fn(bool) -> OnWait + Send>>,
}

/// How far it is.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    blocks: Vec<AddedBlock>,
    /// The command that a shell runs now.
    running: Option<Command>,
    /// Where the prompt ended: row, counted from the first one ever, and column.
    prompt: Option<(u64, usize)>,
    /// When the block that comes next began.
    since: Option<Duration>,
    /// Whether a prompt came while a command runs. Anybody who knows the prompt can print it, so
    /// only the next command says that this one ended.
    has_lone_prompt: bool,
    /// Whether that was so: then a prompt tells of the end.
    has_lost_ends: bool,
    /// Whether somebody was told that blocks cannot be written.
    has_warned: bool,
    /// What nobody was told yet.
    complaints: Vec<String>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) blocks: Vec<AddedBlock>,
    /// What went wrong at the end.
    pub(crate) complaints: Vec<String>,
    /// Why the last block could not be written.
    pub(crate) failure: Option<StoreError>,
    /// What the program left switched on.
    pub(crate) modes: Modes,
    pub(crate) is_full_screen: bool,
}

/// How a block ends.
pub(crate) enum End {
    /// At a moment that says nothing about a command.
    Cut,
    /// With its command, whose status is known or not.
    Command(Option<i64>),
}

/// A recording to begin, of which only blocks and the journal are kept.
pub(crate) struct Plan {
    pub(crate) store: Store,
    pub(crate) terminal: TerminalId,
    pub(crate) session_id: String,
    pub(crate) size: Size,
    /// Most bytes on disk of what is in no block yet.
    pub(crate) journal_limit: u64,
    /// Most bytes of a block before the rows in memory; older lines are dropped.
    pub(crate) retain: u64,
    pub(crate) whole: Command,
    pub(crate) has_marks: bool,
    pub(crate) step_id: Option<String>,
}

impl Recording {
    /// Begins one that keeps all rows, those beyond memory on disk.
    ///
    /// # Errors
    /// [`JournalError`]: there would be nothing left of it after a crash.
    pub(crate) fn begin(plan: Plan) -> Result<Self, JournalError> {
        let Plan { store, terminal, session_id, size, journal_limit, retain, whole, .. } = plan;
        let clock = Clock::start();
        let header = JournalHeader {
            terminal_id: terminal,
            session_id: session_id.clone(),
            size,
            scrollback: Scrollback::Unlimited,
            command: whole.text.clone(),
            cwd: whole.cwd.clone(),
            started: clock.started(),
        };
        let journal = Journal::create(store.folder(), &header, journal_limit)?;
        // The journal is there, so this can only be a disk that filled up just now.
        let history = History::begin(store.folder(), Some(retain)).ok();
        Ok(Self {
            clock,
            store,
            session_id,
            pending: Pending::new(size, Scrollback::Unlimited, history, false),
            written: Written::without_cast(journal),
            whole,
            has_marks: plan.has_marks,
            step_id: plan.step_id,
            progress: Progress::default(),
            on_wait: None,
        })
    }

    /// The program printed this. What the terminal answers to queries in it.
    pub(crate) fn output(&mut self, bytes: &[u8], at: Duration) -> Vec<u8> {
        self.progress.since.get_or_insert(at);
        for piece in bytes.chunks(self.written.piece()) {
            self.written.output(piece, at, self.pending.screen());
            if let Err(error) = self.pending.output(piece) {
                self.written.complain_of_history(&error);
            }
        }
        self.pending.take_replies()
    }

    /// The terminal got this size.
    pub(crate) fn resize(&mut self, size: Size, at: Duration) {
        self.written.resize(size, at);
        self.pending.resize(size);
    }

    /// Whether anything came since the last block.
    pub(crate) fn has_output(&self) -> bool {
        self.progress.since.is_some()
    }

    /// What went wrong since the last call.
    pub(crate) fn take_complaints(&mut self) -> Vec<String> {
        let complaints = std::mem::take(&mut self.progress.complaints);
        [complaints, self.written.take_complaints()].concat()
    }

    /// The shell says where it is.
    pub(crate) fn mark(&mut self, mark: Mark, at: Duration) {
        match mark {
            Mark::Start { command, cwd } => {
                let text = command.or_else(|| self.typed());
                if std::mem::take(&mut self.progress.has_lone_prompt) {
                    self.progress.has_lost_ends = true;
                    self.command_ended(None, at);
                }
                let next = Command { text, cwd, started: Some(at) };
                let running = self.progress.running.take();
                self.progress.running = Some(match running {
                    Some(running) => running.and(next),
                    None => next,
                });
            }
            Mark::Done { status } => {
                (self.progress.has_lone_prompt, self.progress.has_lost_ends) = (false, false);
                self.command_ended(Some(status), at);
            }
            Mark::PromptBegins { .. } | Mark::More | Mark::Refused | Mark::Cancelled => {}
            Mark::Prompt => {
                if self.progress.has_lost_ends {
                    self.command_ended(None, at);
                } else {
                    self.progress.has_lone_prompt = self.is_running();
                }
                let screen = self.pending.screen();
                let (row, cursor) = (screen.normal().scrollback_len(), screen.cursor());
                let row = self.pending.first_row() + (row + cursor.row) as u64;
                self.progress.prompt = Some((row, cursor.col));
            }
        }
    }

    /// Whether the shell said that a command runs.
    pub(crate) fn is_running(&self) -> bool {
        self.progress.running.is_some()
    }

    /// The command that runs, if one does, has ended.
    pub(crate) fn command_ended(&mut self, status: Option<i64>, at: Duration) -> Option<Frozen> {
        self.is_running().then(|| {
            let frozen = self.freeze_or_complain(&End::Command(status), at);
            self.progress.running = None;
            frozen
        })
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

    /// Makes a block, and complains the first time that it does not work.
    pub(crate) fn freeze_or_complain(&mut self, end: &End, at: Duration) -> Frozen {
        match self.freeze(end, at) {
            Ok(Some(block)) => Frozen::Block(block),
            Ok(None) => Frozen::Empty,
            Err(error) => {
                if !std::mem::replace(&mut self.progress.has_warned, true) {
                    let complaint = format!("{error}; the recording goes on");
                    self.progress.complaints.push(complaint);
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
        self.written.flush();
        let progress = &self.progress;
        let is_whole = progress.blocks.is_empty() && !matches!(end, End::Cut);
        let command = match &progress.running {
            Some(running) => running.clone(),
            // What ran as a whole is said of a block only if it is the whole.
            None if is_whole && !self.has_marks => self.whole.clone(),
            None => Command::default(),
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
                step_id: self.step_id.clone(),
                cols: size.cols,
                rows: size.rows,
                length: 0,
                extras,
            },
        };
        let mut added = self.store().append([snapshot])?;
        let block = added.pop().ok_or_else(|| StoreError::Source(std::io::Error::other("none")))?;
        self.progress.blocks.push(block.clone());
        Ok(block)
    }

    /// The session, with what is done where another program keeps us from it.
    fn store(&self) -> Store {
        let on_wait = self.on_wait.as_ref().map(|make| make(self.pending.is_full_screen()));
        self.store.clone().on_wait(on_wait.unwrap_or_default())
    }

    /// The program did not start: nothing is left of it.
    pub(crate) fn abandon(self) {
        self.written.end(0, Duration::ZERO, false);
        // Where others record there too, it stays.
        std::fs::remove_dir(self.store.folder()).unwrap_or_default();
    }

    /// The last block. There is at least one, even of a program that printed nothing.
    pub(crate) fn finish(mut self, code: Option<i64>, at: Duration) -> Drawn {
        self.pending.finish();
        let end = End::Command(code);
        let is_needed = self.progress.blocks.is_empty() || !self.pending.is_blank();
        let result =
            if is_needed { self.write(&end, at).map(drop) } else { self.store().restore() };
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
