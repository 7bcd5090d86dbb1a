//! Recorders that are killed, stopped, or out of disk: what was shown is not lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use terminal_session::screen::Size;

use crate::support::{BLOCKS, Home, Outer, RECORD, accepted, command, finish, skipped};

const SIZE: Size = Size { cols: 80, rows: 24 };

fn folder(home: &Path) -> PathBuf {
    home.join("codex-deck/terminal/sessions/t")
}

/// All output of journals of a session, in their order; a line that is cut off counts for nothing.
fn journalled(home: &Path) -> String {
    let Ok(files) = fs::read_dir(folder(home).join("journal")) else {
        return String::new();
    };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let casts = files.iter().filter(|file| file.extension().is_some_and(|end| end == "cast"));
    let mut output = String::new();
    for cast in casts {
        for line in String::from_utf8_lossy(&fs::read(cast).unwrap()).lines().skip(1) {
            if let Ok(event) = serde_json::from_str::<Value>(line)
                && event[1] == "o"
            {
                output.push_str(event[2].as_str().unwrap());
            }
        }
    }
    output
}

/// The text of all blocks, a line each.
fn lines_of_blocks(home: &Home, count: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for block in 1..=count {
        let shown = home.run(BLOCKS, &["t", &block.to_string()]).ok();
        let (_, text) = shown.split_once("\n\n").unwrap();
        lines.extend(text.trim_end().lines().map(str::to_owned));
    }
    lines
}

/// Kills recorders at moments that differ, in the middle of a busy program and of freezes.
fn killed_recorders_lose_nothing(rounds: u64) {
    let mut checked = 0;
    for round in 0..rounds {
        let home = Home::new();
        let script = "n=0; while :; do n=$((n+1)); echo \"line $n\"; done";
        let mut recorder = command(RECORD);
        recorder.env("CODEX_HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap());
        recorder.args(["run", "--headless", "-q", "--terminal-id", "t", "--scrollback", "1000000"]);
        let mut recorder = recorder
            .args(["--freeze", "every=0.02", "--", "sh", "-c", script])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        // Every other one is past its first block, however slow the machine is.
        if round % 2 == 0 {
            while !folder(home.path()).join("session.json").exists() {
                assert!(recorder.try_wait().unwrap().is_none(), "round {round}");
                std::thread::yield_now();
            }
        }
        // The moment is what is tested, so this is no wait for anything.
        std::thread::sleep(Duration::from_micros(20_000 + round * 7919 % 150_000));
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        let left = journalled(home.path());

        let mut recover = command(RECORD);
        recover.env("CODEX_HOME", home.path()).args(["recover", "-q", "t"]);
        if folder(home.path()).is_dir() {
            let recovered = finish(&mut recover);
            assert_eq!(recovered.code, 0, "{recovered:?}");
        }
        if !folder(home.path()).join("session.json").exists() {
            assert_eq!(left, "", "round {round}");
            continue;
        }
        checked += 1;
        let blocks = accepted(&folder(home.path()));
        let lines = lines_of_blocks(&home, blocks.len());
        // The lines follow each other without a gap, and the last one that was journalled is there.
        // Where a block ends inside of a line, the next one goes on with it; the last line may be
        // cut anywhere.
        let all = lines.join("").replace("line", "\n");
        let numbers: Vec<_> = all.lines().skip(1).map(str::trim).collect();
        let (last, whole) = numbers.split_last().unwrap();
        for (index, number) in whole.iter().enumerate() {
            assert_eq!(*number, (index + 1).to_string(), "round {round}");
        }
        let next = numbers.len().to_string();
        let cut = last.trim_end_matches(|c: char| "lin ".contains(c));
        assert!(next.starts_with(cut), "round {round}: {last}, not {next}");
        // A block that was written just before may have more of that line than its journal.
        if let Some(last) = left.trim_end().lines().last() {
            assert!(lines.iter().any(|line| line.starts_with(last.trim_end())), "{last}");
        }
    }
    assert!(checked >= rounds.div_ceil(2), "{checked} of {rounds}");
}

#[test]
fn kill_9_loses_nothing() {
    killed_recorders_lose_nothing(10);
}

#[test]
#[ignore = "takes minutes; the same with more rounds"]
fn kill_9_loses_nothing_however_often() {
    killed_recorders_lose_nothing(300);
}

#[test]
fn a_stopped_recorder_gives_the_terminal_back_and_takes_it_again() {
    let home = Home::new();
    let script = format!(
        "stty -g; set -m; '{RECORD}' run -q --terminal-id t -- sh -c \
         'echo inside; while read x; do echo \"got $x\"; [ \"$x\" = end ] && break; done'; \
         echo back; stty -g; fg >/dev/null; echo over; stty -g"
    );
    let mut shell = Outer::start("bash", &["-c", &script], &[("CODEX_HOME", home.path())], SIZE);
    shell.wait_for("inside");
    let pid = child_of(shell.pid());
    let stop = Command::new("kill").args(["-TSTP", &pid]).status().unwrap();
    assert!(stop.success());
    shell.wait_for("back").send("end\r").wait_for("got end").wait_for("over");
    let (shown, status) = shell.end();
    assert!(status.success());
    let settings: Vec<_> = shown.lines().filter(|line| line.matches(':').count() > 20).collect();
    assert_eq!(settings.len(), 3, "{shown}");
    assert_eq!(settings[0], settings[1], "{shown}");
    assert_eq!(settings[0], settings[2], "{shown}");
    assert_eq!(accepted(&folder(home.path())).len(), 1);
}

#[test]
fn the_persons_terminal_is_as_before_however_a_recorder_was_stopped() {
    // A shell that does not look after the settings of the terminal itself. A read that is over keeps
    // what it has of a line.
    let script = format!(
        "stty -g; '{RECORD}' run -q --terminal-id t -- bash -c \
         'trap \"echo drawn again\" WINCH; echo inside; while [[ $all != *end ]]; do read -t 0.05 x; all+=$x; done'; \
         echo over; stty -g"
    );
    for signals in [&["TSTP", "CONT"][..], &["STOP", "CONT"], &["CONT"], &["CONT", "TSTP", "CONT"]]
    {
        let home = Home::new();
        let mut shell = Outer::start("sh", &["-c", &script], &[("CODEX_HOME", home.path())], SIZE);
        shell.wait_for("inside");
        let pid = child_of(shell.pid());
        for signal in signals {
            let sent = Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
            assert!(sent.success());
            if *signal == "CONT" {
                shell.wait_for("drawn again");
            } else {
                while !is_stopped(&pid) {
                    std::thread::yield_now();
                }
            }
        }
        shell.send("end\r").wait_for("over");
        let (shown, _) = shell.end();
        let settings: Vec<_> =
            shown.lines().filter(|line| line.matches(':').count() > 20).collect();
        assert_eq!(settings.len(), 2, "{shown}");
        assert_eq!(settings[0], settings[1], "{signals:?}: {shown}");
    }
}

fn is_stopped(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.starts_with('T')
}

fn child_of(pid: u32) -> String {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    children.split_whitespace().last().unwrap().to_owned()
}

#[test]
fn a_full_disk_is_said_once_and_what_fits_is_kept() {
    let place = tempfile::tempdir().unwrap();
    // A disk of its own that only this test sees.
    let script = "mount -t tmpfs -o size=512k none \"$1\" || exit 77; \
        CODEX_HOME=$1 \"$2\" run --headless --return --terminal-id t --freeze every=0.1 -- \
        sh -c 'echo first; until ls \"$0\"/codex-deck/terminal/sessions/t/blocks/*.snapshot \
        >/dev/null 2>&1; do sleep 0.05; done; seq 200000; sleep 0.5; echo done; exit 3' \"$1\"; \
        echo \"code $?\"; ls \"$1\"/codex-deck/terminal/sessions/t/blocks; \
        CODEX_HOME=$1 \"$3\" t 1";
    let mut unshare = command("unshare");
    unshare.env("PATH", std::env::var_os("PATH").unwrap()).args(["-rm", "sh", "-c", script, "sh"]);
    unshare.arg(place.path()).args([RECORD, BLOCKS]);
    let Ok(output) = unshare.output() else {
        skipped("unshare is not installed");
        return;
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !stdout.contains("code ") {
        skipped(&format!("no file system of its own here: {stderr}"));
        return;
    }
    // The blocks that were written are there, and the program ran to its end.
    assert!(stdout.contains("\nfirst\n"), "{stdout} {stderr}");
    let warnings = stderr.lines().filter(|line| line.starts_with("warning: ")).count();
    assert!((1..=2).contains(&warnings), "one for the journal, one for blocks: {stderr}");
    assert!(stderr.contains("No space left on device"), "{stderr}");
}
