//! What the shell says of itself: prompts, and where commands begin and end.

use super::{Terminal, view};
use crate::live::host::pauses::{MORE_PAUSE, READ_PAUSE};
use crate::live::host::shell::Phase;
use crate::pty::{Doing, foreground_leader, name_of, stopped_children};
use crate::record::{End, Frozen, Mark, MarkFilter, Recording};

/// Statuses of commands that were stopped: 128 and SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU.
const STOPS: std::ops::RangeInclusive<i64> =
    if cfg!(target_os = "linux") { 147..=150 } else { 145..=150 };

/// What is said where a command ended and nothing tells how.
const LOST_ENDS: &str =
    "the shell does not say any more how a command ends; the exit code is not known";
/// What is said where the shell said something of a line in place of running it.
const REFUSED: &str = "the shell refused a line and did not run it; what it said is in the text";

impl Terminal {
    /// A shell that may be at a prompt is so once it reads itself.
    pub(super) fn look_for_prompt(&mut self) {
        // Before a program that reads is taken for one that waits for input.
        let pause = if self.shell.phase == Phase::Running { READ_PAUSE / 2 } else { MORE_PAUSE };
        let is_quiet = self.last_output.is_none_or(|last| last.elapsed() >= pause);
        if !self.shell.may_be_at_prompt() || !is_quiet || self.has_ended() {
            return;
        }
        let now = foreground_leader(&self.pty, self.leader);
        let reads = matches!(now.doing, Doing::Reading | Doing::Polling);
        if reads && now.group == Some(self.leader) {
            let has_prompt = self.shell.has_lone_prompt();
            let status = self.shell.reads_command();
            if let (true, Some(recording)) = (has_prompt, &self.recording) {
                self.delivery.lone_prompt_is_one(view(recording, ""));
            }
            if has_prompt && status.is_none() {
                self.complaints.push(LOST_ENDS.to_owned());
            }
            if self.is_running() {
                self.freeze(&End::Command(status));
            }
        }
    }

    pub(super) fn is_holding_mark(&self) -> bool {
        self.marks.as_ref().is_some_and(MarkFilter::is_holding)
    }

    pub(super) fn take_mark(&mut self, mark: Mark) {
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
        let is_at_prompt = matches!(self.shell.phase, Phase::Prompt | Phase::More);
        let fails = is_at_prompt
            && match mark {
                Mark::Done { .. } => true,
                Mark::PromptBegins { status } => status.is_some() && self.shell.awaits_end(),
                _ => false,
            };
        let is_line = self.shell.is_told_command;
        self.shell.take(&mark);
        if let Some(recording) = &self.recording {
            let view = view(recording, "");
            let is_refused = match &mark {
                Mark::Start { command, .. } => {
                    let is_said = self.delivery.command_starts(view, command.as_deref());
                    is_said && command.is_some()
                }
                // Of others the exit code tells.
                _ if fails => {
                    let is_said = self.delivery.command_fails(view, is_line);
                    is_said && matches!(mark, Mark::PromptBegins { .. })
                }
                _ => false,
            };
            match mark {
                Mark::More => self.delivery.more_is_wanted(view),
                Mark::PromptBegins { .. } => self.delivery.prompt_begins(view),
                Mark::Prompt if self.shell.phase == Phase::Running => {
                    self.delivery.lone_prompt_ends(view);
                }
                _ => {}
            }
            if is_refused {
                self.complaints.push(REFUSED.to_owned());
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

    pub(super) fn is_running(&self) -> bool {
        self.recording.as_ref().is_some_and(Recording::is_running)
    }
}
