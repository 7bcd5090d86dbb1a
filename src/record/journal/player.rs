//! Drawing the events of a journal.

use std::io;

use super::Dropped;
use crate::record::InputFault;
use crate::record::byte_reader::ByteReader;
use crate::record::history::History;
use crate::record::json_stream::JsonStream;
use crate::record::opening::parse_size;
use crate::screen::Screen;

/// Codes and sizes are short.
const SHORT: usize = 1024;

/// A screen, and what else the events say.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) screen: Screen,
    /// Where rows beyond memory go; none where they stay in the screen.
    pub(super) history: Option<History>,
    /// Seconds since the start of the segment.
    pub(super) elapsed: f64,
    /// Output that the recorder could not write.
    pub(super) lost: Dropped,
    /// Lines that could not be read to their end.
    pub(super) damaged: u64,
    /// The text of an event, kept for its memory.
    part: Vec<u8>,
}

impl Player {
    pub(super) fn new(screen: Screen, history: Option<History>) -> Self {
        Self {
            screen,
            history,
            elapsed: 0.0,
            lost: Dropped::default(),
            damaged: 0,
            part: Vec::new(),
        }
    }

    /// Plays the events of a segment. A damaged line costs its own rest.
    pub(super) fn play(&mut self, reader: &mut ByteReader) -> io::Result<()> {
        self.elapsed = 0.0;
        let mut stream = JsonStream::by_line(reader, 2);
        loop {
            let more = match self.line(&mut stream) {
                Err(InputFault::End) => {
                    self.damaged += 1;
                    return Ok(());
                }
                Err(InputFault::Read(error)) => return Err(error),
                Err(_) => {
                    self.damaged += 1;
                    stream.skip_line().and_then(|()| stream.end_line())
                }
                more => more,
            };
            match more {
                Ok(true) => {}
                Ok(false) | Err(InputFault::End) => return Ok(()),
                Err(InputFault::Read(error)) => return Err(error),
                // Where a line was skipped, its end comes next.
                Err(fault) => return Err(io::Error::other(fault)),
            }
        }
    }

    /// Plays a line; whether there are more.
    fn line(&mut self, stream: &mut JsonStream<'_>) -> Result<bool, InputFault> {
        match stream.peek()? {
            None | Some(b'\n') => {}
            Some(b'#') => stream.skip_line()?,
            Some(_) => self.event(stream)?,
        }
        stream.end_line()
    }

    fn event(&mut self, stream: &mut JsonStream<'_>) -> Result<(), InputFault> {
        stream.expect(b'[', "'['")?;
        let interval = stream.number()?;
        stream.expect(b',', "','")?;
        let code = stream.short_string("an event code", SHORT)?;
        self.elapsed += interval;
        match code.as_str() {
            "o" => {
                stream.expect(b',', "','")?;
                self.output(stream)?;
            }
            "r" => {
                stream.expect(b',', "','")?;
                let size = parse_size(&stream.short_string("a size", SHORT)?)?;
                if size != self.screen.size() {
                    self.screen.resize(size);
                }
            }
            "lost" => {
                stream.expect(b',', "','")?;
                let counts = stream.short_string("two counts", SHORT)?;
                self.lost += parse_counts(&counts).ok_or(InputFault::Expected("two counts"))?;
            }
            _ => {
                while stream.accept(b',')? {
                    stream.skip_value()?;
                }
            }
        }
        stream.expect(b']', "']'")
    }

    fn output(&mut self, stream: &mut JsonStream<'_>) -> Result<(), InputFault> {
        stream.open_string("a string of output")?;
        loop {
            let more = stream.string_part(&mut self.part);
            self.screen.feed(&self.part);
            if let Some(history) = &mut self.history {
                history.relieve(&mut self.screen).1.map_err(InputFault::Read)?;
            }
            if !more? {
                return Ok(());
            }
        }
    }
}

fn parse_counts(text: &str) -> Option<Dropped> {
    let (events, bytes) = text.split_once(' ')?;
    Some(Dropped { events: events.parse().ok()?, bytes: bytes.parse().ok()? })
}
