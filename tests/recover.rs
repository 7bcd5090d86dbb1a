//! `terminal-session-record recover`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use terminal_session::artifact::{Manifest, OnWait};
use terminal_session::inspect::{Content, Rendering};
use terminal_session::record::{JournalHeader, Outcome, recover, recover_all};
use terminal_session::screen::{Scrollback, Size};

use crate::support::recording::{
    Recorder, SIZE, block_texts, codex_home, header, journal_files, session_folder, terminal,
};
use crate::support::{Home, RECORD, Run, accepted, command, data, finish};

/// Leaves a journal as a recorder does that is killed.
fn crash(home: &Home, name: &str, shown: &str) {
    let mut recorder = Recorder::start(home.path(), name);
    recorder.show(shown);
    recorder.crash();
}

fn record(home: &Home, args: &[&str]) -> Command {
    let mut command = command(RECORD);
    command.env("CODEX_HOME", home.path()).args(args);
    command
}

fn run(home: &Home, args: &[&str]) -> Run {
    finish(&mut record(home, args))
}

fn manifest(home: &Home, name: &str) -> Value {
    let path = session_folder(home.path(), name).join("session.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_journal_becomes_a_block() {
    let home = Home::new();
    crash(&home, "t", "shown\r\nmore");
    let printed = run(&home, &["recover", "t"]).ok();
    let manifest = manifest(&home, "t");
    let block = &manifest["blocks"][0];
    assert_eq!(printed, format!("t\t{}\n", block["blockId"].as_str().unwrap()));
    assert_eq!(accepted(&session_folder(home.path(), "t")).len(), 1);
    assert_eq!(block_texts(home.path(), "t"), ["shown\nmore"]);
    for (key, want) in [
        ("terminalId", "t"),
        ("sessionId", "thread-1"),
        ("type", "terminal_snapshot"),
        ("captureKind", "manual"),
        ("command", "make"),
        ("cwd", "/work"),
    ] {
        assert_eq!(block[key], want);
    }
    assert_eq!((&block["recovered"], &block["cols"]), (&true.into(), &40.into()));
    assert!(block["startedAt"].as_str().unwrap() <= block["endedAt"].as_str().unwrap());
    assert!(block.get("droppedBytes").is_none());
    assert!(!session_folder(home.path(), "t").join("journal").exists());
    let again = run(&home, &["recover", "t"]);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""));
    assert_eq!(again.stderr, "note: there is nothing to recover\n");
}

#[test]
fn a_new_size_costs_no_history() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    let lines: Vec<_> = (0..12_500).map(|number| format!("line {number}")).collect();
    recorder.show(lines[..12_100].join("\r\n"));
    // More rows than there may be too many in memory.
    let (cols, rows) = (SIZE.cols, SIZE.rows + 3000);
    for (size, range) in [(Size { cols, rows }, 12_100..12_300), (SIZE, 12_300..12_500)] {
        recorder.screen.resize(size);
        recorder.journal.resize(size).unwrap();
        recorder.show(format!("\r\n{}", lines[range].join("\r\n")));
    }
    recorder.crash();
    run(&home, &["recover", "-q", "t"]).ok();
    assert!(block_texts(home.path(), "t") == [lines.join("\n")]);
    assert!(manifest(&home, "t")["blocks"][0].get("droppedRows").is_none());
}

#[test]
fn all_terminals_are_recovered_but_those_in_use() {
    let home = Home::new();
    crash(&home, "a", "in a");
    crash(&home, "b", "in b");
    crash(&home, "b", "in b again");
    crash(&home, "empty", "");
    let _living = Recorder::start(home.path(), "living");
    let json: Value = serde_json::from_str(&{
        let run = run(&home, &["recover", "--all", "--json", "--quiet"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.stdout
    })
    .unwrap();
    let terminals: Vec<_> = json["recovered"].as_array().unwrap().iter().collect();
    let names: Vec<_> = terminals.iter().map(|block| &block["terminalId"]).collect();
    assert_eq!(names, ["a", "b", "b"]);
    assert!(Path::new(terminals[0]["snapshot"].as_str().unwrap()).is_file());
    assert_eq!(json["running"][0]["terminalId"], "living");
    assert_eq!(json["failed"], Value::Array(Vec::new()));
    assert_eq!(block_texts(home.path(), "b"), ["in b", "in b again"]);
    assert_eq!(journal_files(home.path(), "living").len(), 1);
    let run = run(&home, &["recover"]);
    assert!(run.stderr.starts_with("note: terminal living is being recorded; "), "{}", run.stderr);
}

#[test]
fn what_cannot_be_recovered_stays() {
    let home = Home::new();
    crash(&home, "t", "shown");
    home.manifest("t", "not json");
    crash(&home, "u", "fine");
    let failed = run(&home, &["recover"]);
    assert_eq!(failed.code, 1);
    assert!(failed.stdout.starts_with("u\t"));
    assert!(failed.stderr.starts_with("error: terminal t not recovered: "), "{}", failed.stderr);
    assert_eq!(journal_files(home.path(), "t").len(), 1);
    // Once the manifest is right the block gets in, once.
    home.manifest("t", "{}");
    run(&home, &["recover", "t"]).ok();
    assert_eq!(block_texts(home.path(), "t"), ["shown"]);
}

#[test]
fn an_id_in_a_journal_leads_nowhere_else() {
    let home = Home::new();
    let ids = ["../../../../evil", "../session", "", "..", "a/b", "a\u{1b}b"];
    for (number, id) in ids.into_iter().enumerate() {
        let name = format!("t{number}");
        let mut recorder = Recorder::start(home.path(), &name);
        recorder.show("shown");
        recorder.crash();
        let folder = session_folder(home.path(), &name);
        let file = folder.join("journal").join(&journal_files(home.path(), &name)[0]);
        let text = fs::read_to_string(&file).unwrap();
        let start = text.find("\"blockId\":\"").unwrap() + 11;
        let end = start + text[start..].find('"').unwrap();
        let escaped = id.replace('\u{1b}', "\\u001b");
        fs::write(&file, format!("{}{escaped}{}", &text[..start], &text[end..])).unwrap();
        let run = run(&home, &["recover", &name]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(block_texts(home.path(), &name), ["shown"]);
        let names = fs::read_dir(home.path().join("codex-deck")).unwrap().count();
        assert_eq!(names, 1, "{id}");
        accepted(&folder);
    }
}

#[test]
fn a_journal_whose_block_has_lost_its_snapshot_is_not_let_go() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("shown");
    recorder.journal.flush().unwrap();
    recorder.write_block();
    let blocks = session_folder(home.path(), "t").join("blocks");
    for entry in fs::read_dir(blocks).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    recorder.crash();
    let run = run(&home, &["recover", "t"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let manifest = Manifest::read(&session_folder(home.path(), "t")).unwrap();
    let last = manifest.blocks().next_back().unwrap();
    let text = Content::read(&manifest, &last, Rendering::Screen { squeeze: false });
    assert_eq!(text.unwrap().text, "shown");
}

#[test]
fn wrong_calls() {
    let home = Home::new();
    assert!(run(&home, &["recover", "none"]).fails(1).starts_with("error: no terminal none in "));
    assert!(run(&home, &["recover", "../x"]).fails(1).contains("one folder name"));
    run(&home, &["recover", "t", "--all"]).fails(2);
    let nothing = run(&home, &["recover", "--json"]);
    assert_eq!(nothing.ok(), "{\n  \"recovered\": [],\n  \"running\": [],\n  \"failed\": []\n}\n");
}

#[test]
fn a_journal_that_was_recovered_before_adds_nothing() {
    let home = Home::new();
    crash(&home, "t", "shown");
    let folder = session_folder(home.path(), "t").join("journal");
    let file = folder.join(&journal_files(home.path(), "t")[0]);
    let data = fs::read(&file).unwrap();
    run(&home, &["recover", "t"]).ok();
    // As if the first recovery had died before it removed the journal.
    fs::create_dir(&folder).unwrap();
    fs::write(&file, data).unwrap();
    let before = manifest(&home, "t");
    let outcome =
        recover(&codex_home(home.path()), &terminal("t"), &OnWait::default()).remove(0).outcome;
    assert!(matches!(outcome, Ok(Outcome::Known)), "{outcome:?}");
    assert_eq!(manifest(&home, "t"), before);
    assert!(!folder.exists());
}

#[test]
fn a_link_in_place_of_the_folder_is_refused() {
    let home = Home::new();
    crash(&home, "t", "shown");
    let folder = session_folder(home.path(), "u");
    fs::create_dir_all(&folder).unwrap();
    let target = session_folder(home.path(), "t").join("journal");
    std::os::unix::fs::symlink(target, folder.join("journal")).unwrap();
    let error = run(&home, &["recover", "u"]).fails(1);
    assert!(error.contains("not a folder of its own"), "{error}");
    assert_eq!(journal_files(home.path(), "t").len(), 1);
}

#[test]
fn two_recoverers_make_one_block() {
    let home = Home::new();
    for round in 0..20 {
        let name = format!("t{round}");
        crash(&home, &name, "shown");
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| recover_all(&codex_home(home.path()), &OnWait::default()));
            }
        });
        assert_eq!(block_texts(home.path(), &name), ["shown"]);
        assert!(journal_files(home.path(), &name).is_empty());
    }
}

#[test]
fn eight_writers_and_recoverers_lose_no_block() {
    const WRITERS: usize = 8;
    const ROUNDS: usize = 4;
    let home = Home::new();
    let raw = home.path().join("recording");
    fs::write(&raw, "imported").unwrap();
    let raw = raw.to_str().unwrap();
    let home = &home;
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    match writer % 3 {
                        0 => {
                            let args = ["import", raw, "--terminal-id", "t", "--quiet"];
                            run(home, &args).ok();
                        }
                        1 => {
                            let mut recorder = Recorder::start(home.path(), "t");
                            recorder.show(format!("frozen {writer} {round}"));
                            recorder.freeze();
                            recorder.journal.remove().unwrap();
                        }
                        _ => crash(home, "t", &format!("crashed {writer} {round}")),
                    }
                    let recovered = run(home, &["recover", "--quiet"]);
                    assert_eq!((recovered.code, recovered.stderr.as_str()), (0, ""));
                }
            });
        }
    });
    run(home, &["recover", "--all", "--quiet"]).ok();
    let mut want: Vec<_> = (0..WRITERS)
        .flat_map(|writer| (0..ROUNDS).map(move |round| (writer, round)))
        .map(|(writer, round)| match writer % 3 {
            0 => "imported".to_owned(),
            1 => format!("frozen {writer} {round}"),
            _ => format!("crashed {writer} {round}"),
        })
        .collect();
    want.sort();
    let mut found = block_texts(home.path(), "t");
    found.sort();
    assert_eq!(found, want);
    assert_eq!(accepted(&session_folder(home.path(), "t")).len(), WRITERS * ROUNDS);
    let manifest = manifest(home, "t");
    let blocks = manifest["blocks"].as_array().unwrap();
    let sequences: Vec<_> =
        blocks.iter().map(|block| block["sequence"].as_u64().unwrap()).collect();
    assert_eq!(sequences, (1..=blocks.len() as u64).collect::<Vec<_>>());
    let ids: BTreeSet<_> = blocks.iter().map(|block| block["blockId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), blocks.len());
    assert!(!session_folder(home.path(), "t").join("journal").exists());
}

#[test]
fn a_long_history_is_recovered_in_little_memory() {
    let home = Home::new();
    let header = JournalHeader { scrollback: Scrollback::Unlimited, ..header("t") };
    let mut recorder = Recorder::with_header(home.path(), &header, 256 << 20);
    let line = "\u{1b}[31mred\u{1b}[0m and plain text, a whole lot of it\r\n";
    for _ in 0..80 {
        recorder.show(line.repeat(10_000));
    }
    recorder.show("the end");
    recorder.crash();
    let mut program = command("sh");
    program.env("CODEX_HOME", home.path());
    program.args(["-c", "ulimit -v 49152; exec \"$@\"", "sh", RECORD, "recover", "t"]);
    finish(&mut program).ok();
    let folder = session_folder(home.path(), "t");
    let blocks = accepted(&folder);
    assert!(blocks[0].get("droppedRows").is_none());
    let data = data(&folder, &blocks[0]);
    assert_eq!(data.matches("\u{1b}[31mred\u{1b}[0m and plain").count(), 800_000);
    assert!(data.ends_with("the end"));
}
