//! `terminal-session-list`: which sessions exist.

mod json;
mod text;

use clap::{Parser, ValueEnum};
use jiff::Timestamp;

use super::arguments::count_from;
use super::when;
use super::{CommonArgs, Console, Exit, Failure, count};
use crate::artifact::nameless_sessions;
use crate::inspect::{ListOptions, Listing, SortBy};
use crate::record::unfrozen;

const EXAMPLES: &str = "\
Examples:
  The ten sessions that changed last:
    terminal-session-list --limit 10
  What a Codex session did in terminals since yesterday, for a program:
    terminal-session-list --session-id 0198c0de-5a10 --since 1d --json
  What takes the most room:
    terminal-session-list --sort size --limit 5

Columns:
  TERMINAL  the id, as the other programs take it
  UPDATED   when the session says it last changed
  SIZE      of all files in the session's folder
  BLOCKS    s screens, p plans, q questions, a answers, o others; +live: a recorder has shown what
            is in no block yet, which `terminal-session-blocks TERMINAL live` prints
  CODEX     the Codex session of the last block
  FIRST     the first command that a block names or codex-deck noted, behind a $; else the first
            line of a block
  A session that cannot be read is `broken`, with the reason; one of which nothing was frozen yet
  is `recording`, or `died` with its recorder.

Times:
  WHEN is an RFC 3339 time, a date or a time without zone (which are UTC), or how long ago: 2h, 3d,
  1w, 1h30m. The first session listed is the one that the other programs call `latest`. Those that
  do not say when they changed come last; --since goes by their files.

Exit status:
  0  done, also where there are no sessions or broken ones
  1  the sessions cannot be listed
  2  wrong usage";

/// List recorded terminal sessions, newest first
///
/// One line for each: its id, when it changed, its size, its blocks by type, its Codex session, and
/// its first command or line. Nothing is ever written.
#[derive(Debug, Parser)]
#[command(name = "terminal-session-list", version, after_long_help = EXAMPLES)]
#[command(infer_long_args = true, args_override_self = true)]
pub struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,

    /// Only sessions with a block of this Codex session: its id, or how it begins
    #[arg(long, value_name = "S", value_parser = filled)]
    session_id: Option<String>,

    /// Only sessions that changed since then: a time, a date, or 2h, 3d, 1w
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,

    /// At most N sessions
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    limit: Option<usize>,

    /// What comes first
    #[arg(long, value_name = "BY", value_enum, default_value_t = Sort::Updated)]
    sort: Sort,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// What changed last
    Updated,
    /// What began last
    Created,
    /// What is largest
    Size,
}

impl From<Sort> for SortBy {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Updated => Self::Updated,
            Sort::Created => Self::Created,
            Sort::Size => Self::Size,
        }
    }
}

impl AsRef<CommonArgs> for ListArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

fn filled(given: &str) -> Result<String, String> {
    match crate::text::strip(given) {
        "" => Err("must not be empty".to_owned()),
        id => Ok(id.to_owned()),
    }
}

/// Runs the program.
///
/// # Errors
/// Where the call is wrong, the sessions cannot be listed or the output not be written.
pub fn run(args: &ListArgs, console: &mut Console) -> Result<Exit, Failure> {
    let now = Timestamp::now();
    let since = args.since.as_deref().map(|given| when::parse(given, now));
    let options = ListOptions {
        codex_session: args.session_id.as_deref(),
        since: since.transpose().map_err(Failure::usage)?,
        limit: args.limit,
        sort: args.sort.into(),
        unfrozen: &unfrozen,
    };
    let home = args.common.home()?;
    let listing = Listing::new(&home, &options).map_err(Failure::failed)?;
    if args.json {
        json::print(&listing, console)?;
        return Ok(Exit::Done);
    }
    if listing.total() == 0 {
        console.note(&format!("no session to list in {}", home.sessions().display()));
    }
    let shown = text::print(&listing, now, console)?;
    for folder in nameless_sessions(&home) {
        console.flush()?;
        let folder = folder.display();
        console.note(&format!("no session of this name can be asked for: {folder}"));
    }
    let more = listing.total().saturating_sub(listing.ids().len());
    if more > 0 {
        let broken = match listing.broken().saturating_sub(shown.broken) {
            0 => String::new(),
            broken => format!(", {broken} of them broken"),
        };
        console.flush()?;
        let (more, total) = (count(more, "more session"), listing.total());
        console.note(&format!("{more}{broken}; --limit {total} lists all"));
    }
    Ok(Exit::Done)
}
