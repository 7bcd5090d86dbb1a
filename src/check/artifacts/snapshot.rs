//! The files that snapshot blocks name.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::keys::{quoted, whole};
use super::{Code, Findings, Place};
use crate::artifact::records::snapshot_path;
use crate::artifact::{Block, SnapshotError, SnapshotFile};
use crate::snapshot;

/// Bytes of a session's snapshots that are read: files of any length cost nothing to make.
const MOST: u64 = 4 << 30;
/// Data beyond this is not drawn as a whole; only a note would come of it.
const LONGEST_ROUND_TRIP: usize = 8 << 20;

/// The snapshots of a session.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    seen: HashSet<PathBuf>,
    read: u64,
}

impl Snapshots {
    /// Checks where a block's snapshot is, and what is in it.
    pub(super) fn check(
        &mut self,
        folder: &Path,
        block: &Block<'_>,
        record: &Map<String, Value>,
        place: &Place,
        findings: &mut Findings,
    ) {
        let Some(named) = record.get("snapshotPath").and_then(Value::as_str) else {
            return;
        };
        if named.trim().is_empty() {
            return;
        }
        let at_key = place.key("snapshotPath");
        let path = match SnapshotFile::locate(folder, block) {
            Ok(path) => path,
            Err(SnapshotError::Outside(_)) => {
                let message = format!("{} leads out of the session's folder", quoted(named));
                return findings.add(Code::SnapshotOutside, at_key, message);
            }
            Err(error) => return findings.add(Code::SnapshotFile, at_key, error.to_string()),
        };
        if let Some(id) = block.text("blockId")
            && named != snapshot_path(&id)
        {
            let message = format!("{} is not {}", quoted(named), quoted(&snapshot_path(&id)));
            findings.add(Code::SnapshotPath, at_key, message);
        }
        let place = Place { path, line: None, ..place.clone() };
        // A file that many blocks name is read once.
        if self.seen.insert(place.path.clone())
            && let Some(data) = self.read(folder, block, &place, findings)
        {
            check_data(&data, block, record, &place, findings);
        }
    }

    fn read(
        &mut self,
        folder: &Path,
        block: &Block<'_>,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Vec<u8>> {
        let metadata = fs::symlink_metadata(&place.path).ok();
        self.read = self.read.saturating_add(metadata.as_ref().map_or(0, fs::Metadata::len));
        if self.read > MOST {
            let message = format!("not read: the session's snapshots are over {} GiB", MOST >> 30);
            findings.add(Code::SnapshotFile, place.clone(), message);
            return None;
        }
        match SnapshotFile::read(folder, block) {
            Ok(file) => Some(file.data),
            Err(SnapshotError::Missing(_)) if metadata.is_none() => {
                findings.add(Code::SnapshotMissing, place.clone(), "there is no such file");
                None
            }
            Err(SnapshotError::Missing(_)) => {
                findings.add(Code::SnapshotFile, place.clone(), "not a regular file");
                None
            }
            Err(SnapshotError::Unreadable { error, .. }) => {
                findings.add(Code::SnapshotFile, place.clone(), crate::text::system_error(&error));
                None
            }
            Err(error) => {
                findings.add(Code::SnapshotFile, place.clone(), error.to_string());
                None
            }
        }
    }
}

fn check_data(
    data: &[u8],
    block: &Block<'_>,
    record: &Map<String, Value>,
    place: &Place,
    findings: &mut Findings,
) {
    let text = match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("not UTF-8 at byte {}", error.valid_up_to());
            return findings.add(Code::SnapshotUtf8, place.clone(), message);
        }
    };
    let units = text.encode_utf16().count();
    if let Some(value @ Value::Number(length)) = record.get("snapshotLength")
        && whole(value) != u64::try_from(units).ok()
    {
        let message = format!("snapshotLength is {length}; the data has {units} UTF-16 code units");
        findings.add(Code::SnapshotLength, place.key("snapshotLength"), message);
    }
    let shape = match snapshot::check_grammar(text) {
        Ok(shape) => shape,
        Err(alien) => {
            return findings.add(Code::SnapshotSequence, place.clone(), alien.to_string());
        }
    };
    let Some(size) = block.size() else {
        return;
    };
    if let Err(error) = snapshot::check_size(data, size, shape.blank_cells) {
        return findings.add(Code::SnapshotReplay, place.clone(), error.to_string());
    }
    if data.len() <= LONGEST_ROUND_TRIP
        && let Ok(screen) = snapshot::replay_within(data, size)
    {
        let again = snapshot::serialize(&screen);
        if again.as_bytes() != data {
            let at = data.iter().zip(again.as_bytes()).take_while(|(a, b)| a == b).count();
            let message = format!("serializes to something else from byte {at} on");
            findings.add(Code::SnapshotRoundTrip, place.clone(), message);
        }
    }
}
