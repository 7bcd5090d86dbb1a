//! Live terminals from their beginning to their end, and what is left of them: nothing.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal};
use serde_json::json;
use terminal_session::pty::{Process, process};

use crate::support::hosts::{
    answer, call, children, connect, descriptors, eventually, host, is_alive, kill, leader,
    processes_in, tree_of,
};
use crate::support::live::{
    Live, PATIENCE_MS, Term, assert_done, ended, has_note, output, reason, viewport,
};
use crate::support::{BLOCKS, LIST, LIVE, RECORD, command, finish};

fn bash(live: &Live) -> Term<'_> {
    live.open(&["--shell", "bash"])
}

/// The processes whose numbers a test's commands wrote into a file, as many as there are to be.
fn noted(live: &Live, count: usize) -> Vec<Process> {
    let file = live.user().join("pids");
    let numbers = || -> Vec<i32> {
        let text = fs::read_to_string(&file).unwrap_or_default();
        // A last line without its end is not all there yet.
        text.split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
            .map(|line| line.trim().parse().unwrap())
            .collect()
    };
    eventually("all have started", || numbers().len() == count);
    let find = |pid| process(Pid::from_raw(pid).unwrap()).unwrap();
    numbers().into_iter().map(find).collect()
}

fn sleeper() -> Child {
    Command::new("sleep").arg("600").spawn().unwrap()
}

/// What is in the runtime folder when nothing is open, but for words about what was closed.
fn left_in_runtime(live: &Live) -> Vec<String> {
    let names = tree_of(&live.runtime()).into_iter();
    names.filter(|name| !name.ends_with(".gone")).collect()
}

fn assert_nothing_is_left(live: &Live, temporary: &Path) {
    assert_eq!(processes_in(live), [""; 0]);
    let left = left_in_runtime(live);
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(left[..2], ["agent", "agents"]);
    let others: Vec<_> = tree_of(&live.codex_home())
        .into_iter()
        // Ids are random letters and may hold any word.
        .filter(|name| name.contains("/journal") || name.ends_with(".tmp") || name.contains("/."))
        .collect();
    assert_eq!(others, [""; 0]);
    assert_eq!(tree_of(temporary), [""; 0]);
}

fn open_and_close(count: usize) {
    let live = Live::new();
    let temporary = live.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let witness = bash(&live);
    let watched = host(&witness);
    let before = descriptors(&watched);
    for number in 0..count {
        let shell = ["bash", "sh"][number % 2];
        let mut open = live.command(&["open", "--shell", shell, "--json"]);
        open.args(["--timeout-ms", PATIENCE_MS]).env("TMPDIR", &temporary);
        let opened = finish(&mut open).json();
        let id = opened["sessionId"].as_str().unwrap();
        let line = ["sleep 600 & true", "setsid sleep 600 & true"][number % 2];
        live.json(&["send", id, line, "--timeout-ms", PATIENCE_MS]);
        if number % 3 == 0 {
            live.json(&["send", id, "exit 3", "--timeout-ms", PATIENCE_MS]);
        }
        assert_eq!(live.json(&["close", id])["outcome"], "closed");
    }
    assert_eq!(descriptors(&watched), before);
    witness.close();
    eventually("its host is gone", || !is_alive(&watched));
    eventually("all hosts are gone", || processes_in(&live).is_empty());
    assert_nothing_is_left(&live, &temporary);
}

#[test]
fn a_command_that_was_held_back_is_not_typed_into_the_next_shell() {
    let live = Live::new();
    // The shell shows no prompt before this file is there.
    live.rc("bash", "until [ -e ~/go ]; do sleep 0.02; done");
    let term = live.open(&["--shell", "bash", "--timeout-ms", "1"]);
    term.send_in_background("echo held''back");
    fs::write(live.user().join("go"), "").unwrap();
    term.ask("restart", &["--timeout-ms", PATIENCE_MS]);
    assert_done(&term.send("true"), 0);
    assert!(!term.read().contains("heldback"));
}

#[test]
fn a_terminal_that_was_opened_in_another_one_stays() {
    let live = Live::new();
    let (outer, inner) = (live.open(&["--shell", "bash"]), "inner");
    let open = format!(
        "{} open --shell bash --terminal-id {inner}",
        env!("CARGO_BIN_EXE_terminal-session-live")
    );
    let runtime = live.runtime();
    let reply = outer.send(&format!(
        "TERMINAL_SESSION_RUNTIME_DIR={} CODEX_HOME={} {open}",
        runtime.display(),
        live.codex_home().display()
    ));
    assert_done(&reply, 0);
    outer.close();
    let rows = live.json(&["list"]);
    assert_eq!((rows[0]["sessionId"].as_str(), rows[1].is_null()), (Some(inner), true), "{rows}");
    live.run(&["close", inner]).ok();
}

#[test]
fn a_block_does_not_wait_long_for_another_writer() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    term.send("true");
    let session = live.codex_home().join("codex-deck/terminal/sessions").join(&term.id);
    let lock = fs::File::options().write(true).open(session.join("session.lock")).unwrap();
    lock.lock().unwrap();
    let reply = term.send("echo wh''ole");
    assert!(output(&reply).contains("whole"), "{reply}");
    assert!(has_note(&reply, "what was shown is in no block yet: "), "{reply}");
    drop(lock);
    let reply = term.send("true");
    assert!(!has_note(&reply, "what was shown is in no block yet: "), "{reply}");
    assert!(term.blocks().iter().any(|block| block.contains("whole")));
}

#[test]
fn commands_that_were_typed_ahead_keep_nobody_waiting() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    term.ask("keys", &["-N", "2000", "-l", "--timeout-ms", "1", "true\r"]);
    // That is long before all of them are blocks.
    let rows = live.json(&["list"]);
    assert_eq!(rows[0]["sessionId"], *term.id);
    let list = finish(command(LIST).env("CODEX_HOME", live.codex_home()).arg("--json")).json();
    assert!(list["sessions"][0]["blockCount"].as_u64().unwrap_or(0) < 1000, "{list}");
}

#[test]
fn a_restart_in_a_deleted_folder_is_refused() {
    let live = Live::new();
    let folder = live.user().join("gone");
    fs::create_dir(&folder).unwrap();
    let term = live.open(&["--shell", "bash", "--cwd", folder.to_str().unwrap()]);
    fs::remove_dir(&folder).unwrap();
    assert_eq!(term.send("true")["cwd"], json!(null));
    let why = live.run(&["restart", &term.id]).fails(1);
    assert_eq!(why, format!("error: cannot enter folder {}: it is not there\n", folder.display()));
    assert_done(&term.send("true"), 0);
}

#[test]
fn complaint_16_opening_and_closing_leaves_nothing() {
    open_and_close(20);
}

#[test]
#[ignore = "takes a while"]
fn complaint_16_opening_and_closing_two_hundred_leaves_nothing() {
    open_and_close(200);
}

#[test]
fn fifty_at_once_leave_nothing() {
    let live = Live::new();
    let temporary = live.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let each = |args: &[&str]| {
        let mut command = live.command(args);
        command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let open = ["open", "--shell", "sh", "--json", "--timeout-ms", PATIENCE_MS];
    let opening: Vec<_> = (0..50).map(|_| each(&open)).collect();
    let ids: Vec<_> = opening
        .into_iter()
        .map(|child| ended(child).json()["sessionId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(live.json(&["list"]).as_array().unwrap().len(), 50);
    let closing: Vec<_> = ids.iter().map(|id| each(&["close", id, "--json"])).collect();
    for child in closing {
        assert_eq!(ended(child).json()["outcome"], "closed");
    }
    eventually("all hosts are gone", || processes_in(&live).is_empty());
    assert_nothing_is_left(&live, &temporary);
}

#[test]
fn requests_leave_no_descriptor_and_no_zombie() {
    let live = Live::new();
    let term = bash(&live);
    let watched = host(&term);
    let before = descriptors(&watched);
    for _ in 0..20 {
        term.send("sleep 0 & (sleep 0 &); true");
        term.send_in_background("");
        term.wait("ready");
        term.read();
        term.screen();
        term.ask("resize", &["90x20"]);
        term.ask("freeze", &[]);
        let _refused = live.run(&["send", &term.id, ""]);
    }
    eventually("descriptors are as before", || descriptors(&watched) == before);
    eventually("only the shell is left", || children(&watched).len() == 1);
    term.ask("restart", &["--timeout-ms", PATIENCE_MS]);
    eventually("descriptors are as before", || descriptors(&watched).len() == before.len());
    eventually("only the shell is left", || children(&watched).len() == 1);
}

#[test]
fn a_host_has_none_of_its_callers_descriptors() {
    let live = Live::new();
    let note = live.path().join("note");
    let script = "exec 7> note; \"$0\" open --shell bash --json 8>&7";
    let mut shell = live.command(&[""; 0]);
    let variables: Vec<_> = shell
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    shell = command("sh");
    shell.envs(variables).current_dir(live.path()).args(["-c", script, LIVE]);
    let opened = finish(&mut shell).json();
    let pid = i32::try_from(opened["pid"].as_i64().unwrap()).unwrap();
    let leader = process(Pid::from_raw(pid).unwrap()).unwrap();
    let host = process(Pid::from_raw(leader.parent).unwrap()).unwrap();
    for process in [leader, host] {
        assert!(!descriptors(&process).contains(&note), "{:?}", descriptors(&process));
    }
    let pid = host.pid.as_raw_nonzero().get();
    assert_eq!((host.session, host.group), (pid, pid), "no signal of a terminal reaches it");
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), PathBuf::from("/"));
}

/// Commands whose processes do not want to end; each notes its number.
const STUBBORN: [&str; 6] = [
    // Ignores what it may ignore.
    "(trap '' HUP TERM INT; echo $BASHPID >> pids; exec sleep 600) &",
    // In a session of its own, and ignores that.
    "setsid sh -c 'trap \"\" HUP TERM; echo $$ >> pids; exec sleep 600' &",
    // Forked twice, so that its parent is gone.
    "(setsid sh -c '(sh -c \"echo \\$\\$ >> pids; exec sleep 600\" &)' &)",
    // With none of our variables.
    "(env -i \"$(command -v setsid)\" \"$(command -v sh)\" -c 'echo $$ >> pids; exec /bin/sleep 600' &)",
    // Stopped.
    "sh -c 'echo $$ >> pids; kill -STOP $$; sleep 600' &",
    // Nobody's any more.
    "nohup sleep 600 > /dev/null 2>&1 & echo $! >> pids; disown",
];

#[test]
fn complaint_12_closing_ends_whatever_came_of_it_and_nothing_else() {
    let live = Live::new();
    let mut bystander = sleeper();
    let other = bash(&live);
    other.send("setsid sh -c 'echo $$ > other; exec sleep 600' & until [ -s other ]; do :; done");
    let term = bash(&live);
    for line in STUBBORN {
        term.send(line);
    }
    let all = noted(&live, STUBBORN.len());
    let stopped = all.iter().filter(|known| process(known.pid).unwrap().state == b'T');
    eventually("one is stopped", || stopped.clone().count() == 1);
    let closed = term.close();
    assert_eq!(closed, json!({ "sessionId": term.id, "outcome": "closed" }));
    for known in &all {
        assert!(!is_alive(known), "{known:?}");
    }
    assert_eq!(bystander.try_wait().unwrap(), None);
    assert_done(&other.send("kill -0 $(cat other)"), 0);
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn complaint_15_closing_ends_what_was_forked_twice() {
    let live = Live::new();
    let term = bash(&live);
    // Neither its parent nor its session tells where it came from.
    term.send("(setsid sh -c 'sh -c \"echo \\$\\$ >> pids; exec sleep 600\" &' &)");
    let all = noted(&live, 1);
    assert_eq!(term.close()["outcome"], "closed");
    assert!(!is_alive(&all[0]));
}

#[test]
fn complaint_14_closing_ends_what_is_in_the_foreground() {
    let live = Live::new();
    let term = bash(&live);
    let line = "sh -c 'trap \"\" HUP TERM INT; echo $$ >> pids; while :; do sleep 600; done'";
    let sending = term.start_send(line);
    let all = noted(&live, 1);
    assert_eq!(term.close()["outcome"], "closed");
    assert!(!is_alive(&all[0]));
    // Who waited is told.
    let sent = ended(sending).json();
    assert_eq!(reason(&sent), "session_exit");
}

#[test]
fn complaint_14_a_signal_goes_to_the_foreground() {
    let live = Live::new();
    let term = bash(&live);
    for (signal, code) in [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", 137), ("SIGHUP", 129)] {
        let sending = term.start_send("sleep 600");
        eventually("it runs", || live.json(&["list"])[0]["inside"] == "sleep");
        let sent = live.run(&["signal", &term.id, signal]).ok();
        let beginning = format!("delivered {signal} to foreground process group ");
        let group: i32 = sent.strip_prefix(&beginning).unwrap().trim().parse().unwrap();
        assert_ne!(i64::from(group), term.opened["pid"].as_i64().unwrap());
        assert_done(&ended(sending).json(), code);
    }
    let why = live.run(&["signal", &term.id, "SIGKILL"]).fails(2);
    let want =
        "error: refusing to SIGKILL the terminal shell; terminate the terminal session instead\n";
    assert_eq!(why, want);
}

#[test]
fn complaint_34_a_program_is_over_whoever_keeps_its_terminal() {
    let live = Live::new();
    let script = "echo said; setsid sh -c 'echo $$ > pids; exec sleep 600' & \
                  until [ -s pids ]; do :; done; exit 3";
    let term = live.program(&["sh", "-c", script]);
    let waited = term.wait("exit");
    assert_eq!(reason(&waited), "session_exit");
    let status = json!({ "kind": "exited", "exitCode": 3, "signal": null });
    assert_eq!(waited["sessionStatus"], status);
    assert_eq!(term.blocks(), ["said"]);
    let holder = noted(&live, 1);
    assert!(is_alive(&holder[0]), "it still sleeps");
    term.close();
    assert!(!is_alive(&holder[0]));
    eventually("nothing is left", || processes_in(&live).is_empty());
}

#[test]
fn a_number_that_is_somebody_elses_by_now_is_left_alone() {
    let live = Live::new();
    let term = live.program(&["true"]);
    term.wait("exit");
    // The shell's number is free; whoever has it now, and a session of that number, is not ours.
    let pid = term.opened["pid"].as_i64().unwrap();
    let gone = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    assert!(process(gone).is_none(), "it is not kept as a zombie");
    let mut bystander = sleeper();
    assert_eq!(term.close()["outcome"], "closed");
    assert_eq!(bystander.try_wait().unwrap(), None);
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn what_has_exited_is_listed_and_read_until_it_is_closed() {
    let live = Live::new();
    let cases = [
        ("exit 5", json!(5), json!(null), "exited code=5 signal=null", "exited with 5"),
        (
            "kill -KILL $$",
            json!(null),
            json!("SIGKILL"),
            "exited code=null signal=SIGKILL",
            "SIGKILL ended its program",
        ),
    ];
    for (line, code, signal, listed, tombstone) in cases {
        let term = bash(&live);
        term.send("echo before");
        let sent = term.send(line);
        assert_eq!(reason(&sent), "session_exit");
        let status = json!({ "kind": "exited", "exitCode": code, "signal": signal });
        assert_eq!(sent["sessionStatus"], status);
        assert_eq!(sent["exitCode"], json!(null));
        let pid = term.opened["pid"].as_i64().unwrap();
        let rows = live.run(&["list"]).ok();
        assert_eq!(rows, format!("{} [shell] {listed} pid={pid}\n", term.id));
        assert!(term.read().contains("before"));
        assert!(term.screen()["text"].as_str().unwrap().contains("before"));
        for until in ["exit", "ready", "text=never", "screen-change=", "quiet=100"] {
            let reason = reason(&term.wait(until)).to_owned();
            assert!(["session_exit", "met"].contains(&reason.as_str()), "{until}: {reason}");
        }
        for args in [
            &["send", &term.id, "true"][..],
            &["keys", &term.id, "C-c"],
            &["signal", &term.id, "SIGINT"],
        ] {
            assert_eq!(live.run(args).fails(1), "error: PTY session has exited\n");
        }
        assert_eq!(term.close()["outcome"], "closed");
        for args in [&["read", &term.id][..], &["send", &term.id, "true"], &["close", &term.id]] {
            let said = live.run(args).fails(1);
            assert!(
                said.starts_with(&format!("error: PTY session {} was closed; ", term.id)),
                "{said}"
            );
            assert!(said.contains(tombstone), "{said}");
        }
        assert_eq!(live.run(&["list"]).ok(), "(no terminal sessions)\n");
    }
}

#[test]
fn a_dead_host_is_forgotten_and_its_recording_recovered() {
    let live = Live::new();
    let term = bash(&live);
    let (host, shell) = (host(&term), leader(&term));
    term.send_in_background("echo wor''ds before the end; exec sleep 600");
    term.wait("text=words");
    let is_on_disk = || {
        let mut blocks = command(BLOCKS);
        blocks.args([&term.id, "live"]).env("CODEX_HOME", live.codex_home());
        finish(&mut blocks).stdout.contains("words before the end")
    };
    eventually("it is in the journal", is_on_disk);
    kill(&host, Signal::KILL);
    eventually("its program is gone", || !is_alive(&shell));
    eventually("its host is gone", || !is_alive(&host));
    assert_eq!(live.run(&["list"]).ok(), "(no terminal sessions)\n");
    assert_eq!(left_in_runtime(&live).len(), 3, "no socket");
    let why = live.run(&["read", &term.id]).fails(1);
    assert_eq!(why, format!("error: unknown PTY session {}\n", term.id));
    let mut recover = command(RECORD);
    recover.args(["recover", "--quiet"]).env("CODEX_HOME", live.codex_home());
    let recovered = finish(&mut recover).ok();
    assert!(recovered.starts_with(&format!("{}\t", term.id)), "{recovered}");
    assert!(term.blocks().join("\n").contains("words before the end"));
    // The id may be used again.
    let again = live.open(&["--shell", "bash", "--terminal-id", &term.id]);
    assert_done(&again.send("echo here"), 0);
    assert_eq!(live.json(&["list"]).as_array().unwrap().len(), 1);
}

/// The shell and the host of a terminal are gone, and what it showed is in blocks.
fn assert_ended_well(live: &Live, term: &Term<'_>, known: [Process; 2], shown: &str) {
    eventually("its socket is gone", || left_in_runtime(live).len() == 3);
    eventually("its host is gone", || known.iter().all(|known| !is_alive(known)));
    assert_eq!(processes_in(live), [""; 0]);
    assert!(term.blocks().join("\n").contains(shown));
    let why = live.run(&["read", &term.id]).fails(1);
    assert!(why.contains("was closed"), "{why}");
}

#[test]
fn nobodys_terminal_closes_itself() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--idle-timeout", "1"]);
    let known = [host(&term), leader(&term)];
    // A client that says nothing is no use.
    let _silent = connect(&live, &term.id);
    assert_ended_well(&live, &term, known, "");
}

#[test]
fn who_lists_a_terminal_does_not_keep_it() {
    let live = Live::new();
    live.open(&["--shell", "bash", "--idle-timeout", "1"]);
    eventually("it is closed", || {
        live.run(&["list", "--operator"]).ok() == "(no terminal sessions)\n"
    });
}

#[test]
fn a_host_that_is_told_to_end_closes_its_terminal() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let live = Live::new();
        let term = bash(&live);
        let known = [host(&term), leader(&term)];
        term.send_in_background("echo wor''ds; setsid sleep 600 & sleep 600");
        term.wait("text=words");
        kill(&known[0], signal);
        assert_ended_well(&live, &term, known, "words");
    }
}

#[test]
fn a_restart_keeps_the_place_and_loses_the_state() {
    let live = Live::new();
    let place = live.path().join("a place");
    fs::create_dir(&place).unwrap();
    let term = live.open(&["--shell", "bash", "--name", "n"]);
    let old = leader(&term);
    term.send(&format!("cd '{}'; variable=set; sleep 600 & disown", place.display()));
    term.ask("resize", &["90x20"]);
    let again = term.ask("restart", &["--timeout-ms", PATIENCE_MS]);
    assert_eq!(again["sessionId"], term.id.as_str());
    assert!(has_note(&again, "the state of the old shell is lost"), "{again}");
    assert_eq!((reason(&again), &again["cwd"]), ("prompt", &json!(place)));
    assert!(!is_alive(&old));
    let row = &live.json(&["list"])[0];
    assert_eq!((&row["name"], &row["size"]), (&json!("n"), &json!({ "cols": 90, "rows": 20 })));
    assert_ne!(row["pid"], term.opened["pid"]);
    let sent = term.send("echo [$variable] $(pwd); stty size");
    assert_eq!(output(&sent), format!("[] {}\n20 90", place.display()));
    assert!(term.blocks()[0].contains("variable=set"), "what was before is in blocks");
    assert_eq!(children(&host_of(&live)).len(), 1);
    // One whose program has ended begins again as well.
    term.send("exit 4");
    assert_eq!(reason(&term.ask("restart", &["--timeout-ms", PATIENCE_MS])), "prompt");
    assert_done(&term.send("echo back"), 0);
    let text = live.run(&["restart", &term.id, "--timeout-ms", PATIENCE_MS]).ok();
    assert!(text.starts_with(&format!("restarted terminal session {}\n", term.id)), "{text}");
    assert!(text.contains("[note: the state of the old shell is lost]\n"), "{text}");
}

#[test]
fn a_restart_tells_what_no_answer_had_told() {
    let live = Live::new();
    let term = bash(&live);
    term.send_in_background("echo unto''ld; sleep 600");
    eventually("it runs", || live.json(&["list"])[0]["inside"] == "sleep");
    term.ask("signal", &["SIGTSTP"]);
    eventually("it is stopped", || live.json(&["list"])[0]["inside"].is_null());
    let again = term.ask("restart", &["--timeout-ms", PATIENCE_MS]);
    assert!(viewport(&again).contains("\nuntold\n"), "{again}");
    assert!(has_note(&again, "stopped: sleep"), "{again}");
    assert!(has_note(&again, "the state of the old shell is lost"), "{again}");
    assert_eq!(output(&term.send("echo new")), "new");
}

/// The host of the first terminal in the list.
fn host_of(live: &Live) -> Process {
    let pid = live.json(&["list"])[0]["pid"].as_i64().unwrap();
    let leader = process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()).unwrap();
    process(Pid::from_raw(leader.parent).unwrap()).unwrap()
}

/// Opens several at once: how many there are, and what the others were told.
fn open_at_once(live: &Live, count: usize, args: &[&str]) -> (usize, Vec<String>) {
    let start = || {
        let mut open = live.command(&["open", "--shell", "sh", "--timeout-ms", PATIENCE_MS]);
        open.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let opening: Vec<_> = (0..count).map(|_| start()).collect();
    let runs: Vec<_> = opening.into_iter().map(ended).collect();
    let good = runs.iter().filter(|run| run.code == 0).count();
    (good, runs.into_iter().filter(|run| run.code != 0).map(|run| run.fails(1)).collect())
}

#[test]
fn nobody_opens_more_than_the_limit() {
    let live = Live::new();
    let first = bash(&live);
    let (opened, told) = open_at_once(&live, 6, &["--max-terminals", "3"]);
    let want = "error: maximum live terminals reached (3); close one, or raise --max-terminals\n";
    assert_eq!((opened, told), (2, vec![want.to_owned(); 4]));
    // None was closed for another one.
    assert_done(&first.send("true"), 0);
    let mut other = live.command(&["open", "--shell", "sh", "--max-terminals", "1"]);
    finish(other.env("TERMINAL_SESSION_AGENT", "other")).ok();
    first.close();
    let (opened, told) = open_at_once(&live, 1, &["--max-terminals", "3"]);
    assert_eq!((opened, told.len()), (1, 0));
    // None at all makes no sense.
    for args in [&["open", "--shell", "sh"][..], &["execute", "true"], &["exec"]] {
        let option = if args == ["exec"] { "--max-jobs" } else { "--max-terminals" };
        let words = [args, &[option, "0", "--", "true"]].concat();
        let words = if args[0] == "execute" { words[..4].to_vec() } else { words };
        let why = live.run(&words).fails(2);
        assert!(why.contains(&format!("'0' for '{option} <N>'")), "{why}");
    }
}

#[test]
fn a_row_of_a_list_is_one_line() {
    let live = Live::new();
    let mut open = live.command(&["open", "--shell", "bash", "--name", "a\nb"]);
    let opened = finish(open.args(["--timeout-ms", PATIENCE_MS])).ok();
    assert!(opened.contains(" (a\\x0ab) [type: shell]\n"), "{opened}");
    let id = live.json(&["list"])[0]["sessionId"].as_str().unwrap().to_owned();
    let line = "cp $(command -v sleep) $'x\\ny'; $'./x\\ny' 600";
    live.json(&["send", &id, line, "--background"]);
    eventually("it runs", || live.json(&["list"])[0]["inside"] == "x\ny");
    let rows = live.run(&["list"]).ok();
    assert_eq!(rows.lines().count(), 1, "{rows}");
    assert!(rows.contains(" (a\\x0ab) ") && rows.ends_with(" inside=x\\x0ay\n"), "{rows}");
}

#[test]
fn a_name_is_given_once() {
    let live = Live::new();
    let (opened, told) = open_at_once(&live, 5, &["--name", "a"]);
    let want = "error: PTY session name \"a\" already exists for this owner\n";
    assert_eq!((opened, told), (1, vec![want.to_owned(); 4]));
    let (opened, told) = open_at_once(&live, 3, &["--terminal-id", "t"]);
    let want = "error: cannot open a terminal: terminal session t is open already\n";
    assert_eq!((opened, told), (1, vec![want.to_owned(); 2]));
    live.json(&["close", "t"]);
    assert_eq!(open_at_once(&live, 1, &["--terminal-id", "t"]).0, 1);
}

#[test]
fn a_terminal_is_closed_once() {
    let live = Live::new();
    let term = bash(&live);
    term.send("trap '' HUP");
    let host = host(&term);
    kill(&host, Signal::STOP);
    let close = call(&live, &json!({ "do": "close" }));
    let send = json!({ "do": "read", "offset": 0, "count": 1, "from": null });
    let [one, two, late] = [&close, &close, &call(&live, &send)].map(|line| {
        let mut stream = connect(&live, &term.id);
        stream.write_all(line).unwrap();
        stream
    });
    kill(&host, Signal::CONT);
    let mut outcomes = [answer(&one), answer(&two)];
    outcomes.sort();
    let said = |outcome: &str| {
        format!(
            "{{\"done\":{{\"closed\":{{\"sessionId\":\"{}\",\"outcome\":\"{outcome}\"}}}}}}\n",
            term.id
        )
    };
    assert_eq!(outcomes, [said("already-closing"), said("closed")]);
    let refused = format!("PTY session {} is closing", term.id);
    assert!(answer(&late).contains(&refused));
}

#[test]
fn a_task_tells_everything_once() {
    let live = Live::new();
    let term = bash(&live);
    let task = term.send_in_background("echo one; read line; echo $line; sleep 600");
    assert_eq!(task, format!("{}-send-1", term.id));
    let told = |args: &[&str]| live.json(&[&["output", &task], args].concat());
    // Once the program reads, the task is over and a wait tells what is new as well.
    let mut seen = viewport(&term.wait("text=(?m)^one")).to_owned();
    eventually("its output is told", || {
        let new = told(&[]);
        assert_eq!(new["taskId"], task.as_str());
        seen.push_str(viewport(&new));
        seen.ends_with("\none")
    });
    assert_eq!(seen.matches("\none").count(), 1, "{seen}");
    // The program reads: the task is done, and what it shows later is in later answers.
    let done = told(&["--wait", "--timeout-ms", PATIENCE_MS]);
    assert_eq!(done["status"]["waitReason"], "stdin_read", "{done}");
    assert_eq!(viewport(&done), "");
    let text = live.run(&["output", &task]).ok();
    assert_eq!(text, "(no new output)\n[status: completed, wait: stdin_read]\n");

    let second = term.send_in_background("two");
    assert_eq!(second, format!("{}-send-2", term.id));
    term.wait("text=(?m)^two\n*two");
    let early = live.json(&["output", &second, "--wait", "--timeout-ms", "1"]);
    assert_eq!(early["status"]["kind"], "running", "a deadline ends no task: {early}");
    let listed = live.run(&["tasks"]).ok();
    let want = format!(
        "{task} completed, wait: stdin_read — {0}: echo one; read line; echo $line; sleep 600\n{second} running — {0}: two\n",
        term.id
    );
    assert_eq!(listed, want);
    let killed = live.run(&["kill", &second]).ok();
    assert_eq!(killed, format!("requested cancellation of task {second}\n"));
    let done = live.json(&["output", &second, "--wait", "--timeout-ms", PATIENCE_MS]);
    assert_eq!(done["status"]["kind"], "killed", "{done}");
    let again = live.run(&["kill", &second]).ok();
    assert_eq!(
        again,
        format!("task {second} had already finished [status: killed, wait: prompt]\n")
    );
    // The terminal goes on.
    assert_done(&term.send("true"), 0);
}

#[test]
fn a_task_says_how_its_command_ended() {
    let live = Live::new();
    let term = bash(&live);
    let task = term.send_in_background("(exit 7)");
    let done = live.json(&["output", &task, "--wait", "--timeout-ms", PATIENCE_MS]);
    assert_eq!(
        (&done["status"]["kind"], &done["status"]["exitCode"]),
        (&json!("completed"), &json!(7))
    );
    let text = live.run(&["output", &task]).ok();
    assert_eq!(text, "(no new output)\n[status: completed, wait: prompt, exit code: 7]\n");
    let task = term.send_in_background("exit 9");
    live.json(&["output", &task, "--wait", "--timeout-ms", PATIENCE_MS]);
    let text = live.run(&["output", &task]).ok();
    assert_eq!(text, "(no new output)\n[status: completed, session exited: 9]\n");
}

#[test]
fn tasks_that_do_not_exist() {
    let live = Live::new();
    let term = bash(&live);
    let missing = format!("{}-send-1", term.id);
    for task in [missing.as_str(), "nothing", "nothing-send-1", "x-send-01", "-send-1"] {
        for verb in ["output", "kill"] {
            let why = live.run(&[verb, "--", task]).fails(1);
            assert_eq!(why, format!("error: unknown task {task}\n"));
        }
    }
    let why = live.run(&["output", ""]).fails(2);
    assert_eq!(why, "error: invalid task_id: expected a non-empty string, got \"\"\n");
}

#[test]
fn a_client_that_dies_takes_nothing_with_it() {
    let live = Live::new();
    let term = bash(&live);
    let mut sending = term.start_send("sleep 600");
    let refused = || live.run(&["send", &term.id, "true"]).fails(1);
    let active = format!("error: PTY session {} already has an active send\n", term.id);
    eventually("it sends", || live.json(&["list"])[0]["inside"] == "sleep");
    assert_eq!(refused(), active);
    sending.kill().unwrap();
    sending.wait().unwrap();
    let busy = format!("error: PTY session {} is busy: sleep runs", term.id);
    eventually("its send is over", || refused().starts_with(&busy));
    assert_eq!(live.json(&["list"])[0]["inside"], "sleep", "what it typed goes on");
    term.ask("signal", &["SIGINT"]);
    term.wait("ready");
    assert_done(&term.send("true"), 0);
}

#[test]
fn one_types_and_others_look_meanwhile() {
    let live = Live::new();
    let term = bash(&live);
    let sending = term.start_send("echo st''arted; sleep 600");
    term.wait("text=started");
    let active = format!("error: PTY session {} already has an active send\n", term.id);
    for args in [
        &["send", &term.id, "true"][..],
        &["send", &term.id, "", "--no-submit"],
        &["keys", &term.id, "Enter"],
        &["paste", &term.id, "x"],
        &["send", &term.id, "true", "--background"],
    ] {
        assert_eq!(live.run(args).fails(1), active, "{args:?}");
    }
    assert!(term.read().contains("started"));
    assert!(term.screen()["text"].as_str().unwrap().contains("started"));
    assert_eq!(live.json(&["tasks"]), json!([]));
    term.ask("signal", &["SIGINT"]);
    let sent = ended(sending).json();
    assert_done(&sent, 130);
    assert!(output(&sent).contains("started"), "looking took nothing away: {sent}");
}

#[test]
fn a_wait_says_what_came_of_it() {
    let live = Live::new();
    let term = bash(&live);
    assert_eq!(reason(&term.wait("ready")), "prompt");
    let task =
        term.send_in_background("for n in 1 2 3; do read line; echo got:$line; done; exit 6");
    assert_eq!(reason(&term.wait("ready")), "stdin_read");
    let late = live.run(&["wait", &term.id, "--until", "text=got:a", "--timeout-ms", "20"]);
    assert_eq!(late.code, 3);
    assert!(late.stdout.contains("[wait: timeout]\n"), "{}", late.stdout);
    let late = live.run(&["wait", &term.id, "--until", "exit", "--timeout-ms", "0"]);
    assert_eq!(late.code, 3);
    live.json(&["output", &task, "--wait", "--timeout-ms", PATIENCE_MS]);
    let hash = term.screen()["hash"].as_str().unwrap().to_owned();
    term.ask("send", &["a", "--background"]);
    assert_eq!(reason(&term.wait("text=got:a")), "met");
    assert_eq!(reason(&term.wait(&format!("screen-change={hash}"))), "met");
    assert_eq!(reason(&term.wait("quiet=50")), "met");
    term.wait("ready");
    let hash = term.screen()["hash"].as_str().unwrap().to_owned();
    let change = format!("screen-change={hash}");
    let same = live.run(&["wait", &term.id, "--until", &change, "--timeout-ms", "20"]);
    assert_eq!(same.code, 3);
    term.ask("send", &["b", "--timeout-ms", PATIENCE_MS]);
    term.ask("send", &["c", "--timeout-ms", PATIENCE_MS]);
    let waited = live.run(&["wait", &term.id, "--until", "exit", "--timeout-ms", PATIENCE_MS]);
    assert_eq!(waited.code, 0);
    assert!(
        waited.stdout.ends_with("[wait: session_exit]\n[session: exited code=6 signal=null]\n")
    );
    // What cannot come any more is not waited for.
    let never = live.run(&["wait", &term.id, "--until", "text=never", "--timeout-ms", "100000000"]);
    assert_eq!(never.code, 0);
    assert!(never.stdout.contains("[wait: session_exit]\n"));
}

#[test]
fn a_wait_takes_nothing_away_from_a_send() {
    let live = Live::new();
    let term = bash(&live);
    let sending = term.start_send("echo fi''rst; read line");
    assert_eq!(viewport(&term.wait("text=first")), "");
    let sent = ended(sending).json();
    assert!(output(&sent).contains("first"), "{sent}");
}

#[test]
fn a_new_size_reaches_the_program() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--size", "100x"]);
    assert_eq!(output(&term.send("stty size")), "30 100");
    assert_eq!(live.run(&["resize", &term.id, "x25"]).ok(), "100x25\n");
    for cols in 81..=100 {
        term.ask("resize", &[&format!("{cols}x40")]);
    }
    assert_eq!(output(&term.send("stty size; echo $COLUMNS")), "40 100\n100");
    assert_eq!(term.screen()["size"], json!({ "cols": 100, "rows": 40 }));
    for size in ["0x0", "0x10", "ten", "70000x1", "-1x5", "1.5x2"] {
        let why = live.run(&["resize", &term.id, size]).fails(2);
        assert!(why.contains("COLSxROWS") || why.starts_with("error: "), "{why}");
    }
    // However odd it is, the host bears it.
    for size in ["2x2", "65535x65535", "80x24"] {
        term.ask("resize", &[size]);
        assert_done(&term.send("true"), 0);
    }
}

#[test]
fn a_freeze_makes_a_block_of_what_is_new() {
    let live = Live::new();
    let term = bash(&live);
    term.send_in_background("echo wor''ds; sleep 600");
    term.wait("text=words");
    let id = live.run(&["freeze", &term.id]).ok();
    let texts = live.block_texts(&[&term.id, id.trim()]);
    assert!(texts[0].ends_with("words"), "{texts:?}");
    assert_eq!(live.run(&["freeze", &term.id]).ok(), "(nothing new)\n");
    assert_eq!(term.ask("freeze", &[]), json!({ "blockId": null }));
}
