//! `terminal-session-check golden`: whether a session is what it was.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directories::BaseDirs;

use crate::artifact::{Manifest, find_session};
use crate::check::golden::{
    Expectation, Filter, GoldenCopy, GoldenFile, Ignored, Normal, Shot, ShotOptions, Unmet, Update,
};
use crate::cli::arguments::is_inside;
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure, count, sanitize, write_json};

const NOTES: &str = "\
Examples:
  Make the golden copy, look at it, and check it in:
    terminal-session-check golden my-build tests/golden/my-build --update
  Compare with it, where a time differs from run to run:
    terminal-session-check golden my-build tests/golden/my-build \\
      --filter 'in [0-9.]+s=>in <time>'
  Only look for a text, without a golden copy:
    terminal-session-check golden my-build --must-contain '^test result: ok' \\
      --must-not-contain panicked

Golden copy:
  DIR/flow.json says what the blocks are: types, sizes, commands, exit codes, steps, answers.
  DIR/NNN-TYPE.txt is the text of block NNN, as terminal-session-blocks prints it. Both are meant to
  be read in a review. Other files in DIR are left alone.

Placeholders:
  --ignore says what becomes a placeholder before anything is compared:
  timestamps  times of the manifest: <time>
  ids         of terminal, blocks, Codex sessions and messages: <terminal>, <block-1>, <session-1>,
              <message-1>; in texts only ids of 12 characters and more, as whole words
  paths       the codex home and your home folder: <codex-home>, <home>
  none        nothing
  What --filter replaces comes after that, in the order given, in the texts of the blocks and of the
  flow. RE is a regular expression, ^ and $ are the ends of a line, $1 in TEXT is the first group;
  the last => is the one that counts. --must-contain and --must-not-contain see the same texts.

Exit status:
  0  the session is what its golden copy says, or the copy was updated
  1  it is not, or an expectation does not hold; with --update, nothing was written then
  2  wrong usage, or there is no such session, no golden copy, or a block that cannot be read";

/// Compare a session with files that are checked in
///
/// What differs is printed as a unified diff for each block. Sessions are never changed, and the
/// golden copy only with --update.
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct GoldenArgs {
    /// Session: an id, a unique prefix of one, or `latest`
    #[arg(value_name = "TERMINAL")]
    terminal: String,

    /// Folder with the golden copy
    #[arg(value_name = "DIR", required_unless_present_any = ["must_contain", "must_not_contain"])]
    folder: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArgs,

    /// Make the golden copy what the session is now, and say what changed
    #[arg(long, requires = "folder")]
    update: bool,

    /// Replace what matches RE before anything is compared; may be given more than once
    #[arg(long = "filter", value_name = "RE=>TEXT", value_parser = Filter::parse)]
    filters: Vec<Filter>,

    /// What becomes a placeholder: a list of these, or none
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    #[arg(default_values = ["timestamps", "ids", "paths"], hide_default_value = true)]
    ignore: Vec<Ignore>,

    /// The text of a block must match RE; may be given more than once
    #[arg(long, value_name = "RE", allow_hyphen_values = true)]
    #[arg(value_parser = |given: &str| Expectation::new(given, true))]
    must_contain: Vec<Expectation>,

    /// No block's text may match RE; may be given more than once
    #[arg(long, value_name = "RE", allow_hyphen_values = true)]
    #[arg(value_parser = |given: &str| Expectation::new(given, false))]
    must_not_contain: Vec<Expectation>,
}

/// What becomes a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ignore {
    /// Times of the manifest
    Timestamps,
    /// Ids of terminal, blocks, Codex sessions and messages
    Ids,
    /// The codex home and your home folder
    Paths,
    /// Nothing
    None,
}

impl AsRef<CommonArgs> for GoldenArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

impl GoldenArgs {
    fn ignored(&self) -> Result<Ignored, Failure> {
        let has = |what| self.ignore.contains(&what);
        if has(Ignore::None) && self.ignore.len() > 1 {
            return Err(Failure::usage("--ignore none goes with nothing else"));
        }
        Ok(Ignored {
            timestamps: has(Ignore::Timestamps),
            ids: has(Ignore::Ids),
            paths: has(Ignore::Paths),
        })
    }
}

/// Runs the command.
///
/// # Errors
/// Where there is no such session or golden copy, or one of them cannot be read or written.
pub(super) fn run(args: &GoldenArgs, console: &mut Console) -> Result<Exit, Failure> {
    let ignored = args.ignored()?;
    let home = args.common.home()?;
    let terminal = find_session(&home, &args.terminal).map_err(Failure::failed)?;
    let manifest = Manifest::read(&home.session(&terminal)).and_then(Manifest::with_blocks);
    let manifest = manifest.map_err(Failure::failed)?;
    let base = BaseDirs::new();
    let user_home = base.as_ref().map(BaseDirs::home_dir);
    let terminal = terminal.as_str();
    let normal = Normal::new(ignored, &manifest, terminal, home.path(), user_home);
    let normal = normal.map_err(Failure::failed)?;
    let options = ShotOptions { normal: &normal, filters: &args.filters };
    let shot = Shot::take(&manifest, terminal, options).map_err(Failure::failed)?;
    let holds = expectations(args, &shot, console)?;
    let Some(folder) = &args.folder else {
        return Ok(if holds { Exit::Done } else { Exit::Failed });
    };
    if args.update && is_inside(folder, &home.sessions()) {
        let folder = folder.display();
        return Err(Failure::usage(format!("{folder} is inside a session, which is not changed")));
    }
    let copy = GoldenCopy::new(folder);
    let blocks = shot.blocks.len();
    let files = files(shot)?;
    if !args.update {
        let matches = compare(&copy, &files, console)?;
        if matches && holds {
            say(&format!("{} as in {}", count(blocks, "block"), folder.display()), console)?;
        }
        return Ok(if matches && holds { Exit::Done } else { Exit::Failed });
    }
    if !holds {
        return Ok(Exit::Failed);
    }
    let updates = copy.update(&files).map_err(Failure::failed)?;
    for update in &updates {
        let (what, name) = match update {
            Update::Added(name) => ("added", name),
            Update::Changed(name) => ("changed", name),
            Update::Removed(name) => ("removed", name),
        };
        say(&format!("{what} {}", folder.join(name).display()), console)?;
    }
    if updates.is_empty() {
        say(&format!("{} as in {}", count(blocks, "block"), folder.display()), console)?;
    }
    Ok(Exit::Done)
}

/// Prints each expectation that does not hold; whether all do.
fn expectations(args: &GoldenArgs, shot: &Shot, console: &mut Console) -> Result<bool, Failure> {
    let mut holds = true;
    for expectation in args.must_contain.iter().chain(&args.must_not_contain) {
        let pattern = expectation.pattern();
        let message = match expectation.unmet(shot) {
            None => continue,
            Some(Unmet::NoMatch) => format!("must contain {pattern}: no block does"),
            Some(Unmet::Match { index, line, text }) => {
                format!("must not contain {pattern}: block {index}, line {line}: {text}")
            }
        };
        holds = false;
        console.comes_to(Exit::Failed);
        say(&message, console)?;
    }
    Ok(holds)
}

/// The golden files of a session, without live controls.
fn files(shot: Shot) -> Result<Vec<GoldenFile>, Failure> {
    let mut flow = Vec::new();
    write_json(&mut flow, &shot.flow, false, Controls::Shown)?;
    let flow = String::from_utf8_lossy(&flow).into_owned();
    let text = |text: &str| sanitize(text, Controls::Shown).into_owned();
    let blocks = shot.blocks.into_iter().map(|block| (block.file, text(&block.text)));
    Ok(GoldenCopy::files(flow, blocks.collect()))
}

/// Prints how the copy differs; whether it does not.
fn compare(
    copy: &GoldenCopy,
    files: &[GoldenFile],
    console: &mut Console,
) -> Result<bool, Failure> {
    let changes = copy.compare(files).map_err(Failure::failed)?;
    if !changes.is_empty() {
        console.comes_to(Exit::Failed);
    }
    for change in &changes {
        console.print(&change.diff(), Controls::Shown)?;
    }
    Ok(changes.is_empty())
}

fn say(line: &str, console: &mut Console) -> Result<(), Failure> {
    console.print(&format!("{}\n", crate::cli::sanitize_line(line)), Controls::Shown)
}
