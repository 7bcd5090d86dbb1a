//! How a program ended, as a number.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// A status as shells have it.
pub(super) fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    u8::try_from(code.unwrap_or(255)).unwrap_or(255)
}
