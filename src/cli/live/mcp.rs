//! `mcp`: the server that agents speak to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exec::LimitArgs;
use super::{Context, at_least_one};
use crate::cli::record::codex_thread;
use crate::cli::{Exit, Failure};
use crate::live::MOST_TERMINALS;
use crate::live::exec::{Limits, MOST_JOBS};
use crate::live::mcp::{Group, McpOptions, serve};
use crate::text::system_error;

/// Serve terminals to an agent on stdin and stdout (Model Context Protocol)
///
/// One connection is one agent with a secret of its own, whom TERMINAL_SESSION_AGENT says nothing
/// of. What it opened is closed when the connection ends: at the end of stdin, SIGTERM, SIGINT or
/// SIGHUP.
#[derive(Debug, Args)]
pub(super) struct McpArgs {
    /// Tools to offer, with commas: terminal, exec, execute, inspect, or all [default: terminal,inspect]
    #[arg(long, value_name = "GROUPS", value_parser = groups)]
    tools: Option<Groups>,

    /// Folder that terminals start in [default: this one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,

    /// Most terminals at a time; one more is refused
    #[arg(long, value_name = "N", default_value_t = MOST_TERMINALS, value_parser = at_least_one())]
    max_terminals: usize,

    /// Most jobs at a time; one more is refused
    #[arg(long, value_name = "N", default_value_t = MOST_JOBS, value_parser = at_least_one())]
    max_jobs: usize,

    #[command(flatten)]
    limits: LimitArgs,
}

/// A list of groups is one value.
#[derive(Clone, Debug)]
struct Groups(Vec<Group>);

fn groups(given: &str) -> Result<Groups, String> {
    Group::list(given).map(Groups)
}

pub(super) fn run(args: &McpArgs, context: &Context<'_>) -> Result<Exit, Failure> {
    // Where it was deleted, whole paths still do.
    let here = std::env::current_dir().unwrap_or_default();
    let cwd = args.cwd.as_ref().map_or_else(|| here.clone(), |cwd| here.join(cwd));
    if !cwd.is_dir() {
        return Err(Failure::usage(format!("--cwd is no folder: {}", cwd.display())));
    }
    let codex_home = here.join(context.common.home()?.path());
    check_home(&codex_home, context)?;
    let options = McpOptions {
        groups: args.tools.as_ref().map_or_else(|| Group::USUAL.to_vec(), |all| all.0.clone()),
        codex_home,
        given_home: context.given_home(&here),
        cwd,
        session_id: codex_thread()?,
        most_terminals: args.max_terminals,
        limits: Limits {
            jobs: args.max_jobs,
            tokens: args.limits.max_output_tokens_cap,
            ..Limits::default()
        },
    };
    serve(options).map_err(Failure::failed)?;
    Ok(Exit::Done)
}

/// A codex home is a folder, or comes to be one.
fn check_home(home: &Path, context: &Context<'_>) -> Result<(), Failure> {
    let name = match context.common.given_home() {
        Some(_) => "--codex-home",
        None => "the codex home",
    };
    match std::fs::metadata(home) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() != ErrorKind::NotADirectory => {
            let why = system_error(&error);
            Err(Failure::usage(format!("cannot use {name} {}: {why}", home.display())))
        }
        _ => Err(Failure::usage(format!("{name} is no folder: {}", home.display()))),
    }
}
