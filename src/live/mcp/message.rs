//! What a line of a client is: a message, or what is wrong with it.
//!
//! The SDK takes a known request with malformed parameters for one that it does not know, and says
//! nothing to what is no message. Here each is told what is wrong with it.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, JsonRpcMessage};
use serde_json::{Map, Value, json};

/// What a client said.
#[derive(Debug)]
pub(super) enum Said {
    /// A message.
    Message(Box<ClientJsonRpcMessage>),
    /// What is answered to something else.
    Wrong(Value),
    /// What needs no answer.
    Nothing,
}

/// An answer that says what was wrong.
pub(super) fn wrong(id: Value, code: ErrorCode, message: impl Into<String>) -> Value {
    let error = json!({ "code": code.0, "message": message.into() });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Said {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Said::Nothing;
    }
    // Clients write half a character as they have it; what the rest says counts.
    let value = serde_json::from_slice(line)
        .or_else(|error| serde_json::from_slice(&whole_characters(line)).map_err(|_| error));
    match value {
        Ok(Value::Object(message)) => read_message(message),
        Ok(Value::Array(_)) => {
            Said::Wrong(wrong(Value::Null, ErrorCode::INVALID_REQUEST, "batches are not taken"))
        }
        Ok(_) => {
            let message = "a message must be an object";
            Said::Wrong(wrong(Value::Null, ErrorCode::INVALID_REQUEST, message))
        }
        Err(error) => {
            let message = format!("not JSON: {error}");
            Said::Wrong(wrong(Value::Null, ErrorCode::PARSE_ERROR, message))
        }
    }
}

/// The same with U+FFFD for each escape of half a character that stands alone.
fn whole_characters(line: &[u8]) -> Vec<u8> {
    let half = |at: usize| -> Option<u32> {
        let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let number = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        (0xd800..0xe000).contains(&number).then_some(number)
    };
    let mut out = Vec::with_capacity(line.len());
    let mut at = 0;
    while at < line.len() {
        let length = match (half(at), half(at + 6)) {
            (Some(..0xdc00), Some(0xdc00..)) => 12,
            (Some(_), _) => {
                out.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // Whatever is escaped begins no other escape.
            _ if line[at] == b'\\' => 2,
            _ => 1,
        };
        out.extend_from_slice(&line[at..line.len().min(at + length)]);
        at += length;
    }
    out
}

fn read_message(mut message: Map<String, Value>) -> Said {
    let has_method = message.contains_key("method");
    let is_answer = message.contains_key("result") || message.contains_key("error");
    if !has_method && is_answer {
        // Nothing is asked of clients.
        return Said::Nothing;
    }
    let is_notice = has_method && !message.contains_key("id");
    let id = message.get("id").filter(|id| is_id(id)).cloned();
    // Nobody says null where there is something.
    if message.get("params").is_some_and(Value::is_null) {
        message.shift_remove("params");
    }
    let refused = |code, what: String| match is_notice {
        true => Said::Nothing,
        false => Said::Wrong(wrong(id.clone().unwrap_or_default(), code, what)),
    };
    if let Err(what) = check_request(&message) {
        return refused(ErrorCode::INVALID_REQUEST, what.to_owned());
    }
    if !is_notice && let Err(what) = check_params(&message) {
        return refused(ErrorCode::INVALID_PARAMS, format!("invalid params: {what}"));
    }
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) if is_misread(&message) => {
            refused(ErrorCode::INVALID_PARAMS, "invalid params".to_owned())
        }
        Ok(message) => Said::Message(Box::new(message)),
        // Whatever its parameters are.
        Err(_) if known(&method).is_none() => refused(ErrorCode::METHOD_NOT_FOUND, method),
        Err(_) => refused(ErrorCode::INVALID_PARAMS, "invalid params".to_owned()),
    }
}

/// Whether a request can be answered that has this id: a text, or a whole number.
fn is_id(id: &Value) -> bool {
    match id {
        Value::String(_) => true,
        Value::Number(number) => number.is_i64(),
        _ => false,
    }
}

/// What makes a request, or a notification.
fn check_request(message: &Map<String, Value>) -> Result<(), &'static str> {
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err("\"jsonrpc\" must be \"2.0\"");
    }
    if !message.get("method").is_some_and(Value::is_string) {
        return Err("\"method\" must be a string");
    }
    match message.get("id") {
        Some(id) if !is_id(id) => Err("\"id\" must be a string or a whole number of 64 bits"),
        _ => Ok(()),
    }
}

/// What a parameter must be.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Object,
    Level,
}

const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

impl Kind {
    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Object => value.is_object(),
            Self::Level => value.as_str().is_some_and(|level| LEVELS.contains(&level)),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::Object => "an object".to_owned(),
            Self::Level => format!("one of {}", LEVELS.join(", ")),
        }
    }
}

/// The requests that are answered here, and their parameters: where each is, and whether it must be.
fn known(method: &str) -> Option<&'static [(&'static str, Kind, bool)]> {
    use Kind::{Level, Object, Text};
    Some(match method {
        "initialize" => &[
            ("protocolVersion", Text, true),
            ("capabilities", Object, true),
            ("clientInfo", Object, true),
            ("clientInfo.name", Text, true),
            ("clientInfo.version", Text, true),
        ],
        "tools/call" => &[("name", Text, true), ("arguments", Object, false)],
        "tools/list" => &[("cursor", Text, false)],
        "logging/setLevel" => &[("level", Level, true)],
        "ping" | "server/discover" => &[],
        _ => return None,
    })
}

fn check_params(message: &Map<String, Value>) -> Result<(), String> {
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
    // Others are told that there is no such method.
    let Some(wanted) = known(method) else {
        return Ok(());
    };
    let none = Value::Object(Map::new());
    let params = message.get("params").unwrap_or(&none);
    if !params.is_object() {
        return Err("\"params\" must be an object".to_owned());
    }
    for (path, kind, must_be) in [("_meta", Kind::Object, false)].iter().chain(wanted) {
        let found = path.split('.').try_fold(params, |at, name| at.get(name));
        match found.filter(|value| !value.is_null()) {
            None if *must_be => return Err(format!("{path:?} is missing")),
            Some(value) if !kind.is_of(value) => {
                return Err(format!("{path:?} must be {}", kind.name()));
            }
            _ => {}
        }
    }
    let token = params.get("_meta").and_then(|meta| meta.get("progressToken"));
    if token.is_some_and(|token| !token.is_null() && !is_id(token)) {
        return Err("\"_meta.progressToken\" must be a string or a whole number".to_owned());
    }
    Ok(())
}

/// Whether the SDK takes a request for one that it does not know although it does.
fn is_misread(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else {
        return false;
    };
    matches!(&request.request, ClientRequest::CustomRequest(it) if known(&it.method).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn answer(line: &str) -> (Value, i64, String) {
        match read(line.as_bytes()) {
            Said::Wrong(answer) => {
                let error = &answer["error"];
                let message = error["message"].as_str().unwrap().to_owned();
                (answer["id"].clone(), error["code"].as_i64().unwrap(), message)
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn each_fault_is_named_with_its_code_and_id() {
        let no_version = "\"jsonrpc\" must be \"2.0\"";
        let no_id = "\"id\" must be a string or a whole number of 64 bits";
        for (line, id, code, message) in [
            ("[]", json!(null), -32600, "batches are not taken"),
            ("3", json!(null), -32600, "a message must be an object"),
            ("{}", json!(null), -32600, no_version),
            (r#"{"id":4}"#, json!(4), -32600, no_version),
            (r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#, json!("x"), -32600, no_version),
            (r#"{"jsonrpc":"2.0","id":4}"#, json!(4), -32600, "\"method\" must be a string"),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":7}"#,
                json!(4),
                -32600,
                "\"method\" must be a string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"no/such","params":[1]}"#,
                json!(4),
                -32601,
                "no/such",
            ),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, json!(null), -32600, no_id),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), -32600, no_id),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), -32600, no_id),
            (r#"{"jsonrpc":"2.0","id":1e99,"method":"ping"}"#, json!(null), -32600, no_id),
            (
                r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
                json!(null),
                -32600,
                no_id,
            ),
        ] {
            assert_eq!(answer(line), (id, code, message.to_owned()), "{line}");
        }
        for line in ["{", "no", "\0", "[".repeat(10_000).as_str()] {
            let (id, code, message) = answer(line);
            assert_eq!((id, code), (Value::Null, -32700), "{message}");
        }
        assert!(
            matches!(read(b"{\"a\":\"\xff\"}"), Said::Wrong(it) if it["error"]["code"] == -32700)
        );
    }

    #[test]
    fn parameters_are_named_that_are_wrong() {
        for (method, params, message) in [
            ("tools/call", "{}", "\"name\" is missing"),
            ("tools/call", "[]", "\"params\" must be an object"),
            ("tools/call", "null", "\"name\" is missing"),
            ("tools/call", r#"{"name":3}"#, "\"name\" must be a string"),
            ("tools/call", r#"{"name":"x","arguments":[1]}"#, "\"arguments\" must be an object"),
            ("tools/call", r#"{"name":"x","_meta":3}"#, "\"_meta\" must be an object"),
            (
                "tools/call",
                r#"{"name":"x","_meta":{"progressToken":[]}}"#,
                "\"_meta.progressToken\" must be a string or a whole number",
            ),
            ("tools/list", r#"{"cursor":1}"#, "\"cursor\" must be a string"),
            ("logging/setLevel", "{}", "\"level\" is missing"),
            (
                "logging/setLevel",
                r#"{"level":"loud"}"#,
                "\"level\" must be one of debug, info, notice, warning, error, critical, alert, \
                 emergency",
            ),
            ("initialize", "{}", "\"protocolVersion\" is missing"),
            (
                "initialize",
                r#"{"protocolVersion":"1","capabilities":{},"clientInfo":{"name":"x"}}"#,
                "\"clientInfo.version\" is missing",
            ),
            ("ping", "3", "\"params\" must be an object"),
        ] {
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":9,"method":"{method}","params":{params}}}"#);
            let want = (json!(9), -32602, format!("invalid params: {message}"));
            assert_eq!(answer(&line), want, "{line}");
        }
    }

    #[test]
    fn half_a_character_is_replaced() {
        for (text, want) in [
            (r"a\ud800b", "a\u{fffd}b"),
            (r"\udc00\ud83d\ude00\uD83D", "\u{fffd}\u{1f600}\u{fffd}"),
            (r"\\ud800\ud800", "\\ud800\u{fffd}"),
            (r"\ud800\n\ud8", ""),
        ] {
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"{text}"}}}}"#);
            let line = whole_characters(line.as_bytes());
            let read: Option<Value> = serde_json::from_slice(&line).ok();
            let want = (!want.is_empty()).then_some(want);
            assert_eq!(read.as_ref().and_then(|read| read["params"]["a"].as_str()), want, "{text}");
        }
        let line = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"\ud800"}}"#;
        assert!(matches!(read(line.as_bytes()), Said::Message(_)));
    }

    #[test]
    fn what_is_right_is_read_and_what_wants_no_answer_gets_none() {
        for line in [
            r#"{"jsonrpc":"2.0","id":-3,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","id":"","method":"tools/list","params":{"cursor":null}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":null}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r",
        ] {
            assert!(matches!(read(line.as_bytes()), Said::Message(_)), "{line}");
        }
        for line in [
            "",
            " \t\r",
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":{},"error":3}"#,
            r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":3}"#,
        ] {
            assert!(matches!(read(line.as_bytes()), Said::Nothing), "{line}");
        }
    }
}
