//! The Python helpers' own answers, byte for byte with `--compat`, and where the default differs.
//!
//! `fixtures/parity` holds the cases: arguments, the expected answer, and a tree of artifacts that
//! `recipe.json` completes. `{HOME}` stands for the codex home and `{ROOT}` for its parent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use walkdir::WalkDir;

use crate::support::{BLOCKS, Run, SUMMARY, Tree, command, finish};

/// Text faults of the helpers that `--compat` reproduces.
const TEXT_FAULTS: [&str; 9] = [
    "cursor-forward",
    "cursor-move",
    "esc-left",
    "alt-screen-join",
    "osc-leak",
    "string-seq-leak",
    "c1-left",
    "backspace",
    "line-drawing",
];

struct Case {
    id: String,
    tool: String,
    args: Vec<String>,
    tags: Vec<String>,
    exit: i32,
    stdout: Stdout,
    faults: Vec<String>,
}

enum Stdout {
    Exact(String),
    /// Help and usage texts are each program's own.
    Any,
}

struct Fixture {
    root: tempfile::TempDir,
    cases: Vec<Case>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/parity");
    let root = tempfile::tempdir().unwrap();
    for name in ["codex-home", "outside"] {
        copy(&source.join(name), &root.path().join(name));
    }
    std::fs::create_dir(root.path().join("user")).unwrap();
    let recipe = read_json(&std::fs::read_to_string(source.join("recipe.json")).unwrap());
    for step in recipe.as_array().unwrap() {
        apply(step, root.path());
    }
    let lines = |name| std::fs::read_to_string(source.join(name)).unwrap();
    let (cases, expected) = (lines("cases.jsonl"), lines("expect.jsonl"));
    let cases = cases.lines().zip(expected.lines()).map(|(case, expect)| {
        let (case, expect) = (read_json(case), read_json(expect));
        assert_eq!(case["id"], expect["id"]);
        let tags = strings(&case["tags"]);
        let stdout = match &expect["stdout"] {
            _ if tags.iter().any(|tag| tag == "usage" || tag == "help") => Stdout::Any,
            text => Stdout::Exact(string(text)),
        };
        Case {
            id: string(&case["id"]),
            tool: string(&case["tool"]),
            args: strings(&case["args"]),
            tags,
            exit: i32::try_from(expect["exit"].as_i64().unwrap()).unwrap(),
            stdout,
            faults: strings(&expect["fault_kinds"]),
        }
    });
    Fixture { cases: cases.collect(), root }
});

fn read_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().map_or_else(Vec::new, |items| items.iter().map(string).collect())
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn apply(step: &Value, root: &Path) {
    let path = root.join(string(&step["path"]));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    match step["op"].as_str().unwrap() {
        "mkdir" => std::fs::create_dir_all(&path).unwrap(),
        "symlink" => {
            std::os::unix::fs::symlink(fill(&string(&step["target"]), root), &path).unwrap();
        }
        "template" => {
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, fill(&text, root)).unwrap();
        }
        "numbered" => {
            let line = string(&step["line"]);
            let numbers = 1..=step["count"].as_u64().unwrap();
            let text: String = numbers.map(|n| line.replace("{n}", &n.to_string())).collect();
            std::fs::write(&path, text).unwrap();
        }
        other => panic!("recipe step {other}"),
    }
}

fn fill(text: &str, root: &Path) -> String {
    let home = root.join("codex-home");
    text.replace("{HOME}", home.to_str().unwrap()).replace("{ROOT}", root.to_str().unwrap())
}

fn unfill(text: &str, root: &Path) -> String {
    let home = root.join("codex-home");
    text.replace(home.to_str().unwrap(), "{HOME}").replace(root.to_str().unwrap(), "{ROOT}")
}

impl Fixture {
    fn root(&self) -> PathBuf {
        std::fs::canonicalize(self.root.path()).unwrap()
    }

    fn run(&self, case: &Case, extra: &[&str]) -> Run {
        let root = self.root();
        let program = if case.tool == "summary" { SUMMARY } else { BLOCKS };
        let args = case.args.iter().map(|arg| fill(arg, &root));
        let mut command = command(program);
        command.current_dir(&root).env("HOME", root.join("user")).args(extra).args(args);
        let run = finish(&mut command);
        Run { stdout: unfill(&run.stdout, &root), ..run }
    }
}

fn differs(case: &Case, run: &Run) -> bool {
    let stdout_differs = match &case.stdout {
        Stdout::Exact(text) => run.stdout != *text,
        Stdout::Any => false,
    };
    stdout_differs || run.code != case.exit
}

#[test]
fn compat_prints_what_the_helpers_print() {
    let fixture = &*FIXTURE;
    let before = Tree::read(fixture.root.path());
    let is_ours =
        |case: &&Case| case.faults.iter().all(|fault| TEXT_FAULTS.contains(&fault.as_str()));
    let mut count = 0;
    for case in fixture.cases.iter().filter(is_ours) {
        let run = fixture.run(case, &["--compat"]);
        assert!(!differs(case, &run), "{} {:?}: {run:#?}", case.id, case.args);
        assert!(run.code == 0 || !run.stderr.is_empty(), "{}: no reason given", case.id);
        count += 1;
    }
    assert_eq!(count, 139);
    assert_eq!(before, Tree::read(fixture.root.path()));
}

#[test]
fn faults_that_no_mode_has() {
    let fixture = &*FIXTURE;
    let answer = |id: &str, extra: &[&str]| {
        let case = fixture.cases.iter().find(|case| case.id == id).unwrap();
        fixture.run(case, extra)
    };
    for extra in [&[][..], &["--compat"]] {
        let outside = answer("b078-snapshot-path", extra).fails(1);
        assert!(outside.contains("escapes terminal session directory"), "{outside}");
        let summary = answer("s025-snapshot-path", extra).ok();
        assert!(summary.contains("snapshotPreviewError") && !summary.contains("ledger line"));
        let traversal = answer("s020-terminal-id", extra).fails(1);
        assert!(traversal.contains("one folder name"), "{traversal}");
        let surrogate = answer("b104-lone-surrogate", extra).ok();
        assert!(surrogate.contains("\nhalf \u{fffd}\n"), "{surrogate}");
    }
}

/// Why the default answer differs from the helper's: (a) the helper loses text, (b) trailing blanks
/// or empty lines go, (c) tabs, CR and controls act, (d) a selector is unknown.
const DIFFERENCES: [(&str, char); 36] = [
    ("b001-blocks", 'b'),
    ("b005-blocks", 'b'),
    ("b006-blocks", 'b'),
    ("b008-at-range", 'b'),
    ("b012-at-range", 'b'),
    ("b020-colon-range", 'b'),
    ("b026-not-found", 'd'),
    ("b032-line-range", 'b'),
    ("b040-recorded", 'b'),
    ("b041-recorded", 'a'),
    ("b042-recorded", 'b'),
    ("b043-recorded", 'b'),
    ("b044-recorded", 'b'),
    ("b048-text-shapes", 'c'),
    ("b049-text-shapes", 'c'),
    ("b050-text-shapes", 'c'),
    ("b057-text-shapes", 'c'),
    ("b058-text-shapes", 'c'),
    ("b060-text-faults", 'a'),
    ("b061-text-faults", 'a'),
    ("b062-text-faults", 'a'),
    ("b063-text-faults", 'c'),
    ("b064-text-faults", 'a'),
    ("b065-text-faults", 'a'),
    ("b094-odd-fields", 'c'),
    ("b095-odd-fields", 'c'),
    ("s001-realistic", 'b'),
    ("s003-recent", 'b'),
    ("s004-recent", 'b'),
    ("s005-recent", 'b'),
    ("s021-recorded", 'a'),
    ("s022-recorded", 'b'),
    ("s023-text-shapes", 'c'),
    ("s024-snapshot-path", 'b'),
    ("s028-odd-fields", 'b'),
    ("s036-odd-ids", 'b'),
];

#[test]
fn the_default_differs_only_where_it_is_meant_to() {
    let fixture = &*FIXTURE;
    let mut found = BTreeMap::new();
    for case in &fixture.cases {
        let skipped = case.faults.iter().any(|fault| !TEXT_FAULTS.contains(&fault.as_str()));
        let run = fixture.run(case, &[]);
        if !skipped && differs(case, &run) {
            found.insert(case.id.as_str(), (case, run));
        }
    }
    let listed: BTreeMap<_, _> = DIFFERENCES.into_iter().collect();
    let names: Vec<_> = found.keys().copied().collect();
    assert_eq!(names, listed.keys().copied().collect::<Vec<_>>());
    let mut answers = String::new();
    for (id, (case, run)) in &found {
        let Stdout::Exact(helper) = &case.stdout else { panic!("{id}: any answer will do") };
        match listed[id] {
            'b' => assert_eq!(without_blanks(helper), without_blanks(&run.stdout), "{id}"),
            'a' | 'c' => {
                assert_ne!(without_blanks(helper), without_blanks(&run.stdout), "{id}");
                answers += &format!("{id} ({})\n{}", listed[id], run.stdout);
            }
            'd' => assert_eq!((run.code, run.stdout.as_str(), case.exit), (1, "", 1), "{id}"),
            other => panic!("{id}: no letter {other}"),
        }
    }
    // Where the helper is wrong, what is right is pinned whole.
    insta::assert_snapshot!(answers);
}

/// An answer without the blanks and empty lines at the end of each text in it.
fn without_blanks(answer: &str) -> Value {
    fn trim(value: &mut Value) {
        match value {
            Value::String(text) => {
                let lines: Vec<_> =
                    text.split('\n').map(|line| line.trim_end_matches(' ')).collect();
                *text = lines.join("\n").trim_end_matches('\n').to_owned();
            }
            Value::Array(items) => items.iter_mut().for_each(trim),
            Value::Object(members) => members.values_mut().for_each(trim),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(answer).unwrap_or_else(|_| Value::String(answer.into()));
    trim(&mut value);
    value
}

#[test]
fn every_case_is_known() {
    assert_eq!(FIXTURE.cases.len(), 143);
    assert!(FIXTURE.cases.iter().all(|case| !case.tags.is_empty()));
}
