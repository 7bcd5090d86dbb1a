//! Asking many hosts the same, some of which may not answer.
//!
//! All are asked before any answer is read, and they share one deadline: a host that is stopped, or
//! that waits for a disk, costs the others nothing.

use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::exchange::{LONGEST_ANSWER, send};
use super::runtime::AgentFolder;
use super::wire::{Answer, Call, Value};

/// How long all of them may take together.
const PATIENCE: Duration = Duration::from_secs(2);
/// Least time for one answer, so that those behind a slow one are read that are there already.
const LEAST: Duration = Duration::from_millis(1);
/// Hosts asked at a time; each of them is a descriptor.
const MOST_AT_ONCE: usize = 128;

/// A terminal, in the folder of its agent.
pub(super) type Place<'a> = (&'a AgentFolder, String);

/// Asks them all: what each answered, or none where it is there and has not answered. Those that
/// are gone meanwhile, or refuse, are left out.
pub(super) fn ask_all<'a>(places: Vec<Place<'a>>, call: &Call) -> Vec<(Place<'a>, Option<Value>)> {
    let mut heard = Vec::with_capacity(places.len());
    let mut places = places.into_iter().peekable();
    while places.peek().is_some() {
        let asked: Vec<_> = places.by_ref().take(MOST_AT_ONCE).filter_map(asker(call)).collect();
        let deadline = Instant::now() + PATIENCE;
        for (place, stream) in asked {
            let stream = match stream {
                Some(stream) => Ok(stream),
                // So many are before it that it may only be busy.
                None => place.0.connect(&place.1, deadline, || true).and_then(said(call)),
            };
            let line = stream.and_then(|stream| read_by(&stream, deadline));
            match line.map(|line| serde_json::from_slice(&line)) {
                Ok(Ok(Answer::Done(value))) => heard.push((place, Some(value))),
                Ok(Ok(Answer::Error(_))) => {}
                Err(error) if is_late(&error) => heard.push((place, None)),
                // It lets nobody in, or it is gone.
                _ if place.0.is_there(&place.1) => heard.push((place, None)),
                _ => {}
            }
        }
    }
    heard
}

/// Asks a host that takes it at once; no connection to one that is there and does not.
fn asker<'a>(call: &Call) -> impl FnMut(Place<'a>) -> Option<(Place<'a>, Option<UnixStream>)> {
    move |place| match place.0.connect_now(&place.1).and_then(said(call)) {
        Ok(stream) => Some((place, Some(stream))),
        Err(error) if is_late(&error) || place.0.is_there(&place.1) => Some((place, None)),
        Err(_) => None,
    }
}

fn said(call: &Call) -> impl Fn(UnixStream) -> io::Result<UnixStream> {
    move |stream| send(&stream, call).map(|()| stream)
}

/// All that comes until the end of the connection.
fn read_by(mut stream: &UnixStream, deadline: Instant) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(LEAST)))?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(line),
            Ok(count) => line.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if line.len() as u64 > LONGEST_ANSWER {
            return Err(ErrorKind::InvalidData.into());
        }
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
