//! `terminal_execute`.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::group::Group;
use super::tool::{Answer, Hints, ToolSpec};
use super::tool_error::ToolError;
use crate::live::Voice;
use crate::live::execute::{
    Execute, LONGEST_SECONDS, Outcome, Place, USUAL_SECONDS, terminal_execute,
};

pub(super) const TOOLS: &[ToolSpec] = &[ToolSpec {
    name: "terminal_execute",
    group: Group::Execute,
    title: "Run a command in a terminal",
    description: "Run a command in a persistent bash, which is opened when it is needed; answers with \
                  its output and exit code, or with status running, and then it goes on. An empty \
                  command polls; the name of a key (C-c, C-d, Up, Escape) presses it.",
    properties: || {
        json!({
            "command": {
                "type": "string",
                "description": "Command, input, or the name of a key; empty to poll",
            },
            "is_input": {
                "type": "boolean",
                "description": "It is input for what runs (default false)",
            },
            "timeout": {
                "type": "number",
                "description": format!(
                    "Longest wait in seconds (default {USUAL_SECONDS}, at most {LONGEST_SECONDS}); \
                     nothing is ended"
                ),
            },
            "terminal_id": {
                "type": "string",
                "description": "Which terminal, by a name of yours (default \"default\")",
            },
            "no_enter": {"type": "boolean", "description": "Add no Enter (default false)"},
        })
    },
    required: &["command"],
    hints: Hints::Acts,
    run: execute,
    waits: |given| {
        let seconds = given.get("timeout").and_then(Value::as_f64);
        Some(seconds.unwrap_or(USUAL_SECONDS).clamp(0.0, LONGEST_SECONDS) * 1000.0)
    },
}];

fn execute(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let arguments = Execute {
        command: given.required("command"),
        is_input: given.boolean("is_input", false),
        timeout: given.number("timeout"),
        terminal_id: given.string("terminal_id"),
        no_enter: given.boolean("no_enter", false),
    };
    given.finish()?;
    let options = call.options();
    let place = Place {
        codex_home: options.codex_home.clone(),
        given_home: options.given_home.clone(),
        cwd: options.cwd.clone(),
        session_id: options.session_id.clone(),
        max_terminals: options.most_terminals,
        voice: Voice::Tools,
    };
    let executed = terminal_execute(call.client(), &arguments, &place)?;
    let mut answer = Answer::new(&executed, &executed.text())?;
    answer.is_error = executed.status == Outcome::Error;
    Ok(answer)
}
