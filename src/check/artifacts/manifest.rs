//! The manifest as a whole.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::keys::{Rule, check_keys, kind_of, quoted};
use super::layout::{Layout, layout};
use super::{Code, Findings, Place};
use crate::artifact::json::{self, Scanner};
use crate::artifact::{Manifest, ManifestErrorKind};

/// No manifest that is checked is longer: one of 20,000 blocks is not.
const LONGEST: u64 = 32 << 20;
/// Nor has it more blocks. Records that keep the rules do not get there within that length.
const MOST: usize = 100_000;
const KEYS: &[(&str, Rule)] =
    &[("terminalId", Rule::Id), ("createdAt", Rule::Time), ("updatedAt", Rule::Time)];

/// What was found where the manifest should be.
pub(super) enum Found {
    /// One that can be read.
    Manifest(Manifest),
    /// None.
    Nothing,
    /// Something else, which was reported.
    Unusable,
}

/// Reads the manifest in a folder, which is resolved, and checks how it is written.
pub(super) fn read(folder: &Path, place: &Place, findings: &mut Findings) -> Found {
    let mut refuse = |message: String| {
        findings.add(Code::ManifestFile, place.clone(), message);
        Found::Unusable
    };
    let metadata = fs::metadata(&place.path).ok().filter(fs::Metadata::is_file);
    if metadata.is_some_and(|metadata| metadata.len() > LONGEST) {
        return refuse(format!("larger than {} MiB", LONGEST >> 20));
    }
    let data = match Manifest::read_bytes(folder) {
        Ok((_, data)) => data,
        Err(error) => {
            // A link that leads nowhere is there too.
            let is_there = place.path.symlink_metadata().is_ok();
            return match error.kind {
                ManifestErrorKind::Missing if !is_there => Found::Nothing,
                kind => refuse(kind.to_string()),
            };
        }
    };
    // Counted before the manifest is taken apart, which takes far more memory than its text.
    let count = entry_count(&data);
    if count > MOST {
        return refuse(format!("{count} blocks, of which no more than {MOST} are checked"));
    }
    parse(folder, data, place, findings)
}

fn parse(folder: &Path, data: Vec<u8>, place: &Place, findings: &mut Findings) -> Found {
    let form = std::str::from_utf8(&data).map(layout).map_err(|error| error.valid_up_to());
    let parsed = Manifest::parse(folder.to_path_buf(), data);
    let at_line = |line| Place { line: Some(line), ..place.clone() };
    match (&form, &parsed) {
        (Err(at), _) => {
            findings.add(Code::ManifestJson, place.clone(), format!("not UTF-8 at byte {at}"));
        }
        (Ok(_), Err(ManifestErrorKind::NotJson(error))) => {
            findings.add(Code::ManifestJson, at_line(error.line), error.to_string());
        }
        (Ok(Layout::OddWord(line)), _) => {
            let message = "a word that JSON has not, such as NaN";
            findings.add(Code::ManifestJson, at_line(*line), message);
        }
        (Ok(Layout::Other(line)), Ok(_)) => {
            let message = "not laid out as JSON.stringify does";
            findings.add(Code::ManifestLayout, at_line(*line), message);
        }
        _ => {}
    }
    match parsed {
        Ok(manifest) => return Found::Manifest(manifest),
        Err(kind @ ManifestErrorKind::NotAnObject) => {
            findings.add(Code::ManifestShape, place.clone(), kind.to_string());
        }
        // Reported above.
        Err(_) => {}
    }
    Found::Unusable
}

/// How many entries the arrays called `blocks` have, as far as the text is JSON.
fn entry_count(data: &[u8]) -> usize {
    let mut count = 0;
    let text = String::from_utf8_lossy(data);
    let mut scanner = Scanner::new(&text);
    scanner.skip_space();
    if !scanner.at_object() {
        return 0;
    }
    let scanned = scanner.object(|key, scanner| {
        if json::decode_string(key) != "blocks" || !scanner.at_array() {
            return scanner.skip_value();
        }
        scanner.array(|scanner| {
            count += 1;
            scanner.skip_value()
        })
    });
    // What is wrong with the text is found when it is read.
    scanned.unwrap_or_default();
    count
}

/// The values of the manifest's own keys.
pub(super) fn record(manifest: &Manifest) -> Map<String, Value> {
    let keys = KEYS.iter().map(|(key, _)| *key).filter(|key| manifest.has(key));
    keys.map(|key| (key.to_owned(), manifest.value(key))).collect()
}

/// Checks what stands beside the blocks.
pub(super) fn check(
    manifest: &Manifest,
    record: &Map<String, Value>,
    terminal: &str,
    place: &Place,
    findings: &mut Findings,
) {
    check_keys(record, KEYS, &[], "", place, findings);
    if let Some(Value::String(found)) = record.get("terminalId")
        && found != terminal
        && !found.trim().is_empty()
    {
        let message = format!("{}, in the folder of {}", quoted(found), quoted(terminal));
        findings.add(Code::TerminalId, place.key("terminalId"), message);
    }
    if !manifest.has_blocks() {
        findings.add(Code::ManifestShape, place.key("blocks"), "there is no array of blocks");
    }
}

/// Reports an entry of the blocks that is no object.
pub(super) fn no_object(value: &Value, place: &Place, findings: &mut Findings) {
    let message = format!("{}, where an object belongs", kind_of(value));
    findings.add(Code::ManifestShape, place.clone(), message);
}
