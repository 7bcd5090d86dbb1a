//! The time of a recording.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use crate::artifact::clock::format_time;

/// When a recording began, on both clocks: one that can be read, one that never jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Timestamp,
    begun: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { started: Timestamp::now(), begun: Instant::now() }
    }

    pub(crate) fn started(&self) -> Timestamp {
        self.started
    }

    /// Time since the start.
    pub(crate) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// A time since the start as artifacts have it.
    pub(crate) fn format(&self, since: Duration) -> Option<String> {
        let since = SignedDuration::try_from(since).ok()?;
        self.started.checked_add(since).ok().map(format_time)
    }
}
