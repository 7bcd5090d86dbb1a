//! A job: how far its output was read.

use super::pages_told::PagesTold;

/// How far a job is.
#[derive(Debug, Default)]
pub(super) struct Job {
    /// Pages that were given.
    pub(super) sequence: u64,
    /// Whether whoever started it was told its id.
    pub(super) is_promoted: bool,
    pub(super) is_killed: bool,
    /// Whether a page told its end.
    pub(super) is_told: bool,
    /// Whether all of it was collected, so that its name is gone.
    pub(super) has_left: bool,
    pub(super) pages: PagesTold,
}
