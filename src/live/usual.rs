//! What a terminal or a job has, unless something else is wanted.

use std::path::PathBuf;

use super::client::Client;
use super::host::HostConfig;
use crate::screen::Size;

/// The size of a terminal, unless another one is wanted.
pub const USUAL_SIZE: Size = Size { cols: 120, rows: 30 };

/// Seconds without any use after which a terminal is closed, unless another number is wanted.
pub const IDLE_TIMEOUT: u64 = 24 * 3600;

/// Most bytes of a block beyond the rows in memory, unless another number is wanted.
pub const RETAIN: u64 = 64 << 20;

/// Most bytes on disk of what is in no block yet.
const JOURNAL_LIMIT: u64 = 256 << 20;

/// A shell of an agent. Which terminal it is, where it is recorded and starts, and what runs in it is
/// still to be said.
pub(super) fn usual_host(client: &Client) -> HostConfig {
    HostConfig {
        terminal: String::new(),
        session_id: String::new(),
        codex_home: PathBuf::new(),
        given_home: None,
        agent: client.agent().hash().digits().to_owned(),
        folder: client.folder().to_owned(),
        name: None,
        kind: "shell".to_owned(),
        command: Vec::new(),
        cwd: PathBuf::new(),
        env: Vec::new(),
        keep_env: Vec::new(),
        plain: false,
        keep_pager: false,
        cols: USUAL_SIZE.cols,
        rows: USUAL_SIZE.rows,
        idle_timeout: IDLE_TIMEOUT,
        journal_limit: JOURNAL_LIMIT,
        retain: RETAIN,
        keeper: client.keeper(),
        job: None,
    }
}
