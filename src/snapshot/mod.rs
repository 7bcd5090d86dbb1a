//! The stored form of a screen: a stream that draws it again, as `@xterm/addon-serialize` 0.14.0
//! writes it.
//!
//! - [`serialize()`] writes it, [`replay()`] makes a screen of it again ([`replay_bounded`] unless it
//!   is too large), [`text()`] reads that.
//! - [`RowsBefore`] and [`serialize_parts`] write it in parts, for histories of any length.
//! - [`prelude`] writes only what a new beginning keeps.
//! - [`read`] gives that text without keeping the screen, [`preview`] only its beginning.
//! - [`compat`] reads a snapshot as the Python helpers do, without a screen.

pub mod compat;

mod harmless;
mod line_builder;
mod plain;
mod reading;
mod replay;
mod serialize;
mod style_change;
mod text;

pub use reading::{Reading, TooLarge, preview, read, replay_bounded};
pub use replay::replay;
pub use serialize::{RowsBefore, prelude, serialize, serialize_parts};
pub(crate) use style_change::push_style_change;
pub use text::text;
