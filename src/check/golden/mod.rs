//! A session against its golden copy: files that are checked in and that people review.
//!
//! - `shot`: the flow and the texts of a session, as they are compared.
//! - `normal`: what differs from run to run becomes a placeholder; `ids`: which ids those are.
//! - `filter`: what the user says differs too.
//! - `copy`: the folder with the golden copy: reading, comparing, updating.
//! - `expect`: what must, or must not, be in the texts.

mod copy;
mod expect;
mod filter;
mod ids;
mod normal;
mod shot;

pub use copy::{Change, CopyError, GoldenCopy, GoldenFile, Update};
pub use expect::{Expectation, Unmet};
pub use filter::{Filter, FilterError};
pub use normal::{Ignored, Normal, NormalError};
pub use shot::{BlockText, Shot, ShotOptions};
