//! What people are told of a block beside its text.

use serde_json::Value;

use crate::artifact::{Block, BlockKind};
use crate::render::html::Fact;

/// A word for a kind.
pub(super) fn kind_word(kind: &BlockKind) -> String {
    match kind {
        BlockKind::Snapshot => "screen".to_owned(),
        BlockKind::Plan => "plan".to_owned(),
        BlockKind::NeedInput => "question".to_owned(),
        BlockKind::Complete => "answer".to_owned(),
        BlockKind::Other(word) => word.clone(),
    }
}

/// The heading of a block: its position, or `place` where it has none, its kind and its id.
pub(super) fn heading(block: &Block<'_>, place: Option<&str>) -> String {
    let place = place.map_or_else(|| block.index().to_string(), str::to_owned);
    let mut heading = format!("{place}. {}", kind_word(&block.kind()));
    if let Some(id) = block.id() {
        heading.push(' ');
        heading.push_str(&id);
    }
    heading
}

/// The command that a block is the output of, how it ended, where and when that was.
pub(super) fn facts(block: &Block<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(command) = block.text("command") {
        facts.push(Fact::Plain(format!("$ {command}")));
    }
    if let Some(code) = exit_code(block) {
        let text = format!("exit code {code}");
        facts.push(if code == 0 { Fact::Good(text) } else { Fact::Bad(text) });
    }
    if let Some(cwd) = block.text("cwd") {
        facts.push(Fact::Plain(format!("in {cwd}")));
    }
    if let Some(time) = block.time("createdAt") {
        facts.push(Fact::Plain(time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()));
    }
    facts
}

/// How the command of a block ended.
pub(super) fn exit_code(block: &Block<'_>) -> Option<i64> {
    match block.value("exitCode") {
        Value::Number(code) => code.as_i64(),
        _ => None,
    }
}
