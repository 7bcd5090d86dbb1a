//! What a screen looks like, for people: coloured text, HTML and SVG.
//!
//! - [`Picture`]: the rows of a screen, grouped into the lines that its text has, and the lines
//!   chosen of them; `span` cuts a row into runs of like cells.
//! - [`ansi_text`]: those lines with colours and nothing else that acts on a terminal.
//! - [`html`], [`svg`]: one file that needs nothing else, in light and dark; `palette` has the
//!   colours, `look` what a style means there, `escape` the characters.
//!
//! Uses `screen`, `snapshot` and `text`. Everything here is made of untrusted screens: no
//! character gets out that acts on a terminal or on a page.

mod ansi;
mod escape;
pub mod html;
mod look;
mod palette;
mod picture;
mod span;
pub mod svg;

pub use ansi::ansi_text;
pub(crate) use escape::push_escaped;
pub use picture::Picture;
