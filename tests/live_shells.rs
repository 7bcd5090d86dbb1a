//! Live terminals with real shells: when a command is done, and how it ended.

use crate::support::live::{
    Live, PROMPT, Term, assert_done, ended, has_note, is_installed, output, reason, viewport,
};
use crate::support::skipped;

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// What a shell's hook is made of, as the shell itself tells.
fn nonce(term: &Term<'_>, live: &Live, shell: &str) -> String {
    let print = if shell == "bash" { "declare -f" } else { "functions" };
    assert_done(&term.send(&format!("{print} __ts_done > hook")), 0);
    let path = live.user().join("hook");
    let hook = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let (_, rest) = hook.split_once("7717;D;").expect("the hook prints a mark");
    let nonce = rest.split(';').next().unwrap().to_owned();
    assert!(nonce.len() >= 32 && nonce.bytes().all(|byte| byte.is_ascii_hexdigit()), "{nonce}");
    nonce
}

/// Has a program run in the foreground of a shell.
fn begin(term: &Term<'_>, program: &str) {
    let reply = term.send_with(&format!("sh -c 'echo go; exec {program}'"), &["--timeout-ms", "1"]);
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("timeout", true), "{reply}");
    assert_eq!(reason(&term.wait("text=(?m)^go$")), "met");
    wait_for_inside(term, program.split(' ').next().unwrap());
}

#[test]
fn each_command_has_its_status_and_folder() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_eq!(reason(&term.opened), "prompt", "{shell}");
        for (command, code) in [
            ("true", 0),
            ("false", 1),
            ("sh -c 'exit 7'", 7),
            ("no-such-command", 127),
            ("sh -c 'kill -9 $$'", 137),
            ("true", 0),
        ] {
            assert_done(&term.send(command), code);
        }
        let reply = term.send("cd /usr; echo $PWD");
        assert_done(&reply, 0);
        assert_eq!((output(&reply), reply["cwd"].as_str()), ("/usr", Some("/usr")), "{shell}");
        assert_eq!(
            viewport(&reply).lines().next().unwrap().trim_end(),
            format!("{PROMPT}cd /usr; echo $PWD")
        );
    }
}

#[test]
fn where_nothing_ran_there_is_no_status() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_done(&term.send("false"), 1);
        // Neither an empty line nor one that is no command.
        for line in ["", ")", "", "if ("] {
            let reply = term.send(line);
            let is_more = reply["continuation"] == true;
            if is_more {
                assert_eq!(reason(&term.keys(&["C-c"])), "prompt");
            } else {
                assert_eq!(reason(&reply), "prompt", "{shell} {line}: {reply}");
            }
            assert!(reply["exitCode"].is_null(), "{shell} {line}: {reply}");
        }
        // What was refused is not in front of what comes next.
        let reply = term.send("echo next");
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("ready> echo next\nnext"), "{shell}: {reply}");
    }
}

#[test]
fn a_failed_history_expansion_ends() {
    for shell in ["bash", "zsh"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let reply = term.send("echo hi!there");
        assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("prompt", true), "{reply}");
        // It shows now or, as it stands in no command's block, with the next answer.
        let next = term.send("true");
        assert_done(&next, 0);
        let shown = [viewport(&reply), viewport(&next)].concat();
        assert!(shown.contains("event not found"), "{shown}");
    }
}

#[test]
fn a_status_from_before_is_not_that_of_a_syntax_error() {
    let live = Live::new();
    let Some(term) = live.shell("zsh") else {
        return;
    };
    begin(&term, "sleep 60.2");
    assert_done(&term.keys(&["C-c"]), 130);
    let reply = term.send(")");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("prompt", true), "{reply}");
    assert_done(&term.send("$((1/1)); true"), 0);
}

#[test]
fn an_interrupt_is_a_status() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        begin(&term, "sleep 60.3");
        assert_done(&term.keys(&["C-c"]), 130);
        // The same by a signal, while somebody waits for the end.
        let task = term.send_in_background("sh -c 'echo went; exec sleep 60.4'");
        term.wait("text=(?m)^went$");
        let signalled = term.ask("signal", &["SIGINT"]);
        assert_eq!(signalled["delivered"], true);
        let done = live.json(&["output", &task, "--wait", "--timeout-ms", "120000"]);
        assert_eq!(done["status"]["exitCode"], 130, "{shell}: {done}");
        assert_done(&term.send("true"), 0);
    }
}

#[test]
fn a_stopped_program_is_told_as_such() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for _ in 0..2 {
            begin(&term, "sleep 60.5");
            let reply = term.keys(&["C-z"]);
            assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("prompt", true), "{reply}");
            assert!(has_note(&reply, "stopped: sleep"), "{shell}: {reply}");
            // It is told once, and says nothing of what comes next.
            let next = term.send("false");
            assert_done(&next, 1);
            assert!(!has_note(&next, "stopped"), "{next}");
        }
        // Going on and stopping again.
        let reply = term.send_with("fg", &["--timeout-ms", "1"]);
        assert_eq!(reason(&reply), "timeout");
        wait_for_inside(&term, "sleep");
        let reply = term.keys(&["C-z"]);
        assert!(reply["exitCode"].is_null() && has_note(&reply, "stopped: sleep"), "{reply}");
        // A status that looks like it is one.
        assert_done(&term.send("sh -c 'exit 148'"), 148);
    }
}

/// Waits until a program is in the foreground.
fn wait_for_inside(term: &Term<'_>, name: &str) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while term.ask("wait", &["--until", "quiet=1"])["inside"] != name {
        assert!(std::time::Instant::now() < end, "{name} never came");
    }
}

#[test]
fn a_shell_that_ends_is_an_end() {
    for shell in ["bash", "zsh"] {
        for (before, command, code) in [
            ("set -e", "false", 1),
            ("set -e", "sh -c 'exit 9'", 9),
            ("true", "exit 5", 5),
            ("true", "exec true", 0),
        ] {
            let live = Live::new();
            let Some(term) = live.shell(shell) else {
                continue;
            };
            assert_done(&term.send(before), 0);
            let reply = term.send(command);
            assert_eq!(reason(&reply), "session_exit", "{shell} {command}: {reply}");
            let status = &reply["sessionStatus"];
            assert_eq!((&status["kind"], &status["exitCode"]), (&"exited".into(), &code.into()));
            let refused = live.run(&["send", &term.id, "true"]).fails(1);
            assert_eq!(refused, "error: PTY session has exited\n");
        }
    }
}

#[test]
fn forged_and_replayed_marks_end_nothing() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let nonce = nonce(&term, &live, shell);
        let forged = "\x1b]7717;D;wrong;99;0\x07\x1b]7717;P;wrong\x07\x1b]7717;D\x07";
        // The end of the first command once more, and marks that others have.
        let replayed = format!("\x1b]7717;D;{nonce};1;0\x07\x1b]7717;C;{nonce};1;/;ls\x07");
        let foreign = "\x1b]133;D;0\x07\x1b]133;A\x07\x1b]633;D;0\x07";
        std::fs::write(live.user().join("marks"), format!("{forged}{replayed}{foreign}")).unwrap();
        let reply = term.send("cat marks; sh -c 'read x; exit 3'");
        assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
        assert_eq!(output(&reply), "", "{shell}");
        assert_done(&term.send("end"), 3);
        std::fs::remove_file(live.user().join("marks")).unwrap();
        assert_eq!(live.files_with(&nonce), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn a_trace_of_the_shell_shows_no_hook() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let nonce = nonce(&term, &live, shell);
        let (on, off) = match shell {
            "fish" => ("set fish_trace 1", "set fish_trace"),
            _ => ("set -x", "set +x"),
        };
        let mut shown = String::new();
        for command in [on, "false", "echo traced", off, "echo quiet"] {
            let reply = term.send(command);
            assert_eq!(reason(&reply), "prompt", "{reply}");
            shown.push_str(&reply.to_string());
        }
        assert!(shell == "fish" || !shown.contains("__ts"), "{shell}: {shown}");
        shown.push_str(&term.read());
        assert!(shown.contains("traced") && !shown.contains(&nonce), "{shell}: {shown}");
        term.ask("freeze", &[]);
        assert_eq!(live.files_with(&nonce), Vec::<std::path::PathBuf>::new(), "{shell}");
        term.close();
        assert_eq!(live.files_with(&nonce), Vec::<std::path::PathBuf>::new(), "{shell}");
    }
}

#[test]
fn options_and_variables_of_the_user_take_no_end_away() {
    for (rc, line, code) in [
        ("", "set -u", Some(1)),
        ("", "PS1='new> '", Some(1)),
        ("", "PS0=; PS1='two\nlines> '", Some(1)),
        ("", "PROMPT_COMMAND='true'", Some(1)),
        ("", "PROMPT_COMMAND=()", Some(1)),
        ("", "unset PROMPT_COMMAND", Some(1)),
        ("", "readonly PROMPT_COMMAND PS1", Some(1)),
        ("readonly PROMPT_COMMAND=true", "true", Some(1)),
        ("PROMPT_COMMAND='OLD=1; true'", "[ $OLD = 1 ]", Some(1)),
        ("shopt -s extdebug; trap 'true' DEBUG", "true", Some(1)),
        ("set -o vi; bind 'set show-mode-in-prompt on'", "true", Some(1)),
    ] {
        let live = Live::new();
        live.rc("bash", rc);
        let Some(term) = live.shell("bash") else {
            return;
        };
        let reply = term.send(line);
        assert_eq!(reason(&reply), "prompt", "{line}: {reply}");
        for command in ["false", "sh -c 'sleep 0.2; echo late; exit 1'"] {
            let reply = term.send(command);
            let found = (reason(&reply), reply["exitCode"].as_i64());
            assert_eq!(found, ("prompt", code), "{rc} {line}: {reply}");
        }
        let reply = term.read();
        assert!(reply.contains("late"), "{reply}");
    }
}

#[test]
fn hooks_that_are_taken_out_of_zsh_take_the_status_with_them() {
    for (line, code) in [
        ("precmd_functions=()", None),
        ("setopt no_unset no_nomatch; true", Some(1)),
        ("PS1=$'two\\nlines> '", Some(1)),
        ("setopt interactive_comments", Some(1)),
    ] {
        let live = Live::new();
        let Some(term) = live.shell("zsh") else {
            return;
        };
        assert_eq!(reason(&term.send(line)), "prompt");
        for command in ["false", "sh -c 'sleep 0.2; exit 1'"] {
            let reply = term.send(command);
            let found = (reason(&reply), reply["exitCode"].as_i64());
            assert_eq!(found, ("prompt", code), "{line}: {reply}");
        }
    }
}

#[test]
fn output_that_looks_like_a_prompt_ends_nothing() {
    let live = Live::new();
    for shell in SHELLS {
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let reply = term.send(&format!(
            "printf '{PROMPT}'; sleep 0.4; printf '\\n{PROMPT}$ # '; sleep 0.4; echo; echo end"
        ));
        assert_done(&reply, 0);
        assert!(output(&reply).ends_with("end"), "{reply}");
    }
}

#[test]
fn several_commands_at_once_are_one_block() {
    let live = Live::new();
    for shell in ["bash", "zsh", "fish"] {
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let lines = "echo one\necho t''wo\nfalse";
        assert_done(&term.send(lines), 1);
        let manifest = term.manifest();
        let block = manifest["blocks"].as_array().unwrap().last().unwrap();
        assert_eq!((&block["command"], &block["exitCode"]), (&lines.into(), &1.into()), "{shell}");
        term.wait("text=^two$");
    }
}

#[test]
fn a_prompt_that_was_copied_is_no_end() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let short = ["--timeout-ms", "3000"];
    let reply = term.send_with("echo \"${PS1@P}\"; sleep 60.9", &short);
    assert_eq!((reason(&reply), reply["inside"].as_str()), ("timeout", Some("sleep")), "{reply}");
    let refused = live.run(&["send", &term.id, "true"]).fails(1);
    assert!(refused.contains("is busy: sleep runs"), "{refused}");
    assert_eq!(reason(&term.keys(&["C-c"])), "prompt");
    // A shell inside has the same one.
    let reply = term.send("PS1=$PS1 bash --norc");
    assert_eq!((reason(&reply), reply["inside"].as_str()), ("stdin_read", Some("bash")), "{reply}");
    let reply = term.send_with("sleep 60.8", &["--timeout-ms", "1000"]);
    assert_eq!((reason(&reply), reply["inside"].as_str()), ("timeout", Some("sleep")), "{reply}");
    let refused = live.run(&["send", &term.id, "true"]).fails(1);
    assert!(refused.contains("is busy: sleep runs"), "{refused}");
    assert_eq!(reason(&term.keys(&["C-c"])), "stdin_read");
    assert_done(&term.send("exit 3"), 3);
}

#[test]
fn a_shell_without_stderr_says_when_it_is_done() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("exec 2>/dev/null");
    assert_eq!(
        (reason(&reply), &reply["continuation"]),
        ("prompt", &serde_json::Value::Null),
        "{reply}"
    );
    assert_done(&term.send("(exit 5)"), 5);
    assert_done(&term.send("echo still; true"), 0);
}

#[test]
fn silence_is_no_end() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    // Longer than the silence that tells of something elsewhere.
    let reply = term.send_with("sleep 60.6", &["--timeout-ms", "4000"]);
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("timeout", true), "{reply}");
    assert_eq!(reply["inside"], "sleep");
    let refused = live.run(&["send", &term.id, "true"]).fails(1);
    assert!(refused.contains("is busy: sleep runs and does not wait for input"), "{refused}");
    term.ask("signal", &["SIGINT"]);
    assert_done(&term.send_with("", &["--no-submit"]), 130);
}

#[test]
fn a_nested_shell_is_one_command() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("PS1='inner> ' bash --norc");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert_eq!(reply["inside"], "bash");
    let reply = term.send("sleep 0.3; echo $((40 + 2)); false");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert!(output(&reply).starts_with("42"), "{reply}");
    assert_done(&term.send("exit 6"), 6);
}

#[test]
fn a_shell_on_a_terminal_in_between_is_one_command() {
    if !is_installed("script") {
        return skipped("script is not installed");
    }
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("script -eqc 'bash --norc' /dev/null");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert_eq!(reply["inside"], "script");
    let reply = term.send("echo $((40 + 2))");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert!(viewport(&reply).contains("\n42"), "{reply}");
    assert_done(&term.send("exit 6"), 6);
}

#[test]
fn a_shell_on_another_machine_says_only_that_it_is_silent() {
    let Some(script) = which("script") else {
        return skipped("script is not installed");
    };
    let live = Live::new();
    // What waits for a network waits for the keyboard as well.
    std::fs::copy(script, live.user().join("ssh")).unwrap();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("./ssh -eqc 'bash --norc' /dev/null");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("inferred_idle", true), "{reply}");
    assert_eq!(reply["inside"], "ssh");
    let reply = term.send("sleep 1; echo $((40 + 2))");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("inferred_idle", true), "{reply}");
    assert!(viewport(&reply).contains("\n42"), "{reply}");
    assert_done(&term.send("exit 6"), 6);
}

fn which(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[test]
fn shells_without_a_hook_are_told_by_their_reads() {
    for shell in ["dash", "busybox"] {
        let live = Live::new();
        if !is_installed(shell) {
            skipped(&format!("{shell} is not installed"));
            continue;
        }
        let term = match shell {
            "busybox" => live.program(&["busybox", "sh"]),
            _ => live.program(&["dash", "-i"]),
        };
        assert_eq!(reason(&term.opened), "stdin_read", "{}", term.opened);
        let reply = term.send("sleep 0.5; echo $((40 + 2)); false");
        assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
        assert!(viewport(&reply).contains("\n42"), "{reply}");
        let reply = term.send("cat <<END");
        assert_eq!(reason(&reply), "stdin_read");
        let reply = term.send("inside\nEND");
        assert!(viewport(&reply).contains("inside\n"), "{reply}");
        let reply = term.send("exit 4");
        assert_eq!(
            (reason(&reply), &reply["sessionStatus"]["exitCode"]),
            ("session_exit", &4.into())
        );
    }
}

#[test]
fn python_is_told_by_its_reads() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    let term = live.program(&["python3", "-q"]);
    assert_eq!(reason(&term.opened), "stdin_read", "{}", term.opened);
    let reply = term.send("import time; time.sleep(0.5); 6 * 7");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    assert!(viewport(&reply).contains("\n42"), "{reply}");
    let reply = term.send("name = input('name? ')");
    assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("stdin_read", true), "{reply}");
    term.send("me");
    let reply = term.send("print(name * 2)");
    assert!(viewport(&reply).contains("\nmeme"), "{reply}");
    let reply = term.send("exit(3)");
    assert_eq!((reason(&reply), &reply["sessionStatus"]["exitCode"]), ("session_exit", &3.into()));
}

#[test]
fn a_pager_is_a_screen_and_takes_no_commands() {
    if !is_installed("less") {
        return skipped("less is not installed");
    }
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--keep-pager", "--size", "40x6"]);
    let reply = term.send("seq 100 | less");
    assert_eq!((reason(&reply), reply["isScreen"] == true), ("stdin_read", true), "{reply}");
    assert_eq!((viewport(&reply), &reply["inside"]), ("1\n2\n3\n4\n5\n:", &"less".into()));
    let refused = live.run(&["send", &term.id, "echo hi"]).fails(1);
    let want = format!(
        "error: PTY session {} is busy: less takes the screen and keys; press `keys`, or wait for \
         it, read, signal, or `send --no-submit`\n",
        term.id
    );
    assert_eq!(refused, want);
    let reply = term.keys(&["Space"]);
    assert_eq!(viewport(&reply), "6\n7\n8\n9\n10\n:", "{reply}");
    assert_done(&term.keys(&["q"]), 0);
    assert_eq!(output(&term.send("echo hi")), "hi");
}

#[test]
fn an_editor_is_driven_by_keys() {
    if !is_installed("vim") {
        return skipped("vim is not installed");
    }
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("vim -u NONE -n new.txt");
    assert_eq!((reason(&reply), reply["isScreen"] == true), ("stdin_read", true), "{reply}");
    term.keys(&["i"]);
    term.send_with("héllo wörld", &["--no-submit"]);
    let reply = term.keys(&["Enter", "two", "Escape"]);
    assert!(viewport(&reply).starts_with("héllo wörld\ntwo\n"), "{reply}");
    assert_done(&term.keys(&[":wq", "Enter"]), 0);
    let text = std::fs::read_to_string(live.user().join("new.txt")).unwrap();
    assert_eq!(text, "héllo wörld\ntwo\n");
}

#[test]
fn a_job_in_the_background_leaves_the_shell_idle() {
    for shell in SHELLS {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_done(
            &term.send("sh -c 'until [ -e on ]; do sleep 0.02; done; echo from-behind' &"),
            0,
        );
        assert_done(&term.send("touch on"), 0);
        assert_eq!(reason(&term.wait("text=(?m)from-behind$")), "met");
        let reply = term.send("false");
        assert_done(&reply, 1);
    }
}

#[test]
fn only_one_types_at_a_time() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let first = term.start_send("sh -c 'echo began; read x; echo got $x'; sleep 60.7; echo end");
    term.wait("text=(?m)^began$");
    // The first one waits no more: the program reads.
    let first = ended(first).json();
    assert_eq!(reason(&first), "stdin_read");
    let task = term.send_in_background("line");
    term.wait("text=(?m)^got line$");
    let refused = live.run(&["send", &term.id, "--no-submit", "more"]).fails(1);
    let want = format!(
        "error: PTY session {} already has an active send; background task {task}: `output` reads it, \
         `kill` interrupts it\n",
        term.id
    );
    assert_eq!(refused, want);
    let refused = live.run(&["keys", &term.id, "C-c"]).fails(1);
    assert!(refused.contains("already has an active send"), "{refused}");
    // Looking and signals are for everybody.
    assert!(term.read().contains("got line"));
    term.ask("signal", &["SIGINT"]);
    let done = live.json(&["output", &task, "--wait", "--timeout-ms", "120000"]);
    assert_eq!(done["status"]["waitReason"], "prompt", "{done}");
    assert_eq!(done["status"]["exitCode"], 130);
}

#[test]
fn an_answer_as_text() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let text = live.run(&["send", &term.id, "echo hi; false"]).ok();
    let want = "ready> echo hi; false\nhi\n[wait: prompt]\n[exit code: 1]\n[session: running]\n";
    assert_eq!(text, want);
    let run = live.run(&["send", &term.id, "--return", "sh -c 'exit 42'"]);
    assert_eq!(run.code, 42);
    let text = live.run(&["send", &term.id, "cat"]).ok();
    assert_eq!(text, "ready> cat\n[wait: stdin_read]\n[session: running]\n[inside: cat]\n");
    let text = live.run(&["keys", &term.id, "C-d"]).ok();
    assert_eq!(text, "(no new output)\n[wait: prompt]\n[exit code: 0]\n[session: running]\n");
    let text = live.run(&["send", &term.id, "read -s x"]).ok();
    assert_eq!(
        text,
        "ready> read -s x\n[wait: stdin_read]\n[session: running]\n\
         [hidden input: what is typed is not shown, as for a password]\n"
    );
    let text = live.run(&["send", &term.id, "exit 3"]).ok();
    assert_eq!(text, "(no new output)\n[wait: prompt]\n[exit code: 0]\n[session: running]\n");
    let text = live.run(&["send", &term.id, "for i in 1 2"]).ok();
    assert_eq!(
        text,
        "ready> for i in 1 2\n>\n[wait: stdin_read]\n[session: running]\n\
         [the shell wants more of the command; keys C-c gives it up]\n"
    );
}
