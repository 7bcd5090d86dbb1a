//! Checks recorded terminal sessions: whether they are sound, and whether they are what they were.

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal_session::cli::run(terminal_session::cli::check::run)
}
