//! Whether a session has what is in no block yet.

use std::path::Path;

use crate::inspect::Unfrozen;
use crate::record::{FoundJournal, find_journals};

/// What a journal of the session in `folder` says, none where there is none.
pub(super) fn unfrozen(folder: &Path) -> Option<Unfrozen> {
    let journals = find_journals(folder).ok()?;
    let newest = journals.last()?;
    Some(Unfrozen {
        time: newest.path().metadata().ok()?.modified().ok()?.try_into().ok()?,
        has_output: journals.iter().any(FoundJournal::has_events),
        is_alive: journals.iter().any(|journal| journal.is_alive().unwrap_or(false)),
    })
}
