//! The ids that a session made up, and what stands for them.

use std::collections::BTreeMap;

use crate::artifact::Manifest;

/// Ids with their placeholders.
pub(super) type Ids = BTreeMap<String, String>;

/// All ids of a session. Placeholders count in the order of the blocks, so they are the same for
/// every recording of the same flow.
pub(super) fn of_session(manifest: &Manifest, terminal: &str) -> Ids {
    let mut ids = Ids::new();
    for block in manifest.blocks() {
        if let Some(id) = block.text("blockId") {
            ids.entry(id.into_owned()).or_insert_with(|| format!("<block-{}>", block.index()));
        }
    }
    for (key, name) in [("sessionId", "session"), ("messageKey", "message")] {
        let mut number = 0;
        for block in manifest.blocks() {
            if let Some(id) = block.text(key) {
                ids.entry(id.into_owned()).or_insert_with(|| {
                    number += 1;
                    format!("<{name}-{number}>")
                });
            }
        }
    }
    if let Some(own) = manifest.value("terminalId").as_str() {
        ids.insert(own.to_owned(), "<terminal>".to_owned());
    }
    ids.insert(terminal.to_owned(), "<terminal>".to_owned());
    ids
}
