//! What the README shows is what the programs print.

use std::process::Command;

use crate::support::{BLOCKS, LIST, RECORD, SUMMARY, command, finish};

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
fn no_figure_is_left_open() {
    assert!(!README.contains("@SUMMARY@") && !README.contains("@RECENT@"));
}

#[test]
fn every_option_it_names_exists() {
    let help = finish(command(SUMMARY).arg("--help")).ok()
        + &finish(command(BLOCKS).arg("--help")).ok()
        + &finish(command(LIST).arg("--help")).ok()
        + &finish(command(RECORD).args(["import", "--help"])).ok()
        + &finish(command(RECORD).args(["export", "--help"])).ok()
        + &finish(command(RECORD).args(["run", "--help"])).ok();
    let prose: String = README.split("```").step_by(2).collect();
    for word in prose.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        // Options of cargo stand in code, and a table rule is no option.
        if word.starts_with("--") && word.bytes().any(|byte| byte.is_ascii_lowercase()) {
            assert!(help.contains(word) || word == "--bench", "{word}");
        }
    }
}
