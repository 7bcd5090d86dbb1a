//! The record of one block.

use serde_json::{Map, Value};

use super::keys::{Rule, check_keys, kind_of, quoted, whole};
use super::time::strict_time;
use super::{Code, Findings, Place};
use crate::artifact::records::SNAPSHOT_FORMAT;
use crate::artifact::{Block, BlockKind};

/// Keys that every block has.
const KEYS: [(&str, Rule); 24] = [
    ("blockId", Rule::Id),
    ("terminalId", Rule::Id),
    ("sessionId", Rule::Id),
    (
        "type",
        Rule::Word(&[
            "terminal_snapshot",
            "ai_terminal_plan",
            "ai_terminal_need_input",
            "ai_terminal_complete",
        ]),
    ),
    ("sequence", Rule::Number),
    ("createdAt", Rule::Time),
    ("updatedAt", Rule::Time),
    ("messageKey", Rule::Text),
    ("stepId", Rule::Text),
    ("snapshotPath", Rule::Text),
    ("snapshotFormat", Rule::Text),
    ("cols", Rule::MaybeNumber),
    ("rows", Rule::MaybeNumber),
    ("snapshotLength", Rule::MaybeNumber),
    ("captureKind", Rule::Text),
    ("leadingMarkdown", Rule::Text),
    ("trailingMarkdown", Rule::Text),
    ("rawBlock", Rule::Text),
    ("contextNote", Rule::Text),
    ("message", Rule::Text),
    ("question", Rule::Text),
    ("steps", Rule::Array),
    ("stepActions", Rule::Array),
    ("stepFeedback", Rule::Array),
];
/// Where those begin that depend on the type of the block.
const BY_TYPE: usize = 7;

const SNAPSHOT: &[&str] =
    &["snapshotPath", "snapshotFormat", "cols", "rows", "snapshotLength", "captureKind"];
const MARKDOWN: [&str; 4] = ["leadingMarkdown", "trailingMarkdown", "rawBlock", "contextNote"];

/// What a type of block needs, and what it may have beside that.
fn needed_and_possible(kind: &BlockKind) -> Option<(&'static [&'static str], Vec<&'static str>)> {
    let markdown = |others: &[&'static str]| [&MARKDOWN, others].concat();
    Some(match kind {
        BlockKind::Snapshot => (SNAPSHOT, vec!["messageKey", "stepId"]),
        BlockKind::Plan => (&["messageKey", "steps"], markdown(&["stepActions", "stepFeedback"])),
        BlockKind::NeedInput => (&["messageKey", "question"], markdown(&[])),
        BlockKind::Complete => (&["messageKey", "message"], markdown(&[])),
        BlockKind::Other(_) => return None,
    })
}

/// Keys that a recorder may add.
const EXTRAS: [(&str, Extra); 9] = [
    ("command", Extra::Text),
    ("cwd", Extra::Text),
    ("startedAt", Extra::Time),
    ("endedAt", Extra::Time),
    ("exitCode", Extra::Integer),
    ("droppedRows", Extra::Count),
    ("droppedEvents", Extra::Count),
    ("droppedBytes", Extra::Count),
    ("recovered", Extra::Truth),
];

#[derive(Clone, Copy)]
enum Extra {
    Text,
    Time,
    Integer,
    Count,
    Truth,
}

/// The values of a block's known keys; keys that are not there are not in it.
pub(super) fn record(block: &Block<'_>) -> Map<String, Value> {
    let known = KEYS.iter().map(|(key, _)| *key).chain(EXTRAS.iter().map(|(key, _)| *key));
    known.filter(|key| block.has(key)).map(|key| (key.to_owned(), block.value(key))).collect()
}

/// Checks a record as far as it stands for itself.
pub(super) fn check(
    block: &Block<'_>,
    record: &Map<String, Value>,
    terminal: &str,
    place: &Place,
    findings: &mut Findings,
) {
    check_keys(record, &KEYS, &[], "", place, findings);
    if let Some(Value::String(found)) = record.get("terminalId")
        && found != terminal
        && !found.trim().is_empty()
    {
        let message = format!("{}, in the folder of {}", quoted(found), quoted(terminal));
        findings.add(Code::TerminalId, place.key("terminalId"), message);
    }
    id_form(block, place, findings);
    if let Some(value @ Value::Number(number)) = record.get("sequence")
        && whole(value).is_none_or(|number| number == 0)
    {
        let message = format!("{number} is not a whole number from 1 up");
        findings.add(Code::Sequence, place.key("sequence"), message);
    }
    by_type(&block.kind(), record, place, findings);
    if block.kind() == BlockKind::Snapshot {
        facts(block, record, place, findings);
    }
    extras(record, place, findings);
}

fn id_form(block: &Block<'_>, place: &Place, findings: &mut Findings) {
    let is_digits = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
    };
    if let Some(id) = block.text("blockId") {
        let parts = id.strip_prefix("block-").and_then(|rest| rest.split_once('-'));
        if !parts.is_some_and(|(time, random)| is_digits(time) && is_digits(random)) {
            let message = format!("{} is not block-TIME-RANDOM", quoted(&id));
            findings.add(Code::BlockIdForm, place.key("blockId"), message);
        }
    }
}

/// What this type of block must have, and must not have.
fn by_type(kind: &BlockKind, record: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    let Some((needed, possible)) = needed_and_possible(kind) else {
        return;
    };
    for (key, rule) in KEYS.iter().skip(BY_TYPE) {
        // What is missing or of another type was reported.
        let Some(value) = record.get(*key).filter(|value| rule.takes(value)) else {
            continue;
        };
        let is_blank =
            |text: &str| text.trim().is_empty() && !matches!(*key, "message" | "question");
        if needed.contains(key) {
            if value.is_null() || value.as_str().is_some_and(is_blank) {
                let what = if value.is_null() { "null" } else { "blank" };
                findings.add(
                    Code::KeyEmpty,
                    place.key(*key),
                    format!("{what}, where {kind} needs a value"),
                );
            }
        } else if !value.is_null() && !possible.contains(key) {
            let message = format!("{}, where {kind} has null", kind_of(value));
            findings.add(Code::KeyMisplaced, place.key(*key), message);
        }
    }
}

/// What a snapshot block says of its data.
fn facts(block: &Block<'_>, record: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    for (key, word) in [("snapshotFormat", SNAPSHOT_FORMAT), ("captureKind", "manual")] {
        if let Some(Value::String(found)) = record.get(key)
            && found != word
            && !found.trim().is_empty()
        {
            findings.add(
                Code::EnumValue,
                place.key(key),
                format!("{} is not {word}", quoted(found)),
            );
        }
    }
    for key in ["cols", "rows"] {
        if let Some(Value::Number(number)) = record.get(key)
            && block.dimension(key).is_none()
        {
            let message = format!("{number} is not a whole number from 1 to 65,535");
            findings.add(Code::SnapshotSize, place.key(key), message);
        }
    }
}

fn extras(record: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    for (key, extra) in EXTRAS {
        let Some(value) = record.get(key).filter(|value| !value.is_null()) else {
            continue;
        };
        let (fits, wanted) = match extra {
            Extra::Text => (value.is_string(), "a string"),
            Extra::Time => {
                (value.as_str().is_some_and(|text| strict_time(text).is_some()), "a time")
            }
            Extra::Integer => (value.as_i64().is_some(), "a whole number"),
            Extra::Count => (whole(value).is_some(), "a whole number from 0 up"),
            Extra::Truth => (value.is_boolean(), "true or false"),
        };
        if !fits {
            let message = format!("{}, where {wanted} belongs", shown(value));
            findings.add(Code::ExtraValue, place.key(key), message);
        }
    }
    let time = |key| record.get(key).and_then(Value::as_str).and_then(strict_time);
    if let (Some(start), Some(end)) = (time("startedAt"), time("endedAt"))
        && end < start
    {
        findings.add(Code::ExtraValue, place.key("endedAt"), "before startedAt");
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        other => kind_of(other).to_owned(),
    }
}
