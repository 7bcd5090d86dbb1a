//! Version 1: one JSON object with all of the output in an array.
//!
//! The size may stand behind the output, so the file is read twice: once to find and check
//! everything, once to play it.

use serde_json::Value;

use super::events::output;
use super::{Stop, header_size};
use crate::artifact::json;
use crate::record::byte_reader::Input;
use crate::record::json_stream::JsonStream;
use crate::record::opening::{Opening, SizeChoice};
use crate::record::sink::Sink;
use crate::record::{ImportError, InputFault};
use crate::screen::Size;

/// The members that say something beside the output are short.
const SHORT: usize = 1 << 20;

/// Checks all of the file and finds what its members say.
pub(super) fn scan(input: &mut Input, choice: SizeChoice) -> Result<Opening, ImportError> {
    let mut members = Members::default();
    let mut stream = JsonStream::new(&mut input.reader);
    let result = walk(&mut stream, &mut members, &mut Nothing);
    let line = stream.line;
    finish(result, &input.name, line)?;
    let version = members.version;
    if !members.has_output {
        return Err(InputFault::Expected("a \"stdout\" array").of(&input.name));
    }
    if super::whole_number(&version).is_some_and(|version| version != 1) {
        return Err(InputFault::Version(version.to_string()).of(&input.name));
    }
    let size = header_size(&members.width, &members.height, choice);
    Ok(Opening {
        command: members.command.as_str().map(str::to_owned),
        ..Opening::of(size.map_err(|fault| fault.of(&input.name))?)
    })
}

/// Plays the output.
pub(super) fn play(mut input: Input, sink: &mut impl Sink) -> Result<(), ImportError> {
    let mut stream = JsonStream::new(&mut input.reader);
    let result = walk(&mut stream, &mut Members::default(), sink);
    let line = stream.line;
    finish(result, &input.name, line)
}

fn finish(result: Result<(), Stop>, file: &str, line: u64) -> Result<(), ImportError> {
    result.map_err(|stop| match stop {
        Stop::Fault(fault) => fault.at(file, line),
        Stop::Sink(error) => error,
    })
}

#[derive(Default)]
struct Members {
    version: Value,
    width: Value,
    height: Value,
    command: Value,
    has_output: bool,
}

fn walk(
    stream: &mut JsonStream<'_>,
    members: &mut Members,
    sink: &mut impl Sink,
) -> Result<(), Stop> {
    stream.object(|key, stream| {
        let value = match key {
            "stdout" => {
                members.has_output = true;
                return frames(stream, sink);
            }
            "version" => &mut members.version,
            "width" => &mut members.width,
            "height" => &mut members.height,
            "command" => &mut members.command,
            _ => return Ok(stream.skip_value()?),
        };
        *value = short_value(stream)?;
        Ok(())
    })?;
    match stream.peek()? {
        None => Ok(()),
        Some(_) => Err(InputFault::Expected("the end of the file").into()),
    }
}

/// A string or a number; other values count as none.
fn short_value(stream: &mut JsonStream<'_>) -> Result<Value, InputFault> {
    match stream.peek()? {
        Some(b'"') => Ok(stream.short_string("a string", SHORT)?.into()),
        Some(b'-' | b'0'..=b'9') => {
            let number = stream.number()?;
            // Printed in messages, so without a fraction where there is none.
            Ok(json::read(&number.to_string()).unwrap_or(Value::Null))
        }
        _ => {
            stream.skip_value()?;
            Ok(Value::Null)
        }
    }
}

fn frames(stream: &mut JsonStream<'_>, sink: &mut impl Sink) -> Result<(), Stop> {
    let mut now = 0.0;
    stream.array(|stream| {
        stream.expect(b'[', "'['")?;
        now += stream.number()?;
        sink.time(now);
        stream.expect(b',', "','")?;
        output(stream, sink)?;
        Ok(stream.expect(b']', "']'")?)
    })
}

/// Takes everything and does nothing.
struct Nothing;

impl Sink for Nothing {
    fn time(&mut self, _seconds: f64) {}
    fn output(&mut self, _bytes: &[u8]) -> Result<(), ImportError> {
        Ok(())
    }
    fn resize(&mut self, _size: Size) {}
    fn marker(&mut self) -> Result<(), ImportError> {
        Ok(())
    }
    fn exit(&mut self, _code: i64) {}
    fn note(&mut self, _note: String) {}
}
