//! What was typed, and what it means.

use clap::{Parser, ValueEnum};

use super::super::arguments::count_from;
use super::super::{CommonArgs, Failure};
use crate::artifact::Manifest;
use crate::inspect::{
    Context, Extras, LineRange, Lines, Pattern, Rendering, Search, Selector, ViewOptions,
};
use crate::text;

const EXAMPLES: &str = "\
Examples:
  The whole of two blocks, by id and by position:
    terminal-session-blocks terminal-k3x9qa71mb2f block-mq3wsprs-6drlit33 2
  Lines 21 to 60 of the last block of the newest session:
    terminal-session-blocks latest last@21:60
  What a frozen terminal message left out:
    terminal-session-blocks latest last --omitted
  The end of what is being recorded and in no block yet:
    terminal-session-blocks terminal-k3x9qa71mb2f live --tail 40
  All blocks, at most 2,000 characters of each:
    terminal-session-blocks latest --all --max-chars 2000
  Where something was printed, and what is around the third match:
    terminal-session-blocks latest --grep 'error|FAIL' -i
    terminal-session-blocks latest block-mq3wsprs-6drlit33@310:330
  The last block with its colours, and as a page to keep:
    terminal-session-blocks latest last --render ansi
    terminal-session-blocks latest last --render html > last.html
  The first match in each block of every session, with two lines around it:
    terminal-session-blocks --all-sessions --grep 'panicked at' -C 2 --max-count 1

Blocks:
  An exact id, a position counted from 1, `last` or `live`, or a unique prefix of an id, tried in
  that order. `live` is what a recorder that runs, or was killed, has shown and not yet frozen.
  Behind it may stand the lines to print: @START:END, @START:, @:END, @N; `-` serves for `:`, and
  `:` for `@` where the range has `-` or is one number. @START+SKIP: leaves out the first SKIP
  characters of the first line. Lines are counted from 1 and both ends are included. Behind an id
  with an @ of its own one more @ stands before the lines.

Renderings:
  `ansi` is the same text, line by line, with colours. `html` and `svg` show the rows as they were,
  the scrollback first and the alternate screen last, in one file that loads nothing and follows
  the reader's light or dark theme; lines can be chosen as for text. To a terminal, text goes
  through a pager: $TERMINAL_SESSION_PAGER, else $PAGER, else less; empty or `cat` is none.

Search:
  With --grep each line that matches is printed as `TERMINAL BLOCK@LINE: text`, lines around it with
  `-` in place of the colon. The lines are those that are printed without --grep: the same numbers,
  and BLOCKs, their lines, --head, --tail, --line-range, --omitted, --no-squeeze and --compat choose
  what is searched. No BLOCK is all blocks; `live` must be named. A line of more than 500 characters
  (--max-chars) is cut around its first match and says which commands print what was left out; its
  place is then `BLOCK@LINE+SKIP`. RE is as in the Rust crate regex, and matches within a line. With
  --json the same is in `lines` of one object, lines around a match with `match` false.

Exit status:
  0  done
  1  the session or a block cannot be found, and nothing is printed; or a block cannot be read, and
     the others are printed
  2  wrong usage
  With --grep, as grep: 0 for a match, 1 for none, 2 where something could not be searched.";

/// Print chosen lines of chosen blocks of a recorded terminal session
///
/// A frozen screen is replayed through a terminal emulator and read back as text. Output holds no
/// live control characters. Nothing is ever written.
#[derive(Debug, Parser)]
#[command(name = "terminal-session-blocks", version, after_long_help = EXAMPLES)]
#[command(infer_long_args = true, args_override_self = true)]
pub struct BlocksArgs {
    /// Session: an id, a unique prefix of one, or `latest`
    #[arg(value_name = "TERMINAL", required_unless_present = "all_sessions")]
    terminal: Option<String>,

    /// Blocks, each perhaps with lines: BLOCK, BLOCK@START:END
    #[arg(value_name = "BLOCK", required_unless_present_any = ["all", "grep"])]
    #[arg(allow_negative_numbers = true)]
    blocks: Vec<String>,

    #[command(flatten)]
    common: CommonArgs,

    /// Lines of every block that names none of its own
    #[arg(long, value_name = "START:END", allow_hyphen_values = true)]
    line_range: Option<String>,

    /// The first N lines of every block that names none of its own
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["line_range", "tail"])]
    head: Option<usize>,

    /// The last N lines of every block that names none of its own
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    #[arg(conflicts_with = "line_range")]
    tail: Option<usize>,

    /// Only what the frozen terminal message left out of a block
    ///
    /// That is lines 21 to n-20 of the cleaned text, or what follows its first 12,000 UTF-16 code
    /// units. Line numbers then count within the part left out.
    #[arg(long)]
    omitted: bool,

    /// All blocks of the session
    #[arg(long, conflicts_with = "blocks")]
    all: bool,

    /// How to print a frozen screen
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Render::Screen)]
    render: Render,

    /// Print raw bytes even to a terminal
    #[arg(long)]
    force: bool,

    /// Print to a terminal without a pager
    #[arg(long)]
    no_pager: bool,

    /// Keep blank lines as they are
    #[arg(long)]
    no_squeeze: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Print only lines that match a regular expression, and where they are
    #[arg(long, value_name = "RE", allow_hyphen_values = true)]
    grep: Option<String>,

    /// Search all sessions, newest first
    #[arg(long, requires = "grep", conflicts_with_all = ["terminal", "blocks", "all"])]
    all_sessions: bool,

    /// Search without regard to case
    #[arg(long, short, requires = "grep")]
    ignore_case: bool,

    /// RE is the text to search, not a pattern
    #[arg(long, short = 'F', requires = "grep")]
    fixed_strings: bool,

    /// Also print N lines before and after each match
    #[arg(long, short = 'C', value_name = "N", value_parser = count_from(0), requires = "grep")]
    context: Option<usize>,

    /// Also print N lines after each match
    #[arg(long, short = 'A', value_name = "N", value_parser = count_from(0), requires = "grep")]
    after_context: Option<usize>,

    /// Also print N lines before each match
    #[arg(long, short = 'B', value_name = "N", value_parser = count_from(0), requires = "grep")]
    before_context: Option<usize>,

    /// At most N matching lines of each block
    #[arg(long, value_name = "N", value_parser = count_from(1), requires = "grep")]
    max_count: Option<usize>,

    /// Cut each block's text, or with --grep each line, to N characters and say how to read the rest
    #[arg(long, value_name = "N", value_parser = count_from(1), allow_hyphen_values = true)]
    max_chars: Option<usize>,

    /// Print exactly what the Python helper prints
    ///
    /// Text is then as that helper sees it, which drops cursor moves and so loses column gaps.
    /// TERMINAL must be an exact id and BLOCK an exact id or a position.
    #[arg(long, conflicts_with_all = [
        "head", "tail", "omitted", "all", "render", "force", "no_squeeze", "json", "max_chars",
        "no_pager",
    ])]
    compat: bool,
}

/// How to print a frozen screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Render {
    /// The text that the terminal showed
    Screen,
    /// That text with its colours, and no other escape sequences
    Ansi,
    /// A page, one file with all blocks, light and dark
    Html,
    /// A picture, one file with all blocks, light and dark
    Svg,
    /// The stored bytes of one block, alone
    Raw,
}

impl AsRef<CommonArgs> for BlocksArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// The blocks asked for.
pub(super) enum What {
    /// These.
    Selectors(Vec<Selector>),
    /// Every one.
    All,
    /// The bytes of this one.
    Raw(Selector),
}

/// What the arguments mean.
pub(super) struct Config {
    /// None for all sessions.
    pub(super) terminal: Option<String>,
    pub(super) what: What,
    pub(super) view: ViewOptions,
    pub(super) grep: Option<Grep>,
    /// None for text alone.
    pub(super) look: Option<Look>,
    pub(super) is_paged: bool,
    pub(super) compat: bool,
    pub(super) json: bool,
    pub(super) force: bool,
    /// Options that a command which reads on must have too.
    pub(super) carried: Vec<String>,
}

/// How screens are shown with their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// As text.
    Ansi,
    /// As HTML.
    Html,
    /// As SVG.
    Svg,
}

/// What to search for.
pub(super) struct Grep {
    pub(super) search: Search,
    /// Characters of a line to show.
    pub(super) line_chars: usize,
}

impl Config {
    /// Whether a selector may mean what is in no block.
    pub(super) fn has_live(&self) -> bool {
        self.selectors().iter().any(Selector::names_live)
    }

    /// Whether one does.
    pub(super) fn asks_live(&self, manifest: &Manifest) -> bool {
        self.selectors().iter().any(|selector| selector.is_live(manifest))
    }

    fn selectors(&self) -> &[Selector] {
        match &self.what {
            _ if self.compat => &[],
            What::Selectors(selectors) => selectors,
            What::Raw(selector) => std::slice::from_ref(selector),
            What::All => &[],
        }
    }

    pub(super) fn extras(&self) -> Extras {
        if self.compat { Extras::Refused } else { Extras::Understood }
    }
}

impl BlocksArgs {
    pub(super) fn config(&self) -> Result<Config, Failure> {
        let selectors = self.selectors()?;
        let look = match self.render {
            Render::Screen | Render::Raw => None,
            Render::Ansi => Some(Look::Ansi),
            Render::Html => Some(Look::Html),
            Render::Svg => Some(Look::Svg),
        };
        if look.is_some() {
            self.check_look(&selectors)?;
        }
        let what = match self.render {
            Render::Raw => What::Raw(self.raw_selector(selectors)?),
            _ if self.force => {
                return Err(Failure::usage("--force goes with --render raw"));
            }
            _ if self.all || self.blocks.is_empty() => What::All,
            _ => What::Selectors(selectors),
        };
        let rendering = if self.compat {
            Rendering::Compat
        } else {
            Rendering::Screen { squeeze: !self.no_squeeze }
        };
        let view = ViewOptions {
            rendering,
            lines: self.lines()?,
            omitted: self.omitted,
            max_chars: self.max_chars.filter(|_| self.grep.is_none()),
        };
        Ok(Config {
            terminal: self.terminal.clone(),
            what,
            view,
            grep: self.grep()?,
            look,
            is_paged: !(self.no_pager || self.json || self.compat || self.render == Render::Raw),
            compat: self.compat,
            json: self.json,
            force: self.force,
            carried: self.carried(),
        })
    }

    fn selectors(&self) -> Result<Vec<Selector>, Failure> {
        let parse = |typed: &String| {
            let selector = Selector::parse(typed).map_err(Failure::usage)?;
            match selector.range() {
                Ok(range) => self.check_range(range, typed)?,
                // It may be the id of a block; that is seen when the manifest is.
                Err(_) if !self.compat => {}
                Err(error) => return Err(Failure::usage(error)),
            }
            Ok(selector)
        };
        self.blocks.iter().map(parse).collect()
    }

    /// Whether exit codes are those of a search.
    pub(super) fn is_search(&self) -> bool {
        self.grep.is_some()
    }

    fn grep(&self) -> Result<Option<Grep>, Failure> {
        const LINE_CHARS: usize = 500;
        let Some(pattern) = &self.grep else {
            return Ok(None);
        };
        let pattern = Pattern::new(pattern, self.fixed_strings, self.ignore_case);
        let around = |lines: Option<usize>| lines.or(self.context).unwrap_or(0);
        let search = Search {
            pattern: pattern.map_err(Failure::usage)?,
            context: Context {
                before: around(self.before_context),
                after: around(self.after_context),
            },
            max_count: self.max_count,
        };
        Ok(Some(Grep { search, line_chars: self.max_chars.unwrap_or(LINE_CHARS) }))
    }

    /// Lines of a screen can be chosen; what counts characters of its text cannot go with colours.
    fn check_look(&self, selectors: &[Selector]) -> Result<(), Failure> {
        let others = [self.omitted, self.json, self.max_chars.is_some(), self.grep.is_some()];
        if others.contains(&true) {
            return Err(Failure::usage(
                "--render ansi, html and svg do not go with --omitted, --json, --max-chars or --grep",
            ));
        }
        let ranges = selectors.iter().map(|selector| selector.range().ok().flatten());
        let range =
            self.line_range.as_deref().map(text::strip).and_then(|r| LineRange::parse(r).ok());
        if ranges.chain([range]).flatten().any(|range| range.skip > 0) {
            return Err(Failure::usage("--render ansi, html and svg show whole lines"));
        }
        Ok(())
    }

    fn raw_selector(&self, mut selectors: Vec<Selector>) -> Result<Selector, Failure> {
        let lines = [self.head.is_some(), self.tail.is_some(), self.line_range.is_some()];
        let others = [
            self.omitted,
            self.json,
            self.no_squeeze,
            self.max_chars.is_some(),
            self.grep.is_some(),
        ];
        let has_range = selectors.iter().any(|selector| selector.range() != Ok(None));
        if lines.contains(&true) || others.contains(&true) || has_range {
            return Err(Failure::usage(
                "--render raw prints whole blocks and takes no other output option",
            ));
        }
        match selectors.pop() {
            Some(selector) if selectors.is_empty() => Ok(selector),
            _ => Err(Failure::usage("--render raw takes exactly one block")),
        }
    }

    fn lines(&self) -> Result<Lines, Failure> {
        if let Some(typed) = &self.line_range {
            let range = LineRange::parse(text::strip(typed)).map_err(Failure::usage)?;
            self.check_range(Some(range), typed)?;
            return Ok(Lines::Range(range));
        }
        let head = self.head.map(Lines::Head);
        Ok(head.or(self.tail.map(Lines::Tail)).unwrap_or_default())
    }

    /// The helper knows no `START+SKIP`.
    fn check_range(&self, range: Option<LineRange>, typed: &str) -> Result<(), Failure> {
        if self.compat && range.is_some_and(|range| range.skip > 0) {
            return Err(Failure::usage(format!("invalid line range: {typed}")));
        }
        Ok(())
    }

    fn carried(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(home) = self.common.given_home() {
            words.extend(["--codex-home".to_owned(), home.to_string_lossy().into_owned()]);
        }
        let options = [
            (self.omitted, "--omitted"),
            (self.no_squeeze, "--no-squeeze"),
            (self.compat, "--compat"),
        ];
        for (is_on, word) in options {
            if is_on {
                words.push(word.to_owned());
            }
        }
        words
    }
}
