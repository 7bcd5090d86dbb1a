//! Making artifacts: what programs print becomes blocks of a session, live or from recordings.
//!
//! - `run`: recording a program while it runs.
//! - `import`: the whole way from a file to blocks.
//! - `format`, `cast`, `raw`, `typescript`: what is in the file; each reads it piece by piece and
//!   plays it to a `sink`. `resize_file` has the sizes that raw bytes lack.
//! - `capture`: the sink that draws and freezes; `prompts` tells it where commands end, `spool`
//!   keeps what is frozen until all of the file was good.
//! - `journal`: what a live recording has shown and not yet frozen, so that a crash loses nothing.
//! - `history`: rows beyond memory, and the snapshot of a screen behind them.
//! - `percent`: `%XX` in marks and URLs.
//! - `cast_writer`: writing an asciicast; `export` makes one of the blocks of a session.
//! - `find`: which terminal is being recorded.
//! - `recover`: journals of dead recorders become blocks.
//! - `byte_reader`, `lines`, `json_stream`: reading files of any size, and lines of any length, in
//!   little memory.

mod byte_reader;
mod capture;
mod cast;
mod cast_writer;
mod error;
mod export;
mod find;
mod format;
mod history;
mod import;
mod journal;
mod json_stream;
mod lines;
mod opening;
mod percent;
mod prompts;
mod raw;
mod recover;
mod resize_file;
mod run;
mod sink;
mod spool;
mod typescript;
mod unfrozen;

pub(crate) use run::{
    Command, End, Frozen, Hook, HotKeyFilter, Input as Typed, Mark, MarkFilter, OTHER_TERMINALS,
    Piece, Plan, Recording, install_hook, show, undo, usual_shell,
};

pub use byte_reader::{ByteReader, Input};
pub use capture::Freeze;
pub use cast_writer::CastFormat;
pub use error::{ImportError, InputError, InputFault};
pub use export::export_cast;
pub use find::{find_recording, is_recorded, latest_recording};
pub use format::Format;
pub use import::{ImportOptions, Imported, import};
pub use journal::{
    DeadJournal, Dropped, FoundJournal, Journal, JournalError, JournalHeader, Locking, Replayed,
    SMALLEST_LIMIT, find_journals, is_journal_file, is_unfinished,
};
pub use opening::{SizeChoice, SizeError};
pub use recover::{Outcome, RecoverError, Recovery, recover, recover_all};
pub use run::{
    CastError, CastFault, CastOptions, Existing, FreezeAnswer, FreezeWhen, HotKey, HotKeyError,
    NESTED, Notice, Recorded, RunError, RunOptions, freeze, is_left_socket, run,
};
pub use unfrozen::unfrozen;
