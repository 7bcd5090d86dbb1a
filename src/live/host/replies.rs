//! Answers to what programs ask their terminal.
//!
//! A program that asks and ends, or that never reads, leaves the answer to whoever reads next: a
//! shell, which takes it for keys. So an answer is given when somebody waits for input, and to
//! nobody but the group that asked.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::pty::{Doing, LineMode, Pty, foreground, foreground_group};

/// A program that takes keys as they come and looks for its answer now and then does not seem to
/// wait; it gets it after this.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often to look, at first and after that.
const LOOK: Duration = Duration::from_millis(2);
const LATER_LOOK: Duration = Duration::from_millis(50);

/// Answers that nobody waits for yet.
#[derive(Debug, Default)]
pub(super) struct Replies {
    pending: Option<Pending>,
}

#[derive(Debug)]
struct Pending {
    bytes: Vec<u8>,
    asker: Pid,
    since: Instant,
    due: Instant,
}

impl Replies {
    /// What was asked just now is answered with this.
    pub(super) fn add(&mut self, bytes: &[u8], pty: &Pty) {
        let Some(asker) = foreground_group(pty).filter(|_| !bytes.is_empty()) else {
            return;
        };
        let now = Instant::now();
        match &mut self.pending {
            Some(pending) if pending.asker == asker => pending.bytes.extend_from_slice(bytes),
            pending => {
                *pending = Some(Pending { bytes: bytes.to_vec(), asker, since: now, due: now });
            }
        }
    }

    /// Nobody is there any more who asked.
    pub(super) fn drop_all(&mut self) {
        self.pending = None;
    }

    /// When to look again.
    pub(super) fn due(&self) -> Option<Instant> {
        self.pending.as_ref().map(|pending| pending.due)
    }

    /// The answers, once they are waited for.
    pub(super) fn take_wanted(&mut self, pty: &Pty) -> Option<Vec<u8>> {
        let now = Instant::now();
        let pending = self.pending.as_mut().filter(|pending| pending.due <= now)?;
        let is_late = now.duration_since(pending.since) >= PATIENCE;
        pending.due = now + if is_late { LATER_LOOK } else { LOOK };
        let seen = foreground(pty);
        if seen.group != Some(pending.asker) {
            self.pending = None;
            return None;
        }
        let waits = matches!(seen.doing, Doing::Reading | Doing::Polling);
        // Who asks and takes whole lines only is not going to read it.
        let takes_keys = LineMode::of(pty).is_some_and(|mode| !mode.canonical);
        // It may say that who asked is done, and then another one waits.
        if pty.has_output() {
            return None;
        }
        ((is_late && takes_keys) || waits)
            .then(|| self.pending.take().map(|pending| pending.bytes))
            .flatten()
    }
}
