//! What a terminal or a job has, unless something else is wanted.

use crate::screen::Size;

/// The size of a terminal, unless another one is wanted.
pub const USUAL_SIZE: Size = Size { cols: 120, rows: 30 };

/// Seconds without any use after which a terminal is closed, unless another number is wanted.
pub const IDLE_TIMEOUT: u64 = 24 * 3600;

/// Most bytes of a block beyond the rows in memory, unless another number is wanted.
pub const RETAIN: u64 = 64 << 20;

/// Most bytes on disk of what is in no block yet.
pub(super) const JOURNAL_LIMIT: u64 = 256 << 20;
