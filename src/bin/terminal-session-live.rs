//! Live terminals that agents drive.

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal_session::cli::run(terminal_session::cli::live::run)
}
