//! What is asked wrongly, and what no client of ours would send: an error, and the host goes on.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::fs::DirBuilderExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::hosts::{answer, call, connect, descriptors, eventually, host, is_alive};
use crate::support::live::{Live, PATIENCE_MS, Term, assert_done, output};
use crate::support::{Run, finish};

fn bash(live: &Live) -> Term<'_> {
    live.open(&["--shell", "bash"])
}

/// Runs a command that reads this from a pipe.
fn fed(command: &mut Command, text: &[u8]) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // One that refuses may not read all of it.
    child.stdin.take().unwrap().write_all(text).unwrap_or_default();
    crate::support::live::ended(child)
}

#[test]
fn ids_that_are_none() {
    let live = Live::new();
    let long = "x".repeat(300);
    for id in ["nothing", "", " ", ".", "a/b", "\u{1b}[31m", long.as_str()] {
        let shown = id.replace('\u{1b}', "\\x1b");
        for verb in ["read", "freeze", "restart", "close", "attach"] {
            let why = live.run(&[verb, id]).fails(1);
            assert_eq!(why, format!("error: unknown PTY session {shown}\n"));
        }
    }
}

#[test]
fn a_signal_has_a_known_name() {
    let live = Live::new();
    let term = bash(&live);
    for signal in ["SIGUSR1", "INT", "sigint", "9", "", "SIGINT "] {
        let why = live.run(&["signal", &term.id, signal]).fails(2);
        let want = "error: signal must be one of SIGINT, SIGTERM, SIGKILL, SIGTSTP, SIGHUP\n";
        assert_eq!(why, want);
    }
}

#[test]
fn an_open_that_cannot_be() {
    let live = Live::new();
    let long = "x".repeat(65);
    let cases: [(&[&str], i32, &str); 12] = [
        (&["--type", ""], 2, "type must be a non-empty string"),
        (&["--type", "browser"], 1, "no PTY backend registered for \"browser\""),
        (&["--type", "command"], 2, "no command is given after --"),
        (&["--name", " "], 2, "PTY session name must be non-empty"),
        (&["--terminal-id", "a/b"], 2, ""),
        (&["--terminal-id", &long], 1, "cannot open a terminal: its id is longer than 64 bytes"),
        (&["--cwd", "no/such/folder"], 1, "no/such/folder: No such file or directory"),
        (&["--shell", "/no/such/shell"], 1, "cannot run /no/such/shell: No such file or directory"),
        (&["--", "no-such-program"], 1, "cannot run no-such-program: No such file or directory"),
        (&["--size", "0x0"], 2, ""),
        (&["--env", "=value"], 2, ""),
        (&["--idle-timeout", "-1"], 2, ""),
    ];
    for (args, code, want) in cases {
        let why = live.run(&[&["open"], args].concat()).fails(code);
        assert!(why.starts_with("error: ") && why.contains(want), "{args:?}: {why}");
    }
    assert_eq!(live.json(&["list"]), json!([]));
    // No journal of what never began.
    let sessions = live.codex_home().join("codex-deck");
    let left = walkdir::WalkDir::new(sessions).into_iter().flatten();
    let files: Vec<_> = left.filter(|entry| entry.file_type().is_file()).collect();
    assert!(files.iter().all(|file| file.file_name() == "session.lock"), "{files:?}");
}

#[test]
fn counts_that_are_none() {
    let live = Live::new();
    let term = bash(&live);
    let id = term.id.as_str();
    let cases: [&[&str]; 19] = [
        &["read", id, "--count", "0"],
        &["read", id, "--count", "-1"],
        &["read", id, "--count", "1.5"],
        &["read", id, "--count", "ten"],
        &["read", id, "--offset", "-1"],
        &["read", id, "--offset", "0.5"],
        &["read", id, "--from", "0"],
        &["read", id, "--from", "1", "--offset", "1"],
        &["send", id, "true", "--timeout-ms", "-1"],
        &["send", id, "true", "--timeout-ms", "0.5"],
        &["send", id, "true", "--max-output-tokens", "0"],
        &["send", id, "true", "--max-output-tokens", "-5"],
        &["wait", id, "--until", "soon"],
        &["wait", id, "--until", "quiet=-1"],
        &["wait", id, "--until", "quiet=1.5"],
        &["wait", id, "--until", "text=("],
        &["keys", id, "Enter", "-N", "-1"],
        &["keys", id, "-x"],
        &["keys", id],
    ];
    for args in cases {
        let why = live.run(args).fails(2);
        assert!(why.starts_with("error: "), "{args:?}: {why}");
    }
    assert_done(&term.send("true"), 0);
}

#[test]
fn numbers_that_are_too_large() {
    let live = Live::new();
    let term = bash(&live);
    let id = term.id.as_str();
    let most = u64::MAX.to_string();
    assert_done(&term.send_with("true", &["--timeout-ms", &most]), 0);
    assert_done(&term.send_with("true", &["--max-output-tokens", &most]), 0);
    for args in [
        &["read", id, "--offset", &most][..],
        &["read", id, "--count", &most],
        &["read", id, "--from", &most],
        &["read", id, "--from", &most, "--count", &most],
    ] {
        live.json(args);
    }
    let quiet = format!("quiet={most}");
    assert_eq!(live.run(&["wait", id, "--until", &quiet, "--timeout-ms", "1"]).code, 3);
    let why = live.run(&["keys", id, "-N", "4294967295", "Enter"]).fails(2);
    assert_eq!(why, "error: at most 4194304 bytes are typed at once\n");
    let why = live.run(&["keys", id, "-N", "4294967296", "Enter"]).fails(2);
    assert!(why.contains("4294967296"), "{why}");
    let never = live.open(&["--shell", "sh", "--idle-timeout", &most, "--max-terminals", &most]);
    assert_eq!(reason_of(&never.send("true")), "stdin_read");
    assert_done(&term.send("true"), 0);
}

fn reason_of(reply: &Value) -> &str {
    crate::support::live::reason(reply)
}

#[test]
fn text_that_cannot_be_typed() {
    let live = Live::new();
    let term = bash(&live);
    let id = term.id.as_str();
    let from_stdin = |verb: &str, text: &[u8]| fed(&mut live.command(&[verb, id, "-"]), text);
    let why = from_stdin("send", b"echo a\0b").fails(2);
    assert_eq!(why, "error: the text holds a NUL; `keys` sends one as C-@\n");
    let long = vec![b'x'; 10 << 20];
    for verb in ["send", "paste"] {
        let why = from_stdin(verb, &long).fails(2);
        assert_eq!(why, "error: at most 4194304 bytes are typed at once\n");
        let why = from_stdin(verb, b"\xff").fails(1);
        assert_eq!(why, "error: stdin is not UTF-8 text\n");
    }
    // Nothing of all that was typed.
    assert_eq!(output(&term.send("true")), "");
    assert!(!term.read().contains('x'));
}

#[test]
fn the_longest_text_there_is_gets_through() {
    let live = Live::new();
    let term = bash(&live);
    // Raw, or the terminal would cut it into lines. JSON has six bytes for each of these.
    term.send_in_background(
        "stty raw -echo; echo re''ady; head -c 4194304 | tr -d '\\001' | wc -c; stty sane",
    );
    term.wait("text=ready");
    term.ask("wait", &["--until", "ready", "--timeout-ms", PATIENCE_MS]);
    let text = vec![1; 4 << 20];
    let mut send = live.command(&["send", &term.id, "-", "--no-submit", "--json"]);
    let sent = fed(send.args(["--timeout-ms", PATIENCE_MS]), &text).json();
    // As many bytes as there were, and not one other.
    assert!(sent["viewport"].as_str().unwrap().trim_end().ends_with(" 0"), "{sent}");
    assert_done(&term.send("true"), 0);
}

#[test]
fn a_runtime_folder_may_be_deep() {
    let live = Live::new();
    // Longer than an address of a socket may be, several times.
    let deep = (0..10).fold(live.path().to_owned(), |path, _| path.join("x".repeat(60)));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&deep).unwrap();
    let run = |args: &[&str]| {
        finish(live.command(args).env("TERMINAL_SESSION_RUNTIME_DIR", &deep).arg("--json")).json()
    };
    let opened = run(&["open", "--shell", "bash"]);
    let id = opened["sessionId"].as_str().unwrap();
    assert_done(&run(&["send", id, "true", "--timeout-ms", PATIENCE_MS]), 0);
    assert_eq!(run(&["list"])[0]["sessionId"], id);
    assert_eq!(run(&["close", id])["outcome"], "closed");
    assert_eq!(run(&["list"]), json!([]));
}

#[test]
fn a_runtime_folder_that_cannot_be() {
    let live = Live::new();
    let long = live.path().join("x".repeat(300));
    let missing = live.path().join("no/such");
    for (folder, want) in [(&long, "File name too long"), (&missing, "No such file or directory")] {
        let mut list = live.command(&["list"]);
        let why = finish(list.env("TERMINAL_SESSION_RUNTIME_DIR", folder)).fails(1);
        let start = format!("error: cannot use the runtime folder {}: {want}", folder.display());
        assert!(why.starts_with(&start), "{why}");
    }
}

#[test]
fn messages_that_are_none_are_refused() {
    let live = Live::new();
    let term = bash(&live);
    let host = host(&term);
    let agent = fs::read_to_string(live.runtime().join("agent")).unwrap();
    let said = |bytes: &[u8]| {
        let mut stream = connect(&live, &term.id);
        stream.write_all(bytes).unwrap();
        answer(&stream)
    };
    let deep = format!("{{\"agent\":null,\"request\":{}\n", "[".repeat(100_000));
    let status = "{\"do\":\"status\"}";
    for bytes in [
        b"\n".to_vec(),
        b"hello\n".to_vec(),
        b"\0\xff\x1b[2J\n".to_vec(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"{}\n".to_vec(),
        b"[]\n".to_vec(),
        deep.into_bytes(),
        format!("{{\"agent\":{agent:?},\"request\":{status},\"more\":1}}\n").into_bytes(),
        format!("{{\"agent\":7,\"request\":{status}}}\n").into_bytes(),
        call(&live, &json!({ "do": "explode" })),
        call(&live, &json!({ "do": "read", "offset": -1, "count": 1, "from": null })),
        call(&live, &json!({ "do": "resize", "cols": 70000, "rows": 1 })),
        call(&live, &json!({ "do": "send", "text": "true" })),
    ] {
        let answer = said(&bytes);
        let start = "{\"error\":{\"code\":\"invalid\",\"message\":\"unreadable request: ";
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(99)]).into_owned();
        assert!(answer.starts_with(start), "{shown}: {answer}");
        assert_eq!(answer.matches('\n').count(), 1);
    }
    // Sizes that no client of ours sends.
    let wait = json!({ "timeoutMs": 0, "maxBytes": u64::MAX });
    said(&call(&live, &json!({ "do": "wait", "until": "ready", "wait": wait })));
    for size in [[0, 1], [1, 0]] {
        let answer =
            said(&call(&live, &json!({ "do": "resize", "cols": size[0], "rows": size[1] })));
        assert!(answer.contains("a size has at least one column and one row"), "{answer}");
    }
    // Without an agent there is little to be had, with a wrong one nothing.
    let read = "{\"do\":\"screen\"}";
    let unknown = format!(
        "{{\"error\":{{\"code\":\"no-session\",\"message\":\"unknown PTY session {}\"}}}}\n",
        term.id
    );
    for call in [
        format!("{{\"agent\":null,\"request\":{read}}}\n"),
        format!("{{\"agent\":\"\",\"request\":{read}}}\n"),
        format!("{{\"agent\":\"{agent}x\",\"request\":{status}}}\n"),
        format!("{{\"agent\":\"{}\",\"request\":{status}}}\n", &agent[..agent.len() - 1]),
    ] {
        assert_eq!(said(call.as_bytes()), unknown);
    }
    assert!(
        said(format!("{{\"agent\":null,\"request\":{status}}}\n").as_bytes()).contains("running")
    );
    assert!(is_alive(&host));
    assert_done(&term.send("true"), 0);
}

#[test]
fn an_endless_message_ends_its_connection() {
    let live = Live::new();
    let term = bash(&live);
    let mut stream = connect(&live, &term.id);
    let piece = vec![b'x'; 1 << 20];
    // More than any request has, and never a newline.
    let is_refused = (0..200).any(|_| stream.write_all(&piece).is_err());
    assert!(is_refused);
    assert_eq!(answer(&stream), "");
    assert_done(&term.send("true"), 0);
}

#[test]
fn silence_is_borne() {
    let live = Live::new();
    let term = bash(&live);
    let host = host(&term);
    let before = descriptors(&host).len();
    let request = call(&live, &json!({ "do": "status" }));
    let mut half = connect(&live, &term.id);
    half.write_all(&request[..request.len() / 2]).unwrap();
    let many: Vec<_> = (0..100).map(|_| connect(&live, &term.id)).collect();
    // With all of them there, it is as ever.
    assert_done(&term.send("echo here"), 0);
    assert_eq!(live.json(&["list"]).as_array().unwrap().len(), 1);
    // The rest of a message may come late.
    half.write_all(&request[request.len() / 2..]).unwrap();
    assert!(answer(&half).starts_with("{\"done\":{\"status\":"));
    // A hundred requests at a time are answered, each with its own.
    for (number, mut stream) in many.iter().enumerate() {
        let read = json!({ "do": "read", "offset": 0, "count": number + 1, "from": null });
        stream.write_all(&call(&live, &read)).unwrap();
    }
    for stream in &many {
        assert!(answer(stream).starts_with("{\"done\":{\"lines\":"));
    }
    drop(many);
    eventually("their descriptors are gone", || descriptors(&host).len() == before);
}

#[test]
fn whoever_is_silent_longest_gives_way() {
    let live = Live::with_limit("-n 100");
    let term = bash(&live);
    let silent: Vec<_> = (0..150).map(|_| connect(&live, &term.id)).collect();
    assert_done(&term.send("echo here"), 0);
    // The first one was closed.
    assert_eq!(answer(&silent[0]), "");
    let last = silent.last().unwrap();
    (&*last).write_all(&call(&live, &json!({ "do": "status" }))).unwrap();
    assert!(answer(last).contains("running"));
}

#[test]
fn a_client_that_hangs_up_early_harms_nobody() {
    let live = Live::new();
    let term = bash(&live);
    let waiting = json!({ "timeoutMs": 600_000, "maxBytes": 1000 });
    for _ in 0..20 {
        for request in [
            json!({ "do": "wait", "until": "exit", "wait": waiting }),
            json!({ "do": "screen" }),
            json!({ "do": "attach", "read_only": true }),
            json!({ "do": "attach", "readOnly": false }),
        ] {
            let mut stream = connect(&live, &term.id);
            stream.write_all(&call(&live, &request)).unwrap();
            stream.shutdown(Shutdown::Both).unwrap();
        }
    }
    assert_done(&term.send("true"), 0);
}

#[test]
fn a_view_gets_frames_that_are_none() {
    let live = Live::new();
    let term = bash(&live);
    for frames in [
        &b"i\xff\xff\xff\xffabc"[..],
        b"r\0\0\0\x04\0\0\0\0",
        b"r\0\0\0\x02\0\0",
        b"?\0\0\0\x01x",
        b"i\0\0\0\0",
        b"\0\0\0\0\0",
    ] {
        let mut stream = connect(&live, &term.id);
        stream.write_all(&call(&live, &json!({ "do": "attach", "readOnly": false }))).unwrap();
        stream.write_all(frames).unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        assert_eq!(line, "{\"done\":\"attached\"}\n", "{frames:?}");
    }
    assert_eq!(term.screen()["size"], json!({ "cols": 120, "rows": 30 }));
    assert_done(&term.send("true"), 0);
}

#[test]
fn what_a_program_prints_takes_over_no_terminal() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--name", "a\u{1b}]2;title\u{7}b"]);
    term.send(
        "printf '\\e]2;ti\\001tle\\a\\e[31mred\\e[0m\\x9b31m'; exec -a $'\\e[5m' sleep 600 &",
    );
    for args in [&["list"][..], &["read", &term.id], &["read", &term.id, "--screen"]] {
        let shown = live.run(args).ok();
        let is_plain = |c: char| !c.is_control() || c == '\n';
        assert!(shown.chars().all(is_plain), "{shown:?}");
    }
}
