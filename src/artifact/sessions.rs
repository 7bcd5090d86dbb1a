//! Finding recorded sessions by id, prefix or age.

use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;
use walkdir::WalkDir;

use super::Manifest;
use crate::home::{CodexHome, IdError, TerminalId};
use crate::text;

/// Why no session was found for a name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The name is no terminal id.
    #[error(transparent)]
    Id(#[from] IdError),
    /// Several ids start with the name.
    #[error("terminal session id prefix is not unique: {prefix} ({} match: {})", .ids.len(), listed(.ids))]
    Ambiguous {
        /// What was given.
        prefix: String,
        /// The ids that start with it.
        ids: Vec<TerminalId>,
    },
    /// `latest` was asked for and no session has a readable time.
    #[error("no terminal session with a valid updatedAt in {0}")]
    NoLatest(String),
}

fn listed(ids: &[TerminalId]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<_> = ids.iter().take(SHOWN).map(TerminalId::as_str).collect();
    if ids.len() > SHOWN {
        names.push("…");
    }
    names.join(", ")
}

/// The ids of all sessions that have a manifest, sorted.
pub fn session_ids(home: &CodexHome) -> Vec<TerminalId> {
    let folders = WalkDir::new(home.sessions()).min_depth(1).max_depth(1).sort_by_file_name();
    folders
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("session.json").is_file())
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?;
            // An id with blanks around it cannot be asked for.
            TerminalId::new(name).ok().filter(|id| id.as_str() == name)
        })
        .collect()
}

/// The session that `name` means: an exact id, else `latest`, else a unique prefix. A name that
/// matches nothing is returned as an id, so that reading it says what is missing.
///
/// # Errors
/// [`FindError`].
pub fn find_session(home: &CodexHome, name: &str) -> Result<TerminalId, FindError> {
    let id = TerminalId::new(name)?;
    if home.session(&id).exists() {
        return Ok(id);
    }
    if id.as_str() == "latest" {
        return latest(home)
            .ok_or_else(|| FindError::NoLatest(home.sessions().display().to_string()));
    }
    let mut ids = session_ids(home);
    ids.retain(|found| found.as_str().starts_with(id.as_str()));
    match ids.len() {
        0 => Ok(id),
        1 => Ok(ids.remove(0)),
        _ => Err(FindError::Ambiguous { prefix: id.to_string(), ids }),
    }
}

/// The session with the highest `updatedAt` that parses; of equal ones, the last by name.
fn latest(home: &CodexHome) -> Option<TerminalId> {
    session_ids(home)
        .into_iter()
        .filter_map(|id| {
            let manifest = Manifest::read(&home.session(&id)).ok()?;
            Some((updated_at(&manifest)?, id))
        })
        .max()
        .map(|(_, id)| id)
}

fn updated_at(manifest: &Manifest) -> Option<Timestamp> {
    match manifest.value("updatedAt") {
        Value::String(time) => text::strip(&time).parse().ok(),
        _ => None,
    }
}
