//! `output`, `kill`, `tasks`: sends that wait in the background.

use clap::Args;

use super::{Context, WaitingArgs, refused};
use crate::cli::{Console, Exit, Failure};
use crate::live::terminals;

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

pub(super) fn output(
    args: &OutputArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let (client, wait) = (context.client()?, args.waiting.waiting());
    let output = terminals::task_output(&client, &args.task, args.wait, wait).map_err(refused)?;
    context.print(console, &output, || output.text())?;
    Ok(Exit::Done)
}

pub(super) fn kill(
    args: &KillArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let killed = terminals::task_kill(&context.client()?, &args.task).map_err(refused)?;
    context.print(console, &killed, || killed.text())?;
    Ok(Exit::Done)
}

pub(super) fn list(context: &Context<'_>, console: &mut Console) -> Result<Exit, Failure> {
    let (tasks, silent) = terminals::task_list(&context.client()?).map_err(refused)?;
    context.print(console, &tasks, || tasks.text())?;
    for id in silent {
        console.note(&format!("terminal session {id}: its host does not answer"));
    }
    Ok(Exit::Done)
}
