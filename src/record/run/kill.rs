//! Having a program end that does not want to.

use std::time::{Duration, Instant};

use rustix::process::Signal;

/// How long the program gets to end by itself, before each harder signal.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the program gets, one after the other. A shell at its prompt ends at none but the first.
const SIGNALS: [Signal; 3] = [Signal::HUP, Signal::TERM, Signal::KILL];

/// The signal that ends us, and what it did so far.
pub(super) struct Kill {
    pub(super) signal: i32,
    steps: usize,
    pub(super) due: Instant,
}

impl Kill {
    /// Nothing was sent yet.
    pub(super) fn begin(signal: i32) -> Self {
        Self { signal, steps: 0, due: Instant::now() }
    }

    /// What is to be sent now, if it is time.
    pub(super) fn next(&mut self) -> Option<Signal> {
        let now = Instant::now();
        if self.due > now {
            return None;
        }
        let signal = SIGNALS[self.steps.min(SIGNALS.len() - 1)];
        self.steps += 1;
        self.due = now + PATIENCE;
        Some(signal)
    }

    /// Whether nothing was sent yet.
    pub(super) fn is_new(&self) -> bool {
        self.steps == 0
    }

    /// Whether the hardest signal was sent.
    pub(super) fn is_done(&self) -> bool {
        self.steps >= SIGNALS.len()
    }
}
