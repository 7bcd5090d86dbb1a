//! What is made for people: `summary --human`, and the pager.

use std::path::Path;

use terminal_session::screen::Size;

use crate::support::{BLOCKS, Home, Outer, SUMMARY, fixture_home, run, skipped};

const SIZE: Size = Size { cols: 100, rows: 24 };
const LONG: &str = "terminal-k3x9qa71mb2f";

/// Runs a program on a terminal with this environment beside the codex home; all that it showed.
fn on_terminal(program: &str, args: &[&str], env: &[(&str, &str)]) -> String {
    let (shown, code) = on_terminal_to_end(program, args, env);
    assert_eq!(code, Some(0), "{shown}");
    shown
}

/// The same for a program that may fail, with its exit code.
fn on_terminal_to_end(program: &str, args: &[&str], env: &[(&str, &str)]) -> (String, Option<i32>) {
    let home = fixture_home();
    let mut all: Vec<(&str, &Path)> = vec![("CODEX_HOME", &home)];
    all.extend(env.iter().map(|(name, value)| (*name, Path::new(*value))));
    let (shown, status) = Outer::start(program, args, &all, SIZE).end();
    (shown, status.code())
}

/// A pager that says what it was started with and marks each line.
fn marking_pager(folder: &Path) -> String {
    let path = folder.join("mark it");
    let script = "#!/bin/sh\nprintf 'LESS=%s\\n' \"$LESS\"\nexec sed 's/^/> /'\n";
    std::fs::write(&path, script).unwrap();
    format!("sh '{}'", path.display())
}

#[test]
fn a_summary_for_people_is_a_paragraph_a_block() {
    let shown = run(SUMMARY, &["demo", "--human", "--after", "2"]).ok();
    insta::assert_snapshot!("a_summary_for_people", shown);
    let shown = run(SUMMARY, &[LONG, "--human", "--recent", "3"]).ok();
    assert!(
        shown.contains("\n   $ python3 -m unittest -v test_orchard  exit code 1\n   dev@devbox:"),
        "{shown}"
    );
    let home = fixture_home();
    let home = home.to_str().unwrap();
    let shown = run(SUMMARY, &["demo", "--human", "--codex-home", home]).ok();
    let rest =
        format!("\n   [64 more lines: terminal-session-blocks demo 1@7: --codex-home {home}]\n");
    assert!(shown.contains(&rest), "{shown}");
}

#[test]
fn colours_say_how_it_ended() {
    let shown = run(SUMMARY, &[LONG, "--human", "--color", "always"]).ok();
    assert!(shown.contains("\u{1b}[31mexit code 1\u{1b}[39m"), "{shown}");
    assert!(shown.starts_with("\u{1b}[1mterminal-k3x9qa71mb2f\u{1b}[0m, 3 blocks"), "{shown}");
    let shown = on_terminal(SUMMARY, &[LONG, "--human"], &[("PAGER", "")]);
    assert!(shown.contains("\u{1b}[31mexit code 1\u{1b}[39m"), "{shown}");
}

#[test]
fn a_summary_for_people_holds_no_live_controls() {
    let home = Home::new();
    home.snapshot("t", "s", "fine").manifest(
        "t",
        r#"{"sessionId":"x","blocks":[
        {"blockId":"a\u001b]0;x\u0007","type":"terminal_snapshot","snapshotPath":"blocks/s","cols":9,
        "rows":2,"command":"c\u009b2J\n","exitCode":0,"createdAt":"2026-05-04T09:00:00Z"},
        {"type":"terminal_snapshot","snapshotPath":"blocks/\u001b[2J"},
        {"type":"ai_terminal_complete","message":"\tone\r\ntwo\u001b[31m\n3\n4\n5\n6\n7"},
        {"type":"odd\u0007","sessionId":"s\u001b"},
        {"type":"ai_terminal_plan","steps":[{"stepId":"1\u001b","command":"\u0007x"}],
        "stepActions":[{"stepId":"1\u001b","decision":"maybe\u001b"}],
        "stepFeedback":[{"kind":"execution","stepId":"1\u001b","status":"failed","exitCode":2}]}]}"#,
    );
    let shown = home.run(SUMMARY, &["t", "--human"]).ok();
    let shown =
        shown.replace(std::fs::canonicalize(home.path()).unwrap().to_str().unwrap(), "HOME");
    insta::assert_snapshot!("controls_in_a_summary_for_people", shown);
}

#[test]
fn options_of_json_do_not_go_with_it() {
    for bad in ["--compact", "--details", "--compat", "--preview-chars=5", "--max-chars=5"] {
        run(SUMMARY, &["demo", "--human", bad]).fails(2);
    }
}

#[test]
fn long_output_on_a_terminal_goes_through_the_pager() {
    let folder = tempfile::tempdir().unwrap();
    let pager = marking_pager(folder.path());
    for (program, args) in [
        (SUMMARY, &["demo", "--human"][..]),
        (BLOCKS, &["demo", "4"]),
        (BLOCKS, &["demo", "4", "--render", "ansi"]),
        (BLOCKS, &["demo", "--grep", "pub fn"]),
    ] {
        let shown = on_terminal(program, args, &[("PAGER", &pager)]);
        assert!(shown.starts_with("LESS=FRX\r\n> "), "{args:?}: {shown}");
        let lines: Vec<_> = shown.lines().skip(1).collect();
        assert!(lines.iter().all(|line| line.starts_with('>')), "{args:?}: {shown}");
        let mut plain = args.to_vec();
        plain.push("--no-pager");
        let unpaged = on_terminal(program, &plain, &[("PAGER", &pager)]);
        let marked: String = unpaged.lines().map(|line| format!("> {line}\r\n")).collect();
        assert_eq!(marked, shown["LESS=FRX\r\n".len()..], "{args:?}");
    }
}

#[test]
fn the_pager_is_the_one_that_is_named_first() {
    let folder = tempfile::tempdir().unwrap();
    let pager = marking_pager(folder.path());
    let args = ["demo", "7"];
    for env in [
        &[("TERMINAL_SESSION_PAGER", pager.as_str()), ("PAGER", "false"), ("LESS", "-S")][..],
        &[("PAGER", pager.as_str()), ("LESS", "-S")],
    ] {
        assert!(on_terminal(BLOCKS, &args, env).starts_with("LESS=-S\r\n> ====="));
    }
    for env in [
        &[("TERMINAL_SESSION_PAGER", ""), ("PAGER", pager.as_str())][..],
        &[("TERMINAL_SESSION_PAGER", "cat"), ("PAGER", pager.as_str())],
        &[("PAGER", "/no/such/pager -x")],
        &[("PAGER", pager.as_str()), ("TERM", "dumb")],
    ] {
        assert!(on_terminal(BLOCKS, &args, env).starts_with("===== block-"), "{env:?}");
    }
    // Neither programs nor pipes get a pager.
    for args in [&["demo", "7", "--json"][..], &["demo", "7", "--compat"]] {
        assert!(!on_terminal(BLOCKS, args, &[("PAGER", &pager)]).contains("LESS="));
    }
}

#[test]
fn a_pager_that_fails_is_said() {
    let (shown, code) = on_terminal_to_end(BLOCKS, &["demo", "7"], &[("PAGER", "false")]);
    assert!(shown.contains("the pager \"false\" failed (exit status: 1)"), "{shown}");
    assert_eq!(code, Some(1));
}

#[test]
fn what_goes_wrong_is_said_after_the_pager() {
    let folder = tempfile::tempdir().unwrap();
    let pager = marking_pager(folder.path());
    let home = fixture_home();
    let env: [(&str, &Path); 2] = [("CODEX_HOME", &home), ("PAGER", Path::new(&pager))];
    let args = ["demo", "7@5:", "3", "--color", "never"];
    let (shown, status) = Outer::start(BLOCKS, &args, &env, SIZE).end();
    assert!(status.success());
    let note = "note: block block-mou0h9xe-v7b0q4lo has 1 line; 5:end is past its end\r\n";
    assert!(shown.ends_with(&format!("> \r\n{note}")), "{shown}");
}

#[test]
fn a_pager_that_is_left_early_ends_it_quietly() {
    let home = fixture_home();
    let env: [(&str, &Path); 2] = [("CODEX_HOME", &home), ("PAGER", Path::new("head -n 1"))];
    let (shown, status) = Outer::start(BLOCKS, &[LONG, "--all"], &env, SIZE).end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(shown, "===== block-mouz01ab-unit1100 (terminal_snapshot) =====\r\n");
}

#[test]
fn less_shows_a_page_at_a_time_and_an_interrupt_leaves_it_running() {
    if std::process::Command::new("less").arg("-V").output().is_err() {
        skipped("there is no less");
        return;
    }
    let home = fixture_home();
    let env: [(&str, &Path); 1] = [("CODEX_HOME", &home)];
    let mut outer = Outer::start(BLOCKS, &[LONG, "1"], &env, SIZE);
    outer.wait_for("test_row_0015").wait_for(":");
    outer.send("\x03").wait_for(":").send("G").wait_for("FAILED (failures=1)");
    outer.send("q");
    let (shown, status) = outer.end();
    assert!(status.success() && !shown.contains("test_row_0500"), "{shown}");
    // What fits on one screen is only shown.
    let (shown, status) = Outer::start(BLOCKS, &["demo", "7"], &env, SIZE).end();
    assert!(status.success() && shown.contains("litres"), "{shown}");
}
