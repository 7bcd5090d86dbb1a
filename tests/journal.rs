//! What a recorder has not frozen survives it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use terminal_session::artifact::OnWait;
use terminal_session::record::{
    Dropped, Journal, Locking, Outcome, Replayed, find_journals, recover,
};
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{serialize, text};

use crate::support::recording::{
    LIMIT, Recorder, SIZE, block_texts, codex_home, header, journal_files, session_folder, terminal,
};
use crate::support::{Home, RECORD, command, driver, finish, in_driver, skipped};

fn replay(home: &Path, name: &str) -> Replayed {
    let journals = find_journals(&session_folder(home, name)).unwrap();
    journals.last().unwrap().replay().unwrap()
}

/// Recovers a terminal that has one journal.
fn recover_one(home: &Path, name: &str) -> Outcome {
    let mut recoveries = recover(&codex_home(home), &terminal(name), &OnWait::default());
    assert_eq!(recoveries.len(), 1);
    recoveries.remove(0).outcome.unwrap()
}

#[derive(Clone, Debug)]
enum Step {
    Output(Vec<u8>),
    Resize(Size),
    Flush,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pieces = prop_oneof![
        Just(&b"plain text "[..]),
        Just(&b"\x1b[31m"[..]),
        Just(&b"\r\n"[..]),
        Just(&b"\x1b[?1049h\x1b[2J"[..]),
        Just(&b"\x1b[?1049l"[..]),
        Just("\u{feff}é旗😀".as_bytes()),
        Just(&b"\xe6\x97"[..]),
        Just(&b"\xff\xf0\x9f"[..]),
        Just(&b"\"\\\x00\x7f"[..]),
    ];
    let bytes =
        prop_oneof![pieces.prop_map(<[u8]>::to_vec), prop::collection::vec(any::<u8>(), 0..12),];
    let step = prop_oneof![
        8 => bytes.prop_map(Step::Output),
        1 => (1u16..60, 1u16..20).prop_map(|(cols, rows)| Step::Resize(Size { cols, rows })),
        1 => Just(Step::Flush),
    ];
    // Characters are also torn apart between calls.
    prop::collection::vec(step, 0..30).prop_map(|steps| {
        let torn = |step| match step {
            Step::Output(bytes) if bytes.len() > 1 => {
                let (a, b) = bytes.split_at(bytes.len() / 2);
                vec![Step::Output(a.to_vec()), Step::Output(b.to_vec())]
            }
            step => vec![step],
        };
        steps.into_iter().flat_map(torn).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_screen_comes_back_as_it_was(steps in steps()) {
        let home = Home::new();
        let folder = session_folder(home.path(), "t");
        let mut journal = Journal::create(&folder, &header("t"), LIMIT).unwrap();
        let mut screen = Screen::new(SIZE, Scrollback::Unlimited);
        for step in steps {
            match step {
                Step::Output(bytes) => {
                    journal.output(&bytes).unwrap();
                    screen.feed(&bytes);
                }
                Step::Resize(size) => {
                    journal.resize(size).unwrap();
                    screen.resize(size);
                }
                Step::Flush => journal.flush().unwrap(),
            }
        }
        journal.flush().unwrap();
        let replayed = replay(home.path(), "t");
        prop_assert_eq!(replayed.damaged_lines, 0);
        prop_assert_eq!(replayed.screen.size(), screen.size());
        prop_assert_eq!(serialize(&replayed.screen), serialize(&screen));
    }
}

#[test]
fn a_flood_comes_back_wherever_its_pieces_end() {
    let home = Home::new();
    let mut recorder = Recorder::with_limit(home.path(), "t", 64 << 20);
    let flood = "\x1b[31m旗\"\\\x1b[m é😀\r\n".repeat(9_000);
    // As large as an event becomes, so that characters are cut between two of them.
    for piece in flood.as_bytes().chunks(64 << 10) {
        recorder.show(piece);
    }
    recorder.journal.flush().unwrap();
    let replayed = replay(home.path(), "t");
    assert_eq!((replayed.dropped, replayed.damaged_lines), (Dropped::default(), 0));
    assert_eq!(serialize(&replayed.screen), serialize(&recorder.screen));
}

#[test]
fn files_are_the_users_own_and_any_player_reads_them() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("hello \x1b[1mworld\x1b[m \"quoted\"\r\n");
    recorder.journal.resize(Size { cols: 50, rows: 7 }).unwrap();
    recorder.journal.flush().unwrap();
    let folder = session_folder(home.path(), "t").join("journal");
    let [name] = journal_files(home.path(), "t").try_into().unwrap();
    assert!(name.starts_with(&format!("{}-", std::process::id())) && name.ends_with(".cast"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let file = folder.join(name);
    assert_eq!(mode(&file), 0o600);
    let import = ["import", file.to_str().unwrap(), "--terminal-id", "copy", "--quiet"];
    finish(command(RECORD).env("CODEX_HOME", home.path()).args(import)).ok();
    assert_eq!(block_texts(home.path(), "copy"), ["hello world \"quoted\""]);
    recorder.journal.remove().unwrap();
    assert!(!folder.exists());
}

#[test]
fn a_torn_tail_costs_its_own_rest_only() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    for line in 0..12 {
        recorder.show(format!("\x1b[3{}mline {line} é旗\x1b[m\r\n", line % 8));
        recorder.journal.flush().unwrap();
    }
    recorder.journal.resize(Size { cols: 30, rows: 5 }).unwrap();
    recorder.show("end");
    recorder.journal.flush().unwrap();
    let whole = text(&replay(home.path(), "t").screen);
    let folder = session_folder(home.path(), "t").join("journal");
    let [name] = journal_files(home.path(), "t").try_into().unwrap();
    let data = fs::read(folder.join(&name)).unwrap();
    let torn_home = Home::new();
    let torn_folder = session_folder(torn_home.path(), "t").join("journal");
    let mut longest = 0;
    for length in 0..=data.len() {
        fs::create_dir_all(&torn_folder).unwrap();
        fs::write(torn_folder.join(&name), &data[..length]).unwrap();
        let replayed = replay(torn_home.path(), "t");
        let found = text(&replayed.screen);
        assert!(whole.starts_with(&found), "{length}: {found:?}");
        let events = data[..length].iter().filter(|&&byte| byte == b'\n').count();
        let lines = found.lines().filter(|line| line.ends_with('旗')).count();
        // The header is the first line.
        assert!(lines + 1 >= events.min(13), "{length}: {found:?}");
        assert!(found.len() >= longest, "{length}: more was there before");
        longest = found.len();
        if length % 97 == 0 {
            fs::remove_file(session_folder(torn_home.path(), "t").join("session.json")).ok();
            match recover_one(torn_home.path(), "t") {
                Outcome::Block { .. } => assert_eq!(block_texts(torn_home.path(), "t"), [found]),
                Outcome::Empty => assert_eq!(found, ""),
                other => panic!("{other:?}"),
            }
            assert!(!torn_folder.exists());
        }
    }
}

#[test]
fn a_torn_newest_file_costs_nothing_of_the_others() {
    let home = Home::new();
    let mut recorder = Recorder::with_limit(home.path(), "t", 1);
    for number in 0..500 {
        recorder.show(format!("line {number}\r\n"));
    }
    recorder.crash();
    let folder = session_folder(home.path(), "t").join("journal");
    let names = journal_files(home.path(), "t");
    let number = |name: &&String| name.split('.').nth(1).unwrap().parse().unwrap_or(1);
    let newest = folder.join(names.iter().max_by_key(number).unwrap());
    let data = fs::read(&newest).unwrap();
    assert!(names.len() > 1 && replay(home.path(), "t").dropped.is_nothing());
    fs::write(&newest, "").unwrap();
    let others = text(&replay(home.path(), "t").screen);
    assert!(others.starts_with("line 0\n") && others.lines().count() > 100);
    for length in (0..data.len()).step_by(41) {
        fs::write(&newest, &data[..length]).unwrap();
        let found = text(&replay(home.path(), "t").screen);
        assert!(found.starts_with(&others), "{length}");
    }
    let outcome = recover_one(home.path(), "t");
    assert!(matches!(outcome, Outcome::Block { damaged_lines: 1, .. }), "{outcome:?}");
    assert!(journal_files(home.path(), "t").is_empty());
}

#[test]
fn damage_in_the_middle_costs_its_lines_only() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    for line in 0..6 {
        recorder.show(format!("line {line}\r\n"));
        recorder.journal.flush().unwrap();
    }
    recorder.crash();
    let folder = session_folder(home.path(), "t").join("journal");
    let file = folder.join(&journal_files(home.path(), "t")[0]);
    let data = fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = data.lines().collect();
    for garbage in [
        "",
        "\0\0\0\0",
        "garbage",
        "[1,\"o\",\"\\q\"]",
        "[1,\"o\",7]",
        "[9e999,\"r\",\"0x0\"]",
        "{}",
    ] {
        for place in 0..lines.len() {
            let mut lines = lines.clone();
            lines[place] = garbage;
            fs::write(&file, lines.join("\n")).unwrap();
            let replayed = replay(home.path(), "t");
            let found = text(&replayed.screen);
            for line in (0..6).filter(|line| line + 1 != place) {
                assert!(found.contains(&format!("line {line}")), "{place} {garbage:?}: {found:?}");
            }
        }
    }
    // Bytes that are no text at all.
    let mut bytes = data.clone().into_bytes();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 20] {
        *byte = 0xff;
    }
    fs::write(&file, &bytes).unwrap();
    assert!(text(&replay(home.path(), "t").screen).contains("line 5"));
}

#[test]
fn a_crash_during_a_freeze_neither_loses_nor_doubles() {
    for crash in 0..3 {
        let home = Home::new();
        let mut recorder = Recorder::start(home.path(), "t");
        recorder.show("one\r\n\x1b[?1049h\x1b[H\x1b[4hfull");
        match crash {
            // Before the block, behind it, and after the journal began again.
            0 => recorder.journal.flush().unwrap(),
            1 => {
                recorder.journal.flush().unwrap();
                recorder.write_block();
            }
            _ => {
                recorder.freeze();
                recorder.show("\x1b[2Gx\x1b[1Gy");
            }
        }
        recorder.crash();
        recover_one(home.path(), "t");
        let texts = block_texts(home.path(), "t");
        assert_eq!(texts[0], "one\nfull");
        // The alternate screen and insert mode were carried over.
        let rest: &[&str] = if crash == 2 { &["y x"] } else { &[] };
        assert_eq!(texts[1..], *rest, "{crash}");
        assert!(journal_files(home.path(), "t").is_empty());
    }
}

#[test]
fn a_cut_character_belongs_to_the_block_that_completes_it() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show(b"a\xe6\x97");
    recorder.freeze();
    recorder.show(b"\x97b");
    recorder.crash();
    recover_one(home.path(), "t");
    assert_eq!(block_texts(home.path(), "t"), ["a", "旗b"]);
}

#[test]
fn an_empty_journal_vanishes_and_a_living_one_is_left_alone() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    assert!(matches!(recover_one(home.path(), "t"), Outcome::InUse));
    recorder.show("\x1b[?25h\x1b[2J");
    recorder.crash();
    assert!(matches!(recover_one(home.path(), "t"), Outcome::Empty));
    assert!(!session_folder(home.path(), "t").join("journal").exists());
    assert!(!session_folder(home.path(), "t").join("session.json").exists());
}

#[test]
fn the_oldest_output_goes_first_and_is_counted_exactly() {
    const SMALL: u64 = 64 << 10;
    let home = Home::new();
    let mut recorder = Recorder::with_limit(home.path(), "t", SMALL);
    let folder = session_folder(home.path(), "t").join("journal");
    let on_disk = || -> u64 {
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    recorder.show("\x1b[?1049h\x1b[4h");
    let mut written = "\x1b[?1049h\x1b[4h".len();
    for number in 0..12_000 {
        let line = format!("\x1b[1mline {number}\x1b[m\r\n");
        written += line.len();
        recorder.show(&line);
        if number % 500 == 0 {
            recorder.journal.flush().unwrap();
            assert!(on_disk() <= SMALL);
            let replayed = replay(home.path(), "t");
            assert_eq!(replayed.dropped, recorder.journal.dropped());
        }
    }
    recorder.journal.flush().unwrap();
    assert!(on_disk() <= SMALL && on_disk() > SMALL / 2, "{}", on_disk());
    let dropped = recorder.journal.dropped();
    recorder.crash();
    let (mut events, mut bytes) = (0, 0);
    for name in journal_files(home.path(), "t") {
        for line in fs::read_to_string(folder.join(name)).unwrap().lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            if value[1] == "o" {
                events += 1;
                bytes += value[2].as_str().unwrap().len();
            }
        }
    }
    assert!(events > 0 && dropped.events > 0);
    assert_eq!(dropped.bytes, (written - bytes) as u64);
    let replayed = replay(home.path(), "t");
    // What was switched on in output that is gone is on all the same.
    assert!(replayed.screen.is_alternate() && replayed.screen.modes().insert);
    assert!(text(&replayed.screen).ends_with("line 11999"));
    match recover_one(home.path(), "t") {
        Outcome::Block { dropped: said, .. } => assert_eq!(said, dropped),
        other => panic!("{other:?}"),
    }
    let manifest = fs::read_to_string(session_folder(home.path(), "t").join("session.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest.unwrap()).unwrap();
    let block = &manifest["blocks"][0];
    assert_eq!(block["droppedEvents"], dropped.events);
    assert_eq!(block["droppedBytes"], dropped.bytes);
    assert_eq!(block["recovered"], true);
}

#[test]
fn a_folder_that_goes_away_costs_neither_the_limit_nor_the_count() {
    let home = Home::new();
    let mut recorder = Recorder::with_limit(home.path(), "t", 1);
    let folder = session_folder(home.path(), "t").join("journal");
    let elsewhere = home.path().join("elsewhere");
    fs::rename(&folder, &elsewhere).unwrap();
    let mut written = 0;
    let mut show = |recorder: &mut Recorder, number: usize| {
        let line = format!("line {number} of very many lines\r\n");
        written += line.len() as u64;
        recorder.journal.output(line.as_bytes())
    };
    let failed = (0..9_000).filter(|&number| show(&mut recorder, number).is_err()).count();
    assert!(failed > 0 && recorder.journal.flush().is_err());
    fs::rename(&elsewhere, &folder).unwrap();
    let size: u64 =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(size > 60_000 && size <= 70_000, "{size}");
    show(&mut recorder, 9_000).unwrap();
    recorder.journal.flush().unwrap();
    let replayed = replay(home.path(), "t");
    assert_eq!(replayed.dropped, recorder.journal.dropped());
    let found = text(&replayed.screen);
    assert!(found.ends_with("line 9000 of very many lines"));
    let kept: usize = found.lines().map(|line| line.len() + 2).sum();
    assert_eq!(replayed.dropped.bytes, written - kept as u64);
}

#[test]
fn a_freeze_forgets_what_was_dropped_before() {
    let home = Home::new();
    let mut recorder = Recorder::with_limit(home.path(), "t", 1);
    for number in 0..9_000 {
        recorder.show(format!("line {number} of very many lines\r\n"));
    }
    assert!(!recorder.journal.dropped().is_nothing());
    assert!(journal_files(home.path(), "t").len() > 5);
    recorder.freeze();
    assert_eq!(recorder.journal.dropped(), Dropped::default());
    assert_eq!(journal_files(home.path(), "t").len(), 1);
    recorder.show("more");
    recorder.journal.flush().unwrap();
    let replayed = replay(home.path(), "t");
    assert_eq!((text(&replayed.screen).as_str(), replayed.dropped), ("more", Dropped::default()));
    assert_eq!(replayed.command, None);
}

#[test]
fn a_freeze_inside_of_a_sequence_leaves_the_rest_of_it_no_text() {
    let home = Home::new();
    for (number, cut) in
        ["\x1b", "\x1b[3", "\x1b[38:2::1", "\x1b]0;ti", "\x1bPq1", "\u{9b}3", "\x1b("]
            .into_iter()
            .enumerate()
    {
        let name = format!("t{number}");
        let mut recorder = Recorder::start(home.path(), &name);
        recorder.show(format!("before{cut}"));
        recorder.freeze();
        let rest = match cut {
            "\x1b" => "[1m",
            "\x1b]0;ti" => "tle\x07",
            "\x1bPq1" => "2\x1b\\",
            "\x1b(" => "B",
            "\x1b[38:2::1" => ":2:3m",
            _ => "1m",
        };
        recorder.show(format!("{rest}after"));
        recorder.journal.flush().unwrap();
        assert_eq!(text(&replay(home.path(), &name).screen), "after", "cut in {cut:?}");
    }
}

#[test]
fn it_says_when_it_has_something_to_do() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("shown");
    // As a recorder waits: output reaches the system soon, the disk within a second.
    let mut waits = 0;
    while let Some(due) = recorder.journal.due_in() {
        assert!(due <= Duration::from_secs(1));
        std::thread::sleep(due);
        recorder.journal.sync_if_due().unwrap();
        waits += 1;
        assert_eq!(text(&replay(home.path(), "t").screen), "shown");
    }
    assert!((1..=2).contains(&waits), "{waits}");
}

/// How many times a process is killed; issue 4 asks for 300.
fn kills() -> usize {
    let wanted = std::env::var("TERMINAL_SESSION_KILLS");
    wanted.ok().and_then(|count| count.parse().ok()).unwrap_or(25)
}

#[test]
fn nothing_is_lost_or_doubled_when_the_recorder_is_killed() {
    for round in 0..kills() {
        let home = Home::new();
        let mut command = driver("journal::killed_recorder", home.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let said = |line: Result<String, _>| {
            line.ok().and_then(|line| line.rsplit_once("ack ")?.1.parse().ok())
        };
        let mut acknowledgements = stdout.lines().filter_map(said);
        // The process goes on while it is killed; what it says until its end counts.
        let early = acknowledgements.nth(round * 37 % 300);
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged: usize = acknowledgements.last().or(early).unwrap();
        recover(&codex_home(home.path()), &terminal("t"), &OnWait::default());
        let texts = block_texts(home.path(), "t");
        let lines: Vec<_> = texts.iter().flat_map(|text| text.lines()).collect();
        for (number, line) in lines.iter().enumerate() {
            let want = format!("line {number} of the recorder");
            // The last one may be cut off.
            let is_last = number + 1 == lines.len();
            assert!(*line == want || is_last && want.starts_with(line), "{line} for {want}");
        }
        assert!(lines.len() > acknowledged, "{} of {acknowledged}", lines.len());
        assert!(journal_files(home.path(), "t").is_empty());
    }
}

#[test]
#[ignore = "is run by another test as a process of its own"]
fn killed_recorder() {
    let Some(home) = in_driver() else { return };
    let mut recorder = Recorder::with_limit(&home, "t", 1 << 20);
    for number in 0.. {
        recorder.show(format!("line {number} of the recorder\r\n"));
        if number % 7 == 0 {
            recorder.journal.flush().unwrap();
            println!("ack {number}");
        }
        if number % 450 == 449 {
            recorder.freeze();
        }
        recorder.journal.sync_if_due().unwrap();
    }
}

#[test]
fn what_fits_is_kept_on_a_full_disk() {
    let home = Home::new();
    // A file system of its own, which an ordinary user may make in some places only.
    let mount = "mount -t tmpfs -o size=256k none \"$TERMINAL_SESSION_TEST_FOLDER\"";
    let mut driver = driver("journal::recorder_on_a_full_disk", home.path());
    let mut shell = std::process::Command::new("unshare");
    shell.args(["-Urm", "sh", "-c", &format!("{mount} || exit 77; exec \"$@\""), "sh"]);
    shell.arg(driver.get_program()).args(driver.get_args());
    shell.envs(driver.get_envs().filter_map(|(key, value)| Some((key, value?))));
    driver.env_clear();
    match shell.output() {
        Ok(output) if output.status.success() => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.contains("1 passed"), "{said}");
        }
        Ok(output) if output.status.code() == Some(101) => {
            panic!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        other => skipped(&format!("no file system of its own can be made ({other:?})")),
    }
}

#[test]
#[ignore = "is run by another test as a process of its own"]
fn recorder_on_a_full_disk() {
    let Some(home) = in_driver() else { return };
    let folder = session_folder(&home, "t");
    let mut journal = Journal::create(&folder, &header("t"), LIMIT).unwrap();
    let mut failures = 0;
    let mut written = 0;
    for number in 0..20_000 {
        let line = format!("line {number}\r\n");
        written += line.len();
        failures += u32::from(journal.output(line.as_bytes()).is_err());
    }
    failures += u32::from(journal.flush().is_err());
    assert!(failures > 0, "the disk was not full");
    let dropped = journal.dropped();
    let held = |replayed: &Replayed| -> usize {
        text(&replayed.screen).lines().map(|line| line.len() + 2).sum()
    };
    let kept = held(&replay(&home, "t"));
    assert!(kept > 100 << 10, "{kept}");
    assert!(dropped.bytes as usize + kept >= written, "{dropped:?} {kept} {written}");
    // Room again: the journal goes on, and says what it lacks.
    fs::write(home.join("filler"), "").unwrap();
    let text_before = text(&replay(&home, "t").screen);
    journal.frozen("").unwrap();
    journal.output(b"after").unwrap();
    journal.flush().unwrap();
    assert_eq!(journal.dropped(), Dropped::default());
    assert_eq!(text(&replay(&home, "t").screen), "after");
    assert!(text_before.starts_with("line 0\nline 1\n"));
    // Full again, with the journal small: whole events stay, and the count survives a crash.
    let filler = home.join("filler");
    let mut size = 1 << 20;
    while size > 1 {
        let data = vec![0; size];
        let mut all = fs::read(&filler).unwrap();
        all.extend(data);
        if fs::write(&filler, &all).is_err() {
            size /= 2;
        }
    }
    let lost = "x".repeat(60_000);
    assert!(journal.output(lost.as_bytes()).and(journal.flush()).is_err());
    fs::remove_file(&filler).unwrap();
    let lost = journal.dropped();
    assert!(lost.events > 0 && lost.bytes > 0);
    journal.output(b"\r\nend").unwrap();
    drop(journal);
    let replayed = replay(&home, "t");
    assert_eq!(replayed.dropped, lost);
    assert!(text(&replayed.screen).ends_with("end"));
}

#[test]
fn a_reader_of_a_busy_journal_sees_one_moment_of_it() {
    let home = Home::new();
    let recorder = Recorder::with_limit(home.path(), "t", 1);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut recorder = recorder;
            for number in 0..30_000 {
                recorder.show(format!("line {number} of very many lines\r\n"));
                if number % 20 == 0 {
                    recorder.journal.flush().unwrap();
                }
                // A freeze without its block, which takes the disk too long for this.
                if number % 5_000 == 4_999 {
                    recorder.journal.frozen("").unwrap();
                }
            }
            is_done.store(true, Ordering::Relaxed);
            drop(recorder);
        });
        let mut seen = 0;
        while !is_done.load(Ordering::Relaxed) {
            let replayed = replay(home.path(), "t");
            // The line that was just being written.
            assert!(replayed.damaged_lines <= 1, "{} damaged lines", replayed.damaged_lines);
            let found = text(&replayed.screen);
            let number = |line: &str| line.split(' ').nth(1).unwrap().parse::<u32>().unwrap();
            // The first line may have been cut where older output was dropped, the last one where
            // it was just being written.
            let whole: Vec<_> = found.lines().filter(|line| line.ends_with("many lines")).collect();
            let whole: Vec<_> = whole.iter().filter(|line| line.starts_with("line ")).collect();
            for pair in whole.windows(2) {
                assert_eq!(number(pair[0]) + 1, number(pair[1]));
            }
            seen += usize::from(whole.len() > 2);
        }
        assert!(seen > 0);
    });
}

#[test]
fn the_lock_is_let_go_with_the_recorder() {
    let home = Home::new();
    let recorder = Recorder::start(home.path(), "t");
    let journals = find_journals(&session_folder(home.path(), "t")).unwrap();
    assert!(matches!(journals[0].lock().unwrap(), Locking::InUse));
    drop(recorder);
    // A process that another test is about to start may have copies of this one's descriptors.
    let dead = loop {
        match journals[0].lock().unwrap() {
            Locking::Dead(dead) => break dead,
            Locking::InUse => std::thread::yield_now(),
            Locking::Gone => panic!("nobody removed it"),
        }
    };
    assert!(matches!(journals[0].lock().unwrap(), Locking::InUse));
    dead.remove().unwrap();
    assert!(matches!(journals[0].lock().unwrap(), Locking::Gone));
}
