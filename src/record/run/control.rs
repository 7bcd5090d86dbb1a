//! Wishes from outside: a socket in the session's folder, where only the user can go.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::message::{Feedback, Frozen, Notifier};
use crate::pty::at_short_path;
use crate::text::system_error;

const PREFIX: &str = ".record-";
const SUFFIX: &str = ".sock";

/// The only wish there is.
const FREEZE: &[u8] = b"freeze\n";

/// A request and its answer take no longer than this, a freeze on a slow disk included.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a recorder answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreezeAnswer {
    /// The id of the new block.
    Block(String),
    /// Nothing was shown since the last block.
    Empty,
    /// It ended before it could answer, which made its last block.
    Ended,
    /// There is no block, and why.
    Failed(String),
}

/// The socket of a running recorder; dropped, its name is gone.
#[derive(Debug)]
pub(super) struct Control {
    path: PathBuf,
}

impl Control {
    /// Listens in a session's folder.
    pub(super) fn listen(folder: &Path, notifier: Weak<Notifier>) -> io::Result<Self> {
        let name = format!("{PREFIX}{}{SUFFIX}", std::process::id());
        let path = folder.join(&name);
        // Another process of this number is gone.
        std::fs::remove_file(&path).unwrap_or_default();
        let listener = at_short_path(folder, &name, UnixListener::bind)?;
        let control = Self { path };
        std::fs::set_permissions(&control.path, Permissions::from_mode(0o600))?;
        let serve = move || {
            for stream in listener.incoming().flatten() {
                // Who asks and goes away gets no answer.
                serve(&stream, &notifier).unwrap_or_default();
            }
        };
        thread::Builder::new().name("control".to_owned()).spawn(serve)?;
        Ok(control)
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).unwrap_or_default();
    }
}

fn serve(stream: &UnixStream, notifier: &Weak<Notifier>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let most = u64::try_from(FREEZE.len()).unwrap_or(0);
    BufReader::new(stream).take(most).read_until(b'\n', &mut request)?;
    let answer = if request == FREEZE {
        let (answer, answers) = sync_channel(1);
        // It must not be kept, or the end of the recorder would not be noticed.
        match notifier.upgrade() {
            Some(notifier) => notifier.send(Feedback::Freeze { answer }),
            None => return Ok(()),
        }
        match answers.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            // No answer means the end.
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                let patience = PATIENCE.as_secs();
                Frozen::Failed(format!(
                    "the recorder was too busy for {patience} seconds; the block may still come"
                ))
            }
        }
    } else {
        Frozen::Failed("unknown request".to_owned())
    };
    let line = match answer {
        Frozen::Block(block) => format!("block {}\n", block.block_id),
        Frozen::Empty => "empty\n".to_owned(),
        Frozen::Failed(error) => format!("failed {}\n", error.replace('\n', " ")),
    };
    let mut stream = stream;
    stream.write_all(line.as_bytes())
}

/// Whether a recorder that is gone left a file of this name in a session's folder; none where it is
/// no name of a recorder's socket. It is told by the process's number, so nobody is disturbed.
pub fn is_left_socket(name: &OsStr) -> Option<bool> {
    let process = name.to_str()?.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let process = process.parse().ok().and_then(Pid::from_raw)?;
    // One that may not be signalled is there all the same.
    Some(test_kill_process(process) == Err(Errno::SRCH))
}

/// Removes the sockets of recorders that are gone.
pub(crate) fn sweep_sockets(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_left_socket(&entry.file_name()) == Some(true) {
            // One that cannot be removed does no harm.
            std::fs::remove_file(entry.path()).unwrap_or_default();
        }
    }
}

/// Asks all recorders of a session for a block. Sockets of dead ones are removed.
///
/// # Errors
/// The folder cannot be read.
pub fn freeze(folder: &Path) -> io::Result<Vec<FreezeAnswer>> {
    let mut answers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else {
            continue;
        };
        if !name.starts_with(PREFIX) || !name.ends_with(SUFFIX) {
            continue;
        }
        match at_short_path(folder, name, UnixStream::connect) {
            Ok(stream) => {
                answers.push(match ask(&stream) {
                    Ok(answer) => answer,
                    Err(error) if is_end(&error) => FreezeAnswer::Ended,
                    Err(error) => failed(&error),
                });
            }
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                std::fs::remove_file(folder.join(name)).unwrap_or_default();
            }
            // It ended just now.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => answers.push(failed(&error)),
        }
    }
    Ok(answers)
}

fn is_end(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

fn failed(error: &io::Error) -> FreezeAnswer {
    FreezeAnswer::Failed(system_error(error))
}

fn ask(mut stream: &UnixStream) -> io::Result<FreezeAnswer> {
    const LONGEST: u64 = 64 * 1024;
    stream.set_read_timeout(Some(PATIENCE * 2))?;
    stream.write_all(FREEZE)?;
    let mut line = String::new();
    stream.take(LONGEST).read_to_string(&mut line)?;
    let line = line.trim_end();
    Ok(match line.split_once(' ') {
        Some(("block", id)) => FreezeAnswer::Block(id.to_owned()),
        Some(("failed", error)) => FreezeAnswer::Failed(error.to_owned()),
        _ if line == "empty" => FreezeAnswer::Empty,
        _ => FreezeAnswer::Ended,
    })
}
