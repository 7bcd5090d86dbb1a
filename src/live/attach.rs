//! A person joins a terminal with their own.

use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, poll};

use crate::pty::{Caught, RawMode, Signals, window_size};
use crate::record::{HotKey, HotKeyFilter, show, undo};
use crate::screen::{Screen, Scrollback, Size};

/// Shows what a terminal shows and types what is typed, until the terminal ends or the person
/// leaves by the key. `read_only` types nothing. The size that the person gave the terminal last.
///
/// # Errors
/// Stdin is no terminal, or the host is gone.
pub fn look_on(
    mut stream: BufReader<UnixStream>,
    read_only: bool,
    leave: HotKey,
) -> io::Result<Option<Size>> {
    let mut signals = Signals::catch()?;
    let outer = RawMode::enter()?;
    let mut size = window_size(rustix::stdio::stdin()).unwrap_or(Size { cols: 80, rows: 24 });
    // What it left on is to be switched off at the end.
    let mut screen = Screen::new(size, Scrollback::Rows(0));
    if !read_only {
        resize(stream.get_ref(), size)?;
    }
    let mut keys = HotKeyFilter::new(leave);
    let mut buffer = [0; 16 * 1024];
    let result = loop {
        // What came with the answer is in the reader, and no descriptor says so.
        if stream.buffer().is_empty() {
            let mut polled = [
                PollFd::new(&signals, PollFlags::IN),
                PollFd::from_borrowed_fd(rustix::stdio::stdin(), PollFlags::IN),
                PollFd::new(stream.get_ref(), PollFlags::IN),
            ];
            match poll(&mut polled, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => break Err(error.into()),
            }
            let ready = polled.map(|fd| !fd.revents().is_empty());
            if ready[0] {
                match must_end(&mut signals, stream.get_ref(), read_only, &mut size) {
                    Ok(false) => {}
                    over => break over.map(drop),
                }
            }
            if ready[1] {
                match type_keys(stream.get_ref(), &mut keys, read_only, &mut buffer) {
                    Ok(false) => {}
                    over => break over.map(drop),
                }
            }
            if !ready[2] {
                continue;
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(count) => {
                screen.feed(&buffer[..count]);
                show(&buffer[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    undo(screen.modes(), screen.is_alternate());
    drop(outer);
    result.map(|()| (!read_only).then_some(size))
}

/// Whether a signal says that it is over.
fn must_end(
    signals: &mut Signals,
    stream: &UnixStream,
    read_only: bool,
    size: &mut Size,
) -> io::Result<bool> {
    for caught in signals.take() {
        match caught {
            Caught::Resize if !read_only => {
                if let Some(now) = window_size(rustix::stdio::stdin()) {
                    *size = now;
                    resize(stream, now)?;
                }
            }
            Caught::Hangup | Caught::Terminate | Caught::Interrupt | Caught::Quit => {
                return Ok(true);
            }
            _ => {}
        }
    }
    Ok(false)
}

/// Hands on what was typed; whether it was the key to leave with.
fn type_keys(
    stream: &UnixStream,
    keys: &mut HotKeyFilter,
    read_only: bool,
    buffer: &mut [u8],
) -> io::Result<bool> {
    let count = match rustix::io::read(rustix::stdio::stdin(), &mut *buffer) {
        Ok(count) => count,
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let mut typed = Vec::new();
    // What was typed before the key is for the program, what was typed after it is not.
    let has_left = buffer[..count].iter().any(|&byte| keys.feed(&[byte], &mut typed) > 0);
    if !read_only && !typed.is_empty() {
        frame(stream, b'i', &typed)?;
    }
    Ok(count == 0 || has_left)
}

fn resize(stream: &UnixStream, size: Size) -> io::Result<()> {
    let [a, b] = size.cols.to_be_bytes();
    let [c, d] = size.rows.to_be_bytes();
    frame(stream, b'r', &[a, b, c, d])
}

fn frame(mut stream: &UnixStream, kind: u8, data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(io::Error::other)?;
    let mut bytes = vec![kind];
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(data);
    stream.write_all(&bytes)
}
