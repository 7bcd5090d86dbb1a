//! Hosts that cannot do as they would: one that is stopped, one without descriptors, one whose
//! client has said all it had to say.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use terminal_session::pty::Process;

use crate::support::hosts::{answer, call, connect, connect_now, host, host_of, host_of_job, kill};
use crate::support::live::{Live, PATIENCE_MS, Term, assert_done, ended};

/// A process that is stopped for as long as this lives.
struct Stopped(Process);

impl Stopped {
    fn new(process: Process) -> Self {
        kill(&process, Signal::STOP);
        Self(process)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        kill(&self.0, Signal::CONT);
    }
}

/// What is said where a host does not answer.
fn silent(what: &str, host: &Process) -> String {
    let pid = host.pid.as_raw_nonzero();
    format!(
        "error: cannot speak to {what}: its host does not answer (if process {pid} is stopped, \
         `kill -CONT {pid}` wakes it)\n"
    )
}

fn sh(live: &Live) -> Term<'_> {
    live.open(&["--shell", "sh"])
}

#[test]
fn a_stopped_host_keeps_no_label_from_the_others() {
    let live = Live::new();
    let run = |label: &str| live.run(&["execute", "--json", "--terminal", label, "echo $LABEL"]);
    let first: Value = serde_json::from_str(&run("one").ok()).unwrap();
    let id = first["session_id"].as_str().unwrap().to_owned();
    let stopped = Stopped::new(host_of(&live, &id));
    let mut asking = live.command(&["execute", "--json", "--terminal", "one", "echo $LABEL"]);
    let asking = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let told = run("two");
    let beside = ended(asking);
    let told: Value = serde_json::from_str(&told.ok()).unwrap();
    assert_eq!(told["status"], "completed", "{told}");
    assert_eq!(beside.code, 1);
    assert_eq!(beside.stderr, silent(&format!("terminal session {id}"), &stopped.0));
    drop(stopped);
    let again: Value = serde_json::from_str(&run("one").ok()).unwrap();
    assert_eq!((&again["status"], &again["session_id"]), (&json!("completed"), &json!(id)));
}

#[test]
fn who_opens_a_terminal_keeps_nobody_from_a_label_that_is_known() {
    let live = Live::new();
    let run = || live.run(&["execute", "--json", "echo known"]).ok();
    let first: Value = serde_json::from_str(&run()).unwrap();
    let id = first["session_id"].as_str().unwrap();
    // As somebody does who opens one beside a host that is stopped.
    let folders = fs::read_dir(live.runtime().join("agents")).unwrap();
    let mut folders = folders.map(|folder| folder.unwrap().path());
    let folder = folders.find(|folder| folder.join(format!("{id}.sock")).exists()).unwrap();
    let lock = File::open(folder).unwrap();
    lock.lock().unwrap();
    let again: Value = serde_json::from_str(&run()).unwrap();
    assert_eq!((&again["content"], &again["session_id"]), (&json!("known"), &json!(id)));
}

#[test]
fn a_stopped_host_keeps_nobody_from_the_others() {
    let live = Live::new();
    let terms = [sh(&live), sh(&live), sh(&live)];
    let task = terms[2].send_in_background("true");
    let stopped = [0, 1].map(|index| Stopped::new(host(&terms[index])));
    let silent = |id: &str| json!({ "sessionId": id, "type": "unknown", "status": { "kind": "unresponsive" } });
    for args in [&["list"][..], &["list", "--operator"]] {
        let rows = live.json(args);
        let row = |term: &Term<'_>| {
            let is_its = |row: &&Value| row["sessionId"] == term.id.as_str();
            rows.as_array().unwrap().iter().find(is_its).unwrap().clone()
        };
        assert_eq!(row(&terms[0]), silent(&terms[0].id));
        assert_eq!(row(&terms[1]), silent(&terms[1].id));
        assert_eq!(row(&terms[2])["status"]["kind"], "running", "{rows}");
    }
    let line = format!("{} [unknown] its host does not answer\n", terms[0].id);
    assert!(live.run(&["list"]).ok().contains(&line));

    let tasks = live.run(&["tasks", "--json"]);
    let rows: Value = serde_json::from_str(&tasks.stdout).unwrap();
    assert_eq!((rows[0]["taskId"].as_str(), rows.as_array().unwrap().len()), (Some(&*task), 1));
    for term in &terms[..2] {
        let note = format!("note: terminal session {}: its host does not answer\n", term.id);
        assert!(tasks.stderr.contains(&note), "{}", tasks.stderr);
    }

    // They count.
    let open = ["open", "--shell", "sh", "--max-terminals"];
    let refused = live.run(&[&open[..], &["3"]].concat()).fails(1);
    assert!(refused.contains("maximum live terminals reached (3)"), "{refused}");
    live.open(&["--shell", "sh", "--max-terminals", "4"]);
    drop(stopped);
    let rows = live.json(&["list"]);
    assert!(rows.as_array().unwrap().iter().all(|row| row["status"]["kind"] == "running"));
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_waits_without_end_for_a_stopped_host() {
    let live = Live::new();
    let term = sh(&live);
    let task = term.send_in_background("true");
    let job = live.json(&["exec", "--yield-time-ms", "0", "--", "sleep 600"]);
    let job = job["job_id"].as_str().unwrap().to_owned();
    let job_host = host_of_job(&live, &job);
    let stopped = [Stopped::new(host(&term)), Stopped::new(job_host)];
    let long = "x".repeat(2 << 20);
    let id = term.id.as_str();
    let of_terminal = [
        &["read", id][..],
        &["read", id, "--screen"],
        &["send", id, "true", "--timeout-ms", "1"],
        &["send", id, "true", "--background"],
        &["send", id, "-", "--timeout-ms", "1"],
        &["keys", id, "Enter", "--timeout-ms", "1"],
        &["wait", id, "--until", "ready", "--timeout-ms", "1"],
        &["signal", id, "SIGINT"],
        &["resize", id, "90x30"],
        &["freeze", id],
        &["output", &task],
        &["output", &task, "--wait", "--timeout-ms", "1"],
        &["kill", &task],
        &["close", id],
        &["close", id, "--operator"],
    ];
    let of_job = [
        &["write", &job, "--yield-time-ms", "1"][..],
        &["write", &job, "--chars", "x", "--yield-time-ms", "1"],
        &["jobs", "kill", &job],
    ];
    let begin = |args: &&[&str]| {
        let mut command = live.command(args);
        let streams = (Stdio::piped(), Stdio::piped(), Stdio::piped());
        command.stdin(streams.0).stdout(streams.1).stderr(streams.2).spawn().unwrap()
    };
    let asking: Vec<_> = of_terminal.iter().chain(&of_job).map(begin).collect();
    for (index, mut child) in asking.into_iter().enumerate() {
        // More than a socket holds.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(long.as_bytes()).map(drop).unwrap_or_default();
        drop(stdin);
        let told = ended(child);
        let want = match index.checked_sub(of_terminal.len()) {
            None => silent(&format!("terminal session {id}"), &stopped[0].0),
            Some(_) => silent(&format!("exec job {job}"), &stopped[1].0),
        };
        assert_eq!((told.code, told.stderr), (1, want), "{index}");
    }
    drop(stopped);
}

#[cfg(target_os = "linux")]
#[test]
fn a_host_that_takes_nobody_keeps_nobody() {
    let live = Live::new();
    let (term, other) = (sh(&live), sh(&live));
    let stopped = Stopped::new(host(&term));
    // Those who are gone again stay in the queue.
    while connect_now(&live, &term.id).is_ok() {}
    let want =
        format!("error: cannot speak to terminal session {}: its host does not answer\n", term.id);
    for args in [&["read", &*term.id][..], &["close", &term.id, "--operator"]] {
        assert_eq!(live.run(args).fails(1), want);
    }
    let rows = live.json(&["list"]);
    let kind = |id: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        rows.find(|row| row["sessionId"] == id).unwrap()["status"]["kind"].clone()
    };
    assert_eq!((kind(&term.id), kind(&other.id)), (json!("unresponsive"), json!("running")));
    drop(stopped);
    let rows = live.json(&["list"]);
    assert!(
        rows.as_array().unwrap().iter().all(|row| row["status"]["kind"] == "running"),
        "{rows}"
    );
}

#[test]
fn who_has_said_all_is_answered() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    let wait = json!({ "timeoutMs": PATIENCE_MS.parse::<u64>().unwrap(), "maxBytes": 1000 });
    let send = |text: &str| json!({ "do": "send", "text": text, "submit": true, "background": false, "wait": wait });
    // One that is answered at once, one that waits, and one whose end comes while it waits.
    for (request, held, want) in [
        (json!({ "do": "status" }), true, "running"),
        (send("echo answ''ered"), true, "answered"),
        (send("sleep 0.1; echo lat''er"), false, "later"),
    ] {
        let mut stream = connect(&live, &term.id);
        let stopped = held.then(|| Stopped::new(host(&term)));
        stream.write_all(&call(&live, &request)).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        drop(stopped);
        let answer = answer(&stream);
        assert!(answer.contains(want), "{request}: {answer}");
    }
    // Who is gone waits no more, also after having said so.
    let mut stream = connect(&live, &term.id);
    stream.write_all(&call(&live, &send("sleep 600"))).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    term.wait("text=sleep 600");
    term.interrupt();
    assert_done(&term.send("true"), 0);
}

#[test]
fn what_is_typed_behind_an_interrupt_is_whole() {
    let live = Live::new();
    let wait = json!({ "timeoutMs": PATIENCE_MS.parse::<u64>().unwrap(), "maxBytes": 1000 });
    let requests = [
        json!({ "do": "send", "text": "echo who''le", "submit": true, "background": false, "wait": wait }),
        json!({ "do": "keys", "words": ["echo who''le\n"], "how": "literal", "times": 1, "wait": wait }),
    ];
    for shell in ["bash", "zsh", "fish"] {
        let Some(term) = live.shell(shell) else {
            continue;
        };
        assert_done(&term.send("true"), 0);
        // A shell that is not waited for loses a letter in one of a few tries.
        for request in requests.iter().cycle().take(20) {
            let connections = [connect(&live, &term.id), connect(&live, &term.id)];
            let signal = json!({ "do": "signal", "signal": "SIGINT" });
            for (mut stream, request) in connections.iter().zip([&signal, request]) {
                stream.write_all(&call(&live, request)).unwrap();
            }
            let told = connections.each_ref().map(answer);
            assert!(told[0].contains("delivered"), "{shell}: {told:?}");
            assert!(told[1].contains("whole"), "{shell}: {request}: {told:?}");
        }
    }
}

/// Has a host get no descriptors from this number on.
#[cfg(target_os = "linux")]
fn limit_descriptors(host: &Process, most: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    let limit = Rlimit { current: Some(most), maximum };
    prlimit(Some(host.pid), Resource::Nofile, limit).unwrap();
}

/// Whether the other end was not closed. Nothing is ever said over it.
fn is_open(mut stream: &UnixStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[cfg(target_os = "linux")]
#[test]
fn the_silent_give_way_where_descriptors_are_few() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    limit_descriptors(&host(&term), 40);
    let silent: Vec<_> = (0..60).map(|_| connect(&live, &term.id)).collect();
    assert_done(&term.send("echo hello"), 0);
    // 24 are not for clients, and one was for the send.
    let open: Vec<bool> = silent.iter().map(is_open).collect();
    assert_eq!(open, [vec![false; 45], vec![true; 15]].concat());
}
