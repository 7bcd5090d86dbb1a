//! All that runs in a terminal or came from it.

use std::collections::HashSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid};

use super::environment::TAG;
use crate::pty::{Process, Pty, foreground_group, processes, signal_group};

/// What the processes get, one after the other, and how long each has to help. An interactive shell
/// ignores the second one, so the first is a hangup.
const STEPS: [(Signal, Duration); 3] = [
    (Signal::HUP, Duration::from_millis(500)),
    (Signal::TERM, Duration::from_secs(1)),
    (Signal::KILL, Duration::from_secs(3)),
];
/// How often to look whether any are left.
const LOOK: Duration = Duration::from_millis(20);

/// Has all processes of a terminal end.
#[derive(Debug)]
pub(super) struct Ending {
    tag: String,
    leader: Pid,
    step: usize,
    step_began: Instant,
    pub(super) due: Instant,
}

/// How far that is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Some are left.
    Going,
    /// None is left, or none that can be ended: these.
    Over(Vec<Process>),
}

impl Ending {
    pub(super) fn begin(tag: &str, leader: Pid, pty: &Pty) -> Self {
        let now = Instant::now();
        let ending = Self { tag: tag.to_owned(), leader, step: 0, step_began: now, due: now };
        // Who reads gets the end of its input, and the system's own signals.
        ending.signal(pty);
        ending
    }

    fn signal(&self, pty: &Pty) {
        let (signal, _) = STEPS[self.step.min(STEPS.len() - 1)];
        let group = foreground_group(pty);
        signal_group(group, signal);
        signal_group(group, Signal::CONT);
        for process in self.members() {
            process.signal(signal);
            // A stopped process gets its signal when it goes on.
            process.signal(Signal::CONT);
        }
    }

    /// Looks what is left, and tries harder.
    pub(super) fn work(&mut self, pty: &Pty) -> Progress {
        let now = Instant::now();
        if now < self.due {
            return Progress::Going;
        }
        let left = self.members();
        if left.is_empty() {
            return Progress::Over(left);
        }
        self.due = now + LOOK;
        let (signal, patience) = STEPS[self.step.min(STEPS.len() - 1)];
        if signal == Signal::KILL {
            // New ones may have come since.
            for process in &left {
                process.signal(signal);
            }
        }
        if now.duration_since(self.step_began) >= patience {
            if self.step + 1 == STEPS.len() {
                return Progress::Over(left);
            }
            self.step += 1;
            self.step_began = now;
            self.signal(pty);
        }
        Progress::Going
    }

    /// The processes that are left: those of the program's session, those that descend from it or
    /// were handed to us when their parents ended, and those that carry the terminal's name.
    fn members(&self) -> Vec<Process> {
        let host = getpid().as_raw_nonzero().get();
        let session = self.leader.as_raw_nonzero().get();
        let all: Vec<Process> = processes().filter(Process::is_alive).collect();
        let number = |process: &Process| process.pid.as_raw_nonzero().get();
        let mut ours = HashSet::from([host]);
        loop {
            let before = ours.len();
            for process in &all {
                if ours.contains(&process.parent) || process.session == session {
                    ours.insert(number(process));
                }
            }
            if ours.len() == before {
                break;
            }
        }
        let is_ours = |process: &Process| {
            number(process) != host
                && (ours.contains(&number(process)) || has_tag(number(process), &self.tag))
        };
        all.into_iter().filter(is_ours).collect()
    }
}

fn has_tag(pid: i32, terminal: &str) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{pid}/environ")) else {
        return false;
    };
    let wanted = format!("{TAG}={terminal}");
    environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
}
