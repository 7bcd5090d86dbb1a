//! `terminal-session-record export`.

use std::path::Path;

use serde_json::Value;
use terminal_session::screen::Size;

use crate::support::{BLOCKS, Home, Outer, RECORD, command, finish, fixture_home, run};

/// The lines of a cast.
fn lines(cast: &str) -> Vec<Value> {
    cast.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_page_has_every_block() {
    let page = run(RECORD, &["export", "demo"]).ok();
    assert_eq!(run(RECORD, &["export", "demo", "--html", "-o", "-"]).ok(), page);
    let same = run(BLOCKS, &["demo", "--all", "--render", "html"]).ok();
    assert_eq!(page, same);
    let page = run(RECORD, &["export", "terminal-k3"]).ok();
    let facts = "<p class=\"facts\">$ python3 -m unittest -v test_orchard · <span class=\"bad\">exit \
                 code 1</span>";
    assert!(page.contains(facts), "{page}");
}

#[test]
fn a_file_is_made_and_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.html");
    let path = path.to_str().unwrap();
    assert_eq!(run(RECORD, &["export", "demo", "-o", path]).ok(), "");
    let page = std::fs::read_to_string(path).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let why = run(RECORD, &["export", "terminal-w8", "-o", path]).fails(1);
    assert!(why.contains("--overwrite"), "{why}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
    let args = ["export", "terminal-w8", "--cast", "-o", path, "--overwrite"];
    assert_eq!(run(RECORD, &args).ok(), "");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("{\"version\":3,"));
    for bad in [&["--html", "--cast"][..], &["--overwrite"]] {
        run(RECORD, &[&["export", "demo"], bad].concat()).fails(2);
    }
    run(RECORD, &["export", "nobody"]).fails(1);
    run(RECORD, &["export", "demo", "-o", "/no/such/folder/x"]).fails(1);
}

#[test]
fn what_is_there_stays_until_all_of_the_new_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(&path, "old").unwrap();
    let script = "ulimit -f 1; exec \"$0\" export demo --overwrite -o \"$1\"";
    let mut shell = command("bash");
    shell.args(["-c", script, RECORD]).arg(&path).env("CODEX_HOME", fixture_home());
    let why = finish(&mut shell).fails(1);
    assert!(why.contains("File too large"), "{why}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn neither_a_pipe_nor_a_session_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(command("mkfifo").arg(&fifo).status().unwrap().success());
    let args = ["export", "demo", "--overwrite", "-o", fifo.to_str().unwrap()];
    assert!(run(RECORD, &args).fails(1).ends_with("it is not a regular file\n"));
    let manifest = fixture_home().join("codex-deck/terminal/sessions/demo/session.json");
    let args = ["export", "demo", "--overwrite", "-o", manifest.to_str().unwrap()];
    assert!(run(RECORD, &args).fails(2).ends_with("is inside of a session\n"));
}

#[test]
fn a_cast_plays_the_blocks_at_their_times() {
    let home = Home::new();
    home.snapshot("t", "a", "one\ntwo\r\n").snapshot("t", "b", "\x1b[31mthree").manifest(
        "t",
        r#"{"blocks":[
        {"blockId":"x","type":"terminal_snapshot","snapshotPath":"blocks/a","cols":20,"rows":5,
        "command":"ls","createdAt":"2026-05-04T09:00:00.000Z"},
        {"blockId":"m","type":"ai_terminal_complete","message":"done\nit",
        "createdAt":"2026-05-04T09:00:01.500Z"},
        {"type":"terminal_snapshot","snapshotPath":"blocks/b","cols":30,"rows":6,
        "createdAt":"2026-05-04T09:00:01.250Z"},
        {"type":"terminal_snapshot","snapshotPath":"blocks/gone"}]}"#,
    );
    let found = home.run(RECORD, &["export", "t", "--cast"]);
    assert_eq!(found.code, 1);
    assert!(found.stderr.contains("content file not found"), "{}", found.stderr);
    assert_eq!(
        found.stdout,
        "{\"version\":3,\"term\":{\"cols\":20,\"rows\":5,\"type\":\"xterm-256color\"},\
         \"idle_time_limit\":3.0,\"title\":\"t\",\"timestamp\":1777885200}\n\
         [0.000, \"o\", \"one\\r\\ntwo\\r\\n\"]\n[0.000, \"m\", \"x $ ls\"]\n\
         [1.500, \"m\", \"m ai_terminal_complete: done\"]\n[0.000, \"o\", \"\\u001bc\"]\n\
         [0.000, \"r\", \"30x6\"]\n[0.000, \"o\", \"\\u001b[31mthree\"]\n[0.000, \"m\", \"3\"]\n"
    );
}

#[test]
fn a_cast_becomes_the_same_blocks_again() {
    for terminal in ["demo", "terminal-k3x9qa71mb2f", "terminal-w81pz0dd9c4e"] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x.cast");
        let cast = run(RECORD, &["export", terminal, "--cast"]).ok();
        std::fs::write(&path, &cast).unwrap();
        let mut import = command(RECORD);
        import.env("CODEX_HOME", home.path()).args(["import", "--freeze", "markers", "-q"]);
        finish(import.args(["--terminal-id", "back"]).arg(&path)).ok();
        let texts = |home: &Path, terminal: &str| -> Vec<Value> {
            let mut blocks = command(BLOCKS);
            blocks.env("CODEX_HOME", home).args([terminal, "--all", "--json"]);
            let found = finish(&mut blocks).json();
            let blocks = found["blocks"].as_array().unwrap().iter();
            let screens = blocks.filter(|block| block["type"] == "terminal_snapshot");
            let of = |block: &Value| {
                let keys = ["text", "cols", "rows", "alternateScreen"];
                keys.iter().map(|key| block[*key].clone()).collect::<Vec<_>>()
            };
            screens.map(|block| of(block).into()).collect()
        };
        assert_eq!(texts(home.path(), "back"), texts(&fixture_home(), terminal), "{terminal}");
        assert_eq!(lines(&cast)[0]["title"], terminal);
    }
}

#[test]
fn a_cast_is_not_for_a_terminal() {
    let home = fixture_home();
    let env: [(&str, &Path); 1] = [("CODEX_HOME", &home)];
    let size = Size { cols: 80, rows: 24 };
    let (shown, status) = Outer::start(RECORD, &["export", "demo", "--cast"], &env, size).end();
    assert_eq!(status.code(), Some(2));
    assert!(shown.contains("an asciicast goes to a file"), "{shown}");
}
