//! How long silence has to be to mean something.

use std::time::Duration;

/// Silence that is taken for a pause of whoever printed.
pub(super) const IDLE: Duration = Duration::from_secs(3);
/// Silence with a program blocked in a read of the terminal.
pub(super) const READ_PAUSE: Duration = Duration::from_millis(60);
/// Silence with a program that waits for several things.
pub(super) const POLL_PAUSE: Duration = Duration::from_millis(150);
/// Silence of a shell that said nothing to a line: it wants more of it.
pub(super) const MORE_PAUSE: Duration = Duration::from_millis(300);
