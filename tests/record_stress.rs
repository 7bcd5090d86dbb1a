//! Many writers on one session: recorders, wishes from outside, imports, some of them killed, and a
//! program that takes no lock.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use terminal_session::artifact::{NewSnapshot, SnapshotData, Store, StoreError};

use crate::support::recording::{
    Recorder, block_texts, codex_home, journal_files, session_folder, terminal,
};
use crate::support::{Home, RECORD, accepted, command, finish};

const TERMINAL: &str = "t";

/// A file that is there once a block was made from outside.
const ASKED: &str = "asked";

/// How much is written.
#[derive(Clone, Copy)]
struct Load {
    /// Lines that each recorded program prints.
    lines: usize,
    /// Imports of each importer.
    imports: usize,
}

const SMALL: Load = Load { lines: 50, imports: 5 };
const LARGE: Load = Load { lines: 400, imports: 40 };

fn program(home: &Home, args: &[&str]) -> Command {
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap());
    program.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    program
}

/// A recorder of a program that prints `name 1.`, `name 2.` and so on, with a pause in between. One
/// whose blocks are made from outside goes on until [`ASKED`] says that there was one.
fn recorder(home: &Home, name: &str, lines: usize, freeze: &str) -> Child {
    let script = format!(
        "n=0; while [ $n -lt {lines} ]; do n=$((n+1)); echo \"{name} $n.\"; sleep 0.01; done; \
         until [ {freeze} != manual -o -e '{}' ]; do sleep 0.01; done",
        home.path().join(ASKED).display()
    );
    let args =
        ["run", "-q", "--headless", "--terminal-id", TERMINAL, "--freeze", freeze, "--session-id"];
    program(home, &args).args([name, "--", "sh", "-c", &script]).spawn().unwrap()
}

/// A shell that is given commands, each of which becomes a block.
fn shell_recorder(home: &Home, lines: usize) -> Child {
    let args = ["run", "-q", "--headless", "--terminal-id", TERMINAL, "--freeze", "command"];
    let mut program = program(home, &args);
    program.args(["--session-id", "shell", "--", "bash"]).env("HISTFILE", "/dev/null");
    let mut child = program.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for line in 1..=lines {
        writeln!(stdin, "echo $((1000000+{line})).").unwrap();
    }
    child
}

/// Imports recordings one after the other, each with a text of its own.
fn import(home: &Home, name: &str, count: usize) {
    for number in 1..=count {
        let file = home.path().join(format!("{name}-{number}.raw"));
        fs::write(&file, format!("{name} {number}.")).unwrap();
        let args = ["import", file.to_str().unwrap(), "--terminal-id", TERMINAL, "-q"];
        assert!(program(home, &args).args(["--session-id", name]).status().unwrap().success());
    }
}

/// What stands in the manifest now. It must be whole, and so must be what it names.
fn manifest(folder: &Path) -> Option<Value> {
    let text = fs::read(folder.join("session.json")).ok()?;
    Some(serde_json::from_slice(&text).expect("no manifest is ever torn"))
}

fn ids(manifest: &Value) -> impl Iterator<Item = &str> {
    let blocks = manifest["blocks"].as_array().unwrap().iter();
    blocks.filter_map(|block| block["blockId"].as_str())
}

/// Reads all the time until the writers are done; how often it looked.
fn watch(folder: &Path, is_over: &AtomicBool, keeps_all: bool) -> usize {
    let mut seen = HashSet::new();
    let mut looks = 0;
    while !is_over.load(Ordering::Acquire) {
        let Some(manifest) = manifest(folder) else {
            continue;
        };
        looks += 1;
        let now: HashSet<_> = ids(&manifest).map(str::to_owned).collect();
        for block in manifest["blocks"].as_array().unwrap() {
            let id = block["blockId"].as_str().unwrap();
            if let (false, Some(path)) = (seen.contains(id), block["snapshotPath"].as_str()) {
                let length = fs::read_to_string(folder.join(path)).unwrap().encode_utf16().count();
                assert_eq!(block["snapshotLength"].as_u64(), Some(length as u64), "{id}");
            }
        }
        assert!(!keeps_all || seen.is_subset(&now), "a block is gone that was there");
        seen.extend(now);
    }
    looks
}

/// Writes message blocks as codex-deck does: it reads, appends, and renames a new file, without a
/// lock. The ids of its blocks.
fn write_without_lock(folder: &Path, is_over: &AtomicBool) -> Vec<String> {
    let mut written = Vec::new();
    while !is_over.load(Ordering::Acquire) {
        let Some(mut manifest) = manifest(folder) else {
            continue;
        };
        let id = format!("block-deck0000-{:08}", written.len());
        let blocks = manifest["blocks"].as_array_mut().unwrap();
        let last = blocks.iter().filter_map(|block| block["sequence"].as_u64()).max();
        blocks.push(json!({"blockId": id, "type": "ai_terminal_complete", "message": "done",
            "sequence": last.unwrap_or(0) + 1, "createdAt": "2026-01-01T00:00:00.000Z"}));
        let new = folder.join("session.json.77.deck.tmp");
        fs::write(&new, format!("{manifest:#}")).unwrap();
        fs::rename(&new, folder.join("session.json")).unwrap();
        written.push(id);
        // A person decides when; this only leaves the others a turn.
        std::thread::sleep(Duration::from_millis(20));
    }
    written
}

fn text_of(folder: &Path, block: &Value) -> String {
    fs::read_to_string(folder.join(block["snapshotPath"].as_str().unwrap())).unwrap()
}

/// The numbers that blocks of each session have, in their order.
fn numbers(texts: impl IntoIterator<Item = String>) -> BTreeMap<String, Vec<usize>> {
    let pattern = regex::Regex::new(r"([a-z]+)(\d?) (\d+)\.").unwrap();
    let mut numbers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for text in texts {
        for found in pattern.captures_iter(&text) {
            let name = format!("{}{}", &found[1], &found[2]);
            numbers.entry(name).or_default().push(found[3].parse().unwrap());
        }
    }
    numbers
}

/// Eight writers, of which one is killed, a reader, and perhaps a writer without a lock.
fn stress(load: Load, with_deck: bool) {
    let home = Home::new();
    let folder = session_folder(home.path(), TERMINAL);
    let is_over = AtomicBool::new(false);
    let (home, folder, is_over) = (&home, &folder, &is_over);
    let (deck, looks) = std::thread::scope(|scope| {
        let watcher = scope.spawn(move || watch(folder, is_over, !with_deck));
        let deck = with_deck.then(|| scope.spawn(move || write_without_lock(folder, is_over)));
        let mut recorders = vec![
            recorder(home, "timed1", load.lines, "every=0.02"),
            recorder(home, "timed2", load.lines, "every=0.05"),
            // This one goes on until somebody got a block from outside.
            recorder(home, "manual", load.lines, "manual"),
            shell_recorder(home, load.lines / 4),
        ];
        let mut killed = recorder(home, "killed", load.lines * 10, "every=0.02");
        let importers = ["imported1", "imported2"]
            .map(|name| scope.spawn(move || import(home, name, load.imports)));
        // The eighth asks for blocks until there is nobody left to ask.
        let freezer = scope.spawn(move || {
            while !is_over.load(Ordering::Acquire) {
                let run = finish(program(home, &["freeze", TERMINAL]).stdout(Stdio::piped()));
                if !run.stdout.is_empty() {
                    fs::write(home.path().join(ASKED), "").unwrap();
                }
            }
        });
        importers.into_iter().for_each(|importer| importer.join().unwrap());
        killed.kill().unwrap();
        killed.wait().unwrap();
        for recorder in &mut recorders {
            assert!(recorder.wait().unwrap().success());
        }
        is_over.store(true, Ordering::Release);
        freezer.join().unwrap();
        (deck.map(|deck| deck.join().unwrap()), watcher.join().unwrap())
    });
    assert!(looks > 10, "{looks} looks");
    let recovered = finish(program(home, &["recover", "-q", TERMINAL]).stderr(Stdio::piped()));
    assert_eq!((recovered.code, recovered.stderr.as_str()), (0, ""));
    check(home, folder, load, deck.as_deref());
}

/// Everything is there, once and in order.
fn check(home: &Home, folder: &Path, load: Load, deck: Option<&[String]>) {
    let manifest = manifest(folder).unwrap();
    let named: Vec<_> = ids(&manifest).map(str::to_owned).collect();
    let unique: BTreeSet<_> = named.iter().collect();
    assert_eq!(named.len(), unique.len());
    assert!(journal_files(home.path(), TERMINAL).is_empty());
    let found = match deck {
        None => {
            let blocks = accepted(folder);
            let sequences: Vec<_> =
                blocks.iter().map(|block| block["sequence"].as_u64().unwrap()).collect();
            assert_eq!(sequences, (1..=blocks.len() as u64).collect::<Vec<_>>());
            numbers(block_texts(home.path(), TERMINAL))
        }
        Some(deck) => {
            // What it wrote is all there: we never write over what we did not read.
            assert!(deck.len() > 5);
            assert!(deck.iter().all(|id| unique.contains(id)), "a block without a lock is lost");
            // It may write over ours; then the snapshots are there and nothing names them.
            numbers(snapshots(folder).iter().map(|path| fs::read_to_string(path).unwrap()))
        }
    };
    for (name, want) in [
        ("timed1", load.lines),
        ("timed2", load.lines),
        ("manual", load.lines),
        ("imported1", load.imports),
        ("imported2", load.imports),
    ] {
        let mut found = found.get(name).cloned().unwrap_or_default();
        if deck.is_some() {
            found.sort_unstable();
        }
        assert_eq!(found, (1..=want).collect::<Vec<_>>(), "{name}");
    }
    let mut killed = found["killed"].clone();
    if deck.is_some() {
        killed.sort_unstable();
    }
    assert_eq!(killed, (1..=killed.len()).collect::<Vec<_>>());
    let blocks = manifest["blocks"].as_array().unwrap();
    if deck.is_none() {
        let shell = blocks.iter().filter(|block| block["sessionId"] == "shell");
        let texts: String = shell.map(|block| text_of(folder, block)).collect();
        for line in 1..=load.lines / 4 {
            assert!(texts.contains(&format!("{}.", 1_000_000 + line)), "{line} of the shell");
        }
    }
}

/// All snapshot files, in the order of their making.
fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("blocks")).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "snapshot"));
    paths.sort();
    paths
}

/// Holds the lock of a session that is not there yet.
fn hold(folder: &Path) -> fs::File {
    fs::create_dir_all(folder).unwrap();
    let lock = fs::File::create(folder.join("session.lock")).unwrap();
    lock.lock().unwrap();
    lock
}

/// A program's stderr up to the end of a line, which must come.
fn line_of(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    line
}

#[test]
fn a_long_wait_is_said() {
    let home = Home::new();
    let folder = session_folder(home.path(), TERMINAL);
    let lock = hold(&folder);
    let file = home.path().join("x.raw");
    fs::write(&file, "x").unwrap();
    let args = ["import", file.to_str().unwrap(), "--terminal-id", TERMINAL];
    let mut import = program(&home, &args).stderr(Stdio::piped()).spawn().unwrap();
    let path = folder.join("session.lock");
    let want = format!("note: waiting for another program that holds {}\n", path.display());
    assert_eq!(line_of(&mut import), want);
    lock.unlock().unwrap();
    assert!(import.wait().unwrap().success());
    assert_eq!(accepted(&folder).len(), 1);
}

#[test]
fn a_recorder_that_waits_at_the_end_loses_nothing() {
    const LINES: usize = 120;
    let home = Home::new();
    let folder = session_folder(home.path(), TERMINAL);
    let lock = hold(&folder);
    // More pieces of output than the recorder takes before it has written its first block.
    let script = "n=0; while [ $n -lt $1 ]; do n=$((n+1)); echo \"line $n.\"; sleep 0.01; done; \
        echo >\"$0\"";
    let ended = home.path().join("ended");
    let args = ["run", "-q", "--headless", "--terminal-id", TERMINAL, "--freeze", "every=0.01"];
    let mut program = program(&home, &args);
    program.args(["--", "sh", "-c", script, ended.to_str().unwrap(), &LINES.to_string()]);
    let mut recorder = program.stderr(Stdio::piped()).spawn().unwrap();
    let warning = line_of(&mut recorder);
    assert!(warning.starts_with("warning: a block waits for another program that holds "));
    while !ended.exists() {
        std::thread::yield_now();
    }
    // A moment without output, which is no silence here: it is what is tested.
    std::thread::sleep(Duration::from_millis(400));
    lock.unlock().unwrap();
    assert!(recorder.wait().unwrap().success());
    let found = numbers(block_texts(home.path(), TERMINAL));
    assert_eq!(found["line"], (1..=LINES).collect::<Vec<_>>());
}

#[test]
fn a_block_that_was_written_over_comes_back() {
    let home = Home::new();
    let folder = session_folder(home.path(), TERMINAL);
    let mut recorder = Recorder::start(home.path(), TERMINAL);
    recorder.show("one");
    recorder.freeze();
    let before = fs::read(folder.join("session.json")).unwrap();
    recorder.show("two");
    recorder.freeze();
    // A program without a lock writes back what it read before the second block.
    fs::write(folder.join("session.json"), &before).unwrap();
    recorder.show("three");
    recorder.freeze();
    assert_eq!(block_texts(home.path(), TERMINAL), ["one", "two", "three"]);
    // One that is removed on purpose is removed with its snapshot, and stays away.
    fs::write(folder.join("session.json"), &before).unwrap();
    fs::remove_file(&snapshots(&folder)[1]).unwrap();
    recorder.show("four");
    recorder.freeze();
    assert_eq!(block_texts(home.path(), TERMINAL), ["one", "three", "four"]);
}

/// Data of a snapshot that cannot be had.
#[derive(Default)]
struct Bad;

impl SnapshotData for Bad {
    fn write_to(self, _: &mut dyn Write) -> std::io::Result<()> {
        Err(std::io::Error::other("bad"))
    }
}

#[test]
fn folders_that_come_and_go_disturb_nobody() {
    const WRITERS: usize = 6;
    let home = Home::new();
    let snapshot = || NewSnapshot { data: "x".to_owned(), ..NewSnapshot::default() };
    for round in 0..30 {
        let name = format!("t{round}");
        let folder = session_folder(home.path(), &name);
        let (home, name, folder) = (&home, &name, &folder);
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                scope.spawn(move || match writer {
                    0 => {
                        let store = Store::new(&codex_home(home.path()), &terminal(name));
                        assert_eq!(store.append([snapshot()]).unwrap().len(), 1);
                    }
                    1 => {
                        let mut recorder = Recorder::start(home.path(), name);
                        recorder.show("shown");
                        recorder.freeze();
                        recorder.journal.remove().unwrap();
                    }
                    // These make the folder and, where they are alone, remove it again.
                    _ => {
                        let store = Store::new(&codex_home(home.path()), &terminal(name));
                        let bad = NewSnapshot { data: Bad, ..NewSnapshot::default() };
                        let error = store.append([bad]).unwrap_err();
                        assert!(matches!(error, StoreError::Source(_)), "{error}");
                        Recorder::start(home.path(), name).journal.remove().unwrap();
                        fs::remove_dir(folder).unwrap_or_default();
                    }
                });
            }
        });
        let mut texts = block_texts(home.path(), name);
        texts.sort();
        assert_eq!(texts, ["shown", "x"]);
    }
}

#[test]
fn eight_writers_lose_no_block() {
    stress(SMALL, false);
}

#[test]
fn a_writer_without_a_lock_loses_nothing_and_leaves_every_snapshot() {
    stress(SMALL, true);
}

#[test]
#[ignore = "takes minutes; the same with more of everything"]
fn eight_writers_lose_no_block_for_long() {
    stress(LARGE, false);
    stress(LARGE, true);
}
