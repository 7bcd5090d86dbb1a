//! The blocks of a session as an asciicast.
//!
//! That is no recording of how it came about, which blocks do not have: each screen is drawn at
//! once, at the time at which it was frozen, and ended by a marker with the block's id. So players
//! show the session block by block, and an import that freezes at markers makes the blocks again.

use std::io::{self, Write};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::cast_writer::{CastFormat, CastWriter};
use crate::artifact::{Block, BlockKind, Manifest};
use crate::inspect::{Content, ContentError};
use crate::screen::Size;
use crate::snapshot;
use crate::text;

/// Pauses between blocks that players cut to, in seconds.
const PAUSE: f64 = 3.0;
/// Characters of a marker.
const LABEL_CHARS: usize = 100;
/// The size where no block says one.
const SIZE: Size = Size { cols: 80, rows: 24 };
/// Begins again with an empty screen.
const RESET: &str = "\x1bc";

/// Writes the blocks of a session as an asciicast of version 3. A block whose snapshot cannot be
/// read is left out, and `refused` hears why.
///
/// # Errors
/// What writing returns.
pub fn export_cast(
    manifest: &Manifest,
    title: &str,
    out: impl Write,
    mut refused: impl FnMut(&ContentError),
) -> io::Result<()> {
    let start = manifest.blocks().find_map(|block| block.time("createdAt"));
    let mut size = manifest.blocks().find_map(|block| block.size()).unwrap_or(SIZE);
    let mut cast = CastWriter::new(out, CastFormat::V3, Duration::ZERO);
    cast.header(&header(size, title, start))?;
    let mut is_first = true;
    for block in manifest.blocks() {
        let at = block.time("createdAt").zip(start);
        let at = at.and_then(|(time, start)| Duration::try_from(time.duration_since(start)).ok());
        let at = at.unwrap_or_default();
        if block.kind() == BlockKind::Snapshot {
            let frame = match Frame::read(manifest, &block) {
                Ok(frame) => frame,
                Err(error) => {
                    refused(&error);
                    continue;
                }
            };
            if !std::mem::take(&mut is_first) {
                cast.event("o", RESET, at)?;
            }
            if frame.size != size {
                size = frame.size;
                cast.resize(size, at)?;
            }
            cast.event("o", &frame.output, at)?;
        }
        cast.event("m", &label(&block), at)?;
    }
    cast.flush()
}

fn header(size: Size, title: &str, start: Option<Timestamp>) -> Value {
    let mut header = json!({
        "version": 3,
        "term": {"cols": size.cols, "rows": size.rows, "type": "xterm-256color"},
        "idle_time_limit": PAUSE,
        "title": title,
    });
    if let Some(start) = start {
        header["timestamp"] = start.as_second().into();
    }
    header
}

/// What a block is called, and what it is about.
fn label(block: &Block<'_>) -> String {
    let about = match block.kind() {
        BlockKind::Snapshot => block.text("command").map(|command| format!(" $ {command}")),
        kind => {
            let text = block.message();
            Some(format!(" {kind}: {}", text.lines().next().unwrap_or("")))
        }
    };
    let label = block.label() + &about.unwrap_or_default();
    text::prefix(&label, LABEL_CHARS).to_owned()
}

/// What draws a screen.
struct Frame {
    size: Size,
    output: String,
}

impl Frame {
    fn read(manifest: &Manifest, block: &Block<'_>) -> Result<Self, ContentError> {
        let data = Content::raw(manifest, block)?;
        let size = match block.size() {
            Some(size) => size,
            // It would be as wide as its widest line.
            None => snapshot::replay_bounded(&data, None).map_or(SIZE, |screen| screen.size()),
        };
        let text = String::from_utf8_lossy(&data);
        // A line feed alone counts as both.
        let output = text.replace("\r\n", "\n").replace('\n', "\r\n");
        Ok(Self { size, output })
    }
}
