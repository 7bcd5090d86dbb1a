//! What happened in a terminal, exactly: readers and writers of codex-deck terminal sessions.
//!
//! Data flows one way: bytes → screen → snapshot → artifact → inspect. A module uses what stands
//! before it in that row, never what stands after it.
//!
//! - [`home`]: the codex home, terminal ids, where their files are.
//! - [`text`]: small rules about text that several modules share.
//! - [`artifact`]: the files of a session: manifest, blocks, snapshots; lenient JSON.
//! - [`screen`]: the emulator; turns bytes into rows of cells.
//! - [`snapshot`]: the stored form of a screen, and its text.
//! - [`render`]: what a screen looks like, as coloured text, HTML or SVG.
//! - [`protocol`]: what codex-deck and the model say to each other; frozen messages.
//! - [`inspect`]: answers about sessions: which there are, the flow of one, any lines of any block,
//!   and matches.
//! - [`pty`]: terminals of our own, and the programs in them.
//! - [`record`]: recordings become blocks, live or from files.
//! - [`check`]: whether sessions are sound, and whether they are what they were.
//! - [`live`]: terminals that agents drive.
//! - [`cli`]: arguments, exit codes, colours and output of the programs.

pub mod artifact;
pub mod check;
pub mod cli;
pub mod home;
pub mod inspect;
pub mod live;
pub mod protocol;
pub mod pty;
pub mod record;
pub mod render;
pub mod screen;
pub mod snapshot;
pub mod text;
