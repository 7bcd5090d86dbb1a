//! Writing the events of an asciicast, version 2 or 3.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use crate::screen::Size;

/// Which version to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastFormat {
    /// Times since the start.
    V2,
    /// Times since the event before.
    V3,
}

/// An asciicast that is being written.
pub(super) struct CastWriter<W> {
    out: W,
    format: CastFormat,
    /// How long the recording that this goes on from was.
    before: Duration,
    /// When the last event was.
    last: Duration,
}

impl<W: Write> CastWriter<W> {
    pub(super) fn new(out: W, format: CastFormat, before: Duration) -> Self {
        Self { out, format, before, last: Duration::ZERO }
    }

    pub(super) fn format(&self) -> CastFormat {
        self.format
    }

    /// The first line.
    pub(super) fn header(&mut self, header: &Value) -> io::Result<()> {
        writeln!(self.out, "{header}")
    }

    pub(super) fn resize(&mut self, size: Size, at: Duration) -> io::Result<()> {
        self.event("r", &format!("{}x{}", size.cols, size.rows), at)
    }

    /// An event so long after the start, or where the one before it was later, as late as that.
    pub(super) fn event(&mut self, code: &str, data: &str, at: Duration) -> io::Result<()> {
        let at = at.max(self.last);
        let time = match self.format {
            CastFormat::V2 => {
                let at = self.before + at;
                format!("{}.{:06}", at.as_secs(), at.subsec_micros())
            }
            // Differences of rounded times: so their sum does not drift.
            CastFormat::V3 => {
                let interval = at.as_millis() - self.last.as_millis();
                format!("{}.{:03}", interval / 1000, interval % 1000)
            }
        };
        self.last = at;
        write!(self.out, "[{time}, \"{code}\", ")?;
        serde_json::to_writer(&mut self.out, data)?;
        self.out.write_all(b"]\n")
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
