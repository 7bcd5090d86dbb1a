//! Broken artifacts: a clear error, and nothing lost.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::{CWD, Mode, mkfifoat};

use crate::support::{BLOCKS, Home, SUMMARY, Tree, command, finish, skipped};

fn fifo(path: &Path) {
    mkfifoat(CWD, path, Mode::RWXU).unwrap();
}

#[test]
fn a_broken_manifest_is_named_with_what_is_wrong() {
    let home = Home::new();
    home.manifest("empty", "")
        .manifest("truncated", "{\"blocks\":[{\"blockId\":\"q\"")
        .manifest("array", "[]")
        .manifest("bom", "\u{feff}{}")
        .manifest("words", "not json")
        .manifest("deep", "{\"blocks\":".to_owned() + &"[".repeat(100_000));
    std::fs::create_dir(home.folder("folder").join("session.json")).unwrap();
    fifo(&home.folder("fifo").join("session.json"));
    home.folder("missing");
    for (terminal, want) in [
        (
            "empty",
            "invalid terminal session manifest JSON (unexpected end of text at line 1 column 1)",
        ),
        (
            "truncated",
            "invalid terminal session manifest JSON (unexpected end of text at line 1 column 26)",
        ),
        ("array", "must contain a JSON object"),
        ("bom", "byte order mark"),
        ("words", "expected a value at line 1 column 1"),
        ("deep", "more than 1000 nested levels"),
        ("folder", "is not a regular file"),
        ("fifo", "is not a regular file"),
        ("missing", "manifest not found"),
        ("none", "manifest not found"),
    ] {
        for (program, args) in [(SUMMARY, vec![terminal]), (BLOCKS, vec![terminal, "1"])] {
            let why = home.run(program, &args).fails(1);
            assert!(why.starts_with("error: ") && why.matches('\n').count() == 1, "{why}");
            assert!(
                why.contains(want) && why.contains(&format!("{terminal}/session.json")),
                "{why}"
            );
        }
    }
}

#[test]
fn odd_json_loads() {
    let home = Home::new();
    let nested = "[".repeat(500) + &"]".repeat(500);
    let text = format!(
        r#"{{"a":{nested},"blocks":[{{"blockId":"x","blockId":"last wins","type":"ai_terminal_plan",
        "steps":[{{"stepId":NaN,"command":-Infinity,"risk":12345678901234567890123,
        "nextAction":[1e5,1.50,-0,1e999]}}],"leadingMarkdown":"\ud83d and \ud83c\udf4e"}}]}}"#
    );
    home.manifest("t", text);
    let found = home.run(SUMMARY, &["t", "--compact"]).ok();
    assert!(found.contains(r#""blockId":"last wins""#), "{found}");
    assert!(found.contains("\"leadingMarkdown\":\"\u{fffd} and 🍎\""), "{found}");
    let step = r#""stepId":null,"command":null,"risk":12345678901234567890123,"nextAction":[100000.0,1.5,0,null]"#;
    assert!(found.contains(step), "{found}");
}

#[test]
fn invalid_utf8_becomes_replacement_characters() {
    let home = Home::new();
    home.manifest("t", b"{\"blocks\":[{\"blockId\":\"p\xff\",\"type\":\"ai_terminal_complete\",\"message\":\"\xe2\x82\"}]}");
    home.screen("s", b"p\xffear \xe2\x82\xac \xe2\x82");
    assert!(home.run(SUMMARY, &["t"]).ok().contains("\"message\": \"\u{fffd}\""));
    assert!(home.run(BLOCKS, &["t", "p\u{fffd}"]).ok().contains("\n\u{fffd}\n"));
    assert!(home.run(BLOCKS, &["s", "b"]).ok().contains("p\u{fffd}ear € \u{fffd}\n"));
}

/// A session whose blocks each have another fault, with good ones around them.
fn faulty_session() -> Home {
    let home = Home::new();
    home.snapshot("t", "good", "apples");
    let folder = home.folder("t");
    std::fs::create_dir(folder.join("blocks/folder")).unwrap();
    fifo(&folder.join("blocks/fifo"));
    std::fs::write(home.path().join("secret"), "secret").unwrap();
    symlink(home.path().join("secret"), folder.join("blocks/escape")).unwrap();
    symlink("good", folder.join("blocks/inside")).unwrap();
    symlink("loop", folder.join("blocks/loop")).unwrap();
    let long = "x".repeat(300);
    let outside = home.path().join("secret");
    let paths = [
        r#""blocks/good""#.to_owned(),
        r#""blocks/gone""#.to_owned(),
        r#""blocks/folder""#.to_owned(),
        r#""blocks/fifo""#.to_owned(),
        r#""blocks/escape""#.to_owned(),
        r#""../../../../secret""#.to_owned(),
        format!("{:?}", outside.to_str().unwrap()),
        format!("\"blocks/{long}\""),
        r#""blocks/a\u0000b""#.to_owned(),
        r#""blocks/loop""#.to_owned(),
        r#""/dev/stdin""#.to_owned(),
        "null".to_owned(),
        "7".to_owned(),
        r#""blocks/inside""#.to_owned(),
    ];
    let blocks: Vec<_> = paths
        .iter()
        .map(|path| {
            format!(r#"{{"type":"terminal_snapshot","cols":80,"rows":24,"snapshotPath":{path}}}"#)
        })
        .collect();
    home.manifest("t", format!(r#"{{"blocks":[{}]}}"#, blocks.join(",")));
    home
}

const FAULTS: [(usize, &str); 12] = [
    (2, "content file not found"),
    (3, "content file not found"),
    (4, "content file not found"),
    (5, "block path escapes terminal session directory: blocks/escape"),
    (6, "block path escapes terminal session directory: ../../../../secret"),
    (7, "block path escapes terminal session directory: /"),
    (8, "cannot read content file blocks/xxx"),
    (9, "cannot read content file blocks/a"),
    (10, "cannot read content file blocks/loop"),
    (11, "block path escapes terminal session directory: /dev/stdin"),
    (12, "has no snapshotPath"),
    (13, "has no snapshotPath"),
];

#[test]
fn a_snapshot_that_cannot_be_read_says_why_and_the_rest_prints() {
    let home = faulty_session();
    for extra in [&[][..], &["--compat"], &["--details"]] {
        let found = home.run(SUMMARY, &[&["t"], extra].concat()).json();
        let blocks = found["blocks"].as_array().unwrap();
        for (index, want) in FAULTS {
            let why = blocks[index - 1]["snapshotPreviewError"].as_str().unwrap();
            assert!(why.contains(want), "{index}: {why}");
        }
        for index in [1, 14] {
            assert_eq!(blocks[index - 1]["snapshotPreview"], "apples", "{index}");
        }
        assert!(!found.to_string().contains("\"secret\""));
    }
    let run = home.run(BLOCKS, &["t", "--all"]);
    assert_eq!((run.code, run.stdout.matches("\napples\n").count()), (1, 2));
    assert_eq!(run.stderr.lines().count(), FAULTS.len(), "{}", run.stderr);
    let found = home.run(BLOCKS, &["t", "--all", "--json"]);
    assert_eq!(found.code, 1);
    let found: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert!(found["blocks"][1]["error"].as_str().unwrap().contains("not found"));
    assert_eq!(found["blocks"][13]["text"], "apples");
}

#[test]
fn a_manifest_that_is_a_link_out_of_its_folder_is_refused() {
    let home = Home::new();
    std::fs::write(home.path().join("elsewhere.json"), "{}").unwrap();
    symlink(home.path().join("elsewhere.json"), home.folder("t").join("session.json")).unwrap();
    std::fs::write(home.folder("u").join("real.json"), "{}").unwrap();
    symlink("real.json", home.folder("u").join("session.json")).unwrap();
    assert!(home.run(SUMMARY, &["t"]).fails(1).contains("link out of its folder"));
    home.run(SUMMARY, &["u"]).json();
}

#[test]
fn ids_that_are_no_folder_name_are_refused() {
    let home = Home::new();
    home.manifest("t", "{}");
    for id in ["", "  ", "/", "/t", "..", ".", "../sessions/t", "t/", "a/b"] {
        for extra in [&[][..], &["--compat"]] {
            home.run(SUMMARY, &[&[id], extra].concat()).fails(1);
            home.run(BLOCKS, &[&[id, "1"], extra].concat()).fails(1);
        }
    }
}

#[test]
fn a_file_that_may_not_be_read_is_told_from_one_that_is_missing() {
    let home = Home::new();
    home.screen("t", "apples");
    let file = home.folder("t").join("blocks/b.snapshot");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&file).is_ok() {
        skipped("root may read every file");
        return;
    }
    let why = home.run(BLOCKS, &["t", "b"]).fails(1);
    assert!(why.contains("cannot read content file"), "{why}");
}

#[test]
fn a_few_bytes_cannot_take_all_memory() {
    let home = Home::new();
    home.snapshot("t", "good", "apples");
    let snapshots = [
        ("rows", "\u{1b}[65535Cx\r\n".repeat(1_200)),
        ("repeats", "x\u{1b}[65535b".repeat(1_200)),
        ("indexes", "\u{1b}[65535Cx\u{1b}D".repeat(1_200)),
        ("pattern", "\u{1b}#8".to_owned()),
        ("scrolls", "a\u{1b}[65535S".repeat(50)),
        ("resets", "a\u{1b}c".repeat(50)),
        ("fills", "\u{1b}[41m\u{1b}[2J".to_owned()),
        ("switches", "\u{1b}[41m\u{1b}[?1049h\u{1b}[?1049l".repeat(5)),
    ];
    let mut blocks = Vec::new();
    for (name, data) in &snapshots {
        home.snapshot("t", name, data);
        blocks.push(format!(
            r#"{{"blockId":"{name}","type":"terminal_snapshot","cols":65535,"rows":65535,"snapshotPath":"blocks/{name}"}}"#
        ));
    }
    blocks.push(
        r#"{"type":"terminal_snapshot","cols":80,"rows":24,"snapshotPath":"blocks/good"}"#
            .to_owned(),
    );
    home.manifest("t", format!(r#"{{"blocks":[{}]}}"#, blocks.join(",")));
    // An allocation beyond the limit would end the process.
    let limited = |program: &str, args: &str| {
        let script = format!("ulimit -v 2000000; exec '{program}' t {args}");
        let mut shell = command("sh");
        finish(shell.args(["-c", &script]).env("CODEX_HOME", home.path()))
    };
    for extra in ["--details --compact", "--preview-chars 100000000 --compact"] {
        let found = limited(SUMMARY, extra).json();
        assert_eq!(found["blocks"][snapshots.len()]["snapshotPreview"], "apples");
        for index in 0..3 {
            let why = found["blocks"][index]["snapshotPreviewError"].as_str().unwrap();
            assert!(why.contains("cannot show content file"), "{why}");
        }
    }
    let run = limited(BLOCKS, "rows last --tail 1");
    assert!(run.code == 1 && run.stdout.ends_with("\napples\n\n\n"), "{run:?}");
}

#[test]
fn a_large_snapshot_takes_memory_in_proportion() {
    let home = Home::new();
    let line = "\u{1b}[32mapples and pears\u{1b}[0m row of the orchard, and some more of it\r\n";
    home.screen("t", line.repeat(20_000_000 / line.len()));
    let limited = |program: &str, args: &str| {
        let script = format!("ulimit -v 400000; exec '{program}' t {args}");
        let mut shell = command("sh");
        finish(shell.args(["-c", &script]).env("CODEX_HOME", home.path()))
    };
    let lines = 20_000_000 / line.len();
    let found = limited(SUMMARY, "--details").json();
    assert_eq!(found["blocks"][0]["lines"], lines);
    assert!(limited(BLOCKS, "b --tail 1").ok().contains(&format!("\nlines: {lines}:end\n")));
}

#[test]
fn blocks_of_no_known_shape_are_kept_in_order() {
    let home = Home::new();
    home.manifest(
        "t",
        r#"{"blocks":[1,{"type":7,"message":"x"},null,{"type":"diary","rawBlock":"dear"}]}"#,
    );
    let found = home.run(SUMMARY, &["t", "--compact"]).ok();
    assert!(found.ends_with(
        "\"blocks\":[{\"index\":2,\"blockId\":null,\"type\":\"unknown\"},{\"index\":4,\"blockId\":null,\"type\":\"diary\"}]}\n"
    ), "{found}");
    assert!(home.run(BLOCKS, &["t", "4"]).ok().contains("\ndear\n"));
    home.run(BLOCKS, &["t", "1"]).fails(1);
    home.manifest("u", r#"{"blocks":7}"#);
    assert!(home.run(BLOCKS, &["u", "1"]).fails(1).contains("no blocks array"));
    assert!(home.run(SUMMARY, &["u"]).ok().contains("\"blocks\": []"));
}

#[test]
fn a_session_is_read_on_a_read_only_mount() {
    let home = Home::new();
    home.screen("t", "apples");
    let before = Tree::read(home.path());
    let script = "mount --bind -o ro \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" \
                  && ! touch \"$1/probe\" 2>/dev/null && \"$2\" t --codex-home \"$1\" && exec \"$3\" t b --codex-home \"$1\"";
    let mut unshare = command("unshare");
    unshare.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    unshare.args(["-Urm", "sh", "-c", script, "sh"]).arg(home.path()).args([SUMMARY, BLOCKS]);
    let allowed = command("unshare")
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .args(["-Urm", "true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !allowed {
        skipped("this machine allows no user namespace for a read-only mount");
        return;
    }
    let shown = finish(&mut unshare).ok();
    assert!(shown.contains("\"snapshotPreview\": \"apples\"") && shown.contains("\napples\n"));
    assert_eq!(before, Tree::read(home.path()));
}
