//! Other processes, as the system lists them. Where there is no `/proc` there are none to see.

use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// A process, told from a later one that gets the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its number.
    pub pid: Pid,
    /// When it started, in clock ticks since the system did.
    pub started: u64,
    /// Who is told of its end.
    pub parent: i32,
    /// Its process group.
    pub group: i32,
    /// Its session: the number of the process that began it.
    pub session: i32,
    /// One letter: R runs, S sleeps, T is stopped, Z has ended, and others (`proc_pid_stat(5)`).
    pub state: u8,
}

/// A process is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

/// All processes that we may see.
pub fn processes() -> impl Iterator<Item = Process> {
    let folder = std::fs::read_dir("/proc").into_iter().flatten();
    let pids = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| process(Pid::from_raw(pid)?))
}

/// A process as it is now.
pub fn process(pid: Pid) -> Option<Process> {
    parse(pid, &std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?)
}

/// The folder that a process is in; none where it was deleted.
pub fn folder_of(pid: Pid) -> Option<PathBuf> {
    let link = format!("/proc/{}/cwd", pid.as_raw_nonzero());
    // A deleted one has a name that says so, and no links.
    let is_there = std::fs::metadata(&link).is_ok_and(|folder| folder.nlink() > 0);
    std::fs::read_link(link).ok().filter(|_| is_there)
}

/// The file that a process runs.
pub fn program_of(pid: Pid) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero())).ok()
}

/// The words that a process was started with, its name first.
pub fn arguments_of(pid: Pid) -> Vec<Vec<u8>> {
    let line = std::fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero()));
    line.unwrap_or_default().split(|&byte| byte == 0).map(<[u8]>::to_vec).collect()
}

/// Whether a process was started with this variable, `NAME=VALUE`, as far as we may look.
pub fn has_variable(pid: Pid, variable: &[u8]) -> bool {
    let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
    environment.is_ok_and(|all| all.split(|&byte| byte == 0).any(|known| known == variable))
}

/// How long the processor has worked for a process so far.
pub fn time_used(pid: Pid) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let used = stat.ok().and_then(|stat| {
        // For it, then for the system on its behalf: the 14th and 15th field.
        let mut ticks = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
        let mut ticks = || ticks.next()?.parse::<u64>().ok();
        Some(ticks()? + ticks()?)
    });
    let each = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(used.unwrap_or(0).saturating_mul(1000) / each)
}

/// The processes of a session that have not ended.
pub fn session_members(leader: Pid) -> Vec<Process> {
    let session = leader.as_raw_nonzero().get();
    processes().filter(|process| process.session == session && process.is_alive()).collect()
}

impl Process {
    /// Whether it has not ended; one that has may still wait for its parent to notice.
    pub fn is_alive(&self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }

    /// What can be read from once it has ended. None where the system has no such thing.
    ///
    /// # Errors
    /// It has ended already.
    pub fn end(&self) -> Result<Option<OwnedFd>, Ended> {
        let handle = handle(self.pid);
        match process(self.pid) {
            Some(now) if now.started == self.started && now.is_alive() => Ok(handle),
            _ => Err(Ended),
        }
    }

    /// Sends it a signal, and to no later process that has its number. One that is gone needs none.
    pub fn signal(&self, signal: Signal) {
        // While a descriptor is open the number stays its own.
        let handle = handle(self.pid);
        if process(self.pid).is_none_or(|now| now.started != self.started) {
            return;
        }
        match handle {
            Some(handle) => send(&handle, signal),
            None => kill_process(self.pid, signal).unwrap_or_default(),
        }
    }
}

#[cfg(target_os = "linux")]
fn handle(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(target_os = "linux")]
fn send(handle: &OwnedFd, signal: Signal) {
    rustix::process::pidfd_send_signal(handle, signal).unwrap_or_default();
}

#[cfg(not(target_os = "linux"))]
fn handle(_: Pid) -> Option<OwnedFd> {
    None
}

#[cfg(not(target_os = "linux"))]
fn send(_: &OwnedFd, _: Signal) {}

/// Reads `/proc/PID/stat`.
fn parse(pid: Pid, stat: &str) -> Option<Process> {
    // The name before may hold anything, parentheses too.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.bytes().next()?;
    let mut number = || fields.next()?.parse().ok();
    let (parent, group, session) = (number()?, number()?, number()?);
    // The 22nd field of all; the third was the state.
    let started = fields.nth(15)?.parse().ok()?;
    Some(Process { pid, started, parent, group, session, state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_look_like_anything() {
        let rest = "S 1 2 3 34816 5 4194304 1 0 0 0 1 2 3 4 20 0 1 0 777 9 9";
        let stat = format!("42 (a) R 7 (b) {rest}");
        let pid = Pid::from_raw(42).unwrap();
        let want = Process { pid, started: 777, parent: 1, group: 2, session: 3, state: b'S' };
        assert_eq!(parse(pid, &stat), Some(want));
        assert_eq!(parse(pid, "42 (sh"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn we_are_among_them() {
        let own = processes().find(|process| process.pid == rustix::process::getpid()).unwrap();
        assert!(own.is_alive());
        assert_eq!(Pid::from_raw(own.group), Some(rustix::process::getpgrp()));
        assert_eq!(process(own.pid).unwrap().started, own.started);
    }
}
