//! What a request comes to.

use crate::live::wire::{Answer, Code, Refusal, Value};

/// What a request comes to at once.
pub(super) enum Reply {
    Now(Box<Answer>),
    /// Later: the client waits.
    Later,
    /// It looks on.
    Watch {
        read_only: bool,
    },
}

pub(super) fn refuse(code: Code, message: impl Into<String>) -> Reply {
    Reply::Now(Box::new(Answer::Error(Refusal { code, message: message.into() })))
}

pub(super) fn done(value: Value) -> Reply {
    Reply::Now(Box::new(Answer::Done(value)))
}
