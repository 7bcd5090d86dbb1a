//! `terminal_send`.

use serde::Serialize;

use super::unexpected;
use crate::live::wire::{Request, Sent, TaskStarted, Value, Waiting};
use crate::live::{Client, LiveError};

/// What to type.
#[derive(Clone, Debug)]
pub struct SendRequest {
    /// The text.
    pub text: String,
    /// Whether Enter follows.
    pub submit: bool,
    /// Whether to answer at once and to wait as a task.
    pub background: bool,
    /// How to wait and how much to answer.
    pub wait: Waiting,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum SendAnswer {
    /// What was shown.
    Foreground(Sent),
    /// The task that waits.
    Background(TaskStarted),
}

impl SendAnswer {
    /// What was shown, or which task waits.
    pub fn text(&self) -> String {
        match self {
            Self::Foreground(sent) => sent.text(),
            Self::Background(task) => task.text(),
        }
    }
}

/// Types, and waits for what comes of it.
///
/// # Errors
/// [`LiveError`].
pub fn send(client: &Client, id: &str, request: SendRequest) -> Result<SendAnswer, LiveError> {
    let SendRequest { text, submit, background, wait } = request;
    match client.ask(id, Request::Send { text, submit, background, wait })? {
        Value::Sent(sent) => Ok(SendAnswer::Foreground(sent)),
        Value::Task(task) => Ok(SendAnswer::Background(task)),
        _ => Err(unexpected()),
    }
}
