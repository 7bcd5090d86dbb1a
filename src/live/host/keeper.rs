//! The process that a terminal ends with, where there is one.

use std::os::fd::OwnedFd;

use rustix::process::Pid;

use super::config::HostConfig;
use crate::pty::{Ended, process};

/// What is known of it.
pub(super) enum Keeper {
    /// There is none, or the system does not tell of its end.
    Unknown,
    /// It lives; its end makes this readable.
    Lives(OwnedFd),
    /// It has ended.
    Gone,
}

impl Keeper {
    pub(super) fn of(config: &HostConfig) -> Self {
        let Some((pid, started)) = config.keeper else {
            return Self::Unknown;
        };
        // What is not to be seen here is not to be seen where the system lists no processes, too.
        let known = Pid::from_raw(pid).and_then(process);
        let known = known.filter(|process| process.started == started);
        match known.map(|process| process.end()) {
            Some(Ok(Some(end))) => Self::Lives(end),
            Some(Ok(None)) => Self::Unknown,
            Some(Err(Ended)) | None => Self::Gone,
        }
    }

    /// What to wait for.
    pub(super) fn end(&self) -> Option<&OwnedFd> {
        match self {
            Self::Lives(end) => Some(end),
            Self::Unknown | Self::Gone => None,
        }
    }
}
