//! What a terminal showed, and why a wait is over.

use serde::{Deserialize, Serialize};

use super::{Status, is_zero};

/// Why a wait is over.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// The shell said that it is at its prompt.
    Prompt,
    /// A program was seen to wait for input.
    StdinRead,
    /// Nothing was printed for a while; whether anything ended is not known.
    InferredIdle,
    /// The time is over; whether anything ended is not known.
    Timeout,
    /// The program in the terminal ended.
    SessionExit,
    /// What was waited for is there: text, another screen, silence.
    Met,
}

/// What was shown since the last answer, and why the wait is over.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sent {
    /// The terminal.
    pub session_id: String,
    /// The text.
    #[serde(flatten)]
    pub shown: Shown,
    /// Why the wait is over.
    pub wait_reason: WaitReason,
    /// Whether the program in the terminal runs.
    pub session_status: Status,
    /// The exit code of the command, where the shell told one.
    pub exit_code: Option<i64>,
    /// Where the shell is, where it told that.
    pub cwd: Option<String>,
    /// What is beside all that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// A program waits for a line that is not shown, such as a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub echo_off: bool,
    /// The shell wants more of the command.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continuation: bool,
    /// What is in the foreground, if that is not the shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
}

/// Text that was shown.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its lines, as far as the answer may be long.
    pub viewport: String,
    /// Whether it is the screen of a full-screen program, all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_screen: bool,
    /// Whether something was left out.
    pub truncated: bool,
    /// What was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omitted>,
    /// How many lines at the beginning were in an answer before and have changed since.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines_again: u64,
    /// Whether the bell rang.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bell: bool,
}

/// Lines that an answer does not hold, and where they are.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// The block.
    pub block_id: String,
    /// Its first such line, counted from 1.
    pub from: u64,
    /// Its last.
    pub to: u64,
    /// Code points of the text that is left out, where the last line is left out in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chars: Option<u64>,
    /// Arguments of `terminal-session-blocks` that print just that.
    pub arguments: String,
}
