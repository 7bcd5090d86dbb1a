//! What a recorder has shown and not yet frozen, on disk, so that a crash loses nothing.
//!
//! - `writer`: the recorder's side; `header`, `escape`, `clock`: what it writes; `segments`,
//!   `segment`: into which files; `syncer`: when that is on the disk.
//! - `found`: whose journals are there, and whether their recorders live; `replay`, `player`: what
//!   they hold.
//! - `folder`, `name`: where the files are and what they are called.
//! - `dropped`: counting what is not there any more.

mod clock;
mod dropped;
mod error;
mod escape;
mod folder;
mod found;
mod header;
mod name;
mod player;
mod replay;
mod segment;
mod segments;
mod syncer;
mod writer;

pub use dropped::Dropped;
pub use error::JournalError;
pub(in crate::record) use escape::plain_length;
pub use found::{
    DeadJournal, FoundJournal, Locking, find_journals, is_journal_file, is_unfinished,
};
pub use header::JournalHeader;
pub use replay::Replayed;
pub use writer::{Journal, SMALLEST_LIMIT};
