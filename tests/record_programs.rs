//! Real programs, recorded for real: the block is what they showed.
//!
//! Each recording is also made an asciicast of, and what an import of that draws must be the block
//! byte for byte. With `TERMINAL_SESSION_ORACLE` naming the `oracle.mjs` of xterm.js, so must what
//! xterm.js makes of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use terminal_session::screen::Size;

use crate::support::{BLOCKS, Home, Outer, RECORD, accepted, command, finish, skipped};

const SIZE: Size = Size { cols: 80, rows: 24 };

struct Recorded {
    home: Home,
    outer: Outer,
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap();
    let is_there = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !is_there {
        skipped(&format!("{program} is not installed"));
    }
    is_there
}

/// Records a program, or says that it is not installed.
fn start(words: &[&str], files: &[(&str, &str)]) -> Option<Recorded> {
    if !is_installed(words[0]) {
        return None;
    }
    let home = Home::new();
    let user = home.path().join("user");
    fs::create_dir_all(&user).unwrap();
    for (name, text) in files {
        fs::write(user.join(name), text).unwrap();
    }
    let cast = home.path().join("x.cast");
    let cwd = user.to_str().unwrap();
    let args = [
        "run",
        "-q",
        "--return",
        "--terminal-id",
        "t",
        "--cwd",
        cwd,
        "--freeze",
        "manual",
        "--cast",
    ];
    let args = [&args[..], &[cast.to_str().unwrap(), "--"], words].concat();
    let env: [(&str, &Path); 2] = [("CODEX_HOME", home.path()), ("HOME", &user)];
    let outer = Outer::start(RECORD, &args, &env, SIZE);
    Some(Recorded { home, outer })
}

impl Recorded {
    /// Waits for the end; the text of the block.
    fn end(self) -> String {
        let Self { home, outer } = self;
        let (shown, status) = outer.end();
        assert!(status.success(), "{shown}");
        let folder = home.path().join("codex-deck/terminal/sessions/t");
        let blocks = accepted(&folder);
        assert_eq!(blocks.len(), 1);
        let block = fs::read_to_string(folder.join(blocks[0]["snapshotPath"].as_str().unwrap()));
        let block = block.unwrap();
        let cast = home.path().join("x.cast");
        assert_eq!(block, imported(&cast), "an import of the cast draws the same");
        if let Some(oracle) = std::env::var_os("TERMINAL_SESSION_ORACLE") {
            let node = Command::new("node").arg(oracle).arg("cast").arg(&cast).output().unwrap();
            assert!(node.status.success(), "{}", String::from_utf8_lossy(&node.stderr));
            assert_eq!(block, String::from_utf8(node.stdout).unwrap(), "xterm.js draws the same");
        }
        let text = home.run(BLOCKS, &["t", "1"]).ok();
        text.split_once("\n\n").unwrap().1.trim_end().to_owned()
    }
}

/// The snapshot that an import of a cast makes.
fn imported(cast: &Path) -> String {
    let home = Home::new();
    let mut import = command(RECORD);
    import.env("CODEX_HOME", home.path()).args(["import", "-q", "--terminal-id", "t"]).arg(cast);
    finish(&mut import).ok();
    let folder = home.path().join("codex-deck/terminal/sessions/t");
    let block = &accepted(&folder)[0];
    fs::read_to_string(folder.join(block["snapshotPath"].as_str().unwrap())).unwrap()
}

#[test]
fn python() {
    let Some(mut python) = start(&["python3", "-q"], &[]) else {
        return;
    };
    python.outer.wait_for(">>> ").send("6 * 7\r").wait_for("42").wait_for(">>> ");
    python
        .outer
        .send("def f(x):\r")
        .wait_for("... ")
        .send("    return 'é漢' * x\r")
        .wait_for("... ");
    python.outer.send("\r").wait_for(">>> ").send("f(2)\r").wait_for("'é漢é漢'").wait_for(">>> ");
    python.outer.send("exit()\r");
    let text = python.end();
    assert!(text.contains(">>> 6 * 7\n42\n"), "{text}");
    assert!(text.contains("'é漢é漢'"), "{text}");
}

#[test]
fn vim() {
    let files = [("file.txt", "first line\nsecond\tline\n")];
    let Some(mut vim) = start(&["vim", "-N", "-u", "NONE", "-i", "NONE", "file.txt"], &files)
    else {
        return;
    };
    vim.outer.wait_for("first line").send("Gonew 漢 line\x1b").wait_for("new");
    vim.outer.send(":w\r").wait_for("written").send("ix\x1b");
    // What is on the screen before vim goes back to the normal one is not in the last block.
    vim.outer.send(":q!\r");
    let text = vim.end();
    assert_eq!(text, "", "vim leaves nothing behind");
}

#[test]
fn vim_that_is_killed_leaves_its_screen() {
    let files = [("file.txt", "first line\nsecond\tline\n")];
    if !is_installed("vim") {
        return;
    }
    let script = "vim -N -u NONE -i NONE file.txt; exit 0";
    let Some(mut vim) = start(&["sh", "-c", script], &files) else {
        return;
    };
    vim.outer.wait_for("first line").wait_for("~");
    // Unlike `:!`, this does not leave the alternate screen.
    vim.outer.send("Gonew line\x1b:call system('kill -9 '.getpid())\r");
    let text = vim.end();
    assert!(text.contains("second  line\nnew line\n~\n"), "{text}");
}

#[test]
fn less() {
    let lines: String = (1..=200).map(|n| format!("line {n}\n")).collect();
    let Some(mut less) = start(&["less", "-X", "long.txt"], &[("long.txt", &lines)]) else {
        return;
    };
    less.outer.wait_for("line 23").send(" ").wait_for("line 46").send("G").wait_for("line 200");
    less.outer.send("q");
    let text = less.end();
    for part in ["line 1\n", "line 46\n", "line 200"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn git_log_with_its_pager() {
    if !is_installed("git") || !is_installed("less") {
        return;
    }
    let script = "git init -q . && for n in 1 2 3; do git -c user.name=n -c user.email=e@x \
        commit -q --allow-empty -m \"commit number $n\"; done; git log --color=always";
    let Some(mut git) = start(&["sh", "-c", script], &[]) else {
        return;
    };
    git.outer.wait_for("commit number 1");
    // Where all of it fits, less ends by itself.
    let text = git.end();
    assert!(text.contains("    commit number 3\n"), "{text}");
}

#[test]
fn top() {
    let Some(top) = start(&["top", "-n", "1"], &[]) else {
        return;
    };
    let text = top.end();
    assert!(text.contains("load average"), "{text}");
    assert!(text.contains("PID"), "{text}");
}

#[test]
fn htop() {
    let Some(mut htop) = start(&["htop", "--no-color"], &[]) else {
        return;
    };
    htop.outer.wait_for("Load average").wait_for("Quit").send("\x1ds").wait_for("\x1b[").send("q");
    let (home, outer) = (htop.home, htop.outer);
    assert!(outer.end().1.success());
    // It leaves the alternate screen, on which all of it was: only the first block has it.
    let text = home.run(BLOCKS, &["t", "1"]).ok();
    for part in ["Load average", "PID", "F10Quit"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn tmux() {
    let words = ["tmux", "-L", "terminal-session-test", "-f", "/dev/null", "new", "sh"];
    let Some(mut tmux) = start(&words, &[]) else {
        return;
    };
    tmux.outer.wait_for("[0] 0:").send("echo in''side\r").wait_for("inside").send("exit\r");
    let text = tmux.end();
    assert!(text.contains("[exited]"), "{text}");
}

#[test]
fn a_spinner_is_drawn_over_itself() {
    let script = "printf '\\033[?25l'; for n in 1 2 3 4 5; do for c in ⠋ ⠙ ⠹ ⠸; do \
        printf '\\r\\033[2K\\033[36m%s\\033[0m Thinking… (%ds)' $c $n; done; done; \
        printf '\\r\\033[2K\\033[1m●\\033[0m Done in 5 steps\\n'; printf '\\033[?25h'";
    let Some(spinner) = start(&["sh", "-c", script], &[]) else {
        return;
    };
    assert_eq!(spinner.end(), "● Done in 5 steps");
}

#[test]
fn an_agent_like_screen_is_redrawn_in_place() {
    // A box at the bottom that moves down as text comes in above it.
    let script = "box() { printf '╭──────────╮\\r\\n│ > %-6s │\\r\\n╰──────────╯' \"$1\"; }; \
        box ''; for n in 1 2 3 4 5 6 7 8 9; do printf '\\033[2A\\r\\033[J'; \
        printf '\\033[32m• step %s\\033[0m\\r\\n' $n; box \"$n\"; done; printf '\\r\\n'";
    let Some(agent) = start(&["sh", "-c", script], &[]) else {
        return;
    };
    let text = agent.end();
    let want: String = (1..=9).map(|n| format!("• step {n}\n")).collect();
    assert_eq!(text, format!("{want}╭──────────╮\n│ > 9      │\n╰──────────╯"));
}

#[test]
fn a_cargo_build() {
    let Some(cargo) = start(
        &["cargo", "build", "--offline", "--color", "always"],
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\n[lib]\npath = \"lib.rs\"\n",
            ),
            ("lib.rs", ""),
        ],
    ) else {
        return;
    };
    // Without the user's toolchain settings cargo may not find its compiler.
    let Recorded { home, outer } = cargo;
    let (shown, status) = outer.end();
    if !status.success() {
        skipped(&format!("cargo does not run here: {shown}"));
        return;
    }
    let text = home.run(BLOCKS, &["t", "1"]).ok();
    assert!(text.contains("Compiling tiny v0.1.0"), "{text}");
    assert!(text.contains("Finished"), "{text}");
}
