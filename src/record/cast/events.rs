//! The events of versions 2 and 3, one a line.

use super::Stop;
use crate::record::byte_reader::Input;
use crate::record::json_stream::JsonStream;
use crate::record::opening::parse_size;
use crate::record::sink::Sink;
use crate::record::{ImportError, InputFault};

/// Codes, sizes and exit codes are short.
const SHORT: usize = 64 * 1024;

/// Plays all events after the header line. In version 3 times count from the event before, and
/// lines that start with `#` are comments.
pub(super) fn play(
    mut input: Input,
    is_three: bool,
    sink: &mut impl Sink,
) -> Result<(), ImportError> {
    let mut stream = JsonStream::by_line(&mut input.reader, 2);
    let mut clock = Clock { is_relative: is_three, now: 0.0 };
    loop {
        let line = stream.line;
        match play_line(&mut stream, is_three, &mut clock, sink) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            // A recorder that dies leaves a part of its last event: all before it is good.
            Err(Stop::Fault(InputFault::End)) => {
                sink.note(format!(
                    "{}: line {line}: the file ends inside an event; everything before that is imported",
                    input.name
                ));
                return Ok(());
            }
            Err(Stop::Fault(fault)) => return Err(fault.at(&input.name, line)),
            Err(Stop::Sink(error)) => return Err(error),
        }
    }
}

struct Clock {
    is_relative: bool,
    now: f64,
}

impl Clock {
    fn advance(&mut self, time: f64) -> f64 {
        self.now = if self.is_relative { self.now + time } else { time };
        self.now
    }
}

/// Plays one line; whether there are more.
fn play_line(
    stream: &mut JsonStream<'_>,
    has_comments: bool,
    clock: &mut Clock,
    sink: &mut impl Sink,
) -> Result<bool, Stop> {
    match stream.peek()? {
        None | Some(b'\n') => {}
        Some(b'#') if has_comments => stream.skip_line()?,
        Some(_) => event(stream, clock, sink)?,
    }
    Ok(stream.end_line()?)
}

fn event(stream: &mut JsonStream<'_>, clock: &mut Clock, sink: &mut impl Sink) -> Result<(), Stop> {
    stream.expect(b'[', "'['")?;
    let time = stream.number()?;
    sink.time(clock.advance(time));
    stream.expect(b',', "','")?;
    let code = stream.short_string("an event code", SHORT)?;
    match code.as_str() {
        "o" => {
            stream.expect(b',', "','")?;
            output(stream, sink)?;
        }
        "r" => {
            stream.expect(b',', "','")?;
            let size = stream.short_string("a string with a size", SHORT)?;
            sink.resize(parse_size(&size)?);
        }
        "x" if stream.accept(b',')? => exit(stream, sink)?,
        "m" => {
            rest(stream)?;
            sink.marker()?;
        }
        _ => rest(stream)?,
    }
    Ok(stream.expect(b']', "']'")?)
}

/// Plays a string of output, however long it is.
pub(super) fn output(stream: &mut JsonStream<'_>, sink: &mut impl Sink) -> Result<(), Stop> {
    stream.open_string("a string of output")?;
    let mut part = Vec::new();
    loop {
        let more = stream.string_part(&mut part);
        sink.output(&part)?;
        if !more? {
            return Ok(());
        }
    }
}

/// An exit status: a string by the book, a number elsewhere.
fn exit(stream: &mut JsonStream<'_>, sink: &mut impl Sink) -> Result<(), Stop> {
    match stream.peek()? {
        Some(b'"') => {
            let status = stream.short_string("an exit status", SHORT)?;
            if let Ok(code) = status.trim().parse() {
                sink.exit(code);
            }
        }
        Some(b'-' | b'0'..=b'9') => {
            let code = stream.number()?;
            // Saturates, which no exit status reaches.
            sink.exit(code as i64);
        }
        _ => stream.skip_value()?,
    }
    Ok(())
}

/// Steps over whatever else belongs to an event.
fn rest(stream: &mut JsonStream<'_>) -> Result<(), Stop> {
    while stream.accept(b',')? {
        stream.skip_value()?;
    }
    Ok(())
}
