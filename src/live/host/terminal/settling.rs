//! A shell that was interrupted at its prompt, and has yet to deal with that.
//!
//! What is typed meanwhile may be taken for a part of the line that it throws away, and what stands
//! there is the old prompt. So who types waits until it reads again.

use std::time::{Duration, Instant};

use super::Terminal;
use crate::live::host::shell::Said;
use crate::pty::{Doing, LineMode, foreground_group, foreground_leader};

/// How long a shell may take that says nothing of it: one that ignores the signal, or was in the
/// middle of a search.
const PATIENCE: Duration = Duration::from_millis(500);
/// The longest that it is waited for at all.
const LONGEST: Duration = Duration::from_secs(5);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// An interrupt that a shell has yet to deal with.
#[derive(Clone, Copy, Debug)]
pub(in crate::live::host) struct Settling {
    /// What it had said before; none where it need not say anything.
    before: Option<Said>,
    since: Instant,
    longest: Duration,
}

impl Terminal {
    /// It gets something now that interrupts it; with `tells` it says when it has dealt with that.
    pub(in crate::live::host) fn unsettle(&mut self, tells: bool) {
        let before = (tells && self.shell.is_hooked).then_some(self.shell.said);
        self.settling = Some(Settling { before, since: Instant::now(), longest: LONGEST });
    }

    /// Whether it has just said that it is at its prompt and does not read there yet: it would take an
    /// interrupt for the next key. That is waited for.
    pub(in crate::live::host) fn is_about_to_read(&mut self) -> bool {
        let since = Instant::now();
        let is_new = self.last_output.is_some_and(|last| last.elapsed() < PATIENCE);
        let is_about = is_new && self.shell.is_at_prompt() && !self.reads_keys();
        if is_about {
            self.settling = Some(Settling { before: None, since, longest: PATIENCE });
        }
        is_about
    }

    /// Whether its shell is interrupted by what comes now: it edits a line itself.
    pub(in crate::live::host) fn is_shell_idle(&self) -> bool {
        let is_raw = LineMode::of(&self.pty).is_some_and(|mode| !mode.canonical);
        let is_idle = match self.shell.is_hooked {
            true => !self.shell.is_running(),
            false => is_raw && !self.is_full_screen(),
        };
        is_idle && !self.has_ended() && foreground_group(&self.pty) == Some(self.leader)
    }

    /// Whether its shell has read what it was given, and waits for more.
    pub(in crate::live::host) fn reads_keys(&self) -> bool {
        let now = foreground_leader(&self.pty, self.leader);
        matches!(now.doing, Doing::Reading | Doing::Polling)
            && !self.is_typing()
            && !self.has_news()
    }

    /// Whether it has yet to deal with an interrupt.
    pub(in crate::live::host) fn is_settling(&self) -> bool {
        self.settling.is_some()
    }

    /// Looks whether it has.
    pub(in crate::live::host) fn settle(&mut self) {
        let Some(settling) = self.settling else {
            return;
        };
        let age = settling.since.elapsed();
        let said = self.shell.said;
        let has_told = settling.before.is_none_or(|before| {
            let has_ended = said.ends > before.ends || said.cancels > before.cancels;
            has_ended && self.shell.is_at_prompt()
        });
        let is_over = self.has_ended()
            || age >= settling.longest
            || ((has_told || age >= PATIENCE) && self.reads_keys());
        if is_over {
            self.settling = None;
        }
    }

    /// When to look again.
    pub(in crate::live::host) fn settling_due(&self) -> Option<Instant> {
        self.settling.map(|_| Instant::now() + LOOK)
    }
}
