//! What happened in a terminal, exactly: readers for codex-deck terminal sessions.
//!
//! Data flows one way: bytes → screen → snapshot → artifact → inspect. A module uses what stands
//! before it in that row, never what stands after it.
//!
//! - [`home`]: the codex home, terminal ids, where their files are.
//! - [`text`]: small rules about text that several modules share.
//! - [`artifact`]: the files of a session: manifest, blocks, snapshots; lenient JSON.
//! - [`screen`]: the emulator; turns bytes into rows of cells.
//! - [`snapshot`]: the stored form of a screen, and its text.

pub mod artifact;
pub mod home;
pub mod screen;
pub mod snapshot;
pub mod text;
