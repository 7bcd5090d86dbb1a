//! Block records as they are written: every key that codex-deck knows, in its order.

use serde_json::{Map, Value};

/// The format of the snapshots that this crate writes.
pub const SNAPSHOT_FORMAT: &str = "xterm-serialize-v1";

/// The parts of a record that the store decides when it writes the block.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// The block's id.
    pub block_id: String,
    /// The terminal it belongs to.
    pub terminal_id: String,
    /// Its place among the terminal's blocks.
    pub sequence: u64,
    /// RFC 3339, for both times of the record.
    pub time: String,
}

/// What is known about a frozen screen beside its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotFacts {
    /// The Codex thread.
    pub session_id: String,
    /// What it was a step of, or the job that it was.
    pub step_id: Option<String>,
    /// Columns when frozen.
    pub cols: u16,
    /// Rows when frozen.
    pub rows: u16,
    /// Length of the data in UTF-16 code units.
    pub length: u64,
    /// Keys of ours; each is written only when it says something.
    pub extras: Extras,
}

/// The names of [`Extras`] in a record, in the order in which they are shown.
pub const EXTRA_KEYS: [&str; 9] = [
    "command",
    "exitCode",
    "cwd",
    "startedAt",
    "endedAt",
    "droppedRows",
    "droppedEvents",
    "droppedBytes",
    "recovered",
];

/// Keys that codex-deck does not know and that no reader may need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// What was run.
    pub command: Option<String>,
    /// How it ended.
    pub exit_code: Option<i64>,
    /// Where it ran.
    pub cwd: Option<String>,
    /// When the block's output began, RFC 3339.
    pub started_at: Option<String>,
    /// When it ended, RFC 3339.
    pub ended_at: Option<String>,
    /// Rows that were no longer in the scrollback when the screen was frozen.
    pub dropped_rows: u64,
    /// Events of output that were lost before the block was made from the rest.
    pub dropped_events: u64,
    /// Bytes of output in them.
    pub dropped_bytes: u64,
    /// Whether the block was made from what a dead recorder left.
    pub recovered: bool,
}

/// Where a block's snapshot lies in the terminal's folder.
pub fn snapshot_path(block_id: &str) -> String {
    format!("blocks/{block_id}.snapshot")
}

/// The record of a snapshot block.
pub fn snapshot_record(stamp: &Stamp, facts: &SnapshotFacts) -> Value {
    let mut record = Map::new();
    let mut set = |key: &str, value: Value| {
        record.insert(key.to_owned(), value);
    };
    set("blockId", stamp.block_id.as_str().into());
    set("terminalId", stamp.terminal_id.as_str().into());
    set("sessionId", facts.session_id.as_str().into());
    set("type", "terminal_snapshot".into());
    set("sequence", stamp.sequence.into());
    set("createdAt", stamp.time.as_str().into());
    set("updatedAt", stamp.time.as_str().into());
    set("messageKey", Value::Null);
    set("stepId", facts.step_id.as_deref().map_or(Value::Null, Value::from));
    set("snapshotPath", snapshot_path(&stamp.block_id).into());
    set("snapshotFormat", SNAPSHOT_FORMAT.into());
    set("cols", facts.cols.into());
    set("rows", facts.rows.into());
    set("snapshotLength", facts.length.into());
    set("captureKind", "manual".into());
    for key in MESSAGE_KEYS {
        set(key, Value::Null);
    }
    facts.extras.write(set);
    Value::Object(record)
}

/// Keys that only message blocks fill.
const MESSAGE_KEYS: [&str; 9] = [
    "leadingMarkdown",
    "trailingMarkdown",
    "rawBlock",
    "contextNote",
    "message",
    "question",
    "steps",
    "stepActions",
    "stepFeedback",
];

impl Extras {
    fn write(&self, mut set: impl FnMut(&str, Value)) {
        let texts = [
            ("command", &self.command),
            ("cwd", &self.cwd),
            ("startedAt", &self.started_at),
            ("endedAt", &self.ended_at),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                set(key, text.as_str().into());
            }
        }
        if let Some(code) = self.exit_code {
            set("exitCode", code.into());
        }
        let counts = [
            ("droppedRows", self.dropped_rows),
            ("droppedEvents", self.dropped_events),
            ("droppedBytes", self.dropped_bytes),
        ];
        for (key, count) in counts {
            if count > 0 {
                set(key, count.into());
            }
        }
        if self.recovered {
            set("recovered", true.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(extras: Extras) -> Vec<String> {
        let stamp = Stamp {
            block_id: "block-1".to_owned(),
            terminal_id: "t".to_owned(),
            sequence: 1,
            time: "2026-05-01T10:00:00.000Z".to_owned(),
        };
        let facts = SnapshotFacts { extras, ..SnapshotFacts::default() };
        let record = snapshot_record(&stamp, &facts);
        record.as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn every_known_key_is_there_in_order() {
        let known = "blockId terminalId sessionId type sequence createdAt updatedAt messageKey \
            stepId snapshotPath snapshotFormat cols rows snapshotLength captureKind \
            leadingMarkdown trailingMarkdown rawBlock contextNote message question steps \
            stepActions stepFeedback";
        let known: Vec<_> = known.split_whitespace().collect();
        assert_eq!(keys(Extras::default()), known);
        let more = keys(Extras { exit_code: Some(0), dropped_rows: 3, ..Extras::default() });
        assert_eq!(more[..known.len()], known);
        assert_eq!(more[known.len()..], ["exitCode", "droppedRows"]);
        let text = || Some("x".to_owned());
        let all = Extras {
            command: text(),
            exit_code: Some(1),
            cwd: text(),
            started_at: text(),
            ended_at: text(),
            dropped_rows: 1,
            dropped_events: 1,
            dropped_bytes: 1,
            recovered: true,
        };
        let mut written = keys(all).split_off(known.len());
        let mut named = EXTRA_KEYS.map(str::to_owned).to_vec();
        written.sort();
        named.sort();
        assert_eq!(written, named);
    }
}
