//! Why nothing was recorded, or not everything.

use std::io;

use thiserror::Error;

use super::CastError;
use crate::artifact::StoreError;
use crate::pty::SpawnError;
use crate::record::JournalError;
use crate::text::system_error;

/// Why a recording failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The system has no terminal to give.
    #[error("cannot open a terminal: {}", system_error(.0))]
    Terminal(#[source] io::Error),
    /// Signals, threads or polling.
    #[error("cannot {doing}: {}", system_error(.error))]
    System {
        /// What was being done, as a verb.
        doing: &'static str,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The program did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// What is shown cannot be kept safe until it is in a block.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The asciicast cannot be written.
    #[error(transparent)]
    Cast(#[from] CastError),
    /// The session could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The thread that writes blocks is gone.
    #[error("the recorder broke off; this is a fault of terminal-session-record")]
    Broken,
}

impl RunError {
    pub(super) fn system(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::System { doing, error }
    }
}
