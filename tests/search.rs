//! `terminal-session-blocks --grep`.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::recording::Recorder;
use crate::support::{BLOCKS, Home, command, finish, fixture_home, run};

const LONG: &str = "terminal-k3x9qa71mb2f";

fn message(id: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(r#"{{"blockId":"{id}","type":"ai_terminal_complete","message":{text}}}"#)
}

/// A session `t` with message blocks.
fn messages(blocks: &[(&str, &str)]) -> Home {
    let home = Home::new();
    let blocks: Vec<_> = blocks.iter().map(|(id, text)| message(id, text)).collect();
    home.manifest("t", format!(r#"{{"blocks":[{}]}}"#, blocks.join(",")));
    home
}

#[test]
fn matches_are_lines_that_name_their_place() {
    let shown = run(BLOCKS, &["demo", "--grep", "litres"]).ok();
    insta::assert_snapshot!(shown, @r"
    demo block-mou0e77q-8s2n1ybf@13:  12     pub fn litres(&self) -> u32 {$
    demo block-mou0f0b4-kk3d9wza@2: <question>Should `litres` return six times the kilos?</question>
    demo block-mou0h9xe-v7b0q4lo@1: <requirement_finished>The crate compiles; `litres` multiplies by 6.</requirement_finished>
    ");
    let other = run(BLOCKS, &["demo", "--grep", "no such thing"]);
    assert_eq!((other.code, other.stdout.as_str(), other.stderr.as_str()), (1, "", ""));
}

#[test]
fn the_place_is_what_the_next_call_takes() {
    for options in [&[][..], &["--no-squeeze"], &["--omitted"], &["--compat"]] {
        let shown = run(BLOCKS, &[&[LONG, "--grep", "FAIL|litres"], options].concat()).ok();
        assert!(shown.lines().count() > 1);
        for line in shown.lines() {
            let (place, text) = line.split_once(": ").unwrap();
            let (terminal, selector) = place.split_once(' ').unwrap();
            let printed = run(BLOCKS, &[&[terminal, selector], options].concat()).ok();
            let body = printed.split_once("\n\n").unwrap().1;
            assert_eq!(body.trim_end_matches('\n'), text, "{place} {options:?}");
        }
    }
}

#[test]
fn context_is_printed_as_grep_does() {
    let home = messages(&[("a", "1\nx2\n3\n4\n5\nx6\n7"), ("b", "x"), ("c", "none")]);
    let shown = |args: &[&str]| home.run(BLOCKS, &[&["t", "--grep", "x"], args].concat()).ok();
    assert_eq!(shown(&[]), "t a@2: x2\nt a@6: x6\nt b@1: x\n");
    assert_eq!(
        shown(&["-C", "1"]),
        "t a@1- 1\nt a@2: x2\nt a@3- 3\n--\nt a@5- 5\nt a@6: x6\nt a@7- 7\n--\nt b@1: x\n"
    );
    assert_eq!(shown(&["-A", "1"]), "t a@2: x2\nt a@3- 3\n--\nt a@6: x6\nt a@7- 7\n--\nt b@1: x\n");
    assert_eq!(
        shown(&["-C", "0", "-B", "1", "--max-count", "1"]),
        "t a@1- 1\nt a@2: x2\n--\nt b@1: x\n"
    );
}

#[test]
fn patterns_are_as_asked() {
    let home = messages(&[("a", "a.c\nabc\nABC\nÄ\r\n")]);
    let lines = |args: &[&str]| {
        let shown = home.run(BLOCKS, &[&["t", "--grep"], args].concat()).ok();
        let numbers = shown.lines().map(|line| line.split(['@', ':']).nth(1).unwrap().to_owned());
        numbers.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(lines(&["a.c"]), "1 2");
    assert_eq!(lines(&["a.c", "-F"]), "1");
    assert_eq!(lines(&["a.c", "-i"]), "1 2 3");
    assert_eq!(lines(&["^ä$", "-i"]), "4");
    assert_eq!(lines(&["-?b", "--max-count=1"]), "2");
    let error = home.run(BLOCKS, &["t", "--grep", "a("]).fails(2);
    assert_eq!(error, "error: invalid pattern: a( (unclosed group)\n");
}

#[test]
fn selectors_narrow_the_search() {
    let home = messages(&[("a", "x1\nx2\nx3"), ("b", "x1\nx2"), ("c", "y")]);
    let shown = |args: &[&str]| home.run(BLOCKS, &[args, &["--grep", "x"]].concat()).ok();
    assert_eq!(shown(&["t", "b"]), "t b@1: x1\nt b@2: x2\n");
    assert_eq!(shown(&["t", "1@2:"]), "t a@2: x2\nt a@3: x3\n");
    assert_eq!(shown(&["t", "1@2", "2", "--tail", "1"]), "t a@2: x2\nt b@2: x2\n");
    assert_eq!(shown(&["t", "--head", "1"]), "t a@1: x1\nt b@1: x1\n");
    assert_eq!(shown(&["t", "--line-range", "2:2"]), "t a@2: x2\nt b@2: x2\n");
    // What a selector skips is not searched.
    assert_eq!(shown(&["t", "a@1+1:2"]), "t a@2: x2\n");
    assert_eq!(home.run(BLOCKS, &["t", "last", "--grep", "x"]).code, 1);
}

#[test]
fn blank_lines_count_as_they_are_printed() {
    let home = Home::new();
    home.screen("t", "\r\n\r\na\r\n\r\n\r\n\r\nx");
    assert_eq!(home.run(BLOCKS, &["t", "--grep", "x"]).ok(), "t b@3: x\n");
    assert_eq!(home.run(BLOCKS, &["t", "--grep", "x", "--no-squeeze"]).ok(), "t b@7: x\n");
    assert_eq!(home.run(BLOCKS, &["t", "b@1:2", "--grep", "^$"]).ok(), "t b@2: \n");
}

#[test]
fn all_sessions_are_searched_newest_first() {
    let home = Home::new();
    for (name, day) in [("old", 1), ("newest", 3), ("newer", 2)] {
        let blocks = message("b", "x");
        let time = format!("2026-05-0{day}T10:00:00Z");
        home.manifest(name, format!(r#"{{"updatedAt":"{time}","blocks":[{blocks}]}}"#));
    }
    let found = "newest b@1: x\nnewer b@1: x\nold b@1: x\n";
    assert_eq!(
        home.run(BLOCKS, &["--all-sessions", "--grep", "x", "-C1"]).ok(),
        found.replace("\nnew", "\n--\nnew").replace("\nold", "\n--\nold")
    );
    assert_eq!(home.run(BLOCKS, &["--all-sessions", "--grep", "x"]).ok(), found);
    assert_eq!(home.run(BLOCKS, &["--all-sessions", "--grep", "y"]).code, 1);
    // What cannot be searched is named, and the rest is found.
    let mut recorder = Recorder::start(home.path(), "recorded");
    recorder.show("x");
    recorder.journal.flush().unwrap();
    home.manifest("broken", "{");
    let run = home.run(BLOCKS, &["--all-sessions", "--grep", "x"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, found));
    assert!(run.stderr.starts_with("error: invalid terminal session manifest JSON"));
    assert_eq!(run.stderr.lines().count(), 1);
    for bad in [&["t"][..], &["--all"], &["--render", "raw"]] {
        home.run(BLOCKS, &[&["--all-sessions", "--grep", "x"], bad].concat()).fails(2);
    }
    home.run(BLOCKS, &["--all-sessions"]).fails(2);
    home.run(BLOCKS, &["old", "--all", "-i"]).fails(2);
}

#[test]
fn what_cannot_be_searched_is_exit_code_two() {
    let home = Home::new();
    home.manifest(
        "t",
        format!(
            r#"{{"blocks":[{{"blockId":"lost","type":"terminal_snapshot"}},{}]}}"#,
            message("b", "x")
        ),
    );
    for (pattern, stdout) in [("x", "t b@1: x\n"), ("y", "")] {
        let run = home.run(BLOCKS, &["t", "--grep", pattern]);
        assert_eq!((run.code, run.stdout.as_str()), (2, stdout));
        assert_eq!(run.stderr, "error: block lost has no snapshotPath\n");
    }
    home.run(BLOCKS, &["none", "--grep", "x"]).fails(2);
    home.run(BLOCKS, &["t", "none", "--grep", "x"]).fails(2);
    home.run(BLOCKS, &["t", "none"]).fails(1);
}

#[test]
fn what_is_not_frozen_is_searched_when_named() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("one\r\ntwo");
    recorder.journal.flush().unwrap();
    assert_eq!(home.run(BLOCKS, &["t", "live", "--grep", "two"]).ok(), "t live@2: two\n");
    let found = home.run(BLOCKS, &["t", "live", "--grep", "two", "--json"]).json();
    assert_eq!(found["lines"][0]["index"], json!(null));
}

#[test]
fn json_has_the_same() {
    let home = messages(&[("a", "1\näx2x\n3"), ("b", "none")]);
    let found = home.run(BLOCKS, &["t", "--grep", "x", "-A", "1", "--json"]).json();
    let line = |number: usize, text: &str| {
        json!({
            "terminalId": "t", "blockId": "a", "index": 1, "selector": format!("a@{number}"),
            "line": number, "match": false, "text": text,
        })
    };
    let mut matched = line(2, "äx2x");
    matched["match"] = json!(true);
    matched["column"] = json!(2);
    assert_eq!(found, json!({"lines": [matched, line(3, "3")]}));
    let none = home.run(BLOCKS, &["t", "--grep", "y", "--json"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "{\n  \"lines\": []\n}\n"));
    home.manifest("broken", "{");
    let broken = home.run(BLOCKS, &["--all-sessions", "--grep", "x", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&broken.stdout).unwrap();
    assert_eq!(broken.code, 2);
    assert!(found["errors"][0].as_str().unwrap().contains("broken/session.json"));
    assert_eq!(broken.stderr, format!("error: {}\n", found["errors"][0].as_str().unwrap()));
}

#[test]
fn a_long_line_is_cut_around_its_match_and_says_how_to_read_the_rest() {
    let text = format!("first\n{}needle{}", "ä".repeat(2000), "b".repeat(3000));
    let home = messages(&[("a", &text)]);
    let whole = text.split_once('\n').unwrap().1;
    let found = home.run(BLOCKS, &["t", "--grep", "needle", "--json"]).json();
    let line = &found["lines"][0];
    assert_eq!((&line["selector"], &line["column"]), (&json!("a@2+1875"), &json!(2001)));
    let shown = line["text"].as_str().unwrap();
    assert_eq!(shown.chars().count(), 500);
    // The three parts make up the line.
    let part = |side: &str| {
        let words = line["cut"][side]["command"].as_str().unwrap().to_owned();
        let mut shell = command("sh");
        let words = words.strip_prefix("terminal-session-blocks ").unwrap();
        shell.env("CODEX_HOME", home.path()).args(["-c", &format!("'{BLOCKS}' --json {words}")]);
        let read = finish(&mut shell).json();
        let text = read["blocks"][0]["text"].as_str().unwrap().to_owned();
        assert_eq!(line["cut"][side]["chars"], text.chars().count());
        text
    };
    assert_eq!(part("before") + shown + &part("after"), whole);
    // As text the same.
    let printed = home.run(BLOCKS, &["t", "--grep", "needle"]).ok();
    assert_eq!(
        printed,
        format!(
            "t a@2+1875: {shown} [cut: 1875 characters before: terminal-session-blocks --max-chars \
             1875 t a@2; 2631 characters after: terminal-session-blocks t a@2+2375:2]\n"
        )
    );
    let short = home.run(BLOCKS, &["t", "--grep", "first", "-A1", "--max-chars", "9"]).ok();
    assert!(short.starts_with("t a@1: first\nt a@2- äääääääää [cut: 4997 characters after: "));
}

#[test]
fn a_line_of_many_megabytes_is_no_problem() {
    let home = Home::new();
    let text = "x".repeat(20 << 20) + "needle" + &"y".repeat(1 << 20);
    home.manifest("t", format!(r#"{{"blocks":[{}]}}"#, message("a", &text)));
    let shown = home.run(BLOCKS, &["t", "--grep", "needle"]).ok();
    assert!(shown.len() < 1000 && shown.contains("xneedley"), "{}", shown.len());
}

#[test]
fn with_compat_a_cut_names_the_whole_line() {
    let home = messages(&[("a", &("x".repeat(900) + "needle"))]);
    let shown = home.run(BLOCKS, &["t", "--grep", "needle", "--compat"]).ok();
    let command = "406 characters before: terminal-session-blocks --compat t a@1]\n";
    assert!(shown.ends_with(command), "{shown}");
    home.run(BLOCKS, &["t", "a@1:1", "--compat"]).ok();
}

#[test]
fn untrusted_text_is_harmless() {
    let home = Home::new();
    let id = r"e\u001bsc";
    home.manifest(
        "it's\u{1b}",
        format!(r#"{{"blocks":[{}]}}"#, message(id, "x\u{1b}[2J\u{9b}\ty")),
    );
    let shown = home.run(BLOCKS, &["--all-sessions", "--grep", "x"]).ok();
    assert_eq!(shown, "'it'\\''s\\x1b' 1@1: x\\x1b[2J\\x9b\ty\n");
}

#[test]
fn names_are_those_that_a_selector_takes() {
    let home = messages(&[("twin", "x"), ("twin", "x"), ("with space", "x"), ("-dash", "x")]);
    let shown = home.run(BLOCKS, &["t", "--grep", "x"]).ok();
    assert_eq!(shown, "t twin@1: x\nt 2@1: x\nt 'with space@1': x\nt 4@1: x\n");
}

#[test]
fn compat_searches_the_helpers_text() {
    let shown = |args: &[&str]| {
        let run = run(BLOCKS, &[&["demo", "--grep", "vim -N"], args].concat());
        run.ok().lines().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert!(!shown(&[]).is_empty() && !shown(&["--compat"]).is_empty());
    let mut first = command(BLOCKS);
    first.args(["dem", "--grep", "x", "--compat"]).env("CODEX_HOME", fixture_home());
    finish(&mut first).fails(2);
}
