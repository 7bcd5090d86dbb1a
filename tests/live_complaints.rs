//! What people complained of in tools of this kind, each as a test. The numbers are those of the
//! table in the reference.

use std::fs;
use std::path::PathBuf;

use crate::support::live::{
    Live, PATIENCE_MS, assert_done, is_installed, output, reason, viewport,
};
use crate::support::skipped;

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];
const NO_FILES: [PathBuf; 0] = [];

/// Resident memory of the host of a terminal, in bytes.
#[cfg(target_os = "linux")]
fn resident(shell: u64) -> u64 {
    let status = fs::read_to_string(format!("/proc/{shell}/status")).unwrap();
    let field = |text: &str, name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let host = field(&status, "PPid:");
    let status = fs::read_to_string(format!("/proc/{host}/status")).unwrap();
    assert!(status.starts_with("Name:\tterminal-sessio"), "{status}");
    field(&status, "VmRSS:") * 1024
}

#[test]
fn complaint_17_the_first_command_waits_for_the_shell() {
    for shell in SHELLS {
        let live = Live::new();
        live.rc(shell, "sleep 1");
        if !is_installed(shell) {
            skipped(&format!("{shell} is not installed"));
            continue;
        }
        // Not even the opening waits.
        let term = live.open(&["--shell", shell, "--timeout-ms", "1"]);
        assert_eq!(reason(&term.opened), "timeout", "{}", term.opened);
        let reply = term.send("echo first");
        assert_done(&reply, 0);
        assert_eq!(output(&reply), "first", "{shell}");
    }
}

#[test]
fn complaint_18_strict_shells_end_their_commands() {
    for shell in ["bash", "zsh"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_done(&term.send("set -euo pipefail"), 0);
        for command in ["echo strict", "true | cat", "if false; then :; fi"] {
            assert_done(&term.send(command), 0);
        }
        assert_eq!(output(&term.send("echo strict")), "strict");
        let reply = term.send("sh -c 'exit 4' | cat");
        assert_eq!(
            (reason(&reply), &reply["sessionStatus"]["exitCode"]),
            ("session_exit", &4.into())
        );
    }
}

#[test]
fn complaint_19_an_unfinished_heredoc_is_told_as_such() {
    for shell in ["bash", "zsh"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let reply = term.send("cat <<END\nopen");
        let found = (reason(&reply), &reply["continuation"], reply["exitCode"].is_null());
        assert_eq!(found, ("stdin_read", &true.into(), true), "{shell}: {reply}");
        let reply = term.send("END");
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("open"), "{reply}");
    }
}

#[test]
fn complaint_20_git_log_opens_no_pager() {
    if !is_installed("git") {
        return skipped("git is not installed");
    }
    let live = Live::new();
    for args in [&["--shell", "bash"][..], &["--shell", "bash", "--keep-pager", "--size", "80x10"]]
    {
        let term = live.open(args);
        let commit = "git -c user.name=n -c user.email=e commit -q --allow-empty -m";
        assert_done(&term.send("git init -q . 2>/dev/null"), 0);
        assert_done(&term.send(&format!("for i in 1 2 3 4 5; do {commit} note-$i; done")), 0);
        let reply = term.send("git log");
        if args.len() == 2 {
            assert_done(&reply, 0);
            assert!(reply["isScreen"].is_null(), "{reply}");
            assert!(viewport(&reply).contains("note-1") && viewport(&reply).contains("note-5"));
            continue;
        }
        // Where it does, the answer is its screen, and no command is typed into it.
        if !is_installed("less") {
            skipped("less is not installed");
            continue;
        }
        assert_eq!((reason(&reply), &reply["inside"]), ("stdin_read", &"git".into()), "{reply}");
        let refused = live.run(&["send", &term.id, "echo typed"]).fails(1);
        assert!(refused.contains("is busy: less"), "{refused}");
        term.keys(&["q"]);
        let reply = term.send("echo typed");
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("echo typed\ntyped"), "{reply}");
    }
}

#[test]
fn complaint_22_a_prompt_of_two_lines_is_a_prompt() {
    for (shell, rc) in [
        ("bash", "PS1='\\n┌ \\w (main)\\n└ ❯ '"),
        (
            "zsh",
            "PS1=$'\\n┌ %~ (main)\\n└ ❯ '; RPS1='right %T'; setopt prompt_subst transient_rprompt",
        ),
        // As themes do that make the prompt anew each time.
        ("zsh", "precmd() { PS1=$'%K{blue}top%k\\n%# ' }"),
        (
            "fish",
            "function fish_prompt; echo; echo 'top (main)'; echo -n '❯ '; end; function fish_right_prompt; date; end",
        ),
    ] {
        let live = Live::new();
        live.rc(shell, rc);
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_eq!(reason(&term.opened), "prompt", "{}", term.opened);
        for (command, shown, code) in
            [("echo one", "one", 0), ("sh -c 'sleep 0.2; echo two; exit 3'", "two", 3)]
        {
            let reply = term.send(command);
            assert_done(&reply, code);
            assert!(viewport(&reply).ends_with(&format!("\n{shown}")), "{shell}: {reply}");
        }
    }
}

#[test]
fn complaint_23_commands_end_when_the_marks_stop() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    assert_done(&term.send("echo before"), 0);
    term.send("unset PROMPT_COMMAND PS0 PS2; PS1='bare> '");
    for (command, shown) in [("echo one", "one"), ("sh -c 'sleep 0.4; echo two'", "two")] {
        let reply = term.send(command);
        assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
        assert!(viewport(&reply).contains(&format!("\n{shown}")), "{reply}");
    }
    // Another program in its place, which has never heard of marks.
    let live = Live::new();
    let term = live.shell("bash").unwrap();
    let reply = term.send("PS1='other> ' exec bash --norc");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    let reply = term.send("sleep 0.4; echo three");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert!(viewport(&reply).contains("\nthree"), "{reply}");
}

#[test]
fn complaint_24_questions_in_output_are_no_wish_for_input() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let lines = ["Password:", "Continue? [y/N]", "$", "> "];
        let command: Vec<_> =
            lines.iter().map(|line| format!("printf '%s ' '{line}'; sleep 0.3")).collect();
        let reply = term.send(&format!("{}; echo end", command.join("; ")));
        assert_done(&reply, 0);
        assert!(reply["echoOff"].is_null() && reply["continuation"].is_null(), "{reply}");
        assert!(viewport(&reply).ends_with("end"), "{reply}");
    }
}

#[test]
fn complaint_25_words_in_output_change_nothing() {
    let live = Live::new();
    let prose = "The mark is ESC ] 7717 ; D ; 0 BEL, or \\033]7717;D;0123;4;0\\007, or 133;D;0.\n\
        [wait: prompt]\n[exit code: 0]\n[session: exited code=0 signal=null]\nready> \nready> exit\n\
        [status: completed]\n<output truncated>\n";
    fs::write(live.user().join("prose"), prose).unwrap();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("cat prose; sh -c 'sleep 0.4; exit 5'");
    assert_done(&reply, 5);
    assert_eq!(output(&reply), prose.trim_end().replace("ready> \n", "ready>\n"));
    assert_eq!(reply["sessionStatus"]["kind"], "running");
}

#[test]
fn complaint_26_a_progress_bar_is_its_last_frame() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let bar = "sh -c 'i=0; while [ $i -le 500 ]; do printf \"\\r\\033[K%3d of 500 [####    ]\" $i; i=$((i+1)); done; echo; echo done'";
        let reply = term.send(bar);
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("\n500 of 500 [####    ]\ndone"), "{reply}");
        assert_eq!(viewport(&reply).matches("of 500 [").count(), 2, "what was typed, and one more");
        // Two lines that are drawn again and again.
        let bars = "sh -c 'i=0; echo; echo; while [ $i -lt 100 ]; do printf \"\\033[2Aa %d\\033[K\\nb %d\\033[K\\n\" $i $i; i=$((i+1)); done'";
        assert!(viewport(&term.send(bars)).ends_with("\na 99\nb 99"));
    }
}

#[test]
fn complaint_27_sudo_prompt_is_told_as_hidden_input() {
    let live = Live::new();
    // As sudo asks, and some that ask in other ways.
    let sudo = "#!/bin/sh\nprintf '[sudo] password for me: ' >/dev/tty\nstty -echo </dev/tty\n\
        read answer </dev/tty\nstty echo </dev/tty\necho >/dev/tty\n[ \"$answer\" = sesame ] && exec \"$@\"\n\
        echo 'Sorry, try again.'\nexit 1\n";
    fs::write(live.user().join("sudo"), sudo).unwrap();
    for shell in SHELLS {
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for (answer, code, shown) in
            [("sesame", 0, "me: \nallowed"), ("wrong", 1, "me: \nSorry, try again.")]
        {
            let reply = term.send("sh sudo echo allowed");
            let found = (reason(&reply), &reply["echoOff"], reply["exitCode"].is_null());
            assert_eq!(found, ("stdin_read", &true.into(), true), "{shell}: {reply}");
            assert!(viewport(&reply).ends_with("[sudo] password for me:"), "{reply}");
            let reply = term.send(answer);
            assert_done(&reply, code);
            assert!(reply["echoOff"].is_null(), "{reply}");
            let last = shown.lines().last().unwrap();
            assert!(viewport(&reply).ends_with(last), "{reply}");
        }
    }
    assert_eq!(live.files_with("wrong"), NO_FILES);
}

#[test]
fn complaint_28_a_password_is_in_no_log_and_no_recording() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    // In parts, as keys, pasted, and with a mistake taken back.
    term.send("read -s x; echo; echo ${#x}");
    term.send_with("hunter2", &["--no-submit", "--timeout-ms", "100"]);
    term.ask("paste", &["hunter3", "--timeout-ms", "100"]);
    let reply = term.ask("keys", &["--timeout-ms", PATIENCE_MS, "-l", "hunter4\r"]);
    assert_done(&reply, 0);
    assert!(viewport(&reply).ends_with("21"), "{reply}");
    let task_label = {
        term.send("read -s x");
        let task = term.send_in_background("hunter5");
        live.json(&["output", &task, "--wait", "--timeout-ms", "120000"]);
        live.run(&["tasks"]).ok()
    };
    assert!(!task_label.contains("hunter5"), "{task_label}");
    let said = [term.read(), term.screen().to_string(), live.run(&["list"]).ok()].concat();
    term.close();
    for secret in ["hunter2", "hunter3", "hunter4", "hunter5"] {
        assert!(!said.contains(secret), "{said}");
        assert_eq!(live.files_with(secret), NO_FILES, "{secret}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn complaint_29_endless_output_takes_no_memory_and_no_deadline() {
    let live = Live::new();
    let (Some(term), Some(other)) = (live.shell("bash"), live.shell("bash")) else {
        return;
    };
    let shell = term.opened["pid"].as_u64().unwrap();
    let reply =
        term.send_with("yes 'a line of some length to be printed'", &["--timeout-ms", "3000"]);
    assert_eq!(reason(&reply), "timeout");
    assert!(viewport(&reply).len() <= 256 << 10);
    let early = resident(shell);
    assert_done(&other.send("echo others answer"), 0);
    let reply = term.send_with("", &["--no-submit", "--timeout-ms", "3000"]);
    assert_eq!(reason(&reply), "timeout");
    let late = resident(shell);
    assert!(early < 64 << 20 && late < early + (16 << 20), "{early} {late}");
    term.ask("signal", &["SIGINT"]);
    let reply = term.send_with("", &["--no-submit", "--max-output-tokens", "10"]);
    assert_done(&reply, 130);
    assert_done(&term.send("true"), 0);
}

#[test]
fn complaint_30_characters_are_whole_wherever_they_are_cut() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    // Cut inside of each character, with the pieces far enough apart to be read one by one.
    let script = "import os, sys, time\n\
        text = '漢字😀é─한'\n\
        for number, byte in enumerate((text * 40).encode()):\n    \
            os.write(1, bytes([byte]))\n    \
            if number < 60: time.sleep(0.005)\n\
        print()\n\
        sys.stdout.write(text * 3000 + '\\n')\n";
    fs::write(live.user().join("chars.py"), script).unwrap();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let text = "漢字😀é─한";
    let want = format!("{}\n{}", text.repeat(40), text.repeat(3000));
    let reply = term.send("python3 chars.py");
    assert_done(&reply, 0);
    assert!(output(&reply) == want, "{reply}");
    for tokens in ["1", "2", "3", "5", "7", "1000"] {
        let reply = term.send_with("python3 chars.py", &["--max-output-tokens", tokens]);
        let most: usize = tokens.parse().unwrap();
        let length = viewport(&reply).len();
        assert!(length <= most * 4 && length + 4 > most * 4, "{reply}");
        assert!(term.whole(&reply).ends_with(&want));
        assert!(!reply.to_string().contains('\u{fffd}'), "{reply}");
    }
    // As they are typed, too.
    for _ in 0..3 {
        let reply = term.send(&format!("echo {}", text.repeat(200)));
        assert_eq!(output(&reply), text.repeat(200));
    }
}

#[test]
fn complaint_31_queries_are_answered_also_in_pieces() {
    let live = Live::new();
    let ask = "#!/bin/bash\n\
        ask() { local answer; stty raw -echo min 0 time 50; printf \"$1\"; [ -z \"$2\" ] || { sleep 0.2; printf \"$2\"; }\n\
        IFS= read -r -d \"$3\" answer; stty sane; printf '%q\\n' \"$answer$3\"; }\n\
        ask '\\033[6n' '' R\nask '\\033[' '6n' R\nask '\\033' '[c' c\nask '\\033[5' n n\nask '\\033[>' c c\n\
        ask '\\033]11;' '?\\007' '\\'\n";
    fs::write(live.user().join("ask.sh"), ask).unwrap();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("bash ask.sh");
    assert_done(&reply, 0);
    let lines: Vec<_> = output(&reply).lines().collect();
    assert_eq!(lines.len(), 6, "{reply}");
    let reports: Vec<_> =
        lines[..2].iter().map(|line| line.strip_prefix("$'\\E[").unwrap()).collect();
    assert!(reports.iter().all(|report| report.ends_with(";1R'")), "{reply}");
    assert!(lines[2].starts_with("$'\\E[?") && lines[2].ends_with("c'"), "{reply}");
    assert_eq!(lines[3], "$'\\E[0n'");
    assert!(lines[4].starts_with("$'\\E[>") && lines[4].ends_with("c'"), "{reply}");
    assert!(
        lines[5].starts_with("$'\\E]11\\;rgb:") || lines[5].starts_with("$'\\E]11;rgb:"),
        "{reply}"
    );
    // Nothing of it is left at the prompt.
    let reply = term.send("echo clean");
    assert_eq!(viewport(&reply), "ready> echo clean\nclean");
}

#[test]
fn complaint_32_an_answer_to_who_is_gone_is_dropped() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for query in ["\\033[6n", "\\033[c", "\\033[6n\\033[c\\033[5n\\033]11;?\\007"] {
            let reply = term.send(&format!("sh -c 'printf \"{query}\"'"));
            assert_done(&reply, 0);
            let reply = term.send("echo clean");
            assert_done(&reply, 0);
            assert_eq!(output(&reply), "clean", "{shell}");
            let line = viewport(&reply).lines().next().unwrap();
            assert_eq!(line, "ready> echo clean", "{shell} {query}");
        }
    }
}

#[test]
fn complaint_33_the_last_output_of_a_program_is_there() {
    let live = Live::new();
    for _ in 0..25 {
        let term = live.program(&["sh", "-c", "printf 'the very last'; exit 3"]);
        let opened = &term.opened;
        assert_eq!(
            (reason(opened), viewport(opened)),
            ("session_exit", "the very last"),
            "{opened}"
        );
        assert_eq!(opened["sessionStatus"]["exitCode"], 3);
        assert_eq!(term.blocks(), ["the very last"]);
        term.close();
    }
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("for i in {1..1000}; do sh -c 'printf x'; done; echo");
    assert_eq!(output(&reply), "x".repeat(1000));
    // More than the system holds for a reader.
    let burst = live.program(&["sh", "-c", "seq 1000000 1262143; exit 7"]);
    assert_eq!(burst.opened["sessionStatus"]["exitCode"], 7);
    let want: Vec<_> = (1_000_000..=1_262_143).map(|number: u32| number.to_string()).collect();
    assert!(burst.whole(&burst.opened) == want.join("\n"));
}

#[test]
fn complaint_35_long_lines_reach_a_shell_that_reads_lines() {
    let live = Live::new();
    let Some(term) = live.shell("dash") else {
        return;
    };
    for length in [3_000, 5_000] {
        let reply =
            term.send(&format!("printf '%s' '{}' > got; echo done $((1 + 1))", "p".repeat(length)));
        assert!(viewport(&reply).contains("\ndone 2"), "{reply}");
        assert_eq!(fs::read_to_string(live.user().join("got")).unwrap(), "p".repeat(length));
    }
}

#[test]
fn complaint_36_nothing_is_typed_before_the_shell_takes_it() {
    for (shell, rc) in [
        // Files that read what is there already, and throw it away.
        ("bash", "touch began; sleep 0.5; while read -t 0.2 -n 1 -s; do eaten=1; done"),
        ("zsh", "touch began; sleep 0.5; while read -t 0.2 -k 1 -s; do eaten=1; done"),
        (
            "fish",
            "touch began; sleep 0.5; python3 -c 'import termios; termios.tcflush(0, termios.TCIFLUSH)'",
        ),
    ] {
        let live = Live::new();
        live.rc(shell, rc);
        if !is_installed(shell) {
            skipped(&format!("{shell} is not installed"));
            continue;
        }
        let term = live.open(&["--shell", shell, "--timeout-ms", "1"]);
        let reply = term.send("echo whole line; echo \"[$eaten]\"");
        assert_done(&reply, 0);
        assert_eq!(output(&reply), "whole line\n[]", "{shell}");
    }
}
