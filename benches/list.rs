//! How long a list of 10,000 sessions takes beside `cat` of their manifests, as whole processes in
//! turn, so that a slow moment of the machine falls on all of them.
//!
//! `cargo bench --bench list [RUNS]` (default 11) prints medians and ratios, and exits 1 where a
//! ratio is over its bound.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

mod timing;

use timing::{Row, run_in_turn};

const SESSIONS: usize = 10_000;

fn main() -> ExitCode {
    let runs = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(11);
    let home = tempfile::tempdir().unwrap();
    let bytes: usize = (0..SESSIONS).map(|number| write_session(home.path(), number)).sum();
    let mut rows = rows(home.path().to_str().unwrap());
    let medians = run_in_turn(&mut rows, runs);
    println!("{SESSIONS} manifests of {} bytes, {runs} runs", bytes / SESSIONS);
    println!("{:<26} {:>9} {:>7} {:>6}", "whole process", "median ms", "x cat", "bound");
    let mut exit = ExitCode::SUCCESS;
    for (row, own) in rows.iter().zip(&medians) {
        let cat = own / medians[0];
        let bound = row.bound.map_or_else(String::new, |bound| bound.to_string());
        println!("{:<26} {:>9.1} {cat:>7.2} {bound:>6}", row.name, own * 1e3);
        if row.bound.is_some_and(|bound| cat > bound) {
            exit = ExitCode::FAILURE;
        }
    }
    exit
}

fn rows(home: &str) -> Vec<Row> {
    let list = env!("CARGO_BIN_EXE_terminal-session-list");
    let blocks = env!("CARGO_BIN_EXE_terminal-session-blocks");
    let cat = format!("find '{home}' -name session.json -exec cat {{}} + >/dev/null");
    let home = ["--codex-home", home];
    vec![
        Row::new("cat of all manifests", &["sh", "-c", &cat], None),
        Row::new("list", &[&[list], &home[..]].concat(), Some(4.0)),
        Row::new("list --json", &[&[list, "--json"], &home[..]].concat(), Some(4.0)),
        Row::new("list --sort size", &[&[list, "--sort", "size"], &home[..]].concat(), Some(5.0)),
        Row::new(
            "list --limit 10 --json",
            &[&[list, "--limit", "10", "--json"], &home[..]].concat(),
            Some(2.0),
        ),
        Row::new(
            "blocks --all-sessions",
            &[&[blocks, "--all-sessions", "--grep", "41 kg"], &home[..]].concat(),
            None,
        ),
    ]
}

/// A session of two screens and two messages; the size of its manifest, some 4 KB.
fn write_session(home: &Path, number: usize) -> usize {
    let terminal = format!("terminal-{number:012}");
    let folder = home.join("codex-deck/terminal/sessions").join(&terminal);
    std::fs::create_dir_all(folder.join("blocks")).unwrap();
    let time = format!("2026-05-{:02}T{:02}:00:00.000Z", number % 28 + 1, number % 24);
    let screen = "\u{1b}[32mdev@devbox\u{1b}[0m:~/orchard$ ./weigh\u{1b}[4C41 kg\r\n".repeat(30);
    let mut blocks = Vec::new();
    for index in 0..4 {
        let id = format!("block-{index:08x}-abcdefgh");
        let mut block = json!({
            "blockId": id, "terminalId": terminal, "sessionId": format!("thread-{number:028}"),
            "type": "ai_terminal_complete", "sequence": index + 1, "createdAt": time,
            "updatedAt": time, "messageKey": format!("turn-{index}:message:1"), "stepId": null,
            "snapshotPath": null, "snapshotFormat": null, "cols": null, "rows": null,
            "snapshotLength": null, "captureKind": null, "leadingMarkdown": null,
            "trailingMarkdown": null, "rawBlock": "Commit when ready. ".repeat(10),
            "contextNote": null, "message": "Commit when ready. ".repeat(10), "question": null,
            "steps": null, "stepActions": null, "stepFeedback": null,
        });
        if index % 2 == 0 {
            std::fs::write(folder.join(format!("blocks/{id}.snapshot")), &screen).unwrap();
            for (key, value) in [
                ("type", json!("terminal_snapshot")),
                ("snapshotPath", json!(format!("blocks/{id}.snapshot"))),
                ("snapshotFormat", json!("xterm-serialize-v1")),
                ("snapshotLength", json!(screen.len())),
                ("captureKind", json!("manual")),
                ("cols", json!(80)),
                ("rows", json!(24)),
            ] {
                block[key] = value;
            }
        }
        blocks.push(block);
    }
    let manifest =
        json!({"terminalId": terminal, "createdAt": time, "updatedAt": time, "blocks": blocks});
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    std::fs::write(folder.join("session.json"), &text).unwrap();
    text.len()
}
