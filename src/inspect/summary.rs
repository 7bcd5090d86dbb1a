//! The flow of a session as JSON: what each block is, and how it begins.

use serde_json::{Map, Value, json};

use super::content::{Content, Rendering, lines};
use crate::artifact::records::EXTRA_KEYS;
use crate::artifact::{Block, BlockKind, Manifest};
use crate::text;

/// What a summary holds.
#[derive(Clone, Copy, Debug)]
pub struct SummaryOptions<'a> {
    /// Only blocks behind this position.
    pub after: Option<usize>,
    /// Only blocks in front of this position.
    pub before: Option<usize>,
    /// Only blocks of these kinds, where there are any.
    pub kinds: &'a [BlockKind],
    /// Only the last so many of those.
    pub recent: Option<usize>,
    /// Code points of a snapshot's text to show.
    pub preview_chars: usize,
    /// Adds what a reader needs to choose lines.
    pub details: bool,
    /// How snapshots become text.
    pub rendering: Rendering,
}

/// The summary of a session; `terminal` stands in where the manifest names no terminal.
pub fn summary(manifest: &Manifest, terminal: &str, options: &SummaryOptions<'_>) -> Value {
    let (after, before) = (options.after.unwrap_or(0), options.before.unwrap_or(usize::MAX));
    let is_kind =
        |block: &Block<'_>| options.kinds.is_empty() || options.kinds.contains(&block.kind());
    let blocks = manifest.blocks_between(after, before).rev().filter(is_kind);
    let mut blocks: Vec<_> = blocks.take(options.recent.unwrap_or(usize::MAX)).collect();
    blocks.reverse();
    let session = blocks.last().and_then(|block| block.text("sessionId"));
    let mut top = Map::new();
    top.insert("terminalId".into(), terminal_id(manifest, terminal));
    top.insert("sessionId".into(), session.map_or(Value::Null, |id| json!(id)));
    if options.details {
        top.insert("createdAt".into(), manifest.value("createdAt"));
        top.insert("updatedAt".into(), manifest.value("updatedAt"));
        top.insert("blockCount".into(), json!(manifest.block_count()));
    }
    let entries = blocks.iter().map(|block| entry(manifest, block, options));
    top.insert("blocks".into(), entries.collect());
    Value::Object(top)
}

/// The manifest's own id where it has one that Python calls true, else the one asked for.
fn terminal_id(manifest: &Manifest, terminal: &str) -> Value {
    let own = manifest.value("terminalId");
    let has_one = match &own {
        Value::Null | Value::Bool(false) => false,
        Value::String(id) => !id.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Bool(true) => true,
    };
    if has_one { own } else { json!(terminal) }
}

fn entry(manifest: &Manifest, block: &Block<'_>, options: &SummaryOptions<'_>) -> Value {
    let kind = block.kind();
    let mut entry = Map::new();
    entry.insert("index".into(), json!(block.index()));
    entry.insert("blockId".into(), block.value("blockId"));
    entry.insert("type".into(), json!(kind.to_string()));
    let mut add = |keys: &[&str]| {
        for key in keys {
            insert_filled(&mut entry, key, block.value(key));
        }
    };
    match kind {
        BlockKind::Snapshot => {
            add(&["captureKind", "stepId"]);
            preview(manifest, block, options, &mut entry);
        }
        BlockKind::Plan => {
            add(&["contextNote", "leadingMarkdown"]);
            insert_filled(&mut entry, "steps", items(block, "steps", step));
            insert_filled(&mut entry, "stepActions", items(block, "stepActions", step_action));
            insert_filled(&mut entry, "stepFeedback", items(block, "stepFeedback", step_feedback));
            insert_filled(&mut entry, "trailingMarkdown", block.value("trailingMarkdown"));
        }
        BlockKind::NeedInput => {
            add(&["question", "contextNote", "leadingMarkdown", "trailingMarkdown"]);
        }
        BlockKind::Complete => add(&["message", "leadingMarkdown", "trailingMarkdown"]),
        BlockKind::Other(_) => {}
    }
    Value::Object(entry)
}

fn preview(
    manifest: &Manifest,
    block: &Block<'_>,
    options: &SummaryOptions<'_>,
    entry: &mut Map<String, Value>,
) {
    let detailed = if options.details {
        detailed_preview(manifest, block, options, entry)
    } else {
        Content::preview(manifest, block, options.rendering, options.preview_chars)
            .map_err(|error| error.to_string())
    };
    match detailed {
        Ok(preview) => entry.insert("snapshotPreview".into(), json!(preview)),
        Err(error) => entry.insert("snapshotPreviewError".into(), json!(error)),
    };
    if !options.details {
        return;
    }
    // The figures stand behind the preview they belong to.
    for key in ["lines", "chars", "previewTruncated"] {
        if let Some(figure) = entry.shift_remove(key) {
            entry.insert(key.into(), figure);
        }
    }
    for key in ["cols", "rows", "createdAt"] {
        entry.insert(key.into(), block.value(key));
    }
    if let Some(alternate) = entry.shift_remove("alternateScreen") {
        entry.insert("alternateScreen".into(), alternate);
    }
    for key in EXTRA_KEYS {
        insert_filled(entry, key, block.value(key));
    }
}

fn detailed_preview(
    manifest: &Manifest,
    block: &Block<'_>,
    options: &SummaryOptions<'_>,
    entry: &mut Map<String, Value>,
) -> Result<String, String> {
    let content = Content::read(manifest, block, options.rendering);
    let content = content.map_err(|error| error.to_string())?;
    let preview = text::prefix(&content.text, options.preview_chars);
    entry.insert("lines".into(), json!(lines(&content.text, options.rendering).len()));
    entry.insert("chars".into(), json!(content.text.chars().count()));
    entry.insert("previewTruncated".into(), json!(preview.len() < content.text.len()));
    if let Some(alternate) = content.alternate {
        entry.insert("alternateScreen".into(), json!(alternate));
    }
    Ok(preview.to_owned())
}

/// The entries of a list that are objects, each made over; null where nothing is left.
fn items(block: &Block<'_>, key: &str, make: fn(&Map<String, Value>) -> Value) -> Value {
    match block.value(key) {
        Value::Array(items) => items.iter().filter_map(Value::as_object).map(make).collect(),
        _ => Value::Null,
    }
}

fn step(step: &Map<String, Value>) -> Value {
    let always = ["stepId", "command", "risk", "nextAction"];
    pick(step, &always, &["stepGoal", "cwd", "shell", "explanation", "contextNote"])
}

fn step_action(action: &Map<String, Value>) -> Value {
    pick(action, &["stepId", "decision"], &["reason"])
}

fn step_feedback(feedback: &Map<String, Value>) -> Value {
    let filled: &[&str] = match feedback.get("kind").and_then(Value::as_str) {
        Some("execution") => &["status", "exitCode", "cwdAfter", "outputSummary", "errorSummary"],
        Some("rejection") => &["reason"],
        _ => &[],
    };
    pick(feedback, &["kind", "stepId"], filled)
}

/// The `always` keys, null where missing, then those of `filled` that say something.
fn pick(from: &Map<String, Value>, always: &[&str], filled: &[&str]) -> Value {
    let value = |key: &&str| from.get(*key).cloned().unwrap_or(Value::Null);
    let mut picked = Map::new();
    for key in always {
        picked.insert((*key).into(), value(key));
    }
    for key in filled {
        insert_filled(&mut picked, key, value(key));
    }
    Value::Object(picked)
}

/// Leaves out nulls, blank strings and empty lists.
fn insert_filled(map: &mut Map<String, Value>, key: &str, value: Value) {
    let says_nothing = match &value {
        Value::Null => true,
        Value::String(string) => text::strip(string).is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    if !says_nothing {
        map.insert(key.into(), value);
    }
}
