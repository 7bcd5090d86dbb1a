//! The skill: what it tells a model to run works, and its scripts run the programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{BLOCKS, SUMMARY, command, finish, fixture_home, run, skipped};

const SKILL: &str = include_str!("../skill/SKILL.md");

/// The folder of the programs.
fn bin() -> PathBuf {
    Path::new(SUMMARY).parent().unwrap().to_owned()
}

#[test]
fn it_is_short() {
    // Four bytes a token is what such text takes at most.
    assert!(SKILL.len() <= 2400, "{} bytes", SKILL.len());
    let (head, body) = SKILL.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    assert!(head.starts_with("name: ") && head.contains("\ndescription: "));
    for word in ["<ai-terminal-plan>", "<ai-terminal-need-input>", "<requirement_finished>"] {
        assert!(body.contains(word), "{word}");
    }
}

#[test]
fn the_commands_it_names_work() {
    let commands = SKILL.lines().filter(|line| line.starts_with("terminal-session-"));
    let mut count = 0;
    for line in commands {
        let (line, _) = line.split_once("  ").unwrap_or((line, ""));
        let line = line.replace(" ID", " demo").replace("BLOCK", "2");
        let mut shell = command("sh");
        let path = std::env::join_paths([bin(), "/bin".into(), "/usr/bin".into()]).unwrap();
        shell.env("PATH", path).env("CODEX_HOME", fixture_home()).args(["-c", &line]);
        let found = finish(&mut shell);
        // The last message was not cut, which is said.
        assert!(found.code == 0 && !found.stderr.contains("error"), "{line}: {}", found.stderr);
        assert!(!found.stdout.is_empty(), "{line}");
        count += 1;
    }
    assert_eq!(count, 4);
}

/// Python with a script of the skill, none where there is no Python.
fn script(name: &str, folder: &Path) -> Option<Command> {
    let path = std::env::var_os("PATH")?;
    let python = std::env::split_paths(&path).map(|folder| folder.join("python3"));
    let python = python.into_iter().find(|file| file.is_file())?;
    let mut command = command(python.to_str()?);
    // A version manager's python3 is a shell script.
    command.env("HOME", std::env::var_os("HOME").unwrap_or_default());
    command.env("PATH", &path).env("CODEX_HOME", fixture_home()).arg(folder.join(name));
    Some(command)
}

#[test]
fn its_scripts_run_the_programs() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("skill/scripts");
    let Some(mut command) = script("terminal_session_summary.py", &scripts) else {
        skipped("there is no python3");
        return;
    };
    let path = std::env::var_os("PATH").unwrap();
    let with_bin = std::iter::once(bin()).chain(std::env::split_paths(&path));
    let with_bin = std::env::join_paths(with_bin).unwrap();
    let args = ["demo", "--recent", "2"];
    let found = finish(command.env("PATH", &with_bin).args(args));
    assert_eq!(found, run(SUMMARY, &args));
    let mut command = script("terminal_session_blocks.py", &scripts).unwrap();
    let args = ["demo", "nobody", "5@1"];
    let found = finish(command.env("PATH", &with_bin).args(args));
    assert_eq!(found, run(BLOCKS, &args));
    assert_eq!(found.code, 1);
}

#[test]
fn its_scripts_find_the_programs_beside_them() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("skill/scripts");
    let folder = tempfile::tempdir().unwrap();
    let name = "terminal_session_blocks.py";
    std::fs::copy(scripts.join(name), folder.path().join(name)).unwrap();
    let Some(mut alone) = script(name, folder.path()) else {
        skipped("there is no python3");
        return;
    };
    let path = std::env::var_os("PATH").unwrap();
    let installed =
        std::env::split_paths(&path).any(|f| f.join("terminal-session-blocks").exists());
    if !installed {
        let why = finish(&mut alone).fails(1);
        assert!(why.starts_with("error: terminal-session-blocks is neither on PATH"), "{why}");
    }
    std::os::unix::fs::symlink(BLOCKS, folder.path().join("terminal-session-blocks")).unwrap();
    let found = finish(script(name, folder.path()).unwrap().args(["demo", "7"]));
    assert_eq!(found, run(BLOCKS, &["demo", "7"]));
}
