//! `exec_command` and `write_stdin` over the Model Context Protocol.

use std::fs;

use serde_json::{Value, json};

use crate::support::live::Live;
use crate::support::mcp::{Mcp, Told, eventually, in_runtime, text, value};

const PATIENCE: u64 = 300_000;

async fn exec(mcp: &Mcp<'_>, cmd: &str) -> Value {
    mcp.value("exec_command", json!({"cmd": cmd, "yield_time_ms": 30_000})).await
}

/// A command that goes on; its job.
async fn started(mcp: &Mcp<'_>, cmd: &str) -> String {
    let output = mcp.value("exec_command", json!({"cmd": cmd, "yield_time_ms": 0})).await;
    output["job_id"].as_str().unwrap_or_else(|| panic!("{output}")).to_owned()
}

/// Reads on until a job has nothing more to say: all that it said.
async fn rest(mcp: &Mcp<'_>, job: &str, tokens: u64) -> (String, Value) {
    let mut all = String::new();
    loop {
        let poll = json!({"job_id": job, "yield_time_ms": PATIENCE, "max_output_tokens": tokens});
        let page = mcp.value("write_stdin", poll).await;
        all += page["output"].as_str().unwrap();
        assert!(page["output"].as_str().unwrap().len() <= 4 * tokens as usize, "{page}");
        if page.get("job_id").is_none() {
            return (all, page);
        }
    }
}

#[test]
fn commands_that_end_at_once() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let done = mcp.call("exec_command", json!({"cmd": "echo fine"})).await;
        assert_eq!(text(&done), "fine\n");
        let value = done.structured_content.unwrap();
        assert_eq!((&value["output"], &value["exit_code"]), (&json!("fine\n"), &json!(0)));
        assert_eq!(value.get("job_id"), None);
        let failed = json!({"cmd": "echo 'FAIL simulated command' >&2; exit 7"});
        let failed = mcp.call("exec_command", failed).await;
        assert_eq!(failed.is_error, Some(false), "how a command ends is no fault of the call");
        assert_eq!(text(&failed), "FAIL simulated command\n\n[exit code: 7]");
        for (arguments, want) in [
            (json!({"cmd": " "}), "cmd must be a non-empty string"),
            (
                json!({"cmd": "true", "yield_time_ms": -1}),
                "yield_time_ms must be a non-negative finite number",
            ),
            (
                json!({"cmd": "true", "max_output_tokens": 0}),
                "max_output_tokens must be a positive finite number",
            ),
            (json!({}), "invalid arguments: missing required property \"cmd\""),
            (
                json!({"cmd": "true", "shell": "zsh"}),
                "invalid arguments: unknown property \"shell\"",
            ),
            (json!({"cmd": "true", "workdir": ""}), "workdir must be a non-empty string"),
            (
                json!({"cmd": "true", "workdir": "/no/where"}),
                "cannot enter workdir /no/where: No such file or directory",
            ),
        ] {
            assert_eq!(mcp.refused("exec_command", arguments).await, want);
        }
        for (arguments, want) in [
            (
                json!({"job_id": "one"}),
                "job_id must be a codex-terminal job id such as codex-terminal-1",
            ),
            (
                json!({"job_id": "codex-terminal-99"}),
                "unknown or completed exec job codex-terminal-99",
            ),
        ] {
            assert_eq!(mcp.refused("write_stdin", arguments).await, want);
        }
        assert_eq!(mcp.end().await, Some(0));
    });
}

#[test]
fn a_job_takes_input_and_is_read_to_its_end() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let cmd = "for n in 1 2 3; do read -r line; echo \"ACK $n $line\"; done; exit 3";
        let job = started(&mcp, cmd).await;
        assert_eq!(job, "codex-terminal-1");
        for number in 1..=3 {
            let write = json!({"job_id": job, "chars": format!("step {number}\n"), "yield_time_ms": 30_000});
            let answer = mcp.value("write_stdin", write).await;
            let output = answer["output"].as_str().unwrap();
            assert!(output.contains(&format!("ACK {number} step {number}")), "{output:?}");
            assert!(!output.contains(&format!("ACK {} ", number - 1)), "nothing is told twice");
        }
        let again = mcp.call("write_stdin", json!({"job_id": job})).await;
        assert_eq!(
            text(&again),
            format!("[job {job} exited with code 3; no unread output remains]")
        );
        assert_eq!(again.structured_content.unwrap()["already_collected"], true);
        let late = mcp.refused("write_stdin", json!({"job_id": job, "chars": "x"})).await;
        let closed = "stdin is closed; poll with empty chars to collect its result";
        assert!(late.starts_with(&format!("exec job {job} {closed}")), "{late}");
        let list = mcp.call("job_list", json!({})).await;
        assert!(text(&list).starts_with(&format!("{job} [codex-terminal] completed — for n in ")));
    });
}

#[test]
fn what_comes_between_calls_is_kept() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let cmd = "until [ -e go ]; do sleep 0.02; done; echo late; touch said; sleep 600";
        let job = started(&mcp, cmd).await;
        fs::write(live.user().join("go"), "").unwrap();
        eventually("it was said", || live.user().join("said").exists()).await;
        let poll = json!({"job_id": job, "yield_time_ms": 0});
        let mut output = String::new();
        while !output.contains("late") {
            let page = mcp.value("write_stdin", poll.clone()).await;
            output += page["output"].as_str().unwrap();
        }
        assert_eq!(output, "late\n");
        let killed = mcp.call("job_kill", json!({"job_id": job, "reason": "enough"})).await;
        assert_eq!(text(&killed), format!("requested cancellation of job {job}"));
        let (_, last) = rest(&mcp, &job, 100).await;
        assert!(last["exit_code"].is_null() && last["signal"].is_string(), "{last}");
    });
}

#[test]
fn pages_are_all_there_is_each_part_once() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let lines: Vec<_> = (1..=160).map(|n| format!("line {n:04} of the orchard\n")).collect();
        let cmd = "for n in $(seq 1 160); do printf 'line %04d of the orchard\\n' $n; done";
        let first = json!({"cmd": cmd, "max_output_tokens": 100, "yield_time_ms": 30_000});
        let first = mcp.call("exec_command", first).await;
        let first_value = first.structured_content.as_ref().unwrap();
        assert_eq!(
            (&first_value["truncated"], &first_value["exit_code"]),
            (&json!(true), &json!(0))
        );
        assert!(text(&first).contains("\n[truncated: "), "{first:?}");
        let job = first_value["job_id"].as_str().unwrap();
        let mut all = first_value["output"].as_str().unwrap().to_owned();
        assert!(all.ends_with('\n'), "it is cut where a line ends");
        all += &rest(&mcp, job, 100).await.0;
        assert_eq!(all, lines.concat());

        // Characters are never torn, however small a page is.
        let first =
            json!({"cmd": "printf 'ab你好c'", "max_output_tokens": 1, "yield_time_ms": 30_000});
        let first = mcp.value("exec_command", first).await;
        let mut all = first["output"].as_str().unwrap().to_owned();
        if let Some(job) = first["job_id"].as_str() {
            all += &rest(&mcp, job, 1).await.0;
        }
        assert_eq!(all, "ab你好c");

        let many = exec(&mcp, "seq 1 400000").await;
        let mut all = many["output"].as_str().unwrap().to_owned();
        all += &rest(&mcp, many["job_id"].as_str().unwrap(), 10_000).await.0;
        let want: String = (1..=400_000).map(|number| format!("{number}\n")).collect();
        assert!(all == want, "every number once and in order");
    });
}

#[test]
fn an_end_that_nobody_heard_of_is_told_once() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&["--tools", "exec"]).await;
        let job = started(&mcp, "until [ -e go ]; do sleep 0.02; done; exit 5").await;
        fs::write(live.user().join("go"), "").unwrap();
        let told = loop {
            match mcp.told.recv().await.unwrap() {
                Told::Notice(notice) => break notice,
                Told::Progress { .. } => {}
            }
        };
        assert_eq!(
            told,
            format!(
                "exec job {job} exited with code 5. Call write_stdin with job_id=\"{job}\" and \
                 chars=\"\" to collect the remaining output."
            )
        );
        let (_, last) = rest(&mcp, &job, 100).await;
        assert_eq!(last["exit_code"], 5);
        // Who waits, or ends it, knows.
        let waited = started(&mcp, "until [ -e gone ]; do sleep 0.02; done").await;
        let poll = json!({"job_id": waited, "yield_time_ms": PATIENCE});
        let waiting = mcp.begin("write_stdin", poll).await;
        fs::write(live.user().join("gone"), "").unwrap();
        assert_eq!(value(waiting).await["exit_code"], 0);
        let killed = started(&mcp, "sleep 600").await;
        mcp.value("job_kill", json!({"job_id": killed})).await;
        rest(&mcp, &killed, 100).await;
        // The next notice is of the next end that nobody heard of.
        let later = started(&mcp, "until [ -e later ]; do sleep 0.02; done; exit 6").await;
        fs::write(live.user().join("later"), "").unwrap();
        let told = loop {
            match mcp.told.recv().await.unwrap() {
                Told::Notice(notice) => break notice,
                Told::Progress { .. } => {}
            }
        };
        let told = told.as_str().unwrap();
        assert!(told.starts_with(&format!("exec job {later} exited with code 6. ")), "{told}");
    });
}

#[test]
fn four_jobs_at_a_time() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let mut jobs = Vec::new();
        for number in 1..=4 {
            let code = if number == 2 { 3 } else { 0 };
            let cmd = format!("until [ -e go ]; do sleep 0.02; done; echo {number}; exit {code}");
            jobs.push((started(&mcp, &cmd).await, format!("{number}\n"), code));
        }
        fs::write(live.user().join("go"), "").unwrap();
        for (job, output, code) in &jobs {
            let (all, last) = rest(&mcp, job, 100).await;
            assert_eq!((&all, last["exit_code"].as_i64()), (output, Some(*code)));
            let again = mcp.call("write_stdin", json!({"job_id": job})).await;
            assert!(text(&again).ends_with("no unread output remains]"), "{again:?}");
        }
        let list = mcp.value("job_list", json!({})).await;
        let list = list["jobs"].as_array().unwrap();
        assert!(list.len() == 4 && list.iter().all(|row| row["status"] == "completed"), "{list:?}");
    });
}

#[test]
fn a_deployment_bounds_jobs_and_pages() {
    let live = Live::new();
    in_runtime(async {
        let args = ["--tools", "exec", "--max-jobs", "2", "--max-output-tokens-cap", "10"];
        let mcp = live.mcp(&args).await;
        let mut begun = Vec::new();
        for _ in 0..4 {
            let cmd = json!({"cmd": "sleep 600", "yield_time_ms": 0});
            begun.push(mcp.begin("exec_command", cmd).await);
        }
        let mut refused = 0;
        for call in begun {
            match call.await_response().await.unwrap() {
                rmcp::model::ServerResult::CallToolResult(result) => match result.is_error {
                    Some(true) => {
                        let want =
                            "Error: maximum active exec sessions reached (2); to make room, ";
                        assert!(text(&result).starts_with(want), "{}", text(&result));
                        refused += 1;
                    }
                    _ => assert!(result.structured_content.unwrap()["job_id"].is_string()),
                },
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(refused, 2);
        for job in ["codex-terminal-1", "codex-terminal-2"] {
            mcp.value("job_kill", json!({"job_id": job})).await;
            rest(&mcp, job, 10).await;
        }
        let long =
            json!({"cmd": "seq 1 100", "max_output_tokens": 10_000, "yield_time_ms": 30_000});
        let page = mcp.value("exec_command", long).await;
        assert!(page["output"].as_str().unwrap().len() <= 40, "{page}");
    });
}

#[test]
fn a_cancelled_wait_leaves_the_job_alone() {
    let live = Live::new();
    in_runtime(async {
        let mut mcp = live.mcp(&["--tools", "exec"]).await;
        let cmd = "touch begun; until [ -e go ]; do sleep 0.02; done; echo went on";
        let call = mcp.begin("exec_command", json!({"cmd": cmd, "yield_time_ms": 30_000})).await;
        eventually("it runs", || live.user().join("begun").exists()).await;
        call.cancel(None).await.unwrap();
        let list = mcp.value("job_list", json!({})).await;
        let job = list["jobs"][0]["job_id"].as_str().unwrap().to_owned();
        let waiting =
            mcp.begin("write_stdin", json!({"job_id": job, "yield_time_ms": PATIENCE})).await;
        waiting.cancel(None).await.unwrap();
        // A kill that fails is no reason to say nothing of its end.
        mcp.refused("job_kill", json!({"job_id": "codex-terminal-99"})).await;
        fs::write(live.user().join("go"), "").unwrap();
        // Nobody waits for it any more.
        let told = loop {
            match mcp.told.recv().await.unwrap() {
                Told::Notice(notice) => break notice,
                Told::Progress { .. } => {}
            }
        };
        let told = told.as_str().unwrap();
        assert!(told.starts_with(&format!("exec job {job} exited with code 0")), "{told}");
        assert_eq!(rest(&mcp, &job, 100).await.0, "went on\n");
    });
}

#[test]
fn jobs_end_with_their_connection_and_stay_readable() {
    let live = Live::new();
    in_runtime(async {
        let mcp = live.mcp(&["--tools", "exec"]).await;
        let job = started(&mcp, "echo $$ > pid; echo kept; exec sleep 600").await;
        eventually("it runs", || {
            fs::read_to_string(live.user().join("pid")).is_ok_and(|pid| pid.ends_with('\n'))
        })
        .await;
        let list = mcp.value("job_list", json!({})).await;
        let terminal = list["jobs"][0]["terminal_id"].as_str().unwrap().to_owned();
        assert_eq!(list["jobs"][0]["job_id"], job.as_str());
        let pid = fs::read_to_string(live.user().join("pid")).unwrap();
        let pid = format!("/proc/{}", pid.trim());
        assert!(fs::exists(&pid).unwrap());
        assert_eq!(mcp.end().await, Some(0));
        eventually("the job is gone", || !fs::exists(&pid).unwrap()).await;
        assert_eq!(fs::read_dir(live.runtime().join("agents")).unwrap().count(), 0);
        assert_eq!(live.block_texts(&[&terminal, "last"])[0].trim_end(), "kept");
    });
}

#[test]
fn jobs_of_another_connection_are_unknown() {
    let live = Live::new();
    in_runtime(async {
        let (one, other) =
            (live.mcp(&["--tools", "exec"]).await, live.mcp(&["--tools", "exec"]).await);
        let job = started(&one, "sleep 600").await;
        let unknown = format!("unknown or completed exec job {job}");
        for (tool, arguments) in [
            ("write_stdin", json!({"job_id": job})),
            ("write_stdin", json!({"job_id": job, "chars": "x"})),
            ("job_kill", json!({"job_id": job})),
        ] {
            assert_eq!(other.refused(tool, arguments).await, unknown);
        }
        assert_eq!(text(&other.call("job_list", json!({})).await), "(no background jobs)");
        let list = one.value("job_list", json!({})).await;
        assert_eq!(list["jobs"][0]["status"], "running");
    });
}
