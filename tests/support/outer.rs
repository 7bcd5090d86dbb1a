//! A person's terminal: a program on it, what it shows, and keys.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use terminal_session::pty::{Program, Pty, set_window_size, spawn};
use terminal_session::screen::Size;

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program on a terminal.
pub struct Outer {
    pty: Pty,
    child: Child,
    shown: Vec<u8>,
    /// What was waited for ends here.
    seen: usize,
}

impl Outer {
    /// Starts a program with no environment but this.
    pub fn start(program: &str, args: &[&str], env: &[(&str, &Path)], size: Size) -> Self {
        let pty = Pty::open(size).unwrap();
        let mut set: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("TERM".into(), "xterm-256color".into()),
            ("LC_ALL".into(), "C.UTF-8".into()),
        ];
        set.extend(env.iter().map(|(name, value)| ((*name).into(), value.into())));
        let program = Program {
            name: program.into(),
            arguments: args.iter().map(OsString::from).collect(),
            cwd: None,
            set,
            unset: std::env::vars_os().map(|(name, _)| name).collect(),
        };
        let child = spawn(&pty, &program).unwrap();
        Self { pty, child, shown: Vec::new(), seen: 0 }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has not ended; what it shows meanwhile is taken.
    pub fn is_running(&mut self) -> bool {
        let is_running = self.child.try_wait().unwrap().is_none();
        if is_running {
            self.read(Duration::from_millis(10));
        }
        is_running
    }

    pub fn resize(&self, size: Size) {
        set_window_size(&self.pty, size).unwrap();
    }

    /// Whether something was typed that the program has not read.
    pub fn has_unread(&self) -> bool {
        self.pty.unread_input().is_some_and(|count| count > 0)
    }

    /// Types.
    pub fn send(&mut self, keys: impl AsRef<[u8]>) -> &mut Self {
        let mut rest = keys.as_ref();
        while !rest.is_empty() {
            match self.pty.master().write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => drop(self.read(PATIENCE)),
                Err(error) => panic!("{error}"),
            }
        }
        self
    }

    /// All that was shown.
    pub fn shown(&self) -> &[u8] {
        &self.shown
    }

    /// Waits until this was shown behind what was waited for last.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> &mut Self {
        let end = Instant::now() + PATIENCE;
        loop {
            let new = &self.shown[self.seen..];
            if let Some(at) = memchr::memmem::find(new, text.as_bytes()) {
                self.seen += at + text.len();
                return self;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && self.read(left),
                "{text:?} was not shown: {}",
                String::from_utf8_lossy(new_part(&self.shown, self.seen))
            );
        }
    }

    /// Waits for the end; all that was shown, and how it ended.
    pub fn end(mut self) -> (String, ExitStatus) {
        self.pty.let_go();
        let end = Instant::now() + PATIENCE;
        while self.read(end.saturating_duration_since(Instant::now())) {}
        let status = self.child.wait().unwrap();
        (String::from_utf8_lossy(&self.shown).into_owned(), status)
    }

    /// Reads what is there, or waits for it; false at the end.
    fn read(&mut self, wait: Duration) -> bool {
        let timeout = Timespec::try_from(wait).unwrap();
        poll(&mut [PollFd::new(&self.pty.as_fd(), PollFlags::IN)], Some(&timeout)).unwrap();
        let mut bytes = [0; 1 << 16];
        match self.pty.master().read(&mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                self.shown.extend_from_slice(&bytes[..count]);
                true
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => true,
            Err(_) => false,
        }
    }
}

fn new_part(shown: &[u8], seen: usize) -> &[u8] {
    &shown[seen..]
}

impl Drop for Outer {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
