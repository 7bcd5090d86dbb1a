//! The server for agents, as bytes: what clients send that are not the SDK's.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

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
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        let run = ended(self.child);
        (run.code, run.stderr)
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

#[test]
fn garbage_is_borne() {
    let live = Live::new();
    let mut wire = Wire::greeted(&live, &[]);
    let deep = "[".repeat(200_000);
    for garbage in [
        "no json",
        "",
        "{",
        "{}",
        "[]",
        "null",
        "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":77}}",
        deep.as_str(),
    ] {
        wire.say_line(garbage);
    }
    wire.say(b"\xff\xfe\x00 bytes\n");
    wire.say_line(LIST);
    assert!(wire.answer(&json!("two"))["result"]["tools"].is_array());
    // Methods and calls that are wrong are answered.
    for (id, method, params) in [
        (10, "no/such", json!({})),
        (11, "tools/call", json!({})),
        (12, "tools/call", json!({"name": "nothing"})),
        (13, "tools/call", json!({"name": "terminal_list", "arguments": [1]})),
        (14, "resources/read", json!({"uri": "file:///etc/passwd"})),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        wire.say_line(&request.to_string());
        let answer = loop {
            let line = wire.line();
            let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
            // One that cannot be read has no id to be answered with.
            if answer["id"] == id || answer["id"].is_null() {
                break answer;
            }
        };
        assert!(answer["error"]["code"].is_number(), "{method}: {answer}");
    }
    wire.say_line(LIST);
    assert!(wire.answer(&json!("two"))["result"]["tools"].is_array());
    assert_eq!(wire.end(), (0, String::new()));
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
    let mut wire = Wire::start(&live, &[]);
    wire.say_line(READY);
    let want = "error: the client did not begin with initialize\n";
    assert_eq!(wire.end(), (1, want.to_owned()));
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
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut wire = Wire::start(&live, &[]);
        wire.say_line(&HELLO.replace("2025-06-18", version));
        assert_eq!(wire.answer(&json!(1))["result"]["protocolVersion"], version);
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
