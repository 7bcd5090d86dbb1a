//! Agents and their terminals: nobody gets at another one's.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::hosts::{environment, host};
use crate::support::live::{Live, PATIENCE_MS, output};
use crate::support::{Run, finish, skipped};

const AGENT: &str = "TERMINAL_SESSION_AGENT";

fn as_agent(live: &Live, agent: &str, args: &[&str]) -> Run {
    finish(live.command(args).env(AGENT, agent))
}

fn opened(live: &Live, agent: &str, args: &[&str]) -> String {
    let open = ["open", "--json", "--shell", "bash", "--timeout-ms", PATIENCE_MS];
    let opened = as_agent(live, agent, &[&open[..], args].concat()).json();
    opened["sessionId"].as_str().unwrap().to_owned()
}

/// Everything that can be asked of a terminal, its id where `ID` stands.
const ASKED: [&[&str]; 20] = [
    &["send", "ID", "echo hello"],
    &["send", "ID", "echo hello", "--background"],
    &["send", "ID", "", "--no-submit"],
    &["keys", "ID", "C-c"],
    &["paste", "ID", "text"],
    &["read", "ID"],
    &["read", "ID", "--from", "1"],
    &["read", "ID", "--screen"],
    &["wait", "ID"],
    &["wait", "ID", "--until", "exit"],
    &["wait", "ID", "--until", "text=."],
    &["signal", "ID", "SIGINT"],
    &["signal", "ID", "NOTHING"],
    &["resize", "ID", "90x20"],
    &["freeze", "ID"],
    &["restart", "ID"],
    &["close", "ID"],
    &["output", "ID-send-1"],
    &["output", "ID-send-1", "--wait"],
    &["kill", "ID-send-1"],
];

fn filled(args: &[&str], id: &str) -> Vec<String> {
    args.iter().map(|arg| arg.replace("ID", id)).collect()
}

#[test]
fn another_agents_terminal_is_as_one_that_does_not_exist() {
    let live = Live::new();
    let mine = opened(&live, "one", &["--name", "build"]);
    let theirs = opened(&live, "two", &["--name", "build"]);
    let task = as_agent(&live, "two", &["send", &theirs, "sleep 600", "--background", "--json"]);
    assert_eq!(task.json()["taskId"], format!("{theirs}-send-1"));
    for args in ASKED {
        let asked = |agent: &str, id: &str| {
            let args = filled(args, id);
            let args: Vec<_> = args.iter().map(String::as_str).collect();
            let run = as_agent(&live, agent, &args);
            (run.code, run.stdout.clone(), run.stderr.replace(id, "ID"), run)
        };
        let (code, stdout, stderr, run) = asked("one", &theirs);
        let unknown = asked("one", "terminal-000000000000");
        assert_eq!((code, &stdout, &stderr), (unknown.0, &unknown.1, &unknown.2), "{args:?}");
        let want = match args[0] {
            "output" | "kill" => "error: unknown task ID-send-1\n",
            _ => "error: unknown PTY session ID\n",
        };
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", want), "{args:?}: {run:?}");
        // Nobody at all, too.
        assert_eq!(asked("", &theirs).2, stderr);
    }
    for (agent, id) in [("one", &mine), ("two", &theirs)] {
        let rows = as_agent(&live, agent, &["list", "--json"]).json();
        assert_eq!(rows.as_array().unwrap().len(), 1);
        assert_eq!(
            (&rows[0]["sessionId"], &rows[0]["name"]),
            (&id.as_str().into(), &"build".into())
        );
    }
    assert_eq!(as_agent(&live, "one", &["tasks"]).ok(), "(no background tasks)\n");
    assert_eq!(as_agent(&live, "three", &["list"]).ok(), "(no terminal sessions)\n");
    // All of that left the other one alone.
    let rows = as_agent(&live, "two", &["tasks", "--json"]).json();
    assert_eq!(rows[0]["status"]["kind"], "running", "{rows}");
    let read = as_agent(&live, "two", &["read", &theirs, "--json"]).json();
    assert!(!read["text"].as_str().unwrap().contains("hello"), "{read}");
    assert_eq!(as_agent(&live, "two", &["list", "--json"]).json()[0]["size"]["cols"], 120);
}

#[test]
fn what_was_closed_is_remembered_for_its_own_agent_only() {
    let live = Live::new();
    let id = opened(&live, "one", &[]);
    assert_eq!(
        as_agent(&live, "one", &["close", &id]).ok(),
        format!("closed terminal session {id}\n")
    );
    let known = as_agent(&live, "one", &["read", &id]).fails(1);
    assert!(known.starts_with(&format!("error: PTY session {id} was closed")), "{known}");
    let unknown = as_agent(&live, "two", &["read", &id]).fails(1);
    assert_eq!(unknown, format!("error: unknown PTY session {id}\n"));
}

#[test]
fn two_agents_may_have_terminals_of_one_id() {
    let live = Live::new();
    let ids = ["one", "two"].map(|agent| opened(&live, agent, &["--terminal-id", "same"]));
    assert_eq!(ids, ["same", "same"]);
    let send = |agent: &str, text: &str| {
        as_agent(&live, agent, &["send", "same", text, "--json", "--timeout-ms", PATIENCE_MS])
            .json()
    };
    send("one", "setsid sh -c 'echo $$ > pid; exec sleep 600' & until [ -s pid ]; do :; done");
    send("two", "mine=two");
    as_agent(&live, "two", &["close", "same"]).ok();
    // Nothing of the first one's was touched.
    assert_eq!(send("one", "kill -0 $(cat pid)")["exitCode"], 0);
    opened(&live, "two", &["--terminal-id", "same"]);
    let rows = live.json(&["list", "--operator"]);
    assert_eq!(rows.as_array().unwrap().len(), 2);
    finish(&mut live.command(&["close", "same", "--operator"])).ok();
    assert_eq!(live.json(&["list", "--operator"]).as_array().unwrap().len(), 0);
}

#[test]
fn the_operator_lists_and_closes_and_does_nothing_else() {
    let live = Live::new();
    let one = opened(&live, "one", &["--name", "server"]);
    let two = opened(&live, "two", &[]);
    let listed = live.run(&["list", "--operator"]).ok();
    assert_eq!(listed.lines().count(), 2);
    assert!(listed.contains(&format!("{one} (server) [shell] running pid=")), "{listed}");
    for verb in ["read", "freeze", "wait"] {
        let why = live.run(&[verb, &two, "--operator"]).fails(2);
        assert!(why.contains("--operator"), "{why}");
    }
    let closed = live.run(&["close", &one, "--operator"]).ok();
    assert_eq!(closed, format!("closed terminal session {one}\n"));
    let again = live.run(&["close", &one, "--operator"]).fails(1);
    assert!(again.starts_with(&format!("error: PTY session {one} was closed")), "{again}");
    let why = live.run(&["close", "nothing", "--operator"]).fails(1);
    assert_eq!(why, "error: unknown PTY session nothing\n");
    assert_eq!(live.json(&["list", "--operator"])[0]["sessionId"], two.as_str());
}

#[test]
fn the_default_agent_is_made_once_and_private() {
    let live = Live::new();
    // Several at once, at the first use.
    let running: Vec<_> =
        (0..6).map(|_| live.command(&["list"]).stdout(Stdio::null()).spawn().unwrap()).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let file = live.runtime().join("agent");
    let token = fs::read_to_string(&file).unwrap();
    assert!(token.len() >= 32, "{} characters", token.len());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    for folder in [live.runtime(), live.runtime().join("agents")] {
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
    let term = live.open(&["--shell", "bash"]);
    let rows = as_agent(&live, token.trim(), &["list", "--json"]).json();
    assert_eq!(rows[0]["sessionId"], term.id.as_str());
    assert_eq!(fs::read_to_string(&file).unwrap(), token);
    assert_eq!(live.files_with(token.trim()), [file], "the secret is nowhere else");
}

#[test]
fn a_secret_is_kept_nowhere() {
    let live = Live::new();
    let id = opened(&live, "a-secret-of-mine", &[]);
    as_agent(&live, "a-secret-of-mine", &["send", &id, "true"]).ok();
    assert!(live.files_with("a-secret-of-mine").is_empty());
    let agents = fs::read_dir(live.runtime().join("agents")).unwrap();
    let names: Vec<_> = agents.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 1);
    assert!(!names[0].to_str().unwrap().contains("secret"));
}

#[test]
fn fresh_agents_are_never_the_same() {
    let live = Live::new();
    let one = live.run(&["agent"]).ok();
    let two = live.json(&["agent"])["agent"].as_str().unwrap().to_owned();
    assert!(one.starts_with("agent-") && one.trim().len() > 32);
    assert_ne!(one.trim(), two);
    let id = opened(&live, one.trim(), &[]);
    assert!(as_agent(&live, one.trim(), &["list"]).ok().contains(&id));
    assert_eq!(as_agent(&live, &two, &["list"]).ok(), "(no terminal sessions)\n");
}

#[test]
fn programs_see_no_secrets() {
    let live = Live::new();
    let variables = [
        (AGENT, "my-agent-itself"),
        ("MY_API_KEY", "value-1"),
        ("DB_PASSWORD", "value-2"),
        ("SECRET_THING", "value-3"),
        ("github_token", "value-4"),
        ("KEPT_TOKEN", "value-5"),
        ("PLAIN", "value-6"),
        ("TMUX", "value-7"),
    ];
    let mut open = live.command(&["open", "--shell", "bash", "--json", "--keep-env", "KEPT_TOKEN"]);
    open.args(["--env", "OTHER_KEY=value-8"]).envs(variables);
    let opened = finish(&mut open).json();
    let id = opened["sessionId"].as_str().unwrap();
    let sent = as_agent(
        &live,
        "my-agent-itself",
        &["send", id, "env | grep value- | sort; env | grep -c itself", "--json"],
    );
    assert_eq!(output(&sent.json()), "KEPT_TOKEN=value-5\nOTHER_KEY=value-8\nPLAIN=value-6\n0");
    // Not where a program could look for them, either.
    let sent = as_agent(
        &live,
        "my-agent-itself",
        &[
            "send",
            id,
            "tr '\\0' '\\n' < /proc/$PPID/environ | grep -cE 'itself|value-[1234]$'",
            "--json",
        ],
    );
    assert_eq!(output(&sent.json()), "0");
}

#[test]
fn programs_know_their_terminal() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else { return };
    let sent = term.send("echo $TERMINAL_SESSION_LIVE $TERMINAL_SESSION_RECORD $TERM $PAGER");
    assert_eq!(output(&sent), format!("{0} {0} xterm-256color cat", term.id));
    assert!(environment(&host(&term)).iter().all(|variable| !variable.contains(&term.id)));
    // A terminal that is opened in there is another one.
    let inner = term.send("echo $(TERM=dumb /usr/bin/env)").to_string();
    assert!(!inner.contains(AGENT), "{inner}");
}

#[test]
fn programs_write_utf8() {
    let live = Live::new();
    for (variables, want) in [
        (&[("LC_ALL", "C")][..], "C.UTF-8"),
        (&[("LC_ALL", ""), ("LC_CTYPE", "C")], "/C.UTF-8"),
        (&[("LC_ALL", ""), ("LANG", "C")], "/C.UTF-8"),
        (&[("LC_ALL", "en_US.utf8"), ("LC_CTYPE", "C")], "en_US.utf8/C"),
    ] {
        let mut open = live.command(&["open", "--json", "--timeout-ms", PATIENCE_MS, "--"]);
        let script = "echo $LC_ALL${LC_CTYPE:+/$LC_CTYPE}";
        let opened = finish(open.args(["sh", "-c", script]).envs(variables.to_vec())).json();
        let id = opened["sessionId"].as_str().unwrap();
        live.json(&["wait", id, "--until", "exit", "--timeout-ms", PATIENCE_MS]);
        assert_eq!(live.json(&["read", id])["text"], want, "{variables:?}");
    }
}

fn refused(live: &Live, why: &str) {
    for args in [&["list"][..], &["open"], &["read", "x"], &["close", "x", "--operator"]] {
        let said = live.run(args).fails(1);
        let want = format!("error: the runtime folder {} {why}\n", live.runtime().display());
        assert_eq!(said, want);
    }
}

#[test]
fn a_runtime_folder_that_others_may_change_is_refused() {
    let live = Live::new();
    fs::create_dir(live.runtime()).unwrap();
    for mode in [0o755, 0o770, 0o701] {
        fs::set_permissions(live.runtime(), fs::Permissions::from_mode(mode)).unwrap();
        refused(&live, "is open to others (chmod 700 mends that)");
    }
    fs::set_permissions(live.runtime(), fs::Permissions::from_mode(0o700)).unwrap();
    live.run(&["list"]).ok();
    // And each folder in it.
    let agents = live.runtime().join("agents");
    fs::set_permissions(&agents, fs::Permissions::from_mode(0o777)).unwrap();
    let said = live.run(&["list"]).fails(1);
    assert!(said.contains("run/agents is open to others"), "{said}");
    fs::set_permissions(&agents, fs::Permissions::from_mode(0o700)).unwrap();
    let own = fs::read_dir(&agents).unwrap().next().unwrap().unwrap().path();
    fs::set_permissions(&own, fs::Permissions::from_mode(0o750)).unwrap();
    assert!(live.run(&["list"]).fails(1).contains("is open to others"));
    fs::set_permissions(&own, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_runtime_folder_that_is_a_link_or_a_file_is_refused() {
    let live = Live::new();
    let elsewhere = live.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&elsewhere, live.runtime()).unwrap();
    refused(&live, "is no folder");
    fs::remove_file(live.runtime()).unwrap();
    fs::write(live.runtime(), "").unwrap();
    refused(&live, "is no folder");
    fs::remove_file(live.runtime()).unwrap();
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
}

#[test]
fn a_runtime_folder_of_somebody_else_is_refused() {
    let live = Live::new();
    fs::create_dir(live.runtime()).unwrap();
    fs::set_permissions(live.runtime(), fs::Permissions::from_mode(0o700)).unwrap();
    if chown(live.runtime(), Some(54_321), None).is_err() {
        skipped("only root can give a folder away");
        return;
    }
    refused(&live, "belongs to somebody else");
    chown(live.runtime(), Some(0), None).unwrap();
}

#[test]
fn an_empty_default_agent_is_an_error() {
    let live = Live::new();
    live.run(&["list"]).ok();
    fs::write(live.runtime().join("agent"), "").unwrap();
    let said = live.run(&["list"]).fails(1);
    let want =
        format!("error: cannot use the runtime folder {}: it is empty\n", live.runtime().display());
    assert_eq!(said, want);
    // One that is named needs none.
    as_agent(&live, "named", &["list"]).ok();
    fs::remove_file(live.runtime().join("agent")).unwrap();
}

#[test]
fn names_are_labels() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash", "--name", "build server"]);
    // Neither a name nor the beginning of an id is an id.
    for other in ["build server", &term.id[..term.id.len() - 1]] {
        let why = live.run(&["read", other]).fails(1);
        assert_eq!(why, format!("error: unknown PTY session {other}\n"));
    }
    let listed = live.run(&["list"]).ok();
    let pid = term.opened["pid"].as_i64().unwrap();
    assert_eq!(listed, format!("{} (build server) [shell] running pid={pid}\n", term.id));
}

#[test]
fn no_name_leads_elsewhere() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    let agents = fs::read_dir(live.runtime().join("agents")).unwrap();
    let own = agents.map(|entry| entry.unwrap().file_name()).next().unwrap();
    let by_path = format!("../{}/{}", own.display(), term.id);
    for id in [by_path.as_str(), "..", ".", "/etc/passwd", ""] {
        let why = as_agent(&live, "other", &["read", id]).fails(1);
        assert_eq!(why, format!("error: unknown PTY session {id}\n"));
    }
}

#[test]
fn a_token_may_be_anything() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let live = Live::new();
    let long = "x".repeat(100_000);
    for token in ["a b", "ünï", "../..", long.as_str()] {
        let id = opened(&live, token, &[]);
        let rows = as_agent(&live, token, &["list", "--json"]).json();
        assert_eq!(rows[0]["sessionId"], id.as_str());
        as_agent(&live, token, &["close", &id]).ok();
    }
    // What is not UTF-8 is a secret like others, and no other's.
    let with = |bytes: &[u8], args: &[&str]| -> Value {
        let mut command: Command = live.command(args);
        finish(command.env(AGENT, OsStr::from_bytes(bytes)).arg("--json")).json()
    };
    with(b"\xff", &["open", "--shell", "bash"]);
    assert_eq!(with(b"\xff", &["list"]).as_array().unwrap().len(), 1);
    assert_eq!(with(b"\xfe", &["list"]).as_array().unwrap().len(), 0);
}
