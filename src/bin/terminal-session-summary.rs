//! Prints the flow of a recorded terminal session.

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal_session::cli::run(terminal_session::cli::summary::run)
}
