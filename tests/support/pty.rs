//! A real terminal for a program's output.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs a command with stdout and stderr on a terminal; what it printed, and its exit code.
pub fn run_on_terminal(command: &mut Command) -> (String, i32) {
    let control: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&control).unwrap();
    unlockpt(&control).unwrap();
    let name = ptsname(&control, Vec::new()).unwrap();
    let open = || File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut child = command.stdout(open()).stderr(open()).spawn().unwrap();
    // The command keeps copies of the descriptors until they are replaced.
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut shown = Vec::new();
    let mut reader = File::from(control);
    let mut chunk = [0; 4096];
    // At the end of the program a read fails with EIO.
    while let Ok(count @ 1..) = reader.read(&mut chunk) {
        shown.extend_from_slice(&chunk[..count]);
    }
    let code = child.wait().unwrap().code().unwrap();
    (String::from_utf8(shown).unwrap(), code)
}
