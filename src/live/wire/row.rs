//! How a terminal is.

use serde::{Deserialize, Serialize};

use crate::screen::Size;

/// A terminal in a list.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its id, which is that of its artifact.
    pub session_id: String,
    /// What its agent calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `shell` or `command`; `unknown` where its host does not answer.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of its program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Whether its program runs.
    pub status: Status,
    /// Where that program is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What is in its foreground, if that is not the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The size; none where its host does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeNow>,
}

impl Row {
    /// What is known of a terminal whose host does not answer.
    pub(in crate::live) fn unresponsive(session_id: String) -> Self {
        Self {
            session_id,
            name: None,
            kind: "unknown".to_owned(),
            pid: None,
            status: Status::Unresponsive,
            cwd: None,
            inside: None,
            size: None,
        }
    }
}

/// A size in cells.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct SizeNow {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl From<Size> for SizeNow {
    fn from(size: Size) -> Self {
        Self { cols: size.cols, rows: size.rows }
    }
}

/// Whether a program runs.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Status {
    /// It does.
    Running,
    /// It does not.
    Exited {
        /// Its exit code, if it ended by itself.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<String>,
    },
    /// Nobody knows: its host does not answer.
    Unresponsive,
}

impl Status {
    /// The exit code and the signal, as far as there are any yet.
    pub(in crate::live) fn end(&self) -> (Option<i32>, Option<String>) {
        match self {
            Self::Running | Self::Unresponsive => (None, None),
            Self::Exited { exit_code, signal } => (*exit_code, signal.clone()),
        }
    }
}
