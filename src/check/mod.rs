//! Whether sessions are sound, and whether they are what they were.
//!
//! - [`artifacts`]: every rule of the format, as findings with a stable code.
//! - [`golden`]: the flow and the text of a session against files that are checked in.
//!
//! Uses `artifact`, `snapshot` and `inspect`, and `record` only to see which journals lie there.
//! Nothing here prints, and nothing but an update of golden files writes.

pub mod artifacts;
pub mod golden;
