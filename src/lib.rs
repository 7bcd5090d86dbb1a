//! What happened in a terminal, exactly: readers for codex-deck terminal sessions.
//!
//! Data flows one way: bytes → screen → snapshot → artifact → inspect. A module uses what stands
//! before it in that row, never what stands after it.
//!
//! - [`screen`]: the emulator; turns bytes into rows of cells.
//! - [`snapshot`]: the stored form of a screen, and its text.
//! - [`artifact`]: the stored session: its manifest and blocks.

pub mod artifact;
pub mod screen;
pub mod snapshot;
