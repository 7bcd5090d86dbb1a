//! Making artifacts: recordings of other programs become blocks of a session.
//!
//! - `import`: the whole way from a file to blocks.
//! - `format`, `cast`, `raw`, `typescript`: what is in the file; each reads it piece by piece and
//!   plays it to a `sink`. `resize_file` has the sizes that raw bytes lack.
//! - `capture`: the sink that draws and freezes; `prompts` tells it where commands end, `spool`
//!   keeps what is frozen until all of the file was good.
//! - `byte_reader`, `lines`, `json_stream`: reading files of any size, and lines of any length, in
//!   little memory.

mod byte_reader;
mod capture;
mod cast;
mod error;
mod format;
mod import;
mod json_stream;
mod lines;
mod opening;
mod prompts;
mod raw;
mod resize_file;
mod sink;
mod spool;
mod typescript;

pub use byte_reader::{ByteReader, Input};
pub use capture::Freeze;
pub use error::{ImportError, InputError, InputFault};
pub use format::Format;
pub use import::{ImportOptions, Imported, import};
pub use opening::{SizeChoice, SizeError};
