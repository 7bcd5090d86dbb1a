//! Why something was not done with a job.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::live::LiveError;
use crate::live::Voice;
use crate::live::place::Place;
use crate::live::wire::{JobState, Status};
use crate::text::system_error;

/// Why something was not done with a job.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExecError {
    /// What was asked for is wrong.
    #[error("{0}")]
    Invalid(&'static str),
    /// The folder to run in cannot be entered.
    #[error("cannot enter workdir {}: {}", .path.display(), system_error(.error))]
    Workdir {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The agent has as many jobs as it may have, collected ones left out.
    #[error("maximum active exec sessions reached ({0})")]
    TooMany(usize),
    /// There is no such job, or it is another agent's.
    #[error("{}", unknown_job(.0))]
    Unknown(String),
    /// It was closed with output that nobody read.
    #[error(
        "exec job {id} was closed before its output was collected; \
         terminal-session-blocks {arguments} prints it"
    )]
    Discarded {
        /// The job.
        id: String,
        /// What names its block.
        arguments: String,
    },
    /// Its host was killed.
    #[error("exec job {id} failed: {why}")]
    HostKilled {
        /// The job.
        id: String,
        /// What is known, and how to get at what it printed.
        why: String,
    },
    /// It takes no more input.
    #[error("{message}")]
    StdinClosed {
        /// The job.
        id: String,
        /// What its host says.
        message: String,
    },
    /// The command did not start.
    #[error("cannot start the command: {0}")]
    Start(String),
    /// There is nothing that could run it.
    #[error("No supported POSIX shell was found")]
    NoShell,
    /// What an agent's jobs share cannot be read or written.
    #[error("cannot keep the state of jobs: {}", system_error(.0))]
    State(#[source] io::Error),
    /// Anything else.
    #[error(transparent)]
    Live(#[from] LiveError),
}

impl ExecError {
    /// The message, and what can be done.
    pub fn text(&self, voice: Voice) -> String {
        let hint = match (self, voice) {
            (Self::TooMany(_), Voice::CommandLine) => {
                "; to make room, end one with `jobs kill`, and read one that has finished to its end \
                 with `write`"
                    .to_owned()
            }
            (Self::TooMany(_), Voice::Tools) => {
                "; to make room, end one with job_kill, and read one that has finished to its end \
                 with write_stdin"
                    .to_owned()
            }
            (Self::StdinClosed { id, .. }, Voice::CommandLine) => {
                format!("; terminal-session-live write {id} does that")
            }
            _ => String::new(),
        };
        format!("{self}{hint}")
    }
}

/// What is said of a job that is not there, or not for the one who asks.
pub(in crate::live) fn unknown_job(id: &str) -> String {
    format!("unknown or completed exec job {id}")
}

/// What is said of a job whose host had no time for last words.
pub(super) fn host_killed(state: &JobState) -> String {
    let place = place_of(state);
    format!(
        "its host was killed; terminal-session-record recover {} makes a block of what it printed, \
         terminal-session-blocks {} prints that",
        place.terminal(),
        place.block(&state.block_id)
    )
}

/// Where the block of a job is.
pub(super) fn place_of(state: &JobState) -> Place {
    Place::new(&state.terminal_id, state.given_home.as_deref().map(Path::new))
}

/// What is said to input for a job that takes none.
pub(in crate::live) fn stdin_closed(id: &str, status: &Status) -> String {
    let how = match status {
        Status::Running | Status::Unresponsive => String::new(),
        Status::Exited { exit_code: Some(code), .. } => format!(" (it exited with code {code})"),
        Status::Exited { signal: Some(signal), .. } => format!(" ({signal} ended it)"),
        Status::Exited { .. } => " (it ended)".to_owned(),
    };
    format!("exec job {id} stdin is closed; poll with empty chars to collect its result{how}")
}
