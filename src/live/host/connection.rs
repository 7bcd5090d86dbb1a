//! One client of a host.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use serde::Serialize;

use super::pages_told::Fate;
use crate::live::wire::{Answer, LONGEST_REQUEST};

/// Output that a client which looks on may leave unread.
const MOST_UNREAD: usize = 8 << 20;

/// How long a client may take to ask.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client, from its request to the last byte of its answer.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u64,
    stream: UnixStream,
    received: Vec<u8>,
    to_send: Vec<u8>,
    /// Bytes at the beginning of that which do not count as unread output.
    history: usize,
    pub(super) stage: Stage,
    /// Whether it has said that it has nothing more to say.
    has_ended: bool,
    /// Whether it says when it is done with its answer.
    confirms: bool,
    /// Whether all of its answer was written, and it said that it is done with it if it is to.
    is_told: bool,
    came: Instant,
}

/// How far a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its request is not complete.
    Asking,
    /// It waits for its answer.
    Waiting,
    /// It gets its answer.
    Answered,
    /// It has its answer, and is to say when it is done with that.
    Confirming,
    /// It looks on; whether it may type.
    Watching {
        /// Whether it may not.
        read_only: bool,
    },
    /// It is gone.
    Gone,
}

impl Connection {
    pub(super) fn new(number: u64, stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            number,
            stream,
            received: Vec::new(),
            to_send: Vec::new(),
            history: 0,
            stage: Stage::Asking,
            has_ended: false,
            confirms: false,
            is_told: false,
            came: Instant::now(),
        })
    }

    /// When a client that asks nothing has been here for too long.
    pub(super) fn due(&self) -> Option<Instant> {
        (self.stage == Stage::Asking).then(|| self.came + PATIENCE)
    }

    pub(super) fn has_to_send(&self) -> bool {
        !self.to_send.is_empty()
    }

    /// What became of its answer.
    pub(super) fn fate(&self) -> Fate {
        match self.stage {
            _ if self.is_told => Fate::Confirmed,
            Stage::Gone => Fate::Lost,
            _ => Fate::Going,
        }
    }

    /// What to look for.
    pub(super) fn events(&self) -> PollFlags {
        let mut flags = PollFlags::empty();
        // An end is there for ever. That nobody is left is said unasked.
        flags.set(PollFlags::IN, !self.has_ended);
        flags.set(PollFlags::OUT, self.has_to_send());
        flags
    }

    /// Reads what is there, after these events. While it waits a client says nothing, so all that
    /// can come is its end.
    pub(super) fn read(&mut self, events: PollFlags) {
        let stage = self.stage;
        self.receive(events);
        if stage == Stage::Confirming && !self.received.is_empty() {
            // Whatever it says.
            self.is_told = true;
            self.stage = Stage::Gone;
        }
    }

    fn receive(&mut self, events: PollFlags) {
        let mut buffer = [0; 16 * 1024];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => {
                    self.has_ended = true;
                    // Who asked and says no more may still listen.
                    let is_waiting = match self.stage {
                        Stage::Asking => memchr::memchr(b'\n', &self.received).is_some(),
                        Stage::Waiting | Stage::Answered => !events.contains(PollFlags::HUP),
                        Stage::Confirming | Stage::Watching { .. } | Stage::Gone => false,
                    };
                    if !is_waiting {
                        self.stage = Stage::Gone;
                    }
                    return;
                }
                Ok(count) => self.received.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.stage = Stage::Gone;
                    return;
                }
            }
            if self.received.len() > LONGEST_REQUEST {
                self.stage = Stage::Gone;
                return;
            }
        }
    }

    /// The request, once all of it is there.
    pub(super) fn take_request(&mut self) -> Option<Vec<u8>> {
        let end = memchr::memchr(b'\n', &self.received)?;
        let rest = self.received.split_off(end + 1);
        Some(std::mem::replace(&mut self.received, rest))
    }

    /// What a client that looks on sent.
    pub(super) fn take_received(&mut self) -> &mut Vec<u8> {
        &mut self.received
    }

    /// Answers.
    pub(super) fn answer(&mut self, answer: &Answer) {
        self.send_line(answer);
        if !matches!(self.stage, Stage::Gone) {
            self.stage = Stage::Answered;
        }
    }

    /// Answers a client that says when it is done with the answer.
    pub(super) fn answer_until_confirmed(&mut self, answer: &Answer) {
        self.confirms = true;
        self.answer(answer);
    }

    /// Says something and goes on.
    pub(super) fn send_line(&mut self, line: &impl Serialize) {
        if let Ok(line) = serde_json::to_vec(line) {
            self.send(&line);
            self.send(b"\n");
        }
    }

    /// Sends what was shown before the client looked on. It is sent once, however much it is.
    pub(super) fn send_history(&mut self, bytes: &[u8]) {
        self.to_send.extend_from_slice(bytes);
        self.history = self.to_send.len();
    }

    /// Sends bytes. A client that does not read them is gone.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.to_send.extend_from_slice(bytes);
        let unread = self.to_send.len() - self.history;
        if matches!(self.stage, Stage::Watching { .. }) && unread > MOST_UNREAD {
            self.stage = Stage::Gone;
        }
    }

    /// Writes as much as the client takes.
    pub(super) fn write(&mut self) {
        while !self.to_send.is_empty() {
            match self.stream.write(&self.to_send) {
                Ok(count) => {
                    self.to_send.drain(..count);
                    self.history = self.history.saturating_sub(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // What it typed before it left is still to be read.
                Err(_) if matches!(self.stage, Stage::Watching { .. }) => {
                    self.to_send.clear();
                    self.history = 0;
                }
                Err(_) => {
                    self.stage = Stage::Gone;
                    return;
                }
            }
        }
        if self.stage == Stage::Answered {
            // One that has said its last word will not say so.
            let waits = self.confirms && !self.has_ended;
            self.is_told = !self.confirms;
            self.stage = if waits { Stage::Confirming } else { Stage::Gone };
        }
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
