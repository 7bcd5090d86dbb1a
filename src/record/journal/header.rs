//! What a journal says before its first event.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::Dropped;
use crate::artifact::{clock, ids, json as lenient};
use crate::home::TerminalId;
use crate::screen::{Scrollback, Size};

/// What is known about a recording when it begins.
#[derive(Clone, Debug)]
pub struct JournalHeader {
    /// The terminal that its blocks belong to.
    pub terminal_id: TerminalId,
    /// The Codex thread.
    pub session_id: String,
    /// The size of the terminal.
    pub size: Size,
    /// How many rows above the screen a block keeps.
    pub scrollback: Scrollback,
    /// What is recorded.
    pub command: Option<String>,
    /// Where it runs.
    pub cwd: Option<String>,
    /// When it began.
    pub started: Timestamp,
}

/// The first line of a segment.
///
/// To other programs it is the header of an asciicast of version 3 with one key that they do not
/// know.
#[derive(Clone, Debug)]
pub(super) struct SegmentHeader {
    /// The recording; size and start are those of this segment.
    pub(super) about: JournalHeader,
    /// The id of the block that will be made of this output, or was.
    pub(super) block_id: String,
    /// The oldest segment with output of that block.
    pub(super) first: u64,
    /// Output of that block in segments that were removed.
    pub(super) dropped: Dropped,
    /// Sequences that bring a fresh terminal into the state at the start of this segment.
    pub(super) prelude: String,
}

/// Longest command that a header says, in bytes.
const LONGEST_COMMAND: usize = 16 << 10;

/// Our own key.
const KEY: &str = "terminalSession";

impl SegmentHeader {
    /// The line, with its newline.
    pub(super) fn to_line(&self) -> String {
        let about = &self.about;
        let mut own = Map::new();
        let mut set = |key: &str, value: Value| {
            own.insert(key.to_owned(), value);
        };
        set("terminalId", about.terminal_id.as_str().into());
        set("sessionId", about.session_id.as_str().into());
        set("blockId", self.block_id.as_str().into());
        set("startedAt", clock::format_time(about.started).into());
        if let Some(cwd) = &about.cwd {
            set("cwd", cwd.as_str().into());
        }
        match about.scrollback {
            Scrollback::Rows(rows) => set("scrollback", rows.into()),
            Scrollback::Unlimited => set("scrollback", Value::Null),
        }
        set("firstSegment", self.first.into());
        set("droppedEvents", self.dropped.events.into());
        set("droppedBytes", self.dropped.bytes.into());
        if !self.prelude.is_empty() {
            set("prelude", self.prelude.as_str().into());
        }
        let mut header = json!({
            "version": 3,
            "term": {"cols": about.size.cols, "rows": about.size.rows},
            "timestamp": about.started.as_second(),
        });
        // One that is longer says nothing in a block either.
        if let Some(command) = about.command.as_ref().filter(|text| text.len() <= LONGEST_COMMAND) {
            header["command"] = command.as_str().into();
        }
        header[KEY] = Value::Object(own);
        format!("{header}\n")
    }

    /// What a line says, none where it is not one of ours.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let header = lenient::read(std::str::from_utf8(line).ok()?).ok()?;
        let own = header.get(KEY)?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let number = |key: &str| own[key].as_u64();
        let cell_count = |key: &str| u16::try_from(header["term"][key].as_u64()?).ok();
        Some(Self {
            about: JournalHeader {
                terminal_id: TerminalId::new(own["terminalId"].as_str()?).ok()?,
                session_id: text(&own["sessionId"])?,
                size: Size::new(cell_count("cols")?, cell_count("rows")?)?,
                scrollback: match &own["scrollback"] {
                    Value::Null => Scrollback::Unlimited,
                    rows => Scrollback::Rows(usize::try_from(rows.as_u64()?).ok()?),
                },
                command: text(&header["command"]),
                cwd: text(&own["cwd"]),
                started: own["startedAt"].as_str()?.parse().ok()?,
            },
            // It becomes the name of a file.
            block_id: text(&own["blockId"]).filter(|id| ids::is_plain(id))?,
            first: number("firstSegment")?,
            dropped: Dropped { events: number("droppedEvents")?, bytes: number("droppedBytes")? },
            prelude: text(&own["prelude"]).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_is_written() {
        let header = SegmentHeader {
            about: JournalHeader {
                terminal_id: TerminalId::new("t").unwrap(),
                session_id: "s \"quoted\"".to_owned(),
                size: Size { cols: 80, rows: 24 },
                scrollback: Scrollback::Unlimited,
                command: Some("make\n".to_owned()),
                cwd: None,
                started: Timestamp::from_millisecond(1_780_000_000_007).unwrap(),
            },
            block_id: "block-a-b".to_owned(),
            first: 3,
            dropped: Dropped { events: 2, bytes: 9 },
            prelude: "\x1b[?1049h".to_owned(),
        };
        let line = header.to_line();
        assert_eq!(line.matches('\n').count(), 1);
        let back = SegmentHeader::parse(line.as_bytes()).unwrap();
        assert_eq!(format!("{back:?}"), format!("{header:?}"));
        assert!(SegmentHeader::parse(b"{\"version\":3}").is_none());
    }
}
