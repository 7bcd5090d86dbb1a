//! `terminal_signal`, `terminal_close` and `terminal_list`.

use serde::Serialize;

use super::unexpected;
use crate::live::wire::{Closed, Request, Row, Signalled, Value};
use crate::live::{Client, LiveError};

/// A signal, and who got it.
#[derive(Clone, Debug, Serialize)]
pub struct SignalSent {
    #[serde(flatten)]
    sent: Signalled,
    #[serde(skip)]
    signal: String,
}

impl SignalSent {
    /// Who got which one.
    pub fn text(&self) -> String {
        let Self { sent, signal } = self;
        format!("delivered {signal} to foreground process group {}\n", sent.target_pgid)
    }
}

/// Signals the foreground process group.
///
/// # Errors
/// [`LiveError`].
pub fn signal(client: &Client, id: &str, signal: &str) -> Result<SignalSent, LiveError> {
    match client.ask(id, Request::Signal { signal: signal.to_owned() })? {
        Value::Signalled(sent) => Ok(SignalSent { sent, signal: signal.to_owned() }),
        _ => Err(unexpected()),
    }
}

/// Ends a terminal and all that runs in it.
///
/// # Errors
/// [`LiveError`].
pub fn close(client: &Client, id: &str) -> Result<Closed, LiveError> {
    match client.ask(id, Request::Close)? {
        Value::Closed(closed) => Ok(closed),
        _ => Err(unexpected()),
    }
}

/// Terminals.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct TerminalList(pub Vec<Row>);

impl TerminalList {
    /// A line for each.
    pub fn text(&self) -> String {
        match self.0.is_empty() {
            true => "(no terminal sessions)\n".to_owned(),
            false => self.0.iter().map(Row::text).collect(),
        }
    }
}

/// The agent's terminals.
///
/// # Errors
/// [`LiveError::Runtime`].
pub fn list(client: &Client) -> Result<TerminalList, LiveError> {
    client.list().map(TerminalList)
}
