//! Why a wait is over.
//!
//! What the shell says of itself comes first. Where it says nothing, the foreground processes are
//! looked at; where they show nothing, silence tells, and at last the clock. Nothing that was so
//! before something was typed counts.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use regex::Regex;

use super::pauses::{IDLE, MORE_PAUSE, POLL_PAUSE, READ_PAUSE};
use super::searched::Searched;
use super::shell::{Phase, Said};
use super::terminal::Terminal;
use crate::live::wire::WaitReason;
use crate::pty::{Doing, Foreground, LineMode, Waiter, foreground_leader, foreground_name};

/// Programs that wait for a network and the terminal alike, so that waiting means nothing.
const REMOTE: [&str; 9] =
    ["ssh", "mosh-client", "telnet", "nc", "ncat", "socat", "docker", "kubectl", "podman"];

/// What is waited for.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// What comes of something typed, or of nothing.
    Ready {
        /// Whether a command was typed at a prompt and Enter after it.
        command: bool,
        /// Whether anything was typed.
        typed: bool,
    },
    /// That the program waits for input again; silence is no reason to think so.
    Input,
    Exit,
    Text(Regex),
    ScreenChange(String),
    Quiet(Duration),
}

/// A wait.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) goal: Goal,
    pub(super) began: Instant,
    pub(super) deadline: Instant,
    /// Whether silence says nothing.
    pub(super) is_patient: bool,
    before: Before,
    /// Bytes that had been printed when the screen was looked at last.
    printed: u64,
    searched: Searched,
}

/// How things were before anything was typed.
#[derive(Debug)]
struct Before {
    said: Said,
    phase: Phase,
    waiting: BTreeSet<Waiter>,
}

impl Before {
    /// Who waits counts only where something is typed, and to look for that takes time.
    fn now(terminal: &Terminal, typed: bool) -> Self {
        let waiting = if typed { terminal.foreground().waiting } else { BTreeSet::new() };
        Self { said: terminal.shell.said, phase: terminal.shell.phase, waiting }
    }
}

/// Why a wait is over, and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Over {
    pub(super) reason: WaitReason,
    pub(super) echo_off: bool,
    pub(super) continuation: bool,
    /// Whether the shell said meanwhile that something ended.
    pub(super) ended: bool,
    /// Whether that was a command.
    pub(super) ran: bool,
}

impl Over {
    pub(super) fn by(reason: WaitReason) -> Self {
        Self { reason, echo_off: false, continuation: false, ended: false, ran: false }
    }
}

impl Wait {
    pub(super) fn begin(goal: Goal, terminal: &Terminal, longest: Duration) -> Self {
        let now = Instant::now();
        let typed = matches!(goal, Goal::Ready { typed: true, .. } | Goal::Input);
        let far = now + Duration::from_secs(100 * 365 * 24 * 3600);
        Self {
            goal,
            began: now,
            deadline: now.checked_add(longest).unwrap_or(far),
            is_patient: false,
            before: Before::now(terminal, typed),
            printed: u64::MAX,
            searched: Searched::default(),
        }
    }

    /// Takes how things are now for how they were before anything was typed.
    pub(super) fn begin_anew(&mut self, terminal: &Terminal) {
        self.before = Before::now(terminal, true);
    }

    /// Whether it is for a prompt or a program that waits for input.
    pub(super) fn is_for_ready(&self) -> bool {
        matches!(self.goal, Goal::Ready { .. })
    }

    /// When to look again, if nothing else happens.
    pub(super) fn due(&self, terminal: &Terminal) -> Instant {
        let now = Instant::now();
        let age = self.began.elapsed();
        let pause = match age.as_millis() {
            0..500 => 20,
            500..5000 => 50,
            _ => 200,
        };
        let look = match &self.goal {
            // The shell says so, the end is told, text comes with output.
            Goal::Ready { .. } | Goal::Input => now + Duration::from_millis(pause),
            Goal::Quiet(quiet) => {
                terminal.quiet_since(self.began).checked_add(*quiet).unwrap_or(self.deadline)
            }
            Goal::Exit | Goal::Text(_) | Goal::ScreenChange(_) => self.deadline,
        };
        look.min(self.deadline)
    }

    /// Whether it is over. Nothing can have come of what is not typed yet.
    pub(super) fn look(&mut self, terminal: &Terminal, is_typed: bool) -> Option<Over> {
        if is_typed && let Some(over) = self.is_met(terminal) {
            return Some(over);
        }
        if terminal.is_over() {
            // Nothing that is waited for can come any more.
            return Some(Over::by(WaitReason::SessionExit));
        }
        (Instant::now() >= self.deadline).then(|| Over::by(WaitReason::Timeout))
    }

    fn is_met(&mut self, terminal: &Terminal) -> Option<Over> {
        let met = Over::by(WaitReason::Met);
        match &self.goal {
            Goal::Ready { .. } => self.is_ready(terminal),
            Goal::Input => self.is_asking(terminal),
            Goal::Exit => None,
            Goal::Text(pattern) => {
                if self.printed == terminal.printed {
                    return None;
                }
                self.printed = terminal.printed;
                let is_there = self.searched.find(pattern, terminal.screen(), terminal.gone);
                is_there.then_some(met)
            }
            Goal::ScreenChange(hash) => {
                if self.printed == terminal.printed {
                    return None;
                }
                self.printed = terminal.printed;
                (super::screen_now::hash(terminal.screen()) != *hash).then_some(met)
            }
            Goal::Quiet(quiet) => {
                (terminal.quiet_since(self.began).elapsed() >= *quiet).then_some(met)
            }
        }
    }

    fn is_ready(&self, terminal: &Terminal) -> Option<Over> {
        let Goal::Ready { command, typed } = self.goal else {
            return None;
        };
        let is_busy = terminal.is_settling() || (typed && terminal.is_typing());
        if terminal.is_over() || terminal.has_ended() || is_busy {
            return None;
        }
        let shell = &terminal.shell;
        let (said, before) = (shell.said, self.before.said);
        let quiet = terminal.still_since(self.began).elapsed();
        if shell.is_hooked {
            // Who types nothing asks for what ended before, too.
            let is_untold = !typed && shell.is_untold;
            let ended = said.ends > before.ends || is_untold;
            let ran = is_untold || (ended && said.runs > before.runs);
            let over = Over { ended, ran, ..Over::by(WaitReason::Prompt) };
            let is_at_prompt = shell.phase == Phase::Prompt;
            // An end and then a prompt, both since then. What was typed before a first prompt without
            // Enter stands there a moment later.
            let is_to_stand = typed && !command && self.before.phase == Phase::Starting;
            if is_at_prompt && ended && !is_to_stand {
                return Some(over);
            }
            if !typed && is_at_prompt {
                return Some(over);
            }
            // The prompt alone: a line that never became a command, or keys that asked for none.
            let is_answered = said.prompts > before.prompts || said.refusals > before.refusals;
            let is_settled = || quiet >= POLL_PAUSE || self.has_read(terminal);
            if is_at_prompt && (is_answered || !command) && is_settled() {
                return Some(over);
            }
            if shell.phase == Phase::More && (said.mores > before.mores || !command) {
                let more = Over { continuation: true, ..Over::by(WaitReason::StdinRead) };
                return (quiet >= READ_PAUSE).then_some(more);
            }
        }
        self.is_reading(terminal, quiet, command)
    }

    /// Whether the shell has read the keys that it got and waits for more, whatever others print.
    fn has_read(&self, terminal: &Terminal) -> bool {
        terminal.typed_since(self.began).elapsed() >= MORE_PAUSE
            && matches!(
                foreground_leader(&terminal.pty, terminal.leader).doing,
                Doing::Reading | Doing::Polling
            )
    }

    /// Whether the program of a job waits for more than it was given.
    pub(super) fn is_asking(&self, terminal: &Terminal) -> Option<Over> {
        if terminal.has_ended() || terminal.is_typing() {
            return None;
        }
        let quiet = terminal.still_since(self.began).elapsed();
        let over = self.is_reading(terminal, quiet, false)?;
        (over.reason == WaitReason::StdinRead).then_some(over)
    }

    /// Whether the foreground processes wait for input.
    fn is_reading(&self, terminal: &Terminal, quiet: Duration, command: bool) -> Option<Over> {
        let shell = &terminal.shell;
        // The shell says itself when it is done.
        let is_shell = shell.is_hooked && shell.phase != Phase::Running;
        // The prompt comes next, or the shell is seen to read without one.
        if shell.phase == Phase::Between && quiet < IDLE {
            return None;
        }
        let pause = if is_shell { MORE_PAUSE } else { READ_PAUSE };
        if quiet < pause {
            return None;
        }
        let mode = LineMode::of(&terminal.pty);
        // What a shell runs beside its prompt does not read.
        let now = match is_shell {
            true => foreground_leader(&terminal.pty, terminal.leader),
            false => terminal.foreground(),
        };
        // What it did before it waited comes first.
        if terminal.has_news() {
            return None;
        }
        let is_new = !now.waiting.is_subset(&self.before.waiting);
        let over = Over {
            echo_off: mode.is_some_and(|mode| mode.is_secret()),
            continuation: is_shell && command && self.before.phase == Phase::Prompt,
            ..Over::by(WaitReason::StdinRead)
        };
        let is_starting = shell.is_hooked && shell.phase == Phase::Starting;
        match now.doing {
            // A shell that reads its files is not ready, whatever it asks, unless it asks for long.
            Doing::Reading | Doing::Polling if is_starting && !over.echo_off && quiet < IDLE => {}
            Doing::Reading if is_new => return Some(over),
            Doing::Polling if is_new && quiet >= POLL_PAUSE && !is_remote(&now) => {
                let is_raw = mode.is_some_and(|mode| !mode.canonical);
                if is_raw {
                    return Some(over);
                }
            }
            _ => {}
        }
        // A command of the shell's own that keeps the terminal as it was says when it is done.
        let is_raw = mode.is_some_and(|mode| !mode.canonical);
        let is_told = shell.is_hooked && !is_raw && self.before.phase == Phase::Prompt;
        let is_told = is_told || self.is_patient;
        (quiet >= IDLE && !is_told && !is_starting).then(|| Over::by(WaitReason::InferredIdle))
    }
}

fn is_remote(now: &Foreground) -> bool {
    let name = now.group.and_then(foreground_name);
    name.is_some_and(|name| REMOTE.contains(&name.as_str()))
}
