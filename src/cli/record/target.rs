//! The session that blocks are added to.

use std::io;

use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::artifact::{AddedBlock, clock, ids};
use crate::cli::Failure;
use crate::home::TerminalId;
use crate::text;

/// Where blocks go.
#[derive(Args, Debug)]
pub(in crate::cli) struct TargetArgs {
    /// Terminal to add blocks to [default: a new one]
    #[arg(long, value_name = "ID")]
    terminal_id: Option<String>,

    /// Codex thread of the blocks [default: $CODEX_THREAD_ID, else a new UUID]
    #[arg(long, value_name = "ID")]
    session_id: Option<String>,
}

impl TargetArgs {
    /// The terminal that was named, else a new one.
    pub(in crate::cli) fn terminal(&self) -> Result<TerminalId, Failure> {
        match &self.terminal_id {
            // What is written is to be read line by line, and shown.
            Some(id) if id.trim().contains(char::is_control) => {
                Err(Failure::usage("--terminal-id must not hold control characters"))
            }
            Some(id) => TerminalId::new(id).map_err(Failure::usage),
            None => {
                let now = clock::milliseconds(Timestamp::now());
                ids::terminal_id(now).map_err(|error| cannot_make_id(&error))
            }
        }
    }

    /// The Codex thread that was named, else the one we run in, else a new one.
    pub(in crate::cli) fn session(&self) -> Result<String, Failure> {
        if let Some(id) = &self.session_id {
            return match text::strip(id) {
                "" => Err(Failure::usage("--session-id must not be blank")),
                id if id.contains(char::is_control) => {
                    Err(Failure::usage("--session-id must not hold control characters"))
                }
                id => Ok(id.to_owned()),
            };
        }
        codex_thread()
    }
}

/// The Codex thread that we run in, else a new one.
pub(in crate::cli) fn codex_thread() -> Result<String, Failure> {
    let variable = std::env::var("CODEX_THREAD_ID").unwrap_or_default();
    match text::strip(&variable) {
        "" => ids::session_id().map_err(|error| cannot_make_id(&error)),
        id => Ok(id.to_owned()),
    }
}

fn cannot_make_id(error: &io::Error) -> Failure {
    Failure::failed(format!("cannot make an id: {error}"))
}

/// A new block for JSON output.
pub(super) fn block_object(block: &AddedBlock) -> Value {
    json!({
        "blockId": block.block_id,
        "sequence": block.sequence,
        "snapshot": block.snapshot.display().to_string(),
    })
}
