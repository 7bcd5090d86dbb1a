//! Answers to queries.

use super::params::Params;
use super::terminal::Terminal;

/// Most bytes of answers that are kept unread.
const MOST: usize = 1 << 20;

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
        if self.wanted && self.bytes.len() + reply.len() <= MOST {
            self.bytes.extend_from_slice(reply.as_bytes());
        }
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

impl Terminal {
    pub(super) fn report_status(&mut self, _what: u32, _private: bool) {}
    pub(super) fn report_mode(&mut self, _mode: u32, _private: bool) {}
    pub(super) fn report_window(&mut self, _params: &Params) {}
    pub(super) fn report_version(&mut self) {}
    pub(super) fn report_setting(&mut self, _data: &str) {}
    pub(super) fn report_palette(&mut self, _data: &str) {}
    pub(super) fn report_colors(&mut self, _code: u32, _data: &str) {}
    pub(super) fn set_protected(&mut self, what: u32) {
        use super::style::Attributes;
        match what {
            1 => self.pen.attributes |= Attributes::PROTECTED,
            0 | 2 => self.pen.attributes = self.pen.attributes.without(Attributes::PROTECTED),
            _ => {}
        }
    }
}
