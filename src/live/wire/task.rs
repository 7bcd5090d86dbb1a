//! Waits in the background.

use serde::{Deserialize, Serialize};

use super::{Shown, Status, WaitReason};

/// A task that waits for the end of a send.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// Its id.
    pub task_id: String,
}

/// What a task said.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskOutput {
    /// The task.
    pub task_id: String,
    /// What is new.
    #[serde(flatten)]
    pub shown: Shown,
    /// What is beside all that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How far it is.
    pub status: TaskStatus,
}

/// How far a task is.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TaskStatus {
    /// It waits.
    Running,
    /// Its wait is over.
    Completed {
        /// Why.
        wait_reason: WaitReason,
        /// The exit code of the command.
        exit_code: Option<i64>,
        /// Whether the program in the terminal runs.
        session_status: Status,
    },
    /// Its wait is over after it was told to end.
    Killed {
        /// Why.
        wait_reason: WaitReason,
        /// Whether the program in the terminal runs.
        session_status: Status,
    },
}

/// What became of the wish to end a task.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskKilled {
    /// The task.
    pub task_id: String,
    /// What it was.
    pub status: TaskStatus,
    /// Whether it was over already.
    pub already_finished: bool,
}

/// A task in a list.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    /// Its id.
    pub task_id: String,
    /// The terminal and what was typed.
    pub label: String,
    /// How far it is.
    pub status: TaskStatus,
}
