//! How long journalling takes, beside what util-linux `script` takes for the same output on the
//! same disk.
//!
//! `cargo bench --bench journal [MEGABYTES]` (default 100) writes a coloured flood in the pieces
//! that a terminal hands out, in turn with `script`, and prints medians. It exits 1 where the
//! journal alone takes more than its share of the bound that a whole recorder has.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use terminal_session::home::TerminalId;
use terminal_session::record::{Journal, JournalHeader, find_journals};
use terminal_session::screen::{Scrollback, Size};

/// What a read from a terminal returns at most.
mod timing;

use timing::median;

const PIECE: usize = 4095;
const LIMIT: u64 = 256 << 20;
const RUNS: usize = 5;
/// A recorder may take 1.3 times what `script` does; this is how much of that may be the journal.
const BOUND: f64 = 0.4;

fn main() -> ExitCode {
    let megabytes = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(100);
    let folder = tempfile::tempdir_in(".").unwrap();
    let flood = flood(megabytes * 1_000_000);
    let source = folder.path().join("flood");
    std::fs::write(&source, &flood).unwrap();
    let mut times = [(); 3].map(|()| Vec::new());
    for _ in 0..RUNS {
        times[0].push(script(folder.path(), &source));
        times[1].push(journal(folder.path(), &flood));
        times[2].push(replay(folder.path()));
        std::fs::remove_dir_all(folder.path().join("session")).unwrap();
    }
    let [script, journal, replay] = times.map(|times| median(times).as_secs_f64());
    println!("{megabytes} MB of coloured text, {RUNS} runs, medians");
    for (name, time) in [("script -q -f", script), ("journal", journal), ("replay", replay)] {
        println!("{name:<14} {:>8.0} ms {:>6.2} x script", time * 1e3, time / script);
    }
    if journal / script > BOUND { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn flood(bytes: usize) -> Vec<u8> {
    let mut text = String::new();
    let mut line = 0;
    while text.len() < bytes {
        let color = 31 + line % 7;
        write!(
            text,
            "\x1b[{color}m{line:08}\x1b[0m the \x1b[1mquick\x1b[22m brown fox \x1b[4mjumps\x1b[24m \
             over the lazy dog\r\n"
        )
        .unwrap();
        line += 1;
    }
    text.into_bytes()
}

fn script(folder: &Path, source: &Path) -> Duration {
    let start = Instant::now();
    let mut command = Command::new("script");
    let shown = format!("stty raw; cat {}", source.display());
    command.args(["-q", "-f", "-c", &shown]).arg(folder.join("typescript"));
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    start.elapsed()
}

fn journal(folder: &Path, flood: &[u8]) -> Duration {
    let header = JournalHeader {
        terminal_id: TerminalId::new("t").unwrap(),
        session_id: "s".to_owned(),
        size: Size { cols: 80, rows: 24 },
        scrollback: Scrollback::default(),
        command: None,
        cwd: None,
        started: Timestamp::now(),
    };
    let start = Instant::now();
    let mut journal = Journal::create(&folder.join("session"), &header, LIMIT).unwrap();
    for piece in flood.chunks(PIECE) {
        journal.output(piece).unwrap();
        journal.sync_if_due().unwrap();
    }
    journal.flush().unwrap();
    // What is left in the page cache is left there by `script` as well.
    start.elapsed()
}

fn replay(folder: &Path) -> Duration {
    let start = Instant::now();
    let journals = find_journals(&folder.join("session")).unwrap();
    let replayed = journals[0].replay().unwrap();
    assert!(!replayed.screen.is_blank());
    start.elapsed()
}
