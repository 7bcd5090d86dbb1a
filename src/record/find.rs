//! Finding what is being recorded.

use super::journal::{FoundJournal, find_journals};
use crate::artifact::{FindError, find_session, recorded_ids};
use crate::home::{CodexHome, TerminalId};

/// The terminal that `name` means where one is asked for that is being recorded: an exact id, a
/// unique prefix, or `latest`, the one whose recorder began last; of dead ones only where none lives.
///
/// # Errors
/// [`FindError`].
pub fn find_recording(home: &CodexHome, name: &str) -> Result<TerminalId, FindError> {
    let id = TerminalId::new(name)?;
    if id.as_str() == "latest"
        && !home.session(&id).exists()
        && let Some(id) = latest_recording(home)?
    {
        return Ok(id);
    }
    find_session(home, name)
}

/// The terminal whose recording began last, one that goes on before one that does not.
///
/// # Errors
/// [`FindError::Unlisted`].
pub fn latest_recording(home: &CodexHome) -> Result<Option<TerminalId>, FindError> {
    let age = |id: TerminalId| {
        // A journal that cannot be looked at is no reason to find none.
        let journals = find_journals(&home.session(&id)).unwrap_or_default();
        let ages = journals.iter().map(|journal| (is_alive(journal), journal.start()));
        ages.max().map(|age| (age, id))
    };
    Ok(recorded_ids(home)?.into_iter().filter_map(age).max().map(|(_, id)| id))
}

/// Whether somebody records this terminal now; none where nobody does and nobody left a journal.
pub fn is_recorded(home: &CodexHome, terminal: &TerminalId) -> Option<bool> {
    let journals = find_journals(&home.session(terminal)).unwrap_or_default();
    journals.iter().map(is_alive).max()
}

fn is_alive(journal: &FoundJournal) -> bool {
    journal.is_alive().unwrap_or(false)
}
