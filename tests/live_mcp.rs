//! The server for agents, through the SDK's own client.

use std::fs;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, Tool};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use terminal_session::pty::process;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::support::hosts::{host_of, is_alive, kill};
use crate::support::live::{Live, output, processes_of, reason, viewport};
use crate::support::mcp::{Mcp, Told, eventually, in_runtime, text, value};
use crate::support::{LIST, SUMMARY, Tree, command, fixture_home};

/// The next thing that the server tells and that is no sign of life.
async fn notice(told: &mut UnboundedReceiver<Told>) -> String {
    loop {
        match told.recv().await.expect("the connection is there") {
            Told::Notice(Value::String(notice)) => return notice,
            Told::Notice(other) => panic!("{other}"),
            Told::Progress { .. } => {}
        }
    }
}

/// What the server told until now and that is no sign of life.
fn notices(told: &mut UnboundedReceiver<Told>) -> Vec<Told> {
    let all = std::iter::from_fn(|| told.try_recv().ok());
    all.filter(|told| matches!(told, Told::Notice(_))).collect()
}

fn names(tools: &[Tool]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_ref()).collect()
}

/// A shell's words for waiting until a file is there.
fn wait_for(file: &str) -> String {
    format!("until [ -e {file} ]; do sleep 0.02; done")
}

const TERMINAL_TOOLS: [&str; 8] = [
    "terminal_open",
    "terminal_send",
    "terminal_read",
    "terminal_signal",
    "terminal_close",
    "terminal_list",
    "task_output",
    "task_kill",
];
const EXEC_TOOLS: [&str; 4] = ["exec_command", "write_stdin", "job_list", "job_kill"];
const INSPECT_TOOLS: [&str; 3] =
    ["terminal_session_list", "terminal_session_summary", "terminal_session_blocks"];

#[test]
fn tools_are_those_of_the_groups_that_were_asked_for() {
    let live = Live::new();
    in_runtime(async {
        for (args, want) in [
            (&[][..], [&TERMINAL_TOOLS[..], &INSPECT_TOOLS].concat()),
            (
                &["--tools", "all"],
                [&TERMINAL_TOOLS[..], &EXEC_TOOLS, &["terminal_execute"], &INSPECT_TOOLS].concat(),
            ),
            (&["--tools", "exec"], EXEC_TOOLS.to_vec()),
            (&["--tools", "execute"], vec!["terminal_execute"]),
            (&["--tools", "inspect"], INSPECT_TOOLS.to_vec()),
            (&["--tools", "inspect,terminal"], [&TERMINAL_TOOLS[..], &INSPECT_TOOLS].concat()),
            (&["--tools", "terminal"], TERMINAL_TOOLS.to_vec()),
        ] {
            let mcp = live.mcp(args).await;
            assert_eq!(names(&mcp.tools().await), want, "{args:?}");
            assert_eq!(mcp.end().await, Some(0));
        }
        let mcp = live.mcp(&["--tools", "inspect"]).await;
        let call = CallToolRequestParams::new("terminal_list");
        let error = mcp.client.call_tool(call).await.unwrap_err().to_string();
        assert!(error.contains("unknown tool: terminal_list"), "{error}");
    });
    let wrong = live.run(&["mcp", "--tools", "terminal,none"]).fails(2);
    assert!(wrong.contains("unknown tools \"none\" (terminal, "), "{wrong}");
}

#[test]
fn what_makes_no_sense_is_refused_at_the_start() {
    let live = Live::new();
    let file = live.path().join("file");
    fs::write(&file, "").unwrap();
    let (file, below) = (file.to_str().unwrap(), file.join("below"));
    let below = below.to_str().unwrap();
    for (args, want) in [
        (["--cwd", "/no/where"], "--cwd is no folder: /no/where".to_owned()),
        (["--cwd", file], format!("--cwd is no folder: {file}")),
        (["--codex-home", file], format!("--codex-home is no folder: {file}")),
        (["--codex-home", below], format!("--codex-home is no folder: {below}")),
        (["--max-terminals", "0"], "--max-terminals".to_owned()),
        (["--max-jobs", "0"], "--max-jobs".to_owned()),
        (["--max-output-tokens-cap", "0"], "--max-output-tokens-cap".to_owned()),
        (["--max-terminals", "many"], "--max-terminals".to_owned()),
        (["--tools", ""], "--tools".to_owned()),
        (["--tools", "terminal,"], "--tools".to_owned()),
    ] {
        let wrong = live.run(&[&["mcp"], &args[..]].concat()).fails(2);
        let line = wrong.lines().next().unwrap();
        assert!(line.starts_with("error: ") && line.contains(&want), "{args:?}: {wrong}");
    }
    let mut command = live.command(&["mcp"]);
    let wrong = crate::support::finish(command.env("CODEX_HOME", file)).fails(2);
    assert_eq!(wrong, format!("error: the codex home is no folder: {file}\n"));
    // One that is not there yet comes to be.
    let mut command = live.command(&["mcp", "--codex-home", "new"]);
    assert_eq!(crate::support::finish(command.stdin(std::process::Stdio::null())).code, 0);
}

#[test]
fn what_clients_are_told_of_the_tools() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "all"]).await;
        let info = mcp.client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().unwrap().version, env!("CARGO_PKG_VERSION"));
        let mut told = info.instructions.clone().unwrap();
        for tool in mcp.tools().await {
            told += &format!("\n{}\n", serde_json::to_string_pretty(&tool).unwrap());
        }
        insta::assert_snapshot!("what_clients_are_told_of_the_tools", told);
    });
}

#[test]
fn a_terminal_from_its_opening_to_its_end() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let opened = mcp.call("terminal_open", json!({"type": "shell", "name": "main"})).await;
        let opened_value = opened.structured_content.as_ref().unwrap();
        let id = opened_value["sessionId"].as_str().unwrap();
        live.remember(id);
        assert_eq!(
            text(&opened),
            format!(
                "started terminal session {id} (main) [type: shell]\n(no startup output)\n[wait: \
                 prompt]\n[session: running]"
            )
        );
        assert_eq!(
            (&opened_value["type"], &opened_value["name"], &opened_value["motd"]),
            (&json!("shell"), &json!("main"), &json!(""))
        );
        assert_eq!(opened_value.get("viewport"), None, "it is said once");

        let list = mcp.call("terminal_list", json!({})).await;
        let pid = &opened_value["pid"];
        assert_eq!(text(&list), format!("{id} (main) [shell] running pid={pid}"));
        assert_eq!(list.structured_content.as_ref().unwrap()["sessions"][0]["sessionId"], id);

        let send = |text: &str| mcp.call("terminal_send", json!({"sessionId": id, "text": text}));
        let sent = send("cd / && export FRUIT=quince && false").await;
        let value = sent.structured_content.as_ref().unwrap();
        assert_eq!((&value["kind"], &value["exitCode"]), (&json!("foreground"), &json!(1)));
        assert!(text(&sent).ends_with("[wait: prompt]\n[exit code: 1]\n[session: running]"));
        let sent = send("echo $PWD $FRUIT").await;
        assert_eq!(output(sent.structured_content.as_ref().unwrap()), "/ quince");

        let read = mcp.call("terminal_read", json!({"sessionId": id, "count": 2})).await;
        assert!(text(&read).starts_with("/ quince\nready>"), "{read:?}");
        let read = mcp.value("terminal_read", json!({"sessionId": id, "offset": 1, "count": 1}));
        assert_eq!(read.await["text"], "/ quince");

        // What reads keys as they come gets a real signal.
        let began = mcp.begin("terminal_send", json!({"sessionId": id, "text": "sleep 600"})).await;
        let row = || async {
            let list = mcp.value("terminal_list", json!({})).await;
            list["sessions"][0]["inside"].clone()
        };
        while row().await != "sleep" {}
        let signal = json!({"sessionId": id, "signal": "SIGINT"});
        let signalled = mcp.call("terminal_signal", signal).await;
        assert!(text(&signalled).starts_with("delivered SIGINT to foreground process group "));
        assert_eq!(signalled.structured_content.as_ref().unwrap()["delivered"], true);
        let interrupted = crate::support::mcp::value(began).await;
        assert_eq!((reason(&interrupted), &interrupted["exitCode"]), ("prompt", &json!(130)));

        let close = json!({"sessionId": id});
        let closed = mcp.call("terminal_close", close.clone()).await;
        assert_eq!(text(&closed), format!("closed terminal session {id}"));
        assert_eq!(closed.structured_content, Some(json!({"sessionId": id, "outcome": "closed"})));
        let list = mcp.call("terminal_list", json!({})).await;
        assert_eq!(text(&list), "(no terminal sessions)");
        assert_eq!(list.structured_content, Some(json!({"sessions": []})));
        assert!(mcp.refused("terminal_close", close).await.contains("was closed"));
    });
}

#[test]
fn background_tasks_are_announced_to_whom_nobody_told() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let background =
            |text: String| json!({"sessionId": id, "text": text, "run_in_background": true});
        let sent = mcp
            .call("terminal_send", background(format!("{}; echo all done", wait_for("go"))))
            .await;
        let task = format!("{id}-send-1");
        assert_eq!(text(&sent), format!("started background task {task}"));
        assert_eq!(sent.structured_content, Some(json!({"kind": "background", "taskId": task})));
        let running = mcp.call("task_output", json!({"task_id": task})).await;
        assert!(text(&running).ends_with("[status: running]"), "{running:?}");
        // A wait that was in vain is no error, and told of no end.
        let vain = json!({"task_id": task, "wait": true, "timeout_ms": 1});
        assert_eq!(mcp.value("task_output", vain).await["status"]["kind"], "running");
        assert_eq!(notices(&mut mcp.told), []);
        fs::write(live.user().join("go"), "").unwrap();
        let told = notice(&mut mcp.told).await;
        let label = format!("background task {task} (pty-send: {id}: until [ -e go ]; do ");
        assert!(told.starts_with(&label), "{told}");
        assert!(told.ends_with("Read its output with task_output."), "{told}");
    });
}

#[test]
fn who_hears_of_an_end_is_told_no_second_time() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let background =
            |text: &str| json!({"sessionId": id, "text": text, "run_in_background": true});
        // One that is waited for, one that is read after its end but within a call, one that is
        // killed, and at last one that is none of these.
        mcp.value("terminal_send", background(&wait_for("go"))).await;
        let task = json!({"task_id": format!("{id}-send-1"), "wait": true, "timeout_ms": 120_000});
        let waiting = mcp.begin("task_output", task.clone()).await;
        fs::write(live.user().join("go"), "").unwrap();
        let output = value(waiting).await;
        assert_eq!(output["status"]["kind"], "completed", "{output}");
        assert_eq!(output["status"]["exitCode"], 0, "{output}");
        mcp.value("terminal_send", background("sleep 600")).await;
        let killed = mcp.call("task_kill", json!({"task_id": format!("{id}-send-2")})).await;
        assert_eq!(text(&killed), format!("requested cancellation of task {id}-send-2"));
        let ended = json!({"task_id": format!("{id}-send-2"), "wait": true, "timeout_ms": 120_000});
        assert_eq!(mcp.value("task_output", ended).await["status"]["kind"], "killed");
        let again = mcp.call("task_kill", json!({"task_id": format!("{id}-send-2")})).await;
        assert!(text(&again).contains("had already finished [status: killed, "), "{again:?}");
        mcp.value("terminal_send", background("echo three")).await;
        let told = notice(&mut mcp.told).await;
        assert!(told.contains(&format!("task {id}-send-3 (pty-send: {id}: echo three) finished")));
        assert!(told.contains("[status: completed, wait: prompt, exit code: 0]"), "{told}");
        // Nor is one that ends because its terminal is closed.
        let other = mcp.open().await;
        let running = json!({"sessionId": other, "text": "sleep 600", "run_in_background": true});
        mcp.value("terminal_send", running).await;
        mcp.value("terminal_close", json!({"sessionId": other})).await;
        mcp.value("terminal_send", background("echo four")).await;
        assert!(notice(&mut mcp.told).await.contains(&format!("task {id}-send-4 ")));
        assert_eq!(notices(&mut mcp.told), []);
    });
}

#[test]
fn a_client_may_want_no_notices() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        #[expect(deprecated, reason = "that is what it is called")]
        let level = rmcp::model::SetLevelRequestParams::new(rmcp::model::LoggingLevel::Warning);
        #[expect(deprecated, reason = "that is what it is called")]
        mcp.client.set_level(level).await.unwrap();
        let quietly = json!({"sessionId": id, "text": "echo one", "run_in_background": true});
        mcp.value("terminal_send", quietly).await;
        let ended = |number: u32| json!({"task_id": format!("{id}-send-{number}"), "wait": true, "timeout_ms": 120_000});
        // Who asks hears of it, and a later task is announced neither.
        assert_eq!(mcp.value("task_output", ended(1)).await["status"]["kind"], "completed");
        let quietly = json!({"sessionId": id, "text": "exit", "run_in_background": true});
        mcp.value("terminal_send", quietly).await;
        let row = || async { mcp.value("terminal_list", json!({})).await["sessions"][0].clone() };
        while row().await["status"]["kind"] == "running" {}
        // By far longer than it takes to tell it.
        for _ in 0..100 {
            row().await;
        }
        assert_eq!(notices(&mut mcp.told), []);
        assert_eq!(mcp.end().await, Some(0));
    });
}

#[test]
fn a_cancelled_call_ends_its_wait_and_nothing_else() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let typed = format!("touch begun; {}; echo went on", wait_for("go"));
        let began = mcp.begin("terminal_send", json!({"sessionId": id, "text": typed})).await;
        eventually("the command runs", || live.user().join("begun").exists()).await;
        began.cancel(Some("no longer wanted".to_owned())).await.unwrap();
        // Nobody waits any more, so that others may.
        let only_wait = json!({"sessionId": id, "text": "", "submit": false});
        let again = loop {
            let begun = mcp.begin("terminal_send", only_wait.clone()).await;
            fs::write(live.user().join("go"), "").unwrap();
            match begun.await_response().await.unwrap() {
                rmcp::model::ServerResult::CallToolResult(result)
                    if result.is_error == Some(true) =>
                {
                    assert!(text(&result).contains("has an active send"), "{result:?}");
                }
                rmcp::model::ServerResult::CallToolResult(result) => {
                    break result.structured_content.unwrap();
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(reason(&again), "prompt", "{again}");
        assert!(viewport(&again).ends_with("went on"), "{again}");
    });
}

#[test]
fn a_long_call_gives_signs_of_life() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let typed = json!({"sessionId": id, "text": wait_for("go")});
        let began = mcp.begin("terminal_send", typed).await;
        let mut last = 0.0;
        for _ in 0..2 {
            match mcp.told.recv().await.unwrap() {
                Told::Progress { progress, total } => {
                    assert!(progress > last, "{progress} is not more than {last}");
                    assert_eq!(total, Some(30.0));
                    last = progress;
                }
                other => panic!("{other:?}"),
            }
        }
        fs::write(live.user().join("go"), "").unwrap();
        assert_eq!(reason(&value(began).await), "prompt");
    });
}

#[test]
fn a_slow_call_keeps_no_other_from_its_answer() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let typed = json!({"sessionId": id, "text": format!("{}; echo slow", wait_for("go"))});
        let slow = mcp.begin("terminal_send", typed).await;
        let mut others = Vec::new();
        for _ in 0..100 {
            others.push(mcp.begin("terminal_list", json!({})).await);
        }
        for other in others {
            assert_eq!(value(other).await["sessions"][0]["sessionId"], id.as_str());
        }
        fs::write(live.user().join("go"), "").unwrap();
        assert_eq!(output(&value(slow).await), "slow");
    });
}

#[test]
fn every_connection_is_an_agent_of_its_own() {
    let live = Live::new();
    in_runtime(async {
        let (one, other) = (live.mcp(&[]).await, live.mcp(&[]).await);
        let id = one.open().await;
        let list = other.value("terminal_list", json!({})).await;
        assert_eq!(list, json!({"sessions": []}));
        for (tool, arguments) in [
            ("terminal_send", json!({"text": "echo hello"})),
            ("terminal_send", json!({"text": "echo hello", "run_in_background": true})),
            ("terminal_read", json!({})),
            ("terminal_signal", json!({"signal": "SIGINT"})),
            ("terminal_signal", json!({"signal": "NOTHING"})),
            ("terminal_close", json!({})),
        ] {
            let asked = |id: &str| {
                let mut arguments = arguments.clone();
                arguments["sessionId"] = id.into();
                let id = id.to_owned();
                let other = &other;
                async move { other.refused(tool, arguments).await.replace(&id, "ID") }
            };
            let unknown = asked("terminal-000000000000").await;
            assert_eq!(unknown, "unknown PTY session ID", "{tool}");
            assert_eq!(asked(&id).await, unknown, "{tool}");
        }
        for tool in ["task_output", "task_kill"] {
            let task = format!("{id}-send-1");
            let told = other.refused(tool, json!({"task_id": task})).await;
            assert_eq!(told, format!("unknown task {task}"));
        }
        // Nor are they those of the command line; the user may see them all the same.
        assert_eq!(live.run(&["list"]).ok(), "(no terminal sessions)\n");
        assert!(live.run(&["list", "--operator"]).ok().contains(&id));
        let list = one.value("terminal_list", json!({})).await;
        assert_eq!(list["sessions"][0]["sessionId"], id.as_str());
    });
}

#[test]
fn commands_keys_and_polls_of_terminal_execute() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "execute,inspect"]).await;
        let execute = |arguments: Value| mcp.call("terminal_execute", arguments);
        let done = execute(json!({"command": "cd / && export FRUIT=medlar; false"})).await;
        let value = done.structured_content.as_ref().unwrap();
        let id = value["session_id"].as_str().unwrap();
        live.remember(id);
        assert_eq!(
            (&value["status"], &value["exit_code"], &value["working_dir"], &value["terminal_id"]),
            (&json!("completed"), &json!(1), &json!("/"), &json!("default"))
        );
        let done = execute(json!({"command": "echo $FRUIT"})).await;
        let want = format!(
            "medlar\n[status: completed]\n[exit code: 0]\n[working dir: /]\n[terminal: default ({id})]"
        );
        assert_eq!(text(&done), want);
        // A key goes to what runs, and a second command does not.
        let runs = execute(json!({"command": "cat", "timeout": 0})).await;
        assert_eq!(runs.structured_content.unwrap()["status"], "running");
        let busy = execute(json!({"command": "echo two"})).await;
        assert_eq!(busy.is_error, Some(true));
        let want = "; send input to it with is_input, interrupt it first (C-c), poll with an empty \
                    command, or use another terminal_id";
        let busy = busy.structured_content.unwrap();
        assert_eq!(busy["status"], "error");
        assert!(busy["content"].as_str().unwrap().ends_with(want), "{busy}");
        let echoed = execute(json!({"command": "pear", "is_input": true})).await;
        assert!(text(&echoed).starts_with("pear\n"), "{echoed:?}");
        let ended = execute(json!({"command": "C-d"})).await.structured_content.unwrap();
        assert_eq!((&ended["status"], &ended["exit_code"]), (&json!("completed"), &json!(0)));
        // What is cut is read with what is named.
        let long = execute(json!({"command": "seq 1 5000"})).await;
        let omitted = &long.structured_content.as_ref().unwrap()["omitted"][0];
        let words = omitted["arguments"].as_str().unwrap().to_owned();
        assert!(text(&long).contains(&words), "{words}");
        let block = words.split(' ').nth(1).unwrap();
        let blocks = json!({"terminal": id, "blocks": [block], "no_squeeze": true});
        let read = mcp.value("terminal_session_blocks", blocks).await;
        let words: Vec<_> = words.split(' ').collect();
        assert_eq!(read["blocks"][0]["text"], live.block_texts(&words)[0].as_str());
        // Blocks of a connection are of one thread.
        execute(json!({"command": "echo two", "terminal_id": "other"})).await;
        let listed = mcp.value("terminal_session_list", json!({})).await;
        let threads = listed["sessions"].as_array().unwrap().iter().map(|row| &row["sessionId"]);
        let threads: Vec<_> = threads.collect();
        assert!(threads.len() == 2 && threads[0].is_string(), "{listed}");
        assert_eq!(threads[0], threads[1]);
        for (arguments, want) in [
            (json!({}), "invalid arguments: missing required property \"command\""),
            (json!({"command": "ls", "keys": 1}), "invalid arguments: unknown property \"keys\""),
            (
                json!({"command": "ls", "timeout": -1}),
                "timeout must be a number of seconds from 0 to 60",
            ),
            (json!({"command": "ls", "terminal_id": ""}), "terminal_id must be a non-empty string"),
        ] {
            assert_eq!(mcp.refused("terminal_execute", arguments).await, want);
        }
        assert_eq!(mcp.end().await, Some(0));
        assert_eq!(fs::read_dir(live.runtime().join("agents")).unwrap().count(), 0);
    });
}

/// Whether anything is left of what a server opened.
async fn assert_nothing_left(live: &Live, ids: &[String]) {
    eventually("all is closed", || ids.iter().all(|id| processes_of(id).is_empty())).await;
    let agents = live.runtime().join("agents");
    eventually("the agent is forgotten", || {
        fs::read_dir(&agents).unwrap().flatten().all(|agent| {
            let files = fs::read_dir(agent.path()).into_iter().flatten().flatten();
            files.filter(|file| file.path().extension().is_some_and(|it| it == "sock")).count() == 0
        })
    })
    .await;
}

async fn opened_with_sleepers(mcp: &Mcp<'_>) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..2 {
        let id = mcp.open().await;
        let typed = "echo kept; (trap '' TERM HUP; exec sleep 600) & true";
        mcp.value("terminal_send", json!({"sessionId": id, "text": typed})).await;
        assert!(!processes_of(&id).is_empty());
        ids.push(id);
    }
    ids
}

#[test]
fn the_end_of_a_connection_closes_what_it_opened() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let ids = opened_with_sleepers(&mcp).await;
        assert_eq!(mcp.end().await, Some(0));
        assert_nothing_left(&live, &ids).await;
        assert_eq!(fs::read_dir(live.runtime().join("agents")).unwrap().count(), 0);
        // What they showed is there.
        for id in &ids {
            assert!(live.block_texts(&[id, "--all"]).concat().contains("\nkept"));
        }
    });
}

#[test]
fn a_stopped_host_does_not_keep_a_server() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let ids = [mcp.open().await, mcp.open().await];
        let stopped = host_of(&live, &ids[0]);
        kill(&stopped, Signal::STOP);
        assert_eq!(mcp.end().await, Some(0));
        eventually("the other one is closed", || processes_of(&ids[1]).is_empty()).await;
        assert!(is_alive(&stopped));
        // It goes once it can.
        kill(&stopped, Signal::CONT);
        assert_nothing_left(&live, &ids).await;
    });
}

#[test]
fn signals_end_a_connection_that_waits() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let live = Live::new();
        in_runtime(async {
            let mut mcp = live.mcp(&[]).await;
            let ids = opened_with_sleepers(&mcp).await;
            let typed = "touch begun; sleep 600";
            let waiting =
                mcp.begin("terminal_send", json!({"sessionId": ids[0], "text": typed})).await;
            eventually("the command runs", || live.user().join("begun").exists()).await;
            mcp.server.signal(signal);
            assert_eq!(mcp.server.ended().await, Some(0));
            drop(waiting);
            assert_nothing_left(&live, &ids).await;
        });
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_is_killed_leaves_no_terminal_behind() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let ids = opened_with_sleepers(&mcp).await;
        mcp.server.signal(Signal::KILL);
        assert_eq!(mcp.server.ended().await, None);
        assert_nothing_left(&live, &ids).await;
        assert!(live.block_texts(&[&ids[0], "--all"]).concat().contains("\nkept"));
    });
}

#[test]
fn terminals_of_the_command_line_end_with_nobody() {
    let live = Live::new();
    let term = live.open(&["--shell", "bash"]);
    let pid = i32::try_from(term.opened["pid"].as_i64().unwrap()).unwrap();
    // The command that opened it is long gone.
    assert_eq!(output(&term.send("echo still here")), "still here");
    assert!(process(Pid::from_raw(pid).unwrap()).is_some_and(|shell| shell.is_alive()));
}

#[test]
fn faults_of_calls_are_named() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--max-terminals", "2"]).await;
        let id = mcp.open().await;
        let named = json!({"type": "shell", "name": "build"});
        let named_id = mcp.value("terminal_open", named.clone()).await["sessionId"].clone();
        live.remember(named_id.as_str().unwrap());
        let too_many = "maximum live terminals reached (2); close one, or raise --max-terminals";
        assert_eq!(mcp.refused("terminal_open", named.clone()).await, too_many);
        mcp.value("terminal_close", json!({"sessionId": id})).await;
        let text = "x".repeat((4 << 20) + 1);
        let long = json!({"sessionId": named_id, "text": text});
        for (tool, arguments, want) in [
            ("terminal_open", named, "PTY session name \"build\" already exists for this owner"),
            ("terminal_open", json!({"type": ""}), "type must be a non-empty string"),
            ("terminal_open", json!({"type": "tmux"}), "no PTY backend registered for \"tmux\""),
            (
                "terminal_open",
                json!({"type": "command"}),
                "no PTY backend registered for \"command\"",
            ),
            (
                "terminal_open",
                json!({"type": "shell", "name": " "}),
                "PTY session name must be non-empty",
            ),
            (
                "terminal_open",
                json!({"type": "shell", "cwd": "/no/where"}),
                "cannot open a terminal: cannot enter folder /no/where: No such file or directory",
            ),
            ("terminal_open", json!({}), "invalid arguments: missing required property \"type\""),
            (
                "terminal_send",
                json!({"sessionId": 1, "text": ["a"], "submit": "yes", "keys": "C-c"}),
                "invalid arguments: property \"sessionId\" must be a string; property \"text\" must \
                 be a string; property \"submit\" must be a boolean; unknown property \"keys\"",
            ),
            (
                "terminal_send",
                json!({"sessionId": "", "text": ""}),
                "sessionId must be a non-empty string",
            ),
            ("terminal_send", json!({"sessionId": "../x", "text": ""}), "unknown PTY session ../x"),
            ("terminal_send", long, "at most 4194304 bytes are typed at once"),
            (
                "terminal_read",
                json!({"sessionId": named_id, "offset": -1}),
                "offset must be a non-negative safe integer",
            ),
            (
                "terminal_read",
                json!({"sessionId": named_id, "count": 0}),
                "count must be a positive safe integer",
            ),
            (
                "terminal_read",
                json!({"sessionId": named_id, "count": 1.5}),
                "count must be a positive safe integer",
            ),
            (
                "terminal_signal",
                json!({"sessionId": named_id, "signal": "SIGUSR1"}),
                "signal must be one of SIGINT, SIGTERM, SIGKILL, SIGTSTP, SIGHUP",
            ),
            (
                "terminal_signal",
                json!({"sessionId": named_id, "signal": "SIGKILL"}),
                "refusing to SIGKILL the terminal shell; terminate the terminal session instead",
            ),
            (
                "task_output",
                json!({"task_id": ""}),
                "invalid task_id: expected a non-empty string, got \"\"",
            ),
            ("task_output", json!({"task_id": "no"}), "unknown task no"),
            (
                "task_output",
                json!({"task_id": "a-send-1", "timeout_ms": -1}),
                "timeout_ms must be a non-negative finite number",
            ),
            (
                "task_kill",
                json!({"task_id": "a-send-1", "reason": "done"}),
                "unknown task a-send-1",
            ),
            ("terminal_list", json!({"all": true}), "invalid arguments: unknown property \"all\""),
        ] {
            assert_eq!(mcp.refused(tool, arguments).await, want, "{tool}");
        }
        // A registered task is what a background send is; where it cannot be one, nothing is typed.
        let running =
            json!({"sessionId": named_id, "text": "sleep 600", "run_in_background": true});
        mcp.value("terminal_send", running).await;
        let second = json!({"sessionId": named_id, "text": "echo no", "run_in_background": true});
        let told = mcp.refused("terminal_send", second).await;
        let task = format!("{}-send-1", named_id.as_str().unwrap());
        let want = format!(
            "PTY session {} already has an active send; background task {task}: task_output reads it, \
             task_kill interrupts it",
            named_id.as_str().unwrap()
        );
        assert_eq!(told, want);
        mcp.value("task_kill", json!({"task_id": task})).await;
        let read = mcp.value("terminal_read", json!({"sessionId": named_id})).await;
        assert!(!read["text"].as_str().unwrap().contains("echo no"), "{read}");
    });
}

#[test]
fn what_an_answer_leaves_out_is_printed_by_what_it_names() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let sent =
            mcp.call("terminal_send", json!({"sessionId": id, "text": "seq 1 100000"})).await;
        let sent_value = sent.structured_content.as_ref().unwrap();
        assert_eq!(sent_value["truncated"], true);
        let omitted = &sent_value["omitted"][0];
        let arguments = omitted["arguments"].as_str().unwrap();
        assert!(text(&sent).contains(&format!("terminal-session-blocks {arguments}]")));
        // As the guidance has it: the same words are arguments of the tool.
        let words: Vec<_> = arguments.split(' ').collect();
        assert_eq!((words.len(), words[0], words[2]), (3, id.as_str(), "--no-squeeze"));
        let mut left_out = String::new();
        let mut next = json!({"terminal": id, "blocks": [words[1]], "no_squeeze": true});
        // An answer has its own end, and says how to read on.
        loop {
            next["max_chars"] = json!(250_000);
            let read = mcp.value("terminal_session_blocks", next).await;
            let block = &read["blocks"][0];
            left_out += block["text"].as_str().unwrap();
            left_out.push('\n');
            if block["truncated"] == false {
                break;
            }
            next = block["rest"]["arguments"].clone();
        }
        let whole = left_out + viewport(sent_value);
        let (_, numbers) = whole.split_once('\n').unwrap();
        let want: Vec<String> = (1..=100_000).map(|number| number.to_string()).collect();
        assert!(numbers == want.join("\n"), "each number once and in order");
        // The program prints the same.
        let printed = live.block_texts(&words);
        assert!(whole.starts_with(&printed[0]));
    });
}

#[test]
fn what_the_inspect_tools_leave_out_is_printed_by_what_they_name() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        for numbers in ["1 300", "301 900", "901 902"] {
            let typed = json!({"sessionId": id, "text": format!("seq -f 'line %.0f' {numbers}")});
            mcp.value("terminal_send", typed).await;
        }
        // Matches: those of a part of a block too, in the same rendering.
        for (blocks, want) in [
            (json!([]), (1..=902).collect::<Vec<u32>>()),
            (json!(["1@11:280", "2"]), (10..280).chain(301..=900).collect()),
        ] {
            let mut next = json!({"terminal": id, "blocks": blocks, "grep": "^line [0-9]+$",
                "no_squeeze": true});
            let mut found = Vec::new();
            loop {
                let read = mcp.call("terminal_session_blocks", next).await;
                let value = read.structured_content.as_ref().unwrap();
                for line in value["lines"].as_array().unwrap() {
                    let (_, number) = line["text"].as_str().unwrap().split_once(' ').unwrap();
                    found.push(number.parse::<u32>().unwrap());
                }
                let Some(rest) = value.get("rest") else {
                    break;
                };
                assert_eq!(rest["arguments"]["no_squeeze"], true);
                let words = format!("terminal_session_blocks {}]", rest["arguments"]);
                assert!(text(&read).contains(&words), "{read:?}");
                next = rest["arguments"].clone();
            }
            assert_eq!(found, want);
        }
        // Text: as much at a time as was asked for.
        let mut next = json!({"terminal": id, "blocks": ["2"], "max_chars": 1500});
        let mut parts = Vec::new();
        loop {
            let read = mcp.value("terminal_session_blocks", next).await;
            let block = &read["blocks"][0];
            assert!(block["text"].as_str().unwrap().len() <= 1500);
            parts.push(block["text"].as_str().unwrap().to_owned());
            if block["truncated"] == false {
                break;
            }
            next = block["rest"]["arguments"].clone();
            assert_eq!(next["max_chars"], 1500);
        }
        assert_eq!(parts.join("\n"), live.block_texts(&[&id, "2"])[0]);
        // A summary: with previews as long as were asked for.
        let asked = json!({"terminal": id, "preview_chars": 40, "max_chars": 900});
        let short = mcp.value("terminal_session_summary", asked).await;
        let rest = short["omitted"]["command"].as_str().unwrap();
        let rest = rest.strip_prefix("terminal_session_summary ").unwrap();
        let rest: Value = serde_json::from_str(rest).unwrap();
        assert_eq!(rest["preview_chars"], 40);
    });
}

/// The selector and the switches of `terminal-session-blocks` arguments, as the tool takes them.
fn tool_arguments(words: &str) -> Value {
    let mut words = words.split(' ');
    let mut arguments =
        json!({"terminal": words.next().unwrap(), "blocks": [words.next().unwrap()]});
    while let Some(word) = words.next() {
        match word {
            "--no-squeeze" => arguments["no_squeeze"] = true.into(),
            "--max-chars" => {
                let most: u64 = words.next().unwrap().parse().unwrap();
                arguments["max_chars"] = most.into();
            }
            other => panic!("{other} is none of the tool's"),
        }
    }
    arguments
}

/// All that these arguments print, however many answers it takes.
async fn printed(mcp: &Mcp<'_>, words: &str) -> String {
    let mut parts = Vec::new();
    let mut next = tool_arguments(words);
    loop {
        let read = mcp.value("terminal_session_blocks", next).await;
        let block = &read["blocks"][0];
        parts.push(block["text"].as_str().unwrap().to_owned());
        if block["truncated"] == false {
            return parts.join("\n");
        }
        next = block["rest"]["arguments"].clone();
    }
}

#[test]
fn what_each_vocabulary_leaves_out_is_printed_by_what_it_names() {
    let live = Live::new();
    let numbers = |text: &str| -> Vec<u32> {
        text.lines().filter_map(|line| line.strip_prefix("line ")?.parse().ok()).collect()
    };
    let all: Vec<u32> = (1..=60_000).collect();
    let command = "seq -f 'line %.0f' 60000";
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "all"]).await;
        let id = mcp.open().await;
        let sent = mcp.call("terminal_send", json!({"sessionId": id, "text": command})).await;
        let background = json!({"sessionId": id, "text": command, "run_in_background": true});
        let task = mcp.value("terminal_send", background).await["taskId"].clone();
        let wait = json!({"task_id": task, "wait": true, "timeout_ms": 120_000});
        let task = mcp.call("task_output", wait).await;
        let executed = mcp.call("terminal_execute", json!({"command": command})).await;
        for (said, key) in [(&sent, "viewport"), (&task, "viewport"), (&executed, "content")] {
            let value = said.structured_content.as_ref().unwrap();
            let words = value["omitted"][0]["arguments"]
                .as_str()
                .unwrap_or_else(|| panic!("{key}: {:.2000}", value["omitted"].to_string()));
            assert!(text(said).contains(&format!("terminal-session-blocks {words}]")), "{key}");
            let mut heard = numbers(&printed(&mcp, words).await);
            heard.extend(numbers(value[key].as_str().unwrap()));
            heard.sort_unstable();
            assert!(heard == all, "{key}: each once, {} of them", heard.len());
        }
        let page = json!({"cmd": command, "max_output_tokens": 100, "yield_time_ms": 30_000});
        let page = mcp.value("exec_command", page).await;
        let words = page["remaining"]["arguments"].as_str().unwrap();
        let heard = numbers(page["output"].as_str().unwrap()).into_iter();
        assert!(heard.chain(numbers(&printed(&mcp, words).await)).eq(all), "exec: each once");
        // What is left of a history is read in the same way.
        let wide = json!({"sessionId": id, "text": "seq -f 'line %064.0f' 9000"});
        mcp.value("terminal_send", wide).await;
        let mut next = json!({"sessionId": id, "count": 9001});
        let mut heard = Vec::new();
        loop {
            let read = mcp.call("terminal_read", next).await;
            let value = read.structured_content.as_ref().unwrap();
            heard.splice(0..0, numbers(value["text"].as_str().unwrap()));
            let Some(more) = value["linesLeftOut"].as_u64() else {
                break;
            };
            let offset = value["lineEnd"].as_u64().unwrap();
            assert!(
                text(&read).contains(&format!(": read offset {offset} count {more}]")),
                "{read:?}"
            );
            next = json!({"sessionId": id, "offset": offset, "count": more});
        }
        assert!(heard.into_iter().eq(1..=9000), "read: each once");
        let read = json!({"sessionId": id, "count": 100_000});
        let read = mcp.call("terminal_read", read).await;
        let value = read.structured_content.as_ref().unwrap();
        assert!(value["linesInBlocks"].as_u64().unwrap() > 80_000, "{value}");
        assert!(text(&read).contains(" in blocks only, which terminal-session-summary lists]"));
        assert_eq!(mcp.end().await, Some(0));
    });
}

#[test]
fn recorded_sessions_are_read_and_left_alone() {
    let live = Live::new();
    let home = fixture_home();
    let before = Tree::read(&home);
    in_runtime(async {
        let home = home.to_str().unwrap();
        let mcp = live.mcp(&["--tools", "inspect", "--codex-home", home]).await;
        let program = |program: &str, args: &[&str]| {
            let mut command = command(program);
            crate::support::finish(command.args(args).args(["--codex-home", home])).json()
        };
        let listed = mcp.value("terminal_session_list", json!({"limit": 1000})).await;
        assert_eq!(listed, program(LIST, &["--json", "--limit", "1000"]));
        let demo = mcp.call("terminal_session_summary", json!({"terminal": "demo"})).await;
        let summary = demo.structured_content.clone().unwrap();
        let args = ["demo", "--details", "--preview-chars", "400"];
        assert_eq!(summary, program(SUMMARY, &args));
        assert_eq!(text(&demo), summary.to_string());
        let blocks = json!({"terminal": "demo", "blocks": ["1", "last@1:2"]});
        let read = mcp.value("terminal_session_blocks", blocks).await;
        let printed = live_blocks(home, &["demo", "1", "last@1:2", "--json"]);
        for (read, printed) in
            read["blocks"].as_array().unwrap().iter().zip(printed["blocks"].as_array().unwrap())
        {
            for key in ["blockId", "index", "type", "totalLines", "lineStart", "lineEnd", "text"] {
                assert_eq!(read[key], printed[key], "{key}");
            }
        }
        let all = json!({"terminal": "demo", "blocks": [], "grep": "."});
        let found = mcp.value("terminal_session_blocks", all).await;
        let first = &found["lines"][0];
        let again = json!({"terminal": "demo", "blocks": [first["place"]]});
        let again = mcp.value("terminal_session_blocks", again).await;
        assert_eq!(again["blocks"][0]["text"], first["text"]);

        // A summary that is too long says what prints the rest.
        let short = json!({"terminal": "demo", "max_chars": 900});
        let short = mcp.value("terminal_session_summary", short).await;
        assert!(short.to_string().chars().count() <= 900);
        let rest = short["omitted"]["command"].as_str().unwrap();
        let rest = rest.strip_prefix("terminal_session_summary ").unwrap();
        let rest: Value = serde_json::from_str(rest).unwrap();
        let rest = mcp.value("terminal_session_summary", rest).await;
        let both = [&rest["blocks"], &short["blocks"]];
        let indices = both.iter().flat_map(|blocks| blocks.as_array().unwrap());
        let indices: Vec<_> = indices.map(|block| block["index"].as_u64().unwrap()).collect();
        let count = summary["blocks"].as_array().unwrap().len() as u64;
        let mut known = indices.clone();
        known.dedup();
        assert_eq!(known, (1..=count).collect::<Vec<_>>(), "{indices:?}");

        for (tool, arguments, want) in [
            ("terminal_session_summary", json!({"terminal": "no/such"}), "no/such"),
            ("terminal_session_summary", json!({"terminal": "demo", "max_chars": 3}), "at least "),
            (
                "terminal_session_summary",
                json!({"terminal": "demo", "before": "nothing"}),
                "block not found: nothing",
            ),
            (
                "terminal_session_blocks",
                json!({"terminal": "demo", "blocks": ["nothing"]}),
                "block not found: nothing",
            ),
            (
                "terminal_session_blocks",
                json!({"terminal": "demo", "blocks": ["live"]}),
                "what is in no block yet is read with terminal-session-blocks TERMINAL live, in any shell",
            ),
            (
                "terminal_session_blocks",
                json!({"terminal": "demo", "blocks": ["1@9:2"]}),
                "line range end must be >= start: 9:2",
            ),
            (
                "terminal_session_blocks",
                json!({"terminal": "demo", "blocks": [], "grep": "a("}),
                "invalid pattern: a( (unclosed group)",
            ),
            (
                "terminal_session_blocks",
                json!({"terminal": "demo", "blocks": "1"}),
                "property \"blocks\" must be an array of strings",
            ),
            ("terminal_session_list", json!({"limit": 0}), "limit must be a positive safe integer"),
        ] {
            let told = mcp.refused(tool, arguments).await;
            assert!(told.contains(want), "{told} does not say {want}");
        }
        // An answer has a bound however many blocks are asked for, and names the rest.
        let wanted = vec!["last@1:2"; 1100];
        let (mut asked, mut shown) = (json!({"terminal": "demo", "blocks": wanted}), 0);
        loop {
            let read = mcp.call("terminal_session_blocks", asked).await;
            assert!(text(&read).len() < 400_000 && read.is_error == Some(false));
            let value = read.structured_content.as_ref().unwrap();
            let blocks = value["blocks"].as_array().unwrap();
            assert!(blocks.len() < 1100 && blocks.iter().all(|block| block == &blocks[0]));
            shown += blocks.len();
            let Some(rest) = value.get("rest") else {
                break;
            };
            // A thousand are named.
            let (count, arguments) = (rest["blocks"].as_u64().unwrap(), &rest["arguments"]);
            assert_eq!(count as usize, 1100 - shown);
            assert!(text(&read).contains(&format!("terminal_session_blocks {arguments}")));
            assert!(count <= 1000, "the first answer shows a hundred at least");
            asked = arguments.clone();
        }
        assert_eq!(shown, 1100);
        let past = json!({"terminal": "demo", "blocks": ["1@5000:"]});
        assert!(text(&mcp.call("terminal_session_blocks", past).await).contains("[past the end: "));
    });
    assert_eq!(Tree::read(&home), before);
}

fn live_blocks(home: &str, args: &[&str]) -> Value {
    let mut command = command(crate::support::BLOCKS);
    crate::support::finish(command.args(args).args(["--codex-home", home])).json()
}

#[test]
fn programs_start_where_the_server_was_told() {
    let live = Live::new();
    let place = live.path().join("place");
    fs::create_dir_all(place.join("inner")).unwrap();
    in_runtime(async {
        let mcp = live.mcp(&["--cwd", place.to_str().unwrap()]).await;
        for (cwd, want) in [(None, "place"), (Some("inner"), "inner"), (Some("/"), "/")] {
            let opened = json!({"type": "shell", "cwd": cwd});
            let opened = mcp.value("terminal_open", opened).await;
            live.remember(opened["sessionId"].as_str().unwrap());
            let cwd = opened["cwd"].as_str().unwrap();
            assert!(cwd.ends_with(want), "{cwd} is not {want}");
            // All of one connection are of one thread.
            assert_eq!(opened["codexSessionId"].as_str().unwrap().len(), 36);
        }
    });
}

#[test]
fn a_call_that_cannot_wait_any_longer_is_answered_at_the_end() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&[]).await;
        let id = mcp.open().await;
        let typed = json!({"sessionId": id, "text": "touch begun; sleep 600"});
        let waiting = mcp.begin("terminal_send", typed).await;
        eventually("the command runs", || live.user().join("begun").exists()).await;
        mcp.server.signal(Signal::TERM);
        let answered = tokio::time::timeout(Duration::from_secs(120), waiting.await_response());
        // It is told, or the connection is gone.
        match answered.await.expect("it ends") {
            Ok(rmcp::model::ServerResult::CallToolResult(result)) => {
                assert_eq!(text(&result), "Error: the call was cancelled");
            }
            Ok(other) => panic!("{other:?}"),
            Err(_) => {}
        }
        assert_eq!(mcp.server.ended().await, Some(0));
    });
}
