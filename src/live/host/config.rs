//! What a host is told at its start.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A terminal to be opened.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HostConfig {
    /// The terminal's id.
    pub terminal: String,
    /// The Codex thread that its blocks belong to.
    pub session_id: String,
    /// Where its session is.
    pub codex_home: PathBuf,
    /// The same as whoever opened the terminal named it; none where nobody did.
    pub given_home: Option<PathBuf>,
    /// The hash of the agent's secret, in hexadecimal digits.
    pub agent: String,
    /// The agent's part of the runtime folder.
    pub folder: PathBuf,
    /// What the agent calls it.
    pub name: Option<String>,
    /// `shell` or `command`.
    pub kind: String,
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Variables that it gets.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that it keeps although they look like secrets.
    pub keep_env: Vec<OsString>,
    /// Whether bash takes a `!` that is typed for what it is.
    #[serde(default)]
    pub plain: bool,
    /// Whether pagers stay what they are.
    pub keep_pager: bool,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Seconds without any use after which the terminal is closed; 0 for never.
    pub idle_timeout: u64,
    /// Most bytes on disk of what is in no block yet.
    pub journal_limit: u64,
    /// Most bytes of a block beyond the rows in memory; older lines are dropped.
    pub retain: u64,
    /// The process that the terminal ends with, and when that started in clock ticks since the
    /// system did; none for a terminal that stays.
    #[serde(default)]
    pub keeper: Option<(i32, u64)>,
    /// What makes it a job, which is one command and no terminal to come back to.
    #[serde(default)]
    pub job: Option<JobConfig>,
}

/// One command whose output is read page by page.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JobConfig {
    /// Its id, which is a label of its agent's. The terminal is that of all of the agent's jobs.
    pub id: String,
    /// The command as it was given.
    pub cmd: String,
    /// What it runs in.
    pub transport: Transport,
}

/// What a command runs in.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// A terminal, or pipes where the system has none to give.
    #[default]
    Either,
    /// A terminal.
    Terminal,
    /// Pipes.
    Pipes,
}

impl HostConfig {
    /// What its host is called.
    pub(in crate::live) fn id(&self) -> &str {
        self.job.as_ref().map_or(&self.terminal, |job| &job.id)
    }
}
