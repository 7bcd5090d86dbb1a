//! What `terminal_execute` is answered: what was shown, and where all of it is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Sent;

/// What was shown since the last answer, and where it is.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Executed {
    /// The answer.
    pub sent: Sent,
    /// Where its lines are; none where it is a screen.
    pub parts: Vec<Part>,
    /// What the shell said last of how something ended, as `$?` has it; none where nothing ended of
    /// what was typed.
    pub last_status: Option<i64>,
    /// A command that ended before this one was typed, and of which no answer told.
    pub previous: Option<Previous>,
    /// What stands at the prompt behind it, where something that was typed may; empty where it is
    /// not known.
    pub standing: Option<String>,
    /// Whether the shell edits a command line now.
    pub is_idle: bool,
    /// Where the blocks are.
    pub codex_home: PathBuf,
    /// The same as whoever opened the terminal named it.
    pub given_home: Option<PathBuf>,
}

/// A command of whose end no answer told.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Previous {
    /// How it ended, where the shell told that.
    pub exit_code: Option<i64>,
}

/// Lines of a block that are new.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The block.
    pub block_id: String,
    /// Its first such line, counted from 1.
    pub from: u64,
    /// Its last.
    pub to: u64,
    /// The first line of which there is text in the answer; behind the last where there is none.
    pub shown: u64,
    /// Whether the beginning of that line is not there.
    pub is_cut: bool,
    /// What of the block is a prompt and what was typed at it.
    pub echo: Vec<Region>,
    /// Whether it is output of a command that ended before.
    pub is_earlier: bool,
}

/// A part of a block's text. Each end is a line, counted from 1, and the code points before it in
/// that line.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// Where it begins.
    pub from: (u64, u64),
    /// Where it ends.
    pub to: (u64, u64),
}
