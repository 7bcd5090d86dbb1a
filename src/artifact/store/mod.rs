//! Writing into a terminal's folder: strict, locked, and never by halves.
//!
//! A snapshot is on disk before a manifest names it, and a manifest is replaced whole. What others
//! wrote into it survives; a manifest that cannot be rewritten without loss is left alone.
//!
//! All of this crate's writers hold a lock while they read, change and write a manifest, and lose
//! none of each other's blocks. codex-deck takes no lock. What it writes survives too (`replace`);
//! but it may write back a manifest from before our last blocks. Their snapshots are still there
//! then, and a store that is used again puts the records back (`recent`).

mod atomic;
mod data;
mod draft;
mod error;
mod folder;
mod lock;
mod on_wait;
mod recent;
mod replace;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::draft::Draft;
use self::lock::Lock;
use self::recent::Recent;
use self::replace::{Replaced, replace};
use super::records::{SnapshotFacts, Stamp, snapshot_path, snapshot_record};
use super::{clock, ids, json};
use crate::home::{CodexHome, TerminalId};
use jiff::Timestamp;

pub use atomic::is_temporary;
pub use data::SnapshotData;
pub use error::{ManifestFault, StoreError};
pub use on_wait::OnWait;

const MANIFEST: &str = "session.json";
const BLOCKS: &str = "blocks";

/// How often we come again where others are at work in the same moment.
const ATTEMPTS: usize = 100;

/// A frozen screen to be added as a block.
#[derive(Clone, Debug, Default)]
pub struct NewSnapshot<D> {
    /// The id of the block, a new one where none is named. A block that is there already is not
    /// added again: after a crash nobody knows whether it was.
    pub block_id: Option<String>,
    /// The serialized screen.
    pub data: D,
    /// What the record says of it; the length is taken from the data.
    pub facts: SnapshotFacts,
}

/// A block that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedBlock {
    /// Its id.
    pub block_id: String,
    /// Its place among the terminal's blocks.
    pub sequence: u64,
    /// Its snapshot.
    pub snapshot: PathBuf,
}

/// Makes a folder that only the user can enter, and what is missing above it; whether it was not
/// there.
///
/// # Errors
/// [`StoreError`], also where it is a symbolic link or no folder.
pub(crate) fn private_folder(path: &Path) -> Result<bool, StoreError> {
    folder::create_real(path)
}

/// A terminal's folder, for writing. Clones know the same blocks.
#[derive(Clone, Debug)]
pub struct Store {
    terminal: TerminalId,
    folder: PathBuf,
    on_wait: OnWait,
    recent: Recent,
}

impl Store {
    /// The folder of a terminal. Nothing is made before something is added.
    pub fn new(home: &CodexHome, terminal: &TerminalId) -> Self {
        Self {
            terminal: terminal.clone(),
            folder: home.session(terminal),
            on_wait: OnWait::default(),
            recent: Recent::default(),
        }
    }

    /// Has somebody told where another program holds the lock for long.
    #[must_use]
    pub fn on_wait(self, on_wait: OnWait) -> Self {
        Self { on_wait, ..self }
    }

    /// The terminal's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the manifest names a block of this store whose snapshot is gone or empty.
    pub fn has_lost(&self, block_id: &str) -> bool {
        let snapshot = self.folder.join(snapshot_path(block_id)).metadata();
        let is_there = snapshot.is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
        let draft = Draft::read(&self.folder, MANIFEST);
        !is_there && draft.ok().flatten().is_some_and(|(draft, _)| draft.has_block(block_id))
    }

    /// Puts blocks back that this store added and that a program without a lock has dropped from
    /// the manifest since. Each time that blocks are added does that too.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn restore(&self) -> Result<(), StoreError> {
        let none: [NewSnapshot<String>; 0] = [];
        if self.recent.is_empty() { Ok(()) } else { self.append(none).map(drop) }
    }

    /// Adds snapshot blocks, all of them or none. Those that are there already are left out of
    /// the answer.
    ///
    /// # Errors
    /// [`StoreError`]. With [`StoreError::Manifest`] the snapshots are kept and named.
    pub fn append<D: SnapshotData>(
        &self,
        snapshots: impl IntoIterator<Item = NewSnapshot<D>>,
    ) -> Result<Vec<AddedBlock>, StoreError> {
        let (_lock, is_new) = self.enter()?;
        let added = self.append_locked(snapshots);
        if added.is_err() && is_new {
            self.leave_no_trace();
        }
        added
    }

    /// Makes the folder if need be and locks it; whether it was made.
    fn enter(&self) -> Result<(Lock, bool), StoreError> {
        if let Some(sessions) = self.folder.parent() {
            folder::create_all(sessions)?;
        }
        let mut attempts = 0;
        loop {
            attempts += 1;
            // The writer that made the folder may fail and remove it at any moment.
            match self.try_enter() {
                Ok(Some(entered)) => return Ok(entered),
                Ok(None) => {}
                Err(error) if error.is_missing() && attempts < ATTEMPTS => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn try_enter(&self) -> Result<Option<(Lock, bool)>, StoreError> {
        let is_new = folder::create_real(&self.folder)?;
        let lock = Lock::acquire(&self.folder, &self.on_wait)?;
        Ok(lock.map(|lock| (lock, is_new)))
    }

    /// Removes a folder in which nothing came to be.
    fn leave_no_trace(&self) {
        let has_manifest = self.folder.join(MANIFEST).symlink_metadata().is_ok();
        // Only empty folders can be removed; what cannot be is left as it is.
        let blocks_removed = !has_manifest && fs::remove_dir(self.folder.join(BLOCKS)).is_ok();
        if blocks_removed && fs::remove_file(self.folder.join(lock::NAME)).is_ok() {
            fs::remove_dir(&self.folder).ok();
        }
    }

    fn append_locked<D: SnapshotData>(
        &self,
        snapshots: impl IntoIterator<Item = NewSnapshot<D>>,
    ) -> Result<Vec<AddedBlock>, StoreError> {
        let blocks_folder = self.folder.join(BLOCKS);
        folder::create_real(&blocks_folder)?;
        folder::sweep(&self.folder);
        folder::sweep(&blocks_folder);
        let path = self.folder.join(MANIFEST);
        let now = Timestamp::now();
        let mut pending = Pending::default();
        let draft = Draft::read(&self.folder, MANIFEST);
        let known = draft.as_ref().ok().and_then(Option::as_ref).map(|(draft, _)| draft);
        let dropped = known.map(|draft| self.recent.dropped_from(draft, &self.folder));
        pending.restored = dropped.unwrap_or_default();
        let mut sequence = known.map_or(1, Draft::next_sequence);
        for snapshot in snapshots {
            if let (Some(id), Some(draft)) = (&snapshot.block_id, known)
                && draft.has_block(id)
            {
                continue;
            }
            let stamp = self.stamp(now, sequence, snapshot.block_id.clone())?;
            self.place(&mut pending, stamp, snapshot)?;
            sequence += 1;
        }
        if pending.blocks.is_empty() && pending.restored.is_empty() && known.is_some() {
            return Ok(Vec::new());
        }
        folder::sync(&blocks_folder)?;
        let written = match draft {
            Ok(draft) => self.write_manifest(&path, draft, &pending, now)?,
            Err(fault) => Err(fault),
        };
        match written {
            Ok(()) => {
                // From here on the blocks are named and must stay, whatever comes.
                let added = pending.keep(&self.recent);
                // They are there. That a power cut might undo that is no reason to write them again.
                folder::sync(&self.folder).unwrap_or_default();
                Ok(added)
            }
            Err(fault) => {
                let left = pending.leave_beside(&blocks_folder);
                Err(StoreError::Manifest { path, fault, left })
            }
        }
    }

    fn stamp(
        &self,
        now: Timestamp,
        sequence: u64,
        block_id: Option<String>,
    ) -> Result<Stamp, StoreError> {
        Ok(Stamp {
            block_id: match block_id {
                Some(id) if ids::is_plain(&id) => id,
                Some(_) => return Err(StoreError::Id(io::ErrorKind::InvalidInput.into())),
                None => ids::block_id(clock::milliseconds(now)).map_err(StoreError::Id)?,
            },
            terminal_id: self.terminal.to_string(),
            sequence,
            time: clock::format_time(now),
        })
    }

    /// Writes a block's snapshot, which no manifest names yet.
    fn place(
        &self,
        pending: &mut Pending,
        stamp: Stamp,
        snapshot: NewSnapshot<impl SnapshotData>,
    ) -> Result<(), StoreError> {
        let path = self.folder.join(snapshot_path(&stamp.block_id));
        let length = atomic::write_parts(&path, snapshot.data)?;
        let facts = SnapshotFacts { length, ..snapshot.facts };
        pending.records.push(snapshot_record(&stamp, &facts).to_string());
        pending.blocks.push(AddedBlock {
            block_id: stamp.block_id,
            sequence: stamp.sequence,
            snapshot: path,
        });
        Ok(())
    }

    /// Puts a manifest with the new records in place, or says what keeps us from it.
    fn write_manifest(
        &self,
        path: &Path,
        known: Option<(Draft, Vec<u8>)>,
        pending: &Pending,
        now: Timestamp,
    ) -> Result<Result<(), ManifestFault>, StoreError> {
        // The folder of the snapshots must be there whenever the manifest is.
        folder::sync(&self.folder)?;
        let now = clock::format_time(now);
        let (mut draft, mut expected) = match known {
            Some((draft, data)) => (draft, Some(data)),
            None => (Draft::new(self.terminal.as_str(), &now), None),
        };
        let records = [pending.restored.as_slice(), &pending.records].concat();
        if let Err(error) = draft.extend(records) {
            return Ok(Err(error.into()));
        }
        for _ in 0..ATTEMPTS {
            let text = match render(&mut draft, self.terminal.as_str(), &now) {
                Ok(text) => text.into_bytes(),
                Err(error) => return Ok(Err(error.into())),
            };
            let replaced = atomic::prepare(path, &text)
                .and_then(|new| replace(new, path, &text, expected.as_deref()))
                .map_err(StoreError::io("write", path))?;
            let mut found = match replaced {
                Replaced::Done => return Ok(Ok(())),
                Replaced::Refused(found) => found,
            };
            for theirs in &found {
                match Draft::of_bytes(theirs) {
                    Ok(theirs) => draft.rebase(theirs),
                    Err(fault) => return Ok(Err(fault)),
                }
            }
            expected = found.pop();
        }
        Ok(Err(ManifestFault::Restless))
    }
}

fn render(draft: &mut Draft, terminal: &str, now: &str) -> Result<String, json::JsonError> {
    draft.ensure("terminalId", terminal);
    draft.ensure("createdAt", now);
    draft.set("updatedAt", now);
    draft.render()
}

/// Blocks whose snapshots are on disk and that no manifest names. Dropped, they are removed.
#[derive(Debug, Default)]
struct Pending {
    blocks: Vec<AddedBlock>,
    /// The JSON text of their records.
    records: Vec<String>,
    /// Records of older blocks that the manifest has lost.
    restored: Vec<String>,
}

impl Pending {
    /// A manifest names the blocks now.
    fn keep(&mut self, recent: &Recent) -> Vec<AddedBlock> {
        let added = std::mem::take(&mut self.blocks);
        let ids = added.iter().map(|block| block.block_id.clone());
        recent.add(ids.zip(std::mem::take(&mut self.records)));
        added
    }

    /// Keeps the blocks without a manifest: each snapshot gets its record as a file beside it. What
    /// holds the block is named: the record, or the snapshot alone where no record can be written.
    fn leave_beside(&mut self, blocks_folder: &Path) -> Vec<PathBuf> {
        // Whatever comes, the snapshots stay.
        let blocks = std::mem::take(&mut self.blocks);
        let leave = |(block, record): (AddedBlock, &String)| {
            let path = blocks_folder.join(format!("{}.json", block.block_id));
            let mut text = String::new();
            // It was written by us a moment ago, so it is JSON.
            json::reformat(record, 0, &mut text).unwrap_or_default();
            match atomic::write(&path, text.as_bytes()) {
                Ok(()) => path,
                Err(_) => block.snapshot,
            }
        };
        let left = blocks.into_iter().zip(&self.records).map(leave).collect();
        // The manifest is what the error is about; the files are as safe as can be.
        folder::sync(blocks_folder).unwrap_or_default();
        left
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        for block in &self.blocks {
            // A file that cannot be removed is one that nothing names: untidy, not wrong.
            fs::remove_file(&block.snapshot).ok();
        }
    }
}
