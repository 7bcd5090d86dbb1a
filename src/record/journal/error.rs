//! Why there is no journal.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::artifact::StoreError;
use crate::text::system_error;

/// Why a journal was not begun or not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The folder for journals is a symbolic link or no folder.
    #[error("not a folder of its own: {}", .0.display())]
    NotAFolder(PathBuf),
    /// The system refused.
    #[error("cannot {doing} {}: {}", .path.display(), system_error(.error))]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The session's folder cannot be made or is no folder of its own.
    #[error(transparent)]
    Session(#[from] StoreError),
    /// The system has no random numbers for an id.
    #[error("cannot make an id: {0}")]
    Id(#[source] io::Error),
}

impl JournalError {
    /// Whether a folder that was to be there is not.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            Self::Io { error, .. } => error.kind() == io::ErrorKind::NotFound,
            Self::Session(error) => error.is_missing(),
            _ => false,
        }
    }

    pub(super) fn io<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + use<'a> {
        move |error| Self::Io { doing, path: path.to_path_buf(), error }
    }
}
