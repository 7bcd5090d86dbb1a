//! What codex-deck notes about a terminal beside its session.

use std::path::{Path, PathBuf};

use super::json::Object;
use super::{read_file_start, resolve};
use crate::home::{CodexHome, TerminalId};
use crate::text;

/// The folder of codex-deck's notes, one small file for each terminal.
#[derive(Debug)]
pub struct TerminalStates {
    /// Resolved; none where there is none.
    folder: Option<PathBuf>,
}

impl TerminalStates {
    /// The notes of a codex home.
    pub fn new(home: &CodexHome) -> Self {
        let folder = resolve(&home.states()).ok().filter(|folder| folder.is_dir());
        Self { folder }
    }

    /// The first command that was typed into a terminal, where that is known.
    pub fn first_command(&self, id: &TerminalId) -> Option<String> {
        const MOST: u32 = 64 << 10;
        let name = format!("{id}.json");
        let data = read_file_start(self.folder.as_ref()?, Path::new(&name), MOST).ok()?;
        let data = String::from_utf8_lossy(&data);
        let command = Object::parse(&data).ok()?.string("firstCommand")?;
        Some(text::strip(&command).to_owned()).filter(|command| !command.is_empty())
    }
}
