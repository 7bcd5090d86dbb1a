//! A person looks on at a live terminal, and joins in.

use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::json;
use terminal_session::pty::process;
use terminal_session::screen::{Screen, Scrollback, Size};

use crate::support::hosts::{call, children, connect, eventually, host, is_alive, kill};
use crate::support::live::{Live, Term, assert_done, viewport};
use crate::support::{LIVE, Outer};

fn bash(live: &Live) -> Term<'_> {
    live.open(&["--shell", "bash"])
}

/// A person's terminal with the program attached to a live one.
fn attached(live: &Live, line: &str) -> Outer {
    let runtime = live.runtime();
    let codex = live.codex_home();
    let env: [(&str, &Path); 3] = [
        ("TERMINAL_SESSION_RUNTIME_DIR", &runtime),
        ("CODEX_HOME", &codex),
        ("LIVE", Path::new(LIVE)),
    ];
    let script = format!(
        "stty -g > $CODEX_HOME/before; {line}; code=$?; stty -g > $CODEX_HOME/after; echo left with $code"
    );
    Outer::start("sh", &["-c", &script], &env, Size { cols: 77, rows: 21 })
}

#[test]
fn a_person_joins_and_leaves() {
    let live = Live::new();
    let term = bash(&live);
    term.send("echo be''fore");
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("before").send("echo typed by ha''nd; stty size\r");
    outer.wait_for("typed by hand").wait_for("21 77");
    outer.resize(Size { cols: 70, rows: 22 });
    eventually("the size follows", || term.screen()["size"] == json!({ "cols": 70, "rows": 22 }));
    // Both see what either types, one after the other.
    term.wait("ready");
    term.send("echo from the ag''ent");
    outer.wait_for("from the agent");
    outer.send("\x1dd").wait_for("left with 0");
    let (_, status) = outer.end();
    assert!(status.success());
    for file in ["before", "after"] {
        assert!(live.codex_home().join(file).exists());
    }
    let [before, after] =
        ["before", "after"].map(|file| fs::read_to_string(live.codex_home().join(file)).unwrap());
    assert_eq!(before, after, "the terminal is as it was");
    assert_eq!(term.screen()["size"], json!({ "cols": 120, "rows": 30 }), "and so is the live one");
    assert!(term.read().contains("typed by hand"));
    assert_done(&term.send("true"), 0);
}

#[test]
fn a_person_who_only_looks_types_nothing() {
    let live = Live::new();
    let term = bash(&live);
    let line = format!("$LIVE attach {} --read-only --detach-key '^]q'", term.id);
    let mut outer = attached(&live, &line);
    outer.wait_for("ready> ").send("echo nev''er\r");
    term.send("echo from the ag''ent");
    outer.wait_for("from the agent");
    outer.send("\x1dq").wait_for("left with 0");
    outer.end();
    assert!(!term.read().contains("nev"));
    assert_eq!(term.screen()["size"], json!({ "cols": 120, "rows": 30 }), "and keeps its size");
}

#[test]
fn a_persons_screen_is_put_back() {
    let live = Live::new();
    let term = bash(&live);
    term.send_in_background("printf '\\e[?1049h\\e[?2004h\\e[?1000hfull scr''een'; sleep 600");
    term.wait("screen-change=");
    term.wait("text=full screen");
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("full screen").send("\x1dd").wait_for("left with 0");
    let (shown, _) = outer.end();
    let (_, behind) = shown.rsplit_once("full screen").unwrap();
    for off in ["\x1b[?1049l", "\x1b[?2004l", "\x1b[?1000l"] {
        assert!(behind.contains(off), "{off:?} is not in {behind:?}");
    }
}

#[test]
fn the_end_of_a_terminal_ends_a_persons_view() {
    let live = Live::new();
    let term = bash(&live);
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("ready> ").send("exit\r").wait_for("left with 0");
    outer.end();
    // Nobody can join what is not there, or without a terminal.
    let why = live.run(&["attach", "nothing"]).fails(1);
    assert_eq!(why, "error: unknown PTY session nothing\n");
    let other = bash(&live);
    let why = live.run(&["attach", &other.id]).fails(1);
    assert_eq!(why, "error: stdin is no terminal to join with\n");
}

#[test]
fn a_persons_terminal_is_asked_nothing() {
    let live = Live::new();
    let term = bash(&live);
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("ready> ");
    // The questions stand between what is shown.
    let asks = r"\033[6n\033[c\033]11;?\007\033P$qm\033\\\005";
    term.send(&format!(r"env printf 'as%s{asks}\033[1mked' ''"));
    outer.wait_for("as\x1b[1mked");
    // As a person's terminal would.
    let mut screen = Screen::new(Size { cols: 77, rows: 21 }, Scrollback::Rows(0)).with_replies();
    screen.feed(outer.shown());
    let answers = screen.take_replies();
    outer.send(&answers);
    assert_eq!(viewport(&term.send("echo cle''an")), "ready> echo cle''an\nclean");
    assert!(answers.is_empty(), "{answers:?}");
    outer.send("\x1dd").wait_for("left with 0");
    outer.end();
}

/// Looks on, past the program, and has read nothing yet.
fn watch(live: &Live, id: &str) -> UnixStream {
    let mut stream = connect(live, id);
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let attach = json!({ "do": "attach", "readOnly": false });
    stream.write_all(&call(live, &attach)).unwrap();
    stream
}

/// Reads until this comes.
#[track_caller]
fn read_until(mut stream: &UnixStream, text: &str) -> Vec<u8> {
    let mut read = Vec::new();
    let mut buffer = [0; 1 << 16];
    // What is looked for may begin in the piece before.
    let begins = |read: &[u8], count: usize| read.len().saturating_sub(count + text.len());
    loop {
        let count = stream.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "the end came before {text:?}");
        read.extend_from_slice(&buffer[..count]);
        if memchr::memmem::find(&read[begins(&read, count)..], text.as_bytes()).is_some() {
            return read;
        }
    }
}

/// A frame, as a client sends it that looks on.
fn frame(kind: u8, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap();
    [&[kind], &length.to_be_bytes()[..], data].concat()
}

#[test]
fn what_is_typed_just_before_leaving_is_typed() {
    let live = Live::new();
    let term = bash(&live);
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("ready> ").send("echo be''fore\r\x1ddecho aft''er\r").wait_for("left with 0");
    outer.end();
    term.wait("text=before");
    assert_done(&term.send("true"), 0);
    assert!(!term.read().contains("aft"), "the rest is not for the terminal");
}

#[test]
fn what_comes_with_the_end_of_a_view_is_typed() {
    let live = Live::new();
    let term = bash(&live);
    let mut stream = watch(&live, &term.id);
    read_until(&stream, "ready> ");
    let host = host(&term);
    kill(&host, Signal::STOP);
    stream.write_all(&frame(b'i', b"echo la''st\r")).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    kill(&host, Signal::CONT);
    term.wait("text=last");
}

#[test]
fn a_persons_screen_is_put_back_where_the_host_is_gone() {
    let live = Live::new();
    let term = bash(&live);
    term.send_in_background("printf '\\e[?1049hfull scr''een'; sleep 600");
    term.wait("text=full screen");
    let mut outer = attached(&live, &format!("$LIVE attach {}", term.id));
    outer.wait_for("full screen");
    let shell = process(Pid::from_raw(i32::try_from(outer.pid()).unwrap()).unwrap()).unwrap();
    let client = children(&shell).remove(0);
    let host = host(&term);
    // It finds a key to hand on and nobody who takes it.
    kill(&client, Signal::STOP);
    eventually("it is stopped", || process(client.pid).unwrap().state == b'T');
    kill(&host, Signal::KILL);
    eventually("its host is gone", || !is_alive(&host));
    outer.send("x");
    eventually("the key is there", || outer.has_unread());
    kill(&client, Signal::CONT);
    outer.wait_for("\x1b[?1049l").wait_for("left with 1");
    outer.end();
}

#[test]
fn who_joins_takes_nothing_from_who_looks_on() {
    let live = Live::new();
    let term = bash(&live);
    let fifo = live.user().join("fifo");
    term.send("mkfifo fifo");
    term.send_in_background("echo st''arted; cat fifo; touch printed; sleep 600");
    let first = watch(&live, &term.id);
    read_until(&first, "started");
    let host = host(&term);
    kill(&host, Signal::STOP);
    fs::write(fifo, "words\n").unwrap();
    eventually("they are printed", || live.user().join("printed").exists());
    // The host finds them and the second client at once.
    let second = watch(&live, &term.id);
    kill(&host, Signal::CONT);
    read_until(&first, "words");
    read_until(&second, "words");
}

#[test]
fn a_long_history_is_shown_to_who_joins() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--size", "2000x24"]);
    let line = "x".repeat(1990);
    term.send(&format!("for n in {{1..6000}}; do echo {line}; done; echo en''d"));
    let mut stream = watch(&live, &term.id);
    // More than may be unread of what comes later.
    assert!(read_until(&stream, "end").len() > 9 << 20);
    stream.write_all(&frame(b'i', b"echo af''terwards\r")).unwrap();
    read_until(&stream, "afterwards");
}

#[test]
fn who_stopped_reading_keeps_no_terminal() {
    let live = Live::new();
    let term = bash(&live);
    let host = host(&term);
    let _stream = watch(&live, &term.id);
    // More than a socket holds, less than may be unread.
    assert_done(&term.send("seq 300000"), 0);
    assert_eq!(term.close(), json!({ "sessionId": term.id, "outcome": "closed" }));
    eventually("its host is gone", || !is_alive(&host));
}

#[test]
fn a_view_types_no_more_than_others_may() {
    let live = Live::new();
    let script = "stty raw -echo; echo ready; sleep 600";
    let term = live.open(&["--timeout-ms", "1", "--", "sh", "-c", script]);
    let mut stream = watch(&live, &term.id);
    read_until(&stream, "ready");
    let keys = vec![b'x'; 3 << 20];
    stream.write_all(&frame(b'i', &keys)).unwrap();
    stream.write_all(&frame(b'i', &keys)).unwrap();
    read_until(&stream, "\x07");
    let reply = term.ask("keys", &["--timeout-ms", "1", "--", "a"]);
    let note = reply["notes"][0].as_str().unwrap();
    let count: usize = note.split(' ').next().unwrap().parse().unwrap();
    assert!(note.ends_with("still on their way to the program"), "{note}");
    assert!((1 << 20..=4 << 20).contains(&count), "{note}");
}
