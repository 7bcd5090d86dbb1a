//! What is typed into live terminals reaches the program whole, and secrets reach no file.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::live::{
    Live, Term, assert_done, fed, has_note, is_installed, output, reason, viewport,
};
use crate::support::skipped;

const NO_FILES: [PathBuf; 0] = [];

#[test]
fn a_hidden_line_is_in_no_file() {
    const SECRET: &str = "correct-horse-battery";
    for (shell, ask) in [
        ("bash", "read -s x; echo ${#x}"),
        ("zsh", "read -s x; echo; echo $#x"),
        ("dash", "stty -echo; read x; stty echo; echo ${#x}"),
        ("fish", "sh -c 'stty -echo; read x; stty echo; echo ${#x}'"),
    ] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let asked = term.send(ask);
        assert_eq!((reason(&asked), &asked["echoOff"]), ("stdin_read", &true.into()), "{asked}");
        let reply = term.send(SECRET);
        assert!(["prompt", "stdin_read"].contains(&reason(&reply)), "{reply}");
        assert!(viewport(&reply).contains("21") && reply["echoOff"].is_null(), "{reply}");
        let shown = [asked.to_string(), reply.to_string(), term.read()].concat();
        assert!(!shown.contains(SECRET), "{shown}");
        assert_eq!(live.files_with(SECRET), NO_FILES, "{shell}");
        term.close();
        assert_eq!(live.files_with(SECRET), NO_FILES, "{shell}");
    }
}

#[test]
fn a_password_prompt_of_a_program_is_hidden_input() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("python3 -c 'import getpass; print(len(getpass.getpass()))'");
    assert_eq!((reason(&reply), &reply["echoOff"]), ("stdin_read", &true.into()), "{reply}");
    let reply = term.send("swordfish-and-more");
    assert_done(&reply, 0);
    assert!(viewport(&reply).contains("18"), "{reply}");
    term.close();
    assert_eq!(live.files_with("swordfish-and-more"), NO_FILES);
}

#[test]
fn a_server_is_not_typed_into() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    const SERVE: &str = "import select as s, socket; k = socket.socket(); k.listen(); \
                         e = s.epoll(); e.register(k, 1); p = s.poll(); p.register(k, 1)";
    let waits = ["p.poll()", "e.poll()", "s.select([k], [], [])", "s.select([], [], [], 600)"];
    for (number, wait) in waits.into_iter().enumerate() {
        let script = format!("python3 -c \"{SERVE}; print('u' 'p{number}', flush=True); {wait}\"");
        assert_eq!(reason(&term.send_with(&script, &["--timeout-ms", "1"])), "timeout");
        term.wait(&format!("text=up{number}"));
        let refused = live.run(&["send", &term.id, "echo typed"]).fails(1);
        assert!(refused.contains("is busy: python3 runs"), "{refused}");
        assert_eq!(reason(&term.keys(&["C-c"])), "prompt", "{wait}");
    }
}

#[test]
fn an_answer_that_nobody_reads_is_not_typed_into_the_next_command() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    for number in 0..3 {
        // Longer than an answer is held back for who looks for it now and then.
        assert_done(&term.send("sh -c 'printf \"\\033[6n\"; sleep 0.7'"), 0);
        let reply = term.send(&format!("echo mar''ker{number}"));
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with(&format!("marker{number}")), "{reply}");
    }
}

#[test]
fn a_paste_does_not_end_before_its_end() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let text = "x\x1b[2\x1b[201~01~\recho inj$((40+2))ected\r";
    fed(&mut live.command(&["paste", &term.id, "-", "--timeout-ms", "1000"]), text).ok();
    term.keys(&["C-c"]);
    assert!(!term.read().contains("inj42ected"));
}

#[test]
fn nothing_is_typed_into_a_busy_program_of_a_shell_without_a_hook() {
    let live = Live::new();
    let Some(term) = live.shell("dash") else {
        return;
    };
    let reply = term.send_with("sleep 60.7", &["--timeout-ms", "500"]);
    assert_eq!((reason(&reply), reply["inside"].as_str()), ("timeout", Some("sleep")), "{reply}");
    let refused = live.run(&["send", &term.id, "true"]).fails(1);
    assert!(refused.contains("is busy: sleep runs"), "{refused}");
    assert_eq!(reason(&term.keys(&["C-c"])), "stdin_read");
    // How it ended is not known.
    let code = live.run(&["send", &term.id, "true", "--return"]).code;
    assert_eq!(code, 124);
}

#[test]
fn a_nul_is_not_pasted() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let run = fed(&mut live.command(&["paste", &term.id, "-"]), "echo a\0b");
    assert_eq!(run.fails(2), "error: the text holds a NUL; `keys` sends one as C-@\n");
}

#[test]
fn a_password_is_not_typed_before_it_is_asked_for() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let program =
        "sh -c 'until [ -e go ]; do sleep 0.02; done; stty -echo; read x; stty echo; echo ${#x}'";
    assert_eq!(reason(&term.send_with(program, &["--timeout-ms", "1"])), "timeout");
    while term.ask("wait", &["--until", "quiet=1"])["inside"] != "sh" {}
    let refused = live.run(&["send", &term.id, "too-early"]).fails(1);
    assert!(refused.contains("is busy"), "{refused}");
    std::fs::write(live.user().join("go"), "").unwrap();
    let reply = term.wait("ready");
    assert_eq!((reason(&reply), &reply["echoOff"]), ("stdin_read", &true.into()), "{reply}");
    let reply = term.send("in-time");
    assert_done(&reply, 0);
    assert!(viewport(&reply).ends_with('7'), "{reply}");
    term.close();
    for secret in ["too-early", "in-time"] {
        assert_eq!(live.files_with(secret), NO_FILES);
    }
}

#[test]
fn a_long_command_reaches_the_shell_whole() {
    for shell in ["bash", "zsh", "fish", "dash"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let (set, show) =
            if shell == "fish" { ("set x ", "string length $x") } else { ("x=", "echo ${#x}") };
        for length in [3_000, 4_096, 5_000, 20_000] {
            let reply = term.send(&format!("{set}{}", "y".repeat(length)));
            assert!(["prompt", "stdin_read"].contains(&reason(&reply)), "{shell} {length}");
            let reply = term.send(show);
            assert!(viewport(&reply).contains(&format!("\n{length}")), "{shell} {length}: {reply}");
        }
    }
}

#[test]
fn many_short_lines_are_no_long_one() {
    let live = Live::new();
    let Some(term) = live.shell("dash") else {
        return;
    };
    for number in 0..12 {
        let reply =
            term.send(&format!(": {number} {}; echo at $(({number} + 100))", "z".repeat(900)));
        assert!(viewport(&reply).contains(&format!("\nat {}", number + 100)), "{reply}");
    }
    // Nor are lines that are thrown away.
    for _ in 0..3 {
        for _ in 0..2 {
            term.send_with(&"w".repeat(1_000), &["--no-submit", "--timeout-ms", "1"]);
        }
        term.ask("keys", &["--timeout-ms", "1", "C-u"]);
    }
    let reply = term.send("echo still $((40 + 2))");
    assert!(viewport(&reply).contains("\nstill 42"), "{reply}");
}

#[test]
fn a_program_that_reads_lines_gets_long_ones() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("cat > copy");
    assert_eq!((reason(&reply), reply["inside"].as_str()), ("stdin_read", Some("cat")));
    let lines: Vec<String> =
        [5_000, 3, 9_999, 4_000, 4_095, 4_096].map(|length| "é".repeat(length)).into();
    let text = lines.join("\n") + "\n";
    assert_eq!(reason(&term.send(&text)), "stdin_read");
    assert_done(&term.keys(&["C-d"]), 0);
    assert!(std::fs::read_to_string(live.user().join("copy")).unwrap() == text);
}

#[test]
fn several_lines_are_one_command() {
    for (shell, text) in [
        ("bash", "for i in 1 2; do\n\techo \"<$i>\"\ndone"),
        ("zsh", "for i in 1 2; do\n\techo \"<$i>\"\ndone"),
        ("fish", "for i in 1 2\n\techo \"<$i>\"\nend"),
    ] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for text in
            [text.to_owned(), text.replace("\n\t", "\x1b[201~\n\t"), text.replace('\n', "\r\n")]
        {
            let reply = term.send(&text);
            assert_done(&reply, 0);
            assert!(viewport(&reply).ends_with("<1>\n<2>"), "{shell}: {reply}");
        }
        // A paste waits for Enter.
        let two = if shell == "fish" { "(math 1 + 1)" } else { "$((1 + 1))" };
        let reply = term.paste(&format!("echo first {two}\necho second"));
        assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("prompt", true), "{reply}");
        assert!(!term.read().contains("first 2"));
        let reply = term.keys(&["Enter"]);
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("first 2\nsecond"), "{shell}: {reply}");
    }
}

#[test]
fn a_tab_in_a_text_completes_nothing() {
    for shell in ["bash", "zsh", "fish", "dash"] {
        let live = Live::new();
        std::fs::write(live.user().join("a-file-to-complete"), "").unwrap();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let reply = term.send("printf '<%s>' 'a\tb' a-fi\t > out");
        let text = std::fs::read_to_string(live.user().join("out"));
        let text = text.unwrap_or_else(|error| panic!("{shell} {error} {reply} {}", term.screen()));
        // fish takes no tab that is typed or pasted.
        let want = if shell == "fish" { "<ab><a-fi>" } else { "<a\tb><a-fi>" };
        assert_eq!(text, want, "{shell}");
    }
}

#[test]
fn an_unfinished_command_can_be_given_up() {
    for (shell, starts) in [
        ("bash", ["for i in 1 2", "cat <<END", "echo 'open", "echo $("]),
        ("zsh", ["for i in 1 2", "cat <<END", "echo 'open", "echo $("]),
        ("fish", ["for i in 1 2", "begin", "if true", "while true"]),
    ] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for start in starts {
            let reply = term.send(start);
            let found = (reason(&reply), &reply["continuation"], &reply["exitCode"]);
            assert_eq!(found, ("stdin_read", &true.into(), &Value::Null), "{shell} {start}");
            let reply = term.keys(&["C-c"]);
            assert_eq!((reason(&reply), reply["exitCode"].is_null()), ("prompt", true), "{reply}");
            let reply = term.send("echo whole");
            assert_done(&reply, 0);
            assert_eq!(output(&reply), "whole", "{shell} {start}");
        }
    }
}

#[test]
fn an_unfinished_command_can_be_finished() {
    for shell in ["bash", "zsh"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        for line in ["cat <<END", "one", "two"] {
            let reply = term.send(line);
            assert_eq!((reason(&reply), &reply["continuation"]), ("stdin_read", &true.into()));
        }
        let reply = term.send("END");
        assert_done(&reply, 0);
        assert!(viewport(&reply).ends_with("one\ntwo"), "{reply}");
    }
}

#[test]
fn held_output_is_told() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send_with("while :; do echo tick; sleep 0.05; done", &["--timeout-ms", "500"]);
    assert_eq!(reason(&reply), "timeout");
    let reply = term.ask("keys", &["--timeout-ms", "500", "C-s"]);
    assert_eq!(reason(&reply), "timeout");
    assert!(has_note(&reply, "C-s holds the output"), "{reply}");
    let lines = term.ask("read", &[])["totalLines"].as_u64();
    assert_eq!(reason(&term.wait("quiet=300")), "met");
    assert_eq!(term.ask("read", &[])["totalLines"].as_u64(), lines);
    let reply = term.ask("keys", &["--timeout-ms", "1000", "C-q"]);
    assert!(!has_note(&reply, "C-s"), "{reply}");
    assert!(viewport(&reply).contains("tick"), "{reply}");
    assert_done(&term.interrupt(), 130);
}

#[test]
fn a_million_bytes_come_back_from_a_program_without_lines() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let text: String = (0..100_000).map(|number| format!("{number:08}\r\n")).collect();
    let reply = term.send("stty raw -echo; head -c 1000000 | tee copy; stty sane");
    assert_eq!(reason(&reply), "stdin_read");
    let reply = term.send_with(&text, &["--no-submit"]);
    assert_done(&reply, 0);
    assert!(std::fs::read_to_string(live.user().join("copy")).unwrap() == text);
    let whole = term.whole(&reply);
    let lines: Vec<_> = whole.lines().collect();
    let want: Vec<_> = text.lines().collect();
    assert!(lines[lines.len() - want.len()..] == want);
}

#[test]
fn what_a_program_does_not_take_is_counted() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send_with("stty raw; sleep 60.8", &["--timeout-ms", "1"]);
    assert_eq!(reason(&reply), "timeout");
    while term.ask("wait", &["--until", "quiet=1"])["inside"] != "sleep" {}
    let text = "x".repeat(3 << 20);
    let reply = term.send_with(&text, &["--no-submit", "--timeout-ms", "500"]);
    assert_eq!(reason(&reply), "timeout");
    let note = reply["notes"][0].as_str().unwrap();
    let (count, rest) = note.split_once(' ').unwrap();
    assert_eq!(rest, "bytes of what was typed are still on their way to the program");
    let count: usize = count.parse().unwrap();
    assert!(count > text.len() - (256 << 10) && count < text.len(), "{count}");
    // There is an end to what may wait.
    let mut command = live.command(&["send", &term.id, "--no-submit", &"y".repeat(100_000)]);
    command.args(["--timeout-ms", "1"]);
    let mut refused = None;
    for _ in 0..20 {
        let run = crate::support::finish(&mut command);
        if run.code != 0 {
            refused = Some(run.fails(1));
            break;
        }
    }
    let refused = refused.expect("it has a bound");
    assert!(refused.contains("still on their way"), "{refused}");
    term.ask("signal", &["SIGKILL"]);
}

#[test]
fn an_end_of_input_can_be_typed() {
    let live = Live::new();
    let term: Term<'_> = live.program(&["cat"]);
    let reply = term.send("line");
    assert_eq!((reason(&reply), viewport(&reply)), ("stdin_read", "line\nline"));
    let reply = term.keys(&["C-d"]);
    assert_eq!((reason(&reply), &reply["sessionStatus"]["exitCode"]), ("session_exit", &0.into()));
}

#[test]
fn a_nul_and_too_much_are_refused() {
    let live = Live::new();
    let term = live.program(&["cat"]);
    let mut child = live
        .command(&["send", &term.id, "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"a\0b").unwrap();
    let refused = crate::support::live::ended(child).fails(2);
    assert!(refused.contains("holds a NUL"), "{refused}");
    // Nothing of it was typed.
    assert_eq!(viewport(&term.send("next")), "next\nnext");
}
