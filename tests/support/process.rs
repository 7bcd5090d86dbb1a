//! Processes that a test starts of itself, to kill them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

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

/// A process that is to be gone when a test is over, however that ends, and its group if it leads
/// one.
pub struct KilledAtEnd(PathBuf);

impl KilledAtEnd {
    /// The process whose number is in this file by then. A file that is not there names none.
    pub fn named_in(file: &Path) -> Self {
        Self(file.to_owned())
    }
}

impl Drop for KilledAtEnd {
    fn drop(&mut self) {
        let number = std::fs::read_to_string(&self.0).unwrap_or_default();
        if let Some(pid) = number.trim().parse().ok().and_then(Pid::from_raw) {
            // It may be gone already, and lead no group.
            kill_process_group(pid, Signal::KILL).unwrap_or_default();
            kill_process(pid, Signal::KILL).unwrap_or_default();
        }
    }
}
