//! One block per command, told by hooks in shells that look as they did before.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use terminal_session::screen::Size;

use crate::support::{BLOCKS, Home, Outer, RECORD, accepted, skipped};

/// How a mark begins, on a terminal and in JSON.
const MARKS: [&str; 2] = ["\x1b]7717", "\\u001b]7717"];

const SIZE: Size = Size { cols: 80, rows: 24 };

/// A shell that is recorded, in a home of its own.
struct Recorded {
    home: Home,
    outer: Outer,
    prompt: &'static str,
    /// Ends a line at the prompt.
    enter: &'static str,
}

/// Starts a shell, or says that it is not installed.
fn start(shell: &str, rc: &str) -> Option<Recorded> {
    let path = std::env::var_os("PATH").unwrap();
    if !std::env::split_paths(&path).any(|folder| folder.join(shell).is_file()) {
        skipped(&format!("{shell} is not installed"));
        return None;
    }
    let home = Home::new();
    let user = home.path().join("user");
    fs::create_dir_all(user.join(".config/fish")).unwrap();
    let prompt = "ready> ";
    let (file, text) = match shell {
        "bash" => (".bashrc", format!("PS1='{prompt}'\nHISTFILE=\n{rc}\n")),
        "zsh" => (".zshrc", format!("PS1='{prompt}'\nRPS1=\n{rc}\n")),
        _ => (
            ".config/fish/config.fish",
            format!("set fish_greeting\nfunction fish_prompt; echo -n '{prompt}'; end\n{rc}\n"),
        ),
    };
    fs::write(user.join(file), text).unwrap();
    let cast = home.path().join("x.cast");
    let args = ["run", "-q", "--return", "--terminal-id", "t", "--freeze", "command", "--cast"];
    let args = [&args[..], &[cast.to_str().unwrap(), "--", shell]].concat();
    let env: [(&str, &Path); 3] =
        [("CODEX_HOME", home.path()), ("HOME", &user), ("XDG_CONFIG_HOME", &user.join(".config"))];
    let outer = Outer::start(RECORD, &args, &env, SIZE);
    Some(Recorded { home, outer, prompt, enter: "\r" })
}

impl Recorded {
    /// Types a line at the prompt.
    fn line(&mut self, line: &str) -> &mut Self {
        self.outer.wait_for(self.prompt).send(format!("{line}{}", self.enter));
        self
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("codex-deck/terminal/sessions/t")
    }

    /// Ends it; its blocks and the shell's status.
    fn end(self) -> (Home, Vec<Map<String, Value>>, i32) {
        let folder = self.folder();
        let (shown, status) = self.outer.end();
        assert!(!has_marks(&shown), "the person sees no marks: {shown}");
        let cast = fs::read_to_string(self.home.path().join("x.cast")).unwrap();
        assert!(!has_marks(&cast), "nor does anybody who plays the cast");
        let blocks = accepted(&folder);
        for block in &blocks {
            let snapshot = folder.join(block["snapshotPath"].as_str().unwrap());
            assert!(!has_marks(&fs::read_to_string(snapshot).unwrap()));
        }
        (self.home, blocks, status.code().unwrap())
    }
}

fn has_marks(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

fn text(home: &Home, block: usize) -> String {
    let shown = home.run(BLOCKS, &["t", &block.to_string()]).ok();
    shown.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

/// Commands with their exit codes, as blocks say them.
fn commands(blocks: &[Map<String, Value>]) -> Vec<(Option<&str>, Option<i64>)> {
    let command = |block| Map::get(block, "command").and_then(Value::as_str);
    let code = |block| Map::get(block, "exitCode").and_then(Value::as_i64);
    blocks.iter().map(|block| (command(block), code(block))).collect()
}

fn one_block_per_command(shell: &str) {
    let Some(mut recorded) = start(shell, "") else {
        return;
    };
    let status = if shell == "fish" { "sh -c 'exit 7'" } else { "(exit 7)" };
    recorded.line("echo one; echo 'a;b%'").line("").line("false").line("cd /").line(status);
    recorded.line("exit 4");
    let (home, blocks, code) = recorded.end();
    assert_eq!(code, 4);
    let want = [
        (Some("echo one; echo 'a;b%'"), Some(0)),
        (Some("false"), Some(1)),
        (Some("cd /"), Some(0)),
        (Some(status), Some(7)),
        (Some("exit 4"), Some(4)),
    ];
    assert_eq!(commands(&blocks), want);
    let first = text(&home, 1);
    let lines: Vec<_> = first.lines().collect();
    assert_eq!(lines, ["ready> echo one; echo 'a;b%'", "one", "a;b%"]);
    // The empty line is part of what led to the next command.
    assert_eq!(text(&home, 2).matches("ready>").count(), 2);
    let cwds: Vec<_> = blocks.iter().map(|block| block["cwd"].as_str().unwrap()).collect();
    assert_eq!(cwds[3..], ["/", "/"]);
    for pair in blocks.windows(2) {
        assert!(pair[0]["endedAt"].as_str() <= pair[1]["startedAt"].as_str());
        assert!(pair[0]["startedAt"].as_str() <= pair[0]["endedAt"].as_str());
    }
}

#[test]
fn bash_has_one_block_per_command() {
    one_block_per_command("bash");
}

#[test]
fn zsh_has_one_block_per_command() {
    one_block_per_command("zsh");
}

#[test]
fn fish_has_one_block_per_command() {
    one_block_per_command("fish");
}

#[test]
fn lines_that_run_nothing_make_no_block() {
    let Some(mut bash) = start("bash", "") else {
        return;
    };
    bash.line("set -H").line("echo hi!there").line("# comment").line(")").line("echo half\x03");
    bash.line("exit 0");
    let (_, blocks, _) = bash.end();
    assert_eq!(commands(&blocks), [(Some("set -H"), Some(0)), (Some("exit 0"), Some(0))]);
}

#[test]
fn interrupts_and_kills_have_their_status() {
    for shell in ["bash", "zsh"] {
        let Some(mut recorded) = start(shell, "") else {
            continue;
        };
        recorded.line("sh -c 'echo go; exec sleep 60.1'").outer.wait_for("go\r\n").send("\x03");
        recorded.line("sh -c 'kill -9 $$'").line("no-such-command").line("exit");
        let (_, blocks, _) = recorded.end();
        let codes: Vec<_> = commands(&blocks).iter().map(|(_, code)| *code).collect();
        assert_eq!(codes[..3], [Some(130), Some(137), Some(127)], "{shell}");
    }
}

#[test]
fn no_option_of_the_user_breaks_or_shows_the_hook() {
    let Some(mut bash) = start("bash", "PROMPT_COMMAND='OLD=1'") else {
        return;
    };
    bash.line("set -x").line("true; set +x").line("set -u; false").line("set +u; [ $OLD = 1 ]");
    bash.line("set -e").line("true").line("set +e; exec 3>/dev/null").line("exit 0");
    let (home, blocks, _) = bash.end();
    let codes: Vec<_> = commands(&blocks).iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, [0, 0, 1, 0, 0, 0, 0, 0].map(Some));
    for block in 1..=blocks.len() {
        assert!(!text(&home, block).contains("__ts"), "{}", text(&home, block));
    }
}

#[test]
fn a_hook_that_was_taken_out_still_ends_commands() {
    let Some(mut bash) = start("bash", "") else {
        return;
    };
    bash.line("unset PROMPT_COMMAND").line("false").line("echo after").line("exit 0");
    let (_, blocks, _) = bash.end();
    let found = commands(&blocks);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found[1].1, None, "ended, and nobody knows how");
    assert_eq!(found[3], (Some("exit 0"), Some(0)));
}

#[test]
fn a_command_that_the_history_left_out_is_read_from_the_screen() {
    let Some(mut bash) = start("bash", "HISTCONTROL=ignoreboth") else {
        return;
    };
    bash.line(" echo secret-ish")
        .line("echo x")
        .line("echo x")
        .line("for i in 1 2; do")
        .outer
        .wait_for("> ");
    bash.outer.send("echo $i; done\r");
    bash.line("exit");
    let (_, blocks, _) = bash.end();
    let found: Vec<_> =
        commands(&blocks).iter().map(|(command, _)| command.unwrap().to_owned()).collect();
    assert_eq!(found[..3], ["echo secret-ish", "echo x", "echo x"]);
    assert_eq!(found[3], "for i in 1 2; do echo $i; done");
}

#[test]
fn a_forged_mark_ends_nothing() {
    let Some(mut bash) = start("bash", "") else {
        return;
    };
    bash.line("printf '\\033]7717;D;0123;99;1\\007'; echo shown; (exit 3)").line("exit");
    let (home, blocks, _) = bash.end();
    assert_eq!(commands(&blocks)[0].1, Some(3));
    assert!(text(&home, 1).ends_with("shown"));
}

#[test]
fn the_users_own_files_are_read_as_ever() {
    let Some(mut bash) = start("bash", "shopt -q login_shell; RC=read; return") else {
        return;
    };
    bash.line("echo $RC").line("exit");
    let (home, _, _) = bash.end();
    assert!(text(&home, 1).ends_with("read"));

    let Some(mut zsh) = start("zsh", "RC=read; alias ll='echo aliased'") else {
        return;
    };
    zsh.line("echo $RC ${ZDOTDIR-unset}")
        .line("ll")
        .line("zsh -ic 'echo nested ${ZDOTDIR-unset}'")
        .line("exit");
    let (home, blocks, _) = zsh.end();
    assert!(text(&home, 1).ends_with("read unset"), "{}", text(&home, 1));
    assert!(text(&home, 2).ends_with("aliased"));
    assert!(text(&home, 3).ends_with("nested unset"));
    assert_eq!(commands(&blocks)[1].0, Some("ll"));
}

#[test]
fn a_nested_shell_is_one_command() {
    let Some(mut bash) = start("bash", "") else {
        return;
    };
    bash.line("PS1='inner> ' bash --norc").outer.wait_for("inner> ").send("false\r");
    bash.outer.wait_for("inner> ").send("exit 6\r");
    bash.line("exit");
    let (home, blocks, _) = bash.end();
    assert_eq!(commands(&blocks)[0], (Some("PS1='inner> ' bash --norc"), Some(6)));
    assert!(text(&home, 1).contains("inner> false"));
}
