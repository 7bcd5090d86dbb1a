//! A pseudoterminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::size::set_window_size;
use crate::screen::Size;

/// Bytes of output at once after which there is probably more.
pub const MUCH_OUTPUT: u64 = 1024;
/// How often others may go first; all of it is about 0.1 ms.
const MOST_YIELDS: usize = 200;

/// Both ends of a pseudoterminal.
///
/// Our end never blocks. The program's end stays open here until [`Self::let_go`]: until then no
/// read says that nobody is left, and on macOS nothing that was printed is thrown away when the
/// program closes its last copy.
#[derive(Debug)]
pub struct Pty {
    master: File,
    slave: Option<File>,
    path: PathBuf,
}

impl Pty {
    /// A new one of this size.
    ///
    /// # Errors
    /// The system has none to give.
    pub fn open(size: Size) -> io::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        // Not every system takes the flag when it opens.
        fcntl_setfd(&master, FdFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let path = slave_path(&master)?;
        let slave = File::options()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NOCTTY.bits().cast_signed())
            .open(&path)?;
        set_window_size(&master, size)?;
        ioctl_fionbio(&master, true)?;
        Ok(Self { master: File::from(master), slave: Some(slave), path })
    }

    /// Our end.
    pub fn master(&self) -> &File {
        &self.master
    }

    /// A copy of the program's end, while it is open here.
    pub(super) fn slave(&self) -> io::Result<OwnedFd> {
        match &self.slave {
            Some(slave) => Ok(slave.try_clone()?.into()),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Closes the program's end here. When nobody else has it open, reads come to an end.
    pub fn let_go(&mut self) {
        self.slave = None;
    }

    /// Whether there is output to read, or the end of it.
    ///
    /// What a program printed before it was seen to do something is seen here once it did that.
    pub fn has_output(&self) -> bool {
        let mut polled = [PollFd::new(&self.master, PollFlags::IN)];
        poll(&mut polled, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Lets others run until the system has brought more output, or for so long that there is
    /// probably none. To be called before another read when the last one was full of output.
    ///
    /// Linux has a worker that brings 4 KiB at a time, and a read that finds nothing sleeps until it
    /// is through. In a flood those are 25,000 sleeps for 100 MB, and to be woken from one may take
    /// longer than the read: giving way made such a flood a fifth faster.
    pub fn give_way(&self) {
        for _ in 0..MOST_YIELDS {
            match rustix::io::ioctl_fionread(&self.master) {
                Ok(ready) if ready < MUCH_OUTPUT => std::thread::yield_now(),
                _ => return,
            }
        }
    }

    /// How many bytes were typed that no program has read; whole lines only where lines count.
    pub fn unread_input(&self) -> Option<u64> {
        rustix::io::ioctl_fionread(self.slave.as_ref()?).ok()
    }

    /// The name of the program's end.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl AsFd for Pty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.master.as_fd()
    }
}

fn slave_path(master: &OwnedFd) -> io::Result<PathBuf> {
    let name = ptsname(master, Vec::new())?;
    Ok(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}
