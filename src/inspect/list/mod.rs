//! Which sessions exist.
//!
//! Two passes over the manifests, each with one of them in memory at a time: the first keeps what
//! the order needs, the second reads what is shown of a session when it is shown. So a list of any
//! length takes little memory beside the ids.

mod row;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::artifact::{
    Block, FindError, Manifest, ManifestError, ManifestErrorKind, TerminalStates, resolve,
    session_names,
};
use crate::home::{CodexHome, TerminalId};

pub use row::{BlockCounts, First, SessionRow, Status};

/// Which sessions to list, and in which order.
pub struct ListOptions<'a> {
    /// Only those with a block of a Codex session whose id starts so.
    pub codex_session: Option<&'a str>,
    /// Only those updated then or later. Where a session does not say, its files do.
    pub since: Option<Timestamp>,
    /// At most so many, the first ones.
    pub limit: Option<usize>,
    /// What comes first.
    pub sort: SortBy,
    /// When a recorder last wrote what is in no block yet into a session's folder, none where there
    /// is nothing of that kind.
    pub unfrozen: &'a dyn Fn(&Path) -> Option<Unfrozen>,
}

/// The order of a list. Equal ones, and those whose time is not known, are in the order of their
/// ids, the last one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// Newest first, by the last change. The first one is the session that `latest` names.
    #[default]
    Updated,
    /// Newest first, by the beginning.
    Created,
    /// Largest first.
    Size,
}

/// What a session has that is in no block yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfrozen {
    /// When a recorder last wrote it.
    pub time: Timestamp,
    /// Whether it is anything.
    pub has_output: bool,
    /// Whether that recorder lives.
    pub is_alive: bool,
}

/// The sessions found.
pub struct Listing<'a> {
    /// The folder of the sessions, resolved.
    sessions: PathBuf,
    states: TerminalStates,
    ids: Vec<TerminalId>,
    total: usize,
    broken: usize,
    unfrozen: &'a dyn Fn(&Path) -> Option<Unfrozen>,
}

impl<'a> Listing<'a> {
    /// Looks at all sessions of a codex home.
    ///
    /// # Errors
    /// [`FindError::Unlisted`].
    pub fn new(home: &CodexHome, options: &ListOptions<'a>) -> Result<Self, FindError> {
        let sessions = resolve(&home.sessions()).unwrap_or_else(|_| home.sessions());
        let mut listing = Self {
            sessions,
            states: TerminalStates::new(home),
            ids: Vec::new(),
            total: 0,
            broken: 0,
            unfrozen: options.unfrozen,
        };
        let limit = options.limit.unwrap_or(usize::MAX);
        // The least of those kept is on top, to go first.
        let mut kept = BinaryHeap::new();
        for id in session_names(home) {
            let id = id?;
            let Some(look) = listing.look(&id, options) else {
                continue;
            };
            listing.total += 1;
            listing.broken += usize::from(look.is_broken);
            kept.push(Reverse((look.key, id)));
            if kept.len() > limit {
                kept.pop();
            }
        }
        listing.ids = kept.into_sorted_vec().into_iter().map(|Reverse((_, id))| id).collect();
        Ok(listing)
    }

    /// What orders a session, none where it is not to be listed.
    fn look(&self, id: &TerminalId, options: &ListOptions<'_>) -> Option<Look> {
        let folder = self.sessions.join(id.as_str());
        let found = self.open(id, &folder)?;
        if let Some(wanted) = options.codex_session {
            let Found::Frozen(manifest) = &found else {
                return None;
            };
            let is_wanted =
                |block: Block<'_>| block.text("sessionId").is_some_and(|id| id.starts_with(wanted));
            if !manifest.blocks().any(is_wanted) {
                return None;
            }
        }
        let updated = found.updated();
        if let Some(since) = options.since
            && updated.or_else(|| row::changed(&folder)).is_none_or(|time| time < since)
        {
            return None;
        }
        let key = match options.sort {
            SortBy::Updated => Key::Time(updated),
            SortBy::Created => Key::Time(found.created()),
            SortBy::Size => Key::Size(row::size(&folder)),
        };
        Some(Look { key, is_broken: matches!(found, Found::Broken(_)) })
    }

    /// Reads a session, none where the name is no folder.
    fn open(&self, id: &TerminalId, folder: &Path) -> Option<Found> {
        match Manifest::read_in(&self.sessions, id).and_then(Manifest::with_blocks) {
            Ok(manifest) => Some(Found::Frozen(manifest)),
            Err(ManifestError { kind: ManifestErrorKind::Missing, .. }) if !folder.is_dir() => None,
            Err(error) => match (self.unfrozen)(folder) {
                Some(unfrozen) if matches!(error.kind, ManifestErrorKind::Missing) => {
                    Some(Found::Unfrozen(unfrozen))
                }
                // The folder is known, and who wants the path can join it.
                _ => Some(Found::Broken(error.kind.to_string())),
            },
        }
    }

    /// The ids, in order.
    pub fn ids(&self) -> &[TerminalId] {
        &self.ids
    }

    /// How many sessions there are beside the limit.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many of them cannot be read.
    pub fn broken(&self) -> usize {
        self.broken
    }

    /// What is to be shown of each session, read as it is asked for. Those that are gone by then
    /// are left out.
    pub fn rows(&self) -> impl Iterator<Item = SessionRow> + '_ {
        self.ids.iter().filter_map(|id| {
            let folder = self.sessions.join(id.as_str());
            let found = self.open(id, &folder)?;
            let unfrozen = match &found {
                Found::Unfrozen(unfrozen) => Some(*unfrozen),
                _ => (self.unfrozen)(&folder),
            };
            let has_unfrozen = unfrozen.is_some_and(|unfrozen| unfrozen.has_output);
            let typed = || self.states.first_command(id);
            Some(SessionRow::new(id.clone(), &folder, found, has_unfrozen, typed))
        })
    }
}

/// What one look at a session gives.
struct Look {
    key: Key,
    is_broken: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Time(Option<Timestamp>),
    Size(u64),
}

/// What is in a session's folder.
enum Found {
    /// A manifest.
    Frozen(Manifest),
    /// No manifest, but a journal.
    Unfrozen(Unfrozen),
    /// What cannot be read, and why.
    Broken(String),
}

impl Found {
    fn updated(&self) -> Option<Timestamp> {
        match self {
            Self::Frozen(manifest) => manifest.time("updatedAt"),
            Self::Unfrozen(unfrozen) => Some(unfrozen.time),
            Self::Broken(_) => None,
        }
    }

    fn created(&self) -> Option<Timestamp> {
        match self {
            Self::Frozen(manifest) => manifest.time("createdAt"),
            Self::Unfrozen(_) | Self::Broken(_) => None,
        }
    }
}
