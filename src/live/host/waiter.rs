//! Who waits, and for what.

use super::wait::Wait;

/// Somebody who waits.
pub(super) struct Waiter {
    /// Who; none for a task.
    pub(super) client: Option<u64>,
    pub(super) purpose: Purpose,
    pub(super) wait: Wait,
    /// The longest text of the answer in bytes.
    pub(super) most: usize,
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Send,
    Wait,
    Task(u64),
    TaskOutput(u64),
    /// A page of a job.
    Page,
    /// The end of a job.
    End,
}

impl Purpose {
    /// Whether who waits for this typed something.
    pub(super) fn is_send(self) -> bool {
        matches!(self, Self::Send | Self::Task(_))
    }
}
