//! What came of signals, freezes and ends.

use serde::{Deserialize, Serialize};

/// Who got a signal.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signalled {
    /// Always.
    pub delivered: bool,
    /// The process group.
    pub target_pgid: i32,
}

/// A block that was made.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Frozen {
    /// Its id; none where nothing was shown since the last one.
    pub block_id: Option<String>,
}

/// The end of a terminal.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// The terminal.
    pub session_id: String,
    /// Who ended it.
    pub outcome: CloseOutcome,
    /// Processes that could not be ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<i32>,
}

/// Who ended a terminal.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CloseOutcome {
    /// This request.
    Closed,
    /// Something before it.
    AlreadyClosing,
}
