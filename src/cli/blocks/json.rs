//! Blocks as one JSON object.

use serde_json::{Map, Value, json};

use super::super::{Console, Controls, Failure, write_json};
use super::arguments::Config;
use super::text::ReadOn;
use super::{Chosen, Session};
use crate::inspect::{BlockView, ContentError, Omission, Source};

/// Prints the object that holds the blocks.
pub(super) fn print(
    session: &Session,
    blocks: Vec<Value>,
    console: &mut Console,
) -> Result<(), Failure> {
    let top = json!({ "terminalId": session.id.as_str(), "blocks": blocks });
    Ok(write_json(console.out(), &top, false, Controls::Shown)?)
}

/// One block; a block that cannot be read has `error` in place of its text.
pub(super) fn object(
    session: &Session,
    chosen: &Chosen<'_>,
    result: &Result<BlockView, ContentError>,
    config: &Config,
) -> Value {
    let block = &chosen.selected.block;
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.into(), value);
    };
    set("blockId", block.id().map_or(Value::Null, Value::String));
    set("index", chosen.live.map_or_else(|| json!(block.index()), |_| Value::Null));
    set("type", json!(block.kind().to_string()));
    let view = match result {
        Ok(view) => view,
        Err(error) => {
            set("error", json!(error.to_string()));
            return Value::Object(object);
        }
    };
    set(
        "source",
        match &view.source {
            Source::Manifest => json!("manifest.rawBlock"),
            Source::File(path) => json!(path.to_string_lossy()),
        },
    );
    for key in ["snapshotFormat", "cols", "rows", "snapshotLength", "messageKey"] {
        set(key, block.value(key));
    }
    if let Some(alternate) = view.alternate {
        set("alternateScreen", json!(alternate));
    }
    if let Some(live) = chosen.live {
        set("live", json!(true));
        set("droppedEvents", json!(live.dropped.events));
        set("droppedBytes", json!(live.dropped.bytes));
    }
    let (start, end) = view.shown_lines();
    set("totalLines", json!(view.total_lines));
    set("lineStart", json!(start));
    set("lineEnd", json!(end));
    match view.omission {
        Some(Omission::Nothing | Omission::NoSnapshot) => set("omitted", Value::Null),
        Some(Omission::Lines { first, last }) => set("omitted", json!({"lines": [first, last]})),
        Some(Omission::Units(count)) => set("omitted", json!({"utf16Units": count})),
        None => {}
    }
    set("truncated", json!(view.rest.is_some()));
    set("text", json!(view.text));
    if let Some(rest) = view.rest {
        let ReadOn { selector, command } = ReadOn::new(session, chosen, rest, config);
        let (lines, chars) = (rest.lines, rest.chars);
        set(
            "rest",
            json!({"lines": lines, "chars": chars, "selector": selector, "command": command}),
        );
    }
    Value::Object(object)
}
