//! `output`, `kill`, `tasks`: sends that wait in the background.

use clap::Args;

use super::{Context, WaitingArgs, refused, render, unexpected};
use crate::cli::{Console, Exit, Failure};
use crate::live::parse_task_id;
use crate::live::wire::{Request, Value};

/// Print what is new of a task
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Task
    #[arg(value_name = "TASK")]
    task: String,

    /// Wait for its end
    #[arg(long)]
    wait: bool,

    #[command(flatten)]
    waiting: WaitingArgs,
}

/// Interrupt a task
#[derive(Debug, Args)]
pub(super) struct KillArgs {
    /// Task
    #[arg(value_name = "TASK")]
    task: String,
}

/// List this agent's tasks
#[derive(Debug, Args)]
pub(super) struct TasksArgs {}

/// The terminal of a task.
fn terminal(task: &str) -> Result<&str, Failure> {
    if task.is_empty() {
        let message = "invalid task_id: expected a non-empty string, got \"\"";
        return Err(Failure::usage(message));
    }
    let parsed = parse_task_id(task);
    parsed.map(|(id, _)| id).ok_or_else(|| Failure::failed(format!("unknown task {task}")))
}

/// A terminal that is not there has no tasks either.
fn refused_task(error: crate::live::LiveError, task: &str) -> Failure {
    use crate::live::wire::Code;
    match error.code() {
        Some(Code::NoSession | Code::Closed) => Failure::failed(format!("unknown task {task}")),
        _ => refused(error),
    }
}

pub(super) fn output(
    args: &OutputArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let id = terminal(&args.task)?;
    let request = Request::Output {
        task: args.task.clone(),
        wait_for_end: args.wait,
        wait: args.waiting.waiting(),
    };
    let answer = context.client()?.ask(id, request);
    let Value::Output(output) = answer.map_err(|error| refused_task(error, &args.task))? else {
        return Err(unexpected());
    };
    context.print(console, &output, || render::task_output(&output))?;
    Ok(Exit::Done)
}

pub(super) fn kill(
    args: &KillArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let id = terminal(&args.task)?;
    let answer = context.client()?.ask(id, Request::Kill { task: args.task.clone() });
    let Value::Killed(killed) = answer.map_err(|error| refused_task(error, &args.task))? else {
        return Err(unexpected());
    };
    context.print(console, &killed, || match killed.already_finished {
        true => format!(
            "task {} had already finished [status: {}]\n",
            args.task,
            render::task_status(&killed.status)
        ),
        false => format!("requested cancellation of task {}\n", args.task),
    })?;
    Ok(Exit::Done)
}

pub(super) fn list(context: &Context<'_>, console: &mut Console) -> Result<Exit, Failure> {
    let (tasks, silent) = context.client()?.tasks().map_err(refused)?;
    context.print(console, &tasks, || match tasks.is_empty() {
        true => "(no background tasks)\n".to_owned(),
        false => tasks.iter().map(render::task_row).collect(),
    })?;
    for id in silent {
        console.note(&format!("terminal session {id}: its host does not answer"));
    }
    Ok(Exit::Done)
}
