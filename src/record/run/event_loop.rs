//! The thread between the program and the person.
//!
//! It never waits for a disk, and it holds the program up when the recorder is behind: output is
//! neither dropped nor kept without bound.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tempfile::TempDir;

use super::clock::Clock;
use super::hot_key::HotKeyFilter;
use super::input::Input;
use super::kill::Kill;
use super::marks::{MarkFilter, Piece};
use super::message::{Feedback, Frozen, Inbox, Message, Outbox};
use super::outer::show;
use super::status::code_of;
use crate::pty::{
    Holder, MUCH_OUTPUT, Pty, RawMode, Signals, foreground_group, holders, is_in_background,
};
use crate::record::SizeChoice;

/// Most that is read before anything else gets a turn.
const TURN: usize = 1 << 20;

/// Without a sign of life for this long after the program's end, nothing more is waited for; and
/// not for longer than this if something goes on printing.
const GRACE: Duration = Duration::from_millis(200);
const LONGEST_GRACE: Duration = Duration::from_secs(2);

/// How often to look whether processes that have to end are gone.
const LOOK: Duration = Duration::from_millis(20);

/// Sizes change no faster than this.
pub(super) const RESIZE_PAUSE: Duration = Duration::from_millis(16);

/// The beginning of a mark waits this long for its end.
const MARK_WAIT: Duration = Duration::from_millis(100);

/// When only the recorder has been waited for this long, the person gets a way out.
const LONG: Duration = Duration::from_secs(1);

/// How often to look whether we came to the foreground, of which nobody tells.
const FOREGROUND_LOOK: Duration = Duration::from_secs(1);

/// Everything that the thread looks after.
pub(super) struct EventLoop<'a> {
    pub(super) pty: Pty,
    pub(super) child: Child,
    pub(super) signals: &'a mut Signals,
    pub(super) clock: Clock,
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    /// Our own terminal, in raw mode, unless nobody looks on.
    pub(super) outer: Option<RawMode>,
    /// Set where the recorder is to wait for other programs no longer.
    pub(super) gives_up: Arc<AtomicBool>,
    /// Parts of the size that do not follow our own terminal.
    pub(super) size: SizeChoice,
    pub(super) marks: Option<MarkFilter>,
    /// Files that the shell reads before its first mark.
    pub(super) hook_files: Option<TempDir>,
    pub(super) hot_key: Option<HotKeyFilter>,
    pub(super) records_input: bool,
    pub(super) warn: &'a mut dyn FnMut(&str),
    pub(super) state: State,
}

/// What changes while it runs.
#[derive(Default)]
pub(super) struct State {
    pub(super) input: Input,
    pub(super) stdin_is_over: bool,
    pub(super) last_output: Option<Instant>,
    pub(super) status: Option<ExitStatus>,
    pub(super) ended: Option<Instant>,
    pub(super) output_is_over: bool,
    /// What was read since the end.
    pub(super) read_since_end: usize,
    /// Whether all that was printed before the end was read.
    pub(super) is_drained: bool,
    pub(super) resized: Option<Instant>,
    pub(super) resize_is_due: bool,
    pub(super) kill: Option<Kill>,
    /// Whether our own terminal has its keys back, because only the recorder is waited for.
    pub(super) has_given_keys_back: bool,
    pub(super) warnings: Vec<String>,
    /// Whether a shell marked anything.
    pub(super) saw_mark: bool,
    /// Those who wait for a block.
    pub(super) freezes: Vec<SyncSender<Frozen>>,
}

impl State {
    pub(super) fn new(is_headless: bool) -> Self {
        let input = if is_headless { Input::piped() } else { Input::default() };
        Self { input, ..Self::default() }
    }
}

/// How it ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    /// The signal that made us end.
    pub(super) signal: Option<i32>,
    /// Processes that keep the terminal.
    pub(super) holders: Vec<Holder>,
    /// What could not be said while a full-screen program was on.
    pub(super) warnings: Vec<String>,
    /// Our own terminal, still in raw mode.
    pub(super) outer: Option<RawMode>,
}

impl EventLoop<'_> {
    /// Runs until the program has ended, all of its output was passed on, and the recorder is
    /// through; that one also ends where an error does.
    pub(super) fn run(mut self) -> io::Result<Ended> {
        match self.run_to_end() {
            Ok(status) => Ok(self.finish(status)),
            Err(error) => {
                self.end_recorder(None);
                Err(error)
            }
        }
    }

    fn run_to_end(&mut self) -> io::Result<ExitStatus> {
        let mut buffer = self.inbox.piece();
        // The program may have ended before its end was watched for.
        self.look_at_child()?;
        loop {
            let ready = self.wait()?;
            if ready.signals {
                self.take_signals()?;
            }
            if ready.inbox {
                self.take_feedback();
            }
            if ready.stdin {
                self.read_stdin(&mut buffer);
            }
            if ready.writable {
                self.write_input();
            }
            if ready.readable {
                self.read_output(&mut buffer);
            }
            self.freeze_as_asked(&mut buffer);
            self.work(&mut buffer)?;
            if let Some(status) = self.status_at_end(&mut buffer) {
                return Ok(status);
            }
        }
    }

    fn finish(mut self, status: ExitStatus) -> Ended {
        let rest = self.marks.as_mut().map(MarkFilter::flush).unwrap_or_default();
        self.pass_on(&rest);
        let holders = if self.state.output_is_over { Vec::new() } else { holders(self.pty.path()) };
        self.end_recorder(Some(code_of(status)));
        if self.marks.is_some() && !self.state.saw_mark {
            let what = "the prompt hook did not take: commands did not become blocks of their own";
            self.state.warnings.push(what.to_owned());
        }
        Ended {
            status,
            signal: self.state.kill.map(|kill| kill.signal),
            holders,
            warnings: self.state.warnings,
            outer: self.outer,
        }
    }

    /// Ends the recorder and waits until it is through, also with what still waits for room. It may
    /// have something to say of the last block.
    fn end_recorder(&mut self, code: Option<u8>) {
        // That nobody can send more is no sign for it: others hold a sender too.
        let end = Message::End { code: code.map(i64::from), at: self.clock.now() };
        self.outbox.send(end);
        let long = Timespec::try_from(LONG).ok();
        while !self.outbox.has_room() || !self.inbox.is_closed() {
            let mut wake = [
                PollFd::new(&*self.signals, PollFlags::IN),
                PollFd::new(&self.inbox, PollFlags::IN),
            ];
            let timeout = long.as_ref().filter(|_| !self.state.has_given_keys_back);
            if poll(&mut wake, timeout) == Ok(0) {
                self.give_keys_back();
            }
            self.take_late_signals();
            self.take_feedback();
        }
    }

    /// The program's status, once there is nothing left to wait for.
    fn status_at_end(&mut self, buffer: &mut Vec<u8>) -> Option<ExitStatus> {
        let status = self.state.status?;
        if self.is_killing() {
            return None;
        }
        if self.state.output_is_over {
            return Some(status);
        }
        let ended = self.state.ended?;
        if !self.state.is_drained || !self.outbox.has_room() {
            return None;
        }
        if ended.elapsed() >= LONGEST_GRACE {
            return Some(status);
        }
        let is_quiet = ended.elapsed() >= GRACE && self.is_silent(GRACE, buffer);
        (self.state.output_is_over || is_quiet).then_some(status)
    }

    /// Whether nothing was printed for so long. While the recorder was behind nothing was read,
    /// which is no silence.
    fn is_silent(&mut self, wait: Duration, buffer: &mut Vec<u8>) -> bool {
        let last = self.state.last_output;
        if last.is_some_and(|last| last.elapsed() < wait) || !self.outbox.has_room() {
            return false;
        }
        self.read_output(buffer);
        self.state.last_output == last
    }

    fn is_holding_mark(&self) -> bool {
        self.marks.as_ref().is_some_and(MarkFilter::is_holding)
    }

    fn wait(&mut self) -> io::Result<Ready> {
        let has_room = self.outbox.has_room();
        let wants_keys = self.takes_keys();
        let takes_keys = wants_keys && !self.has_no_keyboard();
        let mut timeout = self.timeout(has_room);
        if wants_keys && !takes_keys {
            timeout = Some(timeout.unwrap_or(FOREGROUND_LOOK).min(FOREGROUND_LOOK));
        }
        let takes_output = has_room && !self.state.output_is_over;
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, takes_output);
        flags.set(PollFlags::OUT, self.state.input.is_waiting());
        let mut polled = vec![
            PollFd::new(&*self.signals, PollFlags::IN),
            PollFd::new(&self.inbox, PollFlags::IN),
        ];
        let pty = (!flags.is_empty() && !self.state.output_is_over).then(|| {
            polled.push(PollFd::new(&self.pty, flags));
            polled.len() - 1
        });
        let stdin = takes_keys.then(|| {
            polled.push(PollFd::from_borrowed_fd(rustix::stdio::stdin(), PollFlags::IN));
            polled.len() - 1
        });
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut polled, timeout.as_ref()) {
            Ok(_) => {}
            // A signal has its own place in the list.
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let events = |at: Option<usize>| at.map_or(PollFlags::empty(), |at| polled[at].revents());
        let pty = events(pty);
        let (hung_up, error) = (PollFlags::HUP, PollFlags::ERR);
        Ok(Ready {
            signals: !events(Some(0)).is_empty(),
            inbox: !events(Some(1)).is_empty(),
            readable: takes_output && pty.intersects(PollFlags::IN | hung_up | error),
            writable: pty.contains(PollFlags::OUT),
            stdin: !events(stdin).is_empty(),
        })
    }

    fn takes_keys(&mut self) -> bool {
        let state = &self.state;
        let takes = !state.stdin_is_over && state.status.is_none() && state.input.has_room();
        takes && (!self.records_input || self.outbox.has_room())
    }

    /// Whether the keyboard is somebody else's. A person's recorder that asks for it is stopped until
    /// it may have it, as is usual; without a person it goes on.
    fn has_no_keyboard(&self) -> bool {
        self.outer.is_none() && is_in_background()
    }

    /// How long there is nothing to do unless something happens.
    fn timeout(&self, has_room: bool) -> Option<Duration> {
        let state = &self.state;
        let mut due = Vec::new();
        let now = Instant::now();
        if let Some(ended) = state.ended {
            if self.is_killing() {
                // Nobody tells when processes that are not our children are gone.
                due.push(now + LOOK);
            } else if !has_room {
                // The recorder wakes us.
                due.extend((!state.has_given_keys_back).then_some(ended + LONG));
            } else {
                let quiet_since = state.last_output.map_or(ended, |last| last.max(ended));
                due.push((quiet_since + GRACE).min(ended + LONGEST_GRACE));
            }
        } else {
            due.extend(state.input.due());
        }
        if has_room && self.is_holding_mark() {
            due.extend(state.last_output.map(|last| last + MARK_WAIT));
        }
        if state.resize_is_due {
            due.extend(state.resized.map(|resized| resized + RESIZE_PAUSE));
        }
        if state.status.is_none() {
            due.extend(state.kill.as_ref().map(|kill| kill.due));
        }
        due.into_iter().min().map(|due| due.saturating_duration_since(now))
    }

    /// What is due by the clock.
    fn work(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        // What is read may be the end of the mark, or the beginning of another one.
        if self.is_holding_mark() && self.is_silent(MARK_WAIT, buffer) {
            let rest = self.marks.as_mut().map(MarkFilter::flush).unwrap_or_default();
            self.pass_on(&rest);
        }
        if self.state.resize_is_due {
            self.resize(false)?;
        }
        if self.state.status.is_none() {
            if self.state.input.due().is_some_and(|due| due <= Instant::now()) {
                let is_quiet = self.is_silent(GRACE, buffer);
                self.state.input.tell_end(&self.pty, is_quiet);
            }
            self.kill_harder();
        } else if !self.state.is_drained {
            self.state.ended.get_or_insert_with(Instant::now);
            self.read_output(buffer);
            if self.state.is_drained {
                // Only now may our copy be closed. A terminal that nobody has open is ready at once,
                // again and again, so nothing may wait for it any more.
                self.pty.let_go();
                self.state.input.close();
            }
        }
        if self.state.status.is_some() && self.is_killing() {
            self.kill_harder();
        }
        let is_long = self.state.ended.is_some_and(|ended| ended.elapsed() >= LONG);
        if is_long && self.waits_for_recorder() {
            self.give_keys_back();
        }
        Ok(())
    }

    /// Reads all there is, and hands it on in few large parts.
    fn read_output(&mut self, buffer: &mut Vec<u8>) {
        let mut is_empty = false;
        let mut total = 0;
        let mut filled = 0;
        let mut last = 0;
        while total < TURN && !self.state.output_is_over && self.outbox.has_room() {
            if last as u64 >= MUCH_OUTPUT {
                self.pty.give_way();
            }
            match self.pty.master().read(&mut buffer[filled..]) {
                // macOS says so with 0, Linux with EIO.
                Ok(0) => self.state.output_is_over = true,
                Ok(count) => {
                    last = count;
                    total += count;
                    filled += count;
                    self.state.last_output = Some(Instant::now());
                    if filled == buffer.len() {
                        self.take_piece(buffer);
                        filled = 0;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    is_empty = true;
                    break;
                }
                Err(_) => self.state.output_is_over = true,
            }
        }
        if self.state.ended.is_some() {
            // The system holds less than a turn of what was printed before the end.
            self.state.read_since_end += total;
            let is_all = is_empty || self.state.output_is_over;
            self.state.is_drained |= is_all || self.state.read_since_end >= TURN;
        }
        self.take_output(&buffer[..filled]);
    }

    /// Takes a buffer that is full. It becomes another one where it can be passed on itself.
    fn take_piece(&mut self, buffer: &mut Vec<u8>) {
        if self.marks.is_some() {
            return self.take_output(buffer);
        }
        let next = self.inbox.piece();
        self.send(std::mem::replace(buffer, next));
    }

    fn take_output(&mut self, bytes: &[u8]) {
        let Some(mut marks) = self.marks.take() else {
            return self.pass_on(bytes);
        };
        marks.feed(bytes, |piece| match piece {
            Piece::Bytes(bytes) => self.pass_on(bytes),
            Piece::Mark(mark) => {
                self.hook_files = None;
                self.state.saw_mark = true;
                self.outbox.send(Message::Mark { mark, at: self.clock.now() });
            }
        });
        self.marks = Some(marks);
    }

    fn pass_on(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.send(bytes.to_vec());
        }
    }

    /// Passes on wishes for a block, behind what was printed before them.
    fn freeze_as_asked(&mut self, buffer: &mut Vec<u8>) {
        if self.state.freezes.is_empty() {
            return;
        }
        self.read_output(buffer);
        for answer in std::mem::take(&mut self.state.freezes) {
            self.outbox.send(Message::Freeze { at: self.clock.now(), answer: Some(answer) });
        }
    }

    /// Output for the person and the recorder.
    fn send(&mut self, bytes: Vec<u8>) {
        let foreground = foreground_group(&self.pty);
        let at = self.clock.now();
        // A block that is asked for has what the person sees, so it goes to the recorder first.
        let shown = self.outer.is_some().then(|| bytes.clone());
        self.outbox.send(Message::Output { bytes, at, foreground });
        if let Some(shown) = shown {
            show(&shown);
        }
    }

    fn read_stdin(&mut self, buffer: &mut [u8]) {
        // We may have come to the background since we began to wait for keys.
        if self.has_no_keyboard() {
            return;
        }
        let count = match rustix::io::read(rustix::stdio::stdin(), &mut *buffer) {
            Ok(count) => count,
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return,
            Err(_) => 0,
        };
        if count == 0 {
            self.state.stdin_is_over = true;
            match self.outer {
                // The terminal is gone.
                Some(_) => self.end_by(signal_hook::consts::SIGHUP),
                None => self.state.input.end(),
            }
            return;
        }
        let typed = &buffer[..count];
        let Some(hot_key) = &mut self.hot_key else {
            return self.state.input.type_keys(typed);
        };
        let mut keys = Vec::with_capacity(count);
        for _ in 0..hot_key.feed(typed, &mut keys) {
            self.outbox.send(Message::Freeze { at: self.clock.now(), answer: None });
        }
        self.state.input.type_keys(&keys);
    }

    fn write_input(&mut self) {
        let written = self.state.input.write(&self.pty);
        if self.records_input && !written.is_empty() {
            self.outbox.send(Message::Input { bytes: written, at: self.clock.now() });
        }
    }

    fn take_feedback(&mut self) {
        for feedback in self.inbox.take() {
            match feedback {
                Feedback::Reply { bytes, foreground } => {
                    // An answer for a program that is gone would be typed into the next one.
                    if foreground_group(&self.pty) == foreground {
                        self.state.input.reply(&bytes);
                    }
                }
                Feedback::Warning { text, is_full_screen: true } => self.state.warnings.push(text),
                Feedback::Warning { text, .. } => (self.warn)(&text),
                Feedback::Freeze { answer } => self.state.freezes.push(answer),
            }
        }
    }
}

/// What can be done without waiting.
#[expect(clippy::struct_excessive_bools, reason = "one for each thing that is polled")]
struct Ready {
    signals: bool,
    inbox: bool,
    readable: bool,
    writable: bool,
    stdin: bool,
}
