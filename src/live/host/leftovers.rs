//! What a command leaves behind when it ends.
//!
//! It goes on until the output was read to its end. Then it is hung up, as what runs in a terminal is
//! whose window is closed: what ignores that, as `nohup` has it, or began a session of its own lives
//! on. It is the same with a terminal and with pipes, and nothing of it is left to chance.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgrp};

use super::tree::descendants;
use crate::pty::{Process, name_of, signal_group, time_used};

/// Names in a note; of more it says how many.
const MOST_NAMES: usize = 5;
/// What has used this much of the processor is no program that begins.
const LONGEST_START: Duration = Duration::from_millis(500);
/// How long all of that is waited for, and how often it is looked at.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(10);

/// What is left of a session, and of others that came from it.
pub(super) struct Leftovers {
    of_session: Vec<Process>,
    of_others: Vec<Process>,
}

impl Leftovers {
    /// Looks what is left after the end of a command whose session that is.
    pub(super) fn of(session: i32) -> Self {
        let is_its = |process: &Process| process.session == session;
        let (of_session, of_others) = descendants().into_iter().partition(is_its);
        Self { of_session, of_others }
    }

    /// What is to be said of it in an answer, which may be the last one.
    pub(super) fn notes(&self, is_last: bool) -> Vec<String> {
        let when = if is_last { "now" } else { "once all output was read" };
        let hung_up = names(&self.of_session).map(|names| {
            format!(
                "left in the background: {names}; hung up {when}, which ends what nohup or setsid \
                 did not begin (what is to stay can be a command of its own, without &)"
            )
        });
        let others = names(&self.of_others)
            .map(|names| format!("left running in a session of its own: {names}"));
        hung_up.into_iter().chain(others).collect()
    }
}

fn names(processes: &[Process]) -> Option<String> {
    let name = |process: &Process| {
        let pid = process.pid.as_raw_nonzero().get();
        format!("{} ({pid})", name_of(pid).unwrap_or_default())
    };
    let mut names: Vec<String> = processes.iter().take(MOST_NAMES).map(name).collect();
    let more = processes.len().saturating_sub(MOST_NAMES);
    names.extend((more > 0).then(|| format!("and {more} more")));
    (!names.is_empty()).then(|| names.join(", "))
}

/// A hangup that is due.
///
/// A program that `nohup` is about to start ignores nothing yet, so it waits until all of them have
/// got somewhere: each sleeps, or has run for longer than it takes to begin.
#[derive(Debug)]
pub(super) struct HangingUp {
    session: i32,
    until: Instant,
    pub(super) due: Instant,
}

impl HangingUp {
    pub(super) fn of(session: i32) -> Self {
        let now = Instant::now();
        Self { session, until: now + PATIENCE, due: now }
    }

    /// Hangs up, if it is time to; whether that is done.
    pub(super) fn work(&mut self) -> bool {
        let now = Instant::now();
        if now < self.due {
            return false;
        }
        let left = Leftovers::of(self.session).of_session;
        if now < self.until && left.iter().any(begins) {
            self.due = now + LOOK;
            return false;
        }
        // One of its members is there, so the number of a group is no other one's. What was born
        // since is of the same group.
        let mut groups: Vec<i32> = left.iter().map(|process| process.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let groups = groups.into_iter().filter_map(Pid::from_raw);
        for group in groups.filter(|group| *group != getpgrp()) {
            signal_group(Some(group), Signal::HUP);
            // What is stopped gets it when it goes on.
            signal_group(Some(group), Signal::CONT);
        }
        true
    }
}

/// Whether a process may be on its way to become another program.
fn begins(process: &Process) -> bool {
    matches!(process.state, b'R' | b'D') && time_used(process.pid) < LONGEST_START
}
