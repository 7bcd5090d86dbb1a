//! The times of a journal's events.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

/// Milliseconds since the recording began.
#[derive(Debug)]
pub(super) struct Clock {
    began: Instant,
    started: Timestamp,
    /// The time of the last event, or of the start of its segment.
    last: u64,
}

impl Clock {
    pub(super) fn start(started: Timestamp) -> Self {
        Self { began: Instant::now(), started, last: 0 }
    }

    pub(super) fn now(&self) -> u64 {
        milliseconds(self.began.elapsed())
    }

    /// How long ago something was.
    pub(super) fn since(&self, then: u64) -> Duration {
        Duration::from_millis(self.now().saturating_sub(then))
    }

    pub(super) fn timestamp(&self, at: u64) -> Timestamp {
        let since = SignedDuration::from_millis(i64::try_from(at).unwrap_or(i64::MAX));
        self.started.checked_add(since).unwrap_or(self.started)
    }

    /// The interval between the last event and one at this time, as it is written. Intervals are
    /// differences of whole milliseconds, so their sum does not drift.
    pub(super) fn interval(&self, at: u64) -> String {
        let interval = at.saturating_sub(self.last);
        format!("{}.{:03}", interval / 1000, interval % 1000)
    }

    /// The last event was at this time, unless it was later.
    pub(super) fn advance(&mut self, at: u64) {
        self.last = self.last.max(at);
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
