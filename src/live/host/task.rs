//! Sends that wait while nobody waits for them.

use super::wait::Over;
use crate::live::wire::{Status, TaskStatus};
use crate::text;

/// A task, as long as its terminal lives.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) number: u64,
    pub(super) label: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) is_killed: bool,
}

/// How it ended.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) over: Over,
    pub(super) exit_code: Option<i64>,
    pub(super) status: Status,
}

/// Most code points of what was typed in a label.
const LONGEST_LABEL: usize = 60;

impl Task {
    pub(super) fn new(number: u64, terminal: &str, typed: &str) -> Self {
        let line = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = text::prefix(&line, LONGEST_LABEL);
        let line = if start.len() < line.len() {
            format!("{start}…")
        } else if line.is_empty() {
            "(input)".to_owned()
        } else {
            line
        };
        Self { number, label: format!("{terminal}: {line}"), outcome: None, is_killed: false }
    }

    /// Its id, by which its terminal is found as well.
    pub(super) fn id(&self, terminal: &str) -> String {
        task_id(terminal, self.number)
    }

    pub(super) fn status(&self) -> TaskStatus {
        match (&self.outcome, self.is_killed) {
            (None, _) => TaskStatus::Running,
            (Some(outcome), true) => TaskStatus::Killed {
                wait_reason: outcome.over.reason,
                session_status: outcome.status.clone(),
            },
            (Some(outcome), false) => TaskStatus::Completed {
                wait_reason: outcome.over.reason,
                exit_code: outcome.exit_code,
                session_status: outcome.status.clone(),
            },
        }
    }
}

const SEPARATOR: &str = "-send-";

fn task_id(terminal: &str, number: u64) -> String {
    format!("{terminal}{SEPARATOR}{number}")
}

/// The terminal and the number in a task's id.
pub fn parse_task_id(id: &str) -> Option<(&str, u64)> {
    let (terminal, number) = id.rsplit_once(SEPARATOR)?;
    let number: u64 = number.parse().ok()?;
    (!terminal.is_empty() && task_id(terminal, number) == id).then_some((terminal, number))
}
