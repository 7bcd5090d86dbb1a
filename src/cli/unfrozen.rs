//! Whether a session has what is in no block yet.

use std::path::Path;

use jiff::Timestamp;

use crate::record::find_journals;

/// When a recorder last wrote into a journal of the session in `folder`, none where there is none.
pub(super) fn unfrozen(folder: &Path) -> Option<Timestamp> {
    let newest = find_journals(folder).ok()?.pop()?;
    newest.path().metadata().ok()?.modified().ok()?.try_into().ok()
}
