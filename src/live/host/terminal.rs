//! A terminal, its program, its screens and its recording.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitStatus, getpid};

use super::complaints::Complaints;
use super::config::{HostConfig, Transport};
use super::delivery::{Delivery, Taken};
use super::environment::program;
use super::pages::{Pages, Taken as Page};
use super::pauses::{MORE_PAUSE, READ_PAUSE};
use super::replies::Replies;
use super::screen_now::Gone;
use super::shell::{Phase, Shell};
use super::view::{View, line_count};
use crate::artifact::{OnWait, Store};
use crate::home::{CodexHome, TerminalId};
use crate::live::keys::KeyModes;
use crate::live::place::Place;
use crate::live::wire::{Part, Shown, Status};
use crate::pty::{
    Doing, Foreground, LineMode, Pty, SpawnError, Stopped, bring_to_front, foreground,
    foreground_leader, group_of, name_of, set_window_size, signal_group, spawn, spawn_in_group,
    stopped_children,
};
use crate::record::{
    Command, End, Frozen, Hook, JournalError, Mark, MarkFilter, Piece, Plan, Recording, Typed,
    install_hook,
};
use crate::screen::{Event, Screen, Scrollback, Size};
use crate::snapshot;
use crate::text::{shell_quoted, system_error};

/// One read, and most that is read before anything else gets a turn.
const CHUNK: usize = 64 * 1024;
const TURN: usize = 1 << 20;
/// Longest time of that: where commands end one after the other, each is a block on disk.
const LONGEST_TURN: Duration = Duration::from_millis(20);
/// Rows of history that answers read.
const HISTORY: usize = 10_000;
/// Silence after the program's end that counts as the end of its output, and the longest wait.
const GRACE: Duration = Duration::from_millis(200);
const LONGEST_GRACE: Duration = Duration::from_secs(2);
/// Statuses of commands that were stopped: 128 and SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU.
const STOPS: std::ops::RangeInclusive<i64> =
    if cfg!(target_os = "linux") { 147..=150 } else { 145..=150 };
/// Most blocks that are made of one command because it erases what it has shown.
const MOST_ERASURES: u32 = 8;
/// How long a block waits for another program that writes into the session.
const LOCK_WAIT: Duration = Duration::from_millis(500);
/// The same for a job, of whose session many others may end at once.
const LOCK_WAIT_OF_JOB: Duration = Duration::from_secs(10);
/// The beginning of a mark waits this long for its end.
const MARK_WAIT: Duration = Duration::from_millis(100);

/// A terminal that lives, or whose program has ended.
pub(super) struct Terminal {
    pub(super) place: Place,
    pub(super) pty: Pty,
    pub(super) leader: Pid,
    pub(super) shell: Shell,
    pub(super) delivery: Delivery,
    pub(super) input: Typed,
    /// When something was printed last, and how many bytes so far.
    pub(super) last_output: Option<Instant>,
    last_typed: Option<Instant>,
    pub(super) printed: u64,
    /// The screen that is never begun anew. It answers queries and is read.
    seen: Screen,
    /// Lines of its history that are in memory no more.
    pub(super) gone: Gone,
    recording: Option<Recording>,
    /// The id of the last block, once the recording is over.
    last_block: String,
    marks: Option<MarkFilter>,
    hook: Option<Hook>,
    /// Whether a status says that a command was stopped; not in fish, which says when its prompt
    /// comes and not when it is there.
    tells_stops: bool,
    /// Commands that are known to be stopped.
    stopped: BTreeSet<Stopped>,
    /// Answers to queries of the program.
    replies: Replies,
    /// Whether the last key for that was one that holds the output.
    is_held: bool,
    /// Whether a job has closed its input and that was said, or was wanted.
    is_input_lost: bool,
    wait_status: Option<WaitStatus>,
    ended: Option<Instant>,
    output_is_over: bool,
    /// Where output is read into.
    buffer: Vec<u8>,
    /// Why the last block could not be written; what it would hold is in none.
    unwritten: Option<String>,
    /// Blocks made of the running command before it erased what it had shown.
    erasures: u32,
    /// What nobody was told yet.
    pub(super) complaints: Complaints,
    /// Output for those who look on.
    pub(super) watchers: VecDeque<Vec<u8>>,
    pub(super) is_watched: bool,
    /// The output of a job.
    pub(super) pages: Option<Pages>,
    /// Lines of the block of a job, once it is there.
    block_lines: Option<u64>,
}

/// Why a terminal could not be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenError {
    #[error("no terminal to be had: {}", system_error(.0))]
    Pty(io::Error),
    #[error("cannot make a prompt hook: {}", system_error(.0))]
    Hook(io::Error),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error("{0} is no terminal id")]
    Id(String),
}

impl Terminal {
    /// Opens it and starts the program.
    pub(super) fn open(config: &HostConfig, size: Size) -> Result<Self, OpenError> {
        let id = TerminalId::new(&config.terminal)
            .map_err(|_| OpenError::Id(config.terminal.clone()))?;
        let transport = config.job.as_ref().map_or(Transport::Terminal, |job| job.transport);
        let (mut pty, note) = open_pty(transport, || Pty::open(size)).map_err(OpenError::Pty)?;
        let mut program = program(config);
        let words = config.command.iter().map(|word| shell_quoted(&word.to_string_lossy()));
        let whole = Command {
            text: Some(match &config.job {
                Some(job) => job.cmd.clone(),
                None => words.collect::<Vec<_>>().join(" "),
            }),
            cwd: Some(config.cwd.to_string_lossy().into_owned()),
            started: None,
        };
        let hook = match config.kind.as_str() {
            "shell" => install_hook(&mut program).map_err(OpenError::Hook)?,
            _ => None,
        };
        let store = Store::new(&CodexHome::at(&config.codex_home), &id);
        let folder = store.folder().to_owned();
        let mut recording = Recording::begin(Plan {
            store,
            terminal: id,
            session_id: config.session_id.clone(),
            size,
            journal_limit: config.journal_limit,
            retain: config.retain,
            whole,
            has_marks: hook.is_some(),
            step_id: config.job.as_ref().map(|job| job.id.clone()),
        })?;
        // Others may hold the session for long; clients are answered meanwhile.
        let wait = if config.job.is_some() { LOCK_WAIT_OF_JOB } else { LOCK_WAIT };
        recording.on_wait = Some(Box::new(move |_| OnWait::at_most(wait)));
        let start = if config.job.is_some() { spawn_in_group } else { spawn };
        let child = match start(&pty, &program) {
            Ok(child) => child,
            Err(error) => {
                recording.abandon();
                return Err(error.into());
            }
        };
        if pty.is_pipes() {
            // What is open here would keep their end from being seen.
            pty.let_go();
        }
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let leader = leader.ok_or_else(|| OpenError::Pty(ErrorKind::NotFound.into()))?;
        Ok(Self {
            place: Place::of(config),
            pty,
            leader,
            shell: Shell::new(hook.is_some()),
            delivery: Delivery::default(),
            input: Typed::piped(),
            last_output: None,
            last_typed: None,
            printed: 0,
            seen: Screen::new(size, Scrollback::Unlimited).with_replies().with_events(),
            gone: Gone::default(),
            last_block: recording.written.block_id(),
            recording: Some(recording),
            marks: hook.as_ref().map(|hook| MarkFilter::new(hook.nonce.clone())),
            tells_stops: hook.as_ref().is_some_and(|hook| hook.tells_stops),
            stopped: BTreeSet::new(),
            replies: Replies::default(),
            is_held: false,
            is_input_lost: false,
            hook,
            wait_status: None,
            ended: None,
            output_is_over: false,
            buffer: Vec::new(),
            unwritten: None,
            erasures: 0,
            complaints: note.into_iter().collect(),
            watchers: VecDeque::new(),
            is_watched: false,
            pages: config.job.as_ref().map(|_| Pages::new(&folder, config.retain)),
            block_lines: None,
        })
    }

    /// Takes over from the terminal that was here before what nobody was told of it yet, and those
    /// who look on.
    pub(super) fn take_over(&mut self, old: &mut Self) {
        self.delivery = std::mem::take(&mut old.delivery);
        self.complaints = std::mem::take(&mut old.complaints);
        self.watchers = std::mem::take(&mut old.watchers);
        self.is_watched = old.is_watched;
    }

    /// The screen as it stands, with its history.
    pub(super) fn screen(&self) -> &Screen {
        &self.seen
    }

    pub(super) fn key_modes(&self) -> KeyModes {
        let modes = self.seen.modes();
        KeyModes {
            application_cursor: modes.application_cursor,
            application_keypad: modes.application_keypad,
        }
    }

    pub(super) fn is_full_screen(&self) -> bool {
        self.seen.is_alternate()
    }

    /// Whether the program takes text in one piece.
    pub(super) fn takes_paste(&self) -> bool {
        self.seen.modes().bracketed_paste
    }

    /// The program's state.
    pub(super) fn status(&self) -> Status {
        match self.wait_status.filter(|_| self.is_over()) {
            None => Status::Running,
            Some(status) => Status::Exited {
                exit_code: status.exit_status(),
                signal: status.terminating_signal().map(signal_name),
            },
        }
    }

    /// Whether the program has ended and all of its output is here.
    pub(super) fn is_over(&self) -> bool {
        self.recording.is_none()
    }

    /// Whether the program has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.wait_status.is_some()
    }

    /// The session of the program of a job.
    pub(super) fn session(&self) -> i32 {
        let leader = if self.pty.is_pipes() { self.leader } else { getpid() };
        leader.as_raw_nonzero().get()
    }

    /// The program of a job was stopped. No shell is there that could let it go on, so it goes on at
    /// once, and has the keyboard if it wants that.
    pub(super) fn stopped(&self, signal: i32) {
        if matches!(signal, libc::SIGTTIN | libc::SIGTTOU) {
            bring_to_front(&self.pty, self.leader);
        } else if signal != libc::SIGTSTP {
            return;
        }
        signal_group(Some(self.leader), Signal::CONT);
    }

    /// The program ended.
    pub(super) fn ended(&mut self, status: WaitStatus) {
        self.wait_status.get_or_insert(status);
    }

    /// How long nothing was printed; since the start if nothing ever was.
    pub(super) fn quiet_since(&self, start: Instant) -> Instant {
        self.last_output.map_or(start, |last| last.max(start))
    }

    /// What the programs do that have the keyboard.
    pub(super) fn foreground(&self) -> Foreground {
        match self.pty.is_pipes() {
            true => group_of(&self.pty, Some(self.leader)),
            false => foreground(&self.pty),
        }
    }

    /// Whether the program is told that no more keys come, or was.
    pub(super) fn is_input_over(&self) -> bool {
        self.has_ended() || self.input.is_ended()
    }

    /// Types.
    pub(super) fn type_keys(&mut self, keys: &[u8]) {
        const HOLD: u8 = 0x13;
        if let Some(last) = keys.iter().rfind(|key| **key < b' ') {
            self.is_held = *last == HOLD && LineMode::of(&self.pty).is_some_and(|mode| mode.holds);
        }
        // A program's input is none of the shell's. Where its hook is gone it is its line editor that
        // takes text in one piece.
        let is_editing = self.takes_paste() && !self.is_full_screen();
        match self.shell.phase {
            Phase::Running if !is_editing => self.shell.program_is_sent(keys),
            _ => self.shell.is_typed_at(keys),
        }
        self.input.type_keys(keys);
    }

    /// What keeps the terminal from going on, as far as the keyboard is to blame.
    pub(super) fn hindrances(&self) -> Vec<String> {
        let count = self.input.keys_waiting();
        let waiting = (count > 0).then(|| {
            format!("{count} bytes of what was typed are still on their way to the program")
        });
        let how = if self.pages.is_some() { "the character U+0011" } else { "keys C-q" };
        let held = self.is_held.then(|| format!("C-s holds the output; {how} lets it go on"));
        waiting.into_iter().chain(held).collect()
    }

    /// Whether the program said more than was read so far, or asked something that it is told soon.
    pub(super) fn has_news(&self) -> bool {
        self.replies.due().is_some() || (self.takes_output() && self.pty.has_output())
    }

    /// Hands what is typed to the program, as much as there is room for.
    pub(super) fn write_input(&mut self) {
        if self.input.is_waiting() {
            self.last_typed = Some(Instant::now());
        }
        self.input.write(&self.pty);
        if self.pages.is_some() && self.input.is_closed() && !self.is_input_lost {
            self.is_input_lost = true;
            self.complaints.push("it reads no more input, so what was written is lost".to_owned());
        }
    }

    /// The same for what is typed as well: for a moment the system has bytes that are neither with
    /// us nor with the program.
    pub(super) fn still_since(&self, start: Instant) -> Instant {
        self.quiet_since(start).max(self.typed_since(start))
    }

    /// How long nothing was typed; since the start if nothing ever was.
    pub(super) fn typed_since(&self, start: Instant) -> Instant {
        self.last_typed.map_or(start, |last| last.max(start))
    }

    /// Whether bytes typed are still on their way to the program.
    pub(super) fn is_typing(&self) -> bool {
        self.input.is_waiting() || self.pty.unread_input().is_some_and(|count| count > 0)
    }

    /// Whether there may be output to read.
    pub(super) fn takes_output(&self) -> bool {
        !self.output_is_over
    }

    /// When [`Self::work`] has something to do, if nothing else happens.
    pub(super) fn due(&self) -> Option<Instant> {
        let mut due = Vec::new();
        if let (Some(ended), false) = (self.ended, self.is_over()) {
            let quiet_since = self.last_output.map_or(ended, |last| last.max(ended));
            due.push((quiet_since + GRACE).min(ended + LONGEST_GRACE));
        }
        if self.is_holding_mark() {
            due.extend(self.last_output.map(|last| last + MARK_WAIT));
        }
        let recording = self.recording.as_ref();
        due.extend(
            recording.and_then(|rec| rec.written.due_in()).map(|wait| Instant::now() + wait),
        );
        due.extend(self.replies.due());
        due.extend(self.input.due().filter(|_| !self.has_ended()));
        due.into_iter().min()
    }

    /// What is due by the clock.
    pub(super) fn work(&mut self) {
        if let Some(replies) = self.replies.take_wanted(&self.pty) {
            self.input.reply(&replies);
        }
        self.tell_end_of_input();
        if self.is_holding_mark() && self.is_silent(MARK_WAIT) {
            let rest = self.marks.as_mut().map(MarkFilter::flush).unwrap_or_default();
            self.show(&rest);
        }
        self.look_for_prompt();
        if self.has_ended() && self.ended.is_none() {
            // All that was printed before the end is there: only then may our copy be closed.
            self.ended = Some(Instant::now());
            self.read_output();
            self.pty.let_go();
        }
        if let (Some(ended), false) = (self.ended, self.is_over()) {
            let is_quiet = ended.elapsed() >= GRACE && self.is_silent(GRACE);
            if self.output_is_over || is_quiet || ended.elapsed() >= LONGEST_GRACE {
                self.finish();
            }
        }
        if let Some(recording) = &mut self.recording {
            recording.written.sync_if_due();
            self.complaints.extend(recording.take_complaints());
        }
    }

    /// A shell that may be at a prompt is so once it reads itself.
    fn look_for_prompt(&mut self) {
        // Before a program that reads is taken for one that waits for input.
        let pause = if self.shell.phase == Phase::Running { READ_PAUSE / 2 } else { MORE_PAUSE };
        let is_quiet = self.last_output.is_none_or(|last| last.elapsed() >= pause);
        if !self.shell.may_be_at_prompt() || !is_quiet || self.has_ended() {
            return;
        }
        let now = foreground_leader(&self.pty, self.leader);
        let reads = matches!(now.doing, Doing::Reading | Doing::Polling);
        if reads && now.group == Some(self.leader) {
            self.shell.reads_command();
            if self.is_running() {
                self.freeze(&End::Command(None));
            }
        }
    }

    fn tell_end_of_input(&mut self) {
        if self.has_ended() || self.input.due().is_none() {
            return;
        }
        if self.pty.is_pipes() {
            self.pty.close_pipe();
            self.is_input_lost = true;
            self.input.close();
        } else {
            let is_quiet = self.last_output.is_none_or(|last| last.elapsed() >= MARK_WAIT);
            self.input.tell_end(&self.pty, is_quiet);
        }
    }

    fn is_holding_mark(&self) -> bool {
        self.marks.as_ref().is_some_and(MarkFilter::is_holding)
    }

    /// Whether nothing was printed for so long. While a block was written nothing was read, which is
    /// no silence.
    fn is_silent(&mut self, wait: Duration) -> bool {
        let last = self.last_output;
        if last.is_some_and(|last| last.elapsed() < wait) {
            return false;
        }
        self.read_output();
        self.last_output == last
    }

    /// The last block.
    pub(super) fn finish(&mut self) {
        let rest = self.marks.as_mut().map(MarkFilter::flush).unwrap_or_default();
        self.show(&rest);
        let Some(recording) = self.recording.take() else {
            return;
        };
        if let Some(pages) = &mut self.pages {
            pages.finish();
            self.block_lines = Some(line_count(view(&recording, "")));
        } else {
            let piece = self.delivery.next_piece(view(&recording, &recording.written.block_id()));
            self.delivery.freeze(piece);
        }
        let code = self.wait_status.and_then(|status| {
            status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal))
        });
        let at = recording.clock.now();
        let drawn = recording.finish(code.map(i64::from), at);
        if let Some(block) = drawn.blocks.last() {
            self.last_block.clone_from(&block.block_id);
        }
        self.complaints.extend(drawn.complaints);
        if let Some(failure) = drawn.failure {
            self.block_lines = None;
            self.complaints.push(failure.to_string());
        }
    }

    /// Reads what there is, and no more than a turn.
    pub(super) fn read_output(&mut self) {
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
            Piece::Bytes(bytes) => self.show(bytes),
            Piece::Mark(mark) => self.take_mark(mark),
        });
        self.marks = Some(marks);
    }

    fn show(&mut self, bytes: &[u8]) {
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
        self.seen.feed(bytes);
        match &mut self.pages {
            Some(pages) => {
                let result = pages.relieve(&mut self.seen);
                let complaint =
                    |error| format!("output is in the block only: {}", system_error(&error));
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

    fn take_mark(&mut self, mark: Mark) {
        // The shell has read the files.
        self.hook = None;
        match mark {
            Mark::Start { .. } => {
                self.erasures = 0;
                if !self.tells_stops {
                    self.stopped = stopped_children(self.leader);
                }
            }
            Mark::Done { status } => {
                // Who asked is gone.
                self.replies.drop_all();
                self.shell.is_stopped = self.shell.phase == Phase::Running && self.stops(status);
            }
            _ => {}
        }
        let fails = matches!(self.shell.phase, Phase::Prompt | Phase::More);
        let is_line = self.shell.is_told_command;
        self.shell.take(&mark);
        if let Some(recording) = &self.recording {
            let view = view(recording, "");
            match mark {
                Mark::Start { .. } => self.delivery.command_starts(view),
                Mark::More => self.delivery.more_is_wanted(view),
                Mark::PromptBegins if self.shell.phase != Phase::Running => {
                    self.delivery.prompt_begins(view);
                }
                Mark::Done { .. } if fails => self.delivery.command_fails(view, is_line),
                _ => {}
            }
        }
        let is_prompt = mark == Mark::Prompt && self.shell.is_at_prompt();
        match mark {
            Mark::Done { .. } if self.shell.is_stopped => self.freeze(&End::Command(None)),
            Mark::Done { status } => self.freeze(&End::Command(Some(status))),
            Mark::Prompt if self.is_running() && self.shell.is_at_prompt() => {
                self.freeze(&End::Command(None))
            }
            _ => Frozen::Empty,
        };
        // A prompt that may be anybody's ends no command: the recording would make a block of it that
        // is in no answer.
        let is_lone = mark == Mark::Prompt && !is_prompt;
        if let (false, Some(recording)) = (is_lone, &mut self.recording) {
            let at = recording.clock.now();
            recording.mark(mark, at);
        }
        if let (true, Some(recording)) = (is_prompt, &self.recording) {
            self.delivery.prompt_ends(view(recording, ""), self.tells_stops);
        }
    }

    /// Whether the command that ended with this status did not end but was stopped.
    fn stops(&mut self, status: i64) -> bool {
        if self.tells_stops && !STOPS.contains(&status) {
            return false;
        }
        let now = stopped_children(self.leader);
        let mut names: Vec<String> = now
            .difference(&self.stopped)
            .map(|process| name_of(process.pid).unwrap_or_default())
            .collect();
        names.dedup();
        self.stopped = now;
        if !names.is_empty() {
            let names = names.join(", ");
            self.complaints.push(format!("stopped: {names}; fg lets it go on"));
        }
        !names.is_empty()
    }

    fn is_running(&self) -> bool {
        self.recording.as_ref().is_some_and(Recording::is_running)
    }

    /// Makes a block of what was shown since the last one, if it was anything.
    pub(super) fn freeze(&mut self, end: &End) -> Frozen {
        let Some(recording) = &mut self.recording else {
            return Frozen::Empty;
        };
        let at = recording.clock.now();
        let piece = self.delivery.next_piece(view(recording, &recording.written.block_id()));
        let frozen = match end {
            End::Command(status) if recording.is_running() => {
                recording.command_ended(*status, at).unwrap_or(Frozen::Empty)
            }
            _ => recording.freeze_or_complain(&End::Cut, at),
        };
        // What cannot be written stays where it is.
        if let Frozen::Failed(error) = &frozen {
            self.unwritten = Some(error.clone());
        } else {
            self.unwritten = None;
            self.delivery.freeze(piece);
        }
        frozen
    }

    /// What is new since the last answer; with `at_prompt` without what stands there now.
    pub(super) fn take_new(&mut self, most: usize, at_prompt: bool) -> Shown {
        self.take_parts(most, at_prompt).0
    }

    /// The same, and where its lines are.
    pub(super) fn take_parts(&mut self, most: usize, at_prompt: bool) -> (Shown, Vec<Part>) {
        if self.is_full_screen() && !self.is_over() {
            return (self.full_screen(most), Vec::new());
        }
        let Taken { mut shown, parts, needs_block, forgotten, lost } = match &self.recording {
            Some(recording) if !at_prompt || self.unwritten.is_some() => self.delivery.take(
                view(recording, &recording.written.block_id()),
                most,
                &self.place,
            ),
            _ => self.delivery.take_frozen(most, &self.place),
        };
        if needs_block && let Frozen::Failed(error) = self.freeze(&End::Cut) {
            self.complaints.push(format!("the rest is in no block: {error}"));
        }
        if let Some(error) = &self.unwritten {
            self.complaints.push(format!("what was shown is in no block yet: {error}"));
        }
        if forgotten > 0 {
            self.complaints.push(format!("{forgotten} older blocks are in the session only"));
        }
        if lost > 0 {
            self.complaints.push(format!("{lost} older lines are nowhere: --retain is too small"));
        }
        shown.truncated |= forgotten > 0 || lost > 0;
        (shown, parts)
    }

    fn full_screen(&mut self, most: usize) -> Shown {
        let mut text = snapshot::text_from(self.seen.alternate(), 0);
        let truncated = text.len() > most;
        if truncated {
            let mut end = most;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            // At a line, where a whole one fits.
            let newline = memchr::memrchr(b'\n', &text.as_bytes()[..=end]);
            text.truncate(newline.filter(|&newline| newline > 0).unwrap_or(end));
            let note = "the rest of the screen is left out; read --screen prints all of it";
            self.complaints.push(note.to_owned());
        }
        Shown {
            viewport: text,
            is_screen: true,
            truncated,
            bell: self.delivery.take_bell(),
            ..Shown::default()
        }
    }

    /// A command is about to be typed where the cursor is.
    pub(super) fn is_about_to_type(&mut self) {
        // What stands there is the beginning of what is typed, or is thrown away first.
        let is_beginning = !self.shell.may_hold_typed() && !self.shell.clears_first;
        if let Some(recording) = self.recording.as_ref().filter(|_| is_beginning) {
            self.delivery.typing_begins(view(recording, ""));
        }
    }

    /// What stands at the prompt, where something that was typed may; empty where that is not known.
    pub(super) fn standing(&mut self) -> Option<String> {
        let recording = self.recording.as_ref().filter(|_| self.shell.may_hold_typed())?;
        let standing = self.delivery.standing(view(recording, ""));
        match standing {
            Some(text) if text.trim().is_empty() => None,
            standing => Some(standing.unwrap_or_default()),
        }
    }

    /// The next page of a job's output.
    pub(super) fn next_page(&mut self, most: usize) -> Page {
        let Some(pages) = &mut self.pages else {
            return Page::default();
        };
        pages.take(&self.seen, most).unwrap_or_else(|error| {
            self.complaints.push(format!("output is in the block only: {}", system_error(&error)));
            Page::default()
        })
    }

    /// Whether a job printed anything that is in no page.
    pub(super) fn has_unread(&self) -> bool {
        self.pages.as_ref().is_some_and(|pages| pages.has_unread(&self.seen))
    }

    /// The block that was made last, or that will be made next, and its lines if it is there.
    pub(super) fn block(&self) -> (&str, Option<u64>) {
        (&self.last_block, self.block_lines)
    }

    pub(super) fn resize(&mut self, size: Size) -> io::Result<()> {
        set_window_size(&self.pty, size)?;
        self.seen.resize(size);
        if let Some(recording) = &mut self.recording {
            let at = recording.clock.now();
            recording.resize(size, at);
        }
        Ok(())
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
    memchr::memchr_iter(0x1b, bytes).find(is_erasure)
}

/// A terminal, or pipes where that is wanted, or allowed and there is none; what is to be said of
/// that.
fn open_pty(
    transport: Transport,
    open: impl FnOnce() -> io::Result<Pty>,
) -> io::Result<(Pty, Option<String>)> {
    let error = match transport {
        Transport::Pipes => return Ok((Pty::pipes()?, None)),
        Transport::Either | Transport::Terminal => match open() {
            Ok(pty) => return Ok((pty, None)),
            Err(error) => error,
        },
    };
    if transport == Transport::Terminal {
        return Err(error);
    }
    let why = format!("no terminal to be had, so it has pipes: {}", system_error(&error));
    Ok((Pty::pipes()?, Some(why)))
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

/// What becomes the next block.
fn view<'a>(recording: &'a Recording, block_id: &'a str) -> View<'a> {
    View {
        screen: recording.pending.screen(),
        lines_before: recording.pending.lines_before(),
        dropped: recording.pending.lines_dropped(),
        block_id,
    }
}

/// A signal's name.
pub(super) fn signal_name(number: i32) -> String {
    let names = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
    ];
    let name = names.iter().find(|(known, _)| *known == number);
    name.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_take_the_place_of_a_terminal_that_is_not_to_be_had() {
        let none = || Err(io::Error::from_raw_os_error(libc::ENOSPC));
        let (pty, note) = open_pty(Transport::Either, none).unwrap();
        assert!(pty.is_pipes());
        assert_eq!(
            note.as_deref(),
            Some("no terminal to be had, so it has pipes: No space left on device")
        );
        assert!(open_pty(Transport::Terminal, none).is_err());
        let some = || Pty::open(Size { cols: 80, rows: 24 });
        let (pty, note) = open_pty(Transport::Either, some).unwrap();
        assert_eq!((pty.is_pipes(), note), (false, None));
        assert!(open_pty(Transport::Pipes, some).unwrap().0.is_pipes());
    }

    #[test]
    fn each_line_gets_a_return() {
        assert_eq!(&*with_returns(b"a\n\nb\r\nc"), b"a\r\n\r\nb\r\r\nc");
        assert!(matches!(with_returns(b"plain"), Cow::Borrowed(b"plain")));
    }
}
