//! What a list shows of one session.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use walkdir::WalkDir;

use super::Found;
use crate::artifact::clock::format_time;
use crate::artifact::{BlockKind, Manifest};
use crate::home::TerminalId;
use crate::inspect::Content;
use crate::text;

/// Code points of a first command or line that are kept.
const FIRST_CHARS: usize = 200;
/// Blocks that are looked at for a first line.
const FIRST_BLOCKS: usize = 4;

/// One session of a list.
#[derive(Debug)]
pub struct SessionRow {
    /// The terminal.
    pub id: TerminalId,
    /// Whether it can be read.
    pub status: Status,
    /// When it began, as it says.
    pub created: Option<Timestamp>,
    /// When it last changed, as it says.
    pub updated: Option<Timestamp>,
    /// Bytes of all files in its folder.
    pub bytes: u64,
    /// Its blocks.
    pub blocks: BlockCounts,
    /// The Codex session of the last block.
    pub codex_session: Option<String>,
    /// What to recognise it by.
    pub first: Option<First>,
    /// Whether a recorder has shown what is in no block yet, or was killed before it froze that.
    pub has_unfrozen: bool,
}

/// Whether a session can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can.
    Sound,
    /// Nothing was frozen yet.
    Recording,
    /// Nothing was frozen when its recorder died.
    Died,
    /// It cannot, for this reason.
    Broken(String),
}

/// How many blocks of each type there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockCounts {
    /// Types in the order of their first block.
    pub kinds: Vec<(BlockKind, usize)>,
}

impl BlockCounts {
    fn of(manifest: &Manifest) -> Self {
        let mut kinds: Vec<(BlockKind, usize)> = Vec::new();
        // A manifest may have as many types as blocks.
        let mut places: HashMap<BlockKind, usize> = HashMap::new();
        for kind in manifest.kinds() {
            match places.get(&kind).and_then(|&place| kinds.get_mut(place)) {
                Some((_, count)) => *count += 1,
                None => {
                    places.insert(kind.clone(), kinds.len());
                    kinds.push((kind, 1));
                }
            }
        }
        Self { kinds }
    }

    /// Blocks of all types.
    pub fn total(&self) -> usize {
        self.kinds.iter().map(|(_, count)| count).sum()
    }
}

/// What to recognise a session by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// The first command that a block names, or else the first that codex-deck noted.
    Command(String),
    /// Else the first line of the first block that has one.
    Line(String),
}

impl SessionRow {
    /// `typed` is asked for the first command where no block names one.
    pub(super) fn new(
        id: TerminalId,
        folder: &Path,
        found: Found,
        has_unfrozen: bool,
        typed: impl Fn() -> Option<String>,
    ) -> Self {
        let mut row = Self {
            id,
            status: Status::Sound,
            created: found.created(),
            updated: found.updated(),
            bytes: size(folder),
            blocks: BlockCounts::default(),
            codex_session: None,
            first: None,
            has_unfrozen,
        };
        match found {
            Found::Frozen(manifest) => {
                row.blocks = BlockCounts::of(&manifest);
                let last = manifest.blocks().next_back();
                row.codex_session =
                    last.and_then(|block| block.text("sessionId").map(Cow::into_owned));
                row.first = first(&manifest, typed);
            }
            Found::Unfrozen(unfrozen) if unfrozen.is_alive => row.status = Status::Recording,
            Found::Unfrozen(_) => row.status = Status::Died,
            Found::Broken(reason) => row.status = Status::Broken(reason),
        }
        row
    }

    /// The session as an object.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut set = |key: &str, value: Value| {
            object.insert(key.into(), value);
        };
        let time = |time: Option<_>| time.map_or(Value::Null, |time| json!(format_time(time)));
        set("terminalId", json!(self.id.as_str()));
        let (status, error) = match &self.status {
            Status::Sound => ("ok", None),
            Status::Recording => ("recording", None),
            Status::Died => ("died", None),
            Status::Broken(reason) => ("broken", Some(reason)),
        };
        set("status", json!(status));
        if let Some(error) = error {
            set("error", json!(error));
        }
        set("createdAt", time(self.created));
        set("updatedAt", time(self.updated));
        set("bytes", json!(self.bytes));
        set("blockCount", json!(self.blocks.total()));
        let kinds = self.blocks.kinds.iter();
        let kinds = kinds.map(|(kind, count)| (kind.to_string(), json!(count)));
        set("blocks", Value::Object(kinds.collect()));
        set("unfrozen", json!(self.has_unfrozen));
        set("sessionId", json!(self.codex_session));
        match &self.first {
            Some(First::Command(command)) => set("firstCommand", json!(command)),
            Some(First::Line(line)) => set("firstLine", json!(line)),
            None => {}
        }
        Value::Object(object)
    }
}

fn first(manifest: &Manifest, typed: impl Fn() -> Option<String>) -> Option<First> {
    let named = manifest.commands().next().map(Cow::into_owned);
    if let Some(command) = named.or_else(typed) {
        let line = command.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Some(First::Command(text::prefix(line, FIRST_CHARS).to_owned()));
    }
    let mut blocks = manifest.blocks().take(FIRST_BLOCKS);
    let line = blocks.find_map(|block| Content::first_line(manifest, &block, FIRST_CHARS));
    line.map(First::Line)
}

/// Bytes of all regular files in a session's folder; links are not followed.
pub(super) fn size(folder: &Path) -> u64 {
    // The folder itself may be a link; below it none is followed.
    let entries = WalkDir::new(folder).min_depth(1).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}

/// When the manifest, or else the folder, was last written.
pub(super) fn changed(folder: &Path) -> Option<Timestamp> {
    let metadata = folder.join("session.json").metadata().or_else(|_| folder.metadata());
    metadata.ok()?.modified().ok()?.try_into().ok()
}
