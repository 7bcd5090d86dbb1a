//! What a recorder has shown and not yet frozen, on disk, so that a crash loses nothing.
//!
//! - `writer`: the recorder's side; `header`, `escape`: what it writes; `segment`: into which file;
//!   `syncer`: when that is on the disk.
//! - `folder`, `name`: where the files are and what they are called.
//! - `dropped`: counting what is not there any more.

mod dropped;
mod error;
mod escape;
mod folder;
mod header;
mod name;
mod segment;
mod syncer;
mod writer;

pub use dropped::Dropped;
pub use error::JournalError;
pub(in crate::record) use escape::plain_length;
pub use header::JournalHeader;
pub use writer::Journal;
