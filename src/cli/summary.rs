//! `terminal-session-summary`: the flow of one session as JSON.

mod human;
mod read_on;

use std::io;

use clap::Parser;
use serde_json::Value;

use super::arguments::{count_from, read_manifest, session_id};
use super::{CommonArgs, Console, Controls, Exit, Failure, write_json};
use crate::artifact::{BlockKind, Manifest};
use crate::inspect::{
    Extras, Rendering, Selector, SummaryBudget, SummaryOptions, fit_summary, summary,
};
use read_on::ReadOn;

/// Characters of a frozen screen that are shown where no number is given.
const PREVIEW_CHARS: usize = 1000;

const EXAMPLES: &str = "\
Examples:
  Everything that happened in a session:
    terminal-session-summary terminal-k3x9qa71mb2f
  The last three blocks of the newest session:
    terminal-session-summary latest --recent 3
  What there is to read, without reading it:
    terminal-session-summary latest --details --preview-chars 0
  What came after a block that is known, in at most 8,000 characters:
    terminal-session-summary latest --after block-mq3wsprs-6drlit33 --max-chars 8000
  The same to read for a person:
    terminal-session-summary latest --human
  The plans and the answers:
    terminal-session-summary latest --type plan,complete

Budget:
  With --max-chars the oldest blocks lose their preview first, and where that is not enough the
  oldest blocks go. `omitted` then says how many, from which position to which, and the command
  that prints them.

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

    /// Only blocks of this type; repeatable, or several with commas
    ///
    /// terminal_snapshot, ai_terminal_plan, ai_terminal_need_input, ai_terminal_complete, in short
    /// snapshot, plan, need_input, complete; or any other type that the session has.
    #[arg(long = "type", value_name = "T", value_delimiter = ',')]
    types: Vec<String>,

    /// Only blocks that come after this one: an id, a position, `last`, or a prefix of an id
    #[arg(long, value_name = "BLOCK", allow_hyphen_values = true)]
    after: Option<String>,

    /// Only blocks that come before this one
    #[arg(long, value_name = "BLOCK", allow_hyphen_values = true)]
    before: Option<String>,

    /// Print at most N characters of JSON and say what was left out
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    max_chars: Option<usize>,

    /// Only the last N of those blocks
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    recent: Option<usize>,

    /// Characters of a frozen screen to show
    #[arg(long, value_name = "N", value_parser = count_from(0), allow_hyphen_values = true)]
    #[arg(default_value_t = PREVIEW_CHARS)]
    preview_chars: usize,

    /// Add what helps to choose lines: counts, sizes, times
    #[arg(long)]
    details: bool,

    /// Print the JSON on one line
    #[arg(long)]
    compact: bool,

    /// Print a view for people in place of JSON
    ///
    /// A paragraph for each block: its position, type, id and age, the command and its exit code
    /// where they are known, and the first lines of what it says. To a terminal it is coloured, and
    /// goes through a pager: $TERMINAL_SESSION_PAGER, else $PAGER, else less; empty or `cat` is none.
    #[arg(long, conflicts_with_all = ["preview_chars", "details", "compact", "max_chars"])]
    human: bool,

    /// Print to a terminal without a pager
    #[arg(long)]
    no_pager: bool,

    /// Print exactly what the Python helper prints
    ///
    /// Text is then as that helper sees it, which drops cursor moves and so loses column gaps.
    /// TERMINAL must be an exact id.
    #[arg(long, conflicts_with_all = [
        "preview_chars", "details", "compact", "types", "after", "before", "max_chars", "human",
        "no_pager",
    ])]
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
    let kinds = kinds(&args.types, &manifest)?;
    let position = |typed: &Option<String>| {
        typed.as_deref().map(|typed| position(typed, &manifest)).transpose()
    };
    let options = SummaryOptions {
        after: position(&args.after)?,
        before: position(&args.before)?,
        kinds: &kinds,
        recent: args.recent,
        preview_chars: args.preview_chars,
        details: args.details,
        rendering,
    };
    if args.human {
        if !args.no_pager {
            console.start_pager();
        }
        let options = SummaryOptions { preview_chars: human::PREVIEW_CHARS, ..options };
        let value = summary(&manifest, id.as_str(), &SummaryOptions { details: true, ..options });
        human::print(&value, &manifest, &args.common, &id, console)?;
        return Ok(Exit::Done);
    }
    let mut value = summary(&manifest, id.as_str(), &options);
    if let Some(budget) = args.max_chars {
        let read_on = ReadOn { args, terminal: &id, manifest: &manifest };
        let budget = SummaryBudget {
            most: budget,
            length: &|value| length(value, args.compact),
            command: &|count, before| read_on.command(count, before),
        };
        value = fit_summary(value, &budget).map_err(|least| {
            let most = budget.most;
            let message =
                format!("--max-chars {most} is too small; this summary needs at least {least}");
            Failure::usage(message)
        })?;
    }
    let is_live = args.compat && !console.out_is_terminal();
    let controls = if is_live { Controls::Live } else { Controls::Shown };
    write_json(console.out(), &value, args.compact, controls)?;
    Ok(Exit::Done)
}

/// The kinds that were typed. A word that is neither codex-deck's nor in the session is a mistake.
fn kinds(typed: &[String], manifest: &Manifest) -> Result<Vec<BlockKind>, Failure> {
    let kind = |word: &String| {
        let word = match word.trim() {
            "snapshot" => "terminal_snapshot",
            "plan" => "ai_terminal_plan",
            "need_input" => "ai_terminal_need_input",
            "complete" => "ai_terminal_complete",
            other => other,
        };
        match BlockKind::named(Some(word)) {
            BlockKind::Other(word) if !manifest.kinds().any(|kind| kind.to_string() == word) => {
                Err(Failure::usage(format!(
                    "unknown block type: {word} (snapshot, plan, need_input and complete are known)"
                )))
            }
            kind => Ok(kind),
        }
    };
    typed.iter().map(kind).collect()
}

/// The position of a block.
fn position(typed: &str, manifest: &Manifest) -> Result<usize, Failure> {
    let selector = Selector::parse(typed).map_err(Failure::usage)?;
    let selected = selector.resolve(manifest, Extras::Understood).map_err(Failure::failed)?;
    match selected.range {
        Some(_) => Err(Failure::usage(format!("a block is needed here, without lines: {typed}"))),
        None => Ok(selected.block.index()),
    }
}

/// Characters that are printed for a value.
fn length(value: &Value, is_compact: bool) -> usize {
    let mut count = Characters(0);
    // Counting cannot fail.
    write_json(&mut count, value, is_compact, Controls::Shown).unwrap_or_default();
    count.0
}

/// Counts the characters written to it.
struct Characters(usize);

impl io::Write for Characters {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
