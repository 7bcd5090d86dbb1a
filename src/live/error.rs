//! Why something was not done with a terminal.

use std::io;

use thiserror::Error;

use super::runtime::RuntimeError;
use super::wire::{Code, Refusal};
use crate::artifact::ids::is_job;
use crate::text::system_error;

/// Why something was not done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The host said no.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// There is no private folder.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The host cannot be spoken to.
    #[error("cannot speak to {}: {}", named(id), system_error(.error))]
    Io {
        /// The terminal.
        id: String,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The host is there and does not answer.
    #[error("cannot speak to {}: its host does not answer{}", named(id), wake(*.host))]
    Silent {
        /// The terminal.
        id: String,
        /// The number of its host, where that is known.
        host: Option<i32>,
    },
    /// No terminal could be opened.
    #[error("cannot open a terminal: {0}")]
    Open(String),
    /// The agent has as many as it may have.
    #[error("maximum live terminals reached ({0}); close one, or raise --max-terminals")]
    TooMany(usize),
    /// Nothing is known that opens such a terminal.
    #[error("no PTY backend registered for \"{0}\"")]
    NoBackend(String),
    /// The host answered something else.
    #[error("the terminal's host is of another version")]
    OtherVersion,
    /// Nobody waits for the answer any more.
    #[error("the call was cancelled")]
    HungUp,
    /// The agent calls another one so.
    #[error("PTY session name {0:?} already exists for this owner")]
    DuplicateName(String),
}

impl LiveError {
    /// A wrong request.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Refused(Refusal { code: Code::Invalid, message: message.into() })
    }

    /// The kind of refusal, if it is one.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused(refusal) => Some(refusal.code),
            _ => None,
        }
    }
}

/// What has this id.
fn named(id: &str) -> String {
    let what = if is_job(id) { "exec job" } else { "terminal session" };
    format!("{what} {id}")
}

/// What may help where a host does not answer.
fn wake(host: Option<i32>) -> String {
    match host {
        Some(host) => format!(" (if process {host} is stopped, `kill -CONT {host}` wakes it)"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_does_not_answer_is_said_to_be_what_it_is() {
        let silent = |id: &str| LiveError::Silent { id: id.to_owned(), host: None }.to_string();
        let rest = "its host does not answer";
        assert_eq!(silent("t"), format!("cannot speak to terminal session t: {rest}"));
        let job = format!("cannot speak to exec job codex-terminal-1: {rest}");
        assert_eq!(silent("codex-terminal-1"), job);
    }
}
