//! `terminal-session-check`: the program for CI.

mod artifacts;
mod golden;
mod report;

use clap::{Parser, Subcommand};

use super::{CommonArgs, Console, Exit, Failure};
use artifacts::ArtifactsArgs;
use golden::GoldenArgs;

const NOTES: &str = "\
Examples:
  Whether a session is one that every reader understands:
    terminal-session-check artifacts terminal-k3x9qa71mb2f
  Whether a recording shows what it showed when its golden copy was made:
    terminal-session-check golden my-build tests/golden/my-build

Exit status:
  0  clean
  1  there are findings
  2  wrong usage, or something could not be checked";

/// Check recorded terminal sessions
#[derive(Debug, Parser)]
#[command(name = "terminal-session-check", version, after_long_help = NOTES)]
#[command(infer_long_args = true, infer_subcommands = true, arg_required_else_help = true)]
pub struct CheckArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Artifacts(ArtifactsArgs),
    Golden(Box<GoldenArgs>),
}

impl AsRef<CommonArgs> for CheckArgs {
    fn as_ref(&self) -> &CommonArgs {
        match &self.action {
            Action::Artifacts(args) => args.as_ref(),
            Action::Golden(args) => (**args).as_ref(),
        }
    }
}

/// Runs the program.
///
/// # Errors
/// Where the call is wrong, or something cannot be checked.
pub fn run(args: &CheckArgs, console: &mut Console) -> Result<Exit, Failure> {
    let result = match &args.action {
        Action::Artifacts(args) => artifacts::run(args, console),
        Action::Golden(args) => golden::run(args, console),
    };
    // What could not be checked must not look like a finding.
    result.map_err(|failure| match failure {
        Failure::Failed(message) => Failure::Usage(message),
        other => other,
    })
}
