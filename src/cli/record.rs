//! `terminal-session-record`: the program that writes artifacts.

mod export;
mod freeze;
mod import;
mod progress;
mod recover;
mod run;
mod target;

use clap::{Parser, Subcommand};

use crate::pty::survive_file_limit;

use super::{CommonArgs, Console, Exit, Failure};
use export::ExportArgs;
use freeze::FreezeArgs;
use import::ImportArgs;
use recover::RecoverArgs;
use run::RunArgs;

pub(in crate::cli) use run::{byte_count, variable};
pub(in crate::cli) use target::TargetArgs;
pub(in crate::cli) use target::codex_thread;

const NOTES: &str = "\
Examples:
  A shell, recorded until it ends:
    terminal-session-record run
  The same, one block per command:
    terminal-session-record run --freeze command
  A recording becomes a session of its own:
    terminal-session-record import demo.cast
  One block per command, where the shell marked its prompts:
    terminal-session-record import demo.cast --freeze prompts
  What a killed recorder had not frozen yet becomes a block:
    terminal-session-record recover
  A whole session as one page:
    terminal-session-record export latest -o session.html

Exit status:
  0  done
  1  failed; nothing was written, or what was written is named
  2  wrong usage";

/// Write terminal sessions that codex-deck and the other programs read
#[derive(Debug, Parser)]
#[command(name = "terminal-session-record", version, after_long_help = NOTES)]
#[command(infer_long_args = true, infer_subcommands = true, arg_required_else_help = true)]
pub struct RecordArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Run(Box<RunArgs>),
    Freeze(FreezeArgs),
    Import(ImportArgs),
    Recover(RecoverArgs),
    Export(ExportArgs),
}

impl AsRef<CommonArgs> for RecordArgs {
    fn as_ref(&self) -> &CommonArgs {
        match &self.action {
            Action::Run(args) => (**args).as_ref(),
            Action::Freeze(args) => args.as_ref(),
            Action::Import(args) => args.as_ref(),
            Action::Recover(args) => args.as_ref(),
            Action::Export(args) => args.as_ref(),
        }
    }
}

/// Runs the program.
///
/// # Errors
/// Where the call is wrong or what it asks for cannot be done.
pub fn run(args: &RecordArgs, console: &mut Console) -> Result<Exit, Failure> {
    // Where that is not to be had, a limit ends us as it ends others.
    survive_file_limit().unwrap_or_default();
    match &args.action {
        Action::Run(args) => run::run(args, console),
        Action::Freeze(args) => freeze::run(args, console),
        Action::Import(args) => import::run(args, console),
        Action::Recover(args) => recover::run(args, console),
        Action::Export(args) => export::run(args, console),
    }
}
