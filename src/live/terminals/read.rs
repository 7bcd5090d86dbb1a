//! `terminal_read`.

use super::unexpected;
use crate::live::wire::{Lines, Request, Value};
use crate::live::{Client, LiveError};

/// At most `count` lines of the history: those before the newest `offset`, or those from line `from`
/// on, counted from the first one ever as 1.
///
/// # Errors
/// [`LiveError`].
pub fn read(
    client: &Client,
    id: &str,
    offset: u64,
    count: u64,
    from: Option<u64>,
) -> Result<Lines, LiveError> {
    match client.ask(id, Request::Read { offset, count, from })? {
        Value::Lines(lines) => Ok(lines),
        _ => Err(unexpected()),
    }
}
