//! What a client asks of a terminal's host, and what it answers.
//!
//! One request and one answer for each connection, a line of JSON each. The values of the answers
//! are those that `--json` prints and that tools return.
//!
//! - `request`: what is asked; `answer`: what is answered, or why not.
//! - `row`: how a terminal is; `sent`: what it showed; `executed`: the same with where that is.
//! - `history`: lines and the screen; `control`: signals, freezes and ends; `task`: waits in the
//!   background; `job`: one command whose output is read page by page.

mod answer;
mod control;
mod executed;
mod history;
mod job;
mod request;
mod row;
mod sent;
mod task;

pub use answer::{Answer, Code, Refusal, Value};
pub use control::{CloseOutcome, Closed, Frozen, Signalled};
pub use executed::{Executed, Part, Previous, Region};
pub use history::{Lines, ScreenNow};
pub(in crate::live) use job::JobTombstone;
pub use job::{Extent, JobAnswer, JobRequest, JobState, Page, PageRest};
pub use request::{Request, Typing, Until, Waiting, Words};
pub use row::{Row, SizeNow, Status};
pub use sent::{Omitted, Sent, Shown, WaitReason};
pub use task::{TaskKilled, TaskOutput, TaskRow, TaskStarted, TaskStatus};

use serde::{Deserialize, Serialize};

/// Longest text that is typed at once, in bytes.
pub const LONGEST_TEXT: usize = 4 << 20;

/// What is said of text that is longer.
pub(crate) fn too_long() -> String {
    format!("at most {LONGEST_TEXT} bytes are typed at once")
}

/// Longest request, in bytes. JSON has six for a control character.
pub const LONGEST_REQUEST: usize = 6 * LONGEST_TEXT + (1 << 20);

/// A request, with the secret of the agent that makes it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The agent's secret; none where the user asks as the operator.
    pub agent: Option<String>,
    /// What is asked.
    pub request: Request,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(in crate::live) fn is_zero(count: &u64) -> bool {
    *count == 0
}
