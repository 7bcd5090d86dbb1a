//! What is asked of a job's host and what it answers.

use serde::{Deserialize, Serialize};

use super::{Status, Waiting};

/// What is asked of a job.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "job", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[serde(deny_unknown_fields)]
pub enum JobRequest {
    /// Its row in a list.
    Status,
    /// Wait for the end as whoever started it, and give the first page.
    First {
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Type, and give the next page. Where nothing is typed, what was printed before is given at
    /// once.
    Write {
        /// The text.
        chars: String,
        /// Whether no more input comes after it.
        eof: bool,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Wait for its end, however long, and give its row. Who waits for a page is told first.
    Wait,
    /// The end of it and of all that came of it; what it printed stays.
    Kill,
}

/// What a job's host answers.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobAnswer {
    /// A row of a list.
    Status(JobState),
    /// A page.
    Page(Box<Page>),
    /// What became of the wish to end it.
    Killed {
        /// Whether it was over already.
        already_finished: bool,
        /// How it is.
        state: JobState,
    },
}

/// How a job is, or how it was at its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobState {
    /// Its command on one line.
    pub label: String,
    /// Whether its program runs.
    pub status: Status,
    /// Whether it was told to end.
    pub is_killed: bool,
    /// Whether a page told its end.
    pub is_told: bool,
    /// Whether there is anything to be read, its end included.
    pub has_unread: bool,
    /// Pages that were given.
    pub sequence: u64,
    /// The terminal of its artifact.
    pub terminal_id: String,
    /// Its block, which is there once it has ended.
    pub block_id: String,
    /// The codex home of its artifact, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_home: Option<String>,
}

/// What is known of a job that is no more.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::live) struct JobTombstone {
    pub(in crate::live) state: JobState,
    /// Whether its output was read to the end.
    pub(in crate::live) is_collected: bool,
    /// Whether it is what its host left in case that it was killed: how the job ended is not known.
    #[serde(default)]
    pub(in crate::live) is_will: bool,
}

/// A page of what a job printed.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The text.
    pub output: String,
    /// Whether it is the screen of a full-screen program.
    pub is_screen: bool,
    /// How the job is.
    pub state: JobState,
    /// Whether it was for who started it.
    pub is_first: bool,
    /// Whether there is nothing left to be read or to come.
    pub is_last: bool,
    /// Whether it was all read before this.
    pub already_collected: bool,
    /// What is left to be read.
    pub rest: Option<PageRest>,
    /// What was dropped before this page.
    pub dropped: Option<Extent>,
    /// Lines at the beginning that were in a page and changed since.
    pub lines_again: u64,
    /// Whether the program was seen to wait for input.
    pub awaits_input: bool,
    /// Whether it does not show what is typed.
    pub echo_off: bool,
    /// What is beside all that.
    pub notes: Vec<String>,
}

/// How much text.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Extent {
    /// Lines, the last of which may not be over.
    pub lines: u64,
    /// Bytes of UTF-8.
    pub bytes: u64,
}

/// What a page leaves for the next ones.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRest {
    /// How much it is so far.
    pub extent: Extent,
    /// Arguments of `terminal-session-blocks` that print just that, once it is in a block.
    pub arguments: Option<String>,
}
