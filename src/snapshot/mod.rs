//! The stored form of a screen: a stream that draws it again, as `@xterm/addon-serialize` 0.14.0
//! writes it.
//!
//! - [`serialize`] writes it, [`replay`] makes a screen of it again, [`text`] reads that.
//! - [`prelude`] writes only what a new beginning keeps.
//! - [`preview`] reads only the beginning, [`compat`] as the Python helpers do, without a screen.

pub mod compat;

mod preview;
mod replay;
mod serialize;
mod style_change;
mod text;

pub use preview::preview;
pub use replay::replay;
pub use serialize::{prelude, serialize};
pub use text::text;
