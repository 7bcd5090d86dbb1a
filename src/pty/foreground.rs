//! Who has a terminal's keyboard.

use std::os::fd::AsFd;

use rustix::process::{Pid, Signal, kill_process_group};
use rustix::termios::tcgetpgrp;

/// The process group in the foreground, asked at our end. Its leader may be gone.
pub fn foreground_group(terminal: impl AsFd) -> Option<Pid> {
    tcgetpgrp(terminal).ok()
}

/// Sends a signal to a process group. One that is gone needs none.
pub fn signal_group(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        kill_process_group(group, signal).unwrap_or_default();
    }
}
