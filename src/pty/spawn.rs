//! Starting a program in a terminal, or with pipes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use thiserror::Error;

use super::{Pty, child_setup};
use crate::text::{shell_quoted, system_error};

/// What to start.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its name or path.
    pub name: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it starts; none is where we are.
    pub cwd: Option<PathBuf>,
    /// Variables that it gets, beside ours.
    pub set: Vec<(OsString, OsString)>,
    /// Variables of ours that it does not get.
    pub unset: Vec<OsString>,
}

/// Why a program did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The folder cannot be entered.
    #[error("cannot enter folder {}: {}", .path.display(), system_error(.error))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The program cannot be run.
    #[error("cannot run {}: {}", shell_quoted(&.name.to_string_lossy()), system_error(.error))]
    Program {
        /// Its name.
        name: OsString,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The terminal cannot be handed over.
    #[error("cannot hand over the terminal: {}", system_error(.0))]
    Terminal(#[source] io::Error),
}

/// Starts a program with the terminal as its controlling one, in a session of its own. With pipes it
/// has none.
///
/// # Errors
/// [`SpawnError`].
pub fn spawn(pty: &Pty, program: &Program) -> Result<Child, SpawnError> {
    let mut command = command(pty, program)?;
    match pty.is_pipes() {
        true => child_setup::detach(&mut command),
        false => child_setup::install(&mut command),
    }
    start(command, program)
}

/// The same in a group of its own: its session is ours, if it has a terminal, which becomes ours too.
/// When the leader of a session ends the system hangs up whoever is in front in its terminal; this
/// program is no such leader, so its end is nobody's business but its own. Where the system can do
/// that it ends with us, which is to be with the thread that calls this.
///
/// # Errors
/// [`SpawnError`]; among others where we have not begun our session, or have a terminal already.
pub fn spawn_in_group(pty: &Pty, program: &Program) -> Result<Child, SpawnError> {
    let mut command = command(pty, program)?;
    match pty.far_terminal() {
        Some(terminal) => {
            child_setup::control(terminal).map_err(SpawnError::Terminal)?;
            child_setup::join(&mut command);
        }
        None => child_setup::detach(&mut command),
    }
    child_setup::end_with_us(&mut command);
    start(command, program)
}

fn command(pty: &Pty, program: &Program) -> Result<Command, SpawnError> {
    let mut command = Command::new(&program.name);
    command.args(&program.arguments);
    for name in &program.unset {
        command.env_remove(name);
    }
    for (name, value) in &program.set {
        command.env(name, value);
    }
    if let Some(path) = &program.cwd {
        // A failure to enter it could not be told from a failure to run the program.
        can_enter(path).map_err(|error| SpawnError::Folder { path: path.clone(), error })?;
        command.current_dir(path);
    }
    let [stdin, stdout, stderr] = pty.stdio().map_err(SpawnError::Terminal)?;
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    Ok(command)
}

fn start(mut command: Command, program: &Program) -> Result<Child, SpawnError> {
    command.spawn().map_err(|error| SpawnError::Program { name: program.name.clone(), error })
}

/// Whether a program can start in a folder.
///
/// # Errors
/// The system's, where it cannot.
pub(crate) fn can_enter(path: &Path) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_dir() {
        return Err(rustix::io::Errno::NOTDIR.into());
    }
    Ok(rustix::fs::access(path, rustix::fs::Access::EXEC_OK)?)
}
