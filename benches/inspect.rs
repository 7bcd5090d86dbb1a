//! How long the inspectors take beside `cat` of the same manifest and a program that only says
//! hello, as whole processes in turn, so that a slow moment of the machine falls on all of them.
//!
//! `cargo bench --bench inspect [RUNS]` (default 41) prints medians and ratios, and exits 1 where
//! a ratio is over its bound.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::{Value, json};

mod timing;

use timing::{Row, run_in_turn};

const BLOCKS: usize = 720;
const SNAPSHOT_BYTES: usize = 19_200;

fn main() -> ExitCode {
    let runs = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(41);
    let home = tempfile::tempdir().unwrap();
    let (manifest_bytes, snapshot_bytes) = write_session(home.path());
    let hello = compile_hello(home.path());
    let mut rows = rows(home.path().to_str().unwrap(), &hello);
    let medians = run_in_turn(&mut rows, runs);
    println!(
        "manifest {manifest_bytes} bytes, {BLOCKS} blocks, snapshots {snapshot_bytes} bytes, {runs} runs"
    );
    println!(
        "{:<22} {:>9} {:>7} {:>7} {:>6}",
        "whole process", "median ms", "x cat", "x hello", "bound"
    );
    let mut exit = ExitCode::SUCCESS;
    for (row, own) in rows.iter().zip(&medians) {
        let (cat, hello) = (own / medians[0], own / medians[1]);
        let bound = row.bound.map_or_else(String::new, |bound| bound.to_string());
        println!("{:<22} {:>9.3} {cat:>7.2} {hello:>7.2} {bound:>6}", row.name, own * 1e3);
        if row.bound.is_some_and(|bound| cat > bound) {
            exit = ExitCode::FAILURE;
        }
    }
    exit
}

fn rows(home: &str, hello: &str) -> Vec<Row> {
    let manifest = format!("{home}/codex-deck/terminal/sessions/big/session.json");
    let summary = env!("CARGO_BIN_EXE_terminal-session-summary");
    let blocks = env!("CARGO_BIN_EXE_terminal-session-blocks");
    let row = |name, words: &[&str], bound| {
        let is_ours = bound > 0.0;
        let place: &[&str] = if is_ours { &["--codex-home", home] } else { &[] };
        Row::new(name, &[words, place].concat(), is_ours.then_some(bound))
    };
    vec![
        row("cat session.json", &["cat", &manifest], 0.0),
        row("hello world", &[hello], 0.0),
        row("summary --recent 5", &[summary, "big", "--recent", "5"], 3.0),
        row("summary", &[summary, "big"], 18.0),
        row("summary --compat", &[summary, "big", "--compat"], 18.0),
        row("blocks, one snapshot", &[blocks, "big", "719"], 3.5),
        row("blocks, by id", &[blocks, "big", "block-000002cc-abcdefgh"], 3.5),
        row("blocks, by prefix", &[blocks, "big", "block-000002cc"], 3.5),
        row("blocks, last message", &[blocks, "big", "last"], 3.5),
    ]
}

fn compile_hello(folder: &Path) -> String {
    let (source, program) = (folder.join("hello.rs"), folder.join("hello"));
    std::fs::write(&source, "fn main() { println!(\"hello\"); }").unwrap();
    let mut rustc = Command::new("rustc");
    let status = rustc.arg("-O").arg(&source).arg("-o").arg(&program).status().unwrap();
    assert!(status.success());
    program.to_str().unwrap().to_owned()
}

/// A session of 720 blocks, every third a snapshot; the sizes of its manifest and its snapshots.
fn write_session(home: &Path) -> (usize, usize) {
    let folder = home.join("codex-deck/terminal/sessions/big");
    std::fs::create_dir_all(folder.join("blocks")).unwrap();
    let mut total = 0;
    let mut records = Vec::new();
    for index in 0..BLOCKS {
        let id = format!("block-{index:08x}-abcdefgh");
        let mut record = record(index, &id);
        if index % 3 == 0 {
            let data = snapshot(index);
            total += data.len();
            record["snapshotLength"] = data.len().into();
            std::fs::write(folder.join(format!("blocks/{id}.snapshot")), data).unwrap();
        }
        records.push(record);
    }
    let time = "2026-05-01T10:00:00.000Z";
    let manifest =
        json!({"terminalId": "big", "createdAt": time, "updatedAt": time, "blocks": records});
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    std::fs::write(folder.join("session.json"), &text).unwrap();
    (text.len(), total)
}

fn record(index: usize, id: &str) -> Value {
    let time = "2026-05-01T10:00:00.000Z";
    let mut record = json!({
        "blockId": id, "terminalId": "big", "sessionId": "0198c0de-0000-7000-8000-000000000001",
        "type": "ai_terminal_complete", "sequence": index + 1, "createdAt": time,
        "updatedAt": time, "messageKey": format!("turn-{index}:message:1"), "stepId": null,
        "snapshotPath": null, "snapshotFormat": null, "cols": null, "rows": null,
        "snapshotLength": null, "captureKind": null, "leadingMarkdown": null,
        "trailingMarkdown": null, "rawBlock": null, "contextNote": null, "message": null,
        "question": null, "steps": null, "stepActions": null, "stepFeedback": null,
    });
    let members = match index % 3 {
        0 => json!({
            "type": "terminal_snapshot", "snapshotPath": format!("blocks/{id}.snapshot"),
            "snapshotFormat": "xterm-serialize-v1", "cols": 80, "rows": 24,
            "captureKind": "manual", "messageKey": null,
        }),
        1 => json!({
            "type": "ai_terminal_plan", "stepActions": [], "stepFeedback": [],
            "leadingMarkdown": "Two steps, **both safe**.\n".repeat(12),
            "rawBlock": "<ai-terminal-step>…</ai-terminal-step>\n".repeat(24),
            "steps": [{"stepId": "look", "command": "git diff --stat", "risk": "low",
                "nextAction": "approve", "stepGoal": "Size of the edit", "explanation": null,
                "cwd": null, "shell": null, "contextNote": null}],
        }),
        _ => json!({
            "message": "Commit when ready. ".repeat(20),
            "rawBlock": "<requirement_finished>Commit.</requirement_finished>".repeat(8),
        }),
    };
    for (key, value) in members.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

/// Coloured shell output in the form of the serializer.
fn snapshot(seed: usize) -> String {
    let mut data = String::new();
    for row in 0.. {
        if data.len() > SNAPSHOT_BYTES {
            break;
        }
        let width = (seed * 31 + row * 17) % 48;
        let (gap, words) = (width % 7 + 1, "apple ".repeat(width / 6));
        let prompt = "\u{1b}[1;32mdev@devbox\u{1b}[0m:\u{1b}[1;34m~/orchard\u{1b}[0m$";
        write!(data, "{prompt} row {row}\u{1b}[{gap}C{words}\r\n").unwrap();
    }
    data
}
