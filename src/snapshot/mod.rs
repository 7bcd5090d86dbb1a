//! The stored form of a screen: a stream that draws it again, as `@xterm/addon-serialize` 0.14.0
//! writes it.
//!
//! - [`serialize()`] writes it, [`replay()`] makes a screen of it again ([`replay_bounded`] unless it
//!   is too large), [`text()`] reads that.
//! - [`RowsBefore`] and [`serialize_parts`] write it in parts, for histories of any length.
//! - [`prelude`] writes only what a new beginning keeps.
//! - [`read`] gives that text without keeping the screen, [`preview`] only its beginning.
//! - [`check_grammar`] says whether data is such a stream, [`replay_within`] draws what may not be.
//! - [`compat`] reads a snapshot as the Python helpers do, without a screen.

pub mod compat;

mod grammar;
mod harmless;
mod line_builder;
mod plain;
mod reading;
mod replay;
mod serialize;
mod style_change;
mod text;

pub use grammar::{Alien, AlienKind, Shape, check_grammar};
pub use reading::{Reading, TooLarge, check_size, preview, read, replay_bounded, replay_within};
pub use replay::replay;
pub use serialize::{RowsBefore, prelude, serialize, serialize_parts};
pub(crate) use style_change::push_style_change;
pub use text::text;
pub(crate) use text::{text_after, text_from};
