//! What the two threads of a recording tell each other.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::time::Duration;

use rustix::process::Pid;

use super::marks::Mark;
use crate::artifact::AddedBlock;
use crate::screen::Size;

/// Messages under way.
pub(super) const MOST: usize = 16;

/// Output comes in pieces of at most this many bytes.
pub(super) const PIECE: usize = 256 * 1024;

/// To the thread that draws.
#[derive(Debug)]
pub(super) enum Message {
    /// The program printed this.
    Output {
        bytes: Vec<u8>,
        at: Duration,
        /// Who had the keyboard, so that an answer goes to nobody else.
        foreground: Option<Pid>,
    },
    /// This was typed, and it may be recorded.
    Input { bytes: Vec<u8>, at: Duration },
    /// The shell says where it is.
    Mark { mark: Mark, at: Duration },
    /// The terminal got this size.
    Resize { size: Size, at: Duration },
    /// Somebody wants a block now, and perhaps to know of it.
    Freeze { at: Duration, answer: Option<SyncSender<Frozen>> },
    /// The program ended with this code, or nobody looks after it any more.
    End { code: Option<i64>, at: Duration },
}

/// What became of the wish for a block.
#[derive(Debug)]
pub(crate) enum Frozen {
    /// It is there.
    Block(AddedBlock),
    /// Nothing was printed since the last one.
    Empty,
    /// It could not be written.
    Failed(String),
}

/// From that thread.
#[derive(Debug)]
pub(super) enum Feedback {
    /// An answer of the terminal to a program's query.
    Reply { bytes: Vec<u8>, foreground: Option<Pid> },
    /// Something that the person should know now; later if a full-screen program is on.
    Warning { text: String, is_full_screen: bool },
    /// Somebody outside wants a block of all that was printed until now.
    Freeze { answer: SyncSender<Frozen> },
}

/// The event loop's end of the messages to the recorder. Messages that do not fit wait in it.
pub(super) struct Outbox {
    sender: SyncSender<Message>,
    waiting: VecDeque<Message>,
    /// Whether the recorder is to wake us when there is room.
    wants_room: Arc<AtomicBool>,
}

impl Outbox {
    pub(super) fn new(sender: SyncSender<Message>, wants_room: Arc<AtomicBool>) -> Self {
        Self { sender, waiting: VecDeque::new(), wants_room }
    }

    /// Sends a message as soon as there is room.
    pub(super) fn send(&mut self, message: Message) {
        self.waiting.push_back(message);
        self.has_room();
    }

    /// Sends what waits; whether nothing is left.
    pub(super) fn has_room(&mut self) -> bool {
        while let Some(message) = self.waiting.pop_front() {
            let Err(TrySendError::Full(message)) = self.sender.try_send(message) else {
                // A recorder that is gone is noticed when it is joined.
                continue;
            };
            self.waiting.push_front(message);
            if self.wants_room.swap(true, Ordering::AcqRel) {
                return false;
            }
            // There may be room since: then nobody will wake us.
        }
        true
    }
}

/// The recorder's end of the messages to the event loop.
pub(super) struct Notifier {
    sender: Sender<Feedback>,
    spare: SyncSender<Vec<u8>>,
    wake: UnixStream,
    wants_room: Arc<AtomicBool>,
}

impl Notifier {
    pub(super) fn send(&self, feedback: Feedback) {
        // At the end nobody listens any more.
        if self.sender.send(feedback).is_ok() {
            self.wake();
        }
    }

    /// Gives back the memory of output.
    pub(super) fn give_back(&self, bytes: Vec<u8>) {
        if bytes.len() == PIECE {
            // What there is no room for is not needed.
            self.spare.try_send(bytes).unwrap_or_default();
        }
    }

    /// To be called when a message was taken.
    pub(super) fn made_room(&self) {
        if self.wants_room.swap(false, Ordering::AcqRel) {
            self.wake();
        }
    }

    fn wake(&self) {
        // Where the pipe is full, the other side is about to wake anyway.
        (&self.wake).write(&[0]).unwrap_or_default();
    }
}

/// The event loop's end of these.
pub(super) struct Inbox {
    receiver: Receiver<Feedback>,
    spare: Receiver<Vec<u8>>,
    wake: UnixStream,
    is_closed: bool,
}

impl Inbox {
    /// What came since the last call.
    pub(super) fn take(&mut self) -> Vec<Feedback> {
        let mut bytes = [0; 64];
        while !self.is_closed
            && let Ok(count) = self.wake.read(&mut bytes)
        {
            self.is_closed = count == 0;
        }
        std::iter::from_fn(|| self.receiver.try_recv().ok()).collect()
    }

    /// Room for a piece of output. In a flood the same memory goes round and round.
    pub(super) fn piece(&self) -> Vec<u8> {
        self.spare.try_recv().unwrap_or_else(|_| vec![0; PIECE])
    }

    /// Whether the recorder is gone and nothing more will come.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl AsFd for Inbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

/// Both ends of the way back.
pub(super) fn feedback(wants_room: Arc<AtomicBool>) -> io::Result<(Notifier, Inbox)> {
    let (sender, receiver) = channel();
    let (give_back, spare) = sync_channel(MOST);
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    theirs.set_nonblocking(true)?;
    let notifier = Notifier { sender, spare: give_back, wake: theirs, wants_room };
    Ok((notifier, Inbox { receiver, spare, wake: ours, is_closed: false }))
}
