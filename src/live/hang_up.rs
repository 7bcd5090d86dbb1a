//! The end of waits, from outside.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ends what a [`Client`](super::Client) waits for. Only the wait ends: a host goes on with what it
/// was asked for, and tells nobody.
#[derive(Clone, Debug, Default)]
pub struct HangUp(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    is_over: bool,
    next: u64,
    open: Vec<(u64, UnixStream)>,
}

/// A connection that can be ended, as long as this is there.
#[derive(Debug)]
pub(super) struct Watched {
    hang_up: HangUp,
    number: u64,
}

impl HangUp {
    /// Ends all waits, those too that begin later.
    pub fn now(&self) {
        let mut lines = self.lines();
        lines.is_over = true;
        for (_, stream) in lines.open.drain(..) {
            // One that is closed already needs no end.
            stream.shutdown(Shutdown::Both).unwrap_or_default();
        }
    }

    /// Whether they were ended.
    pub fn is_over(&self) -> bool {
        self.lines().is_over
    }

    /// Has this connection end with the others.
    ///
    /// # Errors
    /// They were ended, or the system has no descriptor for it.
    pub(super) fn watch(&self, stream: &UnixStream) -> io::Result<Watched> {
        let stream = stream.try_clone()?;
        let mut lines = self.lines();
        if lines.is_over {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let number = lines.next;
        lines.next += 1;
        lines.open.push((number, stream));
        Ok(Watched { hang_up: self.clone(), number })
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        // Nothing is left half done where it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.hang_up.lines().open.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_watched_ends_and_what_is_not_goes_on() {
        let hang_up = HangUp::default();
        let (mut watched, _other) = UnixStream::pair().unwrap();
        let (dropped, mut dropped_other) = UnixStream::pair().unwrap();
        let _line = hang_up.watch(&watched).unwrap();
        drop(hang_up.watch(&dropped).unwrap());
        hang_up.now();
        assert_eq!(watched.read(&mut [0]).unwrap(), 0);
        dropped_other.set_nonblocking(true).unwrap();
        assert_eq!(dropped_other.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert!(hang_up.watch(&dropped).is_err() && hang_up.is_over());
    }
}
