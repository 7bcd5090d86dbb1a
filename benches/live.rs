//! Live terminals: what a short command waits, what idle ones cost, a flood beside others, and
//! whether time tells a foreign terminal from none.
//!
//! `cargo bench --bench live` prints medians and exits 1 where one is over its bound. What is
//! compared alternates, so that it means something on a busy machine too.

#![allow(missing_docs, clippy::expect_used, clippy::print_stdout, clippy::unwrap_used)]

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use serde_json::Value;
use terminal_session::pty::{Program, Pty, spawn};
use terminal_session::screen::Size;

mod timing;

use timing::median;

const LIVE: &str = env!("CARGO_BIN_EXE_terminal-session-live");
const PROMPT: &str = "ready> ";

const SENDS: usize = 51;
const IDLE: usize = 50;
const IDLE_TIME: Duration = Duration::from_secs(5);
const FLOOD_TIME: Duration = Duration::from_secs(10);
const LOOKUPS: usize = 301;

const MOST_ADDED: Duration = Duration::from_millis(25);
const MOST_MEMORY: u64 = 12 << 10;
const MOST_GROWTH: u64 = 16 << 10;
const MOST_LATENCY: Duration = Duration::from_millis(50);
/// Medians of the same thing differ by less, measured twice.
const MOST_APART: f64 = 0.1;

fn main() -> ExitCode {
    let place = Place::new();
    let is_good = send(&place) & idle(&place) & flood(&place) & lookups(&place);
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Folders of its own; what was opened in it ends with it.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".bashrc"), format!("PS1='{PROMPT}'\n")).unwrap();
        Self { dir }
    }

    fn variables(&self) -> Vec<(OsString, OsString)> {
        let path = |name: &str| self.dir.path().join(name).into_os_string();
        vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("LC_ALL".into(), "C.UTF-8".into()),
            ("HOME".into(), self.dir.path().into()),
            ("CODEX_HOME".into(), path("codex")),
            ("TERMINAL_SESSION_RUNTIME_DIR".into(), path("run")),
        ]
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(LIVE);
        command.env_clear().envs(self.variables()).args(args).current_dir(self.dir.path());
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.command(args).arg("--json").output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// How long a call takes, as a whole process.
    fn time(&self, args: &[&str]) -> Duration {
        let mut command = self.command(args);
        let start = Instant::now();
        command.stdout(Stdio::null()).status().unwrap();
        start.elapsed()
    }

    fn open(&self) -> Term {
        let opened = self.json(&["open", "--shell", "bash"]);
        let stat = fs::read_to_string(format!("/proc/{}/stat", opened["pid"])).unwrap();
        let host = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap();
        let id = opened["sessionId"].as_str().unwrap().to_owned();
        Term { id, host: Path::new("/proc").join(host) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for row in self.json(&["list", "--operator"]).as_array().into_iter().flatten() {
            self.time(&["close", "--operator", row["sessionId"].as_str().unwrap()]);
        }
    }
}

struct Term {
    id: String,
    /// The folder of its host below `/proc`.
    host: PathBuf,
}

impl Term {
    /// Memory in KiB.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(self.host.join("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Processor time in clock ticks.
    fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(self.host.join("stat")).unwrap();
        let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }
}

/// A short command, against the time that the shell takes for it on a bare terminal.
fn send(place: &Place) -> bool {
    let mut bare = Bare::start(place);
    let term = place.open();
    let (mut without, mut with, mut syncs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..SENDS {
        syncs.push(sync(place));
        without.push(bare.time("true"));
        with.push(place.time(&["send", &term.id, "true"]));
    }
    let (without, with) = (median(without), median(with));
    let added = with.saturating_sub(without);
    println!(
        "send true: bash alone {without:.1?}, send {with:.1?}, added {added:.1?} (at most \
         {MOST_ADDED:.0?}); its block is on disk by then, and one sync takes {:.1?} here",
        median(syncs)
    );
    added <= MOST_ADDED
}

/// What the disk takes for a small new file.
fn sync(place: &Place) -> Duration {
    let path = place.dir.path().join("synced");
    let start = Instant::now();
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"block").unwrap();
    file.sync_all().unwrap();
    let taken = start.elapsed();
    fs::remove_file(path).unwrap();
    taken
}

/// A shell on a terminal that nobody looks after.
struct Bare {
    pty: Pty,
    child: Child,
}

impl Bare {
    fn start(place: &Place) -> Self {
        let pty = Pty::open(Size { cols: 120, rows: 30 }).unwrap();
        let program = Program {
            name: "bash".into(),
            arguments: Vec::new(),
            cwd: Some(place.dir.path().to_owned()),
            set: [place.variables(), vec![("TERM".into(), "xterm-256color".into())]].concat(),
            unset: std::env::vars_os().map(|(name, _)| name).collect(),
        };
        let child = spawn(&pty, &program).unwrap();
        let mut bare = Self { pty, child };
        bare.prompt();
        bare
    }

    fn time(&mut self, line: &str) -> Duration {
        let start = Instant::now();
        self.pty.master().write_all(format!("{line}\r").as_bytes()).unwrap();
        self.prompt();
        start.elapsed()
    }

    /// Reads up to the next prompt.
    fn prompt(&mut self) {
        let mut shown = Vec::new();
        while !shown.ends_with(PROMPT.as_bytes()) {
            poll(&mut [PollFd::new(&self.pty, PollFlags::IN)], None).unwrap();
            let mut bytes = [0; 4096];
            let count = self.pty.master().read(&mut bytes).unwrap();
            shown.extend_from_slice(&bytes[..count]);
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

fn idle(place: &Place) -> bool {
    let terms: Vec<_> = (0..IDLE).map(|_| place.open()).collect();
    let ticks = || terms.iter().map(Term::ticks).sum::<u64>();
    // What is due after an opening is done.
    std::thread::sleep(Duration::from_secs(2));
    let before = ticks();
    std::thread::sleep(IDLE_TIME);
    let used = ticks() - before;
    let memory = terms.iter().map(Term::memory).max().unwrap();
    println!(
        "{IDLE} idle terminals: at most {:.1} MiB each (at most {}), {used} clock ticks of \
         processor time in {IDLE_TIME:.0?} (at most 0)",
        memory as f64 / 1024.0,
        MOST_MEMORY >> 10
    );
    for term in &terms {
        place.time(&["close", &term.id]);
    }
    memory <= MOST_MEMORY && used == 0
}

/// A program that prints without end, and another terminal meanwhile.
fn flood(place: &Place) -> bool {
    let (flooded, other) = (place.open(), place.open());
    place.json(&["send", &other.id, "seq 1000"]);
    let start = Instant::now();
    place.json(&["send", &flooded.id, "yes", "--background"]);
    let (mut early, mut most, mut waits) = (None, 0, Vec::new());
    while start.elapsed() < FLOOD_TIME {
        waits.push(place.time(&["read", &other.id]));
        let memory = flooded.memory();
        most = most.max(memory);
        if start.elapsed() > FLOOD_TIME / 4 {
            early.get_or_insert(memory);
        }
    }
    let own = place.time(&["read", &flooded.id]);
    place.json(&["signal", &flooded.id, "SIGINT"]);
    let (early, wait) = (early.unwrap(), median(waits));
    println!(
        "yes for {FLOOD_TIME:.0?}: {:.1} MiB after a quarter, at most {:.1} (at most {} more); \
         read of another terminal {wait:.1?} (at most {MOST_LATENCY:.0?}), of its own {own:.1?}",
        early as f64 / 1024.0,
        most as f64 / 1024.0,
        MOST_GROWTH >> 10
    );
    most <= early + MOST_GROWTH && wait <= MOST_LATENCY
}

/// Another agent's terminal and none.
fn lookups(place: &Place) -> bool {
    let foreign = place.open();
    let ask = |id: &str| {
        let mut command = place.command(&["read", id]);
        command.env("TERMINAL_SESSION_AGENT", "another").stdout(Stdio::null());
        let start = Instant::now();
        assert!(!command.status().unwrap().success());
        start.elapsed()
    };
    let (mut theirs, mut nobodys) = (Vec::new(), Vec::new());
    for _ in 0..LOOKUPS {
        theirs.push(ask(&foreign.id));
        nobodys.push(ask("terminal-000000000000"));
    }
    let (theirs, nobodys) = (median(theirs), median(nobodys));
    let ratio = theirs.as_secs_f64() / nobodys.as_secs_f64();
    println!(
        "read of another agent's terminal {theirs:.2?}, of none {nobodys:.2?}, ratio {ratio:.2}"
    );
    (ratio - 1.0).abs() <= MOST_APART
}
