//! How long a host that is well takes to answer.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::wire::{JobRequest, Request};

/// How long a host may take to be spoken to, and for what it answers at once, from one piece of an
/// answer to the next.
pub(super) const SOON: Duration = Duration::from_secs(10);

/// How long more where a host ends what runs, or waits for a lock.
const ENDING: Duration = Duration::from_secs(10);
const LOCKED: Duration = Duration::from_secs(10);
/// Times from here on need no bound.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// The longest that a host that is well takes for this; none where it may take any time.
pub(super) fn patience(request: &Request) -> Option<Duration> {
    let waits = match request {
        Request::Job(JobRequest::Wait) => return None,
        Request::Send { background: true, .. } | Request::Output { wait_for_end: false, .. } => 0,
        Request::Started { wait }
        | Request::Send { wait, .. }
        | Request::Keys { wait, .. }
        | Request::Paste { wait, .. }
        | Request::Execute { wait, .. }
        | Request::Wait { wait, .. }
        | Request::Restart { wait }
        | Request::Output { wait, .. }
        | Request::TaskEnd { wait, .. }
        | Request::Job(JobRequest::First { wait } | JobRequest::Write { wait, .. }) => {
            wait.timeout_ms
        }
        _ => 0,
    };
    let works = match request {
        // All that runs in it gets time to end.
        Request::Close | Request::Restart { .. } => ENDING,
        // Others may write to the session of an agent's jobs.
        Request::Job(_) => LOCKED,
        _ => Duration::ZERO,
    };
    let most = Duration::from_millis(waits) + works + SOON;
    Some(most).filter(|most| *most < FOREVER)
}

/// Bounds how long each of what is said and heard may take.
pub(super) fn bound(stream: &UnixStream, most: Option<Duration>) -> io::Result<()> {
    stream.set_read_timeout(most)?;
    stream.set_write_timeout(Some(SOON))
}
