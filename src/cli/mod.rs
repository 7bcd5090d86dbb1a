//! What the programs share: arguments, exit codes, colours, and output that is safe to look at.
//!
//! One module per program holds its arguments and its run; the programs in `src/bin` are one line
//! each. Nothing here knows how an answer is found.

mod arguments;
mod console;
mod exit;
mod facts;
mod json;
mod pager;
mod unfrozen;
mod when;

pub mod blocks;
pub mod check;
pub mod list;
pub mod live;
pub mod record;
pub mod summary;

pub use crate::text::{Controls, sanitize, sanitize_line};
pub use arguments::{ColorChoice, CommonArgs};
pub use console::{Console, Failure};
pub use exit::{Exit, run};
pub use json::write_json;

/// `1 line`, `2 lines`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
