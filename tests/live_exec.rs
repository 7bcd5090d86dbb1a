//! `exec`, `write`, `jobs`: commands as jobs, whose output is read page by page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use terminal_session::pty::{Process, process};

use crate::support::hosts::{
    answer, call, connect, connect_to, eventually, is_alive, kill, tree_of,
};
use crate::support::live::{Live, is_installed};
use crate::support::pty::run_on_terminal;
use crate::support::{CHECK, Run, command, finish, skipped};

/// The longest waits that calls may have: of those that run or type, and of those that only read.
const LONG: &str = "30000";
const LONGEST: &str = "300000";

const AGENT: &str = "TERMINAL_SESSION_AGENT";

/// The two things that a command runs in.
const TRANSPORTS: [&str; 2] = ["--tty", "--no-tty"];

impl Live {
    /// Runs a command in `sh`.
    #[track_caller]
    fn exec(&self, args: &[&str], cmd: &str) -> Value {
        self.json(&[&["exec", "--shell", "/bin/sh"], args, &["--", cmd]].concat())
    }

    /// Begins a command that prints nothing at first, and waits for nothing; the job.
    #[track_caller]
    fn begin(&self, args: &[&str], cmd: &str) -> String {
        let (job, begun) = self.begin_loud(args, cmd);
        assert_eq!(output(&begun), "", "{begun}");
        job
    }

    /// Begins a command and waits for nothing; the job and the first page.
    #[track_caller]
    fn begin_loud(&self, args: &[&str], cmd: &str) -> (String, Value) {
        let begun = self.exec(&[&["--yield-time-ms", "0"], args].concat(), cmd);
        (begun["job_id"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned(), begun)
    }

    #[track_caller]
    fn write(&self, job: &str, args: &[&str]) -> Value {
        self.json(&[&["write", job], args].concat())
    }

    /// Types, and waits until the program wants more or ends.
    #[track_caller]
    fn typed(&self, job: &str, chars: &str) -> Value {
        self.write(job, &["--chars", chars, "--yield-time-ms", LONG])
    }

    /// Reads pages until the last one, each with these arguments; all of them.
    #[track_caller]
    fn pages(&self, job: &str, args: &[&str]) -> Vec<Value> {
        let mut pages: Vec<Value> = Vec::new();
        while pages.last().is_none_or(|page| !page["job_id"].is_null()) {
            pages.push(self.write(job, &[&["--yield-time-ms", LONGEST], args].concat()));
        }
        pages
    }

    /// A file that a command waits for.
    fn touch(&self, name: &str) {
        fs::write(self.user().join(name), "").unwrap();
    }

    /// What is printed by arguments that an answer names.
    #[track_caller]
    fn named(&self, arguments: &Value) -> String {
        let words: Vec<_> = arguments.as_str().unwrap().split(' ').collect();
        let mut texts = self.block_texts(&words);
        assert_eq!(texts.len(), 1, "{arguments}");
        texts.remove(0)
    }

    fn block(&self, answer: &Value) -> Value {
        let folder = self.codex_home().join("codex-deck/terminal/sessions");
        let manifest = folder.join(answer["terminal_id"].as_str().unwrap()).join("session.json");
        let manifest: Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
        let mut blocks = manifest["blocks"].as_array().unwrap().iter();
        blocks.find(|block| block["blockId"] == answer["block_id"]).unwrap().clone()
    }
}

/// A connection to the host of a job of the only agent, past the program.
fn job_connection(live: &Live, job: &str) -> UnixStream {
    let agent = fs::read_dir(live.runtime().join("agents")).unwrap().next().unwrap().unwrap();
    connect_to(&agent.path().join(format!("jobs/{job}.sock"))).unwrap()
}

fn output(answer: &Value) -> &str {
    answer["output"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn whole(pages: &[Value]) -> String {
    pages.iter().map(output).collect()
}

/// A part of a script that waits until a file is there.
fn wait_for(name: &str) -> String {
    format!("until [ -e {name} ]; do sleep 0.02; done")
}

#[test]
fn a_command_that_ends_is_no_job() {
    let live = Live::new();
    let run = |args: &[&str], cmd: &str| {
        let fixed = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG];
        live.run(&[&fixed, args, &["--", cmd]].concat()).ok()
    };
    for transport in [&[][..], &["--tty"], &["--no-tty"]] {
        assert_eq!(run(transport, "echo hello"), "hello\n");
        assert_eq!(run(transport, "true"), "");
        assert_eq!(
            run(transport, "echo FAIL simulated command >&2; exit 7"),
            "FAIL simulated command\n\n[exit code: 7]\n"
        );
        assert_eq!(run(transport, "printf x; kill -9 $$"), "x\n[signal: SIGKILL]\n");
    }
    let answer = live.exec(&["--yield-time-ms", LONG], "echo one; exit 3");
    assert_eq!((output(&answer), &answer["exit_code"]), ("one\n", &3.into()));
    assert_eq!(answer["chunk_id"], "13-1");
    for absent in ["job_id", "signal", "truncated", "remaining", "already_collected"] {
        assert!(answer[absent].is_null(), "{answer}");
    }
    // Nobody was told an id, so there is none.
    let unknown = live.run(&["write", "codex-terminal-13"]).fails(1);
    assert_eq!(unknown, "error: unknown or completed exec job codex-terminal-13\n");
    assert_eq!(live.run(&["jobs", "list"]).ok(), "(no background jobs)\n");
}

#[test]
fn words_are_one_command_of_a_shell() {
    let live = Live::new();
    let words = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG, "--"];
    let run = |cmd: &[&str]| live.run(&[&words, cmd].concat()).ok();
    assert_eq!(run(&["echo", "a  b", "|", "tr", "a-z", "A-Z"]), "A B\n");
    assert_eq!(run(&["echo '-n  x'"]), "-n  x\n");
    let bash = live.json(&["exec", "--shell", "bash", "--yield-time-ms", LONG, "--", "echo $0"]);
    assert_eq!(output(&bash), "bash\n");
    fs::create_dir(live.user().join("sub")).unwrap();
    let at = live.exec(&["--workdir", "sub", "--yield-time-ms", LONG], "pwd");
    assert_eq!(output(&at), format!("{}\n", live.user().join("sub").display()));
}

#[test]
fn a_command_has_a_terminal_or_pipes() {
    let live = Live::new();
    let test = "test -t 0 && test -t 1 && stty size; test -p /dev/stdin && test -p /dev/stderr";
    let run = |args: &[&str]| live.exec(&[&["--yield-time-ms", LONG], args].concat(), test);
    for args in [&["--size", "91x17"][..], &["--tty", "--size", "91x17"]] {
        let answer = run(args);
        assert_eq!((output(&answer), &answer["exit_code"]), ("17 91\n", &1.into()), "{args:?}");
    }
    let answer = run(&["--no-tty"]);
    assert_eq!((output(&answer), &answer["exit_code"]), ("", &0.into()));
    // The last one counts.
    assert_eq!(output(&run(&["--no-tty", "--tty", "--size", "91x17"])), "17 91\n");
    // Both outputs come in their order.
    let both = "for i in 1 2 3; do echo out $i; echo err $i >&2; done";
    let answer = live.exec(&["--no-tty", "--yield-time-ms", LONG], both);
    assert_eq!(output(&answer), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
}

#[test]
fn a_dialogue_is_given_once_each_part() {
    let live = Live::new();
    let script = "for i in 1 2 3; do read x; echo ACK $x; done; exit 5";
    for transport in TRANSPORTS {
        let job = live.begin(&[transport], script);
        for (number, word) in ["one", "two", "three"].iter().enumerate() {
            let answer = live.typed(&job, &format!("{word}\n"));
            // A terminal shows what is typed.
            let echo = if transport == "--tty" { format!("{word}\n") } else { String::new() };
            assert_eq!(output(&answer), format!("{echo}ACK {word}\n"), "{answer}");
            if number < 2 {
                // It came because the program waits, not because the time was over.
                assert_eq!(answer["awaits_input"], true, "{answer}");
                assert_eq!(
                    (&answer["job_id"], &answer["exit_code"]),
                    (&job.clone().into(), &Value::Null)
                );
            } else {
                assert_eq!((&answer["job_id"], &answer["exit_code"]), (&Value::Null, &5.into()));
            }
        }
    }
    // Bytes of a file, too.
    let job = live.begin(&["--no-tty"], "read x; read y; echo \"$y$x\"");
    fs::write(live.user().join("typed"), "-1\nä2\n").unwrap();
    let args = ["--chars-file", "typed", "--yield-time-ms", LONG];
    assert_eq!(output(&live.write(&job, &args)), "ä2-1\n");
}

#[test]
fn output_between_calls_is_kept() {
    let live = Live::new();
    let (go, end) = (wait_for("go"), wait_for("end"));
    let job = live.begin(&[], &format!("{go}; echo late; touch there; {end}; echo last; exit 4"));
    let nothing = live.write(&job, &["--yield-time-ms", "0"]);
    assert_eq!((output(&nothing), &nothing["job_id"]), ("", &job.clone().into()));
    assert!(nothing["exit_code"].is_null(), "{nothing}");
    live.touch("go");
    eventually("it printed", || live.user().join("there").exists());
    let mut late = String::new();
    eventually("that was read", || {
        // What is there already is given at once.
        late.push_str(output(&live.write(&job, &["--yield-time-ms", "0"])));
        late == "late\n"
    });
    live.touch("end");
    let last = live.write(&job, &["--yield-time-ms", LONGEST]);
    assert_eq!((output(&last), &last["exit_code"]), ("last\n", &4.into()));
    // It ended, so nothing was waited for.
    assert!(last["wall_time_seconds"].as_f64().unwrap() < 200.0, "{last}");
}

#[test]
fn a_job_that_was_read_is_remembered_for_an_hour() {
    let live = Live::new();
    let job = live.begin(&[], &format!("{}; echo done; exit 3", wait_for("go")));
    live.touch("go");
    let (mut text, goes_on) = (String::new(), format!("[job_id: {job}]\n"));
    while !text.contains("exit code") {
        // What it printed may come before its end.
        text = text.replace(&goes_on, "");
        text += &live.run(&["write", &job, "--yield-time-ms", LONGEST]).ok();
    }
    assert_eq!(text, "done\n[exit code: 3]\n");
    let again = format!("[job {job} exited with code 3; no unread output remains]\n");
    for _ in 0..2 {
        assert_eq!(live.run(&["write", &job]).ok(), again);
    }
    let answer = live.write(&job, &[]);
    assert_eq!((output(&answer), &answer["already_collected"]), ("", &true.into()));
    assert_eq!((&answer["exit_code"], &answer["wall_time_seconds"]), (&3.into(), &0.0.into()));
    // Each answer has a name of its own.
    let number = |answer: &Value| -> u64 {
        answer["chunk_id"].as_str().unwrap().rsplit('-').next().unwrap().parse().unwrap()
    };
    assert_eq!(number(&live.write(&job, &[])), number(&answer) + 1);
    for typed in [&["--chars", "x"][..], &["--chars", "\x03"], &["--eof"]] {
        let why = live.run(&[&["write", &job], typed].concat()).fails(1);
        let want = format!(
            "error: exec job {job} stdin is closed; poll with empty chars to collect its result \
             (it exited with code 3); terminal-session-live write {job} does that\n"
        );
        assert_eq!(why, want);
    }
    let listed = live.run(&["jobs", "list"]).ok();
    assert!(listed.starts_with(&format!("{job} [codex-terminal] completed — until")), "{listed}");
    assert!(listed.ends_with("; echo done; exit 3 [exit code: 3]\n"), "{listed}");
    let killed = live.run(&["jobs", "kill", &job]).ok();
    let want = format!("job {job} had already finished [status: completed, exit code: 3]\n");
    assert_eq!(killed, want);
    // After that nothing is left of it.
    let agents = live.runtime().join("agents");
    let names = tree_of(&agents);
    let gone: Vec<_> = names.iter().filter(|name| name.ends_with(".gone")).collect();
    assert_eq!(gone.len(), 1, "{names:?}");
    let file = fs::File::open(agents.join(gone[0])).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3700)).unwrap();
    let unknown = live.run(&["write", &job]).fails(1);
    assert_eq!(unknown, format!("error: unknown or completed exec job {job}\n"));
    assert_eq!(live.run(&["jobs", "list"]).ok(), "(no background jobs)\n");
}

#[test]
fn exit_zero_is_said_of_a_job() {
    let live = Live::new();
    let job = live.begin(&[], &wait_for("go"));
    live.touch("go");
    let mut text = String::new();
    while !text.contains("exited") {
        text = live.run(&["write", &job, "--yield-time-ms", LONGEST]).ok();
    }
    assert_eq!(text, format!("[job {job} exited with code 0]\n"));
}

#[test]
fn pages_of_lines_make_up_the_output() {
    let live = Live::new();
    let script = "for i in $(seq 1 160); do echo \"row $i of a hundred and sixty\"; done; exit 2";
    let want: String = (1..=160).map(|i| format!("row {i} of a hundred and sixty\n")).collect();
    for transport in TRANSPORTS {
        let first =
            live.exec(&[transport, "--yield-time-ms", LONG, "--max-output-tokens", "100"], script);
        let job = first["job_id"].as_str().unwrap().to_owned();
        assert_eq!(first["exit_code"], 2, "{first}");
        let mut pages = vec![first];
        pages.extend(live.pages(&job, &["--max-output-tokens", "100"]));
        assert_eq!(whole(&pages), want);
        // As many lines on each as fit.
        let mut fits = vec![0];
        for line in want.split_inclusive('\n') {
            match fits.last_mut() {
                Some(bytes) if *bytes + line.len() <= 400 => *bytes += line.len(),
                _ => fits.push(line.len()),
            }
        }
        assert!(pages.iter().map(|page| output(page).len()).eq(fits));
        let mut names: Vec<_> = pages.iter().map(|page| page["chunk_id"].to_string()).collect();
        names.dedup();
        assert_eq!(names.len(), pages.len());
        for (index, page) in pages.iter().enumerate() {
            let rest = whole(&pages[index + 1..]);
            let is_last = rest.is_empty();
            // Nothing sticks: the last page is cut nowhere.
            assert_eq!(page["truncated"], if is_last { Value::Null } else { true.into() });
            assert!(output(page).len() <= 400 && output(page).ends_with('\n'));
            if !is_last {
                let remaining = &page["remaining"];
                assert_eq!(remaining["bytes"], rest.len());
                assert_eq!(remaining["lines"], rest.lines().count());
                assert_eq!(live.named(&remaining["arguments"]), rest.trim_end_matches('\n'));
            }
        }
    }
}

#[test]
fn a_cut_page_says_so_in_its_text() {
    let live = Live::new();
    let exec = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG, "--max-output-tokens", "2"];
    let text = live.run(&[&exec[..], &["--", "seq 1 9; exit 6"]].concat()).ok();
    let (shown, rest) = text.split_once("\n\n").unwrap();
    assert_eq!(shown, "1\n2\n3\n4");
    let lines: Vec<_> = rest.lines().collect();
    assert_eq!(lines[..2], ["[job_id: codex-terminal-1]", "[exit code: 6]"]);
    assert_eq!(
        lines[2],
        "[truncated: 5 lines, 10 bytes remain; terminal-session-live write codex-terminal-1 reads on]"
    );
    let words = lines[3].strip_prefix("[left out: terminal-session-blocks ").unwrap();
    let words = words.strip_suffix(']').unwrap();
    assert_eq!(live.named(&words.into()), "5\n6\n7\n8\n9");
    let text = live.run(&["write", "codex-terminal-1"]).ok();
    assert_eq!(text, "5\n6\n7\n8\n9\n[exit code: 6]\n");
    // Nothing would say otherwise that this one ended.
    let text = live.run(&[&exec[..], &["--", "seq 1 9"]].concat()).ok();
    let end = "[job_id: codex-terminal-2]\n[job codex-terminal-2 exited with code 0]\n[truncated: ";
    assert!(text.contains(end), "{text}");
}

#[test]
fn no_character_is_cut() {
    let live = Live::new();
    // With a line that is longer than a page and than the screen, and one that has no end.
    let text = format!("ab你好c\n{}\n😀é漢 x", "äöü漢😀".repeat(40));
    fs::write(live.user().join("text"), &text).unwrap();
    let args = ["--yield-time-ms", LONG, "--max-output-tokens"];
    for transport in TRANSPORTS {
        for tokens in ["1", "2", "5"] {
            let first = live.exec(&[&args[..], &[tokens, transport]].concat(), "cat text");
            let job = first["job_id"].as_str().unwrap().to_owned();
            let mut pages = vec![first];
            pages.extend(live.pages(&job, &["--max-output-tokens", tokens]));
            assert_eq!(whole(&pages), text);
            let most = 4 * tokens.parse::<usize>().unwrap();
            // A few of them: each is another run of a program.
            for (index, page) in pages.iter().enumerate() {
                assert!((1..=most).contains(&output(page).len()), "{page}");
                let rest = whole(&pages[index + 1..]);
                if !rest.is_empty() && index % 9 == 0 {
                    assert_eq!(live.named(&page["remaining"]["arguments"]), rest);
                }
            }
        }
    }
}

#[test]
fn a_flood_waits_until_it_is_read() {
    let live = Live::new();
    let want: String = (1..=400_000).map(|i| format!("{i}\n")).collect();
    for transport in TRANSPORTS {
        let args = [transport, "--max-output-tokens", "1e9"];
        let (job, first) = live.begin_loud(&args, "seq 1 400000");
        let mut pages = vec![first];
        pages.extend(live.pages(&job, &["--max-output-tokens", "1e9"]));
        assert!(whole(&pages) == want);
        assert!(pages.iter().all(|page| output(page).len() <= 40_000));
        assert_eq!(pages.last().unwrap()["exit_code"], 0);
    }
}

#[test]
fn too_much_unread_loses_its_middle_and_says_how_much() {
    for transport in TRANSPORTS {
        loses_its_middle(transport);
    }
}

#[track_caller]
fn loses_its_middle(transport: &str) {
    let live = Live::new();
    let tokens = ["--yield-time-ms", LONG, "--max-output-tokens", "1000"];
    let args = [&[transport, "--retain", "64KiB"], &tokens[..]].concat();
    let mut pages = vec![live.exec(&args, "seq 1 60000")];
    let job = pages[0]["job_id"].as_str().unwrap().to_owned();
    if pages[0]["exit_code"].is_null() {
        // What is read while it runs is not lost.
        eventually("it ended", || live.run(&["jobs", "list"]).ok().contains("completed"));
    }
    pages.extend(live.pages(&job, &["--max-output-tokens", "1000"]));
    let at = pages.iter().position(|page| !page["dropped"].is_null()).unwrap();
    assert_eq!(pages.iter().filter(|page| !page["dropped"].is_null()).count(), 1);
    let (head, tail) = (whole(&pages[..at]), whole(&pages[at..]));
    let want: String = (1..=60_000).map(|i| format!("{i}\n")).collect();
    assert!(want.starts_with(&head) && want.ends_with(&tail));
    assert!(head.len() > 20_000 && tail.len() > 20_000, "{} {}", head.len(), tail.len());
    let gone = &want[head.len()..want.len() - tail.len()];
    let dropped = &pages[at]["dropped"];
    assert_eq!(
        (&dropped["bytes"], &dropped["lines"]),
        (&gone.len().into(), &gone.lines().count().into())
    );
    assert_eq!(pages[at]["truncated"], true);
    assert_eq!(pages.last().unwrap()["truncated"], Value::Null);
}

#[test]
fn what_the_disk_does_not_take_is_counted_where_it_was() {
    // Files of 200 or 100 KiB: `ulimit` counts in blocks, of which shells have two sizes.
    let live = Live::with_limit("-f 200");
    let cmd = "seq 1 100000; echo end";
    let first = live.exec(&["--yield-time-ms", LONG, "--max-output-tokens", "10000"], cmd);
    let id = first["job_id"].as_str().unwrap().to_owned();
    let mut pages = vec![first];
    pages.extend(live.pages(&id, &["--max-output-tokens", "10000"]));
    assert_eq!(pages.last().unwrap()["exit_code"], 0);
    let gap = pages.iter().position(|page| !page["dropped"].is_null()).unwrap();
    let (before, behind) = (whole(&pages[..gap]), whole(&pages[gap..]));
    let all: String = (1..=100_000).map(|number| format!("{number}\n")).collect();
    let all = format!("{all}end\n");
    assert!(
        all.starts_with(&before) && all.ends_with(&behind),
        "{} {}",
        before.len(),
        behind.len()
    );
    let dropped = &all[before.len()..all.len() - behind.len()];
    let count = json!({ "lines": dropped.lines().count(), "bytes": dropped.len() });
    assert_eq!(pages[gap]["dropped"], count);
    let notes: Vec<&Value> =
        pages.iter().filter_map(|page| page["notes"].as_array()).flatten().collect();
    let about = |note: &&&Value| note.as_str().unwrap().contains("could not be kept");
    assert!(notes.iter().filter(about).count() > 0, "{notes:?}");
    let once = pages.iter().filter_map(|page| page["notes"].as_array());
    for notes in once {
        let texts: std::collections::HashSet<_> = notes.iter().map(Value::to_string).collect();
        assert_eq!(texts.len(), notes.len(), "{notes:?}");
    }
}

#[test]
fn output_that_belongs_to_a_sequence_without_an_end_is_said_to() {
    let live = Live::new();
    for (transport, begin) in [("--tty", r"\033]0;x"), ("--no-tty", r"\033Pq")] {
        let script = format!("printf '{begin}'; seq 1 9; read x");
        let over =
            live.exec(&[transport, "--yield-time-ms", LONG], &script.replace("; read x", ""));
        assert_eq!(output(&over), "");
        let bytes = if transport == "--tty" { 5 + 27 } else { 3 + 27 };
        let note = format!(
            "the last {bytes} bytes of output are a sequence such as a title that has not ended, so \
             they are shown nowhere"
        );
        assert_eq!(over["notes"], json!([note]));
    }
    let ended = live.exec(&["--yield-time-ms", LONG], r"printf '\033]0;x\007y'");
    assert_eq!((output(&ended), &ended["notes"]), ("y", &Value::Null));
}

#[test]
fn a_folder_may_be_below_the_users_home() {
    let live = Live::new();
    fs::create_dir(live.user().join("sub")).unwrap();
    let args = ["--yield-time-ms", LONG, "--workdir", "~/sub"];
    assert!(output(&live.exec(&args, "pwd")).ends_with("/user/sub\n"));
}

#[test]
fn control_c_comes_before_what_no_program_reads() {
    let live = Live::new();
    let job = live.begin(&["--tty"], "echo $$ >pid; exec sleep 600");
    eventually("it runs", || live.user().join("pid").exists());
    let lines = "x\n".repeat(20_000);
    live.write(&job, &["--chars", &lines, "--yield-time-ms", "0"]);
    let end = live.typed(&job, "\x03");
    assert_eq!(end["signal"], "SIGINT", "{end}");
    let note = end["notes"][0].as_str().unwrap();
    assert!(note.starts_with("C-c threw away what was typed and not read, "), "{end}");
}

#[test]
fn four_jobs_at_once_are_each_their_own() {
    let live = Live::new();
    let codes = [0, 3, 0, 0];
    let mut jobs = BTreeMap::new();
    for (number, code) in codes.iter().enumerate() {
        let script = format!("{}; seq {number} 9; exit {code}", wait_for("go"));
        jobs.insert(live.begin(&[], &script), (number, String::new(), Value::Null));
    }
    let listed = live.run(&["jobs", "list"]).ok();
    assert_eq!(listed.lines().filter(|line| line.contains("] running — ")).count(), 4, "{listed}");
    live.touch("go");
    while jobs.values().any(|(_, _, end)| end.is_null()) {
        for (job, (_, text, end)) in &mut jobs {
            if end.is_null() {
                let page = live.write(job, &["--yield-time-ms", "50", "--max-output-tokens", "1"]);
                text.push_str(output(&page));
                if page["job_id"].is_null() {
                    *end = page["exit_code"].clone();
                }
            }
        }
    }
    for (job, (number, text, end)) in &jobs {
        let want: String = (*number..=9).map(|i| format!("{i}\n")).collect();
        assert_eq!((text, end), (&want, &codes[*number].into()));
        let again = live.run(&["write", job]).ok();
        let code = codes[*number];
        let want = format!("[job {job} exited with code {code}; no unread output remains]\n");
        assert_eq!(again, want);
    }
    let listed = live.run(&["jobs", "list"]).ok();
    assert_eq!(listed.lines().filter(|line| line.contains("] completed — ")).count(), 4);
}

#[test]
fn the_most_jobs_hold_under_parallel_calls() {
    let live = Live::new();
    let script = wait_for("go");
    let args = ["exec", "--shell", "/bin/sh", "--max-jobs", "2", "--yield-time-ms", "0", "--json"];
    let start = || {
        let mut command = live.command(&[&args[..], &["--", &script]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<_> = (0..4).map(|_| start()).collect();
    let runs: Vec<Run> = running.into_iter().map(crate::support::live::ended).collect();
    let refused: Vec<_> = runs.iter().filter(|run| run.code != 0).collect();
    assert_eq!(refused.len(), 2, "{runs:?}");
    for run in refused {
        let want = "error: maximum active exec sessions reached (2); to make room, end one with \
                    `jobs kill`, and read one that has finished to its end with `write`\n";
        assert_eq!(run.stderr, want);
    }
    live.touch("go");
    // One that ended and was not read counts; once it is read there is room.
    let list = || live.run(&["jobs", "list"]).ok();
    eventually("they ended", || list().matches("completed").count() == 2);
    let more = ["exec", "--max-jobs", "2", "--", "true"];
    live.run(&more).fails(1);
    let first = list().split(' ').next().unwrap().to_owned();
    live.pages(&first, &[]);
    live.run(&more).ok();
}

#[test]
fn many_calls_at_once_give_each_part_once() {
    let live = Live::new();
    let (job, first) = live.begin_loud(&["--no-tty"], "seq 1 3000; read x");
    let start = || {
        let args = ["write", &job, "--max-output-tokens", "25", "--yield-time-ms", "0", "--json"];
        live.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<_> = (0..100).map(|_| start()).collect();
    let mut pages = vec![first];
    pages.extend(running.into_iter().map(|child| crate::support::live::ended(child).json()));
    let end = live.write(&job, &["--eof", "--max-output-tokens", "25"]);
    // The others may have left so little that this was all.
    let is_over = end["job_id"].is_null();
    pages.push(end);
    if !is_over {
        pages.extend(live.pages(&job, &["--max-output-tokens", "10000"]));
    }
    let number = |page: &Value| -> usize {
        page["chunk_id"].as_str().unwrap().rsplit('-').next().unwrap().parse().unwrap()
    };
    pages.sort_by_key(number);
    let numbers: Vec<_> = pages.iter().map(number).collect();
    assert!(numbers.iter().copied().eq(1..=pages.len()), "each is one of its own: {numbers:?}");
    let want: String = (1..=3000).map(|i| format!("{i}\n")).collect();
    assert_eq!(whole(&pages), want);
}

#[test]
fn control_c_interrupts_with_and_without_a_terminal() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let script = "trap 'echo caught; exit 9' INT; echo ready; read x; sleep 600";
        let (job, begun) = live.begin_loud(&[transport], script);
        let mut seen = output(&begun).to_owned();
        eventually("it is ready", || {
            seen.push_str(output(&live.write(&job, &["--yield-time-ms", "50"])));
            seen.contains("ready")
        });
        let answer = live.typed(&job, "\x03");
        assert_eq!(
            (output(&answer).ends_with("caught\n"), &answer["exit_code"]),
            (true, &9.into()),
            "{answer}"
        );
        let job = live.begin(&[transport], "exec sleep 600");
        let answer = live.typed(&job, "\x03");
        assert_eq!(
            (&answer["signal"], &answer["exit_code"]),
            (&"SIGINT".into(), &Value::Null),
            "{answer}"
        );
    }
}

#[test]
fn the_input_can_be_ended() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let job = live.begin(&[transport], "cat; cat; echo end");
        let answer = live.write(&job, &["--chars", "no newline", "--eof", "--yield-time-ms", LONG]);
        let mut text = output(&answer).to_owned();
        if !answer["job_id"].is_null() {
            text.push_str(&whole(&live.pages(&job, &[])));
        }
        let echo = if transport == "--tty" { "no newline" } else { "" };
        assert_eq!(text, format!("{echo}no newlineend\n"));
    }
    let job = live.begin(&["--no-tty"], &format!("cat; {}", wait_for("go")));
    live.write(&job, &["--eof"]);
    let why = live.run(&["write", &job, "--chars", "x"]).fails(1);
    let want = "stdin is closed; poll with empty chars to collect its result";
    let how = format!("terminal-session-live write {job} does that");
    assert_eq!(why, format!("error: exec job {job} {want}; {how}\n"));
    live.touch("go");
    assert_eq!(live.pages(&job, &[]).last().unwrap()["exit_code"], 0);
}

#[test]
fn control_c_interrupts_after_the_end_of_input() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let job = live.begin(&[transport], "exec sleep 600");
        live.write(&job, &["--eof", "--yield-time-ms", "0"]);
        live.run(&["write", &job, "--chars", "x\x03"]).fails(1);
        let page = live.typed(&job, "\x03");
        assert_eq!((&page["job_id"], &page["signal"]), (&Value::Null, &"SIGINT".into()), "{page}");
        live.run(&["write", &job, "--chars", "\x03"]).fails(1);
    }
}

#[test]
fn a_job_that_closed_its_input_lives_on() {
    let live = Live::new();
    let script = format!("exec 0<&-; touch closed; {}; echo alive; exit 8", wait_for("go"));
    let job = live.begin(&["--no-tty"], &script);
    eventually("it closed its input", || live.user().join("closed").exists());
    let answer = live.write(&job, &["--chars", "lost\n"]);
    assert_eq!(answer["job_id"], job.as_str(), "{answer}");
    assert_eq!(answer["notes"][0], "it reads no more input, so what was written is lost");
    live.touch("go");
    let pages = live.pages(&job, &[]);
    assert_eq!(
        (whole(&pages).as_str(), &pages.last().unwrap()["exit_code"]),
        ("alive\n", &8.into())
    );
}

#[test]
fn a_caller_that_dies_ends_nothing() {
    let live = Live::new();
    let script = format!("{}; echo there; exit 2", wait_for("go"));
    let job = live.begin(&[], &script);
    let request = json!({
        "do": "job",
        "job": "write", "chars": "", "eof": false,
        "wait": { "timeoutMs": 300_000, "maxBytes": 1000 },
    });
    let mut stream = job_connection(&live, &job);
    stream.write_all(&call(&live, &request)).unwrap();
    // An answer to a later one says that it was taken.
    live.run(&["jobs", "list"]).ok();
    drop(stream);
    // One that started a command, too; that runs, so it waits for it.
    let args = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG, "--", &script];
    let mut caller = live.command(&args).stdout(Stdio::null()).spawn().unwrap();
    let list = || live.run(&["jobs", "list"]).ok();
    eventually("it runs", || list().matches("running").count() == 2);
    caller.kill().unwrap();
    caller.wait().unwrap();
    live.touch("go");
    for job in ["codex-terminal-1", "codex-terminal-2"] {
        let pages = live.pages(job, &[]);
        assert_eq!(
            (whole(&pages).as_str(), &pages.last().unwrap()["exit_code"]),
            ("there\n", &2.into())
        );
    }
}

#[test]
fn a_program_that_waits_is_said_to() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let job = live.begin(&[transport], "read x; exec sleep 600");
        eventually("it waits", || {
            live.write(&job, &["--yield-time-ms", "300"])["awaits_input"] == true
        });
        let text = live.run(&["write", &job, "--yield-time-ms", "300"]).ok();
        assert_eq!(text, format!("[job_id: {job}]\n[waits for input]\n"));
        live.write(&job, &["--chars", "\n", "--yield-time-ms", "0"]);
        eventually("it works", || {
            live.write(&job, &["--yield-time-ms", "300"])["awaits_input"].is_null()
        });
        live.run(&["jobs", "kill", &job]).ok();
    }
    let mut text = String::new();
    eventually("the answer to its start says so, too", || {
        let exec = ["exec", "--shell", "/bin/sh", "--yield-time-ms", "1000", "--", "read x"];
        text = live.run(&exec).ok();
        text.ends_with("[waits for input]\n")
    });
}

#[test]
fn many_who_wait_leave_room_for_others() {
    let live = Live::with_limit("-n 100");
    let job = live.begin(&["--no-tty"], "read x; exec sleep 600");
    let request = json!({
        "do": "job",
        "job": "write", "chars": "", "eof": false,
        "wait": { "timeoutMs": 300_000, "maxBytes": 1000 },
    });
    let call = |request| call(&live, request);
    let crowd = |connect: &dyn Fn() -> UnixStream, line: &[u8]| -> Vec<UnixStream> {
        let ask = |_| {
            let mut stream = connect();
            stream.write_all(line).unwrap();
            stream
        };
        (0..70).map(ask).collect()
    };
    let mut waiting = crowd(&|| job_connection(&live, &job), &call(&request));
    assert!(live.run(&["jobs", "list"]).ok().contains("running"));
    let refused = live.run(&["write", &job, "--yield-time-ms", "50"]).fails(1);
    let want = format!("error: exec job {job} is busy: ");
    assert!(refused.starts_with(&want) && refused.lines().count() == 1, "{refused}");
    live.write(&job, &["--chars", "x\n", "--yield-time-ms", "0"]);
    live.run(&["jobs", "kill", &job]).ok();
    let mut counts = [0; 2];
    for stream in &mut waiting {
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        let is_busy = answer["error"]["code"] == "busy";
        assert!(is_busy || answer["done"]["job"]["page"].is_object(), "{answer}");
        counts[usize::from(is_busy)] += 1;
    }
    assert!(counts[0] > 20 && counts[1] > 5, "{counts:?}");
    // It is the same with those who wait for something in a terminal.
    let term = live.program(&["cat"]);
    let wait = json!({ "timeoutMs": 300_000, "maxBytes": 1000 });
    let request = json!({ "do": "wait", "until": "exit", "wait": wait });
    let waiting = crowd(&|| connect(&live, &term.id), &call(&request));
    let refused = live.run(&["wait", &term.id, "--timeout-ms", "1"]).fails(1);
    assert!(refused.starts_with(&format!("error: PTY session {} is busy: ", term.id)), "{refused}");
    term.keys(&["C-d"]);
    let answers: Vec<Value> =
        waiting.iter().map(|stream| serde_json::from_str(&answer(stream)).unwrap()).collect();
    let busy = answers.iter().filter(|answer| answer["error"]["code"] == "busy").count();
    assert!((5..40).contains(&busy), "{busy}");
}

#[test]
fn a_job_whose_host_was_killed_is_said_to_have_failed() {
    let live = Live::new();
    let script = format!("{}; echo $PPID > host; echo kept; exec sleep 600", wait_for("go"));
    let job = live.begin(&["--tty"], &script);
    live.touch("go");
    // As JSON, in a journal.
    eventually("what it printed is kept", || !live.files_with(r"kept\r").is_empty());
    let row = &live.json(&["jobs", "list"])[0];
    let (terminal, block) =
        (row["terminal_id"].as_str().unwrap(), row["block_id"].as_str().unwrap());
    let mut waiting = live.command(&["write", &job, "--chars", "x", "--yield-time-ms", LONG]);
    let waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let host = process_of(&fs::read_to_string(live.user().join("host")).unwrap());
    kill(&host, Signal::KILL);
    let how = format!(
        "its host was killed; terminal-session-record recover {terminal} makes a block of what it \
         printed, terminal-session-blocks {terminal} {block} prints that"
    );
    let why = format!("error: exec job {job} failed: {how}\n");
    assert_eq!(crate::support::live::ended(waiting).fails(1), why);
    let said = || {
        assert_eq!(live.run(&["write", &job]).fails(1), why);
        assert_eq!(live.run(&["write", &job, "--chars", "x"]).fails(1), why);
        let listed = live.run(&["jobs", "list"]).ok();
        assert!(listed.starts_with(&format!("{job} [codex-terminal] failed — until")), "{listed}");
        let killed = live.run(&["jobs", "kill", &job]).ok();
        let want = format!("job {job} had already finished [status: failed: {how}]\n");
        assert_eq!(killed, want);
        let name = format!("{terminal}/{job}");
        assert_eq!(live.run(&["jobs", "kill", &name, "--operator"]).fails(1), why);
    };
    said();
    // The next one recovers what it left.
    live.exec(&["--yield-time-ms", LONG], "true");
    said();
    assert_eq!(live.block_texts(&[terminal, block]), ["kept"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_ends_with_a_host_that_is_killed() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let job = live.begin(&[transport], "trap '' HUP; echo $$ $PPID >ids; exec sleep 600");
        eventually("it runs", || {
            fs::read_to_string(live.user().join("ids")).is_ok_and(|ids| ids.ends_with('\n'))
        });
        let ids = fs::read_to_string(live.user().join("ids")).unwrap();
        let (command, host) = ids.split_once(' ').unwrap();
        let (command, host) = (process_of(command), process_of(host));
        kill(&host, Signal::KILL);
        eventually("nobody could reach it", || !is_alive(&command));
        live.run(&["write", &job]).fails(1);
        fs::remove_file(live.user().join("ids")).unwrap();
    }
}

#[test]
fn a_session_that_is_held_by_another_program_keeps_no_command_waiting() {
    let live = Live::new();
    let script = format!("echo $PPID > host; {}; echo kept; exec sleep 600", wait_for("go"));
    let job = live.begin(&["--tty"], &script);
    live.touch("go");
    eventually("what it printed is kept", || !live.files_with(r"kept\r").is_empty());
    let row = live.json(&["jobs", "list"])[0].clone();
    let (terminal, block) =
        (row["terminal_id"].as_str().unwrap(), row["block_id"].as_str().unwrap());
    // One that has ended makes the session.
    live.exec(&["--yield-time-ms", LONG], "true");
    let host = process_of(&fs::read_to_string(live.user().join("host")).unwrap());
    kill(&host, Signal::KILL);
    eventually("it is gone", || !is_alive(&host));
    let sessions = live.codex_home().join("codex-deck/terminal/sessions");
    let lock = fs::File::open(sessions.join(terminal).join("session.lock")).unwrap();
    lock.lock().unwrap();
    let exec = ["exec", "--shell", "/bin/sh", "--yield-time-ms", "0", "--", "exec sleep 600"];
    let mut beginning = live.command(&exec).stdout(Stdio::null()).spawn().unwrap();
    eventually("it began", || beginning.try_wait().unwrap().is_some());
    drop(lock);
    // The next one recovers what the other one had no time for.
    live.exec(&["--yield-time-ms", LONG], "true");
    assert_eq!(live.block_texts(&[terminal, block]), ["kept"]);
    live.run(&["write", &job]).fails(1);
}

#[test]
fn what_names_a_block_names_its_codex_home() {
    let live = Live::new();
    let home = live.user().join("else where");
    let home = home.to_str().unwrap();
    let script = "echo $PPID > host; echo unread; touch there; exec sleep 600";
    let begin = |args: &[&str]| {
        let args = [&["--codex-home", home, "--tty"], args].concat();
        let job = live.begin_loud(&args, script).0;
        eventually("it runs", || live.user().join("there").exists());
        fs::remove_file(live.user().join("there")).unwrap();
        let rows = live.json(&["jobs", "list"]);
        let row = rows.as_array().unwrap().iter().find(|row| row["job_id"] == job).unwrap();
        let part = |name: &str| row[name].as_str().unwrap().to_owned();
        (job.clone(), part("terminal_id"), part("block_id"))
    };
    let (job, terminal, block) = begin(&[]);
    let host = process_of(&fs::read_to_string(live.user().join("host")).unwrap());
    kill(&host, Signal::KILL);
    eventually("it is gone", || !is_alive(&host));
    let how = format!(
        "its host was killed; terminal-session-record recover {terminal} --codex-home '{home}' makes \
         a block of what it printed, terminal-session-blocks {terminal} {block} --codex-home '{home}' \
         prints that"
    );
    let why = live.run(&["write", &job]).fails(1);
    assert_eq!(why, format!("error: exec job {job} failed: {how}\n"));
    assert_eq!(live.json(&["jobs", "list"])[0]["error"], how);
    let (job, terminal, block) = begin(&[]);
    live.run(&["jobs", "kill", &format!("{terminal}/{job}"), "--operator"]).ok();
    let why = live.run(&["write", &job]).fails(1);
    let words =
        format!("terminal-session-blocks {terminal} {block} --codex-home '{home}' prints it\n");
    assert!(why.ends_with(&words), "{why}");
}

#[test]
fn a_state_that_cannot_be_read_stops_nobody() {
    let live = Live::new();
    let as_agent = |agent: &str, args: &[&str]| finish(live.command(args).env(AGENT, agent));
    let begin = ["exec", "--yield-time-ms", "0", "--json", "--", "exec sleep 600"];
    let begun = ["one", "two"].map(|agent| as_agent(agent, &begin).json());
    // An hour's memory counts too.
    assert_eq!(as_agent("one", &begin).json()["job_id"], "codex-terminal-2");
    as_agent("one", &["jobs", "kill", "codex-terminal-2"]).ok();
    as_agent("one", &["write", "codex-terminal-2", "--yield-time-ms", LONGEST]).ok();
    let agents = live.runtime().join("agents");
    let states: Vec<_> =
        tree_of(&agents).into_iter().filter(|name| name.ends_with("jobs/state")).collect();
    assert_eq!(states.len(), 2, "{states:?}");
    for torn in ["", "{\"terminal_id\":\"x"] {
        for state in &states {
            fs::write(agents.join(state), torn).unwrap();
        }
        let job = as_agent("one", &begin).json()["job_id"].as_str().unwrap().to_owned();
        assert_eq!(job, if torn.is_empty() { "codex-terminal-3" } else { "codex-terminal-4" });
    }
    for answer in &begun {
        let name = format!("{}/codex-terminal-1", answer["terminal_id"].as_str().unwrap());
        let listed = live.run(&["jobs", "list", "--operator"]).ok();
        assert!(listed.contains(&name), "{listed}");
        live.run(&["jobs", "kill", &name, "--operator"]).ok();
    }
}

#[test]
fn a_label_is_the_beginning_of_a_long_command() {
    let live = Live::new();
    let long = format!("exec sleep 600 # {}", "ä".repeat(5000));
    let job = live.begin(&[], &long);
    let row = &live.json(&["jobs", "list"])[0];
    let want: String = long.chars().take(200).chain(['…']).collect();
    assert_eq!((&row["job_id"], &row["label"]), (&job.into(), &want.into()));
}

#[test]
fn a_command_has_the_usual_shell_and_size() {
    let live = Live::new();
    let exec = |shell: &str, cmd: &str| {
        let mut command = live.command(&["exec", "--tty", "--yield-time-ms", LONG, "--", cmd]);
        finish(command.env("SHELL", shell)).ok()
    };
    assert_eq!(exec("/bin/sh", "stty size; echo $0"), "24 80\n/bin/sh\n");
    // One that cannot be run is none.
    for no in ["/no/shell", "/etc/passwd", ""] {
        let shell = exec(no, "echo $BASH_VERSION $0");
        assert!(shell.ends_with("/bash\n") && shell.len() > "/usr/bin/bash\n".len(), "{shell}");
    }
}

#[test]
fn a_command_may_be_longer_than_an_argument() {
    let live = Live::new();
    let long = ["x", "y"].map(|c| c.repeat(100_000));
    let script = "\nread x; echo \"it's $x\" $# $0; exit 7\n";
    let fish = "\nread x; echo \"it's $x\" (count $argv) fish; exit 7\n";
    for shell in ["/bin/sh", "sh", "bash", "zsh", "fish"] {
        if !shell.contains('/') && !is_installed(shell) {
            skipped(&format!("{shell} is not installed"));
            continue;
        }
        for transport in TRANSPORTS {
            let script = if shell == "fish" { fish } else { script };
            let start =
                ["exec", "--json", "--shell", shell, transport, "--yield-time-ms", "0", "--"];
            let begun = live.run(&[&start[..], &[":", &long[0], &long[1], script]].concat()).json();
            let job = begun["job_id"].as_str().unwrap_or_else(|| panic!("{begun}"));
            let page = live.typed(job, "word\n");
            let want = format!("it's word 0 {shell}\n");
            assert!(output(&page).ends_with(&want), "{page}");
            assert_eq!(page["exit_code"], 7, "{page}");
        }
    }
    let left = tree_of(&live.runtime());
    assert!(!left.iter().any(|name| name.ends_with(".command")), "{left:?}");
    // What never starts leaves none either.
    let no = ["exec", "--shell", "/no/shell", "--", ":", &long[0], &long[1]];
    let why = live.run(&no).fails(1);
    assert!(why.starts_with("error: cannot start the command: cannot run /no/shell"), "{why}");
    let left = tree_of(&live.runtime());
    assert!(!left.iter().any(|name| name.ends_with(".command")), "{left:?}");
}

#[test]
fn a_list_tells_what_is_unread() {
    let live = Live::new();
    let (go, end) = (wait_for("go"), wait_for("end"));
    let job = live.begin(&["--no-tty"], &format!("{go}; echo new; touch there; {end}; kill $$"));
    let line = |status: &str, end: &str| {
        let label = format!("{go}; echo new; touch there; {}; kill $$", wait_for("end"));
        format!("{job} [codex-terminal] {status} — {label}{end}\n")
    };
    assert_eq!(live.run(&["jobs", "list"]).ok(), line("running", ""));
    live.touch("go");
    eventually("there is something", || {
        live.run(&["jobs", "list"]).ok() == line("running", " [unread output]")
    });
    assert_eq!(output(&live.write(&job, &[])), "new\n");
    assert_eq!(live.run(&["jobs", "list"]).ok(), line("running", ""));
    live.touch("end");
    // Nobody has read of its end.
    let want = line("completed", " [signal: SIGTERM] [unread output]");
    eventually("it ended", || live.run(&["jobs", "list"]).ok() == want);
    live.pages(&job, &[]);
    assert_eq!(live.run(&["jobs", "list"]).ok(), line("completed", " [signal: SIGTERM]"));
}

#[test]
fn more_than_is_allowed_is_said_to_be() {
    let live = Live::new();
    let args = ["--yield-time-ms", "30001", "--max-output-tokens", "10001"];
    let note = ["yield_time_ms is 30000 at most", "max_output_tokens is 10000 at most"];
    let note = note.map(|note| format!("{note}, which was taken"));
    assert_eq!(live.exec(&args, "true")["notes"], json!(note));
    let text = live.run(&[&["exec"], &args[..], &["--", "echo x"]].concat()).ok();
    assert_eq!(text, format!("x\n\n[note: {}]\n[note: {}]\n", note[0], note[1]));
    let job = live.begin(&["--no-tty"], "read x");
    let answer = live.write(&job, &["--chars", "\n", "--yield-time-ms", "30001"]);
    assert_eq!(answer["notes"], json!([note[0]]));
    assert!(live.write(&job, &["--yield-time-ms", "300000"])["notes"].is_null());
}

#[test]
fn a_person_is_told_that_there_is_nothing_to_see() {
    let live = Live::new();
    let shown = |cmd: &str| {
        let args = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG, "--", cmd];
        run_on_terminal(live.command(&args).env("NO_COLOR", "1"))
    };
    let note = "note: it ended with exit code 0 and printed nothing\r\n";
    assert_eq!(shown("true"), (note.to_owned(), 0));
    assert_eq!(shown("echo x").0, "x\r\n");
}

#[test]
fn a_page_that_did_not_arrive_comes_again() {
    let live = Live::new();
    let want: String = (1..=200_000).map(|i| format!("{i}\n")).collect();
    let most: usize = 1 << 20;
    // One that is the last, and one that is not.
    for (count, is_last) in [(100_000, true), (200_000, false)] {
        let script = format!("{}; seq 1 {count}", wait_for("go"));
        let job = live.begin(&["--no-tty"], &script);
        live.touch("go");
        let row = format!("{job} [codex-terminal] completed");
        eventually("it ended", || live.run(&["jobs", "list"]).ok().contains(&row));
        // Some of it comes, and it is more than can be underway.
        let mut stream = job_connection(&live, &job);
        stream.write_all(&poll(&live, most)).unwrap();
        stream.read_exact(&mut [0; 100]).unwrap();
        drop(stream);
        let tokens = (most / 4).to_string();
        let long = ["--max-output-tokens", &tokens, "--max-output-tokens-cap", &tokens];
        let pages = live.pages(&job, &long);
        let first = output(&pages[0]).len();
        assert_eq!((pages.len() == 1, first > most - 100 || is_last), (is_last, true), "{first}");
        let number = |page: &Value| {
            page["chunk_id"].as_str().unwrap().rsplit('-').next().unwrap().parse::<usize>().unwrap()
        };
        // The page that told the id was the first one.
        assert!(pages.iter().map(number).eq(2..2 + pages.len()));
        let text = whole(&pages);
        assert!(want.starts_with(&text) && text.lines().count() == count, "{}", text.len());
        assert_eq!(pages.last().unwrap()["exit_code"], 0);
        let again = live.write(&job, &[]);
        assert_eq!((output(&again), &again["already_collected"]), ("", &true.into()), "{again}");
        fs::remove_file(live.user().join("go")).unwrap();
    }
}

/// A request for the next page of a job, without any wait.
fn poll(live: &Live, bytes: usize) -> Vec<u8> {
    let request = json!({
        "do": "job",
        "job": "write", "chars": "", "eof": false,
        "wait": { "timeoutMs": 0, "maxBytes": bytes },
    });
    call(live, &request)
}

/// Reads an answer up to its end; the connection stays.
fn page(stream: &UnixStream) -> Value {
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    let page = answer["done"]["job"]["page"].clone();
    assert!(page.is_object(), "{answer}");
    page
}

#[test]
fn a_page_counts_once_its_reader_says_so() {
    let live = Live::new();
    let job = live.begin(&["--no-tty"], &format!("{}; seq 1 9; exit 3", wait_for("go")));
    live.touch("go");
    let row = format!("{job} [codex-terminal] completed");
    eventually("it ended", || live.run(&["jobs", "list"]).ok().contains(&row));
    let ask = |bytes| {
        let mut stream = job_connection(&live, &job);
        stream.write_all(&poll(&live, bytes)).unwrap();
        let page = page(&stream);
        (stream, page)
    };
    let (one, first) = ask(4);
    // Nobody waits for the one that has not said anything.
    let (mut two, second) = ask(4);
    let (three, third) = ask(100);
    assert_eq!([&first["output"], &second["output"]], ["1\n2\n", "3\n4\n"]);
    assert_eq!((&third["output"], &third["isLast"]), (&"5\n6\n7\n8\n9\n".into(), &true.into()));
    two.write_all(b"\n").unwrap();
    // It lets go of what was confirmed, and of nothing else.
    assert_eq!(two.read(&mut [0]).unwrap(), 0);
    drop(one);
    let again = live.write(&job, &[]);
    assert_eq!((output(&again), &again["chunk_id"]), ("1\n2\n", &format!("{job}-2").into()));
    drop(three);
    let last = live.write(&job, &[]);
    assert_eq!((output(&last), &last["exit_code"]), ("5\n6\n7\n8\n9\n", &3.into()));
    assert_eq!(last["chunk_id"], format!("{job}-4"));
    let over = live.write(&job, &[]);
    assert_eq!((output(&over), &over["already_collected"]), ("", &true.into()));
    // The host is gone.
    let sockets = tree_of(&live.runtime().join("agents"));
    assert!(!sockets.iter().any(|name| name.ends_with(".sock")), "{sockets:?}");
}

#[test]
fn a_page_that_comes_again_is_as_long_as_it_may_be() {
    let live = Live::new();
    let script = format!("{}; printf '1\\n2\\näöü\\n4\\n5\\n6\\n'; exit 3", wait_for("go"));
    let want = "1\n2\näöü\n4\n5\n6\n";
    let tokens = ["--max-output-tokens", "1"];
    for lost in [[11, 100], [100, 100]] {
        let job = live.begin(&["--no-tty"], &script);
        live.touch("go");
        let row = format!("{job} [codex-terminal] completed");
        eventually("it ended", || live.run(&["jobs", "list"]).ok().contains(&row));
        let told = lost.map(|bytes| {
            let mut stream = job_connection(&live, &job);
            stream.write_all(&poll(&live, bytes)).unwrap();
            let page = page(&stream);
            (stream, page)
        });
        let first = told[0].1["output"].as_str().unwrap().to_owned();
        assert_eq!(first, if lost[0] == 11 { "1\n2\näöü\n" } else { want });
        drop(told);
        // A part of it that is lost as well stays before the rest.
        let mut stream = job_connection(&live, &job);
        stream.write_all(&poll(&live, 4)).unwrap();
        assert_eq!(page(&stream)["output"], "1\n2\n");
        drop(stream);
        let pages = live.pages(&job, &tokens);
        let texts: Vec<_> = pages.iter().map(output).collect();
        // Behind a line where one fits, else behind a character.
        assert_eq!(texts, ["1\n2\n", "äö", "ü\n", "4\n5\n", "6\n"]);
        for (index, page) in pages.iter().enumerate() {
            let rest =
                if lost[0] == 11 && index < 3 { &pages[index + 1..3] } else { &pages[index + 1..] };
            let rest = whole(rest) + if lost[0] == 11 && index < 3 { "4\n5\n6\n" } else { "" };
            let is_last = rest.is_empty();
            assert_eq!(page["truncated"], if is_last { Value::Null } else { true.into() });
            assert_eq!(page["job_id"].is_null(), is_last, "{page}");
            assert_eq!(page["exit_code"], 3, "{page}");
            if !is_last {
                let remaining = &page["remaining"];
                let sizes = (rest.lines().count(), rest.len());
                assert_eq!(
                    (&remaining["lines"], &remaining["bytes"]),
                    (&sizes.0.into(), &sizes.1.into())
                );
            }
        }
        // The part that was lost comes as it was, with its name; other texts have others.
        let names: BTreeSet<_> = pages.iter().map(|page| page["chunk_id"].to_string()).collect();
        assert_eq!(names.len(), pages.len(), "{names:?}");
        let old = format!("\"{job}-2\"");
        assert!(!names.contains(&old), "{names:?}");
        assert_eq!(live.write(&job, &[])["already_collected"], true);
        fs::remove_file(live.user().join("go")).unwrap();
    }
}

#[test]
fn a_page_that_could_not_be_printed_comes_again() {
    let live = Live::new();
    let nowhere = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        [Stdio::from(full), Stdio::from(writer)]
    };
    for (number, stdout) in nowhere().into_iter().enumerate() {
        let exec = ["exec", "--shell", "/bin/sh", "--yield-time-ms", LONG, "--", "echo kept"];
        let mut command = live.command(&exec);
        let status = command.stdout(stdout).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some([1, 0][number]));
        let job = format!("codex-terminal-{}", number + 1);
        for stdout in nowhere() {
            live.command(&["write", &job]).stdout(stdout).stderr(Stdio::null()).status().unwrap();
        }
        let page = live.write(&job, &[]);
        assert_eq!((output(&page), &page["exit_code"]), ("kept\n", &0.into()));
        // It is the one that the call was about which started it.
        assert_eq!(page["chunk_id"], format!("{}-1", number + 1));
        assert_eq!(live.write(&job, &[])["already_collected"], true);
    }
}

/// A process whose number was printed.
fn process_of(number: &str) -> Process {
    process(number.trim().parse().ok().and_then(Pid::from_raw).unwrap()).unwrap()
}

#[test]
fn what_a_command_leaves_behind_goes_on_until_its_output_was_read() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let script = "sleep 600 & echo $!; seq 1 9; exit 4";
        let args = [transport, "--yield-time-ms", LONG, "--max-output-tokens", "2"];
        let first = live.exec(&args, script);
        let job = first["job_id"].as_str().unwrap().to_owned();
        assert_eq!(first["exit_code"], 4, "it does not keep the job");
        let left = process_of(output(&first).lines().next().unwrap());
        let pid = left.pid.as_raw_nonzero();
        let how = "which ends what nohup or setsid did not begin (what is to stay can be a command \
            of its own, without &)";
        let note = |when| format!("left in the background: sleep ({pid}); hung up {when}, {how}");
        assert_eq!(first["notes"], json!([note("once all output was read")]));
        let second = live.write(&job, &["--max-output-tokens", "1"]);
        assert!(second["notes"].is_null() && is_alive(&left), "{second}");
        live.pages(&job, &[]);
        eventually("it is hung up", || !is_alive(&left));
        let only = live.exec(&[transport, "--yield-time-ms", LONG], "sleep 600 & echo $!");
        let note = only["notes"][0].as_str().unwrap();
        assert!(note.contains("; hung up now, "), "{only}");
        let pid = output(&only).trim().parse().ok().and_then(Pid::from_raw).unwrap();
        eventually("it is hung up at once", || process(pid).is_none_or(|left| !left.is_alive()));
    }
}

#[test]
fn a_kill_ends_what_was_left_behind_too() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let script = "nohup sleep 600 >/dev/null 2>&1 </dev/null & echo $!; seq 1 9; exit 4";
        let args = [transport, "--yield-time-ms", LONG, "--max-output-tokens", "2"];
        let first = live.exec(&args, script);
        let job = first["job_id"].as_str().unwrap().to_owned();
        let left = process_of(output(&first).lines().next().unwrap());
        let killed = live.run(&["jobs", "kill", &job]).ok();
        let want = format!("job {job} had already finished [status: completed, exit code: 4]\n");
        assert_eq!(killed, want);
        // The host leaves once it is done with that, however soon all is read.
        assert_eq!(live.pages(&job, &[]).last().unwrap()["exit_code"], 4);
        eventually("it ended", || !is_alive(&left));
    }
}

/// Waits until a host has done all that it does.
fn wait_for_end(host: &str) {
    let pid = host.trim().parse().ok().and_then(Pid::from_raw).unwrap();
    eventually("its host is gone", || process(pid).is_none_or(|host| !host.is_alive()));
}

/// Ends what lives on, as it must.
#[track_caller]
fn end(living: &Process) {
    assert!(is_alive(living), "{living:?}");
    kill(living, Signal::KILL);
    eventually("it ended", || !is_alive(living));
}

#[test]
fn what_ignores_a_hangup_or_has_a_session_of_its_own_lives_on() {
    let live = Live::new();
    for transport in TRANSPORTS {
        for begin in ["nohup sleep 600 &", "nohup sleep 600 >/dev/null 2>&1 </dev/null &"] {
            // What `nohup` says may come at any time.
            let script = format!("{begin} echo $PPID $! > ids");
            let answer = live.exec(&[transport, "--yield-time-ms", LONG], &script);
            assert_eq!((&answer["exit_code"], &answer["job_id"]), (&0.into(), &Value::Null));
            let ids = fs::read_to_string(live.user().join("ids")).unwrap();
            let (host, left) = ids.trim().split_once(' ').unwrap();
            wait_for_end(host);
            end(&process_of(left));
        }
        fs::remove_file(live.user().join("daemon")).unwrap_or_default();
        let script = "setsid sh -c 'echo $$ > new; mv new daemon; exec sleep 600' & \
                      until [ -e daemon ]; do sleep 0.02; done; echo $PPID";
        let answer = live.exec(&[transport, "--yield-time-ms", LONG], script);
        let daemon = process_of(&fs::read_to_string(live.user().join("daemon")).unwrap());
        let note = answer["notes"][0].as_str().unwrap();
        assert!(note.starts_with("left running in a session of its own: "), "{answer}");
        assert!(note.ends_with(&format!(" ({})", daemon.pid.as_raw_nonzero())), "{answer}");
        wait_for_end(output(&answer));
        end(&daemon);
    }
}

#[test]
fn a_shell_in_a_job_controls_its_own_jobs() {
    let live = Live::new();
    let (job, first) = live.begin_loud(&["--tty"], "PS1='at> ' exec bash --norc -i");
    let mut seen = output(&first).to_owned();
    eventually("it is at its prompt", || {
        seen.push_str(output(&live.write(&job, &["--yield-time-ms", "50"])));
        seen.ends_with("at>")
    });
    assert_eq!(seen, "at>", "it complains of nothing");
    let type_until = |chars: &str, end: &str| {
        let args = ["--chars", chars, "--yield-time-ms", "50"];
        let mut seen = output(&live.write(&job, &args)).to_owned();
        eventually(end, || {
            seen.push_str(output(&live.write(&job, &["--yield-time-ms", "50"])));
            seen.contains(end)
        });
    };
    type_until("sh -c 'echo he''re; exec sleep 600'\n", "here\n");
    type_until("\x1a", "Stopped");
    type_until("echo in > /dev/tty; jobs %1 >/dev/null && echo kn''own\n", "known\n");
    type_until("fg\n", "sleep 600");
    type_until("\x03", "at>");
    let end = live.typed(&job, "exit 6\n");
    assert_eq!(end["exit_code"], 6, "{end}");
}

#[test]
fn nothing_stops_for_want_of_a_shell() {
    let live = Live::new();
    // It is in front, and what it starts is as well.
    let script = "read x < /dev/tty; echo $x";
    let job = live.begin(&["--tty"], script);
    assert!(output(&live.typed(&job, "heard\n")).ends_with("heard\n"));
    let job = live.begin(&["--tty"], "exec sleep 600");
    live.write(&job, &["--chars", "\x1a", "--yield-time-ms", "0"]);
    // One that is stopped would not end.
    assert_eq!(live.typed(&job, "\x03")["signal"], "SIGINT");
    // Who took the keyboard away and died gives it back.
    let script = "bash --norc -ic 'kill -9 $$'; read x; echo got $x";
    let (job, begun) = live.begin_loud(&["--tty"], script);
    let mut seen = output(&begun).to_owned();
    seen.push_str(output(&live.typed(&job, "it\n")));
    if !seen.contains("got") {
        seen.push_str(&whole(&live.pages(&job, &[])));
    }
    assert!(seen.ends_with("got it\n"), "{seen}");
}

#[test]
fn a_killed_job_can_still_be_read() {
    let live = Live::new();
    for transport in TRANSPORTS {
        let script = "trap '' HUP TERM; sleep 600 & echo before; touch there; wait";
        fs::remove_file(live.user().join("there")).unwrap_or_default();
        let (job, first) = live.begin_loud(&[transport], script);
        eventually("it runs", || live.user().join("there").exists());
        let killed = live.run(&["jobs", "kill", &job]).ok();
        assert_eq!(killed, format!("requested cancellation of job {job}\n"));
        let mut pages = vec![first];
        pages.extend(live.pages(&job, &[]));
        assert_eq!(
            (whole(&pages).as_str(), &pages.last().unwrap()["signal"]),
            ("before\n", &"SIGKILL".into())
        );
        let again = live.run(&["jobs", "kill", &job]).ok();
        let want = format!("job {job} had already finished [status: killed, signal: SIGKILL]\n");
        assert_eq!(again, want);
        let listed = live.run(&["jobs", "list"]).ok();
        assert!(listed.contains(&format!("{job} [codex-terminal] killed — trap")), "{listed}");
    }
}

#[test]
fn a_full_screen_program_is_answered_as_its_screen() {
    let live = Live::new();
    let script = "echo before; printf '\\033[?1049h\\033[2J\\033[Hmenu\\nitem'; read x; \
                  printf '\\033[?1049l'; echo after";
    let (job, mut answer) = live.begin_loud(&["--tty"], script);
    eventually("it shows its screen", || {
        let is_there = output(&answer) == "menu\nitem";
        if !is_there {
            answer = live.write(&job, &["--yield-time-ms", "50"]);
        }
        is_there
    });
    assert_eq!(answer["is_screen"], true);
    let text = live.run(&["write", &job, "--chars", "\n", "--yield-time-ms", LONG]).ok();
    assert!(text.ends_with(&format!("after\n[job {job} exited with code 0]\n")), "{text}");
}

#[test]
fn what_is_drawn_is_what_is_read() {
    let live = Live::new();
    let run = |script: &str| {
        let answer = live.exec(&["--yield-time-ms", LONG], script);
        output(&answer).to_owned()
    };
    assert_eq!(run("printf '10%%\\r20%%\\r100%%\\n'"), "100%\n");
    assert_eq!(run("printf '\\033(Bplain\\033[31mred\\033[m\\n'"), "plainred\n");
    assert_eq!(run("printf 'x\\377y\\n'"), "x\u{fffd}y\n");
    assert_eq!(run("printf '\\033]0;title\\007after\\n'"), "after\n");
    // What is erased was printed all the same.
    assert_eq!(run("echo one; printf 'two\\033[2J\\033[Hthree\\n'"), "one\ntwo\nthree\n");
    assert_eq!(run("seq 1 100; printf '\\033[H\\033[2J\\033[3Jend\\n'").lines().count(), 101);
    // A line that changed since it was read comes again.
    let (job, begun) = live.begin_loud(&[], "printf 'half  '; read x; printf '\\033[A\\rdone\\n'");
    let mut seen = output(&begun).to_owned();
    eventually("it asks", || {
        seen.push_str(output(&live.write(&job, &["--yield-time-ms", "50"])));
        seen == "half"
    });
    let answer = live.typed(&job, "\n");
    assert_eq!((output(&answer), &answer["lines_again"]), ("done\n", &1.into()), "{answer}");
}

#[test]
fn each_job_is_a_block_of_its_agents_session() {
    let live = Live::new();
    let first = live.exec(&["--yield-time-ms", LONG], "echo one;  exit 3");
    let job = live.begin(&["--no-tty"], "read x; kill -TERM $$");
    let second = live.typed(&job, "\n");
    assert_eq!(first["terminal_id"], second["terminal_id"]);
    let block = live.block(&first);
    assert_eq!((&block["stepId"], &block["sequence"]), (&"codex-terminal-1".into(), &1.into()));
    assert_eq!((&block["command"], &block["exitCode"]), (&"echo one;  exit 3".into(), &3.into()));
    assert_eq!(block["cwd"], live.user().display().to_string());
    let block = live.block(&second);
    assert_eq!((&block["stepId"], &block["exitCode"]), (&job.into(), &143.into()));
    // Another agent has another one.
    let other = finish(live.command(&["exec", "--json", "--", "true"]).env(AGENT, "other")).json();
    assert_ne!(other["terminal_id"], first["terminal_id"]);
    assert_eq!(other["chunk_id"], "1-1");
    let mut check = command(CHECK);
    check.args(["artifacts", "latest", "--deny-warnings", "--codex-home"]).arg(live.codex_home());
    finish(&mut check).ok();
    // Jobs are no terminals.
    assert_eq!(live.run(&["list"]).ok(), "(no terminal sessions)\n");
    assert_eq!(live.run(&["list", "--operator"]).ok(), "(no terminal sessions)\n");
}

#[test]
fn a_stopped_host_of_a_job_is_a_row_that_says_so() {
    let live = Live::new();
    let script = "echo $PPID > host; touch there; exec sleep 600";
    let silent = live.begin(&["--no-tty"], script);
    let other = live.begin(&[], "exec sleep 600");
    eventually("it runs", || live.user().join("there").exists());
    let host: i32 = fs::read_to_string(live.user().join("host")).unwrap().trim().parse().unwrap();
    let host = Pid::from_raw(host).unwrap();
    kill_process(host, Signal::STOP).unwrap();
    let lists = [&["jobs", "list"][..], &["jobs", "list", "--operator"]];
    let listed = lists.map(|args| (live.run(args), live.run(&[&["--json"], args].concat())));
    kill_process(host, Signal::CONT).unwrap();
    for (text, rows) in listed {
        let text = text.ok();
        let line = format!("{silent} [codex-terminal] unresponsive — its host does not answer\n");
        assert!(text.contains(&line), "{text}");
        let rows = rows.json();
        assert_eq!(rows.as_array().unwrap().len(), 2, "{rows}");
        assert_eq!(
            (&rows[0]["job_id"], &rows[0]["status"]),
            (&silent.as_str().into(), &"unresponsive".into())
        );
        assert_eq!(rows[0]["terminal_id"], rows[1]["terminal_id"]);
        assert_eq!(
            (&rows[1]["job_id"], &rows[1]["status"]),
            (&other.as_str().into(), &"running".into())
        );
    }
}

#[test]
fn another_agents_job_is_as_one_that_does_not_exist() {
    let live = Live::new();
    let as_agent = |agent: &str, args: &[&str]| finish(live.command(args).env(AGENT, agent));
    let begin =
        ["exec", "--shell", "/bin/sh", "--yield-time-ms", "0", "--json", "--", "read x; exit 1"];
    let job = as_agent("one", &begin).json()["job_id"].as_str().unwrap().to_owned();
    for args in [
        &["write", "JOB"][..],
        &["write", "JOB", "--chars", "x\n"],
        &["write", "JOB", "--eof"],
        &["jobs", "kill", "JOB"],
    ] {
        let asked = |job: &str| {
            let args: Vec<_> = args.iter().map(|arg| arg.replace("JOB", job)).collect();
            let args: Vec<_> = args.iter().map(String::as_str).collect();
            as_agent("two", &args).fails(1).replace(job, "JOB")
        };
        assert_eq!(asked(&job), "error: unknown or completed exec job JOB\n");
        assert_eq!(asked("codex-terminal-77"), asked(&job));
    }
    assert_eq!(as_agent("two", &["jobs", "list"]).ok(), "(no background jobs)\n");
    let page =
        as_agent("one", &["write", &job, "--chars", "y\n", "--yield-time-ms", LONG, "--json"]);
    assert_eq!(page.json()["exit_code"], 1);
    assert_eq!(as_agent("two", &["write", &job]).code, 1);
}

#[test]
fn the_operator_lists_and_closes_jobs_of_all_agents() {
    let live = Live::new();
    let as_agent = |agent: &str, args: &[&str]| finish(live.command(args).env(AGENT, agent));
    let begin = ["exec", "--yield-time-ms", "0", "--json", "--", "printf unread; exec sleep 600"];
    let begun = ["one", "two"].map(|agent| as_agent(agent, &begin).json());
    let listed = live.run(&["jobs", "list", "--operator"]).ok();
    for answer in &begun {
        let name = format!("{}/codex-terminal-1", answer["terminal_id"].as_str().unwrap());
        assert!(listed.contains(&format!("{name} [codex-terminal] running — printf")), "{listed}");
        assert_eq!(
            live.run(&["jobs", "kill", &name, "--operator"]).ok(),
            format!("closed job {name}\n")
        );
        live.run(&["jobs", "kill", &name, "--operator"]).fails(1);
    }
    live.run(&["jobs", "kill", "codex-terminal-1", "--operator"]).fails(2);
    // Its agent is told where the output is that it had not read.
    let why = as_agent("one", &["write", "codex-terminal-1"]).fails(1);
    let words = why.split_once("terminal-session-blocks ").unwrap().1;
    let words = words.strip_suffix(" prints it\n").unwrap();
    assert_eq!(live.named(&words.into()), "unread");
    assert!(as_agent("one", &["jobs", "list"]).ok().contains("] killed — "));
}

#[test]
fn wrong_calls_start_nothing() {
    let live = Live::new();
    let number = "must be a";
    for (args, want) in [
        (&["exec", "--", " \n"][..], "error: cmd must be a non-empty string\n".to_owned()),
        (
            &["exec", "--workdir", "no/where", "--", "true"],
            format!(
                "error: cannot enter workdir {}: No such file or directory\n",
                live.user().join("no/where").display()
            ),
        ),
        (
            &["exec", "--yield-time-ms", "-1", "--", "true"],
            format!("error: yield_time_ms {number} non-negative finite number\n"),
        ),
        (
            &["exec", "--yield-time-ms", "nan", "--", "true"],
            format!("error: yield_time_ms {number} non-negative finite number\n"),
        ),
        (
            &["exec", "--max-output-tokens", "0", "--", "true"],
            format!("error: max_output_tokens {number} positive finite number\n"),
        ),
        (
            &["write", "codex-terminal-1", "--max-output-tokens", "-5"],
            format!("error: max_output_tokens {number} positive finite number\n"),
        ),
        (
            &["write", "codex-terminal-1", "--yield-time-ms", "inf"],
            format!("error: yield_time_ms {number} non-negative finite number\n"),
        ),
        (
            &["write", "codex-terminal-01"],
            "error: job_id must be a codex-terminal job id such as codex-terminal-1\n".to_owned(),
        ),
        (
            &["jobs", "kill", "../agent"],
            "error: job_id must be a codex-terminal job id such as codex-terminal-1\n".to_owned(),
        ),
    ] {
        assert_eq!(live.run(args).fails(2), want, "{args:?}");
    }
    assert!(tree_of(&live.codex_home()).is_empty(), "{:?}", tree_of(&live.codex_home()));
    let why = live.run(&["exec", "--shell", "/no/shell", "--", "true"]).fails(1);
    assert_eq!(
        why,
        "error: cannot start the command: cannot run /no/shell: No such file or directory\n"
    );
    let file = live.user().join("latin");
    fs::write(&file, b"\xe4").unwrap();
    let why = live.run(&["write", "codex-terminal-1", "--chars-file", "latin"]).fails(1);
    assert_eq!(why, "error: cannot read latin: it is no UTF-8 text\n");
    assert_eq!(live.run(&["jobs", "list"]).ok(), "(no background jobs)\n");
}
