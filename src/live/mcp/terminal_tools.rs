//! `terminal_open`, `terminal_send`, `terminal_read`, `terminal_signal`, `terminal_close` and
//! `terminal_list`.

use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::group::Group;
use super::tool::{Answer, Hints, ToolSpec, no_wait};
use super::tool_error::ToolError;
use crate::artifact::{OnWait, clock, ids};
use crate::home::below_home;
use crate::live::terminals::{
    self, IDLE_TIMEOUT, MOST_BYTES, OpenRequest, RETAIN, SendAnswer, SendRequest, USUAL_SIZE,
    USUAL_WAIT_MS,
};
use crate::live::wire::Waiting;

/// How long a send in the background is waited for, in milliseconds.
const TASK_WAIT_MS: u64 = 3_600_000;
/// Lines that are read where no number is given.
const USUAL_COUNT: u64 = 500;

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "terminal_open",
        group: Group::Terminal,
        title: "Open a terminal",
        description: "Open a persistent terminal with a shell in it; its state stays between calls. \
                      Answers with the sessionId that the other terminal tools take.",
        properties: || {
            json!({
                "type": {"type": "string", "description": "What runs in it, usually \"shell\""},
                "name": {"type": "string", "description": "What to call it in lists"},
                "cwd": {"type": "string", "description": "Folder to start in"},
            })
        },
        required: &["type"],
        hints: Hints::Adds,
        run: open,
        waits: |_| Some(WAIT),
    },
    ToolSpec {
        name: "terminal_send",
        group: Group::Terminal,
        title: "Type into a terminal",
        description: "Type text and wait until the shell is at its prompt again, a program waits for \
                      input, nothing was printed for a while, or 30 seconds are over; answers with \
                      what was shown since the last answer, and why the wait is over.",
        properties: || {
            json!({
                "sessionId": {"type": "string"},
                "text": {
                    "type": "string",
                    "description": "What to type. With submit false it is typed as it is, as \
                                    full-screen programs need it: \"\\r\" is Enter, \"\\u001b\" Escape, \
                                    \"\\u0003\" Ctrl-C; \"\" only waits",
                },
                "submit": {"type": "boolean", "description": "Whether Enter follows (default true)"},
                "run_in_background": {
                    "type": "boolean",
                    "description": "Answer at once with a taskId for task_output (default false)",
                },
            })
        },
        required: &["sessionId", "text"],
        hints: Hints::Acts,
        run: send,
        waits: |given| match given.get("run_in_background") {
            Some(Value::Bool(true)) => None,
            _ => Some(WAIT),
        },
    },
    ToolSpec {
        name: "terminal_read",
        group: Group::Terminal,
        title: "Read a terminal's history",
        description: "Read lines that a terminal has shown, the newest ones unless offset skips them. \
                      Nothing is typed, and no answer of another tool is shortened by it.",
        properties: || {
            json!({
                "sessionId": {"type": "string"},
                "offset": {"type": "number", "description": "Newest lines to leave out (default 0)"},
                "count": {"type": "number", "description": "Most lines (default 500)"},
            })
        },
        required: &["sessionId"],
        hints: Hints::ReadOnly,
        run: read,
        waits: no_wait,
    },
    ToolSpec {
        name: "terminal_signal",
        group: Group::Terminal,
        title: "Signal the foreground of a terminal",
        description: "Send a signal to what is in the foreground of a terminal.",
        properties: || {
            json!({
                "sessionId": {"type": "string"},
                "signal": {
                    "type": "string",
                    "enum": ["SIGINT", "SIGTERM", "SIGKILL", "SIGTSTP", "SIGHUP"],
                },
            })
        },
        required: &["sessionId", "signal"],
        hints: Hints::Acts,
        run: signal,
        waits: no_wait,
    },
    ToolSpec {
        name: "terminal_close",
        group: Group::Terminal,
        title: "Close a terminal",
        description: "End a terminal and everything that runs in it. What it showed stays readable.",
        properties: || json!({"sessionId": {"type": "string"}}),
        required: &["sessionId"],
        hints: Hints::Ends,
        run: close,
        waits: no_wait,
    },
    ToolSpec {
        name: "terminal_list",
        group: Group::Terminal,
        title: "List terminals",
        description: "List the terminals that are open, and whether their programs run.",
        properties: || json!({}),
        required: &[],
        hints: Hints::ReadOnly,
        run: list,
        waits: no_wait,
    },
];

#[expect(clippy::cast_precision_loss, reason = "it is exact")]
const WAIT: f64 = USUAL_WAIT_MS as f64;

/// The id of a terminal.
fn session_id(given: &mut Arguments) -> String {
    given.required("sessionId")
}

fn check_id(id: &str) -> Result<(), ToolError> {
    match id.is_empty() {
        true => Err(ToolError::new("sessionId must be a non-empty string")),
        false => Ok(()),
    }
}

fn open(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (kind, name, cwd) = (given.required("type"), given.string("name"), given.string("cwd"));
    given.finish()?;
    let options = call.options();
    let now = clock::milliseconds(Timestamp::now());
    let terminal = ids::terminal_id(now);
    let terminal =
        terminal.map_err(|error| ToolError::new(format!("cannot make an id: {error}")))?;
    let request = OpenRequest {
        kind,
        name,
        terminal,
        session_id: options.session_id.clone(),
        codex_home: options.codex_home.clone(),
        given_home: options.given_home.clone(),
        cwd: options.cwd.join(below_home(Path::new(cwd.as_deref().unwrap_or_default()))),
        env: Vec::new(),
        keep_env: Vec::new(),
        keep_pager: false,
        size: USUAL_SIZE,
        shell: None,
        idle_timeout: IDLE_TIMEOUT,
        retain: RETAIN,
        most: options.most_terminals,
        command: Vec::new(),
        wait: Waiting { timeout_ms: USUAL_WAIT_MS, max_bytes: MOST_BYTES },
    };
    let mut notes = Vec::new();
    let on_wait = OnWait::default();
    let mut opened =
        terminals::open(call.client(), &request, &on_wait, &mut |note| notes.push(note))?;
    opened.sent.notes.extend(notes);
    // That is what `motd` says, and some clients show models all of a value.
    Ok(Answer::new(&opened, &opened.text())?.without("viewport"))
}

fn send(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (id, text) = (session_id(&mut given), given.required("text"));
    let submit = given.boolean("submit", true);
    let background = given.boolean("run_in_background", false);
    given.finish()?;
    check_id(&id)?;
    let timeout_ms = if background { TASK_WAIT_MS } else { USUAL_WAIT_MS };
    let wait = Waiting { timeout_ms, max_bytes: MOST_BYTES };
    let request = SendRequest { text, submit, background, wait };
    let sent = terminals::send(call.client(), &id, request)?;
    if let SendAnswer::Background(task) = &sent {
        call.announce_end(&task.task_id);
    }
    Answer::new(&sent, &sent.text())
}

fn read(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let id = session_id(&mut given);
    let (offset, count) = (given.whole("offset", 0), given.whole("count", 1));
    given.finish()?;
    check_id(&id)?;
    let (offset, count) = (offset?.unwrap_or(0), count?.unwrap_or(USUAL_COUNT));
    let lines = terminals::read(call.client(), &id, offset, count, None)?;
    Answer::new(&lines, &lines.text())
}

fn signal(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (id, signal) = (session_id(&mut given), given.required("signal"));
    given.finish()?;
    check_id(&id)?;
    let sent = terminals::signal(call.client(), &id, &signal)?;
    Answer::new(&sent, &sent.text())
}

fn close(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let id = session_id(&mut given);
    given.finish()?;
    check_id(&id)?;
    call.closes(&id);
    let closed = terminals::close(call.client(), &id)?;
    let answer = Answer::new(&closed, &closed.text())?;
    Ok(match closed.survivors.is_empty() {
        true => answer,
        false => answer.with_failure(&terminals::cannot_end(&closed.survivors)),
    })
}

fn list(call: &Call<'_>, given: Arguments) -> Result<Answer, ToolError> {
    given.finish()?;
    let rows = terminals::list(call.client())?;
    // A value must be an object.
    let mut value = Map::new();
    value.insert("sessions".into(), serde_json::to_value(&rows).map_err(ToolError::new)?);
    Answer::new(&value, &rows.text())
}
