//! `terminal-session-blocks`.

use serde_json::{Value, json};

use crate::support::{BLOCKS, Home, Run, Tree, command, finish, fixture_home, run, run_shown};

const LONG: &str = "terminal-k3x9qa71mb2f";

/// The text of the first block of a run, from behind its header to before the blank lines.
fn body(run: Run) -> String {
    let shown = run.ok();
    let (_, body) = shown.split_once("\n\n").unwrap();
    body.strip_suffix("\n\n\n").unwrap().to_owned()
}

fn header(run: Run) -> Vec<String> {
    run.ok().lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_block_is_its_header_and_its_text() {
    let home = fixture_home();
    let home = std::fs::canonicalize(home).unwrap();
    let shown = run(BLOCKS, &["demo", "5", "6@1:3"]).ok();
    let shown = shown.replace(home.to_str().unwrap(), "HOME");
    insta::assert_snapshot!(shown, @r"
    ===== block-mou0f0b4-kk3d9wza (ai_terminal_need_input) =====
    source: manifest.rawBlock
    messageKey: turn-8:message:1

    <ai-terminal-need-input>
    <question>Should `litres` return six times the kilos?</question>
    <context_note>src/press.rs line 13</context_note>
    </ai-terminal-need-input>


    ===== block-mou0g5tr-1c6hjj5u (terminal_snapshot) =====
    source: HOME/codex-deck/terminal/sessions/demo/blocks/block-mou0g5tr-1c6hjj5u.snapshot
    snapshotFormat: xterm-serialize-v1
    size: 60x18
    snapshotLength: 464
    lines: 1:3

    品種    収穫量  状態
    ふじ　　120kg　良
    王林　　 80kg　可
    ");
}

#[test]
fn the_alternate_screen_follows_the_normal_one() {
    let shown = body(run(BLOCKS, &["demo", "block-mou0e77q"]));
    assert!(
        shown
            .starts_with("dev@devbox:~/orchard$ vim -N -n src/press.rs\n  1 pub struct Batch {$\n")
    );
    assert!(shown.ends_with("7,13          All"), "{shown}");
}

#[test]
fn blocks_are_named_by_id_position_keyword_or_prefix() {
    let first_line = |name: &str| header(run(BLOCKS, &["demo", name])).remove(0);
    let last = "===== block-mou0h9xe-v7b0q4lo (ai_terminal_complete) =====";
    for name in ["block-mou0h9xe-v7b0q4lo", "7", "last", "block-mou0h"] {
        assert_eq!(first_line(name), last, "{name}");
    }
}

#[test]
fn an_unknown_block_prints_nothing_and_names_what_is_near() {
    let why = run(BLOCKS, &["demo", "1", "block-mou0h9xe-v7b0q4l0"]).fails(1);
    assert!(why.contains("(nearest: block-mou0h9xe-v7b0q4lo, "), "{why}");
    let why = run(BLOCKS, &["demo", "1", "block-mou0"]).fails(1);
    assert!(why.contains("not unique"), "{why}");
}

#[test]
fn head_and_tail_count_lines_of_blocks_without_a_range() {
    let shown = run(BLOCKS, &[LONG, "1", "2@63", "--tail", "3"]).ok();
    assert!(
        shown.contains("\nlines: 1113:end\n\n\nFAILED (failures=1)\ndev@devbox:~/orchard$\n\n\n"),
        "{shown}"
    );
    assert!(shown.contains("\nlines: 63:63\n"), "{shown}");
    assert_eq!(
        body(run(BLOCKS, &[LONG, "1", "--head=1"])),
        "dev@devbox:~/orchard$ python3 -m unittest -v test_orchard"
    );
    assert_eq!(
        body(run(BLOCKS, &["demo", "last", "--tail", "9"])),
        "<requirement_finished>The crate compiles; `litres` multiplies by 6.</requirement_finished>"
    );
    for bad in [
        &["--head", "0"][..],
        &["--tail", "x"],
        &["--head", "1", "--tail", "1"],
        &["--head", "1", "--line-range", "1"],
    ] {
        run(BLOCKS, &[&["demo", "1"], bad].concat()).fails(2);
    }
}

#[test]
fn a_range_past_the_end_is_empty_and_says_how_many_lines_there_are() {
    let past = run(BLOCKS, &["demo", "5@900:"]);
    assert_eq!(past.code, 0);
    assert!(past.stdout.ends_with("\nlines: 900:end\n\n\n"), "{}", past.stdout);
    assert_eq!(
        past.stderr,
        "note: block block-mou0f0b4-kk3d9wza has 4 lines; 900:end is past its end\n"
    );
}

#[test]
fn omitted_is_what_the_frozen_message_left_out() {
    let args = [LONG, "block-mouz04", "--omitted"];
    let shown = run(BLOCKS, &args).ok();
    assert!(shown.contains("\nomitted: lines 21:76 of the cleaned text\n"), "{shown}");
    let whole = body(run(BLOCKS, &[LONG, "block-mouz04"]));
    let lines: Vec<_> = whole.split('\n').collect();
    assert_eq!(body(run(BLOCKS, &args)), lines[20..76].join("\n"));
    // Ranges count within the part.
    let first = [LONG, "block-mouz04@1:2", "--omitted"];
    assert_eq!(body(run(BLOCKS, &first)), lines[20..22].join("\n"));
}

#[test]
fn a_long_text_is_omitted_from_its_twelve_thousandth_unit() {
    let whole = body(run(BLOCKS, &[LONG, "1"]));
    let rest = body(run(BLOCKS, &[LONG, "1", "--omitted"]));
    assert_eq!(whole[..12_000].to_owned() + &rest, whole);
}

#[test]
fn nothing_omitted_is_said() {
    for name in ["3", "6"] {
        let nothing = run(BLOCKS, &["demo", name, "--omitted"]);
        assert_eq!(nothing.code, 0);
        assert!(nothing.stderr.contains("was omitted") && !nothing.stdout.contains("omitted:"));
        assert!(nothing.stdout.ends_with("\n\n\n"));
    }
}

#[test]
fn raw_is_the_stored_bytes_alone() {
    let file = fixture_home()
        .join("codex-deck/terminal/sessions/demo/blocks/block-mou0e77q-8s2n1ybf.snapshot");
    let stored = std::fs::read_to_string(file).unwrap();
    assert_eq!(run(BLOCKS, &["demo", "4", "--render", "raw"]).ok(), stored);
    for bad in [
        &["4", "5"][..],
        &["4@1:2"],
        &["4", "--json"],
        &["4", "--head", "1"],
        &["4", "--omitted"],
        &["4", "--no-squeeze"],
        &["4", "--max-chars", "5"],
        &["4", "--line-range", "1"],
        &["--all"],
    ] {
        run(BLOCKS, &[&["demo", "--render", "raw"], bad].concat()).fails(2);
    }
    run(BLOCKS, &["demo", "4", "--force"]).fails(2);
}

#[test]
fn raw_goes_to_a_terminal_only_by_force() {
    let on_terminal = |extra: &[&str]| {
        let args = [&["demo", "4", "--render", "raw"], extra].concat();
        run_shown(&fixture_home(), BLOCKS, &args)
    };
    let (refused, code) = on_terminal(&[]);
    assert!(code == 2 && refused.contains("--force"), "{refused}");
    let (shown, code) = on_terminal(&["--force"]);
    assert!(code == 0 && shown.contains("\u{1b}[?1049h"), "{shown}");
}

#[test]
fn controls_are_shown_not_live() {
    let home = Home::new();
    home.manifest(
        "t",
        r#"{"blocks":[{"blockId":"a\u001b]0;x\u0007\nb","type":"ai_terminal_complete",
        "messageKey":"k\u009b2J","message":"one\r\ntwo\tthree\u001b[31m\u007f\u0085!"}]}"#,
    );
    let shown = home.run(BLOCKS, &["t", "1"]).ok();
    assert_eq!(
        shown,
        "===== a\\x1b]0;x\\x07\\x0ab (ai_terminal_complete) =====\nsource: manifest.rawBlock\n\
         messageKey: k\\x9b2J\n\none\ntwo\tthree\\x1b[31m\\x7f\\x85!\n\n\n"
    );
    let compat = home.run(BLOCKS, &["t", "1", "--compat"]).ok();
    assert!(compat.contains("one\r\ntwo\tthree\u{1b}[31m\u{7f}\u{85}!\n\n\n"), "{compat:?}");
    let (shown, _) = run_shown(home.path(), BLOCKS, &["t", "1", "--compat"]);
    assert!(shown.contains("three\\x1b[31m\\x7f") && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn blank_lines_shrink_unless_they_are_kept() {
    let home = Home::new();
    home.screen("t", "\r\n\r\na\r\n\r\n\r\n\r\nb  \r\n\r\n");
    assert_eq!(body(home.run(BLOCKS, &["t", "b"])), "a\n\nb");
    assert_eq!(body(home.run(BLOCKS, &["t", "b", "--no-squeeze"])), "\n\na\n\n\n\nb");
    assert_eq!(body(home.run(BLOCKS, &["t", "b@3:4", "--no-squeeze"])), "a");
}

#[test]
fn json_holds_text_and_figures() {
    let found = run(BLOCKS, &["demo", "6@2:3", "7", "--json"]).json();
    let source = std::fs::canonicalize(fixture_home())
        .unwrap()
        .join("codex-deck/terminal/sessions/demo/blocks/block-mou0g5tr-1c6hjj5u.snapshot");
    assert_eq!(
        found,
        json!({
            "terminalId": "demo",
            "blocks": [
                {
                    "blockId": "block-mou0g5tr-1c6hjj5u", "index": 6, "type": "terminal_snapshot",
                    "source": source.to_str(), "snapshotFormat": "xterm-serialize-v1",
                    "cols": 60, "rows": 18, "snapshotLength": 464, "messageKey": null,
                    "alternateScreen": false, "totalLines": 17, "lineStart": 2, "lineEnd": 3,
                    "truncated": false, "text": "ふじ　　120kg　良\n王林　　 80kg　可",
                },
                {
                    "blockId": "block-mou0h9xe-v7b0q4lo", "index": 7, "type": "ai_terminal_complete",
                    "source": "manifest.rawBlock", "snapshotFormat": null, "cols": null,
                    "rows": null, "snapshotLength": null, "messageKey": "turn-9:message:3",
                    "totalLines": 1, "lineStart": 1, "lineEnd": 1, "truncated": false,
                    "text": "<requirement_finished>The crate compiles; `litres` multiplies by 6.</requirement_finished>",
                },
            ],
        })
    );
}

#[test]
fn all_is_every_block() {
    let found = run(BLOCKS, &["demo", "--all", "--json"]).json();
    let indexes: Vec<_> =
        found["blocks"].as_array().unwrap().iter().map(|b| b["index"].as_u64()).collect();
    assert_eq!(indexes, (1..=7).map(Some).collect::<Vec<_>>());
    run(BLOCKS, &["demo", "--all", "1"]).fails(2);
    run(BLOCKS, &["demo"]).fails(2);
}

/// Follows the commands that cuts name until nothing is cut, and puts the parts together.
fn read_on(home: &std::path::Path, words: &[&str]) -> (String, usize) {
    let mut line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let budget = words.iter().find(|word| word.starts_with("--max-chars")).unwrap();
    let mut whole = String::new();
    let before = Tree::read(home);
    for calls in 1..1000 {
        let mut shell = command("sh");
        shell.env("CODEX_HOME", home).args(["-c", &format!("'{BLOCKS}' {budget} --json {line}")]);
        let found = finish(&mut shell).json();
        let block = &found["blocks"][0];
        whole.push_str(block["text"].as_str().unwrap());
        let Some(rest) = block.get("rest") else {
            assert_eq!(block["truncated"], false);
            assert_eq!(before, Tree::read(home));
            return (whole, calls);
        };
        let words = rest["command"].as_str().unwrap();
        line = words.strip_prefix("terminal-session-blocks ").unwrap().to_owned();
        // A cut between lines takes the newline with it.
        let selector = rest["selector"].as_str().unwrap();
        if !selector.rsplit_once('@').unwrap().1.contains('+') {
            whole.push('\n');
        }
    }
    panic!("the cuts have no end")
}

#[test]
fn what_a_cut_names_is_exactly_the_rest() {
    let whole = body(run(BLOCKS, &[LONG, "1"]));
    let (read, calls) = read_on(&fixture_home(), &["--max-chars=9000", LONG, "1"]);
    assert_eq!(read, whole);
    assert_eq!(calls, 7);

    let home = Home::new();
    home.screen("t", "short\r\n".to_owned() + &"äöü".repeat(200) + "\r\n\r\nend");
    let whole = body(home.run(BLOCKS, &["t", "b"]));
    let (read, calls) = read_on(home.path(), &["--max-chars=100", "t", "b"]);
    assert_eq!(read, whole);
    assert_eq!(calls, 8);
}

#[test]
fn what_a_cut_names_is_the_rest_whatever_the_ids_are() {
    let home = Home::new();
    let ids = [
        r#""blockId":"twin""#,
        r#""blockId":"twin""#,
        r#""note":"no id""#,
        r#""blockId":"3""#,
        r#""blockId":"-dash""#,
        r#""blockId":"e\u001bsc""#,
        r#""blockId":"x@y""#,
        r#""blockId":"it's \"spaced\" 🍏""#,
        r#""blockId":"a:2""#,
        r#""blockId":"last""#,
        r#""blockId":"a@3""#,
        r#""blockId":"--json""#,
    ];
    let block = |(index, id): (usize, &&str)| {
        let text = format!("block {}\\nsecond line\\n\\nend", index + 1);
        format!(r#"{{{id},"type":"ai_terminal_complete","message":"{text}"}}"#)
    };
    let blocks: Vec<_> = ids.iter().enumerate().map(block).collect();
    for terminal in ["t", "-t", "it's one"] {
        home.manifest(terminal, format!(r#"{{"blocks":[{}]}}"#, blocks.join(",")));
    }
    for index in 1..=ids.len() {
        // Position 3 is shadowed by an id, as an exact id comes first.
        let name = if index == 3 { continue } else { index.to_string() };
        let want = format!("block {index}\nsecond line\n\nend");
        for budget in ["--max-chars=4", "--max-chars=13"] {
            let (read, _) = read_on(home.path(), &[budget, "t", &name]);
            assert_eq!(read, want, "{name}");
        }
    }
    let (read, _) = read_on(home.path(), &["--max-chars=4", "--", "-t", "2"]);
    assert_eq!(read, "block 2\nsecond line\n\nend");
    // In a shell's single quotes a quote is written '\\''.
    let (read, _) = read_on(home.path(), &["--max-chars=4", r"it'\''s one", "8"]);
    assert_eq!(read, "block 8\nsecond line\n\nend");
}

#[test]
fn a_range_that_is_part_of_an_id_needs_no_more() {
    let home = Home::new();
    home.manifest(
        "t",
        r#"{"blocks":[{"blockId":"x@y","type":"ai_terminal_complete","message":"at"}]}"#,
    );
    assert_eq!(body(home.run(BLOCKS, &["t", "x@y"])), "at");
    assert_eq!(body(home.run(BLOCKS, &["t", "x@y@1"])), "at");
    let why = home.run(BLOCKS, &["t", "x@z"]).fails(2);
    assert!(why.contains("invalid line range: z"), "{why}");
    home.run(BLOCKS, &["t", "x@y", "--compat"]).fails(2);
}

#[test]
fn a_cut_says_on_its_last_line_what_follows() {
    let shown = body(run(BLOCKS, &[LONG, "1@2:40", "--max-chars", "120", "--no-squeeze"]));
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(
        lines,
        [
            "test_row_0001 (test_orchard.Rows.test_row_0001) ... ok",
            "test_row_0002 (test_orchard.Rows.test_row_0002) ... ok",
            "[cut: 37 more lines, 2034 characters: terminal-session-blocks --no-squeeze \
             terminal-k3x9qa71mb2f block-mouz01ab-unit1100@4:40]",
        ]
    );
    let one = body(run(BLOCKS, &["demo", "7", "--max-chars", "22"]));
    assert_eq!(
        one,
        "<requirement_finished>\n[cut: 1 more line, 68 characters: terminal-session-blocks demo \
         block-mou0h9xe-v7b0q4lo@1+22:]"
    );
    run(BLOCKS, &["demo", "7", "--max-chars", "0"]).fails(2);
}

#[test]
fn the_command_that_reads_on_works_as_printed() {
    let home = fixture_home();
    let mut first = command(BLOCKS);
    first.args([LONG, "1", "--omitted", "--max-chars", "5000", "--codex-home"]).arg(&home);
    let shown = body(finish(&mut first));
    let (part, cut) = shown.rsplit_once("\n[cut: ").unwrap();
    let line = cut.strip_suffix(']').unwrap().split_once(": ").unwrap().1;
    let words: Vec<_> = line.split(' ').skip(1).collect();
    let rest = body(finish(command(BLOCKS).args(&words)));
    let whole = body(run(BLOCKS, &[LONG, "1", "--omitted"]));
    assert_eq!(part.to_owned() + "\n" + &rest, whole);
}

#[test]
fn a_size_that_is_missing_is_guessed_from_the_text() {
    let home = Home::new();
    let line = "x".repeat(130);
    home.snapshot("t", "s", line.clone() + "\r\ny").manifest(
        "t",
        r#"{"blocks":[{"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":80,"rows":0},
            {"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":80.0,"rows":24.0},
            {"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":80.5,"rows":24}]}"#,
    );
    for block in ["1", "2", "3"] {
        assert_eq!(body(home.run(BLOCKS, &["t", block])), line.clone() + "\ny");
    }
}

#[test]
fn options_that_the_helper_lacks_do_not_go_with_compat() {
    for extra in [
        &["1", "--head", "1"][..],
        &["1", "--tail", "1"],
        &["1", "--omitted"],
        &["--all"],
        &["1", "--render", "screen"],
        &["1", "--no-squeeze"],
        &["1", "--json"],
        &["1", "--max-chars", "5"],
        &["1@1+2:"],
    ] {
        run(BLOCKS, &[&["demo", "--compat"], extra].concat()).fails(2);
    }
    for name in ["last", "block-mou0h"] {
        run(BLOCKS, &["demo", "--compat", name]).fails(1);
    }
}

#[test]
fn the_last_of_a_repeated_option_counts() {
    let twice = run(BLOCKS, &["demo", "5", "--line-range=1", "--line-range=2"]);
    assert_eq!(twice, run(BLOCKS, &["demo", "5", "--line-range=2"]));
}

#[test]
fn with_compat_options_may_be_shortened_as_the_helper_s() {
    let home = fixture_home();
    let home = home.to_str().unwrap();
    let whole = run(BLOCKS, &["demo", "5", "--compat", "--line-range", "2"]);
    assert_eq!(whole, run(BLOCKS, &["demo", "5", "--compat", "--c", home, "--l", "2"]));
    for help in ["--h", "--he", "--hel"] {
        assert!(run(BLOCKS, &["--compat", help]).ok().contains("Usage:"));
    }
    run(BLOCKS, &["demo", "5", "--co", "never"]).fails(2);
}

#[test]
fn help_is_short_or_long() {
    let short = run(BLOCKS, &["-h"]).ok();
    let long = run(BLOCKS, &["--help"]).ok();
    assert!(short.len() < long.len() && !short.contains("Examples:"));
    assert!(long.contains("Examples:") && long.contains("Exit status:"));
    let value: Value = json!(env!("CARGO_PKG_VERSION"));
    assert!(run(BLOCKS, &["--version"]).ok().contains(value.as_str().unwrap()));
}
