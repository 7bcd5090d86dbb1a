//! `task_output` and `task_kill`.

use serde_json::json;

use super::arguments::Arguments;
use super::call::Call;
use super::group::Group;
use super::tool::{Answer, Hints, ToolSpec, no_wait};
use super::tool_error::ToolError;
use crate::live::terminals::{self, MOST_BYTES};
use crate::live::wire::Waiting;

/// How long the end of a task is waited for, in milliseconds, unless another time is given.
const USUAL_WAIT: f64 = 30_000.0;
/// The longest that it is waited for.
const LONGEST_WAIT: f64 = 600_000.0;

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "task_output",
        group: Group::Terminal,
        title: "Read what is new of a background task",
        description: "What a background task of terminal_send has shown since it was last read, and \
                      how far it is. Waiting in vain is no error and leaves the task alone.",
        properties: || {
            json!({
                "task_id": {"type": "string"},
                "wait": {"type": "boolean", "description": "Wait for its end (default false)"},
                "timeout_ms": {
                    "type": "number",
                    "description": "Longest wait (default 30000, at most 600000)",
                },
            })
        },
        required: &["task_id"],
        hints: Hints::Reads,
        run: output,
        waits: |given| {
            let timeout = given.get("timeout_ms").and_then(serde_json::Value::as_f64);
            let waits = given.get("wait").and_then(serde_json::Value::as_bool).unwrap_or(false);
            waits.then(|| timeout.unwrap_or(USUAL_WAIT).clamp(0.0, LONGEST_WAIT))
        },
    },
    ToolSpec {
        name: "task_kill",
        group: Group::Terminal,
        title: "Interrupt a background task",
        description: "Interrupt what a background task of terminal_send runs (SIGINT). A program may \
                      take no notice; terminal_signal and terminal_close do more.",
        properties: || {
            json!({
                "task_id": {"type": "string"},
                "reason": {"type": "string", "description": "Why, for whoever reads the call"},
            })
        },
        required: &["task_id"],
        hints: Hints::Ends,
        run: kill,
        waits: no_wait,
    },
];

fn output(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (id, waits) = (given.required("task_id"), given.boolean("wait", false));
    let timeout = given.number("timeout_ms").unwrap_or(USUAL_WAIT);
    given.finish()?;
    if !timeout.is_finite() || timeout < 0.0 {
        return Err(ToolError::new("timeout_ms must be a non-negative finite number"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in between")]
    let timeout_ms = timeout.min(LONGEST_WAIT) as u64;
    let wait = Waiting { timeout_ms, max_bytes: MOST_BYTES };
    let reading = call.reads_task(&id);
    let output = terminals::task_output(call.client(), &id, waits, wait)?;
    reading.saw(&output.status);
    Answer::new(&output, &output.text())
}

fn kill(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let id = given.required("task_id");
    let _reason = given.string("reason");
    given.finish()?;
    let reading = call.reads_task(&id);
    let killed = terminals::task_kill(call.client(), &id)?;
    reading.saw_end();
    Answer::new(&killed, &killed.text())
}
