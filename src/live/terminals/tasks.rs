//! `task_output` and `task_kill`.

use serde::Serialize;

use super::unexpected;
use crate::live::wire::{Code, Refusal, Request, TaskKilled, TaskOutput, TaskRow, Value, Waiting};
use crate::live::{Client, LiveError, parse_task_id};

/// The terminal of a task.
fn terminal(task: &str) -> Result<&str, LiveError> {
    if task.is_empty() {
        return Err(LiveError::invalid("invalid task_id: expected a non-empty string, got \"\""));
    }
    parse_task_id(task).map(|(id, _)| id).ok_or_else(|| unknown(task))
}

fn unknown(task: &str) -> LiveError {
    LiveError::Refused(Refusal { code: Code::NoTask, message: format!("unknown task {task}") })
}

fn ask(client: &Client, task: &str, request: Request) -> Result<Value, LiveError> {
    // A terminal that is not there has no tasks either.
    client.ask(terminal(task)?, request).map_err(|error| match error.code() {
        Some(Code::NoSession | Code::Closed) => unknown(task),
        _ => error,
    })
}

/// What is new of a task, perhaps after its end.
///
/// # Errors
/// [`LiveError`].
pub fn task_output(
    client: &Client,
    task: &str,
    wait_for_end: bool,
    wait: Waiting,
) -> Result<TaskOutput, LiveError> {
    let request = Request::Output { task: task.to_owned(), wait_for_end, wait };
    match ask(client, task, request)? {
        Value::Output(output) => Ok(output),
        _ => Err(unexpected()),
    }
}

/// Waits for the end of a task and takes nothing of what it has to say; where it stands then.
///
/// # Errors
/// [`LiveError`].
pub fn task_end(client: &Client, task: &str, timeout_ms: u64) -> Result<TaskRow, LiveError> {
    let wait = Waiting { timeout_ms, max_bytes: 0 };
    match ask(client, task, Request::TaskEnd { task: task.to_owned(), wait })? {
        Value::Tasks(mut rows) => rows.pop().ok_or_else(|| unknown(task)),
        _ => Err(unexpected()),
    }
}

/// Interrupts a task.
///
/// # Errors
/// [`LiveError`].
pub fn task_kill(client: &Client, task: &str) -> Result<TaskKilled, LiveError> {
    match ask(client, task, Request::Kill { task: task.to_owned() })? {
        Value::Killed(killed) => Ok(killed),
        _ => Err(unexpected()),
    }
}

/// Tasks.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct TaskList(pub Vec<TaskRow>);

impl TaskList {
    /// A line for each.
    pub fn text(&self) -> String {
        match self.0.is_empty() {
            true => "(no background tasks)\n".to_owned(),
            false => self.0.iter().map(TaskRow::text).collect(),
        }
    }
}

/// The agent's tasks, and the terminals whose hosts do not answer.
///
/// # Errors
/// [`LiveError::Runtime`].
pub fn task_list(client: &Client) -> Result<(TaskList, Vec<String>), LiveError> {
    let (tasks, silent) = client.tasks()?;
    Ok((TaskList(tasks), silent))
}
