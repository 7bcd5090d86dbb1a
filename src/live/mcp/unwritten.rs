//! What is said and not written yet, for a client that reads slower than it asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// So many bytes, or messages, that no more is read before some of it is written.
const MOST_BYTES: usize = 8 << 20;
const MOST_MESSAGES: usize = 1000;

/// Counts what is not written. Clones count the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Unwritten(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    bytes: AtomicUsize,
    messages: AtomicUsize,
    less: Notify,
}

/// A message until it is written, or never will be.
#[derive(Debug)]
pub(super) struct Held {
    counts: Arc<Counts>,
    bytes: usize,
}

impl Unwritten {
    /// A message of so many bytes is about to be written.
    pub(super) fn hold(&self, bytes: usize) -> Held {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.0.messages.fetch_add(1, Ordering::Relaxed);
        Held { counts: Arc::clone(&self.0), bytes }
    }

    /// Waits until there is not too much of it. One at a time may wait.
    pub(super) async fn room(&self) {
        while self.0.bytes.load(Ordering::Relaxed) >= MOST_BYTES
            || self.0.messages.load(Ordering::Relaxed) >= MOST_MESSAGES
        {
            // It remembers what happened since it was asked last.
            self.0.less.notified().await;
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.counts.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.counts.messages.fetch_sub(1, Ordering::Relaxed);
        self.counts.less.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_again_once_something_was_written() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let unwritten = Unwritten::default();
            unwritten.room().await;
            let waits = |most: Vec<Held>| async {
                tokio::select! {
                    biased;
                    () = unwritten.room() => panic!("there is too much"),
                    () = tokio::task::yield_now() => drop(most),
                }
                unwritten.room().await;
            };
            waits(vec![unwritten.hold(MOST_BYTES)]).await;
            waits((0..MOST_MESSAGES).map(|_| unwritten.hold(1)).collect()).await;
        });
    }
}
