//! Requests that type while a shell has yet to deal with an interrupt.

use super::state::Host;
use crate::live::wire::Request;

impl Host {
    /// Whether a request types something, so that it has to come after an interrupt.
    pub(super) fn comes_after(&self, request: &Request) -> bool {
        let types = match request {
            Request::Send { text, submit, .. } => *submit || !text.is_empty(),
            Request::Execute { typing, .. } => typing.types(),
            Request::Keys { .. } | Request::Paste { .. } | Request::Signal { .. } => true,
            _ => false,
        };
        types && (self.terminal.is_settling() || !self.deferred.is_empty())
    }

    /// Does what came meanwhile.
    pub(super) fn do_deferred(&mut self) {
        self.terminal.settle();
        while !self.terminal.is_settling() && !self.deferred.is_empty() {
            let (client, request) = self.deferred.remove(0);
            let reply = self.do_request(client, request);
            self.reply(client, reply);
        }
    }
}
