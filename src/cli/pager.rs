//! The person's pager, as git starts it.

use std::env;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGQUIT};

/// A pager that is running.
#[derive(Debug)]
pub(super) struct Pager {
    child: Child,
    /// None once all was written.
    input: Option<ChildStdin>,
    /// What was run.
    line: String,
}

impl Pager {
    /// Starts the pager that the environment names, else `less`; none where there is to be none or
    /// it cannot be run.
    pub(super) fn start() -> Option<Self> {
        let is_dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        let named = ["TERMINAL_SESSION_PAGER", "PAGER"].map(|name| env::var(name).ok());
        let line = named.into_iter().flatten().next().unwrap_or_else(|| "less".to_owned());
        let line = line.trim();
        if is_dumb || line.is_empty() || line == "cat" {
            return None;
        }
        let mut command = command(line);
        if env::var_os("LESS").is_none() {
            // Ends where one screen is enough, keeps colours, leaves the text on the screen.
            command.env("LESS", "FRX");
        }
        let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
        let input = child.stdin.take();
        // The pager decides what these do to it, and we wait for it.
        for signal in [SIGINT, SIGQUIT] {
            let seen = Arc::new(AtomicBool::new(false));
            // Without it, such a key ends this program early.
            signal_hook::flag::register(signal, seen).map(drop).unwrap_or_default();
        }
        Some(Self { child, input, line: line.to_owned() })
    }

    /// Ends its input and waits until the person has read it; how it failed, if it did.
    pub(super) fn finish(&mut self) -> Option<String> {
        self.input = None;
        let status = self.child.wait().ok()?;
        (!status.success()).then(|| {
            format!("the pager {:?} failed ({status}); --no-pager prints without one", self.line)
        })
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.input {
            Some(input) => input.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// A command line; a shell reads it only where there is something for a shell in it, since a shell
/// starts always, also where there is no such program.
fn command(line: &str) -> Command {
    const FOR_A_SHELL: &str = "|&;<>()$`\\\"'*?[#~=%{}\n";
    if line.contains(|c| FOR_A_SHELL.contains(c)) {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        return command;
    }
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}
