//! Lists recorded terminal sessions.

use std::process::ExitCode;

fn main() -> ExitCode {
    terminal_session::cli::run(terminal_session::cli::list::run)
}
