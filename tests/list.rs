//! `terminal-session-list`.

use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::recording::Recorder;
use crate::support::{Home, LIST, SUMMARY, command, finish, run, run_shown};

fn at(updated: &str, rest: &str) -> String {
    format!(r#"{{"updatedAt":"{updated}","createdAt":"{updated}","blocks":[{rest}]}}"#)
}

/// Ids in the order of the list.
fn ids(home: &Home, args: &[&str]) -> Vec<String> {
    let listed = home.run(LIST, &[args, &["--json"]].concat()).json();
    let sessions = listed["sessions"].as_array().unwrap().iter();
    sessions.map(|session| session["terminalId"].as_str().unwrap().to_owned()).collect()
}

fn session(home: &Home, id: &str) -> Value {
    let listed = home.run(LIST, &["--json"]).json();
    let sessions = listed["sessions"].as_array().unwrap();
    sessions.iter().find(|session| session["terminalId"] == id).unwrap().clone()
}

#[test]
fn sessions_are_lines_for_people() {
    let lines = run(LIST, &[]).ok();
    // How long ago something was is up to the clock.
    let shown: String =
        lines.lines().map(|line| format!("{}{}\n", &line[..23], &line[35..])).collect();
    insta::assert_snapshot!(shown, @r"
    TERMINAL                    SIZE  BLOCKS           CODEX                                 FIRST
    terminal-k3x9qa71mb2f   67.4 KiB  2s 1a            0198c0de-77aa-7c01-8f00-1122aabbccdd  $ python3 -m unittest -v test_orchard
    demo                    17.0 KiB  4s 1p 1q 1a      0198c0de-5a10-7b2e-9f00-00bc79d7b8c1  dev@devbox:~/orchard$ ls
    terminal-w81pz0dd9c4e    9.2 KiB  5s               0198c0de-91c4-7d10-8a00-c0ffee00f00d  dev@devbox:~/orchard$ less -N docs/harvest.md
    ");
    // On a terminal only colours are added.
    let (shown, code) = run_shown(&crate::support::fixture_home(), LIST, &[""; 0]);
    assert_eq!(code, 0);
    let plain = shown.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "").replace('\r', "");
    assert_ne!(shown, plain);
    assert_eq!(plain, lines);
    assert_eq!(run(LIST, &["--color=always"]).ok().matches('\u{1b}').count(), 2);
}

#[test]
fn json_has_figures_and_what_comes_first() {
    let listed = run(LIST, &["--json", "--limit", "2"]).json();
    assert_eq!((&listed["total"], &listed["broken"]), (&json!(3), &json!(0)));
    let demo = crate::support::fixture_home().join("codex-deck/terminal/sessions/demo");
    let files = walkdir::WalkDir::new(demo).into_iter().map(|entry| entry.unwrap());
    let bytes: u64 = files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.metadata().unwrap().len())
        .sum();
    assert_eq!(
        listed["sessions"][1],
        json!({
            "terminalId": "demo", "status": "ok",
            "createdAt": "2026-05-04T09:00:00.000Z", "updatedAt": "2026-05-04T09:21:42.822Z",
            "bytes": bytes, "blockCount": 7,
            "blocks": {
                "terminal_snapshot": 4, "ai_terminal_plan": 1, "ai_terminal_need_input": 1,
                "ai_terminal_complete": 1,
            },
            "unfrozen": false, "sessionId": "0198c0de-5a10-7b2e-9f00-00bc79d7b8c1",
            "firstLine": "dev@devbox:~/orchard$ ls",
        })
    );
    assert_eq!(listed["sessions"][0]["firstCommand"], json!("python3 -m unittest -v test_orchard"));
}

#[test]
fn the_first_one_is_the_latest() {
    let home = Home::new();
    home.manifest("a", at("2026-05-01T12:00:00.000+02:00", ""))
        .manifest("b", at("2026-05-01T10:00:00.000Z", ""))
        .manifest("c", at("2026-05-02T10:00:00.000Z", ""))
        .manifest("d", at("not a time", ""))
        .manifest("e", "{");
    assert_eq!(ids(&home, &[]), ["c", "b", "a", "e", "d"]);
    std::fs::remove_dir_all(home.folder("c")).unwrap();
    // Of two that changed at the same moment the last one by name.
    assert_eq!(ids(&home, &["--limit", "1"]), ["b"]);
    let latest = home.run(SUMMARY, &["latest"]).json();
    assert_eq!(latest["terminalId"], "b");
}

#[test]
fn what_comes_first_can_be_chosen() {
    let home = Home::new();
    let times = |created: &str, updated: &str| {
        format!(r#"{{"createdAt":"{created}","updatedAt":"{updated}","blocks":[]}}"#)
    };
    home.manifest("old", times("2026-05-01T10:00:00Z", "2026-05-09T10:00:00Z"))
        .manifest("new", times("2026-05-02T10:00:00Z", "2026-05-03T10:00:00Z"))
        .manifest("large", times("2026-04-01T10:00:00Z", "2026-04-01T10:00:00Z"))
        .snapshot("large", "s", "x".repeat(5000));
    assert_eq!(ids(&home, &[]), ["old", "new", "large"]);
    assert_eq!(ids(&home, &["--sort", "created"]), ["new", "old", "large"]);
    assert_eq!(ids(&home, &["--sort", "size", "--limit", "1"]), ["large"]);
    home.run(LIST, &["--sort", "name"]).fails(2);
}

#[test]
fn sessions_are_filtered_by_time() {
    let home = Home::new();
    let ago = |hours: u64| {
        Timestamp::try_from(SystemTime::now() - Duration::from_secs(hours * 3600 + 60)).unwrap()
    };
    for (name, hours) in [("hour", 1), ("day", 24), ("week", 7 * 24), ("month", 30 * 24)] {
        home.manifest(name, at(&ago(hours).to_string(), ""));
    }
    assert_eq!(ids(&home, &["--since", "2h"]), ["hour"]);
    assert_eq!(ids(&home, &["--since", "2d"]), ["hour", "day"]);
    assert_eq!(ids(&home, &["--since", "2w"]), ["hour", "day", "week"]);
    assert_eq!(ids(&home, &["--since", &ago(25).to_string()]), ["hour", "day"]);
    assert_eq!(ids(&home, &["--since", "2020-01-01"]).len(), 4);
    let error = home.run(LIST, &["--since", "soon"]).fails(2);
    assert!(error.starts_with("error: invalid time: soon ("), "{error}");
    // Where a session does not say when it changed, its file does.
    home.manifest("broken", "{");
    assert_eq!(ids(&home, &["--since", "2h"]), ["hour", "broken"]);
    assert_eq!(ids(&home, &["--since", "2999-01-01"]), [""; 0]);
}

#[test]
fn sessions_are_filtered_by_codex_session() {
    let home = Home::new();
    let block = |id: &str| format!(r#"{{"type":"ai_terminal_complete","sessionId":"{id}"}}"#);
    let blocks = |ids: &[&str]| ids.iter().map(|id| block(id)).collect::<Vec<_>>().join(",");
    home.manifest("both", at("2026-05-01T10:00:00Z", &blocks(&["thread-1", "thread-2"])))
        .manifest("one", at("2026-05-02T10:00:00Z", &blocks(&["thread-1"])))
        .manifest("none", at("2026-05-03T10:00:00Z", ""))
        .manifest("broken", "{");
    assert_eq!(ids(&home, &["--session-id", "thread-1"]), ["one", "both"]);
    assert_eq!(ids(&home, &["--session-id", "thread-2"]), ["both"]);
    assert_eq!(ids(&home, &["--session-id", "thread"]), ["one", "both"]);
    assert_eq!(ids(&home, &["--session-id", "hread"]), [""; 0]);
    assert_eq!(session(&home, "both")["sessionId"], "thread-2");
    home.run(LIST, &["--session-id", " "]).fails(2);
}

#[test]
fn broken_sessions_say_why() {
    let home = Home::new();
    home.manifest("not-json", "{\"blocks\":[").manifest("array", "[]").manifest("no-blocks", "{}");
    std::fs::create_dir(home.folder("folder").join("session.json")).unwrap();
    home.folder("empty");
    symlink("/dev/null", home.folder("outside").join("session.json")).unwrap();
    std::fs::write(home.folder("x").parent().unwrap().join("file"), "").unwrap();
    std::fs::remove_dir_all(home.folder("x")).unwrap();
    let shown = home.run(LIST, &[]).ok();
    let lines: Vec<_> = shown
        .lines()
        .skip(1)
        .map(|line| {
            let (start, reason) = line.split_once("broken: ").unwrap();
            (start.split_whitespace().next().unwrap(), reason)
        })
        .collect();
    assert_eq!(
        lines,
        [
            ("outside", "terminal session manifest is a link out of its folder"),
            (
                "not-json",
                "invalid terminal session manifest JSON (unexpected end of text at line 1 column 12)"
            ),
            ("no-blocks", "terminal session manifest has no blocks array"),
            ("folder", "terminal session manifest is not a regular file"),
            ("empty", "terminal session manifest not found"),
            ("array", "terminal session manifest must contain a JSON object"),
        ]
    );
    let array = session(&home, "array");
    assert_eq!((&array["status"], &array["bytes"]), (&json!("broken"), &json!(2)));
    assert_eq!(array["error"], "terminal session manifest must contain a JSON object");
    assert_eq!(home.run(LIST, &["--json"]).json()["broken"], 6);
}

#[test]
fn a_session_being_recorded_is_listed_as_such() {
    let home = Home::new();
    home.manifest("old", at("2026-05-01T10:00:00Z", "")).manifest("broken", "{");
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("shown");
    recorder.journal.flush().unwrap();
    assert_eq!(ids(&home, &[]), ["t", "old", "broken"]);
    let recording = session(&home, "t");
    assert_eq!(recording["status"], "recording");
    assert_eq!((&recording["unfrozen"], &recording["blockCount"]), (&json!(true), &json!(0)));
    let shown = home.run(LIST, &[]).ok();
    assert!(shown.lines().nth(1).unwrap().ends_with("  recording: nothing is frozen yet"));
    recorder.freeze();
    recorder.show("more");
    recorder.journal.flush().unwrap();
    let frozen = session(&home, "t");
    assert_eq!((&frozen["status"], &frozen["unfrozen"]), (&json!("ok"), &json!(true)));
    let shown = home.run(LIST, &[]).ok();
    assert!(shown.lines().nth(1).unwrap().contains("  1s +live  "), "{shown}");
}

#[test]
fn what_a_session_is_recognised_by() {
    let home = Home::new();
    let first = |blocks: &str| {
        home.manifest("t", at("2026-05-01T10:00:00Z", blocks));
        let found = session(&home, "t");
        (found["firstCommand"].clone(), found["firstLine"].clone())
    };
    let message = r#"{"type":"ai_terminal_complete","message":" \n second\nthird"}"#;
    let command = r#"{"type":"terminal_snapshot","command":"make all\nx"}"#;
    assert_eq!(first(message), (Value::Null, json!("second")));
    assert_eq!(first(&format!("{message},{command}")), (json!("make all"), Value::Null));
    assert_eq!(first(""), (Value::Null, Value::Null));
    // codex-deck notes what was typed first.
    let states = home.path().join("codex-deck/terminal/state");
    std::fs::create_dir(&states).unwrap();
    let note = |text: &str| std::fs::write(states.join("t.json"), text).unwrap();
    note(r#"{"terminalId":"t","firstCommand":"ls -l"}"#);
    assert_eq!(first(message), (json!("ls -l"), Value::Null));
    assert_eq!(first(command), (json!("make all"), Value::Null));
    for nothing in [r#"{"firstCommand":null}"#, r#"{"firstCommand":" "}"#, "{", "[]"] {
        note(nothing);
        assert_eq!(first(message), (Value::Null, json!("second")), "{nothing}");
    }
    // A snapshot that cannot be read hides nothing.
    let lost = r#"{"type":"terminal_snapshot","snapshotPath":"blocks/none"}"#;
    assert_eq!(first(&format!("{lost},{message}")), (Value::Null, json!("second")));
    // Of a large one the beginning is read.
    home.snapshot("t", "s", "\r\n\r\n\x1b[31mred\x1b[3Cline\r\n".to_owned() + &"x".repeat(1 << 20));
    let large = r#"{"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":80,"rows":24}"#;
    assert_eq!(first(large), (Value::Null, json!("red   line")));
    home.snapshot("t", "s", "ä".repeat(300));
    let wide = large.replace("80", "400");
    assert_eq!(first(&wide), (Value::Null, json!("ä".repeat(200))));
    let shown = home.run(LIST, &[]).ok();
    assert!(shown.ends_with(&format!("  {}…\n", "ä".repeat(60))), "{shown}");
}

#[test]
fn what_the_limit_hides_is_said() {
    let home = Home::new();
    home.manifest("a", at("2026-05-01T10:00:00Z", ""))
        .manifest("b", at("2026-05-02T10:00:00Z", ""))
        .manifest("c", "{");
    let limited = home.run(LIST, &["--limit", "1"]);
    assert_eq!(limited.code, 0);
    assert_eq!(limited.stdout.lines().count(), 2);
    assert_eq!(limited.stderr, "note: 2 more sessions, 1 of them broken; --limit 3 lists all\n");
    home.run(LIST, &["--limit", "3"]).ok();
    home.run(LIST, &["--limit", "0"]).fails(2);
}

#[test]
fn no_sessions_are_no_failure() {
    let home = Home::new();
    let nothing = home.run(LIST, &[]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (0, ""));
    assert!(nothing.stderr.starts_with("note: no session to list in "), "{}", nothing.stderr);
    assert_eq!(
        home.run(LIST, &["--json"]).json(),
        json!({"total": 0, "broken": 0, "sessions": []})
    );
    std::fs::create_dir_all(home.path().join("codex-deck/terminal")).unwrap();
    symlink("sessions", home.path().join("codex-deck/terminal/sessions")).unwrap();
    assert!(home.run(LIST, &[]).fails(1).contains("cannot list terminal sessions"));
}

#[test]
fn controls_are_shown_not_live() {
    let home = Home::new();
    let evil = r#"{"type":"a\u001b[2J","sessionId":"s\u009b1m","command":"c\u0007\u001b]0;x"}"#;
    home.manifest("t\u{1b}[31m", at("2026-05-01T10:00:00Z", evil));
    let shown = home.run(LIST, &[]).ok();
    assert!(shown.contains(r"t\x1b[31m") && shown.contains(r"s\x9b1m"), "{shown}");
    assert!(shown.ends_with("  $ c\\x07\\x1b]0;x\n"), "{shown}");
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'));
    let json = home.run(LIST, &["--json"]).ok();
    assert!(json.contains(r"s\u009b1m") && !json.contains('\u{9b}'), "{json}");
}

#[test]
fn sessions_behind_links_are_listed() {
    let home = Home::new();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("session.json"), at("2026-05-01T10:00:00Z", "")).unwrap();
    home.manifest("plain", at("2026-05-02T10:00:00Z", ""));
    let sessions = home.folder("plain").parent().unwrap().to_owned();
    symlink(elsewhere.path(), sessions.join("linked")).unwrap();
    symlink("nowhere", sessions.join("dangling")).unwrap();
    assert_eq!(ids(&home, &[]), ["plain", "linked"]);
    let bytes = session(&home, "linked")["bytes"].as_u64().unwrap();
    assert_eq!(bytes, at("2026-05-01T10:00:00Z", "").len() as u64);
}

/// The most memory that a run had, in KiB.
#[cfg(target_os = "linux")]
fn peak(home: &std::path::Path, args: &[&str]) -> u64 {
    use std::io::Read;
    use std::process::Stdio;
    let mut child = command(LIST);
    child.env("CODEX_HOME", home).args(args).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // The peak is known once the last of the output is there and the program waits to give it away.
    let mut out = child.stdout.take().unwrap();
    let mut first = [0; 1];
    out.read_exact(&mut first).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_list_takes_little_memory() {
    const COUNT: u64 = 4000;
    let home = Home::new();
    let block = r#"{"type":"ai_terminal_complete","message":"done"}"#;
    let few = at("2026-05-01T10:00:00Z", block);
    let one = Home::new();
    for number in 0..COUNT {
        let folder =
            home.path().join(format!("codex-deck/terminal/sessions/terminal-{number:012}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("session.json"), &few).unwrap();
    }
    // More than a pipe holds, so that the run above is caught before its end.
    for number in 0..300 {
        one.manifest(&format!("terminal-{number:012}"), &few);
    }
    let listed = finish(command(LIST).env("CODEX_HOME", home.path())).ok();
    assert_eq!(listed.lines().count() as u64, COUNT + 1);
    let more = peak(home.path(), &["--json"]).saturating_sub(peak(one.path(), &["--json"]));
    assert!(more * 1024 <= 200 * COUNT, "{more} KiB");
}
