//! The word that a page arrived.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::hang_up::Watched;

/// How long a host may take to leave. It does so at once, unless somebody has stopped it.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a host waits for before it lets go of a page. Dropped without a word it says that the page
/// did not arrive: it is given again, to whoever asks next.
#[derive(Debug)]
#[must_use = "a page that is not confirmed is given again"]
pub struct Receipt {
    line: Option<(UnixStream, Watched)>,
    is_last: bool,
}

impl Receipt {
    /// For an answer over this connection; whether the host is about to leave.
    pub(super) fn over(stream: UnixStream, watched: Watched, is_last: bool) -> Self {
        Self { line: Some((stream, watched)), is_last }
    }

    /// For what is not a host's to give again.
    pub(super) fn of_nothing() -> Self {
        Self { line: None, is_last: false }
    }

    /// Says that the page has arrived. After the last one its host is gone by then.
    pub fn confirm(self) {
        let Some((mut stream, _watched)) = self.line else {
            return;
        };
        // A host that is gone has nothing to be told.
        if stream.write_all(b"\n").is_ok() && self.is_last {
            let waits = stream.set_read_timeout(Some(PATIENCE));
            waits.and_then(|()| stream.read(&mut [0])).map(drop).unwrap_or_default();
        }
    }
}
