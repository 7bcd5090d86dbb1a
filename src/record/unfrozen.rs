//! Whether a session has what is in no block yet.

use std::path::Path;

use super::{FoundJournal, find_journals};
use crate::inspect::Unfrozen;

/// What a journal of the session in `folder` says, none where there is none.
pub fn unfrozen(folder: &Path) -> Option<Unfrozen> {
    let journals = find_journals(folder).ok()?;
    let newest = journals.last()?;
    Some(Unfrozen {
        time: newest.path().metadata().ok()?.modified().ok()?.try_into().ok()?,
        has_output: journals.iter().any(FoundJournal::has_events),
        is_alive: journals.iter().any(|journal| journal.is_alive().unwrap_or(false)),
    })
}
