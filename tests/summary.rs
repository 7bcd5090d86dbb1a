//! `terminal-session-summary`.

use serde_json::{Value, json};

use crate::support::{Home, SUMMARY, command, finish, fixture_home, run, run_in, run_shown};

const LONG: &str = "terminal-k3x9qa71mb2f";

fn summary(args: &[&str]) -> Value {
    run(SUMMARY, args).json()
}

#[test]
fn the_flow_of_the_demo_session() {
    insta::assert_snapshot!(run(SUMMARY, &["demo"]).ok());
}

#[test]
fn details_tell_what_there_is_to_read() {
    let args = [LONG, "--details", "--preview-chars", "20"];
    insta::assert_snapshot!(run(SUMMARY, &args).ok(), @r#"
    {
      "terminalId": "terminal-k3x9qa71mb2f",
      "sessionId": "0198c0de-77aa-7c01-8f00-1122aabbccdd",
      "createdAt": "2026-05-05T09:00:00.000Z",
      "updatedAt": "2026-05-05T09:09:34.274Z",
      "blockCount": 3,
      "blocks": [
        {
          "index": 1,
          "blockId": "block-mouz01ab-unit1100",
          "type": "terminal_snapshot",
          "captureKind": "manual",
          "snapshotPreview": "dev@devbox:~/orchard",
          "lines": 1115,
          "chars": 61079,
          "previewTruncated": true,
          "cols": 100,
          "rows": 30,
          "createdAt": "2026-05-05T09:03:00.000Z",
          "alternateScreen": false,
          "command": "python3 -m unittest -v test_orchard",
          "exitCode": 1,
          "cwd": "/home/dev/orchard",
          "startedAt": "2026-05-05T09:00:01.000Z",
          "endedAt": "2026-05-05T09:02:58.400Z"
        },
        {
          "index": 2,
          "blockId": "block-mouz04cd-gitgraph",
          "type": "terminal_snapshot",
          "captureKind": "manual",
          "snapshotPreview": "dev@devbox:~/orchard",
          "lines": 96,
          "chars": 2845,
          "previewTruncated": true,
          "cols": 100,
          "rows": 30,
          "createdAt": "2026-05-05T09:06:17.137Z",
          "alternateScreen": false
        },
        {
          "index": 3,
          "blockId": "block-mouz09ef-finished",
          "type": "ai_terminal_complete",
          "message": "One of 1,100 rows is wrong: 733."
        }
      ]
    }
    "#);
}

#[test]
fn previews_count_code_points_and_may_be_empty() {
    let preview = |count: &str, block: usize| {
        let found = summary(&["demo", "--preview-chars", count]);
        found["blocks"][block]["snapshotPreview"].as_str().unwrap().to_owned()
    };
    assert_eq!(preview("0", 0), "");
    assert_eq!(preview("9", 5), "品種    収穫量");
    assert_eq!(
        summary(&["demo"])["blocks"][0]["snapshotPreview"].as_str().unwrap().chars().count(),
        1000
    );
}

#[test]
fn recent_takes_the_last_blocks() {
    let found = summary(&["demo", "--recent", "2"]);
    let indexes: Vec<_> = found["blocks"].as_array().unwrap().iter().map(|b| &b["index"]).collect();
    assert_eq!(indexes, [&json!(6), &json!(7)]);
    assert_eq!(summary(&["demo", "--recent", "99"])["blocks"].as_array().unwrap().len(), 7);
    for bad in ["0", "-4", "many", ""] {
        let why = run(SUMMARY, &["demo", "--recent", bad]).fails(2);
        assert!(why.contains("--recent"), "{why}");
    }
}

/// The positions of the blocks that a summary lists.
fn indexes(args: &[&str]) -> Vec<u64> {
    let found = summary(args);
    found["blocks"].as_array().unwrap().iter().map(|b| b["index"].as_u64().unwrap()).collect()
}

#[test]
fn blocks_are_chosen_by_type() {
    assert_eq!(indexes(&["demo", "--type", "terminal_snapshot"]), [1, 2, 4, 6]);
    assert_eq!(indexes(&["demo", "--type", "snapshot", "--recent", "2"]), [4, 6]);
    assert_eq!(indexes(&["demo", "--type", "plan,need_input"]), [3, 5]);
    assert_eq!(indexes(&["demo", "--type", "plan", "--type", "complete"]), [3, 7]);
    assert_eq!(indexes(&[LONG, "--type", "plan"]), [0; 0]);
    let why = run(SUMMARY, &["demo", "--type", "snapshots"]).fails(2);
    assert!(why.starts_with("error: unknown block type: snapshots ("), "{why}");
    run(SUMMARY, &["demo", "--type", ""]).fails(2);
    let home = Home::new();
    home.manifest("t", r#"{"blocks":[{"type":"odd"},{}]}"#);
    let found =
        |kind| home.run(SUMMARY, &["t", "--type", kind]).json()["blocks"][0]["index"].clone();
    assert_eq!((found("odd"), found("unknown")), (json!(1), json!(2)));
}

#[test]
fn blocks_are_chosen_by_what_is_known() {
    assert_eq!(indexes(&["demo", "--after", "block-mou0e77q-8s2n1ybf"]), [5, 6, 7]);
    assert_eq!(indexes(&["demo", "--after", "block-mou0e"]), [5, 6, 7]);
    assert_eq!(indexes(&["demo", "--after", "5", "--recent", "1"]), [7]);
    assert_eq!(indexes(&["demo", "--after", "last"]), [0; 0]);
    assert_eq!(indexes(&["demo", "--before", "3"]), [1, 2]);
    assert_eq!(indexes(&["demo", "--after", "2", "--before", "block-mou0f"]), [3, 4]);
    assert_eq!(indexes(&["demo", "--after", "1", "--type", "snapshot"]), [2, 4, 6]);
    assert!(run(SUMMARY, &["demo", "--after", "8"]).fails(1).contains("block not found: 8"));
    assert!(run(SUMMARY, &["demo", "--after", "block"]).fails(1).contains("not unique"));
    run(SUMMARY, &["demo", "--after", "1@2"]).fails(2);
    run(SUMMARY, &["demo", "--after", ""]).fails(2);
}

/// A summary within a budget, which must hold.
fn within(budget: usize, args: &[&str]) -> Value {
    let budget_text = budget.to_string();
    let printed = run(SUMMARY, &[args, &["--max-chars", &budget_text]].concat()).ok();
    assert!(printed.chars().count() <= budget, "{budget}: {printed}");
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn a_budget_that_is_enough_changes_nothing() {
    for layout in [&["demo"][..], &["demo", "--compact"], &["demo", "--details"]] {
        let whole = run(SUMMARY, layout).ok();
        let length = whole.chars().count().to_string();
        assert_eq!(run(SUMMARY, &[layout, &["--max-chars", &length]].concat()).ok(), whole);
    }
}

#[test]
fn over_budget_the_oldest_previews_go_and_then_the_oldest_blocks() {
    for layout in [&["demo"][..], &["demo", "--compact"], &["demo", "--details"]] {
        let whole = summary(layout);
        let blocks = whole["blocks"].as_array().unwrap();
        let printed = run(SUMMARY, layout).ok().chars().count();
        let bare = |block: &Value| {
            let mut block = block.clone();
            block.as_object_mut().unwrap().remove("snapshotPreview");
            block
        };
        let mut seen = std::collections::BTreeSet::new();
        for budget in (400..printed).step_by(7) {
            let found = within(budget, layout);
            let kept = found["blocks"].as_array().unwrap();
            let gone = blocks.len() - kept.len();
            let full =
                kept.iter().rev().zip(blocks.iter().rev()).take_while(|(a, b)| a == b).count();
            // From the newest back: whole ones, ones without preview, none.
            let stripped = blocks.len() - full;
            for (found, block) in kept.iter().zip(&blocks[gone..stripped]) {
                assert_eq!(*found, bare(block));
            }
            if gone > 0 {
                assert!(kept.iter().all(|block| block.get("snapshotPreview").is_none()));
                let range = json!({"count": gone, "first": 1, "last": gone});
                assert_eq!(found["omitted"]["blocks"], range);
            } else {
                assert!(found["omitted"].get("blocks").is_none());
            }
            let lost: Vec<_> = blocks[gone..stripped]
                .iter()
                .filter(|block| block.get("snapshotPreview").is_some())
                .map(|block| &block["index"])
                .collect();
            match (lost.first(), lost.last()) {
                (Some(first), Some(last)) => assert_eq!(
                    found["omitted"]["previews"],
                    json!({"count": lost.len(), "first": first, "last": last})
                ),
                _ => assert!(found["omitted"].get("previews").is_none()),
            }
            seen.insert((gone, lost.len()));
        }
        assert!(
            seen.contains(&(0, 1)) && seen.contains(&(0, 4)) && seen.contains(&(6, 0)),
            "{seen:?}"
        );
        assert!(seen.len() >= 10, "{seen:?}");
    }
}

#[test]
fn a_budget_is_used_to_its_end() {
    for layout in [&["demo"][..], &["demo", "--compact"]] {
        for budget in [500, 1200, 2900, 4000] {
            let budget_text = budget.to_string();
            let printed = run(SUMMARY, &[layout, &["--max-chars", &budget_text]].concat()).ok();
            let length = printed.chars().count();
            // What was printed is the least that fits: it fits its own length, and not one less.
            let own = run(SUMMARY, &[layout, &["--max-chars", &length.to_string()]].concat()).ok();
            assert_eq!(own, printed);
            let less =
                run(SUMMARY, &[layout, &["--max-chars", &(length - 1).to_string()]].concat()).ok();
            assert!(less.chars().count() < length);
        }
    }
}

#[test]
fn what_a_budget_leaves_out_is_what_its_command_prints() {
    let home = fixture_home();
    for (budget, args) in [
        (4000, &["demo"][..]),
        (2000, &["demo", "--recent", "5", "--compact"]),
        (800, &["demo", "--type", "snapshot", "--after", "1", "--preview-chars", "200"]),
        (700, &["demo", "--type", "plan,complete", "--compact"]),
        (300, &["demo", "--compact"]),
    ] {
        let cut = within(budget, args);
        let whole = summary(args);
        let words = cut["omitted"]["command"].as_str().unwrap();
        let words = words.strip_prefix("terminal-session-summary ").unwrap();
        let mut shell = command("sh");
        shell.env("CODEX_HOME", &home).args(["-c", &format!("'{SUMMARY}' {words}")]);
        let rest = finish(&mut shell).json();
        let rest = rest["blocks"].as_array().unwrap();
        let blocks = whole["blocks"].as_array().unwrap();
        assert_eq!(rest[..], blocks[..rest.len()], "{words}");
        let kept = cut["blocks"].as_array().unwrap();
        let shown = blocks.len() - rest.len();
        assert_eq!(kept[kept.len() - shown..], blocks[rest.len()..], "{words}");
        assert!(!rest.is_empty());
    }
}

#[test]
fn a_budget_too_small_for_anything_is_refused() {
    let why = run(SUMMARY, &["demo", "--max-chars", "20"]).fails(2);
    let least = why.trim_end().rsplit(' ').next().unwrap();
    assert!(why.starts_with("error: --max-chars 20 is too small; "), "{why}");
    assert_eq!(within(least.parse().unwrap(), &["demo"])["blocks"], json!([]));
    run(SUMMARY, &["demo", "--max-chars", "0"]).fails(2);
}

#[test]
fn compact_is_the_same_on_one_line() {
    let line = run(SUMMARY, &["demo", "--compact"]).ok();
    assert_eq!(line.matches('\n').count(), 1);
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), summary(&["demo"]));
}

#[test]
fn a_session_is_named_by_id_prefix_or_age() {
    let id = |name: &str| summary(&[name])["terminalId"].clone();
    assert_eq!(id(LONG), LONG);
    assert_eq!(id("terminal-k"), LONG);
    assert_eq!(id(" demo "), "demo");
    assert_eq!(id("latest"), LONG);
    let several = run(SUMMARY, &["terminal-"]).fails(1);
    assert!(several.contains("not unique") && several.contains(LONG), "{several}");
    let near = run(SUMMARY, &["dmeo"]).fails(1);
    assert!(near.contains("sessions/dmeo/session.json (nearest: demo, "), "{near}");
    for name in ["terminal-k", "latest"] {
        run(SUMMARY, &[name, "--compat"]).fails(1);
    }
}

#[test]
fn an_exact_id_wins_over_a_prefix_and_latest() {
    let home = Home::new();
    home.manifest("ab", r#"{"terminalId":"one","updatedAt":"2026-05-01T10:00:00.000Z"}"#)
        .manifest("abc", r#"{"terminalId":"two","updatedAt":"2026-05-01T12:00:00.000+02:00"}"#)
        .manifest("abd", r#"{"terminalId":"three","updatedAt":"not a time"}"#)
        .manifest("abe", "{");
    let id = |name: &str| home.run(SUMMARY, &[name]).json()["terminalId"].clone();
    assert_eq!(id("ab"), "one");
    // Both times are the same moment; the later name is taken.
    assert_eq!(id("latest"), "two");
    home.manifest("latest", r#"{"terminalId":"four"}"#);
    assert_eq!(id("latest"), "four");
    home.run(SUMMARY, &["ab "]).json();
    assert!(home.run(SUMMARY, &["a"]).fails(1).contains("4 match"));
}

#[test]
fn sessions_that_cannot_be_listed_are_told_from_missing_ones() {
    let home = Home::new();
    assert!(home.run(SUMMARY, &["t"]).fails(1).contains("manifest not found"));
    assert!(home.run(SUMMARY, &["latest"]).fails(1).contains("no terminal session"));
    std::fs::create_dir_all(home.path().join("codex-deck/terminal")).unwrap();
    std::os::unix::fs::symlink("sessions", home.path().join("codex-deck/terminal/sessions"))
        .unwrap();
    assert!(home.run(SUMMARY, &["t"]).fails(1).contains("cannot list terminal sessions"));
}

#[test]
fn the_codex_home_is_the_flag_then_the_variable_then_the_user_s() {
    let home = fixture_home();
    let user = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(&home, user.path().join(".codex")).unwrap();
    let run = |args: &[&str], variable: Option<&str>| {
        let mut command = command(SUMMARY);
        command.arg("demo").env("HOME", user.path()).args(args);
        command.envs(variable.map(|value| ("CODEX_HOME", value)));
        finish(&mut command)
    };
    let path = home.to_str().unwrap();
    let named = run(&["--codex-home", path], Some("/nonexistent"));
    assert_eq!(named, run(&[], Some(path)));
    assert_eq!(named, run(&[], None));
    assert_eq!(named, run(&[], Some("")));
    assert_eq!(named, run(&["--codex-home", ""], None));
    assert_eq!(named, run(&["--codex-home", "~/.codex"], None));
    let missing = run(&["--codex-home", "/nonexistent"], None).fails(1);
    assert!(missing.contains("/nonexistent/codex-deck/terminal/sessions/demo/session.json"));
}

#[test]
fn late_controls_are_never_live_in_json() {
    let home = Home::new();
    home.manifest("t", "{\"blocks\":[{\"type\":\"ai_terminal_complete\",\"message\":\"a\u{7f}b\u{9b}31mc\\u001b[2J\"}]}");
    let shown = home.run(SUMMARY, &["t"]).ok();
    assert!(shown.contains(r#""a\u007fb\u009b31mc\u001b[2J""#), "{shown}");
    // The helper's bytes go to pipes as they are, and to a terminal they do not.
    assert!(home.run(SUMMARY, &["t", "--compat"]).ok().contains("a\u{7f}b\u{9b}31mc"));
    let (shown, code) = run_shown(home.path(), SUMMARY, &["t", "--compat"]);
    assert!(code == 0 && shown.contains(r#""a\u007fb\u009b31mc"#), "{shown}");
}

#[test]
fn errors_hold_no_live_controls() {
    let why = run(SUMMARY, &["no\u{1b}[31m\u{9b}such"]).fails(1);
    assert!(why.contains(r"no\x1b[31m\x9bsuch"), "{why}");
    let why = run(SUMMARY, &["demo", "--fr\u{1b}ob"]).fails(2);
    assert!(!why.contains('\u{1b}'), "{why}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut command = command(SUMMARY);
    command.arg(LONG).args(["--preview-chars", "100000"]).env("CODEX_HOME", fixture_home());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_full_disk_is_an_error() {
    let mut command = command(SUMMARY);
    command.arg("demo").env("CODEX_HOME", fixture_home());
    command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let run = finish(&mut command);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: cannot write output: "), "{}", run.stderr);
}

#[test]
fn options_that_the_helper_lacks_do_not_go_with_compat() {
    for extra in [
        &["--details"][..],
        &["--compact"],
        &["--preview-chars", "5"],
        &["--type", "plan"],
        &["--after", "1"],
        &["--before", "1"],
        &["--max-chars", "5000"],
    ] {
        let args = [&["demo", "--compat"], extra].concat();
        run(SUMMARY, &args).fails(2);
    }
}

#[test]
fn options_may_be_shortened_as_the_helper_s() {
    let whole = run(SUMMARY, &["demo", "--compat", "--recent", "2"]);
    let home = fixture_home();
    let home = home.to_str().unwrap();
    for short in ["--r", "--re", "--recen"] {
        assert_eq!(run(SUMMARY, &["demo", "--compat", short, "2"]), whole, "{short}");
    }
    for short in ["--c", "--co", "--code", "--codex-"] {
        let args = ["demo", "--compat", "--recent=1", "--recent=2", short, home];
        assert_eq!(run_in(&fixture_home(), SUMMARY, &args), whole, "{short}");
    }
    // Without it a beginning that two options share is refused.
    run(SUMMARY, &["demo", "--co", "never"]).fails(2);
}

#[test]
fn help_to_a_full_disk_is_an_error() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let run = finish(command(SUMMARY).arg("--help").stdout(full()));
    assert_eq!((run.code, run.stderr.is_empty()), (1, false));
}

#[test]
fn help_is_short_or_long() {
    let short = run(SUMMARY, &["-h"]).ok();
    let long = run(SUMMARY, &["--help"]).ok();
    assert!(short.len() < long.len() && !short.contains("Examples:"));
    assert!(long.contains("Examples:") && long.contains("Exit status:"));
    assert_eq!(
        run(SUMMARY, &["--version"]).ok(),
        format!("terminal-session-summary {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert!(run(SUMMARY, &[]).fails(2).contains("<TERMINAL>"));
}

#[test]
fn colours_are_for_people() {
    let label = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(SUMMARY);
        command.arg("none").args(args).env("CODEX_HOME", fixture_home());
        finish(command.envs(variables.iter().copied())).fails(1)
    };
    let is_coloured = |text: String| text.starts_with("\u{1b}[");
    let forced = ("CLICOLOR_FORCE", "1");
    assert!(!is_coloured(label(&[], &[])));
    assert!(is_coloured(label(&["--color=always"], &[])));
    assert!(is_coloured(label(&[], &[forced])));
    assert!(!is_coloured(label(&[], &[("CLICOLOR_FORCE", "0")])));
    assert!(!is_coloured(label(&[], &[forced, ("NO_COLOR", "1")])));
    let on_terminal =
        |extra: &[&str]| run_shown(&fixture_home(), SUMMARY, &[&["none"], extra].concat()).0;
    assert!(is_coloured(on_terminal(&[])));
    assert!(!is_coloured(on_terminal(&["--color=never"])));
}
