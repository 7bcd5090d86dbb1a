//! Connecting to a host that may not take it.
//!
//! A host that is stopped takes nobody: once enough wait before its socket, the system lets the next
//! one wait without end.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::pty::at_short_path;

/// How long a wait goes on before it is looked whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Connects to the socket of this name in a folder by then, as long as it is wanted.
///
/// # Errors
/// The system's; `WouldBlock` where the host takes nobody until then.
pub(super) fn dial(
    folder: &Path,
    name: &str,
    deadline: Instant,
    is_wanted: impl Fn() -> bool,
) -> io::Result<UnixStream> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match at_short_path(folder, name, |path| connect(&path, left.min(LOOK))) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if left.is_zero() || !is_wanted() {
                    return Err(error);
                }
            }
            outcome => return outcome,
        }
    }
}

/// Connects within that time, at once where it is zero.
#[cfg(target_os = "linux")]
fn connect(path: &Path, most: Duration) -> io::Result<UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
    let kind = (AddressFamily::UNIX, SocketType::STREAM);
    let socket = rustix::net::socket_with(kind.0, kind.1, SocketFlags::CLOEXEC, None)?;
    let stream = UnixStream::from(socket);
    let address = SocketAddrUnix::new(path)?;
    if most.is_zero() {
        stream.set_nonblocking(true)?;
    } else {
        // The system has this for connecting too.
        stream.set_write_timeout(Some(most))?;
    }
    rustix::io::retry_on_intr(|| rustix::net::connect(&stream, &address))?;
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(None)?;
    Ok(stream)
}

/// Connects; elsewhere who is not taken at once is refused.
#[cfg(not(target_os = "linux"))]
fn connect(path: &Path, _: Duration) -> io::Result<UnixStream> {
    UnixStream::connect(path)
}

/// The process that listens at the other end, where the system tells.
pub(super) fn listener(stream: &UnixStream) -> Option<i32> {
    #[cfg(target_os = "linux")]
    {
        let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
        Some(peer.pid.as_raw_nonzero().get())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = stream;
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_socket_where_nobody_is_taken_keeps_nobody() {
        let place = tempfile::tempdir().unwrap();
        let listener_ = UnixListener::bind(place.path().join("s")).unwrap();
        rustix::net::listen(&listener_, 0).unwrap();
        let now = || dial(place.path(), "s", Instant::now(), || true);
        let first = now().unwrap();
        let refused = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        assert!(refused(now().unwrap_err()));
        // Nobody wants it any more, however long there would be time.
        let far = Instant::now() + Duration::from_secs(3600);
        assert!(refused(dial(place.path(), "s", far, || false).unwrap_err()));
        assert_eq!(listener(&first), Some(std::process::id().cast_signed()));
        // Who waits comes through once somebody is taken.
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| dial(place.path(), "s", far, || true));
            listener_.accept().unwrap();
            assert!(waiting.join().unwrap().is_ok());
        });
        assert_eq!(now().map(drop).map_err(|error| error.kind()), Err(io::ErrorKind::WouldBlock));
        drop(listener_);
        assert_eq!(now().unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }
}
