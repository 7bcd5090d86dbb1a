//! How far the end of a terminal is.

use std::path::PathBuf;

use super::tree::Ending;
use crate::live::wire::{CloseOutcome, Waiting};

/// The end, or a new beginning.
pub(super) struct Closing {
    pub(super) ending: Ending,
    /// Clients to be told, and what.
    pub(super) clients: Vec<(u64, CloseOutcome)>,
    /// A client that wants a new beginning, and where.
    pub(super) restart: Option<(u64, Waiting, PathBuf)>,
    /// Whether this process stays: what a job printed is still to be read.
    pub(super) stays: bool,
    pub(super) survivors: Option<Vec<i32>>,
    /// Whether the terminal's name is gone.
    pub(super) has_left: bool,
}
