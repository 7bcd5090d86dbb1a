//! What happens in the new process before it becomes the program.

#![allow(unsafe_code)]

use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{getpid, ioctl_tiocsctty, setpgid, setsid};
use rustix::termios::tcsetpgrp;

/// Has the command start in a session of its own, with its stdin as the controlling terminal, all
/// signals as if nobody had touched them, and no descriptor but the first three.
pub(super) fn install(command: &mut Command) {
    let inherited = inherited_descriptors();
    // SAFETY: the closure runs between fork and exec. It calls only async-signal-safe functions
    // (setsid, ioctl, signal, fcntl), takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            leave_all(&inherited)?;
            Ok(ioctl_tiocsctty(rustix::stdio::stdin())?)
        })
    };
}

/// Has the command start as [`install`] does, but with no controlling terminal: whoever waits for
/// the end of a descriptor of ours does not wait for it.
pub(crate) fn detach(command: &mut Command) {
    let inherited = inherited_descriptors();
    // SAFETY: as above.
    unsafe { command.pre_exec(move || leave_all(&inherited)) };
}

/// Has the command start as [`install`] does, but in our session: in a group of its own, in front in
/// its stdin, which is our controlling terminal.
pub(super) fn join(command: &mut Command) {
    let inherited = inherited_descriptors();
    // SAFETY: as above, with setpgid and tcsetpgrp.
    unsafe {
        command.pre_exec(move || {
            setpgid(None, None)?;
            // Who is not in front may not change who is.
            libc::signal(libc::SIGTTOU, libc::SIG_IGN);
            tcsetpgrp(rustix::stdio::stdin(), getpid())?;
            begin_clean(&inherited);
            Ok(())
        })
    };
}

/// Makes a terminal the controlling one of our session, which we have begun and which has none. We are
/// never in front in it, and may change things there all the same.
pub(super) fn control(terminal: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: no handler is installed.
    unsafe { libc::signal(libc::SIGTTOU, libc::SIG_IGN) };
    Ok(ioctl_tiocsctty(terminal)?)
}

/// Has the command end with this process, even where that is killed, if the system does such a thing.
/// It would be out of everybody's reach then.
pub(super) fn end_with_us(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        let last = || Ok(set_parent_process_death_signal(Some(Signal::KILL))?);
        // SAFETY: as above, with prctl.
        unsafe { command.pre_exec(last) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

fn leave_all(inherited: &[RawFd]) -> io::Result<()> {
    setsid()?;
    begin_clean(inherited);
    Ok(())
}

fn begin_clean(inherited: &[RawFd]) {
    reset_signals();
    for &descriptor in inherited {
        // Closing at once would take away the one that tells the parent why exec failed.
        // SAFETY: fcntl takes any number, and says so where it is no descriptor any more.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// A caught signal is reset by exec, an ignored one is not: a shell starts its background jobs with
/// SIGINT ignored, `nohup` ignores SIGHUP. The program in the terminal is in nobody's background.
fn reset_signals() {
    const LAST: libc::c_int = 31;
    for signal in 1..=LAST {
        // SAFETY: no handler is installed. SIGKILL and SIGSTOP are refused, which is all right.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Descriptors that are open now and would stay open in the program. Our own are closed by exec
/// anyway; those of our parent are not.
fn inherited_descriptors() -> Vec<RawFd> {
    let Ok(folder) = std::fs::read_dir("/dev/fd") else {
        return Vec::new();
    };
    let numbers = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter(|&number: &RawFd| number > 2).collect()
}
