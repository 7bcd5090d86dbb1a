//! `exec_command`, `write_stdin`, `job_list` and `job_kill`.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::delivery::Delivery;
use super::group::Group;
use super::tool::{Answer, Hints, ToolSpec, no_wait};
use super::tool_error::ToolError;
use crate::live::exec::{
    COMMAND, ExecCommand, ExecError, ExecPlace, INPUT, JOB_SIZE, JobOutput, POLL, Wait, WriteStdin,
    exec_command_as, job_kill, job_list, write_stdin,
};
use crate::live::{Transport, Voice};

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "exec_command",
        group: Group::Exec,
        title: "Run a command",
        description: "Run a shell command. Answers with its output and exit code; where it takes longer \
                      than yield_time_ms, or prints more than a page, with a job_id for write_stdin, \
                      and it goes on.",
        properties: || {
            json!({
                "cmd": {"type": "string", "description": "Shell command"},
                "workdir": {"type": "string", "description": "Folder to run in"},
                "yield_time_ms": {
                    "type": "number",
                    "description": "Longest wait (default 10000, at most 30000)",
                },
                "max_output_tokens": {
                    "type": "number",
                    "description": "Tokens of the page, of four bytes (default 4000); the server has a bound",
                },
            })
        },
        required: &["cmd"],
        hints: Hints::Acts,
        run: exec,
        waits: |given| waits(given, COMMAND),
    },
    ToolSpec {
        name: "write_stdin",
        group: Group::Exec,
        title: "Type into a job, or read on",
        description: "Type into a job of exec_command, or with empty chars only read on; answers with \
                      the next page of its output.",
        properties: || {
            json!({
                "job_id": {"type": "string"},
                "chars": {
                    "type": "string",
                    "description": "What to type, as it is: \"\\n\" is Enter, \"\\u0003\" Ctrl-C, \
                                    \"\\u0004\" Ctrl-D (default \"\")",
                },
                "yield_time_ms": {
                    "type": "number",
                    "description": "Longest wait (default 250, at most 30000, or 300000 where chars is \
                                    empty)",
                },
                "max_output_tokens": {
                    "type": "number",
                    "description": "Tokens of the page, of four bytes (default 4000); the server has a bound",
                },
            })
        },
        required: &["job_id"],
        hints: Hints::Acts,
        run: write,
        waits: |given| {
            let types = given.get("chars").and_then(Value::as_str).is_some_and(|it| !it.is_empty());
            waits(given, if types { INPUT } else { POLL })
        },
    },
    ToolSpec {
        name: "job_list",
        group: Group::Exec,
        title: "List jobs",
        description: "List the jobs of exec_command, those of the last hour too.",
        properties: || json!({}),
        required: &[],
        hints: Hints::ReadOnly,
        run: list,
        waits: no_wait,
    },
    ToolSpec {
        name: "job_kill",
        group: Group::Exec,
        title: "End a job",
        description: "End a job of exec_command and all that came of it. What it printed can still be \
                      read with write_stdin.",
        properties: || {
            json!({
                "job_id": {"type": "string"},
                "reason": {"type": "string", "description": "Why, for whoever reads the call"},
            })
        },
        required: &["job_id"],
        hints: Hints::Ends,
        run: kill,
        waits: no_wait,
    },
];

fn waits(given: &Map<String, Value>, wait: Wait) -> Option<f64> {
    Some(wait.longest(given.get("yield_time_ms").and_then(Value::as_f64)))
}

fn answer(output: &JobOutput) -> Result<Answer, ToolError> {
    // Pages are put together again, so that every newline counts.
    Answer::exact(output, &output.text(Voice::Tools))
}

fn exec(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let command = ExecCommand {
        cmd: given.required("cmd"),
        workdir: given.string("workdir").map(PathBuf::from),
        yield_time_ms: given.number("yield_time_ms"),
        max_output_tokens: given.number("max_output_tokens"),
        transport: Transport::default(),
    };
    given.finish()?;
    let options = call.options();
    let place = ExecPlace {
        codex_home: options.codex_home.clone(),
        given_home: options.given_home.clone(),
        session_id: Some(options.session_id.clone()),
        cwd: options.cwd.clone(),
        shell: None,
        env: Vec::new(),
        keep_env: Vec::new(),
        size: JOB_SIZE,
        limits: options.limits,
    };
    let mut job = None;
    let told = exec_command_as(call.client(), &place, &command, &mut job);
    // One whose call was cancelled goes on too.
    let tells_end = told.as_ref().is_ok_and(|(output, _)| has_ended(output));
    if let Some(job) = job.as_ref().filter(|_| !tells_end) {
        call.announce_job_end(job);
    }
    let (output, receipt) = told?;
    let mut delivery = Delivery::of(receipt);
    if let Some(job) = job.filter(|_| tells_end) {
        delivery = delivery.or_else(call.job_announcement(&job));
    }
    Ok(answer(&output)?.delivered_by(delivery))
}

fn has_ended(output: &JobOutput) -> bool {
    output.exit_code.is_some() || output.signal.is_some()
}

fn write(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let write = WriteStdin {
        job_id: given.required("job_id"),
        chars: given.string("chars").unwrap_or_default(),
        eof: false,
        yield_time_ms: given.number("yield_time_ms"),
        max_output_tokens: given.number("max_output_tokens"),
    };
    given.finish()?;
    let reading = call.reads_task(&write.job_id);
    let (output, receipt) = write_stdin(call.client(), &call.options().limits, &write)?;
    let mut delivery = Delivery::of(receipt);
    if has_ended(&output) {
        delivery = delivery.tells_end(reading);
    }
    Ok(answer(&output)?.delivered_by(delivery))
}

fn list(call: &Call<'_>, given: Arguments) -> Result<Answer, ToolError> {
    given.finish()?;
    let rows = job_list(call.client())?;
    // A value must be an object.
    let mut value = Map::new();
    value.insert("jobs".into(), serde_json::to_value(&rows).map_err(ToolError::new)?);
    Answer::new(&value, &rows.text())
}

fn kill(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let id = given.required("job_id");
    let _reason = given.string("reason");
    given.finish()?;
    let reading = call.reads_task(&id);
    let killed = job_kill(call.client(), &id)?;
    // Whoever ends it needs no notice of its end.
    reading.saw_end();
    Answer::new(&killed, &killed.text())
}

impl From<ExecError> for ToolError {
    fn from(error: ExecError) -> Self {
        Self::new(error.text(Voice::Tools))
    }
}
