//! The codex home, terminal ids, and the folders they lead to.
//!
//! Uses the file system only to look; nothing here writes.

mod codex_home;
mod terminal_id;

pub use codex_home::{CodexHome, HomeError, below_home};
pub use terminal_id::{IdError, TerminalId};
