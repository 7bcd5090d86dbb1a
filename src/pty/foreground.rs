//! Who has a terminal's keyboard.

use std::os::fd::AsFd;

use rustix::process::{Pid, Signal, getpgrp, kill_process_group};
use rustix::termios::{tcgetpgrp, tcsetpgrp};

/// The process group in the foreground, asked at our end. Its leader may be gone.
pub fn foreground_group(terminal: impl AsFd) -> Option<Pid> {
    tcgetpgrp(terminal).ok()
}

/// Gives the keyboard to a process group of our session, whose terminal this is, asked at our end.
pub fn bring_to_front(terminal: impl AsFd, group: Pid) {
    // One that is gone needs none.
    tcsetpgrp(terminal, group).unwrap_or_default();
}

/// Whether our stdin is a terminal in which others are in the foreground: a read would stop us.
pub fn is_in_background() -> bool {
    // Where it is no terminal, or not ours, nobody is stopped.
    tcgetpgrp(rustix::stdio::stdin()).is_ok_and(|group| group != getpgrp())
}

/// Sends a signal to a process group. One that is gone needs none.
pub fn signal_group(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        kill_process_group(group, signal).unwrap_or_default();
    }
}
