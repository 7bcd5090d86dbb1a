//! A terminal, its program, its screens and its recording.
//!
//! - `opening`: how it is opened; `output`: what the program prints; `marks`: what the shell says.
//! - `typing`: what is typed; `settling`: an interrupt at the prompt; `telling`: what answers and
//!   blocks have of it; `signal_name`: signals.

mod marks;
mod opening;
mod output;
mod settling;
mod signal_name;
mod telling;
mod typing;

pub(super) use signal_name::signal_name;

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitStatus, getpid};

use super::complaints::Complaints;
use super::delivery::Delivery;
use super::pages::Pages;
use super::replies::Replies;
use super::screen_now::Gone;
use super::shell::Shell;
use super::view::{View, line_count};
use crate::live::keys::KeyModes;
use crate::live::place::Place;
use crate::live::wire::Status;
use crate::pty::{
    Foreground, Pty, Stopped, bring_to_front, foreground, group_of, set_window_size, signal_group,
};
use crate::record::{Hook, MarkFilter, Recording, Typed};
use crate::screen::{Screen, Size};
use settling::Settling;

/// Rows of history that answers read.
const HISTORY: usize = 10_000;
/// The beginning of a mark waits this long for its end.
const MARK_WAIT: Duration = Duration::from_millis(100);
/// Silence after the program's end that counts as the end of its output, and the longest wait.
const GRACE: Duration = Duration::from_millis(200);
const LONGEST_GRACE: Duration = Duration::from_secs(2);

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
    /// An interrupt at the prompt that the shell has yet to deal with.
    pub(super) settling: Option<Settling>,
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
    /// Bytes of a string, such as a title, whose end has not come: they are shown nowhere.
    in_string: u64,
    /// Output for those who look on.
    pub(super) watchers: VecDeque<Vec<u8>>,
    pub(super) is_watched: bool,
    /// The output of a job.
    pub(super) pages: Option<Pages>,
    /// Lines of the block of a job, once it is there.
    block_lines: Option<u64>,
}

impl Terminal {
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

    /// Whether the program said more than was read so far, or asked something that it is told soon.
    pub(super) fn has_news(&self) -> bool {
        self.replies.due().is_some() || (self.takes_output() && self.pty.has_output())
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

/// What becomes the next block.
fn view<'a>(recording: &'a Recording, block_id: &'a str) -> View<'a> {
    View {
        screen: recording.pending.screen(),
        lines_before: recording.pending.lines_before(),
        dropped: recording.pending.lines_dropped(),
        block_id,
    }
}
