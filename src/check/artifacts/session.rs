//! The whole way through one session.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::manifest::Found;
use super::order::{self, Order};
use super::snapshot::Snapshots;
use super::time::strict_time;
use super::{Code, Findings, Place, block, folder, manifest, plan};
use crate::artifact::{BlockKind, Manifest, SnapshotFile, resolve};
use crate::home::{CodexHome, TerminalId};

/// How often files that a writer may be about to name are looked at again.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// Checks the session of a terminal. Findings with an allowed code are only counted.
pub fn check_session(home: &CodexHome, terminal: &TerminalId, allowed: BTreeSet<Code>) -> Findings {
    let mut findings = Findings::new(allowed);
    let named = home.session(terminal);
    let folder = match resolve(&named) {
        Ok(folder) => folder,
        Err(error) => {
            let message = crate::text::system_error(&error);
            findings.add(Code::ManifestFile, Place::of_path(named), message);
            return findings;
        }
    };
    let place = Place::of_path(folder.join("session.json"));
    let found = manifest::read(&folder, &place, &mut findings);
    if let Found::Manifest(manifest) = &found {
        check_manifest(manifest, terminal.as_str(), &place, &mut findings);
    }
    let named = match &found {
        Found::Manifest(manifest) => snapshot_files(manifest),
        _ => HashSet::new(),
    };
    let seen = folder::check(&folder, &named, &mut findings);
    match found {
        Found::Nothing if !seen.has_journal => {
            findings.add(Code::ManifestMissing, place, "there is no such file");
        }
        // Without a manifest nothing says what belongs there.
        Found::Unusable => {}
        _ => orphans(&folder, seen.orphans, &mut findings),
    }
    findings
}

fn check_manifest(manifest: &Manifest, terminal: &str, place: &Place, findings: &mut Findings) {
    let record = manifest::record(manifest);
    manifest::check(manifest, &record, terminal, place, findings);
    order::times(&record, None, place, findings);
    let updated = record.get("updatedAt").and_then(Value::as_str).and_then(strict_time);
    let lines = manifest.entry_lines();
    let mut order = Order::default();
    let mut snapshots = Snapshots::default();
    for (at, line) in lines.into_iter().enumerate() {
        let index = at + 1;
        let mut place = Place { line: Some(line), ..place.clone() };
        let Some(block) = manifest.block(index) else {
            place.block = Some(index.to_string());
            manifest::no_object(&manifest.entry(index), &place, findings);
            continue;
        };
        let label = block.label();
        place.block = Some(label.clone());
        let record = block::record(&block);
        block::check(&block, &record, terminal, &place, findings);
        order::times(&record, updated, &place, findings);
        order.push(&label, &record, &place, findings);
        match block.kind() {
            BlockKind::Plan => plan::check(&record, &place, findings),
            BlockKind::Snapshot => {
                snapshots.check(manifest.folder(), &block, &record, &place, findings);
            }
            _ => {}
        }
    }
    order.finish(findings);
}

/// Where the snapshots of all blocks are, as far as they are in the folder; links by their own name
/// too.
fn snapshot_files(manifest: &Manifest) -> HashSet<PathBuf> {
    let folder = manifest.folder();
    let located = manifest.blocks().filter_map(|block| SnapshotFile::locate(folder, &block).ok());
    let named = manifest.blocks().filter_map(|block| {
        let name = block.text("snapshotPath")?;
        Some(folder.join(&*name))
    });
    located.chain(named).collect()
}

/// Files that no block names. A writer puts a snapshot in place before its manifest names it, so
/// young ones get a moment to be named.
fn orphans(folder: &Path, mut found: Vec<(PathBuf, bool)>, findings: &mut Findings) {
    for _ in 0..ATTEMPTS {
        if !found.iter().any(|(_, is_young)| *is_young) {
            break;
        }
        std::thread::sleep(PAUSE);
        let named = Manifest::read(folder).map(|manifest| snapshot_files(&manifest));
        let named = named.unwrap_or_default();
        found.retain(|(path, _)| !named.contains(path) && path.symlink_metadata().is_ok());
    }
    found.sort();
    for (path, _) in found {
        let is_record = path.extension().is_some_and(|extension| extension == "json");
        let message = if is_record {
            "no block names it; it may be the record of one that could not be added"
        } else {
            "no block names it"
        };
        findings.add(Code::Orphan, Place::of_path(path), message);
    }
}
