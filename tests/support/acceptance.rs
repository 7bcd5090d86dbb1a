//! What codex-deck takes when it reads a session, written down apart from the code that writes.

use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value};

/// Keys that every block has, in the order in which codex-deck writes them.
const KEYS: [&str; 24] = [
    "blockId",
    "terminalId",
    "sessionId",
    "type",
    "sequence",
    "createdAt",
    "updatedAt",
    "messageKey",
    "stepId",
    "snapshotPath",
    "snapshotFormat",
    "cols",
    "rows",
    "snapshotLength",
    "captureKind",
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

/// Checks a session that only this crate wrote; its snapshot blocks, in their order.
#[track_caller]
pub fn accepted(folder: &Path) -> Vec<Map<String, Value>> {
    let text = std::fs::read_to_string(folder.join("session.json")).unwrap();
    let manifest: Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(text, serde_json::to_string_pretty(&manifest).unwrap(), "two blanks a level");
    let terminal = folder.file_name().unwrap().to_str().unwrap();
    assert_eq!(manifest["terminalId"], terminal);
    time(&manifest["createdAt"]);
    time(&manifest["updatedAt"]);
    let blocks = manifest["blocks"].as_array().unwrap();
    let blocks: Vec<_> = blocks.iter().map(|block| block.as_object().unwrap().clone()).collect();
    for block in &blocks {
        check(block, terminal, folder);
    }
    let order: Vec<_> = blocks
        .iter()
        .map(|block| {
            (block["sequence"].as_u64(), text_of(block, "createdAt"), text_of(block, "blockId"))
        })
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    blocks
}

/// The data of a snapshot block.
pub fn data(folder: &Path, block: &Map<String, Value>) -> String {
    std::fs::read_to_string(folder.join(text_of(block, "snapshotPath"))).unwrap()
}

fn check(block: &Map<String, Value>, terminal: &str, folder: &Path) {
    let keys: Vec<_> = block.keys().map(String::as_str).collect();
    assert_eq!(keys[..KEYS.len()], KEYS);
    assert_eq!(text_of(block, "terminalId"), terminal);
    assert!(!text_of(block, "sessionId").is_empty());
    assert_eq!(text_of(block, "type"), "terminal_snapshot");
    assert!(block["sequence"].as_u64().unwrap() >= 1);
    time(&block["createdAt"]);
    time(&block["updatedAt"]);
    for key in ["messageKey", "stepId"].iter().chain(&KEYS[15..]) {
        assert!(block[*key].is_null(), "{key}");
    }
    let id = text_of(block, "blockId");
    assert!(regex::Regex::new("^block-[0-9a-z]{8,}-[0-9a-z]{8}$").unwrap().is_match(id), "{id}");
    assert_eq!(text_of(block, "snapshotPath"), format!("blocks/{id}.snapshot"));
    assert_eq!(text_of(block, "snapshotFormat"), "xterm-serialize-v1");
    assert_eq!(text_of(block, "captureKind"), "manual");
    for key in ["cols", "rows"] {
        assert!((1..=65535).contains(&block[key].as_u64().unwrap()), "{key}");
    }
    let length = data(folder, block).encode_utf16().count();
    assert_eq!(block["snapshotLength"].as_u64(), Some(length as u64));
}

fn text_of<'a>(block: &'a Map<String, Value>, key: &str) -> &'a str {
    block[key].as_str().unwrap()
}

fn time(value: &Value) {
    let text = value.as_str().unwrap();
    let form = regex::Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap();
    assert!(form.is_match(text), "{text}");
    text.parse::<Timestamp>().unwrap();
}
