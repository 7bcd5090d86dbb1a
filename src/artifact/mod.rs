//! The files of a recorded session: manifest, blocks, snapshots. Read leniently, written strictly.
//!
//! Uses `home` for where things are. Nothing here knows how a
//! snapshot is shown.

pub mod clock;
pub mod ids;
pub mod json;
pub mod python_number;
pub mod records;

mod block;
mod contained;
mod file;
mod manifest;
mod sessions;
mod snapshot_file;
mod store;
mod terminal_state;

pub use block::{Block, BlockKind};
pub use contained::{resolve, resolve_from};
pub use file::{FileError, read_file, read_file_start};
pub use manifest::{Manifest, ManifestError, ManifestErrorKind};
pub(crate) use sessions::JOURNAL;
pub use sessions::{
    FindError, find_session, nameless_sessions, recorded_ids, session_ids, session_names,
};
pub use snapshot_file::{SnapshotError, SnapshotFile};
pub(crate) use store::private_folder;
pub use store::{
    AddedBlock, ManifestFault, NewSnapshot, OnWait, SnapshotData, Store, StoreError, is_temporary,
};
pub use terminal_state::TerminalStates;
