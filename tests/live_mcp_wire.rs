//! The server for agents, as bytes: what clients send that are not the SDK's.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::live::{Live, ended};

/// A server, and its lines.
struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#;

impl Wire {
    fn start(live: &Live, args: &[&str]) -> Self {
        let mut command = live.command(&[&["mcp"], args].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output) }
    }

    fn say(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes.as_ref()).unwrap();
        input.flush().unwrap();
    }

    fn say_line(&mut self, line: &str) {
        self.say(format!("{line}\n"));
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// The answer to the request with this id.
    fn answer(&mut self, id: &Value) -> Value {
        loop {
            let line = self.line();
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
            if message["id"] == *id {
                return message;
            }
        }
    }

    fn greeted(live: &Live, args: &[&str]) -> Self {
        let mut wire = Self::start(live, args);
        wire.say_line(HELLO);
        assert_eq!(wire.answer(&json!(1))["result"]["protocolVersion"], "2025-06-18");
        wire.say_line(READY);
        wire
    }

    /// Ends the connection; the exit code and what else was said on stderr.
    fn end(mut self) -> (i32, String) {
        drop(self.input.take());
        self.rest();
        let run = ended(self.child);
        (run.code, run.stderr)
    }

    /// All that is said until the end.
    fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        rest
    }
}

#[test]
fn the_same_flags_give_the_same_bytes() {
    let live = Live::new();
    for args in [&[][..], &["--tools", "all"], &["--tools", "inspect"]] {
        let said = || {
            let mut wire = Wire::start(&live, args);
            wire.say_line(HELLO);
            let hello = wire.line();
            wire.say_line(READY);
            wire.say_line(LIST);
            let tools = wire.line();
            wire.say_line(LIST);
            assert_eq!(wire.line(), tools);
            assert_eq!(wire.end(), (0, String::new()));
            (hello, tools)
        };
        let (hello, tools) = said();
        assert_eq!(said(), (hello.clone(), tools.clone()), "{args:?}");
        assert!(hello.contains("\"instructions\":\"") && tools.contains("\"inputSchema\":"));
    }
}

/// The code of an error, and the id that it is for.
fn error(line: &str) -> (Value, i64) {
    let answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}"));
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
    let code = answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"));
    (answer["id"].clone(), code)
}

const NO_JSON: i64 = -32700;
const NO_REQUEST: i64 = -32600;
const NO_METHOD: i64 = -32601;
const WRONG_PARAMS: i64 = -32602;

/// The id and the code that are told, if any are.
type Told = Option<(Value, i64)>;

/// What is no message, and the answer to it.
fn garbage() -> Vec<(Vec<u8>, Told)> {
    let none = Value::Null;
    let told = |id: &Value, code| Some((id.clone(), code));
    let method = |version: &str, id: &str| {
        format!("{{\"jsonrpc\":\"{version}\",\"id\":{id},\"method\":\"tools/list\"}}")
    };
    let text: Vec<(String, _)> = vec![
        ("no json".into(), told(&none, NO_JSON)),
        ("{".into(), told(&none, NO_JSON)),
        ("[".repeat(10_000), told(&none, NO_JSON)),
        (format!("{{\"a\":\"{}", "x".repeat(5 << 20)), told(&none, NO_JSON)),
        ("{}".into(), told(&none, NO_REQUEST)),
        ("[]".into(), told(&none, NO_REQUEST)),
        (format!("[{LIST}]"), told(&none, NO_REQUEST)),
        ("null".into(), told(&none, NO_REQUEST)),
        ("{\"jsonrpc\":\"2.0\"}".into(), told(&none, NO_REQUEST)),
        ("{\"id\":7,\"method\":\"tools/list\"}".into(), told(&json!(7), NO_REQUEST)),
        (method("1.0", "3"), told(&json!(3), NO_REQUEST)),
        (method("2.0", "{}"), told(&none, NO_REQUEST)),
        (method("2.0", "1e300"), told(&none, NO_REQUEST)),
        ("".into(), None),
        (" \t".into(), None),
        ("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}".into(), None),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"no/such/notice\"}".into(), None),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/no/such\"}".into(), None),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":77}}".into(), None),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[3]}".into(), None),
    ];
    let mut all: Vec<_> = text.into_iter().map(|(text, want)| (text.into_bytes(), want)).collect();
    for bytes in [&b"\xff\xfe\x00 bytes"[..], b"\0", b"{\"a\":\"\xff\"}"] {
        all.push((bytes.to_vec(), told(&none, NO_JSON)));
    }
    all
}

#[test]
fn garbage_is_told_of_and_borne() {
    let live = Live::new();
    // Before the beginning and after it.
    for is_greeted in [false, true] {
        let mut wire = match is_greeted {
            true => Wire::greeted(&live, &[]),
            false => Wire::start(&live, &[]),
        };
        for (bytes, want) in garbage() {
            wire.say([&bytes[..], b"\n"].concat());
            if let Some(want) = want {
                assert_eq!(error(&wire.line()), want, "{}", bytes.escape_ascii());
            }
        }
        wire.say_line(HELLO);
        assert_eq!(wire.answer(&json!(1))["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(wire.end(), (0, String::new()));
    }
}

#[test]
fn much_garbage_is_answered_and_what_is_between_it_too() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let garbage: Vec<_> =
        garbage().into_iter().filter(|(bytes, _)| bytes.len() < 100_000).collect();
    for (bytes, want) in garbage {
        for _ in 0..100 {
            wire.say([&bytes[..], b"\n"].concat());
        }
        wire.say_line(LIST);
        let mut told = 0;
        loop {
            let line = wire.line();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == "two" {
                break;
            }
            assert_eq!(Some(error(&line)), want);
            told += 1;
        }
        assert_eq!(told, if want.is_some() { 100 } else { 0 }, "{}", bytes.escape_ascii());
    }
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn a_line_that_is_too_long_costs_one_error() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..=terminal_session::live::wire::LONGEST_REQUEST >> 20 {
        wire.say(&piece);
    }
    wire.say_line("");
    wire.say_line(LIST);
    assert_eq!(error(&wire.line()), (Value::Null, NO_REQUEST));
    assert!(wire.answer(&json!("two"))["result"]["tools"].is_array());
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn requests_that_are_wrong_say_what_is() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &["--tools", "all"]);
    for (method, params, code, message) in [
        ("no/such", json!({}), NO_METHOD, "no/such"),
        ("resources/list", json!({}), NO_METHOD, "resources/list"),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), NO_METHOD, "resources/read"),
        ("prompts/list", json!({}), NO_METHOD, "prompts/list"),
        ("prompts/get", json!({"name": 3}), NO_METHOD, "prompts/get"),
        ("completion/complete", json!({"ref": 3}), NO_METHOD, "completion/complete"),
        ("tools/call", json!({}), WRONG_PARAMS, "invalid params: \"name\" is missing"),
        ("tools/call", json!([]), WRONG_PARAMS, "invalid params: \"params\" must be an object"),
        ("tools/call", json!({"name": "nothing"}), WRONG_PARAMS, "unknown tool: nothing"),
        (
            "tools/call",
            json!({"name": "terminal_list", "arguments": [1]}),
            WRONG_PARAMS,
            "invalid params: \"arguments\" must be an object",
        ),
        (
            "tools/call",
            json!({"name": "terminal_list", "_meta": {"progressToken": {}}}),
            WRONG_PARAMS,
            "invalid params: \"_meta.progressToken\" must be a string or a whole number",
        ),
        (
            "tools/list",
            json!({"cursor": 3}),
            WRONG_PARAMS,
            "invalid params: \"cursor\" must be a string",
        ),
        (
            "logging/setLevel",
            json!({"level": "loud"}),
            WRONG_PARAMS,
            "invalid params: \"level\" must be one of debug, ",
        ),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params});
        wire.say_line(&request.to_string());
        let answer = wire.answer(&json!(method));
        assert_eq!(answer["error"]["code"], code, "{request}: {answer}");
        let told = answer["error"]["message"].as_str().unwrap();
        assert!(told.starts_with(message), "{request}: {told}");
    }
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn calls_beyond_the_bound_are_refused_and_quick_ones_have_room() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let call = |id: usize, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    let value = |answer: Value| answer["result"]["structuredContent"].clone();
    wire.say_line(&call(1000, "terminal_open", json!({"type": "shell"})));
    let id = value(wire.answer(&json!(1000)))["sessionId"].as_str().unwrap().to_owned();
    live.remember(&id);
    let typed = "until [ -e go ]; do sleep 0.02; done";
    let typed = json!({"sessionId": id, "text": typed, "run_in_background": true});
    wire.say_line(&call(1001, "terminal_send", typed));
    let task = value(wire.answer(&json!(1001)))["taskId"].clone();
    let wait = json!({"task_id": task, "wait": true, "timeout_ms": 600_000});
    for number in 0..257 {
        wire.say_line(&call(number, "task_output", wait.clone()));
    }
    // The others wait; nothing else is answered.
    let refused: Value = serde_json::from_str(&wire.line()).unwrap();
    let want =
        "Error: too many calls that wait at a time (at most 256); let one end, or cancel one";
    assert_eq!(refused["id"], 256);
    assert_eq!(refused["result"]["isError"], true);
    assert_eq!(refused["result"]["content"][0]["text"], want);
    for (number, tool, arguments) in [
        (2000, "terminal_list", json!({})),
        (2001, "terminal_read", json!({"sessionId": id})),
        (2002, "task_output", json!({"task_id": task})),
        (2003, "terminal_session_list", json!({})),
    ] {
        wire.say_line(&call(number, tool, arguments));
        assert_eq!(wire.answer(&json!(number))["result"]["isError"], false, "{tool}");
    }
    // One that is cancelled makes room for another.
    wire.say_line(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#,
    );
    // Its wait takes a moment to end. What is refused is answered before what a host is asked.
    let taken = (3000..).step_by(2).find(|number| {
        wire.say_line(&call(*number, "task_output", wait.clone()));
        wire.say_line(&call(number + 1, "terminal_list", json!({})));
        let first: Value = serde_json::from_str(&wire.line()).unwrap();
        let is_taken = first["id"] == number + 1;
        if !is_taken {
            assert_eq!((&first["id"], &first["result"]["isError"]), (&json!(number), &json!(true)));
            wire.answer(&json!(number + 1));
        }
        is_taken
    });
    let taken = i64::try_from(taken.unwrap()).unwrap();
    std::fs::write(live.user().join("go"), "").unwrap();
    let mut ended: Vec<i64> = (0..256)
        .map(|_| serde_json::from_str::<Value>(&wire.line()).unwrap()["id"].as_i64().unwrap())
        .collect();
    ended.sort_unstable();
    let others = (0..256).filter(|number| *number != 3);
    assert_eq!(ended, others.chain([taken]).collect::<Vec<_>>());
    wire.say_line(&call(256, "task_output", wait));
    assert_eq!(value(wire.answer(&json!(256)))["status"]["kind"], "completed");
    wire.say_line(&call(2004, "terminal_close", json!({"sessionId": id})));
    wire.answer(&json!(2004));
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn a_hundred_calls_of_all_tools_are_each_answered_once() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &["--tools", "all"]);
    let call = |id: usize, tool: &str, arguments: &Value| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    wire.say_line(&call(1000, "terminal_open", &json!({"type": "shell"})));
    let opened = wire.answer(&json!(1000))["result"]["structuredContent"].clone();
    let id = opened["sessionId"].as_str().unwrap();
    live.remember(id);
    let calls = [
        ("terminal_list", json!({})),
        ("terminal_read", json!({"sessionId": id})),
        ("terminal_send", json!({"sessionId": id, "text": "echo one"})),
        ("terminal_send", json!({"sessionId": id, "text": "echo two", "run_in_background": true})),
        ("exec_command", json!({"cmd": "echo three"})),
        ("job_list", json!({})),
        ("terminal_execute", json!({"command": "echo four"})),
        ("terminal_session_list", json!({})),
        ("terminal_session_summary", json!({"terminal": id})),
        ("task_output", json!({"task_id": format!("{id}-send-9")})),
    ];
    for number in 0..100 {
        let (tool, arguments) = &calls[number % calls.len()];
        wire.say_line(&call(number, tool, arguments));
    }
    let mut answered = Vec::new();
    while answered.len() < 100 {
        let message: Value = serde_json::from_str(&wire.line()).unwrap();
        if let Some(id) = message["id"].as_u64() {
            assert!(message["result"]["content"].is_array(), "{message}");
            answered.push(id);
        }
    }
    answered.sort_unstable();
    assert_eq!(answered, (0..100).collect::<Vec<_>>());
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn a_client_that_reads_nothing_does_not_keep_the_server() {
    let live = Live::new();
    // More answers than a pipe holds, and errors too.
    for said in [LIST, "no json"] {
        let mut wire = Wire::greeted(&live, &["--tools", "all"]);
        for number in 0..1000 {
            wire.say_line(&said.replace("two", &number.to_string()));
        }
        let pid = Pid::from_child(&wire.child);
        kill_process(pid, Signal::TERM).unwrap();
        let Wire { child, input, output } = wire;
        assert_eq!(ended(child).code, 0, "{said}");
        drop((input, output));
    }
}

#[test]
fn ids_are_answered_as_they_were_given() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    for id in
        [json!("5"), json!(5), json!(-5), json!(0), json!(i64::MAX), json!(i64::MIN), json!("")]
    {
        wire.say_line(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string());
        assert_eq!(wire.answer(&id), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn an_id_stands_for_one_request_at_a_time() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &["--tools", "exec"]);
    let command = "echo begun >begun; until [ -e go ]; do sleep 0.02; done";
    let call = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params":
        {"name": "exec_command", "arguments": {"cmd": command, "yield_time_ms": 30_000}}});
    wire.say_line(&call.to_string());
    wire.say_line(r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#);
    assert_eq!(error(&wire.line()), (json!(8), NO_REQUEST));
    std::fs::write(live.user().join("go"), "").unwrap();
    assert!(wire.answer(&json!(8))["result"]["structuredContent"].is_object());
    // One that was answered, or cancelled, is free again.
    wire.say_line(r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#);
    assert_eq!(wire.answer(&json!(8))["result"], json!({}));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#;
    let call = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params":
        {"name": "exec_command", "arguments": {"cmd": "sleep 600", "yield_time_ms": 30_000}}});
    wire.say_line(&call.to_string());
    wire.say_line(cancel);
    wire.say_line(r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#);
    assert_eq!(wire.answer(&json!(9))["result"], json!({}));
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn nothing_is_announced_at_the_end() {
    for is_signal in [false, true] {
        let live = Live::new();
        let mut wire = Wire::greeted(&live, &[]);
        let call = |id: usize, tool: &str, arguments: Value| {
            let params = json!({"name": tool, "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        };
        wire.say_line(&call(5, "terminal_open", json!({"type": "shell"})).to_string());
        let opened = wire.answer(&json!(5))["result"]["structuredContent"].clone();
        let sent =
            json!({"sessionId": opened["sessionId"], "text": "cat", "run_in_background": true});
        wire.say_line(&call(6, "terminal_send", sent).to_string());
        assert_eq!(wire.answer(&json!(6))["result"]["isError"], false);
        if is_signal {
            let pid = Pid::from_child(&wire.child);
            kill_process(pid, Signal::TERM).unwrap();
        } else {
            drop(wire.input.take());
        }
        assert_eq!(wire.rest(), "");
        assert_eq!(wire.end(), (0, String::new()));
    }
}

#[test]
fn a_message_in_pieces_is_one_and_half_a_message_is_none() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let (start, end) = LIST.split_at(20);
    wire.say(start);
    wire.say(format!("{end}\n"));
    assert!(wire.answer(&json!("two"))["result"]["tools"].is_array());
    wire.say(&LIST[..30]);
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn a_client_that_says_nothing_or_begins_otherwise() {
    let live = Live::new();
    assert_eq!(Wire::start(&live, &[]).end(), (0, String::new()));
    let mut wire = Wire::start(&live, &[]);
    wire.say(&HELLO[..40]);
    assert_eq!(wire.end(), (0, String::new()));
    // What comes before the beginning is told of, or borne.
    let mut wire = Wire::start(&live, &[]);
    wire.say_line(READY);
    wire.say_line(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#);
    wire.say_line(LIST);
    assert_eq!(error(&wire.line()), (json!("two"), WRONG_PARAMS));
    wire.say_line(&HELLO.replace("\"protocolVersion\":\"2025-06-18\",", ""));
    assert_eq!(error(&wire.line()), (json!(1), WRONG_PARAMS));
    wire.say_line(HELLO);
    assert!(wire.answer(&json!(1))["result"].is_object());
    assert_eq!(wire.end(), (0, String::new()));
    let mut wire = Wire::start(&live, &[]);
    wire.say_line(READY);
    assert_eq!(wire.end(), (0, String::new()));
    // What comes before is answered; the newest version needs no such beginning.
    let mut wire = Wire::start(&live, &[]);
    wire.say_line(r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#);
    assert_eq!(wire.answer(&json!(5))["result"], json!({}));
    wire.say_line(HELLO);
    assert!(wire.answer(&json!(1))["result"].is_object());
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let call = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call",
        "params": {"name": "terminal_list", "arguments": {}}});
    wire.say_line(&call.to_string());
    drop(wire.input.take());
    assert_eq!(wire.answer(&json!(8))["result"]["structuredContent"], json!({"sessions": []}));
    assert_eq!(wire.end(), (0, String::new()));
}

#[test]
fn every_version_of_the_protocol_is_spoken() {
    let live = Live::new();
    let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    let newest = known[3];
    // Who wants one that is not known is told of one that is.
    let others = ["2024-01-01", "2099-01-01", "1", "", "nonsense"].map(|other| (other, newest));
    for (version, want) in known.map(|known| (known, known)).into_iter().chain(others) {
        let mut wire = Wire::start(&live, &[]);
        wire.say_line(&HELLO.replace("2025-06-18", version));
        assert_eq!(wire.answer(&json!(1))["result"]["protocolVersion"], want, "{version}");
        assert_eq!(wire.end(), (0, String::new()));
    }
}

#[test]
fn the_server_needs_no_secret_and_gives_none_away() {
    let live = Live::new();
    let mut command = live.command(&["mcp"]);
    command.env("TERMINAL_SESSION_AGENT", "agent-of-somebody-else").stdin(Stdio::null());
    let run = crate::support::finish(&mut command);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(live.files_with("agent-of-somebody-else").is_empty());
    assert!(!live.runtime().join("agent").exists(), "it is no default agent");
}
