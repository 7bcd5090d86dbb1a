//! Writes terminal sessions: imports recordings, recovers what killed recorders left.

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal_session::cli::run(terminal_session::cli::record::run)
}
