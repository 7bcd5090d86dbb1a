//! One thing that is not as it should be.

use std::path::PathBuf;

use super::Code;

/// A broken rule, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub code: Code,
    /// Where.
    pub place: Place,
    /// What is there and what should be, in one line. It may hold untrusted text.
    pub message: String,
}

/// Where something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file or folder.
    pub path: PathBuf,
    /// The line in it, counted from 1; of a block the one at which it starts.
    pub line: Option<usize>,
    /// The block: its id, or its position where it has none.
    pub block: Option<String>,
    /// The key, such as `cols` or `steps[0].risk`.
    pub key: Option<String>,
}

impl Place {
    /// A file or a folder as a whole.
    pub fn of_path(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// A key at this place.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self.clone() }
    }
}
