//! Why nothing, or not everything, was written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::artifact::json::JsonError;

/// Why blocks were not added to a session.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The terminal's folder, or a folder in it, is a symbolic link or no folder.
    #[error("{what}, not a folder: {}", .path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// The system refused.
    #[error("cannot {doing} {}: {}", .path.display(), crate::text::system_error(.error))]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// The manifest is not one that may be rewritten. It was left alone.
    #[error(
        "terminal session manifest left unchanged, {fault}: {}; the new blocks are beside it in {}",
        .path.display(),
        listed(.left)
    )]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        fault: ManifestFault,
        /// The record files of the blocks that could not be added, each beside its snapshot.
        left: Vec<PathBuf>,
    },
    /// A snapshot that was to be added could not be read.
    #[error("cannot read back a frozen screen: {}", crate::text::system_error(.0))]
    Source(#[source] io::Error),
    /// The system has no random numbers for an id.
    #[error("cannot make an id: {0}")]
    Id(#[source] io::Error),
}

/// What keeps a manifest from being rewritten.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestFault {
    /// A link, a folder, a FIFO or the like.
    #[error("it is not a regular file")]
    NotAFile,
    /// Larger than any that is read.
    #[error("it is too large")]
    TooLarge,
    /// The system refused to have it read.
    #[error("it cannot be read ({})", crate::text::system_error(.0))]
    Unreadable(#[source] io::Error),
    /// Bytes that are no UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// Not JSON.
    #[error("it is not valid JSON ({0})")]
    NotJson(#[from] JsonError),
    /// JSON, but not an object.
    #[error("it is not a JSON object")]
    NotAnObject,
    /// Programs that take no lock rewrite it faster than we do.
    #[error("other programs rewrite it all the time")]
    Restless,
    /// `blocks` is something else than an array.
    #[error("its \"blocks\" is not an array")]
    BlocksNotAnArray,
}

impl StoreError {
    /// Whether a folder or file that was to be there is not.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    pub(super) fn io<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + use<'a> {
        move |error| Self::Io { doing, path: path.to_path_buf(), error }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<_> =
        paths.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
    if paths.len() > SHOWN {
        names.push(format!("and {} more", paths.len() - SHOWN));
    }
    names.join(", ")
}
