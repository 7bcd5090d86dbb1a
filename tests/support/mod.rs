//! Runs the programs in a clean environment and checks that they leave every file as it was.

mod acceptance;
pub mod hosts;
pub mod live;
#[cfg(feature = "mcp")]
pub mod mcp;
mod outer;
mod process;
pub mod pty;
pub mod recording;
mod tree;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use acceptance::{accepted, data};
pub use outer::Outer;
pub use process::{KilledAtEnd, driver, in_driver};
pub use tree::Tree;

pub const SUMMARY: &str = env!("CARGO_BIN_EXE_terminal-session-summary");
pub const RECORD: &str = env!("CARGO_BIN_EXE_terminal-session-record");
pub const CHECK: &str = env!("CARGO_BIN_EXE_terminal-session-check");
pub const LIST: &str = env!("CARGO_BIN_EXE_terminal-session-list");
pub const BLOCKS: &str = env!("CARGO_BIN_EXE_terminal-session-blocks");
pub const LIVE: &str = env!("CARGO_BIN_EXE_terminal-session-live");

/// The recorded sessions that ship with the crate.
pub fn fixture_home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/codex-home")
}

/// Says that a test could not run here. Goes past the capture of test output, or nobody sees it.
#[expect(clippy::explicit_write, reason = "eprintln would be captured")]
pub fn skipped(why: &str) {
    use std::io::Write;
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    writeln!(std::io::stderr(), "skipped {name}: {why}").unwrap();
}

/// What a program printed and how it ended.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Stdout of a run that must have gone well and quietly.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "stdout: {}", self.stdout);
        self.stdout
    }

    /// Stderr of a run that must have failed with this code and printed nothing else.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "stderr: {}", self.stderr);
        assert!(!self.stderr.is_empty(), "a failure says why");
        self.stderr
    }

    /// Checks the exit code of a run that says nothing.
    #[track_caller]
    pub fn code_is(self, code: i32) {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), (code, "", ""));
    }

    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

/// A program with no environment but what the tests give it.
pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", "/nonexistent").env("TERM", "dumb").stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Run {
        code: output.status.code().expect("no signal ends it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs a program on a codex home, which must be the same afterwards.
pub fn run_in<S: AsRef<OsStr>>(home: &Path, program: &str, args: &[S]) -> Run {
    let before = Tree::read(home);
    let run = finish(command(program).env("CODEX_HOME", home).args(args));
    assert_eq!(before, Tree::read(home), "a read-only program changed a file");
    run
}

/// Runs a program on the sessions that ship with the crate.
pub fn run(program: &str, args: &[&str]) -> Run {
    run_in(&fixture_home(), program, args)
}

/// Runs a program on a terminal over a codex home, which must be the same afterwards.
pub fn run_shown<S: AsRef<OsStr>>(home: &Path, program: &str, args: &[S]) -> (String, i32) {
    let before = Tree::read(home);
    let shown = pty::run_on_terminal(command(program).env("CODEX_HOME", home).args(args));
    assert_eq!(before, Tree::read(home), "a read-only program changed a file");
    shown
}

/// A codex home of a test's own.
pub struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The folder of a session, made if need be.
    pub fn folder(&self, terminal: &str) -> PathBuf {
        let folder = self.path().join("codex-deck/terminal/sessions").join(terminal);
        std::fs::create_dir_all(folder.join("blocks")).unwrap();
        folder
    }

    pub fn manifest(&self, terminal: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.folder(terminal).join("session.json"), text).unwrap();
        self
    }

    pub fn snapshot(&self, terminal: &str, name: &str, data: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.folder(terminal).join("blocks").join(name), data).unwrap();
        self
    }

    /// A session with one snapshot block `b` of 80x24.
    pub fn screen(&self, terminal: &str, data: impl AsRef<[u8]>) -> &Self {
        self.snapshot(terminal, "b.snapshot", data).manifest(
            terminal,
            r#"{"blocks":[{"blockId":"b","type":"terminal_snapshot","snapshotPath":"blocks/b.snapshot","cols":80,"rows":24}]}"#,
        )
    }

    pub fn run(&self, program: &str, args: &[&str]) -> Run {
        run_in(self.path(), program, args)
    }
}
