//! Processes that a test starts of itself, to kill them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

const VARIABLE: &str = "TERMINAL_SESSION_TEST_FOLDER";

/// A command that runs an ignored test of this target as a process of its own; the test gets the
/// folder from [`in_driver`].
pub fn driver(test: &str, folder: impl Into<OsString>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(VARIABLE, folder.into());
    command
}

/// The folder of a test that [`driver`] runs; none where it was started by hand.
pub fn in_driver() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).map(PathBuf::from)
}
