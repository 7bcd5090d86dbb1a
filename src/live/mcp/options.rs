//! What a server is to offer.

use std::path::PathBuf;

use super::Group;
use crate::live::exec::Limits;

/// How to serve.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// Which tools.
    pub groups: Vec<Group>,
    /// Where sessions are read and recorded; absolute.
    pub codex_home: PathBuf,
    /// The same as whoever calls named it, absolute or below `~`; none where nobody did.
    pub given_home: Option<PathBuf>,
    /// Where programs start, and what relative folders are below; absolute.
    pub cwd: PathBuf,
    /// The Codex thread that blocks belong to.
    pub session_id: String,
    /// Most terminals at a time.
    pub most_terminals: usize,
    /// Most jobs at a time, and how much of their output is told and kept.
    pub limits: Limits,
}
