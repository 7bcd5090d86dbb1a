//! The thread that draws what is printed and makes blocks of it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use super::message::{Feedback, Message, Notifier};
use super::recording::{Drawn, End, Recording};

/// Draws and freezes, until the program ends.
pub(super) struct Recorder {
    pub(super) recording: Recording,
    pub(super) every: Option<Duration>,
    pub(super) next_block: Option<Duration>,
    pub(super) notifier: Arc<Notifier>,
}

impl Recorder {
    /// Takes messages until the program has ended.
    pub(super) fn run(mut self, messages: &Receiver<Message>) -> Drawn {
        self.next_block = self.every;
        loop {
            match self.next(messages) {
                Ok(Message::End { code, at }) => return self.recording.finish(code, at),
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let now = self.recording.clock.now();
                    return self.recording.finish(None, now);
                }
            }
            self.notifier.made_room();
            self.work();
        }
    }

    /// The next message, or a timeout when there is something else to do.
    fn next(&mut self, messages: &Receiver<Message>) -> Result<Message, RecvTimeoutError> {
        match messages.try_recv() {
            Err(TryRecvError::Empty) => {}
            result => return result.map_err(|_| RecvTimeoutError::Disconnected),
        }
        let recording = &mut self.recording;
        recording.written.pause();
        let now = recording.clock.now();
        let next_block = self.next_block.map(|due| due.saturating_sub(now));
        match next_block.into_iter().chain(recording.written.due_in()).min() {
            Some(wait) => messages.recv_timeout(wait),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// What is due by the clock.
    fn work(&mut self) {
        let now = self.recording.clock.now();
        if let (Some(every), Some(due)) = (self.every, self.next_block)
            && due <= now
        {
            self.next_block = Some(now + every);
            if self.recording.has_output() {
                self.recording.freeze_or_complain(&End::Cut, now);
            }
        }
        self.recording.written.sync_if_due();
        let is_full_screen = self.recording.pending.is_full_screen();
        for text in self.recording.take_complaints() {
            self.notifier.send(Feedback::Warning { text, is_full_screen });
        }
    }

    fn take(&mut self, message: Message) {
        let recording = &mut self.recording;
        match message {
            Message::Output { bytes, at, foreground } => {
                let replies = recording.output(&bytes, at);
                self.notifier.give_back(bytes);
                if !replies.is_empty() {
                    self.notifier.send(Feedback::Reply { bytes: replies, foreground });
                }
            }
            Message::Input { bytes, at } => recording.written.input(&bytes, at),
            // The caller looks for it.
            Message::End { .. } => {}
            Message::Mark { mark, at } => recording.mark(mark, at),
            Message::Resize { size, at } => recording.resize(size, at),
            Message::Freeze { at, answer } => {
                let frozen = recording.freeze_or_complain(&End::Cut, at);
                if let Some(answer) = answer {
                    // Who asked may have gone.
                    answer.try_send(frozen).unwrap_or_default();
                }
            }
        }
    }
}
