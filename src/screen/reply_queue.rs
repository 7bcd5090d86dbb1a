//! Answers to queries that wait for the owner.

/// Most bytes of answers that are kept unread. Those that do not fit are dropped, each as a whole.
pub(crate) const MOST_REPLIES: usize = 64 * 1024;

/// Answers that nobody has taken yet, if anybody asked for them.
#[derive(Clone, Default, Debug)]
pub(super) struct Replies {
    wanted: bool,
    bytes: Vec<u8>,
}

impl Replies {
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    pub(super) fn push(&mut self, reply: &str) {
        if self.wanted && self.bytes.len() + reply.len() <= MOST_REPLIES {
            self.bytes.extend_from_slice(reply.as_bytes());
        }
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
