//! All that runs in a terminal or came from it.

use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgrp, getpid};

use super::environment::SOCKET;
use crate::pty::{
    Process, Pty, arguments_of, foreground_group, has_variable, processes, program_of, signal_group,
};

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
    tag: Vec<u8>,
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
    /// Begins with what came from this process and what carries the name of its socket.
    pub(super) fn begin(socket: &Path, pty: &Pty) -> Self {
        let now = Instant::now();
        let mut tag = format!("{SOCKET}=").into_bytes();
        tag.extend_from_slice(socket.as_os_str().as_bytes());
        let ending = Self { tag, step: 0, step_began: now, due: now };
        // Who reads gets the end of its input, and the system's own signals.
        ending.signal(pty);
        ending
    }

    fn signal(&self, pty: &Pty) {
        let (signal, _) = STEPS[self.step.min(STEPS.len() - 1)];
        // Of a job we hold the terminal, and are in front until its program is.
        let group = foreground_group(pty).filter(|group| *group != getpgrp());
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

    /// The processes that are left: those that descend from the program, and those that carry the
    /// terminal's name. No numbers of sessions or groups, which others may have by now.
    fn members(&self) -> Vec<Process> {
        let host = getpid();
        let ours: HashSet<Pid> = descendants().iter().map(|process| process.pid).collect();
        let is_ours = |process: &Process| {
            process.pid != host
                && (ours.contains(&process.pid) || has_variable(process.pid, &self.tag))
        };
        processes().filter(Process::is_alive).filter(is_ours).collect()
    }
}

/// The processes that descend from the program and have not ended: all of them have us as an ancestor
/// since orphans are handed to us. A terminal that was opened from this one is another one, and so is
/// what runs there.
pub(super) fn descendants() -> Vec<Process> {
    let host = getpid();
    let all: Vec<Process> = processes().filter(Process::is_alive).collect();
    let mut ours = HashSet::from([host.as_raw_nonzero().get()]);
    let number = |process: &Process| process.pid.as_raw_nonzero().get();
    loop {
        let before = ours.len();
        for process in &all {
            if ours.contains(&process.parent)
                && !ours.contains(&number(process))
                && !is_host(process.pid)
            {
                ours.insert(number(process));
            }
        }
        if ours.len() == before {
            break;
        }
    }
    let is_ours = |process: &Process| process.pid != host && ours.contains(&number(process));
    all.into_iter().filter(is_ours).collect()
}

/// Whether a process is the host of a terminal, as this one is.
fn is_host(pid: Pid) -> bool {
    program_of(pid).is_some_and(|program| Some(program) == program_of(getpid()))
        && arguments_of(pid).get(1).is_some_and(|word| word == b"host")
}
