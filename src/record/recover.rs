//! What dead recorders left becomes blocks.

use std::path::PathBuf;

use thiserror::Error;

use super::journal::{Dropped, FoundJournal, JournalError, Locking, Replayed, find_journals};
use super::run::sweep_sockets;
use crate::artifact::records::{Extras, SnapshotFacts};
use crate::artifact::{
    AddedBlock, FindError, NewSnapshot, OnWait, Store, StoreError, clock, ids, recorded_ids,
};
use crate::home::{CodexHome, TerminalId};

/// What became of one journal.
#[derive(Debug)]
pub struct Recovery {
    /// The terminal it belongs to.
    pub terminal: TerminalId,
    /// Its newest file.
    pub journal: PathBuf,
    /// What became of it.
    pub outcome: Result<Outcome, RecoverError>,
}

/// What became of a journal that could be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It is a block now, and gone.
    Block {
        /// The block.
        block: AddedBlock,
        /// The Codex thread that it belongs to.
        session_id: String,
        /// Output that the journal did not hold.
        dropped: Dropped,
        /// Lines that could not be read to their end.
        damaged_lines: u64,
    },
    /// What it held had become a block before; it is gone.
    Known,
    /// It showed nothing; it is gone.
    Empty,
    /// Its recorder lives, or somebody else is recovering it. It was left alone.
    InUse,
}

/// Why a journal was not recovered. It is still there.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecoverError {
    /// It could not be read or removed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The block could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no random numbers for a session id.
    #[error("cannot make an id: {0}")]
    Id(#[source] std::io::Error),
}

/// Recovers what dead recorders of a terminal left. Living ones are left alone. `on_wait` is told
/// where another program holds the session for long.
pub fn recover(home: &CodexHome, terminal: &TerminalId, on_wait: &OnWait) -> Vec<Recovery> {
    let store = Store::new(home, terminal).on_wait(on_wait.clone());
    let recovery = |journal, outcome| Recovery { terminal: terminal.clone(), journal, outcome };
    match find_journals(&home.session(terminal)) {
        Ok(journals) => journals
            .iter()
            .map(|journal| recovery(journal.path(), recover_one(&store, journal)))
            .collect(),
        Err(error) => vec![recovery(home.session(terminal).join("journal"), Err(error.into()))],
    }
}

/// Recovers what dead recorders of any terminal left.
///
/// # Errors
/// The sessions cannot be listed.
pub fn recover_all(home: &CodexHome, on_wait: &OnWait) -> Result<Vec<Recovery>, FindError> {
    let terminals = recorded_ids(home)?;
    Ok(terminals.iter().flat_map(|terminal| recover(home, terminal, on_wait)).collect())
}

fn recover_one(store: &Store, journal: &FoundJournal) -> Result<Outcome, RecoverError> {
    let dead = match journal.lock()? {
        Locking::Dead(dead) => dead,
        Locking::InUse => return Ok(Outcome::InUse),
        // Somebody else was faster.
        Locking::Gone => return Ok(Outcome::Known),
    };
    let replayed = dead.replay()?;
    let outcome = if replayed.is_blank() { Outcome::Empty } else { add_block(store, &replayed)? };
    sweep_sockets(store.folder());
    // Only now: a crash before this finds the block by its id and adds no second one.
    dead.remove()?;
    Ok(outcome)
}

fn add_block(store: &Store, replayed: &Replayed) -> Result<Outcome, RecoverError> {
    let session_id = match &replayed.session_id {
        Some(id) => id.clone(),
        None => ids::session_id().map_err(RecoverError::Id)?,
    };
    let size = replayed.screen.size();
    // A block whose snapshot is gone is no reason to let go of what is left of it.
    let id = &replayed.block_id;
    let is_lost = store.has_lost(id);
    let snapshot = NewSnapshot {
        block_id: Some(if is_lost { format!("{id}-again") } else { id.clone() }),
        data: replayed.data(),
        facts: SnapshotFacts {
            session_id: session_id.clone(),
            step_id: None,
            cols: size.cols,
            rows: size.rows,
            length: 0,
            extras: Extras {
                command: replayed.command.clone(),
                exit_code: None,
                cwd: replayed.cwd.clone(),
                started_at: replayed.started.map(clock::format_time),
                ended_at: replayed.ended.map(clock::format_time),
                dropped_rows: replayed.screen.dropped_rows(),
                dropped_events: replayed.dropped.events,
                dropped_bytes: replayed.dropped.bytes,
                recovered: true,
            },
        },
    };
    let mut added = store.append([snapshot])?;
    Ok(match added.pop() {
        Some(block) => Outcome::Block {
            block,
            session_id,
            dropped: replayed.dropped,
            damaged_lines: replayed.damaged_lines,
        },
        None => Outcome::Known,
    })
}
