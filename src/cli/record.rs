//! `terminal-session-record`: the program that writes artifacts.

mod import;
mod progress;

use clap::{Parser, Subcommand};

use super::{CommonArgs, Console, Exit, Failure};
use import::ImportArgs;

const NOTES: &str = "\
Examples:
  A recording becomes a session of its own:
    terminal-session-record import demo.cast
  One block per command, where the shell marked its prompts:
    terminal-session-record import demo.cast --freeze prompts

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
    Import(ImportArgs),
}

impl AsRef<CommonArgs> for RecordArgs {
    fn as_ref(&self) -> &CommonArgs {
        match &self.action {
            Action::Import(args) => args.as_ref(),
        }
    }
}

/// Runs the program.
///
/// # Errors
/// Where the call is wrong or what it asks for cannot be done.
pub fn run(args: &RecordArgs, console: &mut Console) -> Result<Exit, Failure> {
    match &args.action {
        Action::Import(args) => import::run(args, console),
    }
}
