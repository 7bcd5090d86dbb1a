//! `terminal-session-blocks TERMINAL live`.

use jiff::Timestamp;
use serde_json::json;

use crate::support::recording::{LIMIT, Recorder, header, journal_files};
use crate::support::{BLOCKS, Home, SUMMARY};

fn recording(home: &Home, name: &str, shown: &str) -> Recorder {
    let mut recorder = Recorder::start(home.path(), name);
    recorder.show(shown);
    recorder.journal.flush().unwrap();
    recorder
}

#[test]
fn what_is_not_frozen_is_printed_without_touching_it() {
    let home = Home::new();
    let mut recorder = recording(&home, "t", "one\r\n\x1b[31mtwo\x1b[m\r\nthree\r\nfour");
    let printed = home.run(BLOCKS, &["t", "live"]).ok();
    let lines: Vec<_> = printed.trim_end().lines().collect();
    assert_eq!(lines[0], "===== live (terminal_snapshot) =====");
    assert!(lines[1].starts_with("source: ") && lines[1].ends_with(".cast"));
    assert_eq!(lines[2..], ["size: 40x6", "", "one", "two", "three", "four"]);
    // Also when a block was frozen and when the recorder is dead.
    recorder.freeze();
    recorder.show("\r\nfive");
    recorder.journal.flush().unwrap();
    drop(recorder);
    let printed = home.run(BLOCKS, &["t", "1", "live"]).ok();
    assert!(printed.contains("four") && printed.ends_with("\n\nfive\n\n\n"), "{printed}");
}

#[test]
fn lines_are_chosen_as_of_any_block() {
    let home = Home::new();
    let _recorder = recording(&home, "t", "one\r\ntwo\r\n\r\n\r\n\r\nthree");
    let text = |args: &[&str]| {
        let printed = home.run(BLOCKS, args).ok();
        printed.split_once("\n\n").unwrap().1.trim_end().to_owned()
    };
    assert_eq!(text(&["t", "live@2:2"]), "two");
    assert_eq!(text(&["t", "live:2"]), "two");
    assert_eq!(text(&["t", "live", "--head", "1"]), "one");
    assert_eq!(text(&["t", "live", "--tail", "1"]), "three");
    assert_eq!(text(&["t", "live", "--no-squeeze"]), "one\ntwo\n\n\n\nthree");
    let cut = text(&["t", "live", "--max-chars", "5"]);
    assert!(cut.ends_with("terminal-session-blocks t live@2:]"), "{cut}");
    let raw = home.run(BLOCKS, &["t", "live", "--render", "raw"]).ok();
    assert_eq!(raw, "one\r\ntwo\r\n\r\n\r\n\r\nthree");
    assert_eq!(text(&["t", "live@2:3", "--render", "ansi"]), "two");
    let page = home.run(BLOCKS, &["t", "live@4", "--render", "html"]).ok();
    let part = "<h2>live. screen</h2>\n<pre class=\"screen\" style=\"width:40ch\">\nthree\n</pre>";
    assert!(page.contains(part), "{page}");
}

#[test]
fn json_says_that_it_is_live() {
    let home = Home::new();
    let _recorder = recording(&home, "t", "one");
    let json = home.run(BLOCKS, &["t", "live", "--json"]).json();
    let block = &json["blocks"][0];
    assert_eq!(block["live"], true);
    assert_eq!((&block["blockId"], &block["index"]), (&json!(null), &json!(null)));
    assert_eq!((&block["cols"], &block["text"]), (&json!(40), &json!("one")));
    assert_eq!(block["droppedBytes"], 0);
}

#[test]
fn ids_come_first_and_prefixes_last() {
    let home = Home::new();
    let block = |id: &str| {
        format!(
            r#"{{"blocks":[{{"blockId":"{id}","type":"ai_terminal_complete","message":"M"}}]}}"#
        )
    };
    let printed = |home: &Home| home.run(BLOCKS, &["t", "live"]).ok();
    home.manifest("t", block("live-1"));
    assert!(printed(&home).contains("\nM\n"), "without a journal it is a prefix");
    let _recorder = recording(&home, "t", "shown");
    assert!(printed(&home).contains("\nshown\n"));
    home.manifest("t", block("live"));
    assert!(printed(&home).contains("\nM\n"));
    assert!(!home.run(BLOCKS, &["t", "--all"]).ok().contains("shown"));
}

#[test]
fn without_a_journal_it_says_so() {
    let home = Home::new();
    home.screen("t", "text");
    assert_eq!(
        home.run(BLOCKS, &["t", "live"]).fails(1),
        "error: terminal t is not being recorded, and no recorder left a journal\n"
    );
    let error = home.run(BLOCKS, &["t", "live", "--compat"]).fails(1);
    assert_eq!(error, "error: block not found: live (nearest: b)\n");
    let error = home.run(BLOCKS, &["u", "live"]).fails(1);
    assert!(error.starts_with("error: no terminal u in ") && error.contains("(nearest: t)"));
    let nothing = Home::new().run(BLOCKS, &["latest", "live"]).fails(1);
    assert!(nothing.starts_with("error: no terminal is being recorded in "), "{nothing}");
}

#[test]
fn of_several_journals_the_newest_is_meant() {
    let home = Home::new();
    let mut header = header("t");
    header.started = Timestamp::UNIX_EPOCH;
    Recorder::with_header(home.path(), &header, LIMIT).show("older");
    let _recorder = recording(&home, "t", "newer");
    let run = home.run(BLOCKS, &["t", "live"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("\nnewer\n"));
    let files = journal_files(home.path(), "t");
    let older = files.iter().find(|name| name.ends_with("-0.cast")).unwrap();
    assert!(run.stderr.starts_with("note: live is the newest journal; another one is "));
    assert!(run.stderr.trim_end().ends_with(older), "{}", run.stderr);
}

#[test]
fn a_terminal_without_a_block_is_found_and_said_to_have_none() {
    let home = Home::new();
    let recorder = recording(&home, "term-new", "shown");
    for name in ["term-new", "term-n", "latest"] {
        let printed = home.run(BLOCKS, &[name, "live"]).ok();
        assert!(printed.ends_with("\n\nshown\n\n\n"), "{name}: {printed}");
    }
    let is_recorded = "error: terminal \"term-new\" is being recorded and has no block yet; what it \
        shows: terminal-session-blocks term-new live\n";
    for (program, args) in [
        (SUMMARY, &["term-new"][..]),
        (SUMMARY, &["ter"]),
        (SUMMARY, &["latest"]),
        (BLOCKS, &["term-new", "1"]),
        (BLOCKS, &["latest", "--all"]),
    ] {
        assert_eq!(home.run(program, args).fails(1), is_recorded, "{args:?}");
    }
    let compat = home.run(SUMMARY, &["term-new", "--compat"]).fails(1);
    assert!(compat.starts_with("error: terminal session manifest not found: "), "{compat}");
    let path = home.path().to_str().unwrap();
    let error = home.run(SUMMARY, &["term-new", "--codex-home", path]).fails(1);
    assert!(error.ends_with(&format!("blocks term-new live --codex-home {path}\n")), "{error}");

    recorder.crash();
    assert_eq!(
        home.run(SUMMARY, &["term-new"]).fails(1),
        "error: terminal \"term-new\" was being recorded when its recorder died, and has no block \
         yet; to make one: terminal-session-record recover term-new\n"
    );
    assert!(home.run(BLOCKS, &["term-new", "live"]).ok().contains("\nshown\n"));
    // A session with blocks is the latest one to look at, and a living recorder the latest live.
    home.manifest("other", r#"{"updatedAt":"2020-01-01T00:00:00.000Z","blocks":[]}"#);
    assert!(home.run(SUMMARY, &["latest"]).ok().contains("\"other\""));
    let mut header = header("old-but-alive");
    header.started = Timestamp::UNIX_EPOCH;
    let mut old = Recorder::with_header(home.path(), &header, LIMIT);
    old.show("alive");
    old.journal.flush().unwrap();
    assert!(home.run(BLOCKS, &["latest", "live"]).ok().contains("\nalive\n"));
    let error = home.run(SUMMARY, &["o"]).fails(1);
    assert!(error.contains("not unique: o (2 match: old-but-alive, other)"), "{error}");
}
