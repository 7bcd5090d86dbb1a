//! `signal`, `resize`, `freeze`, `restart`, `close`, `list`, `agent`.

use clap::Args;

use super::{Context, WaitingArgs, refused, unexpected};
use crate::cli::{Console, Controls, Exit, Failure};
use crate::live::terminals::{self, TerminalList};
use crate::live::wire::{Request, Value};
use crate::live::{Agent, Runtime, close_any, list_all};
use crate::record::SizeChoice;

/// Signal what is in the foreground
#[derive(Debug, Args)]
pub(super) struct SignalArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// SIGINT, SIGTERM, SIGKILL, SIGTSTP or SIGHUP
    #[arg(value_name = "SIGNAL")]
    signal: String,
}

/// Change the size
#[derive(Debug, Args)]
pub(super) struct ResizeArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Size in cells: 100x30, 100x, x30
    #[arg(value_name = "COLSxROWS")]
    size: SizeChoice,
}

/// Make a block of what was shown since the last one
#[derive(Debug, Args)]
pub(super) struct FreezeArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,
}

/// End what runs and start the same program in the same folder
#[derive(Debug, Args)]
pub(super) struct RestartArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    waiting: WaitingArgs,
}

/// End a terminal and everything that runs in it
#[derive(Debug, Args)]
pub(super) struct CloseArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Whoever of this user's agents opened it
    #[arg(long)]
    operator: bool,
}

/// List this agent's terminals
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Those of all agents of this user
    #[arg(long)]
    operator: bool,
}

/// Print a fresh secret for TERMINAL_SESSION_AGENT
#[derive(Debug, Args)]
pub(super) struct AgentArgs {}

pub(super) fn signal(
    args: &SignalArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let sent = terminals::signal(&context.client()?, &args.id, &args.signal).map_err(refused)?;
    context.print(console, &sent, || sent.text())?;
    Ok(Exit::Done)
}

pub(super) fn resize(
    args: &ResizeArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = Request::Resize { cols: args.size.cols, rows: args.size.rows };
    let Value::Size(now) = context.client()?.ask(&args.id, request).map_err(refused)? else {
        return Err(unexpected());
    };
    context.print(console, &now, || format!("{}x{}\n", now.cols, now.rows))?;
    Ok(Exit::Done)
}

pub(super) fn freeze(
    args: &FreezeArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let answer = context.client()?.ask(&args.id, Request::Freeze).map_err(refused)?;
    let Value::Frozen(frozen) = answer else {
        return Err(unexpected());
    };
    context.print(console, &frozen, || match &frozen.block_id {
        Some(id) => format!("{id}\n"),
        None => "(nothing new)\n".to_owned(),
    })?;
    Ok(Exit::Done)
}

pub(super) fn restart(
    args: &RestartArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = Request::Restart { wait: args.waiting.waiting() };
    let Value::Sent(sent) = context.client()?.ask(&args.id, request).map_err(refused)? else {
        return Err(unexpected());
    };
    context.print(console, &sent, || {
        format!("restarted terminal session {}\n{}", args.id, sent.text())
    })?;
    Ok(Exit::Done)
}

pub(super) fn close(
    args: &CloseArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let closed = if args.operator {
        let runtime = Runtime::open().map_err(Failure::failed)?;
        match close_any(&runtime, &args.id).map_err(refused)? {
            Value::Closed(closed) => closed,
            _ => return Err(unexpected()),
        }
    } else {
        terminals::close(&context.client()?, &args.id).map_err(refused)?
    };
    context.print(console, &closed, || closed.text())?;
    if closed.survivors.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::failed(terminals::cannot_end(&closed.survivors)))
}

pub(super) fn list(
    args: &ListArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let rows = if args.operator {
        let runtime = Runtime::open().map_err(Failure::failed)?;
        list_all(&runtime).map(TerminalList)
    } else {
        terminals::list(&context.client()?)
    };
    let rows = rows.map_err(refused)?;
    context.print(console, &rows, || rows.text())?;
    Ok(Exit::Done)
}

pub(super) fn agent(context: &Context<'_>, console: &mut Console) -> Result<Exit, Failure> {
    let agent = Agent::fresh().map_err(Failure::failed)?;
    let object = serde_json::json!({ "agent": agent.token() });
    if context.json {
        context.print(console, &object, String::new)?;
    } else {
        console.print(&format!("{}\n", agent.token()), Controls::Shown)?;
    }
    Ok(Exit::Done)
}
