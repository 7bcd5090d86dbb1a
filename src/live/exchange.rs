//! A request and its answer over one connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use super::wire::Call;

/// Longest answer that is taken, in bytes.
pub(super) const LONGEST_ANSWER: u64 = 64 << 20;

/// Sends a request.
pub(super) fn send(mut stream: &UnixStream, call: &Call) -> io::Result<()> {
    let mut line = serde_json::to_vec(call)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Sends a request and reads all of the answer. `WouldBlock` where either takes longer than the
/// stream's bounds.
pub(super) fn ask(stream: &UnixStream, call: &Call) -> io::Result<Vec<u8>> {
    send(stream, call)?;
    let mut line = Vec::new();
    stream.take(LONGEST_ANSWER).read_to_end(&mut line)?;
    if line.is_empty() {
        return Err(ended());
    }
    Ok(line)
}

/// Sends a request and reads the line that answers it. The host waits for a word then.
pub(super) fn ask_line(stream: &UnixStream, call: &Call) -> io::Result<Vec<u8>> {
    send(stream, call)?;
    let mut line = Vec::new();
    BufReader::new(stream).take(LONGEST_ANSWER).read_until(b'\n', &mut line)?;
    // Without its end it is a part only.
    if line.pop() != Some(b'\n') {
        return Err(ended());
    }
    Ok(line)
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "its host ended")
}
