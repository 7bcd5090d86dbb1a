//! Finding recorded sessions by id, prefix or age.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use walkdir::WalkDir;

use super::Manifest;
use crate::home::{CodexHome, IdError, TerminalId};
use crate::text;

/// Ids that an error names at most.
const SHOWN: usize = 5;

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
    /// No id is or starts with the name.
    #[error("terminal session manifest not found: {}{}", .path.display(), hint(.nearest))]
    Unknown {
        /// The manifest that the name would have as an id.
        path: PathBuf,
        /// The ids most like it, nearest first.
        nearest: Vec<TerminalId>,
    },
    /// `latest` was asked for and no session has a readable time.
    #[error("no terminal session with a valid updatedAt in {}", .0.display())]
    NoLatest(PathBuf),
    /// The folder of the sessions cannot be listed.
    #[error("cannot list terminal sessions ({0})")]
    Unlisted(#[from] walkdir::Error),
}

fn listed(ids: &[TerminalId]) -> String {
    let mut names: Vec<_> = ids.iter().take(SHOWN).map(TerminalId::as_str).collect();
    if ids.len() > SHOWN {
        names.push("…");
    }
    names.join(", ")
}

fn hint(nearest: &[TerminalId]) -> String {
    if nearest.is_empty() { String::new() } else { format!(" (nearest: {})", listed(nearest)) }
}

/// The folder of a session that what is being recorded is kept in until it is in a block.
pub(crate) const JOURNAL: &str = "journal";

/// What is in the sessions folder under a name that can be asked for, in no order; nothing where
/// there is no sessions folder. It need not be a session.
pub fn session_names(home: &CodexHome) -> impl Iterator<Item = Result<TerminalId, FindError>> {
    let entries = WalkDir::new(home.sessions()).min_depth(1).max_depth(1);
    entries.into_iter().filter_map(|entry| match entry {
        Ok(entry) => {
            let name = entry.file_name().to_str()?;
            // An id with blanks around it cannot be asked for.
            TerminalId::new(name).ok().filter(|id| id.as_str() == name).map(Ok)
        }
        Err(error) if error.io_error().is_some_and(is_missing) => None,
        Err(error) => Some(Err(error.into())),
    })
}

/// Folders of sessions whose names are no ids, so that nothing can ask for them; sorted.
pub fn nameless_sessions(home: &CodexHome) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.sessions()).into_iter().flatten().flatten();
    let is_id = |name: &std::ffi::OsStr| {
        let id = name.to_str().and_then(|name| TerminalId::new(name).ok());
        id.is_some_and(|id| id.as_str() == name)
    };
    let nameless = entries.filter(|entry| !is_id(&entry.file_name())).map(|entry| entry.path());
    let mut folders: Vec<_> = nameless.filter(|folder| has_manifest(folder)).collect();
    folders.sort();
    folders
}

/// The ids of all sessions that have a manifest, sorted; none where there is no sessions folder.
///
/// # Errors
/// [`FindError::Unlisted`].
pub fn session_ids(home: &CodexHome) -> Result<Vec<TerminalId>, FindError> {
    ids_of(home, has_manifest)
}

/// The ids of all terminals that are being recorded or were when their recorder died, sorted.
/// They need not have a manifest yet.
///
/// # Errors
/// [`FindError::Unlisted`].
pub fn recorded_ids(home: &CodexHome) -> Result<Vec<TerminalId>, FindError> {
    ids_of(home, has_journal)
}

fn has_manifest(folder: &Path) -> bool {
    folder.join("session.json").is_file()
}

fn has_journal(folder: &Path) -> bool {
    folder.join(JOURNAL).is_dir()
}

/// The ids whose folders `is_wanted`.
fn ids_of(
    home: &CodexHome,
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<TerminalId>, FindError> {
    let mut ids = Vec::new();
    for id in session_names(home) {
        let id = id?;
        if is_wanted(&home.session(&id)) {
            ids.push(id);
        }
    }
    ids.sort_unstable();
    Ok(ids)
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// The session that `name` means: an exact id, else `latest`, else a unique prefix of an id, also
/// of a terminal that is being recorded and has no manifest yet. `latest` is one with a manifest.
///
/// # Errors
/// [`FindError`].
pub fn find_session(home: &CodexHome, name: &str) -> Result<TerminalId, FindError> {
    let id = TerminalId::new(name)?;
    if home.session(&id).exists() {
        return Ok(id);
    }
    if id.as_str() == "latest" {
        return latest(home, session_ids(home)?)
            .ok_or_else(|| FindError::NoLatest(home.sessions()));
    }
    let ids = ids_of(home, |folder| has_manifest(folder) || has_journal(folder))?;
    let (mut matches, mut others): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|found| found.as_str().starts_with(id.as_str()));
    match matches.len() {
        1 => Ok(matches.remove(0)),
        0 => {
            text::sort_by_likeness(&mut others, id.as_str(), TerminalId::as_str);
            others.truncate(3);
            let path = home.session(&id).join("session.json");
            let path = super::resolve(&path).unwrap_or(path);
            Err(FindError::Unknown { path, nearest: others })
        }
        _ => Err(FindError::Ambiguous { prefix: id.to_string(), ids: matches }),
    }
}

/// The session with the highest `updatedAt` that parses; of equal ones, the last by name.
fn latest(home: &CodexHome, ids: Vec<TerminalId>) -> Option<TerminalId> {
    let sessions = super::resolve(&home.sessions()).ok()?;
    ids.into_iter()
        .filter_map(|id| {
            let manifest = Manifest::read_in(&sessions, &id).ok()?;
            Some((manifest.time("updatedAt")?, id))
        })
        .max()
        .map(|(_, id)| id)
}
