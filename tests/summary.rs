//! `terminal-session-summary`.

use serde_json::{Value, json};

use crate::support::{Home, SUMMARY, command, finish, fixture_home, run, run_in, run_shown};

const LONG: &str = "terminal-k3x9qa71mb2f";

fn summary(args: &[&str]) -> Value {
    run(SUMMARY, args).json()
}

#[test]
fn the_flow_of_the_demo_session() {
    insta::assert_snapshot!(run(SUMMARY, &["demo"]).ok());
}

#[test]
fn details_tell_what_there_is_to_read() {
    let args = [LONG, "--details", "--preview-chars", "20"];
    insta::assert_snapshot!(run(SUMMARY, &args).ok(), @r#"
    {
      "terminalId": "terminal-k3x9qa71mb2f",
      "sessionId": "0198c0de-77aa-7c01-8f00-1122aabbccdd",
      "createdAt": "2026-05-05T09:00:00.000Z",
      "updatedAt": "2026-05-05T09:09:34.274Z",
      "blockCount": 3,
      "blocks": [
        {
          "index": 1,
          "blockId": "block-mouz01ab-unit1100",
          "type": "terminal_snapshot",
          "captureKind": "manual",
          "snapshotPreview": "dev@devbox:~/orchard",
          "lines": 1115,
          "chars": 61079,
          "previewTruncated": true,
          "cols": 100,
          "rows": 30,
          "createdAt": "2026-05-05T09:03:00.000Z",
          "alternateScreen": false,
          "command": "python3 -m unittest -v test_orchard",
          "exitCode": 1,
          "cwd": "/home/dev/orchard",
          "startedAt": "2026-05-05T09:00:01.000Z",
          "endedAt": "2026-05-05T09:02:58.400Z"
        },
        {
          "index": 2,
          "blockId": "block-mouz04cd-gitgraph",
          "type": "terminal_snapshot",
          "captureKind": "manual",
          "snapshotPreview": "dev@devbox:~/orchard",
          "lines": 96,
          "chars": 2845,
          "previewTruncated": true,
          "cols": 100,
          "rows": 30,
          "createdAt": "2026-05-05T09:06:17.137Z",
          "alternateScreen": false
        },
        {
          "index": 3,
          "blockId": "block-mouz09ef-finished",
          "type": "ai_terminal_complete",
          "message": "One of 1,100 rows is wrong: 733."
        }
      ]
    }
    "#);
}

#[test]
fn previews_count_code_points_and_may_be_empty() {
    let preview = |count: &str, block: usize| {
        let found = summary(&["demo", "--preview-chars", count]);
        found["blocks"][block]["snapshotPreview"].as_str().unwrap().to_owned()
    };
    assert_eq!(preview("0", 0), "");
    assert_eq!(preview("9", 5), "品種    収穫量");
    assert_eq!(
        summary(&["demo"])["blocks"][0]["snapshotPreview"].as_str().unwrap().chars().count(),
        1000
    );
}

#[test]
fn recent_takes_the_last_blocks() {
    let found = summary(&["demo", "--recent", "2"]);
    let indexes: Vec<_> = found["blocks"].as_array().unwrap().iter().map(|b| &b["index"]).collect();
    assert_eq!(indexes, [&json!(6), &json!(7)]);
    assert_eq!(summary(&["demo", "--recent", "99"])["blocks"].as_array().unwrap().len(), 7);
    for bad in ["0", "-4", "many", ""] {
        let why = run(SUMMARY, &["demo", "--recent", bad]).fails(2);
        assert!(why.contains("--recent"), "{why}");
    }
}

#[test]
fn compact_is_the_same_on_one_line() {
    let line = run(SUMMARY, &["demo", "--compact"]).ok();
    assert_eq!(line.matches('\n').count(), 1);
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), summary(&["demo"]));
}

#[test]
fn a_session_is_named_by_id_prefix_or_age() {
    let id = |name: &str| summary(&[name])["terminalId"].clone();
    assert_eq!(id(LONG), LONG);
    assert_eq!(id("terminal-k"), LONG);
    assert_eq!(id(" demo "), "demo");
    assert_eq!(id("latest"), LONG);
    let several = run(SUMMARY, &["terminal-"]).fails(1);
    assert!(several.contains("not unique") && several.contains(LONG), "{several}");
    let near = run(SUMMARY, &["dmeo"]).fails(1);
    assert!(near.contains("sessions/dmeo/session.json (nearest: demo, "), "{near}");
    for name in ["terminal-k", "latest"] {
        run(SUMMARY, &[name, "--compat"]).fails(1);
    }
}

#[test]
fn an_exact_id_wins_over_a_prefix_and_latest() {
    let home = Home::new();
    home.manifest("ab", r#"{"terminalId":"one","updatedAt":"2026-05-01T10:00:00.000Z"}"#)
        .manifest("abc", r#"{"terminalId":"two","updatedAt":"2026-05-01T12:00:00.000+02:00"}"#)
        .manifest("abd", r#"{"terminalId":"three","updatedAt":"not a time"}"#)
        .manifest("abe", "{");
    let id = |name: &str| home.run(SUMMARY, &[name]).json()["terminalId"].clone();
    assert_eq!(id("ab"), "one");
    // Both times are the same moment; the later name is taken.
    assert_eq!(id("latest"), "two");
    home.manifest("latest", r#"{"terminalId":"four"}"#);
    assert_eq!(id("latest"), "four");
    home.run(SUMMARY, &["ab "]).json();
    assert!(home.run(SUMMARY, &["a"]).fails(1).contains("4 match"));
}

#[test]
fn sessions_that_cannot_be_listed_are_told_from_missing_ones() {
    let home = Home::new();
    assert!(home.run(SUMMARY, &["t"]).fails(1).contains("manifest not found"));
    assert!(home.run(SUMMARY, &["latest"]).fails(1).contains("no terminal session"));
    std::fs::create_dir_all(home.path().join("codex-deck/terminal")).unwrap();
    std::os::unix::fs::symlink("sessions", home.path().join("codex-deck/terminal/sessions"))
        .unwrap();
    assert!(home.run(SUMMARY, &["t"]).fails(1).contains("cannot list terminal sessions"));
}

#[test]
fn the_codex_home_is_the_flag_then_the_variable_then_the_user_s() {
    let home = fixture_home();
    let user = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(&home, user.path().join(".codex")).unwrap();
    let run = |args: &[&str], variable: Option<&str>| {
        let mut command = command(SUMMARY);
        command.arg("demo").env("HOME", user.path()).args(args);
        command.envs(variable.map(|value| ("CODEX_HOME", value)));
        finish(&mut command)
    };
    let path = home.to_str().unwrap();
    let named = run(&["--codex-home", path], Some("/nonexistent"));
    assert_eq!(named, run(&[], Some(path)));
    assert_eq!(named, run(&[], None));
    assert_eq!(named, run(&[], Some("")));
    assert_eq!(named, run(&["--codex-home", ""], None));
    assert_eq!(named, run(&["--codex-home", "~/.codex"], None));
    let missing = run(&["--codex-home", "/nonexistent"], None).fails(1);
    assert!(missing.contains("/nonexistent/codex-deck/terminal/sessions/demo/session.json"));
}

#[test]
fn late_controls_are_never_live_in_json() {
    let home = Home::new();
    home.manifest("t", "{\"blocks\":[{\"type\":\"ai_terminal_complete\",\"message\":\"a\u{7f}b\u{9b}31mc\\u001b[2J\"}]}");
    let shown = home.run(SUMMARY, &["t"]).ok();
    assert!(shown.contains(r#""a\u007fb\u009b31mc\u001b[2J""#), "{shown}");
    // The helper's bytes go to pipes as they are, and to a terminal they do not.
    assert!(home.run(SUMMARY, &["t", "--compat"]).ok().contains("a\u{7f}b\u{9b}31mc"));
    let (shown, code) = run_shown(home.path(), SUMMARY, &["t", "--compat"]);
    assert!(code == 0 && shown.contains(r#""a\u007fb\u009b31mc"#), "{shown}");
}

#[test]
fn errors_hold_no_live_controls() {
    let why = run(SUMMARY, &["no\u{1b}[31m\u{9b}such"]).fails(1);
    assert!(why.contains(r"no\x1b[31m\x9bsuch"), "{why}");
    let why = run(SUMMARY, &["demo", "--fr\u{1b}ob"]).fails(2);
    assert!(!why.contains('\u{1b}'), "{why}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut command = command(SUMMARY);
    command.arg(LONG).args(["--preview-chars", "100000"]).env("CODEX_HOME", fixture_home());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_full_disk_is_an_error() {
    let mut command = command(SUMMARY);
    command.arg("demo").env("CODEX_HOME", fixture_home());
    command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let run = finish(&mut command);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: cannot write output: "), "{}", run.stderr);
}

#[test]
fn options_that_the_helper_lacks_do_not_go_with_compat() {
    for extra in [&["--details"][..], &["--compact"], &["--preview-chars", "5"]] {
        let args = [&["demo", "--compat"], extra].concat();
        run(SUMMARY, &args).fails(2);
    }
}

#[test]
fn options_may_be_shortened_as_the_helper_s() {
    let whole = run(SUMMARY, &["demo", "--compat", "--recent", "2"]);
    let home = fixture_home();
    let home = home.to_str().unwrap();
    for short in ["--r", "--re", "--recen"] {
        assert_eq!(run(SUMMARY, &["demo", "--compat", short, "2"]), whole, "{short}");
    }
    for short in ["--c", "--co", "--code", "--codex-"] {
        let args = ["demo", "--compat", "--recent=1", "--recent=2", short, home];
        assert_eq!(run_in(&fixture_home(), SUMMARY, &args), whole, "{short}");
    }
    // Without it a beginning that two options share is refused.
    run(SUMMARY, &["demo", "--co", "never"]).fails(2);
}

#[test]
fn help_to_a_full_disk_is_an_error() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let run = finish(command(SUMMARY).arg("--help").stdout(full()));
    assert_eq!((run.code, run.stderr.is_empty()), (1, false));
}

#[test]
fn help_is_short_or_long() {
    let short = run(SUMMARY, &["-h"]).ok();
    let long = run(SUMMARY, &["--help"]).ok();
    assert!(short.len() < long.len() && !short.contains("Examples:"));
    assert!(long.contains("Examples:") && long.contains("Exit status:"));
    assert_eq!(
        run(SUMMARY, &["--version"]).ok(),
        format!("terminal-session-summary {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert!(run(SUMMARY, &[]).fails(2).contains("<TERMINAL>"));
}

#[test]
fn colours_are_for_people() {
    let label = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(SUMMARY);
        command.arg("none").args(args).env("CODEX_HOME", fixture_home());
        finish(command.envs(variables.iter().copied())).fails(1)
    };
    let is_coloured = |text: String| text.starts_with("\u{1b}[");
    let forced = ("CLICOLOR_FORCE", "1");
    assert!(!is_coloured(label(&[], &[])));
    assert!(is_coloured(label(&["--color=always"], &[])));
    assert!(is_coloured(label(&[], &[forced])));
    assert!(!is_coloured(label(&[], &[("CLICOLOR_FORCE", "0")])));
    assert!(!is_coloured(label(&[], &[forced, ("NO_COLOR", "1")])));
    let on_terminal =
        |extra: &[&str]| run_shown(&fixture_home(), SUMMARY, &[&["none"], extra].concat()).0;
    assert!(is_coloured(on_terminal(&[])));
    assert!(!is_coloured(on_terminal(&["--color=never"])));
}
