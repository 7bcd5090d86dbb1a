//! What a session shows, as it is compared.

use serde_json::{Map, Value};

use super::{Filter, Normal};
use crate::artifact::records::EXTRA_KEYS;
use crate::artifact::{Block, BlockKind, Manifest};
use crate::inspect::{Content, ContentError, Rendering, SummaryOptions, summary};

/// Keys of a block that stand in the flow beside those of the summary, where they say something.
const KEYS: [&str; 6] = ["sessionId", "messageKey", "createdAt", "updatedAt", "cols", "rows"];

/// How a session becomes text that is the same for each recording of the same thing.
#[derive(Clone, Copy, Debug)]
pub struct ShotOptions<'a> {
    /// What becomes placeholders, before any filter.
    pub normal: &'a Normal,
    /// Applied in this order, to each block's text and to each text of the flow.
    pub filters: &'a [Filter],
}

/// The flow of a session and the texts of its blocks.
#[derive(Debug)]
pub struct Shot {
    /// What the blocks are.
    pub flow: Value,
    /// Their texts, in order.
    pub blocks: Vec<BlockText>,
}

/// The text of one block.
#[derive(Debug)]
pub struct BlockText {
    /// The block's position, counted from 1.
    pub index: usize,
    /// The name of its golden file.
    pub file: String,
    /// The text.
    pub text: String,
}

impl Shot {
    /// Reads the whole of a session.
    ///
    /// # Errors
    /// [`ContentError`] where a block has no text.
    pub fn take(
        manifest: &Manifest,
        terminal: &str,
        options: ShotOptions<'_>,
    ) -> Result<Self, ContentError> {
        let rendering = Rendering::Screen { squeeze: true };
        let mut blocks = Vec::new();
        for block in manifest.blocks() {
            let text = Content::read(manifest, &block, rendering)?.text;
            let text = filtered(&options.normal.text(&text), options.filters);
            blocks.push(BlockText { index: block.index(), file: file_name(&block), text });
        }
        let flow = flow(manifest, terminal, &blocks);
        let flow = filter_value(options.normal.value("", flow), options.filters);
        Ok(Self { flow, blocks })
    }
}

fn flow(manifest: &Manifest, terminal: &str, blocks: &[BlockText]) -> Value {
    let rendering = Rendering::Screen { squeeze: true };
    let options = SummaryOptions {
        after: None,
        before: None,
        kinds: &[],
        recent: None,
        preview_chars: 0,
        details: false,
        rendering,
    };
    let mut flow = summary(manifest, terminal, &options);
    if let Some(top) = flow.as_object_mut() {
        // Each block has its own.
        top.shift_remove("sessionId");
    }
    let entries = flow.get_mut("blocks").and_then(Value::as_array_mut);
    for ((entry, block), text) in entries.into_iter().flatten().zip(manifest.blocks()).zip(blocks) {
        let Some(entry) = entry.as_object_mut() else {
            continue;
        };
        let said = std::mem::take(entry);
        let (first, rest): (Map<_, _>, Map<_, _>) = said
            .into_iter()
            .partition(|(key, _)| matches!(key.as_str(), "index" | "blockId" | "type"));
        entry.extend(first);
        entry.insert("file".to_owned(), text.file.as_str().into());
        let values =
            KEYS.iter().chain(&EXTRA_KEYS).map(|key| ((*key).to_owned(), block.value(key)));
        entry.extend(values.filter(|(_, value)| !value.is_null()));
        entry.extend(rest.into_iter().filter(|(key, _)| key != "snapshotPreview"));
    }
    flow
}

/// A name that is the same for each recording, whatever the ids.
fn file_name(block: &Block<'_>) -> String {
    let kind = match block.kind() {
        BlockKind::Other(_) => "other".to_owned(),
        known => known.to_string(),
    };
    format!("{:03}-{kind}.txt", block.index())
}

fn filtered(text: &str, filters: &[Filter]) -> String {
    filters.iter().fold(text.to_owned(), |text, filter| filter.apply(&text).into_owned())
}

fn filter_value(value: Value, filters: &[Filter]) -> Value {
    match value {
        Value::String(text) => filtered(&text, filters).into(),
        Value::Array(items) => {
            items.into_iter().map(|item| filter_value(item, filters)).collect::<Vec<_>>().into()
        }
        Value::Object(members) => {
            let members =
                members.into_iter().map(|(key, value)| (key, filter_value(value, filters)));
            Value::Object(members.collect())
        }
        other => other,
    }
}
