//! `terminal-session-record import`: recordings become blocks that codex-deck takes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Map, Value, json};
use terminal_session::snapshot::{replay, text};

use crate::support::{BLOCKS, Home, RECORD, Run, SUMMARY, Tree, accepted, command, data, finish};

const SESSION: &str = "0198c0de-0000-7000-8000-000000000001";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/casts").join(name)
}

/// A codex home, and files beside it.
struct Import {
    home: Home,
    files: tempfile::TempDir,
}

type Block = Map<String, Value>;

impl Import {
    fn new() -> Self {
        Self { home: Home::new(), files: tempfile::tempdir().unwrap() }
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.files.path().join(name);
        fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn run(&self, args: &[&str]) -> Run {
        let mut program = command(RECORD);
        program.env("CODEX_HOME", self.home.path()).arg("import").args(args);
        finish(&mut program)
    }

    fn session(&self, terminal: &str) -> PathBuf {
        self.home.path().join("codex-deck/terminal/sessions").join(terminal)
    }

    /// The blocks of an import that must go well, each with its data.
    #[track_caller]
    fn blocks(&self, file: &str, args: &[&str]) -> Vec<(Block, String)> {
        let out = self.run(&[&[file, "--session-id", SESSION], args].concat()).ok();
        let mut lines = out.lines();
        let folder = self.session(lines.next().unwrap());
        let blocks = accepted(&folder);
        let ids: Vec<_> = blocks.iter().map(|block| block["blockId"].as_str().unwrap()).collect();
        assert_eq!(ids, lines.collect::<Vec<_>>());
        blocks.into_iter().map(|block| (block.clone(), data(&folder, &block))).collect()
    }

    #[track_caller]
    fn texts(&self, file: &str, args: &[&str]) -> Vec<String> {
        self.blocks(file, args).into_iter().map(|(_, data)| data).collect()
    }

    /// Stderr of an import that must fail and leave everything as it was.
    #[track_caller]
    fn refused(&self, code: i32, args: &[&str]) -> String {
        let before = Tree::read(self.home.path());
        let error = self.run(args).fails(code);
        assert_eq!(before, Tree::read(self.home.path()));
        error
    }
}

/// What a snapshot shows.
fn shown(data: &str) -> String {
    text(&replay(data.as_bytes(), None)).trim_end().to_owned()
}

fn cast(events: &[Value]) -> String {
    let mut text =
        "{\"version\":2,\"width\":40,\"height\":5,\"timestamp\":1767225600}\n".to_owned();
    for event in events {
        writeln!(text, "{event}").unwrap();
    }
    text
}

#[test]
fn ids_that_are_written_hold_no_controls() {
    let home = Home::new();
    fs::write(home.path().join("x.raw"), "apples").unwrap();
    let file = home.path().join("x.raw");
    for option in ["--terminal-id", "--session-id"] {
        for id in ["a\nb", "a\u{1b}[31mb", "a\u{9b}b"] {
            let mut import = command(RECORD);
            import.arg("import").arg(&file).args([option, id]).env("CODEX_HOME", home.path());
            let why = finish(&mut import).fails(2);
            assert!(why.contains("control characters"), "{why}");
        }
    }
}

#[test]
fn a_working_directory_is_not_repeated_beyond_reason() {
    let home = Home::new();
    let path = "x".repeat(60_000);
    let marks = "\u{1b}]133;C\u{7}x\u{1b}]133;D;0\u{7}".repeat(50);
    let data = format!("\u{1b}]7;file:///home/dev\u{7}\u{1b}]7;file:///{path}\u{7}{marks}");
    fs::write(home.path().join("x.raw"), data).unwrap();
    let mut import = command(RECORD);
    import.arg("import").arg(home.path().join("x.raw")).args(["--terminal-id", "t"]);
    import.args(["--freeze", "prompts", "--quiet"]).env("CODEX_HOME", home.path());
    finish(&mut import).ok();
    let manifest = fs::read_to_string(home.folder("t").join("session.json")).unwrap();
    assert_eq!(manifest.matches(r#""cwd": "/home/dev""#).count(), 50);
    assert!(!manifest.contains("xxxx"));
}

#[test]
fn casts_and_raw_streams_give_the_snapshot_of_xterm() {
    let import = Import::new();
    for entry in fs::read_dir(fixture("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "cast") {
            continue;
        }
        let sibling = |extension| path.with_extension(extension).to_str().unwrap().to_owned();
        let want = fs::read_to_string(sibling("snapshot")).unwrap();
        let found = import.texts(path.to_str().unwrap(), &[]);
        assert_eq!(found, [want.as_str()], "{}", path.display());
        let found = import.texts(&sibling("raw"), &["--resize-file", &sibling("meta")]);
        assert_eq!(found, [want.as_str()], "{}", path.display());
    }
}

#[test]
fn all_versions_of_asciicast_say_the_same() {
    let import = Import::new();
    let two = fs::read_to_string(fixture("emoji-zwj.cast")).unwrap();
    let want = fs::read_to_string(fixture("emoji-zwj.snapshot")).unwrap();
    let mut lines = two.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let header = lines.next().unwrap();
    let (width, height) = (&header["width"], &header["height"]);
    let events: Vec<_> = lines.collect();

    let mut three =
        json!({"version": 3, "term": {"cols": width, "rows": height, "theme": {}}}).to_string();
    three += "\n# made of version 2\n";
    let mut one = Vec::new();
    for event in &events {
        writeln!(three, "{}", json!([0.01, event[1], event[2]])).unwrap();
        one.push(json!([0.01, event[2]]));
    }
    let one = json!({"stdout": one, "version": 1, "width": width, "height": height});
    for (name, text) in [
        ("three.cast", three.clone()),
        ("three", three),
        ("one.json", one.to_string()),
        ("pretty.json", format!("{one:#}\n")),
    ] {
        assert_eq!(import.texts(&import.file(name, &text), &[]), [want.as_str()], "{name}");
        let mut program = command(RECORD);
        program.env("CODEX_HOME", import.home.path()).args(["import", "-", "--terminal-id", name]);
        program.stdin(File::open(import.file(name, text)).unwrap());
        finish(&mut program).ok();
        let folder = import.session(name);
        assert_eq!(data(&folder, &accepted(&folder)[0]), want, "{name}");
    }
}

#[test]
fn a_pipe_is_read_once_whatever_it_holds() {
    let import = Import::new();
    for (terminal, text) in [
        ("one", "{\"stdout\":[[0,\"hi\"]],\"version\":1,\"width\":9,\"height\":3}".to_owned()),
        ("two", cast(&[json!([0, "o", "hi"])])),
        ("raw", "hi".to_owned()),
        ("script", "Script started on X\nhi\nScript done on X\n".to_owned()),
    ] {
        let mut program = command(RECORD);
        program.env("CODEX_HOME", import.home.path());
        program.args(["import", "-", "--terminal-id", terminal]);
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        let folder = import.session(terminal);
        assert_eq!(data(&folder, &accepted(&folder)[0]), "hi", "{terminal}");
    }
}

#[test]
fn blocks_are_added_to_a_session_that_is_there() {
    let import = Import::new();
    let file = import.file("a.raw", "a");
    for want in 1..=3 {
        let object = import.run(&[&file, "--terminal-id", "grove 🌳", "--json"]).json();
        assert_eq!(object["terminalId"], "grove 🌳");
        assert_eq!(object["blocks"][0]["sequence"], want);
        let path = object["blocks"][0]["snapshot"].as_str().unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "a");
    }
    assert_eq!(accepted(&import.session("grove 🌳")).len(), 3);
    let shown = import.home.run(BLOCKS, &["grove 🌳", "3", "--json"]).json();
    assert_eq!(shown["blocks"][0]["text"], "a");
    let shown = import.home.run(SUMMARY, &["grove 🌳"]).json();
    assert_eq!(shown["blocks"].as_array().unwrap().len(), 3);
}

#[test]
fn ids_are_fresh_unless_named() {
    let import = Import::new();
    let file = import.file("a.raw", "a");
    let object = |thread: Option<&str>, args: &[&str]| {
        let mut program = command(RECORD);
        program.env("CODEX_HOME", import.home.path()).args(["import", &file, "--json"]).args(args);
        if let Some(thread) = thread {
            program.env("CODEX_THREAD_ID", thread);
        }
        finish(&mut program).json()
    };
    let first = object(None, &[]);
    let second = object(Some(" "), &[]);
    let text = |object: &Value, key| object[key].as_str().unwrap().to_owned();
    assert_ne!(text(&first, "terminalId"), text(&second, "terminalId"));
    assert_ne!(text(&first, "sessionId"), text(&second, "sessionId"));
    let is = |pattern: &str, text: &str| {
        assert!(regex::Regex::new(pattern).unwrap().is_match(text), "{text}");
    };
    is("^terminal-[0-9a-z]{12}$", &text(&first, "terminalId"));
    is(
        "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
        &text(&first, "sessionId"),
    );
    assert_eq!(text(&object(Some("thread"), &[]), "sessionId"), "thread");
    assert_eq!(text(&object(Some("thread"), &["--session-id", " x "]), "sessionId"), "x");
}

#[test]
fn a_marker_ends_a_block() {
    let import = Import::new();
    let file = import.file(
        "m.cast",
        cast(&[
            json!([0, "m", "nothing before it"]),
            json!([1, "o", "one\r\n\u{1b}[?2004h\u{1b}[31"]),
            json!([2.5, "m", "first"]),
            json!([3, "m", "again"]),
            json!([3, "o", "mtwo"]),
            json!([4, "r", "60x7"]),
            json!([5, "m", ""]),
            json!([6, "o", "\u{1b}[?1049hfull"]),
            json!([7, "m", "in the alternate screen"]),
            json!([8, "o", "screen"]),
            json!([9, "x", "3"]),
        ]),
    );
    let whole = import.blocks(&file, &[]);
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].0["exitCode"], 3);
    assert_eq!(whole[0].0["startedAt"], "2026-01-01T00:00:00.000Z");
    assert_eq!(whole[0].0["endedAt"], "2026-01-01T00:00:09.000Z");

    let blocks = import.blocks(&file, &["--freeze", "markers"]);
    let texts: Vec<_> = blocks.iter().map(|(_, data)| data.as_str()).collect();
    assert_eq!(
        texts,
        [
            "one\u{1b}[1B\u{1b}[3D\u{1b}[?2004h",
            "\u{1b}[31mtwo\u{1b}[?2004h",
            "\u{1b}[?1049h\u{1b}[Hfull\u{1b}[?2004h",
            "\u{1b}[?1049h\u{1b}[Hscreen\u{1b}[?2004h",
        ]
    );
    let sizes: Vec<_> = blocks.iter().map(|(block, _)| block["cols"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [40, 60, 60, 60]);
    assert_eq!(blocks[1].0["startedAt"], "2026-01-01T00:00:03.000Z");
    assert_eq!(blocks[1].0["endedAt"], "2026-01-01T00:00:05.000Z");
    assert!(!blocks[3].0.contains_key("exitCode"));
}

/// A session of a shell whose hook prints these marks around prompts and commands.
fn shell(start: &str, commands: &[(&str, &str, &str)], output: &str, end: &str) -> String {
    let prompt = format!("{start}$ \u{1b}]133;B\u{7}");
    let mut text = prompt.clone();
    for (typed, printed, code) in commands {
        text += &format!("{typed}\r\n{output}{printed}{}{prompt}", end.replace('?', code));
    }
    text
}

#[test]
fn with_prompt_marks_each_command_is_a_block() {
    let import = Import::new();
    let commands = [("ls", "a  b\r\n", "0"), ("false", "", "1"), ("printf x", "x\r\n", "0")];
    let (a, c, d) =
        ("\u{1b}]133;A\u{7}", "\u{1b}]133;C;cmdline_url=l%20s\u{1b}\\", "\u{1b}]133;D;?\u{7}");
    let want = ["$ ls\na  b", "$ false", "$ printf x\nx"];

    // Whole marks, one byte at a time.
    let text = shell(a, &commands, c, d) + "exit\r\n";
    let events: Vec<_> = text.chars().map(|c| json!([0, "o", c.to_string()])).collect();
    let file = import.file("p.cast", cast(&events));
    let blocks = import.blocks(&file, &["--freeze", "prompts"]);
    let texts: Vec<_> = blocks.iter().map(|(_, data)| shown(data)).collect();
    assert_eq!(texts, [&want[..], &["$ exit"]].concat());
    let codes: Vec<_> = blocks.iter().map(|(block, _)| block.get("exitCode").cloned()).collect();
    assert_eq!(codes, [Some(json!(0)), Some(json!(1)), Some(json!(0)), None]);
    assert_eq!(blocks[0].0["command"], "l s");

    // No mark after a command; no mark before output; a bare prompt at the end is no block.
    for (output, end) in [(c, ""), ("", d), (c, d)] {
        let file = import.file("q.raw", shell(a, &commands, output, end));
        let found = import.texts(&file, &["--freeze", "prompts"]);
        let found: Vec<_> = found.iter().map(|data| shown(data)).collect();
        assert_eq!(found, want, "{output:?} {end:?}");
    }
}

#[test]
fn without_prompt_marks_there_is_one_block_and_a_note() {
    let import = Import::new();
    let file = import.file("a.raw", "$ ls\r\na\r\n$ ");
    let run = import.run(&[&file, "--freeze", "prompts"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stdout.lines().count(), 2);
    assert_eq!(run.stderr, "note: no prompt marks (OSC 133) in the recording: it is one block\n");
    let quiet = import.run(&[&file, "--freeze", "prompts", "--quiet"]).ok();
    assert_eq!(quiet.lines().count(), 2);
}

#[test]
fn a_recording_that_shows_nothing_is_one_block() {
    let import = Import::new();
    for freeze in ["end", "markers", "prompts"] {
        let nothing = import.file("nothing.raw", "");
        let blocks = import.run(&[&nothing, "--freeze", freeze, "--quiet"]).ok();
        assert_eq!(blocks.lines().count(), 2, "{freeze}");
    }
    let file = import.file("modes.raw", "\u{1b}[?2004h");
    let blocks = import.blocks(&file, &[]);
    assert_eq!(blocks[0].1, "\u{1b}[?2004h");
    assert_eq!((&blocks[0].0["cols"], &blocks[0].0["rows"]), (&json!(80), &json!(24)));
}

#[test]
fn rows_that_fall_off_are_counted() {
    let import = Import::new();
    let lines: String = (1..=30).map(|line| format!("{line}\r\n")).collect();
    let file = import.file("long.raw", lines);
    let args = ["--size", "x5", "--scrollback", "10"];
    let (block, data) = import.blocks(&file, &args).remove(0);
    assert_eq!(block["droppedRows"], 16);
    assert_eq!((&block["cols"], &block["rows"]), (&json!(80), &json!(5)));
    assert!(data.starts_with("17\r\n18\r\n"), "{data}");
    let (block, _) = import.blocks(&file, &["--size", "x5"]).remove(0);
    assert!(!block.contains_key("droppedRows"));
}

#[test]
fn typescripts_lose_their_frame_and_keep_their_sizes() {
    let import = Import::new();
    let script = import.file(
        "typescript",
        "Script started on 2026-11-30 10:40:24+00:00 [COMMAND=\"sh\" TERM=\"xterm\" \
         TTY=\"/dev/pts/1\" COLUMNS=\"30\" LINES=\"6\"]\na\r\nTYPEDb\r\n\n\
         Script done on 2026-11-30 10:40:25+00:00 [COMMAND_EXIT_CODE=\"0\"]\n",
    );
    let (block, data) = import.blocks(&script, &[]).remove(0);
    assert_eq!(shown(&data), "a\nTYPEDb");
    assert_eq!((&block["cols"], &block["rows"]), (&json!(30), &json!(6)));
    assert_eq!((&block["command"], &block["exitCode"]), (&json!("sh"), &json!(0)));
    let timing = import.file(
        "timing",
        "H 0.0 COLUMNS 30\nH 0.0 LINES 6\nH 0.0 OUTPUT_LOG f\nH 0.0 INPUT_LOG f\n\
         O 0.1 3\nS 0.1 SIGWINCH ROWS=7 COLS=31\nI 0.1 5\nO 0.1 3\n",
    );
    let (block, data) = import.blocks(&script, &["--timing", &timing]).remove(0);
    assert_eq!(shown(&data), "a\nb");
    assert_eq!((&block["cols"], &block["rows"]), (&json!(31), &json!(7)));
}

#[test]
fn bad_recordings_change_nothing() {
    let import = Import::new();
    import.run(&[&import.file("good.raw", "good"), "--terminal-id", "t"]).ok();
    let good = cast(&[json!([0, "o", "a"]), json!([1, "m", ""])]);
    for (name, text, want) in [
        ("empty.cast", String::new(), "no asciicast: the file is empty"),
        ("words.cast", "words\n".to_owned(), "line 1: no asciicast header: expected a value"),
        (
            "torn.cast",
            "{\"version\":2,\"wid".to_owned(),
            "line 1: no asciicast header: unexpected end",
        ),
        ("version", "{\"version\": 7}\n".to_owned(), "\"version\" is 7"),
        ("none.cast", "{\"version\":2}\n".to_owned(), "columns missing, rows missing"),
        ("zero.cast", "{\"version\":2,\"width\":0,\"height\":0}\n".to_owned(), "columns 0, rows 0"),
        ("bad.cast", format!("{good}[2,\"o\"\n[3,\"o\",\"b\"]\n"), "line 4: the line ends inside"),
        ("data.cast", format!("{good}[2,\"o\",7]\n"), "line 4: expected a string of output"),
        ("size.cast", format!("{good}[2,\"r\",\"0x0\"]\n"), "line 4: a size is COLSxROWS"),
    ] {
        let file = import.file(name, text);
        let args = [&file, "--terminal-id", "t", "--freeze", "markers"];
        let error = import.refused(1, &args);
        assert!(error.starts_with(&format!("error: {file}: ")), "{error}");
        assert!(error.contains(want) && error.matches('\n').count() == 1, "{name}: {error}");
    }
    let binary =
        import.file("latin.bin", b"{\"version\":2,\"title\":\"\xe4\",\"width\":9,\"height\":9}\n");
    let error = import.refused(1, &[&binary, "--format", "asciicast", "--terminal-id", "t"]);
    assert!(error.ends_with("latin.bin: line 1: not UTF-8\n"), "{error}");
    let gone = import.files.path().join("gone\u{1b}[31m.cast");
    let error = import.refused(1, &[gone.to_str().unwrap()]);
    assert!(error.ends_with("gone\\x1b[31m.cast: No such file or directory\n"), "{error}");
    let error = import.refused(1, &[import.files.path().to_str().unwrap()]);
    assert!(error.ends_with(": Is a directory\n"), "{error}");
    let raw = import.file("x.raw", "x");
    let sizes = import.file("x.meta", "0 80 24\n5 0 0\n");
    let error = import.refused(1, &[&raw, "--resize-file", &sizes]);
    assert!(error.contains("x.meta: line 2: expected OFFSET COLS ROWS"), "{error}");
}

#[test]
fn a_torn_end_is_noted_and_the_rest_imported() {
    let import = Import::new();
    let file = import.file("torn.cast", cast(&[json!([0, "o", "a"])]) + "[1,\"o\",\"b");
    let run = import.run(&[&file, "--terminal-id", "t"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stderr,
        format!(
            "note: {file}: line 3: the file ends inside an event; everything before that is imported\n"
        )
    );
    let folder = import.session("t");
    assert_eq!(data(&folder, &accepted(&folder)[0]), "ab");
}

#[test]
fn calls_that_make_no_sense() {
    let import = Import::new();
    let cast = import.file("a.cast", cast(&[]));
    let timing = import.file("timing", "");
    for args in [
        &[][..],
        &[&cast, "--size", "0x24"],
        &[&cast, "--size", "80"],
        &[&cast, "--format", "gif"],
        &[&cast, "--freeze", "never"],
        &[&cast, "--scrollback", "-1"],
        &[&cast, "--terminal-id", "../x"],
        &[&cast, "--session-id", " "],
        &[&cast, "--format", "asciicast", "--timing", &timing],
        &[&cast, "--format", "asciicast", "--resize-file", &timing],
        &[&cast, "--timing", &timing, "--resize-file", &timing],
    ] {
        import.refused(2, args);
    }
}

#[test]
fn any_size_is_imported_in_little_memory() {
    let import = Import::new();
    let line = "\\u001b[31mred\\u001b[0m and plain text ä \\r\\n".repeat(1 << 14);
    let path = import.files.path().join("long.cast");
    let mut file = File::create(&path).unwrap();
    file.write_all(cast(&[]).as_bytes()).unwrap();
    // One event of more than 64 MiB.
    file.write_all(b"[0,\"o\",\"").unwrap();
    for _ in 0..=(64 << 20) / line.len() {
        file.write_all(line.as_bytes()).unwrap();
    }
    file.write_all(b"\"]\n").unwrap();
    let mut program = command("sh");
    program.env("CODEX_HOME", import.home.path());
    program.args(["-c", "ulimit -v 65536; exec \"$@\"", "sh", RECORD, "import"]).arg(&path);
    let out = finish(&mut program).ok();
    let folder = import.session(out.lines().next().unwrap());
    let blocks = accepted(&folder);
    assert!(blocks[0]["droppedRows"].as_u64().unwrap() > 1_000_000);
    assert!(data(&folder, &blocks[0]).contains("\u{1b}[31mred\u{1b}[0m and plain text ä"));
}

#[test]
fn a_snapshot_larger_than_memory_is_imported() {
    let import = Import::new();
    let path = import.files.path().join("colours.raw");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    let mut number = 0_u32;
    for _ in 0..5_000 {
        for _ in 0..200 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [a, b, c, d] = number.to_le_bytes().map(|byte| byte | 0x80);
            write!(file, "\x1b[38;2;{a};{b};{c}m\x1b[48;2;{d};{c};{a}m▀").unwrap();
        }
        file.write_all(b"\r\n").unwrap();
    }
    file.flush().unwrap();
    let mut program = command("sh");
    program.env("CODEX_HOME", import.home.path());
    program.args(["-c", "ulimit -v 49152; exec \"$@\"", "sh", RECORD, "import"]);
    program.args(["--format", "raw", "--size", "200x50"]).arg(&path);
    let out = finish(&mut program).ok();
    let folder = import.session(out.lines().next().unwrap());
    let blocks = accepted(&folder);
    assert!(blocks[0]["snapshotLength"].as_u64().unwrap() > 35_000_000);
    assert_eq!(data(&folder, &blocks[0]).matches('▀').count(), 1_000_000);
}
