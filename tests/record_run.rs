//! `terminal-session-record run`: what a program shows is in blocks afterwards, all of it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Map, Value};
use terminal_session::screen::Size;

use crate::support::recording::{Recorder, block_texts};
use crate::support::{
    BLOCKS, Home, KilledAtEnd, Outer, RECORD, Run, accepted, command, finish, skipped,
};

const SIZE: Size = Size { cols: 80, rows: 24 };

/// `run` with these arguments on the terminal `t`, without a terminal to look on.
fn recorder(home: &Home, args: &[&str]) -> Command {
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap());
    program.args(["run", "--headless", "--terminal-id", "t", "--session-id", "s"]).args(args);
    program
}

fn record(home: &Home, args: &[&str]) -> Run {
    finish(&mut recorder(home, args))
}

/// The same with something on stdin.
fn record_with_input(home: &Home, args: &[&str], input: &str) -> Run {
    let mut program = recorder(home, args);
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn folder(home: &Home) -> PathBuf {
    home.path().join("codex-deck/terminal/sessions/t")
}

fn blocks(home: &Home) -> Vec<Map<String, Value>> {
    accepted(&folder(home))
}

/// The text of a block without its header.
fn text(home: &Home, block: &str) -> String {
    let shown = home.run(BLOCKS, &["t", block]).ok();
    let (_, text) = shown.split_once("\n\n").unwrap();
    text.trim_end().to_owned()
}

/// All output events of an asciicast, joined.
fn cast_output(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let events = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter(|event| event[1] == "o")
        .map(|event| event[2].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_command_is_one_block_that_says_what_it_was() {
    let home = Home::new();
    let run = record(&home, &["--", "sh", "-c", "echo out; echo err >&2; exit 3"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stdout, "", "what the program prints is recorded, not shown");
    let blocks = blocks(&home);
    let id = blocks[0]["blockId"].as_str().unwrap();
    let want = format!(
        "note: recording terminal t\nnote: terminal t\nnote: blocks {id}\nnote: read it with: terminal-session-summary t\n"
    );
    assert_eq!(run.stderr, want);
    assert_eq!(text(&home, "1"), "out\nerr");
    assert_eq!(blocks[0]["command"], "sh -c 'echo out; echo err >&2; exit 3'");
    assert_eq!(blocks[0]["exitCode"], 3);
    assert_eq!(blocks[0]["cwd"], std::env::current_dir().unwrap().to_str().unwrap());
    assert_eq!(blocks[0]["sessionId"], "s");
    assert!(blocks[0]["startedAt"].as_str() <= blocks[0]["endedAt"].as_str());
    assert!(!folder(&home).join("journal").exists(), "a clean end leaves no journal");
    let names = fs::read_dir(folder(&home)).unwrap().count();
    assert_eq!(names, 3, "session.json, session.lock and blocks");
}

#[test]
fn exit_codes_tell_our_failures_from_the_programs() {
    let home = Home::new();
    let quiet = |args: &[&str]| record(&home, &[&["-q"], args].concat());
    assert_eq!(quiet(&["--", "false"]).ok(), "");
    quiet(&["--return", "--", "sh", "-c", "exit 7"]).code_is(7);
    quiet(&["--return", "--", "sh", "-c", "kill -9 $$"]).code_is(137);
    let not_found = quiet(&["--return", "--", "no-such-program"]).fails(127);
    assert_eq!(not_found, "error: cannot run no-such-program: No such file or directory\n");
    let empty = quiet(&["--return", "--", ""]).fails(127);
    assert_eq!(empty, "error: cannot run '': No such file or directory\n");
    assert_eq!(quiet(&["--return", "--", "/etc/passwd"]).fails(126).lines().count(), 1);
    let folder = quiet(&["--return", "--cwd", "/no/such", "--", "true"]).fails(125);
    assert_eq!(folder, "error: cannot enter folder /no/such: No such file or directory\n");
    assert!(quiet(&["--cwd", "/etc/passwd", "--", "true"]).fails(1).contains("Not a directory"));
    assert!(quiet(&["--", "no-such-program"]).fails(1).contains("no-such-program"));
}

#[test]
fn a_program_that_does_not_start_leaves_nothing() {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    record(&home, &["--cast", cast.to_str().unwrap(), "--", "no-such-program"]).fails(1);
    assert!(!cast.exists());
    assert!(!folder(&home).exists());
}

#[test]
fn a_silent_program_has_a_block_too() {
    let home = Home::new();
    let run = record(&home, &["--json", "-q", "--", "true"]).json();
    assert_eq!(run["terminalId"], "t");
    assert_eq!(run["sessionId"], "s");
    assert_eq!(run["exitCode"], 0);
    assert_eq!(run["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(run["read"], "terminal-session-summary t");
    assert_eq!(blocks(&home)[0]["command"], "true");
    assert_eq!(text(&home, "1"), "");
}

#[test]
fn the_program_has_a_terminal_of_its_own_and_nothing_else() {
    let home = Home::new();
    let script = "tty; stty size; ps -o sid=,pgid=,tpgid= -p $$ | tr -s ' ' '\\n' | grep . | sort -u | wc -l; \
        ls /proc/self/fd | tr '\\n' ' '; echo; echo $TERM $COLUMNS $TMUX $A; pwd; \
        grep -E '^Sig(Blk|Ign)' /proc/self/status";
    let mut program = recorder(
        &home,
        &["-q", "--size", "100x", "--env", "A=b c", "--cwd", "/", "--", "sh", "-c", script],
    );
    program.env("COLUMNS", "7").env("TMUX", "x").env("TERM", "dumb");
    // As after `nohup` and in the background of a script; and a descriptor that is open here.
    let wrapped = "trap '' HUP INT QUIT PIPE; exec 7</dev/null; exec \"$@\"";
    let mut outer = command("sh");
    outer.args(["-c", wrapped, "sh"]).arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        outer.env(name, value.unwrap());
    }
    finish(&mut outer).ok();
    let text = text(&home, "1");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("/dev/pts/"), "{text}");
    assert_eq!(lines[1], "24 100", "{text}");
    // Session, group and foreground group are the program's.
    assert_eq!(lines[2], "1", "{text}");
    // A shell has more open, and blocks signals, for moments; so these are its children's. The last
    // one is the folder that `ls` reads.
    assert_eq!(lines[3], "0 1 2 3", "{text}");
    assert_eq!(lines[4], "xterm-256color b c", "{text}");
    assert_eq!(lines[5], "/", "{text}");
    for signals in &lines[6..8] {
        // From 32 on they are the C library's own.
        let set = u64::from_str_radix(signals.split_whitespace().last().unwrap(), 16).unwrap();
        assert_eq!(set & 0x7fff_ffff, 0, "{text}");
    }
    assert_eq!(blocks(&home)[0]["cols"], 100);
}

#[test]
fn signals_that_were_ignored_before_are_ignored() {
    let home = Home::new();
    for name in ["HUP", "INT", "QUIT", "TERM", "TSTP"] {
        let script = format!("kill -{name} $PPID; echo still there");
        let program = recorder(&home, &["-q", "--", "sh", "-c", &script]);
        let wrapped = format!("trap '' {name}; exec \"$@\"");
        let mut outer = command("sh");
        outer.args(["-c", &wrapped, "sh"]).arg(program.get_program()).args(program.get_args());
        outer.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        finish(&mut outer).ok();
        assert_eq!(text(&home, "last"), "still there", "{name}");
    }
}

#[test]
fn stdin_and_its_end_reach_the_program() {
    let home = Home::new();
    record_with_input(&home, &["-q", "--", "cat"], "one\ntwo").ok();
    assert_eq!(text(&home, "1").matches("one").count(), 2, "typed and printed");
    assert!(text(&home, "1").contains("two"));
    // Two programs after each other both see the end.
    record_with_input(&home, &["-q", "--", "sh", "-c", "cat; cat; echo done"], "x\n").ok();
    assert!(text(&home, "2").ends_with("done"));
    // And a shell ends, though it takes keys and not lines.
    record_with_input(&home, &["-q", "--", "bash", "--norc"], "echo $((40+2))\n").ok();
    assert!(text(&home, "3").contains("\n42\n"));
}

#[test]
fn lines_that_are_too_long_for_a_terminal_arrive_whole() {
    let home = Home::new();
    let long = "x".repeat(20_000);
    let script = "stty -echo; echo ready; cat | tr -d '\\n' | wc -c";
    record_with_input(&home, &["-q", "--", "sh", "-c", script], &format!("{long}\nab\n{long}"))
        .ok();
    assert!(text(&home, "1").ends_with("40002"), "{}", text(&home, "1"));
}

#[test]
fn queries_are_answered_where_nobody_looks_on() {
    let home = Home::new();
    let script = "stty raw -echo; printf '\\033[c'; dd bs=1 count=7 2>/dev/null | od -An -c; \
        stty sane";
    record(&home, &["-q", "--", "sh", "-c", script]).ok();
    assert!(text(&home, "1").contains("033   [   ?   1   ;   2   c"), "{}", text(&home, "1"));
}

fn printf_is_byte_exact(runs: usize) {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    for _ in 0..runs {
        let cast_arg = cast.to_str().unwrap();
        record(&home, &["-q", "--overwrite", "--cast", cast_arg, "--", "printf", "x"]).ok();
        assert_eq!(cast_output(&cast), "x");
        fs::remove_dir_all(folder(&home)).unwrap();
    }
}

fn bursts_are_byte_exact(runs: usize) {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    let file = home.path().join("burst.txt");
    // 2 MiB of lines that are all different, so that nothing can be lost unseen.
    let lines: String = (0..2 * 32 * 1024).map(|n| format!("{n:031}\n")).collect();
    assert_eq!(lines.len(), 2 << 20);
    fs::write(&file, &lines).unwrap();
    let want = lines.replace('\n', "\r\n");
    let tail: Vec<_> = lines.lines().skip(2 * 32 * 1024 - 10_000).collect();
    for run in 0..runs {
        let cast_arg = cast.to_str().unwrap();
        let args = ["-q", "--overwrite", "--cast", cast_arg, "--", "cat", file.to_str().unwrap()];
        record(&home, &args).ok();
        assert!(cast_output(&cast) == want, "run {run}");
        if run == 0 {
            assert!(text(&home, "1").ends_with(&tail.join("\n")));
            // 24 rows with the cursor in the last, empty one, and 10,000 above.
            assert_eq!(blocks(&home)[0]["droppedRows"], 65_536 - 10_000 - 23);
        }
        fs::remove_dir_all(folder(&home)).unwrap();
    }
}

#[test]
fn nothing_is_lost_at_the_end() {
    printf_is_byte_exact(40);
    bursts_are_byte_exact(4);
}

#[test]
#[ignore = "takes minutes; the same with more runs"]
fn nothing_is_lost_at_the_end_of_very_many() {
    printf_is_byte_exact(1000);
    bursts_are_byte_exact(200);
}

#[test]
fn an_unlimited_history_is_all_there() {
    let home = Home::new();
    record(&home, &["-q", "--scrollback", "unlimited", "--", "seq", "40000"]).ok();
    let want: Vec<_> = (1..=40_000).map(|n| n.to_string()).collect();
    assert_eq!(text(&home, "1"), want.join("\n"));
    let block = &blocks(&home)[0];
    assert!(!block.contains_key("droppedRows"));
    record(&home, &["-q", "--scrollback", "5", "--", "seq", "40"]).ok();
    assert_eq!(text(&home, "2"), want[40 - 5 - 23..40].join("\n"));
    assert_eq!(blocks(&home)[1]["droppedRows"], 12);
}

#[test]
fn characters_are_whole_however_reads_cut_them() {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    let file = home.path().join("text.txt");
    fs::write(&file, "é漢😀".repeat(20_000)).unwrap();
    let args = ["-q", "--cast", cast.to_str().unwrap(), "--", "cat", file.to_str().unwrap()];
    record(&home, &args).ok();
    assert_eq!(cast_output(&cast), "é漢😀".repeat(20_000));
    assert!(!text(&home, "1").contains('\u{fffd}'));
}

#[test]
fn a_process_that_keeps_the_terminal_is_named_and_not_waited_for() {
    let home = Home::new();
    let pid_file = home.path().join("pid");
    let script = "trap '' HUP; (sleep 0.05; echo late; exec sleep 61.7) & echo $! >\"$0\"; exit 5";
    let _killed = KilledAtEnd::named_in(&pid_file);
    let run = record(&home, &["--json", "--", "sh", "-c", script, pid_file.to_str().unwrap()]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["exitCode"], 5);
    let holder = &json["holders"][0];
    assert_eq!(holder["name"], "sleep");
    assert!(run.stderr.contains("\nnote: still in the terminal, no longer recorded: sleep ("));
    assert_eq!(text(&home, "1"), "late");
    let pid = holder["pid"].to_string();
    assert!(Command::new("kill").arg(&pid).status().unwrap().success());
}

#[test]
fn an_endless_printer_does_not_hold_the_end() {
    let home = Home::new();
    let work = tempfile::tempdir().unwrap();
    let script = "trap '' HUP; (while [ -d \"$0\" ]; do echo more; sleep 0.02; done) & exit 0";
    record(&home, &["-q", "--", "sh", "-c", script, work.path().to_str().unwrap()]).ok();
    // It could not print once the terminal was gone.
    assert!(text(&home, "1").contains("more"));
}

#[test]
fn a_recording_in_a_recording_is_refused() {
    let home = Home::new();
    let mut inner = recorder(&home, &["-q", "--", "true"]);
    inner.env("TERMINAL_SESSION_RECORD", "outer-one");
    let error = finish(&mut inner).fails(2);
    assert_eq!(
        error,
        "error: this is recorded already, as terminal outer-one; --force records it twice\n"
    );
    let mut forced = recorder(&home, &["-q", "--force", "--", "sh", "-c"]);
    forced.arg("echo $TERMINAL_SESSION_RECORD").env("TERMINAL_SESSION_RECORD", "outer-one");
    finish(&mut forced).ok();
    assert_eq!(text(&home, "1"), "t");
}

#[test]
fn every_so_often_skips_what_is_empty() {
    let home = Home::new();
    // The second half comes once the first is in a block, which the program can see.
    let script = "echo one; until ls \"$0\"/blocks/*.snapshot >/dev/null 2>&1; do sleep 0.05; \
        done; sleep 0.3; echo two";
    let folder_arg = folder(&home);
    let args =
        ["-q", "--freeze", "every=0.1", "--", "sh", "-c", script, folder_arg.to_str().unwrap()];
    record(&home, &args).ok();
    assert_eq!(blocks(&home).len(), 2);
    assert_eq!((text(&home, "1"), text(&home, "2")), ("one".to_owned(), "two".to_owned()));
}

#[test]
fn a_block_can_be_asked_for_from_outside() {
    let home = Home::new();
    let freeze = |home: &Home| {
        let mut program = command(RECORD);
        finish(program.env("CODEX_HOME", home.path()).args(["freeze", "t"]))
    };
    fs::create_dir_all(folder(&home)).unwrap();
    assert_eq!(freeze(&home).fails(1), "error: no recorder is running for terminal t\n");
    let mut recorder = Outer::start(
        RECORD,
        &["run", "-q", "--terminal-id", "t", "--", "sh", "-c", "echo one; read x; echo $x; read y"],
        &[("CODEX_HOME", home.path())],
        SIZE,
    );
    recorder.wait_for("one");
    let first = freeze(&home).ok();
    assert_eq!(blocks(&home)[0]["blockId"], first.trim_end());
    let empty = freeze(&home);
    assert_eq!(
        (empty.code, empty.stderr.as_str()),
        (0, "note: nothing was shown since the last block\n")
    );
    recorder.send("two\r").wait_for("two\r\ntwo").send("\r");
    assert!(recorder.end().1.success());
    assert_eq!(text(&home, "1"), "one");
    assert_eq!(text(&home, "2"), "two\ntwo");
    assert_eq!(freeze(&home).fails(1), "error: no recorder is running for terminal t\n");
}

#[test]
fn a_recording_is_found_before_its_first_block_and_from_inside() {
    let home = Home::new();
    let script = format!(
        "echo one; '{RECORD}' freeze >\"$0\"; echo two; echo ready >&2; read x; echo three; \
         '{RECORD}' freeze \"$TERMINAL_SESSION_RECORD\" >>\"$0\""
    );
    let ids = home.path().join("ids");
    let args = ["run", "--terminal-id", "term-1", "--", "sh", "-c", &script, ids.to_str().unwrap()];
    let mut recorder = Outer::start(RECORD, &args, &[("CODEX_HOME", home.path())], SIZE);
    recorder.wait_for("note: recording terminal term-1\r\n").wait_for("ready");
    let mut freeze = command(RECORD);
    let outside = finish(freeze.env("CODEX_HOME", home.path()).args(["freeze", "latest"])).ok();
    recorder.send("\r");
    assert!(recorder.end().1.success());
    let inside = fs::read_to_string(&ids).unwrap();
    let inside: Vec<_> = inside.lines().collect();
    let blocks = accepted(&home.path().join("codex-deck/terminal/sessions/term-1"));
    let found: Vec<_> = blocks.iter().map(|block| block["blockId"].as_str().unwrap()).collect();
    assert_eq!(found[..3], [inside[0], outside.trim_end(), inside[1]]);

    let mut freeze = command(RECORD);
    let error = finish(freeze.env("CODEX_HOME", home.path()).args(["freeze"])).fails(2);
    assert!(error.contains("not in a recording"), "{error}");
}

#[test]
fn the_start_is_noted_unless_it_is_to_be_quiet() {
    let home = Home::new();
    let run = record(&home, &["--", "true"]);
    assert!(run.stderr.starts_with("note: recording terminal t\n"), "{}", run.stderr);
    assert_eq!(record(&home, &["-q", "--", "true"]).ok(), "");
}

#[test]
fn a_missing_prompt_hook_has_a_reason() {
    let home = Home::new();
    for (words, want) in [
        (&["bash", "-c", "true"][..], "bash shows no prompt with these arguments"),
        (&["true"], "there is a prompt hook for bash, fish and zsh, and none for true"),
    ] {
        let run = record(&home, &[&["-q", "--freeze", "command", "--"], words].concat());
        let want = format!("warning: {want}, so its commands do not become blocks\n");
        assert_eq!((run.code, run.stderr), (0, want));
    }
}

#[test]
fn limits_and_ways_to_freeze_are_checked() {
    let home = Home::new();
    for limit in ["1", "63K", "65535", "x", "1TiB", "-1", ""] {
        record(&home, &["--journal-limit", limit, "--", "true"]).fails(2);
    }
    for limit in ["64K", "65536", "1 MiB"] {
        record(&home, &["-q", "--journal-limit", limit, "--", "true"]).ok();
    }
    for rows in ["-1", "many", ""] {
        let error = record(&home, &["--scrollback", rows, "--", "true"]).fails(2);
        assert!(error.contains("a number of rows, or unlimited"), "{error}");
    }
    for when in ["every", "every=", "every=0", "every=x", "every=-1", "never", ""] {
        record(&home, &["--freeze", when, "--", "true"]).fails(2);
    }
    let help = finish(command(RECORD).args(["run", "-h"])).ok();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[possible values: end, command, manual, every=]"), "{help}");
}

#[test]
fn the_hot_key_makes_a_block_and_is_not_typed() {
    let home = Home::new();
    let mut recorder = Outer::start(
        RECORD,
        &[
            "run",
            "-q",
            "--terminal-id",
            "t",
            "--freeze",
            "manual",
            "--",
            "sh",
            "-c",
            "stty -echo; echo one; read x; echo two $x",
        ],
        &[("CODEX_HOME", home.path())],
        SIZE,
    );
    recorder.wait_for("one");
    recorder.send("a\x1dsb\x1d\x1d\r").wait_for("two ab\x1d");
    assert!(recorder.end().1.success());
    assert_eq!(text(&home, "1"), "one");
    assert!(text(&home, "2").starts_with("two ab"));
}

#[test]
fn a_small_journal_knows_the_state_that_its_output_began_in() {
    let home = Home::new();
    // All of it on the alternate screen, far more than the journal keeps, and then no end; but not
    // before the journal has dropped most of it.
    let script = "printf '\\033[?1049h'; i=0; while [ $i -lt 9000 ]; do i=$((i + 1)); \
                  echo line $i of very many lines; done; \
                  until ls \"$0\"/journal | grep -q '\\.[3-9][0-9]\\.cast$'; do sleep 0.01; done; \
                  kill -9 $PPID";
    let session = folder(&home);
    let args =
        ["-q", "--journal-limit", "64K", "--", "sh", "-c", script, session.to_str().unwrap()];
    let killed = recorder(&home, &args).stdin(Stdio::null()).status();
    assert!(!killed.unwrap().success());
    let mut program = command(RECORD);
    let run = finish(program.env("CODEX_HOME", home.path()).args(["recover", "t"]));
    assert!(run.stderr.contains(" of output ("), "{}", run.stderr);
    let block = &blocks(&home)[0];
    assert_eq!(block["recovered"], true, "{block:?}");
    let text = text(&home, "1");
    // A screen of it, and no history. How far the recorder came is chance.
    assert!(text.starts_with("line ") && text.lines().count() <= 24, "{text}");
}

#[test]
fn a_session_folder_that_is_a_link_is_refused_before_the_program_starts() {
    let home = Home::new();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder(&home).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder(&home)).unwrap();
    let run = record(&home, &["-q", "--", "touch", elsewhere.path().join("x").to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("symbolic link"), "{}", run.stderr);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_cast_that_is_no_file_or_somebody_elses_is_refused() {
    let home = Home::new();
    let fifo = home.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for how in ["--append", "--overwrite"] {
        let run = record(&home, &["-q", "--cast", fifo.to_str().unwrap(), how, "--", "true"]);
        assert!(run.stderr.ends_with("it is not a regular file\n"), "{}", run.stderr);
    }
    let cast = home.path().join("x.cast");
    let file = fs::File::create(&cast).unwrap();
    file.lock().unwrap();
    let run = record(&home, &["-q", "--cast", cast.to_str().unwrap(), "--append", "--", "true"]);
    assert!(run.stderr.ends_with("another recorder writes it\n"), "{}", run.stderr);
}

#[test]
fn a_limit_for_files_is_like_a_full_disk() {
    let home = Home::new();
    let mut limited = command("bash");
    let script =
        format!("ulimit -f 1; exec '{RECORD}' run -q --headless --terminal-id t -- seq 9000");
    let run = finish(limited.env("CODEX_HOME", home.path()).args(["-c", &script]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("File too large"), "{}", run.stderr);
}

#[test]
fn a_cast_is_the_users_own() {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    record(&home, &["-q", "--cast", cast.to_str().unwrap(), "--", "true"]).ok();
    assert_eq!(fs::metadata(&cast).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_runs_in_the_terminal_ends_with_the_recorder_and_nothing_else() {
    let home = Home::new();
    // Neither job ends by itself at a hangup; the second one has a session of its own.
    let script = "set -m; nohup sh -c 'trap \"\" HUP TERM; echo $$ >inside; sleep 61.3' & \
                  setsid sh -c 'echo $$ >outside; sleep 61.4' & \
                  while [ ! -s inside ] || [ ! -s outside ]; do sleep 0.01; done; \
                  kill -TERM $PPID; sleep 61.5";
    let work = tempfile::tempdir().unwrap();
    let _killed = ["inside", "outside"].map(|name| KilledAtEnd::named_in(&work.path().join(name)));
    let work = work.path().to_str().unwrap();
    let run = record(&home, &["--cwd", work, "--", "sh", "-c", script]);
    assert_eq!(run.code, 143, "{}", run.stderr);
    let pid = |name: &str| -> String {
        fs::read_to_string(format!("{work}/{name}")).unwrap().trim().to_owned()
    };
    let is_there = |pid: &str| Path::new("/proc").join(pid).exists();
    let (inside, outside) = (pid("inside"), pid("outside"));
    assert!(!is_there(&inside) || is_zombie(&inside));
    assert!(is_there(&outside));
    let killed = Command::new("kill").arg("--").arg(format!("-{outside}")).status();
    assert!(killed.unwrap().success());
}

/// Whether a process has ended and nobody has noticed.
fn is_zombie(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
}

/// A terminal's folder, locked as by another program.
fn locked(home: &Home, terminal: &str) -> fs::File {
    let lock = fs::File::create(home.folder(terminal).join("session.lock")).unwrap();
    lock.lock().unwrap();
    lock
}

/// Whether a process has no children.
fn is_childless(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap().is_empty()
}

fn send(signal: &str, pid: u32) {
    let sent = Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_wait_for_another_program_can_be_ended() {
    // The last block waits; and so much is shown that all of it waits for an earlier block.
    for (freeze, script) in [("end", "echo 1"), ("every=0.01", "seq 1000000")] {
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let home = Home::new();
            let lock = locked(&home, "t");
            let mut program = recorder(&home, &["--freeze", freeze, "--", "sh", "-c", script]);
            let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
            let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
            assert!(said.any(|line| line.contains("a block waits for another program")));
            if !is_childless(child.id()) {
                // This one is for the program.
                send(signal, child.id());
            }
            while !is_childless(child.id()) {
                std::thread::yield_now();
            }
            send(signal, child.id());
            assert_eq!(child.wait().unwrap().code(), Some(code), "{freeze} {signal}");
            let said: Vec<_> = said.collect();
            let errors: Vec<_> = said.iter().filter(|line| line.starts_with("error: ")).collect();
            assert!(
                errors.len() == 1 && errors[0].ends_with("session.lock: another program holds it"),
                "{said:?}"
            );
            assert!(said.iter().any(|line| line.ends_with("terminal-session-record recover t")));
            // All of it is in the journal.
            drop(lock);
            let mut recover = command(RECORD);
            finish(recover.env("CODEX_HOME", home.path()).args(["recover", "-q", "t"])).ok();
            let text = text(&home, "1");
            let numbers: Vec<u64> = text.lines().map_while(|line| line.parse().ok()).collect();
            assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{freeze} {signal}");
            let dropped = blocks(&home)[0].get("droppedRows").and_then(Value::as_u64);
            assert_eq!(numbers[0], dropped.unwrap_or(0) + 1, "{freeze} {signal}");
        }
    }
}

#[test]
fn a_recorder_that_cannot_go_on_says_so_and_ends() {
    let home = Home::new();
    // With so few descriptors the system lets nobody wait for more of them.
    let script = "echo one; prlimit --version >/dev/null || exit 77; \
                  prlimit --pid $PPID --nofile=2:2; echo two; read x";
    let run = record(&home, &["-q", "--return", "--", "sh", "-c", script]);
    if run.code == 77 {
        skipped("prlimit is not installed");
        return;
    }
    assert_eq!(run.fails(125), "error: cannot wait for the program: Invalid argument\n");
    let mut recover = command(RECORD);
    finish(recover.env("CODEX_HOME", home.path()).args(["recover", "-q", "t"])).ok();
    assert!(text(&home, "1").starts_with("one"), "{}", text(&home, "1"));
}

#[test]
fn another_terminal_that_is_in_use_is_not_waited_for() {
    let home = Home::new();
    for name in ["dead", "t"] {
        let mut recorder = Recorder::start(home.path(), name);
        recorder.show("left");
        recorder.crash();
    }
    let lock = locked(&home, "dead");
    let run = record(&home, &["--return", "--", "echo", "new"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let path = folder(&home).with_file_name("dead").join("session.lock");
    let note = "note: cannot recover what a recorder of terminal dead left: cannot lock";
    let want = format!("\n{note} {}: another program holds it\n", path.display());
    // The one that is recorded in comes first.
    assert!(run.stderr.starts_with("note: recovered block "), "{}", run.stderr);
    assert!(run.stderr.contains(&want), "{}", run.stderr);
    assert_eq!((text(&home, "1"), text(&home, "2")), ("left".to_owned(), "new".to_owned()));
    drop(lock);
    record(&home, &["-q", "--", "true"]).ok();
    assert_eq!(block_texts(home.path(), "dead"), ["left"]);
}

#[test]
fn a_recorder_in_the_background_leaves_the_keyboard_alone() {
    let home = Home::new();
    let go = home.path().join("go");
    // Nobody else reads the line either, so that it is there for whoever dares.
    let script = "set -m; \"$0\" run -q --headless --terminal-id t -- sh -c \
        'echo in; until [ -e \"$0\" ]; do sleep 0.05; done; echo out' \"$1\" & \
        until ls \"$2\"/journal/*.cast >/dev/null 2>&1; do sleep 0.05; done; echo ready; wait $!; \
        echo \"code $?\"";
    let folder = folder(&home);
    let args = ["-c", script, RECORD, go.to_str().unwrap(), folder.to_str().unwrap()];
    let mut shell = Outer::start("sh", &args, &[("CODEX_HOME", home.path())], SIZE);
    shell.wait_for("ready").send("for nobody\r").wait_for("for nobody");
    fs::write(&go, "").unwrap();
    shell.wait_for("code 0");
    shell.end();
    assert_eq!(text(&home, "1"), "in\nout");
}

#[test]
fn a_mark_survives_a_stall_of_the_recorder() {
    let home = Home::new();
    let lock = locked(&home, "t");
    let progress = home.path().join("progress");
    // Nearly all that is printed is marks, so one is cut wherever the recorder stalls.
    let script = format!(
        "for i in $(seq 300); do printf 'x\\033]7717;Z;%03000d\\007'; echo $i >'{}'; done; exit\n",
        progress.display()
    );
    let cast = home.path().join("x.cast");
    let cast_arg = cast.to_str().unwrap();
    let args = ["--freeze", "command,every=0.01", "--cast", cast_arg, "--", "bash"];
    let mut program = recorder(&home, &args);
    program.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(script.as_bytes()).unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.contains("a block waits for another program")));
    // Once the program is held up, it has to be for longer than a mark is waited for. That is what
    // makes the test see something; it holds however long it is.
    let mut last = String::new();
    loop {
        std::thread::sleep(Duration::from_millis(400));
        let now = fs::read_to_string(&progress).unwrap_or_default();
        if !now.is_empty() && now == last {
            break;
        }
        last = now;
    }
    drop(lock);
    drop(keys);
    assert!(child.wait().unwrap().success());
    let shown = cast_output(&cast);
    assert!(shown.contains("xxx") && !shown.contains("7717;Z;0"), "a mark was let through");
}

#[test]
fn a_person_can_end_a_wait_for_another_program() {
    let home = Home::new();
    let lock = locked(&home, "t");
    let args = ["run", "--terminal-id", "t", "--", "echo", "one"];
    let mut recorder = Outer::start(RECORD, &args, &[("CODEX_HOME", home.path())], SIZE);
    recorder.wait_for("a block waits for another program");
    // Ctrl-C is a key for the program until the recorder has waited for a while, which shows only in
    // what the key does.
    while recorder.is_running() {
        recorder.send("\x03");
    }
    let (shown, status) = recorder.end();
    assert_eq!(status.code(), Some(130), "{shown}");
    drop(lock);
}

#[test]
fn the_persons_terminal_is_as_before_after_every_end() {
    for end in ["exit", "kill -TERM $PPID; sleep 9", "kill -HUP $PPID; sleep 9"] {
        let home = Home::new();
        let script = format!("printf '\\033[?1049h\\033[?2004h\\033[?1000hready'; read x; {end}");
        let mut shell = Outer::start(
            "sh",
            &[
                "-c",
                "stty -g; \"$@\"; echo \"code $?\"; stty -g",
                "sh",
                RECORD,
                "run",
                "-q",
                "--terminal-id",
                "t",
                "--",
                "sh",
                "-c",
                &script,
            ],
            &[("CODEX_HOME", home.path())],
            SIZE,
        );
        shell.wait_for("ready").send("\r").wait_for("code ");
        let (shown, _) = shell.end();
        let settings: Vec<_> = shown.lines().filter(|line| line.contains(":bf:")).collect();
        let settings: Vec<_> = settings
            .iter()
            .map(|line| &line[line.find(|c: char| c.is_ascii_hexdigit()).unwrap()..])
            .collect();
        assert_eq!(settings.len(), 2, "{shown}");
        assert_eq!(settings[0], settings[1], "{shown}");
        let after = &shown[shown.find("ready").unwrap()..];
        for off in ["\x1b[?1049l", "\x1b[?2004l", "\x1b[?1000l"] {
            assert!(after.contains(off), "{end}: {after:?}");
        }
        let code = match end.split(' ').nth(1) {
            Some("-TERM") => "code 143",
            Some("-HUP") => "code 129",
            _ => "code 0",
        };
        assert!(after.contains(code), "{end}: {after:?}");
        assert_eq!(blocks(&home).len(), 1, "{end}");
    }
}

#[test]
fn sizes_follow_the_persons_terminal() {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    // A read that is over keeps what it has of a line.
    let mut recorder = Outer::start(
        RECORD,
        &[
            "run",
            "-q",
            "--terminal-id",
            "t",
            "--cast",
            cast.to_str().unwrap(),
            "--",
            "bash",
            "-c",
            "trap 'stty size' WINCH; stty size; \
             while [[ $all != *end ]]; do read -r -t 0.05 x; all+=$x; done",
        ],
        &[("CODEX_HOME", home.path())],
        SIZE,
    );
    recorder.wait_for("24 80");
    recorder.resize(Size { cols: 100, rows: 30 });
    recorder.wait_for("30 100");
    for cols in 101..=120 {
        recorder.resize(Size { cols, rows: 31 });
    }
    // The last of them counts, however many there were in between.
    recorder.wait_for("31 120").send("end\r");
    assert!(recorder.end().1.success());
    let block = &blocks(&home)[0];
    assert_eq!((&block["cols"], &block["rows"]), (&120.into(), &31.into()));
    let cast = fs::read_to_string(&cast).unwrap();
    assert!(cast.contains("\"r\", \"100x30\""), "{cast}");
    assert!(cast.contains("\"r\", \"120x31\""), "{cast}");
}

#[test]
fn casts_are_refused_continued_or_replaced() {
    let home = Home::new();
    let cast = home.path().join("x.cast");
    let path = cast.to_str().unwrap();
    let args = ["-q", "--cast", path, "--cast-format", "v2", "--title", "T", "--", "echo", "one"];
    record(&home, &args).ok();
    let header: Value =
        serde_json::from_str(fs::read_to_string(&cast).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!((&header["version"], &header["title"]), (&2.into(), &"T".into()));
    assert_eq!(header["command"], "echo one");
    let error = record(&home, &args).fails(1);
    assert!(error.contains("it exists; --append and --overwrite"), "{error}");
    record(&home, &["-q", "--cast", path, "--append", "--", "echo", "two"]).ok();
    assert_eq!(cast_output(&cast), "one\r\ntwo\r\n");
    record(&home, &["-q", "--cast", path, "--overwrite", "--", "sh", "-c", "exit 4"]).ok();
    assert!(fs::read_to_string(&cast).unwrap().ends_with("\"x\", \"4\"]\n"));
    for wrong in [&["--append", "--", "true"][..], &["--freeze", "never", "--", "true"]] {
        record(&home, wrong).fails(2);
    }
}

/// All that is under a folder, joined.
fn everything(folder: &Path) -> Vec<u8> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    files.filter(|file| file.file_type().is_file()).fold(Vec::new(), |mut all, file| {
        all.extend(fs::read(file.path()).unwrap());
        all
    })
}

#[test]
fn a_password_is_in_no_file() {
    for capture in [&[][..], &["--capture-input"]] {
        let home = Home::new();
        let cast = home.path().join("x.cast");
        let mut args = vec!["run", "-q", "--terminal-id", "t", "--cast", cast.to_str().unwrap()];
        args.extend(capture);
        args.extend([
            "--",
            "bash",
            "-c",
            "read -p 'name? ' n; read -s -p 'password? ' p; echo; \
            echo \"$n, ${#p} characters\"; read -p 'more? ' m",
        ]);
        let mut recorder = Outer::start(RECORD, &args, &[("CODEX_HOME", home.path())], SIZE);
        recorder.wait_for("name? ").send("alice\r").wait_for("password? ");
        recorder.send("hunter2-secret\r").wait_for("alice, 14 characters");
        // While it runs nothing is there either.
        assert!(memchr::memmem::find(&everything(home.path()), b"hunter2").is_none());
        recorder.wait_for("more? ").send("no\r");
        assert!(recorder.end().1.success());
        let all = everything(home.path());
        assert!(memchr::memmem::find(&all, b"hunter2").is_none());
        assert!(memchr::memmem::find(&all, b"alice").is_some());
        let inputs = fs::read_to_string(&cast).unwrap().matches("\"i\"").count();
        assert_eq!(inputs > 0, !capture.is_empty());
    }
}

#[test]
fn a_home_that_cannot_be_written_is_said_before_the_program_starts() {
    let home = Home::new();
    let file = home.path().join("codex-deck");
    fs::write(&file, "").unwrap();
    let marker = home.path().join("started");
    let error = record(&home, &["--", "touch", marker.to_str().unwrap()]).fails(1);
    assert_eq!(error, format!("error: file, not a folder: {}\n", file.display()));
    assert!(!marker.exists());
}

#[test]
fn a_session_that_cannot_be_written_any_more_keeps_what_it_has() {
    let home = Home::new();
    // The program itself puts something in the way of the blocks.
    let script = "echo one; rm -rf \"$0\"/blocks; echo x > \"$0\"/blocks; echo two";
    let path = folder(&home);
    let args = ["--return", "--", "sh", "-c", script, path.to_str().unwrap()];
    let error = record(&home, &args).fails(125);
    assert!(error.contains("not a folder") && !error.contains("read it with"), "{error}");
    assert!(
        error.contains("to make a block of it: terminal-session-record recover t\n"),
        "{error}"
    );
    assert!(path.join("journal").is_dir(), "what was shown is still there");
    fs::remove_file(path.join("blocks")).unwrap();
    // The next recording of the terminal makes a block of it.
    let run = record(&home, &["--", "echo", "three"]);
    assert!(run.stderr.starts_with("note: recovered block "), "{}", run.stderr);
    assert_eq!(text(&home, "1"), "one\ntwo");
    assert_eq!(blocks(&home)[0]["recovered"], true);
    assert_eq!(text(&home, "2"), "three");
}

#[test]
fn the_socket_and_the_journal_are_the_users_alone() {
    let home = Home::new();
    let script = "stat -c '%a' \"$0\" \"$0\"/journal \"$0\"/journal/* \"$0\"/.record-*";
    let path = folder(&home);
    record(&home, &["-q", "--", "sh", "-c", script, path.to_str().unwrap()]).ok();
    assert_eq!(text(&home, "1"), "700\n700\n600\n600");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
}
