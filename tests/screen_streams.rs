//! Recorded streams: snapshots and texts are those of the oracle, byte for byte.
//!
//! `TERMINAL_SESSION_STREAMS_DIR` names another folder of the same layout to compare as well.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{replay, serialize, text};

/// One line of `index.jsonl`.
struct Case {
    label: String,
    entry: Value,
}

impl Case {
    fn number(&self, key: &str) -> usize {
        usize::try_from(self.entry[key].as_u64().unwrap()).unwrap()
    }

    fn size(&self) -> Size {
        size(self.number("cols"), self.number("rows"))
    }

    /// Checks `got` against a file or, where it was too large to keep, its hash.
    fn check(&self, dir: &Path, extension: &str, got: &str) -> Result<(), String> {
        let file = dir.join("expect").join(format!("{}.{extension}", self.label));
        if let Ok(want) = fs::read_to_string(file) {
            // The oracle writes a line with only this between the buffers.
            let want = match want.split_once('\u{241e}') {
                Some((normal, "")) => normal.trim_end_matches('\n').to_owned(),
                Some((normal, alternate)) => normal.to_owned() + &alternate[1..],
                None => want,
            };
            return if got == want { Ok(()) } else { Err(difference(&want, got)) };
        }
        let key = if extension == "txt" { "text_sha256" } else { "snapshot_sha256" };
        let hash = Sha256::digest(got.as_bytes());
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.entry[key] == hash { Ok(()) } else { Err("the hash differs".to_owned()) }
    }
}

fn size(cols: usize, rows: usize) -> Size {
    Size::new(u16::try_from(cols).unwrap(), u16::try_from(rows).unwrap()).unwrap()
}

fn difference(want: &str, got: &str) -> String {
    let (want, got): (Vec<char>, Vec<char>) = (want.chars().collect(), got.chars().collect());
    let at = want.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let part =
        |text: &[char]| -> String { text.iter().skip(at.saturating_sub(40)).take(100).collect() };
    format!("at {at} of {}: want {:?} got {:?}", want.len(), part(&want), part(&got))
}

/// The screen after the first `bytes` bytes of a stream.
fn play(dir: &Path, name: &str, bytes: usize) -> Screen {
    let raw = fs::read(dir.join(format!("{name}.raw"))).unwrap();
    let meta = fs::read_to_string(dir.join(format!("{name}.meta"))).unwrap();
    let sizes: Vec<Vec<usize>> = meta
        .lines()
        .map(|line| line.split_whitespace().map(|part| part.parse().unwrap()).collect())
        .collect();
    let mut screen = Screen::new(size(sizes[0][1], sizes[0][2]), Scrollback::default());
    let mut at = 0;
    for next in sizes.iter().skip(1).filter(|next| next[0] <= bytes) {
        screen.feed(&raw[at..next[0]]);
        screen.resize(size(next[1], next[2]));
        at = next[0];
    }
    screen.feed(&raw[at..bytes]);
    screen.finish();
    screen
}

/// The cases of a folder that fail, with what differs; and how many there are.
fn failures(dir: &Path) -> (Vec<String>, usize) {
    let index = fs::read_to_string(dir.join("index.jsonl")).unwrap();
    let mut failures = Vec::new();
    let mut count = 0;
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let name = entry["name"].as_str().unwrap().to_owned();
        let label = match entry["cut"].as_u64() {
            Some(cut) => format!("{name}@{cut}"),
            None => name.clone(),
        };
        let case = Case { label, entry };
        count += 1;
        let snapshot = serialize(&play(dir, &name, case.number("bytes")));
        if let Err(problem) = case.check(dir, "snapshot", &snapshot) {
            failures.push(format!("{} snapshot {problem}", case.label));
        }
        let expect = dir.join("expect").join(format!("{}.snapshot", case.label));
        let stored = fs::read_to_string(expect).unwrap_or(snapshot);
        let screen = replay(stored.as_bytes(), Some(case.size()));
        if let Err(problem) = case.check(dir, "txt", &text(&screen)) {
            failures.push(format!("{} text {problem}", case.label));
        }
    }
    (failures, count)
}

fn compare(dir: &Path) {
    let (failures, count) = failures(dir);
    println!("{}: {} of {count} cases, {} checks failed", dir.display(), count, failures.len());
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_given_folder_agrees() {
    if let Some(dir) = std::env::var_os("TERMINAL_SESSION_STREAMS_DIR") {
        compare(Path::new(&dir));
    }
}

#[test]
fn recorded_streams_agree() {
    compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/streams"));
}
