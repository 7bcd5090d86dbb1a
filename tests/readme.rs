//! What the README shows is what the programs print.

use std::process::Command;

use crate::support::{BLOCKS, CHECK, LIST, LIVE, RECORD, SUMMARY, command, finish};

const README: &str = include_str!("../README.md");

/// The fenced parts of a kind.
fn fences(kind: &str) -> Vec<&'static str> {
    let open = format!("\n```{kind}\n");
    README.split(&open).skip(1).map(|part| part.split_once("\n```\n").unwrap().0).collect()
}

fn shell(line: &str) -> Command {
    let folder = std::path::Path::new(SUMMARY).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder).chain(std::env::split_paths(&path));
    let mut shell = command("sh");
    shell.env("PATH", std::env::join_paths(paths).unwrap());
    shell.env("CODEX_HOME", "fixtures/codex-home").env("LC_ALL", "C.UTF-8");
    shell.current_dir(env!("CARGO_MANIFEST_DIR")).args(["-c", line]);
    shell
}

#[test]
fn every_console_example_prints_what_it_says() {
    let examples = fences("console");
    assert!(examples.len() >= 6);
    for example in examples {
        let (line, want) = example.strip_prefix("$ ").unwrap().split_once('\n').unwrap();
        let printed = finish(&mut shell(line)).ok();
        assert_eq!(printed, want.to_owned() + "\n", "{line}");
    }
}

#[test]
fn the_first_command_runs_the_main_job() {
    let (line, words) = fences("sh")
        .into_iter()
        .flat_map(str::lines)
        .find_map(|line| line.split_once(" -- ").map(|(_, words)| (line, words)))
        .unwrap();
    assert_eq!(
        line,
        "cargo run --release --bin terminal-session-summary -- demo --codex-home fixtures/codex-home"
    );
    let mut summary = command(SUMMARY);
    summary.args(words.split(' ')).current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(finish(&mut summary).ok().starts_with("{\n  \"terminalId\": \"demo\","));
}

#[test]
fn the_job_for_ci_passes_until_the_output_changes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir(at("src")).unwrap();
    let manifest = "[package]\nname = \"orchard\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    std::fs::write(at("Cargo.toml"), manifest).unwrap();
    std::fs::write(at("src/main.rs"), "fn main() {}\n").unwrap();
    let run = |line: &str| {
        let mut shell = shell(line);
        let toolchain = std::path::Path::new(env!("CARGO")).parent().unwrap().to_owned();
        let programs = std::path::Path::new(SUMMARY).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = [toolchain, programs].into_iter().chain(std::env::split_paths(&path));
        shell.env("PATH", std::env::join_paths(paths).unwrap()).env("HOME", dir.path());
        shell.env("CODEX_HOME", at("recorded")).env("CARGO_TARGET_DIR", at("target"));
        finish(shell.current_dir(dir.path()))
    };
    let job = fences("yaml")[0];
    let steps: Vec<_> = job
        .lines()
        .filter_map(|line| line.strip_prefix("      - run: terminal-session-"))
        .collect();
    assert_eq!(steps.len(), 3);
    let steps = steps.into_iter().map(|step| format!("terminal-session-{step}"));
    let steps: Vec<_> = steps.collect();
    // Without a golden copy there is nothing to compare with; the README says how one is made.
    let codes = || steps.iter().map(|step| run(step).code).collect::<Vec<_>>();
    assert_eq!(codes(), [0, 0, 2]);
    let update =
        fences("text").into_iter().flat_map(str::lines).find(|line| line.ends_with("--update"));
    assert_eq!(run(update.unwrap()).code, 0);
    let again = || {
        std::fs::remove_dir_all(at("target")).unwrap();
        std::fs::remove_dir_all(at("recorded")).unwrap();
    };
    again();
    assert_eq!(codes(), [0, 0, 0]);
    again();
    std::fs::write(at("src/main.rs"), "fn main() { let pears = 12; }\n").unwrap();
    assert_eq!(codes(), [0, 0, 1]);
}

#[test]
fn no_figure_is_left_open() {
    assert!(!README.contains("@SUMMARY@") && !README.contains("@RECENT@"));
}

#[test]
fn every_option_it_names_exists() {
    let live = ["open", "send", "wait", "close", "exec", "write"]
        .map(|verb| finish(command(LIVE).args([verb, "--help"])).ok());
    let help = live.concat()
        + &finish(command(SUMMARY).arg("--help")).ok()
        + &finish(command(BLOCKS).arg("--help")).ok()
        + &finish(command(LIST).arg("--help")).ok()
        + &finish(command(RECORD).args(["import", "--help"])).ok()
        + &finish(command(RECORD).args(["export", "--help"])).ok()
        + &finish(command(RECORD).args(["run", "--help"])).ok()
        + &finish(command(CHECK).args(["artifacts", "--help"])).ok()
        + &finish(command(CHECK).args(["golden", "--help"])).ok();
    let prose: String = README.split("```").step_by(2).collect();
    for word in prose.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        // Options of cargo stand in code, and a table rule is no option.
        if word.starts_with("--") && word.bytes().any(|byte| byte.is_ascii_lowercase()) {
            assert!(help.contains(word) || word == "--bench", "{word}");
        }
    }
}
