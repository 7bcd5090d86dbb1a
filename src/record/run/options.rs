//! What is to be recorded, and how.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::{CastOptions, HotKey};
use crate::home::TerminalId;
use crate::record::SizeChoice;
use crate::screen::Scrollback;

/// A recording to be made.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The program and its arguments; empty for the user's shell.
    pub command: Vec<OsString>,
    /// The terminal that blocks are added to.
    pub terminal: TerminalId,
    /// The Codex thread that they belong to.
    pub session_id: String,
    /// Where the program starts; none is where we are.
    pub cwd: Option<PathBuf>,
    /// Variables that the program gets.
    pub env: Vec<(OsString, OsString)>,
    /// The size, where it is not that of our own terminal.
    pub size: SizeChoice,
    /// Rows kept above the screen.
    pub scrollback: Scrollback,
    /// When to make a block, besides the end.
    pub freeze: FreezeWhen,
    /// Most bytes on disk of what is in no block yet.
    pub journal_limit: u64,
    /// Where the whole recording goes as well.
    pub cast: Option<CastOptions>,
    /// Nobody looks on: a fixed size, and queries are answered by our screen.
    pub headless: bool,
}

/// When the screen becomes a block, besides the end.
#[derive(Clone, Debug, Default)]
pub struct FreezeWhen {
    /// At the end of each command of a shell.
    pub command: bool,
    /// When this key is typed.
    pub hot_key: Option<HotKey>,
    /// This often.
    pub every: Option<Duration>,
}
