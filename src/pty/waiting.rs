//! Whether the program in a terminal waits for input, as far as the system shows it.
//!
//! Linux tells in which system call a thread sleeps. Where it does not, or where the program runs
//! with other rights, nothing is known, which is no error.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rustix::process::Pid;

use super::polled::{Many, polled};
use super::processes::{Process, process, processes};
use super::stopped::sleeps;
use super::{Pty, foreground_group};

/// What the foreground processes of a terminal do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// A thread of them is blocked in a read of the terminal, and none runs.
    Reading,
    /// A thread of them waits for several things, of which the terminal is one, or may be where that
    /// cannot be seen; none runs.
    Polling,
    /// All of them are stopped.
    Stopped,
    /// Something else.
    Working,
    /// Nothing can be seen.
    Unknown,
}

/// The foreground processes of a terminal at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreground {
    /// What they do.
    pub doing: Doing,
    /// Their group; none where the terminal has no session any more.
    pub group: Option<Pid>,
    /// Those of their threads that wait for input.
    pub waiting: BTreeSet<Waiter>,
}

/// A thread that waits. Once it has waited for something else in between, it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiter {
    /// Its number.
    pub thread: i32,
    /// How often it went to sleep so far.
    pub sleeps: u64,
}

/// The numbers of system calls, which differ by machine.
struct Calls {
    read: u64,
    /// `pselect6`, whose first argument says how many descriptors there are, as does `select`.
    select: &'static [u64],
    poll: &'static [u64],
    epoll: &'static [u64],
}

#[cfg(target_arch = "x86_64")]
const CALLS: Calls =
    Calls { read: 0, select: &[23, 270], poll: &[7, 271], epoll: &[232, 281, 441] };
#[cfg(target_arch = "aarch64")]
const CALLS: Calls = Calls { read: 63, select: &[72], poll: &[73], epoll: &[22, 441] };
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const CALLS: Calls = Calls { read: u64::MAX, select: &[], poll: &[], epoll: &[] };

/// Looks at the foreground processes of a terminal.
pub fn foreground(pty: &Pty) -> Foreground {
    group_of(pty, foreground_group(pty))
}

/// Looks at the processes of a group for which a terminal, or a pipe in its place, is the input.
pub fn group_of(pty: &Pty, group: Option<Pid>) -> Foreground {
    let mut seen = Seen::default();
    if let Some(group) = group {
        let leader = process(group).filter(|leader| leader.group == group.as_raw_nonzero().get());
        // The leader alone often tells, and is found without a look at all processes.
        let is_alone = leader.as_ref().is_some_and(|leader| {
            seen.add(leader, pty.path());
            seen.doing() == Doing::Reading
        });
        if !is_alone {
            seen = Seen::default();
            for member in processes() {
                if member.group == group.as_raw_nonzero().get() && member.is_alive() {
                    seen.add(&member, pty.path());
                }
            }
        }
    }
    Foreground { doing: seen.doing(), group, waiting: seen.waiting }
}

/// Looks at one foreground process; at all of them where it is none.
pub fn foreground_leader(pty: &Pty, leader: Pid) -> Foreground {
    let group = foreground_group(pty).filter(|group| *group == leader);
    let Some((group, process)) = group.and_then(|group| Some((group, process(group)?))) else {
        return foreground(pty);
    };
    let mut seen = Seen::default();
    seen.add(&process, pty.path());
    Foreground { doing: seen.doing(), group: Some(group), waiting: seen.waiting }
}

/// The name of the program in the foreground, as the system shortens it: the leader's, or that of
/// another member where the leader is gone.
pub fn foreground_name(group: Pid) -> Option<String> {
    let number = group.as_raw_nonzero().get();
    let is_member = |process: &Process| process.group == number && process.is_alive();
    let leader = process(group).filter(is_member);
    let pid = leader.or_else(|| processes().find(is_member))?.pid;
    name_of(pid.as_raw_nonzero().get())
}

/// The name of a process, as the system shortens it.
pub fn name_of(pid: i32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned())
}

#[derive(Default)]
struct Seen {
    waiting: BTreeSet<Waiter>,
    reads: bool,
    polls: bool,
    runs: bool,
    hidden: bool,
    sleeps: bool,
    stopped: bool,
}

impl Seen {
    fn doing(&self) -> Doing {
        match self {
            Self { runs: true, .. } => Doing::Working,
            Self { reads: true, .. } => Doing::Reading,
            Self { hidden: true, .. } => Doing::Unknown,
            Self { polls: true, .. } => Doing::Polling,
            Self { sleeps: true, .. } => Doing::Working,
            Self { stopped: true, .. } => Doing::Stopped,
            _ => Doing::Unknown,
        }
    }

    fn add(&mut self, process: &Process, terminal: &Path) {
        let folder = format!("/proc/{}", process.pid.as_raw_nonzero());
        let threads = fs::read_dir(format!("{folder}/task")).into_iter().flatten().flatten();
        let numbers = threads.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        for thread in numbers {
            self.add_thread(&folder, thread, terminal);
        }
    }

    fn add_thread(&mut self, process: &str, thread: i32, terminal: &Path) {
        let folder = format!("{process}/task/{thread}");
        // The stat of a process is that of its first thread.
        let stat = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.bytes().next());
        match state {
            Some(b'S') => {}
            Some(b'T' | b't') => {
                self.stopped = true;
                return;
            }
            Some(b'Z' | b'X') | None => return,
            Some(_) => {
                self.runs = true;
                return;
            }
        }
        let Some(call) = fs::read_to_string(format!("{folder}/syscall")).ok() else {
            self.hidden = true;
            return;
        };
        let waits = match what(&call) {
            Call::Read(descriptor) if is_terminal(process, descriptor, terminal) => {
                self.reads = true;
                true
            }
            Call::OnlyStdin => {
                self.reads = true;
                true
            }
            Call::Many(many) => {
                let is_terminal = |&descriptor: &u64| is_terminal(process, descriptor, terminal);
                // Without a list it may be the terminal.
                let waits = polled(process, many).is_none_or(|all| all.iter().any(is_terminal));
                self.polls |= waits;
                self.sleeps |= !waits;
                waits
            }
            Call::Running => {
                self.runs = true;
                false
            }
            Call::Read(_) | Call::Other => {
                self.sleeps = true;
                false
            }
        };
        if waits {
            self.waiting.insert(Waiter { thread, sleeps: sleeps(&folder) });
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// A read of this descriptor.
    Read(u64),
    /// A `select` in which only descriptor 0 can be.
    OnlyStdin,
    /// A wait for several things.
    Many(Many),
    Running,
    Other,
}

/// Reads `/proc/PID/task/TID/syscall`.
fn what(line: &str) -> Call {
    let mut words = line.split_ascii_whitespace();
    let Some(number) = words.next() else {
        return Call::Other;
    };
    if number == "running" {
        return Call::Running;
    }
    let mut arguments = words.map_while(|word| {
        let digits = word.strip_prefix("0x")?;
        u64::from_str_radix(digits, 16).ok()
    });
    let (Ok(number), Some(first)) = (number.parse(), arguments.next()) else {
        return Call::Other;
    };
    let second = arguments.next().unwrap_or(0);
    match number {
        number if number == CALLS.read => Call::Read(first),
        number if CALLS.select.contains(&number) && first == 1 => Call::OnlyStdin,
        number if CALLS.select.contains(&number) => {
            Call::Many(Many::Select { below: first, address: second })
        }
        number if CALLS.poll.contains(&number) => {
            Call::Many(Many::Poll { address: first, count: second })
        }
        number if CALLS.epoll.contains(&number) => Call::Many(Many::Epoll { descriptor: first }),
        _ => Call::Other,
    }
}

fn is_terminal(process: &str, descriptor: u64, terminal: &Path) -> bool {
    let target = fs::read_link(format!("{process}/fd/{descriptor}"));
    target.is_ok_and(|target| target == terminal || target == Path::new("/dev/tty"))
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::{Program, spawn};
    use super::*;
    use crate::screen::Size;

    #[test]
    fn calls_are_told_apart() {
        for (line, want) in [
            ("0 0x3 0x7ffd 0x1 0x0 0x0 0x0 0x7ffe 0x7fff\n", Call::Read(3)),
            ("270 0x1 0x7ffd 0x0 0x0 0x0 0x7ffe\n", Call::OnlyStdin),
            (
                "270 0x5 0x7ffd 0x0 0x0 0x0 0x7ffe\n",
                Call::Many(Many::Select { below: 5, address: 0x7ffd }),
            ),
            (
                "7 0x7ffd 0x1 0xffffffffffffffff\n",
                Call::Many(Many::Poll { address: 0x7ffd, count: 1 }),
            ),
            ("281 0xd 0x7ffd 0x400\n", Call::Many(Many::Epoll { descriptor: 13 })),
            ("230 0x0 0x0 0x7ffd\n", Call::Other),
            ("running\n", Call::Running),
            ("-1 0x7ffd 0x7ffe\n", Call::Other),
            ("", Call::Other),
        ] {
            assert_eq!(what(line), want, "{line}");
        }
    }

    /// Looks until the programs of a terminal do something; what they did last.
    fn look_for(script: &str, wanted: Doing) -> Doing {
        let pty = Pty::open(Size { cols: 80, rows: 24 }).unwrap();
        let arguments = ["-c", script].map(Into::into).to_vec();
        let program = Program { name: "sh".into(), arguments, ..Program::default() };
        let mut child = spawn(&pty, &program).unwrap();
        let start = Instant::now();
        let mut doing = Doing::Unknown;
        while doing != wanted && start.elapsed() < Duration::from_secs(20) {
            doing = foreground(&pty).doing;
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        doing
    }

    #[test]
    fn programs_that_wait_for_input_are_told_from_others() {
        for (script, want) in [
            ("cat", Doing::Reading),
            ("cat; true", Doing::Reading),
            ("read x", Doing::Reading),
            ("cat </dev/tty | sort", Doing::Reading),
            ("exec sleep 60", Doing::Working),
            ("kill -STOP $$", Doing::Stopped),
        ] {
            assert_eq!(look_for(script, want), want, "{script}");
        }
    }
}
