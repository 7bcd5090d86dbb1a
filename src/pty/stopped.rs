//! Programs that were stopped, as Ctrl-Z does.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Pid;

use super::processes::{Process, process, processes};

/// A process that is stopped. Once it has gone on in between, it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stopped {
    /// Its number.
    pub pid: i32,
    /// How often it went to sleep so far.
    pub sleeps: u64,
}

/// The children of a process that are stopped. Where the system does not show them there are none.
pub fn stopped_children(parent: Pid) -> BTreeSet<Stopped> {
    let is_stopped = |process: &Process| process.state == b'T';
    children(parent)
        .into_iter()
        .filter(is_stopped)
        .map(|process| {
            let pid = process.pid.as_raw_nonzero().get();
            Stopped { pid, sleeps: sleeps(&format!("/proc/{pid}")) }
        })
        .collect()
}

/// How often a process or thread with this folder went to sleep.
pub(super) fn sleeps(folder: &str) -> u64 {
    let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

fn children(parent: Pid) -> Vec<Process> {
    let number = parent.as_raw_nonzero().get();
    let threads = fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten();
    // Each thread has its own. Not every system has these lists.
    let lists: Result<Vec<String>, _> =
        threads.map(|thread| fs::read_to_string(thread.path().join("children"))).collect();
    match lists {
        Ok(lists) => {
            let pids = lists.iter().flat_map(|list| list.split_ascii_whitespace());
            let pids = pids.filter_map(|pid| pid.parse().ok());
            pids.filter_map(|pid| process(Pid::from_raw(pid)?)).collect()
        }
        Err(_) => processes().filter(|process| process.parent == number).collect(),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use rustix::process::{Signal, WaitOptions, getpid, kill_process, waitpid};

    use super::*;

    fn is_asleep(pid: Pid) -> bool {
        process(pid).is_some_and(|process| process.state == b'S')
    }

    #[test]
    fn a_child_that_is_stopped_again_is_another_one() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).unwrap();
        let mine = || -> Vec<Stopped> {
            let number = pid.as_raw_nonzero().get();
            stopped_children(getpid()).into_iter().filter(|found| found.pid == number).collect()
        };
        assert_eq!(mine(), []);
        let mut before = Vec::new();
        for _ in 0..3 {
            kill_process(pid, Signal::STOP).unwrap();
            waitpid(Some(pid), WaitOptions::UNTRACED).unwrap();
            let now = mine();
            assert_eq!(now.len(), 1, "{before:?}");
            assert_ne!(now, before);
            before = now;
            kill_process(pid, Signal::CONT).unwrap();
            waitpid(Some(pid), WaitOptions::CONTINUED).unwrap();
            // It goes on only when it gets a turn.
            while !is_asleep(pid) {
                std::thread::yield_now();
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
