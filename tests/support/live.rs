//! Live terminals of a test's own, which end with it however it ends.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{BLOCKS, LIVE, Run, command, finish};

/// Longer than anything takes, however busy the machine is. Every wait that is to end before its
/// deadline has this one.
pub const PATIENCE_MS: &str = "120000";

/// What shells show at their prompts in these tests.
pub const PROMPT: &str = "ready> ";

/// Whether a program can be run here.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A codex home, a user's home and a runtime folder. What was opened in it ends with it.
pub struct Live {
    dir: tempfile::TempDir,
    ids: RefCell<BTreeSet<String>>,
    /// What its programs may not exceed, as `ulimit` takes it.
    limit: Option<&'static str>,
}

/// A live terminal.
pub struct Term<'a> {
    live: &'a Live,
    pub id: String,
    /// The answer to its opening.
    pub opened: Value,
}

impl Live {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = dir.path().join("user");
        fs::create_dir_all(user.join(".config/fish")).unwrap();
        // Else fish begins by reading all manuals.
        fs::create_dir_all(user.join(".local/share/fish/generated_completions")).unwrap();
        fs::create_dir(dir.path().join("codex")).unwrap();
        let live = Self { dir, ids: RefCell::default(), limit: None };
        live.rc("bash", "").rc("zsh", "").rc("fish", "");
        live
    }

    /// The same whose programs may not exceed something, as `ulimit` takes it.
    pub fn with_limit(limit: &'static str) -> Self {
        let mut live = Self::new();
        live.limit = Some(limit);
        live
    }

    /// Where recordings go.
    pub fn codex_home(&self) -> PathBuf {
        self.dir.path().join("codex")
    }

    /// The home of whoever uses the shells.
    pub fn user(&self) -> PathBuf {
        self.dir.path().join("user")
    }

    /// All of it.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn runtime(&self) -> PathBuf {
        self.dir.path().join("run")
    }

    /// Has a shell read this after what the tests need.
    pub fn rc(&self, shell: &str, rc: &str) -> &Self {
        let (file, text) = match shell {
            "bash" => (".bashrc", format!("PS1='{PROMPT}'\n{rc}\n")),
            "zsh" => (".zshrc", format!("PS1='{PROMPT}'\nRPS1=\n{rc}\n")),
            _ => (
                ".config/fish/config.fish",
                format!("set fish_greeting\nfunction fish_prompt; echo -n '{PROMPT}'; end\n{rc}\n"),
            ),
        };
        fs::write(self.user().join(file), text).unwrap();
        self
    }

    /// The program with these arguments and no environment but the test's own.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = match self.limit {
            None => command(LIVE),
            Some(limit) => {
                let mut shell = command("sh");
                shell.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\""), LIVE]);
                shell
            }
        };
        command
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", self.user())
            .env("CODEX_HOME", self.codex_home())
            .env("TERMINAL_SESSION_RUNTIME_DIR", self.runtime())
            .current_dir(self.user())
            .args(args);
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        finish(&mut self.command(args))
    }

    #[track_caller]
    pub fn json<S: AsRef<OsStr>>(&self, args: &[S]) -> Value {
        finish(self.command(&["--json"]).args(args)).json()
    }

    /// Opens a terminal with these arguments.
    #[track_caller]
    pub fn open<S: AsRef<OsStr>>(&self, args: &[S]) -> Term<'_> {
        let is_given = args.iter().any(|arg| arg.as_ref() == "--timeout-ms");
        let timeout: &[&str] = if is_given { &[] } else { &["--timeout-ms", PATIENCE_MS] };
        let mut command = self.command(&["open", "--json"]);
        let opened = finish(command.args(timeout).args(args)).json();
        let id = opened["sessionId"].as_str().unwrap().to_owned();
        self.ids.borrow_mut().insert(id.clone());
        Term { live: self, id, opened }
    }

    /// Has a terminal that was opened in another way end with the others.
    #[cfg(feature = "mcp")]
    pub fn remember(&self, id: &str) {
        self.ids.borrow_mut().insert(id.to_owned());
    }

    /// Opens a shell, or says that it is not installed.
    #[track_caller]
    pub fn shell(&self, shell: &str) -> Option<Term<'_>> {
        if !is_installed(shell) {
            super::skipped(&format!("{shell} is not installed"));
            return None;
        }
        Some(self.open(&["--shell", shell]))
    }

    /// Opens a terminal with a command in it.
    #[track_caller]
    pub fn program(&self, words: &[&str]) -> Term<'_> {
        self.open(&[&["--"], words].concat())
    }

    /// What blocks of a session are printed by these arguments, one text for each block.
    #[track_caller]
    pub fn block_texts<S: AsRef<OsStr>>(&self, args: &[S]) -> Vec<String> {
        let home = self.codex_home();
        let mut command = command(BLOCKS);
        command.args(args).args(["--json", "--codex-home"]).arg(home);
        let printed = finish(&mut command).json();
        let blocks = printed["blocks"].as_array().unwrap_or_else(|| panic!("{printed}"));
        blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
    }

    /// Files below the codex home and the runtime folder that hold these bytes.
    pub fn files_with(&self, bytes: &str) -> Vec<PathBuf> {
        let roots = [self.codex_home(), self.runtime(), self.user()];
        let files = roots.iter().flat_map(walkdir::WalkDir::new).flatten();
        files
            .filter(|entry| entry.file_type().is_file())
            .map(walkdir::DirEntry::into_path)
            .filter(|path| {
                let data = fs::read(path).unwrap_or_default();
                memchr::memmem::find(&data, bytes.as_bytes()).is_some()
            })
            .collect()
    }

    /// Ends all jobs of all agents.
    fn close_jobs(&self) {
        for entry in walkdir::WalkDir::new(self.runtime().join("agents")).into_iter().flatten() {
            let path = entry.path();
            if !path.parent().is_some_and(|folder| folder.ends_with("jobs")) {
                continue;
            }
            if path.ends_with("state") {
                let state = serde_json::from_slice::<Value>(&fs::read(path).unwrap_or_default());
                let id = state.unwrap_or_default()["terminal_id"].as_str().map(str::to_owned);
                self.ids.borrow_mut().extend(id);
            } else if path.extension().is_some_and(|name| name == "sock")
                && let Ok(stream) = super::hosts::connect_to(path)
            {
                let call = b"{\"agent\":null,\"request\":{\"do\":\"close\"}}\n";
                (&stream).write_all(call).unwrap_or_default();
                super::hosts::answer(&stream);
            }
        }
    }

    /// Ends all terminals; what is left of them.
    fn close_all(&self) -> Vec<String> {
        let listed = finish(&mut self.command(&["list", "--operator", "--json"]));
        let rows: Vec<Value> = serde_json::from_str(&listed.stdout).unwrap_or_default();
        for row in &rows {
            let id = row["sessionId"].as_str().unwrap_or_default();
            self.ids.borrow_mut().insert(id.to_owned());
            let _closed = finish(&mut self.command(&["close", id, "--operator"]));
        }
        self.close_jobs();
        let ids = self.ids.borrow();
        ids.iter().flat_map(|id| processes_of(id)).collect()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let left = self.close_all();
        if !std::thread::panicking() {
            assert!(left.is_empty(), "left behind: {left:?}");
        }
    }
}

/// Processes that carry the name of a live terminal.
pub fn processes_of(id: &str) -> Vec<String> {
    let wanted = format!("TERMINAL_SESSION_LIVE={id}");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
        })
        .map(|entry| {
            let line = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            format!("{} {}", entry.file_name().display(), line.replace('\0', " "))
        })
        .collect()
}

impl Term<'_> {
    /// Runs a command on this terminal; its arguments follow the id.
    #[track_caller]
    pub fn ask(&self, verb: &str, args: &[&str]) -> Value {
        self.live.json(&[&[verb, self.id.as_str()], args].concat())
    }

    /// Sends a command and waits as long as need be.
    #[track_caller]
    pub fn send(&self, text: &str) -> Value {
        self.send_with(text, &[])
    }

    #[track_caller]
    pub fn send_with(&self, text: &str, args: &[&str]) -> Value {
        let timeout = if args.contains(&"--timeout-ms") || args.contains(&"--background") {
            &[][..]
        } else {
            &["--timeout-ms", PATIENCE_MS]
        };
        let mut command = self.live.command(&["send", &self.id, "-", "--json"]);
        fed(command.args(timeout).args(args), text).json()
    }

    /// Sends a command without waiting for its end.
    #[track_caller]
    pub fn send_in_background(&self, text: &str) -> String {
        let task = self.send_with(text, &["--background"]);
        task["taskId"].as_str().unwrap().to_owned()
    }

    /// A send that goes on while the test does something else.
    pub fn start_send(&self, text: &str) -> Child {
        let mut command =
            self.live.command(&["send", &self.id, text, "--json", "--timeout-ms", PATIENCE_MS]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    #[track_caller]
    pub fn keys(&self, keys: &[&str]) -> Value {
        self.ask("keys", &[&["--timeout-ms", PATIENCE_MS, "--"], keys].concat())
    }

    /// Interrupts until the shell is at its prompt: where a key comes between two programs, nobody
    /// gets its signal.
    #[track_caller]
    pub fn interrupt(&self) -> Value {
        loop {
            let reply = self.ask("keys", &["--timeout-ms", "1000", "C-c"]);
            if reason(&reply) == "prompt" {
                return reply;
            }
        }
    }

    #[track_caller]
    pub fn paste(&self, text: &str) -> Value {
        let mut command = self.live.command(&["paste", &self.id, "-", "--json"]);
        fed(command.args(["--timeout-ms", PATIENCE_MS]), text).json()
    }

    /// Waits, and makes sure that it came.
    #[track_caller]
    pub fn wait(&self, until: &str) -> Value {
        self.ask("wait", &["--until", until, "--timeout-ms", PATIENCE_MS])
    }

    #[track_caller]
    pub fn screen(&self) -> Value {
        self.ask("read", &["--screen"])
    }

    #[track_caller]
    pub fn read(&self) -> String {
        self.ask("read", &[])["text"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn close(&self) -> Value {
        self.ask("close", &[])
    }

    /// The texts of all blocks.
    #[track_caller]
    pub fn blocks(&self) -> Vec<String> {
        self.live.block_texts(&[&self.id, "--all", "--no-squeeze"])
    }

    /// The manifest of its session.
    pub fn manifest(&self) -> Value {
        let folder = self.live.codex_home().join("codex-deck/terminal/sessions").join(&self.id);
        serde_json::from_slice(&fs::read(folder.join("session.json")).unwrap()).unwrap()
    }

    /// Checks a cut reply: what it shows and what its arguments print are all that was shown, each
    /// part once and in order. Gives all of it.
    #[track_caller]
    pub fn whole(&self, reply: &Value) -> String {
        let shown = viewport(reply);
        let mut parts = Vec::new();
        let mut last_is_partial = false;
        for omitted in reply["omitted"].as_array().into_iter().flatten() {
            assert_eq!(reply["truncated"], true, "{reply}");
            let arguments = omitted["arguments"].as_str().unwrap();
            let words: Vec<_> = arguments.split(' ').collect();
            let texts = self.live.block_texts(&words);
            assert_eq!(texts.len(), 1, "{arguments}");
            let (from, to) = (omitted["from"].as_u64().unwrap(), omitted["to"].as_u64().unwrap());
            let lines = texts[0].split('\n').count() as u64;
            assert_eq!(lines, to - from + 1, "{arguments} prints the lines it names");
            last_is_partial = omitted["chars"].is_u64();
            parts.push(texts[0].clone());
        }
        let mut whole = parts.join("\n");
        if !last_is_partial && !whole.is_empty() && !shown.is_empty() {
            whole.push('\n');
        }
        whole.push_str(shown);
        whole
    }
}

/// Runs a command that reads this.
pub fn fed(command: &mut Command, text: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that refuses may not read all of it.
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap_or_default();
    ended(child)
}

/// What a command that was started printed.
pub fn ended(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("no signal ends it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The text of a reply.
#[track_caller]
pub fn viewport(reply: &Value) -> &str {
    reply["viewport"].as_str().unwrap_or_else(|| panic!("{reply}"))
}

/// The text of a reply behind its first line, which is the prompt and what was typed there.
#[track_caller]
pub fn output(reply: &Value) -> &str {
    viewport(reply).split_once('\n').map_or("", |(_, output)| output)
}

#[track_caller]
pub fn reason(reply: &Value) -> &str {
    reply["waitReason"].as_str().unwrap_or_else(|| panic!("{reply}"))
}

/// Checks that a command ended and the shell said how.
#[track_caller]
pub fn assert_done(reply: &Value, code: i64) {
    assert_eq!((reason(reply), reply["exitCode"].as_i64()), ("prompt", Some(code)), "{reply}");
}

/// Whether a note of a reply begins so.
pub fn has_note(reply: &Value, beginning: &str) -> bool {
    let notes = reply["notes"].as_array();
    notes.into_iter().flatten().any(|note| note.as_str().unwrap().starts_with(beginning))
}
