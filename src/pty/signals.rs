//! Signals as something to poll for.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{
    SIGALRM, SIGCHLD, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::{flag, low_level::pipe};

use super::ignored::is_ignored;

/// A signal that was sent to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caught {
    /// A child ended.
    Child,
    /// We go on after a stop.
    Continue,
    /// The terminal is gone.
    Hangup,
    /// Ctrl-C, where it sends signals.
    Interrupt,
    /// Ctrl-\, where it sends signals.
    Quit,
    /// Somebody wants us to stop for a while.
    Stop,
    /// Somebody wants us to end.
    Terminate,
    /// The terminal has a new size.
    Resize,
}

const ALL: [(i32, Caught); 13] = [
    (SIGCHLD, Caught::Child),
    (SIGCONT, Caught::Continue),
    (SIGHUP, Caught::Hangup),
    (SIGINT, Caught::Interrupt),
    (SIGQUIT, Caught::Quit),
    (SIGTSTP, Caught::Stop),
    (SIGTERM, Caught::Terminate),
    (SIGUSR1, Caught::Terminate),
    (SIGUSR2, Caught::Terminate),
    (SIGALRM, Caught::Terminate),
    (SIGVTALRM, Caught::Terminate),
    (SIGXCPU, Caught::Terminate),
    (SIGWINCH, Caught::Resize),
];

/// Those with which somebody wants something of us. `nohup` ignores the first, a shell without job
/// control two for what runs in its background, and that is to stay so.
const WISHES: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTERM];

/// Has a write beyond the limit for files fail instead of ending us: it is like a full disk.
///
/// # Errors
/// The system refuses.
pub fn survive_file_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Catches signals from its creation on.
#[derive(Debug)]
pub struct Signals {
    wake: UnixStream,
    flags: Vec<(Caught, Arc<AtomicBool>)>,
}

impl Signals {
    /// Starts catching all but those that we were started to ignore.
    ///
    /// # Errors
    /// The system refuses.
    pub fn catch() -> io::Result<Self> {
        Self::catch_where(|signal| !WISHES.contains(&signal) || !is_ignored(signal))
    }

    /// Starts catching all, for a process that nobody who started it looks after any more.
    ///
    /// # Errors
    /// The system refuses.
    pub fn catch_all() -> io::Result<Self> {
        Self::catch_where(|_| true)
    }

    fn catch_where(is_wanted: impl Fn(i32) -> bool) -> io::Result<Self> {
        let (wake, writer) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let mut flags = Vec::new();
        for (signal, caught) in ALL.into_iter().filter(|&(signal, _)| is_wanted(signal)) {
            let is_set = Arc::new(AtomicBool::new(false));
            // Its flag is up before the reader wakes.
            flag::register(signal, Arc::clone(&is_set))?;
            pipe::register(signal, writer.try_clone()?)?;
            flags.push((caught, is_set));
        }
        Ok(Self { wake, flags })
    }

    /// The signals since the last call, each once.
    pub fn take(&mut self) -> Vec<Caught> {
        let mut bytes = [0; 64];
        while let Ok(1..) = self.wake.read(&mut bytes) {}
        let is_caught = |flag: &AtomicBool| flag.swap(false, Ordering::AcqRel);
        self.flags.iter().filter(|(_, flag)| is_caught(flag)).map(|&(caught, _)| caught).collect()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
