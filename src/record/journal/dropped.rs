//! Output that a journal does not hold any more.

use std::ops::{Add, AddAssign};

/// Events and the bytes of output in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Whole events.
    pub events: u64,
    /// Bytes as programs wrote them.
    pub bytes: u64,
}

impl Dropped {
    /// One event of output.
    pub(super) fn one(bytes: usize) -> Self {
        Self { events: 1, bytes: u64::try_from(bytes).unwrap_or(u64::MAX) }
    }

    /// Whether it is nothing.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

impl Add for Dropped {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            events: self.events.saturating_add(other.events),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

impl AddAssign for Dropped {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
