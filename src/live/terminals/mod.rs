//! What the `terminal_*` and `task_*` tools do, as plain functions that wait.
//!
//! The command line and the MCP server call these; neither has rules of its own. Each takes the
//! agent's [`Client`](super::Client) and gives a value that is an answer's JSON, and whose `text`
//! is what people and models read.
//!
//! - `open`, `send`, `read`, `manage`: the six tools of a terminal.
//! - `tasks`: sends that wait in the background.
//! - `render`: answers as text.

mod manage;
mod open;
mod read;
mod render;
mod send;
mod tasks;

pub use super::usual::{IDLE_TIMEOUT, RETAIN, USUAL_SIZE};
pub use manage::{SignalSent, TerminalList, close, list, signal};
pub use open::{OpenRequest, Opened, open};
pub use read::read;
pub use render::{cannot_end, task_status};
pub use send::{SendAnswer, SendRequest, send};
pub use tasks::{TaskList, task_end, task_kill, task_list, task_output};

use super::LiveError;

/// Longest text of an answer in bytes, as the six tools have it.
pub const MOST_BYTES: usize = 256 << 10;

/// Longest wait of a send in milliseconds, unless another one is wanted.
pub const USUAL_WAIT_MS: u64 = 30_000;

/// The answer that was not the one to the question.
fn unexpected() -> LiveError {
    LiveError::OtherVersion
}
