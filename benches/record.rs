//! Recording: a flood against util-linux `script`, and what a keystroke waits.
//!
//! `cargo bench --bench record` prints medians and exits 1 where one is over its bound. Numbers are
//! ratios or differences of runs that alternate, so they mean something on a busy machine too.

#![allow(missing_docs, clippy::expect_used, clippy::print_stdout, clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use terminal_session::pty::{Program, Pty, spawn};
use terminal_session::screen::Size;

mod timing;

use timing::median;

const RECORD: &str = env!("CARGO_BIN_EXE_terminal-session-record");
const FLOOD: usize = 100 << 20;
const RUNS: usize = 7;
const KEYS: usize = 500;

const MOST_TIME: f64 = 1.3;
const MOST_MEMORY: u64 = 64 << 10;
const MOST_DELAY: Duration = Duration::from_millis(1);

fn main() -> ExitCode {
    let folder = tempfile::tempdir().unwrap();
    let is_good = flood(folder.path()) & echo(folder.path());
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Coloured words, 100 MB of them.
fn write_flood(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for number in 0.. {
        let mut line = String::new();
        for word in 0..8 {
            line.push_str(&format!("\x1b[3{word}mword{}\x1b[0m ", number * 8 + word));
        }
        line.push('\n');
        written += line.len();
        out.write_all(line.as_bytes()).unwrap();
        if written >= FLOOD {
            return out.flush().unwrap();
        }
    }
}

fn flood(folder: &Path) -> bool {
    let file = folder.join("flood.txt");
    write_flood(&file);
    let show = format!("cat '{}'", file.display());
    let (mut theirs, mut ours, mut memory) = (Vec::new(), Vec::new(), 0);
    for _ in 0..RUNS {
        let typescript = folder.join("typescript");
        let mut script = Command::new("script");
        script.args(["-q", "-f", "-c", &show]).arg(&typescript);
        let Ok((time, _)) = timed(&mut script) else {
            println!("flood: skipped, script is not installed");
            return true;
        };
        theirs.push(time);
        fs::remove_file(&typescript).unwrap();

        let home = folder.join("codex");
        let mut record = Command::new(RECORD);
        record.env_remove("TERMINAL_SESSION_RECORD").env("CODEX_HOME", &home);
        record.args(["run", "--headless", "-q", "--", "cat"]).arg(&file);
        let (time, peak) = timed(&mut record).unwrap();
        ours.push(time);
        memory = memory.max(peak);
        fs::remove_dir_all(&home).unwrap();
    }
    let (theirs, ours) = (median(theirs), median(ours));
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!(
        "flood of {} MiB: script {theirs:.2?}, record {ours:.2?}, ratio {ratio:.2} (at most \
         {MOST_TIME}), memory {} MiB (at most {})",
        FLOOD >> 20,
        memory >> 10,
        MOST_MEMORY >> 10
    );
    ratio <= MOST_TIME && memory <= MOST_MEMORY
}

/// How long a command takes, and the most memory that it has, in KiB.
fn timed(command: &mut Command) -> std::io::Result<(Duration, u64)> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let mut peak = 0;
    loop {
        peak = peak.max(peak_memory(&child));
        if let Some(status) = child.try_wait()? {
            assert!(status.success());
            return Ok((start.elapsed(), peak));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn peak_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A program that gives back each key.
fn echo(folder: &Path) -> bool {
    let script = "stty raw -echo; printf ready; exec cat";
    let mut bare = Keys::start("sh", &["-c", script], folder);
    let args = ["run", "-q", "--", "sh", "-c", script];
    let mut recorded = Keys::start(RECORD, &args, folder);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..KEYS {
        without.push(bare.press());
        with.push(recorded.press());
    }
    let (without, with) = (median(without), median(with));
    let added = with.saturating_sub(without);
    println!(
        "echo of a key: bare {without:.0?}, recorded {with:.0?}, added {added:.0?} (at most \
         {MOST_DELAY:.0?})"
    );
    added <= MOST_DELAY
}

struct Keys {
    pty: Pty,
    child: Child,
}

impl Keys {
    fn start(program: &str, args: &[&str], folder: &Path) -> Self {
        let pty = Pty::open(Size { cols: 80, rows: 24 }).unwrap();
        let home = folder.join("codex");
        let program = Program {
            name: program.into(),
            arguments: args.iter().map(OsString::from).collect(),
            set: vec![("CODEX_HOME".into(), home.into())],
            unset: vec!["TERMINAL_SESSION_RECORD".into()],
            ..Program::default()
        };
        let child = spawn(&pty, &program).unwrap();
        let mut keys = Self { pty, child };
        let mut shown = Vec::new();
        while !shown.ends_with(b"ready") {
            keys.read(&mut shown);
        }
        keys
    }

    fn press(&mut self) -> Duration {
        let start = Instant::now();
        self.pty.master().write_all(b"x").unwrap();
        self.read(&mut Vec::new());
        start.elapsed()
    }

    fn read(&mut self, shown: &mut Vec<u8>) {
        poll(&mut [PollFd::new(&self.pty, PollFlags::IN)], None).unwrap();
        let mut bytes = [0; 4096];
        let count = self.pty.master().read(&mut bytes).unwrap();
        shown.extend_from_slice(&bytes[..count]);
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
