//! A pseudoterminal, or pipes in its place.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{QueueSelector, tcflush};

use super::size::set_window_size;
use crate::screen::Size;

/// Bytes of output at once after which there is probably more.
pub const MUCH_OUTPUT: u64 = 1024;
/// How often others may go first; all of it is about 0.1 ms.
const MOST_YIELDS: usize = 200;

/// Both ends of a pseudoterminal, or of two pipes where a program is to have none: one for its
/// input, one for its output and its errors, which so keep their order.
///
/// Our end never blocks. The program's end stays open here until [`Self::let_go`]: until then no
/// read says that nobody is left, and on macOS nothing that was printed is thrown away when the
/// program closes its last copy.
#[derive(Debug)]
pub struct Pty {
    master: File,
    keyboard: Keyboard,
    far: Option<Far>,
    path: PathBuf,
}

/// Where input goes in.
#[derive(Debug)]
enum Keyboard {
    /// Where output comes out, too.
    Master,
    Pipe(File),
    /// Nowhere: the program was told that its input is over.
    Closed,
}

/// The program's end.
#[derive(Debug)]
enum Far {
    Terminal(File),
    Pipes { input: OwnedFd, output: OwnedFd },
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
        let far = Some(Far::Terminal(slave));
        Ok(Self { master: File::from(master), keyboard: Keyboard::Master, far, path })
    }

    /// Pipes in its place.
    ///
    /// # Errors
    /// The system has none to give.
    pub fn pipes() -> io::Result<Self> {
        let (read_input, write_input) = io::pipe()?;
        let (read_output, write_output) = io::pipe()?;
        let ours = [OwnedFd::from(read_output), OwnedFd::from(write_input)];
        for end in &ours {
            ioctl_fionbio(end, true)?;
        }
        // The system's name for it, by which its readers are known; elsewhere than on Linux none.
        let name = format!("/proc/self/fd/{}", read_input.as_raw_fd());
        let [output, input] = ours.map(File::from);
        Ok(Self {
            master: output,
            keyboard: Keyboard::Pipe(input),
            far: Some(Far::Pipes { input: read_input.into(), output: write_output.into() }),
            path: std::fs::read_link(name).unwrap_or_default(),
        })
    }

    /// Whether it is pipes.
    pub fn is_pipes(&self) -> bool {
        !matches!(self.keyboard, Keyboard::Master)
    }

    /// Where input goes in, as long as the program may get any.
    pub fn keyboard(&self) -> Option<&File> {
        match &self.keyboard {
            Keyboard::Master => Some(&self.master),
            Keyboard::Pipe(pipe) => Some(pipe),
            Keyboard::Closed => None,
        }
    }

    /// Tells the program that its input is over, if its input is a pipe.
    pub fn close_pipe(&mut self) {
        if self.is_pipes() {
            self.keyboard = Keyboard::Closed;
        }
    }

    /// Our end.
    pub fn master(&self) -> &File {
        &self.master
    }

    /// Copies of the program's end, while it is open here: its input, output and errors.
    pub(super) fn stdio(&self) -> io::Result<[Stdio; 3]> {
        let (input, output) = match &self.far {
            Some(Far::Terminal(slave)) => (slave.as_fd(), slave.as_fd()),
            Some(Far::Pipes { input, output }) => (input.as_fd(), output.as_fd()),
            None => return Err(io::ErrorKind::NotConnected.into()),
        };
        let copy = |end: BorrowedFd<'_>| Ok::<_, io::Error>(Stdio::from(end.try_clone_to_owned()?));
        Ok([copy(input)?, copy(output)?, copy(output)?])
    }

    /// The program's end of a terminal, while it is open here.
    pub(super) fn far_terminal(&self) -> Option<BorrowedFd<'_>> {
        match &self.far {
            Some(Far::Terminal(slave)) => Some(slave.as_fd()),
            _ => None,
        }
    }

    /// Closes the program's end here. When nobody else has it open, reads come to an end.
    pub fn let_go(&mut self) {
        self.far = None;
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
        match (&self.keyboard, &self.far) {
            (Keyboard::Pipe(pipe), _) => rustix::io::ioctl_fionread(pipe).ok(),
            (_, Some(Far::Terminal(slave))) => rustix::io::ioctl_fionread(slave).ok(),
            _ => None,
        }
    }

    /// Throws away what was typed and no program has read.
    pub fn forget_input(&self) {
        if let Some(Far::Terminal(slave)) = &self.far {
            // Where that fails it is read, as it would have been.
            tcflush(slave, QueueSelector::IFlush).unwrap_or_default();
        }
    }

    /// The name of the program's end; of pipes that of its input, as the system shows it.
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
