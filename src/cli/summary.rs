//! `terminal-session-summary`: the flow of one session as JSON.

use clap::Parser;

use super::arguments::{count_from, read_manifest, session_id};
use super::{CommonArgs, Console, Controls, Exit, Failure, write_json};
use crate::inspect::{Rendering, SummaryOptions, summary};

const EXAMPLES: &str = "\
Examples:
  Everything that happened in a session:
    terminal-session-summary terminal-k3x9qa71mb2f
  The last three blocks of the newest session:
    terminal-session-summary latest --recent 3
  What there is to read, without reading it:
    terminal-session-summary latest --details --preview-chars 0

Exit status:
  0  done
  1  the session cannot be found or read
  2  wrong usage";

/// Print the flow of a recorded terminal session as JSON
///
/// Each block comes with its position, its id, its type and what it says; a frozen screen with the
/// beginning of its text. `terminal-session-blocks` prints all of it. Nothing is ever written.
#[derive(Debug, Parser)]
#[command(name = "terminal-session-summary", version, after_long_help = EXAMPLES)]
#[command(infer_long_args = true, args_override_self = true)]
pub struct SummaryArgs {
    /// Session: an id, a unique prefix of one, or `latest`
    #[arg(value_name = "TERMINAL")]
    terminal: String,

    #[command(flatten)]
    common: CommonArgs,

    /// Only the last N blocks
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    recent: Option<usize>,

    /// Characters of a frozen screen to show
    #[arg(long, value_name = "N", value_parser = count_from(0), allow_hyphen_values = true)]
    #[arg(default_value = "1000")]
    preview_chars: usize,

    /// Add what helps to choose lines: counts, sizes, times
    #[arg(long)]
    details: bool,

    /// Print the JSON on one line
    #[arg(long)]
    compact: bool,

    /// Print exactly what the Python helper prints
    ///
    /// Text is then as that helper sees it, which drops cursor moves and so loses column gaps.
    /// TERMINAL must be an exact id.
    #[arg(long, conflicts_with_all = ["preview_chars", "details", "compact"])]
    compat: bool,
}

impl AsRef<CommonArgs> for SummaryArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// Runs the program.
///
/// # Errors
/// Where the session cannot be found or read, or the output not be written.
pub fn run(args: &SummaryArgs, console: &mut Console) -> Result<Exit, Failure> {
    let home = args.common.home()?;
    let id = session_id(&home, &args.terminal, args.compat)?;
    let manifest = read_manifest(&args.common, &home, &id, args.compat)?;
    let rendering =
        if args.compat { Rendering::Compat } else { Rendering::Screen { squeeze: true } };
    let options = SummaryOptions {
        recent: args.recent,
        preview_chars: args.preview_chars,
        details: args.details,
        rendering,
    };
    let value = summary(&manifest, id.as_str(), &options);
    let is_live = args.compat && !console.out_is_terminal();
    let controls = if is_live { Controls::Live } else { Controls::Shown };
    write_json(console.out(), &value, args.compact, controls)?;
    Ok(Exit::Done)
}
