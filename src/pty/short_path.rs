//! Sockets in folders of any depth.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Calls `act` with a path to `name` in `folder` that fits into a socket's address, which is short.
pub(crate) fn at_short_path<T>(
    folder: &Path,
    name: &str,
    act: impl FnOnce(PathBuf) -> io::Result<T>,
) -> io::Result<T> {
    if !cfg!(target_os = "linux") {
        return act(folder.join(name));
    }
    let folder = File::open(folder)?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
    act(short.join(name))
}
