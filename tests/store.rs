//! Writing sessions: locked, whole, private, and without harm to what others wrote.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::support::{Home, RECORD, Run, Tree, accepted, command, data, finish, skipped};

const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

fn recording(home: &Home, text: &str) -> PathBuf {
    let path = home.path().join("recording.raw");
    fs::write(&path, text).unwrap();
    path
}

fn import(home: &Home, terminal: &str, text: &str) -> Run {
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).arg("import").arg(recording(home, text));
    finish(program.args(["--session-id", "s", "--terminal-id", terminal]))
}

fn session(home: &Home, terminal: &str) -> PathBuf {
    home.path().join("codex-deck/terminal/sessions").join(terminal)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_and_folders_are_private_whatever_the_umask() {
    for umask in ["000", "022", "077", "277"] {
        let home = Home::new();
        let target = home.path().join("deep/codex");
        let mut program = command("sh");
        program.env("CODEX_HOME", &target);
        program.args(["-c", &format!("umask {umask}; exec \"$@\""), "sh", RECORD, "import"]);
        program.arg(recording(&home, "x")).args(["--terminal-id", "t"]);
        finish(&mut program).ok();
        let folder = target.join("codex-deck/terminal/sessions/t");
        for inner in [target.parent().unwrap(), &target, &folder, &folder.join("blocks")] {
            assert_eq!(mode(inner), PRIVATE_FOLDER, "{umask} {}", inner.display());
        }
        let block = &accepted(&folder)[0];
        let snapshot = folder.join(block["snapshotPath"].as_str().unwrap());
        for file in [&folder.join("session.json"), &folder.join("session.lock"), &snapshot] {
            assert_eq!(mode(file), PRIVATE_FILE, "{umask} {}", file.display());
        }
        assert_eq!(names(&folder), ["blocks", "session.json", "session.lock"]);
        assert_eq!(names(&folder.join("blocks")).len(), 1);
    }
}

#[test]
fn what_others_wrote_survives() {
    let home = Home::new();
    let odd = r#"{ "zeta": 12345678901234567890123, "terminalId": "other's", "createdAt": 5,
        "updatedAt": "2020-01-01T00:00:00.000Z",
        "blocks": [null, {"blockId": "b9", "sequence": 9, "half": "\ud83d", "x": 1, "x": 1e400},
            "text", {"type": "later", "nested": [[], {}, -0.50, 1E5]},
            {"blockId": "b2", "sequence": 2.5, "keys": {"b": null, "a": null}}],
        "alpha": {"deep": ["\u00e4", "ä"]} }"#;
    home.manifest("t", odd);
    import(&home, "t", "mine").ok();
    let text = fs::read_to_string(session(&home, "t").join("session.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text.replace("\\ud83d", "half")).unwrap();
    let keys: Vec<_> = manifest.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["zeta", "terminalId", "createdAt", "updatedAt", "blocks", "alpha"]);
    assert_ne!(manifest["updatedAt"], "2020-01-01T00:00:00.000Z");
    for kept in [
        "\n  \"zeta\": 12345678901234567890123,\n",
        "\n  \"terminalId\": \"other's\",\n  \"createdAt\": 5,\n",
        "\n      \"half\": \"\\ud83d\",\n      \"x\": 1,\n      \"x\": 1e400\n",
        "\n      \"nested\": [\n        [],\n        {},\n        -0.50,\n        1E5\n      ]\n",
        "\n      \"keys\": {\n        \"b\": null,\n        \"a\": null\n      }\n",
        "\n      \"\\u00e4\",\n      \"ä\"\n",
    ] {
        assert!(text.contains(kept), "{kept}\nis not in\n{text}");
    }
    // Only blocks with a sequence are sorted, and only among their own places.
    let blocks = manifest["blocks"].as_array().unwrap();
    assert!(blocks[0].is_null());
    assert_eq!(blocks[1]["blockId"], "b2");
    assert_eq!(blocks[2], "text");
    assert_eq!(blocks[3]["type"], "later");
    assert_eq!(blocks[4]["blockId"], "b9");
    assert_eq!(blocks[5]["sequence"], 10);
    assert_eq!(blocks[5]["terminalId"], "t");

    // A second rewrite changes nothing but the time and the new block.
    import(&home, "t", "more").ok();
    let again: Value = serde_json::from_str(
        &fs::read_to_string(session(&home, "t").join("session.json"))
            .unwrap()
            .replace("\\ud83d", "half"),
    )
    .unwrap();
    assert_eq!(again["blocks"].as_array().unwrap()[..6], blocks[..]);
}

#[test]
fn a_manifest_without_blocks_gets_them() {
    let home = Home::new();
    home.manifest("none", "{}").manifest("null", r#"{"blocks":null,"terminalId":"null"}"#);
    for terminal in ["none", "null"] {
        import(&home, terminal, "x").ok();
        let folder = session(&home, terminal);
        assert_eq!(data(&folder, &accepted(&folder)[0]), "x");
    }
}

#[test]
fn a_manifest_that_cannot_be_rewritten_is_left_alone_and_the_block_beside_it() {
    for (bad, want) in [
        (&b""[..], "it is not valid JSON (unexpected end of text at line 1 column 1)"),
        (b"{\"blocks\": [", "it is not valid JSON (unexpected end of text"),
        (b"{\"blocks\": [], \"x\": NaN}", "NaN or Infinity"),
        (b"[]", "it is not a JSON object"),
        (b"{\"blocks\": {}}", "its \"blocks\" is not an array"),
        (b"{\"a\": \"\xff\"}", "it is not UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
    ] {
        let home = Home::new();
        home.manifest("t", bad);
        let folder = session(&home, "t");
        let error = import(&home, "t", "kept").fails(1);
        assert_eq!(fs::read(folder.join("session.json")).unwrap(), bad);
        assert!(error.contains(want), "{error}");
        assert!(error.contains(folder.join("session.json").to_str().unwrap()), "{error}");
        let [record, snapshot] = &names(&folder.join("blocks"))[..] else {
            panic!("{:?}", names(&folder.join("blocks")));
        };
        let record = folder.join("blocks").join(record);
        assert!(error.contains(record.to_str().unwrap()), "{error}");
        assert_eq!(fs::read_to_string(folder.join("blocks").join(snapshot)).unwrap(), "kept");
        let block: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        assert_eq!(block["snapshotPath"], format!("blocks/{snapshot}"));
        assert_eq!((mode(&record), block.as_object().unwrap().len()), (PRIVATE_FILE, 24));

        // Put into a sound manifest the block is one like any other.
        let manifest = serde_json::json!({"terminalId": "t", "createdAt": block["createdAt"],
            "updatedAt": block["updatedAt"], "blocks": [block]});
        home.manifest("t", format!("{manifest:#}"));
        assert_eq!(data(&folder, &accepted(&folder)[0]), "kept");
    }
}

#[test]
fn what_a_killed_writer_left_unfinished_goes() {
    let home = Home::new();
    let folder = home.folder("t");
    let stale = [".session-aB3xYz.tmp", "blocks/.session-Q0.tmp"];
    let kept = ["session.json.77.k3.tmp", "blocks/old.snapshot"];
    for name in stale.iter().chain(&kept) {
        fs::write(folder.join(name), "half").unwrap();
    }
    import(&home, "t", "x").ok();
    assert!(stale.iter().all(|name| !folder.join(name).exists()));
    assert!(kept.iter().all(|name| folder.join(name).exists()));
}

#[test]
fn links_are_not_followed() {
    let home = Home::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("session.json"), "{\"blocks\":[]}").unwrap();
    fs::create_dir(outside.path().join("blocks")).unwrap();
    let before = Tree::read(outside.path());
    fs::create_dir_all(session(&home, "t").parent().unwrap()).unwrap();
    symlink(outside.path(), session(&home, "t")).unwrap();
    let error = import(&home, "t", "x").fails(1);
    assert!(error.starts_with("error: symbolic link, not a folder: ") && error.ends_with("/t\n"));

    fs::create_dir(session(&home, "u")).unwrap();
    symlink(outside.path().join("blocks"), session(&home, "u").join("blocks")).unwrap();
    let error = import(&home, "u", "x").fails(1);
    assert!(error.ends_with("/u/blocks\n"), "{error}");

    let manifest = home.folder("v").join("session.json");
    symlink(outside.path().join("session.json"), &manifest).unwrap();
    let error = import(&home, "v", "x").fails(1);
    assert!(error.contains("it is not a regular file: "), "{error}");
    assert!(manifest.is_symlink());

    let lock = home.folder("w").join("session.lock");
    symlink(outside.path().join("new"), &lock).unwrap();
    let error = import(&home, "w", "x").fails(1);
    assert!(error.starts_with("error: cannot open lock file "), "{error}");
    assert_eq!(before, Tree::read(outside.path()));
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let home = Home::new();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("below");
    for (target, want) in [
        (file.clone(), "file, not a folder: "),
        (below, "file, not a folder: "),
        (PathBuf::from("/sys/codex"), "cannot create folder "),
    ] {
        if !target.parent().unwrap().exists() {
            skipped(&format!("no {}", target.display()));
            continue;
        }
        let mut program = command(RECORD);
        program.arg("import").arg(recording(&home, "x")).arg("--codex-home").arg(&target);
        let error = finish(&mut program).fails(1);
        let named = if target.starts_with(&file) { &file } else { &target };
        assert!(error.starts_with(&format!("error: {want}{}", named.display())), "{error}");
        assert_eq!(error.matches('\n').count(), 1);
    }
}

#[test]
fn a_read_only_session_is_named() {
    const NOBODY: u32 = 65_534;
    let home = Home::new();
    let folder = home.folder("t");
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).arg("import").arg(recording(&home, "x"));
    program.args(["--session-id", "s", "--terminal-id", "t"]);
    if rustix::process::geteuid().is_root() {
        // Root may write everywhere, so it is somebody else's session and program.
        let mut entries = walkdir::WalkDir::new(home.path()).into_iter().map(Result::unwrap);
        let is_owned = entries.all(|entry| chown(entry.path(), Some(NOBODY), None).is_ok());
        let may_run = command(RECORD).arg("--version").uid(NOBODY).gid(NOBODY).output();
        if !is_owned || may_run.is_err() {
            skipped("root may write everywhere, and nobody else may run the program");
            return;
        }
        program.uid(NOBODY).gid(NOBODY);
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    let error = finish(&mut program).fails(1);
    assert!(error.contains("session.lock: Permission denied"), "{error}");
}

#[test]
fn a_full_disk_leaves_the_session_as_it_was() {
    const SCRIPT: &str = r#"
        mount -t tmpfs -o size=256k none "$2" || exit 77
        cp -r "$3" "$2/home" && sum=$(cat "$2/home/codex-deck/terminal/sessions/t/session.json" | cksum)
        "$1" import "$4" --terminal-id t --codex-home "$2/home" --freeze markers
        echo "exit $?"
        [ "$sum" = "$(cat "$2/home/codex-deck/terminal/sessions/t/session.json" | cksum)" ] && echo same
        find "$2/home/codex-deck/terminal/sessions/t" | wc -l
        "$1" import "$4" --terminal-id new --codex-home "$2/home" --freeze markers 2>/dev/null
        ls -A "$2/home/codex-deck/terminal/sessions"
    "#;
    let (home, disk, files) =
        (Home::new(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(&home, "t", "before").ok();
    fs::remove_file(home.path().join("recording.raw")).unwrap();
    let count = walkdir::WalkDir::new(session(&home, "t")).into_iter().count();
    // 11 kB and some 100 kB each: the first ones fit, not all do.
    let mut text = "{\"version\":2,\"width\":80,\"height\":24}\n".to_owned();
    for lines in [1000, 9000, 9000, 9000] {
        let event = serde_json::json!([0, "o", "0123456789\r\n".repeat(lines)]);
        text += &format!("{event}\n[0,\"m\",\"\"]\n");
    }
    let file = files.path().join("big.cast");
    fs::write(&file, text).unwrap();
    let mut program = command("unshare");
    program.args(["-Urm", "sh", "-c", SCRIPT, "sh", RECORD]);
    program
        .arg(disk.path())
        .arg(home.path())
        .arg(&file)
        .env("PATH", std::env::var_os("PATH").unwrap());
    let run = match program.output() {
        Ok(output) if ![1, 77, 127].contains(&output.status.code().unwrap_or(1)) => output,
        other => {
            skipped(&format!("no tmpfs of its own here: {other:?}"));
            return;
        }
    };
    let (out, err) =
        (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert_eq!(out, format!("exit 1\nsame\n{count}\nt\n"), "{err}");
    assert!(
        err.starts_with("error: cannot write ") && err.contains(": No space left on device"),
        "{err}"
    );
    assert_eq!(err.matches('\n').count(), 1, "{err}");
}

fn spawn(home: &Home, file: &Path) -> Child {
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).arg("import").arg(file);
    program.args(["--terminal-id", "busy", "--quiet", "--freeze", "markers"]);
    program.stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn eight_writers_at_once_all_land() {
    const WRITERS: usize = 8;
    const ROUNDS: usize = 4;
    let home = Home::new();
    let mut text = "{\"version\":2,\"width\":80,\"height\":24}\n".to_owned();
    text += &"[0,\"o\",\"a line\"]\n[0,\"m\",\"\"]\n".repeat(3);
    let file = home.path().join("three.cast");
    fs::write(&file, text).unwrap();
    let manifest = session(&home, "busy").join("session.json");
    let mut seen = 0;
    for _ in 0..ROUNDS {
        let mut children: Vec<_> = (0..WRITERS).map(|_| spawn(&home, &file)).collect();
        // At no time is the manifest anything but whole, and no block goes.
        while !children.is_empty() {
            children.retain_mut(|child| match child.try_wait().unwrap() {
                Some(status) => {
                    assert!(status.success());
                    false
                }
                None => true,
            });
            if let Ok(text) = fs::read(&manifest) {
                let value: Value = serde_json::from_slice(&text).unwrap();
                let blocks = value["blocks"].as_array().unwrap();
                assert!(blocks.len() >= seen);
                seen = blocks.len();
                for block in blocks.iter().rev().take(3) {
                    let path = block["snapshotPath"].as_str().unwrap();
                    assert!(session(&home, "busy").join(path).is_file());
                }
            }
        }
    }
    let folder = session(&home, "busy");
    let blocks = accepted(&folder);
    let sequences: Vec<_> =
        blocks.iter().map(|block| block["sequence"].as_u64().unwrap()).collect();
    assert_eq!(sequences, (1..=(3 * WRITERS * ROUNDS) as u64).collect::<Vec<_>>());
    assert_eq!(names(&folder.join("blocks")).len(), blocks.len());
    assert_eq!(names(&folder), ["blocks", "session.json", "session.lock"]);
}
