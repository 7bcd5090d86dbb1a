//! `terminal-session-record run`: a program in front of which the recorder stands.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, ValueEnum};
use serde_json::{Value, json};

use super::target::{TargetArgs, block_object};
use crate::artifact::{OnWait, Store, recorded_ids};
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure, sanitize_line, write_json};
use crate::home::{CodexHome, TerminalId};
use crate::pty::SpawnError;
use crate::record::{
    CastFormat, CastOptions, Existing, FreezeWhen, HotKey, NESTED, Notice, Outcome, Recorded,
    RunError, RunOptions, SMALLEST_LIMIT, SizeChoice, recover, run as record,
};
use crate::screen::Scrollback;

const NOTES: &str = "\
Examples:
  Your shell, one block per command:
    terminal-session-record run --freeze command
  A build in CI, with its own exit status:
    terminal-session-record run --headless --return -- cargo build

Inside and beside it:
  The program finds the terminal's id in $TERMINAL_SESSION_RECORD, and `terminal-session-record
  freeze` without an id makes a block of the recording that it runs in. From elsewhere:
    terminal-session-record freeze latest
    terminal-session-blocks latest live

Output:
  With a terminal on stdin and stdout you see and type as without a recorder. Without one, and with
  --headless, what the program prints is recorded and not printed.
  On stderr: at the start the terminal's id; at the end that, the ids of the new blocks, and the
  line that reads them. With --json one object on stdout instead of that: terminalId, sessionId,
  exitCode, blocks (blockId, sequence, snapshot), holders and read. At least one block is written,
  even of a program that prints nothing.

Exit status:
  0    recorded, however the program ended; with --return the program's own status, 128 and the
       signal if one ended it
  1    failed; with --return 125, and 126 or 127 where the program cannot be run or found
  2    wrong usage, or a recording inside of another one
  128  and the number of the signal that ended the recorder; the blocks are written, or where another
       program keeps us from that and the signal came at the end, the journal is kept";

/// Record a shell or a program while it runs
///
/// The program runs in a terminal of its own. What it shows becomes a snapshot block at its end,
/// and where --freeze says; after each block the screen starts again empty. Without a command it
/// is your shell.
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct RunArgs {
    /// Program and its arguments [default: $SHELL]
    #[arg(value_name = "COMMAND", last = true)]
    command: Vec<OsString>,

    #[command(flatten)]
    common: CommonArgs,

    #[command(flatten)]
    target: TargetArgs,

    /// Folder that the program starts in
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,

    /// Variable for the program; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(OsString, OsString)>,

    /// Size of the terminal: COLSxROWS, COLSx or xROWS, such as 80x24, 132x or x50 [default for
    /// what is not named: that of this terminal, else of 80x24]
    #[arg(long, value_name = "SIZE")]
    size: Option<SizeChoice>,

    /// Rows kept above the screen: a number, or unlimited
    #[arg(long, value_name = "N", value_parser = scrollback, default_value = "10000")]
    #[arg(allow_hyphen_values = true)]
    scrollback: Scrollback,

    /// When to make a block, besides the one at the end; may be given again
    #[arg(long, value_name = "WHEN", default_value = "end", value_delimiter = ',')]
    #[arg(value_parser = FreezeParser)]
    freeze: Vec<FreezeChoice>,

    /// Keys that make a block with --freeze manual, such as ^]s; or none
    #[arg(long, value_name = "KEYS", value_parser = hot_key, default_value = "^]s")]
    hot_key: HotKeyChoice,

    /// Most bytes of unfrozen output to keep on disk, at least 64KiB; with K, M or G, or KiB, MiB or
    /// GiB, that many times 1024 bytes
    #[arg(long, value_name = "SIZE", value_parser = byte_count, default_value = "256MiB")]
    journal_limit: u64,

    #[command(flatten)]
    cast: CastArgs,

    /// No terminal to look on: a fixed size, and queries are answered here [default: where stdin
    /// or stdout is no terminal]
    #[arg(long)]
    headless: bool,

    /// Exit with the program's status
    #[arg(long = "return")]
    returns: bool,

    /// Record inside of another recording
    #[arg(long)]
    force: bool,

    /// Nothing on stderr but errors
    #[arg(long, short)]
    quiet: bool,

    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// The whole recording as an asciicast too.
#[derive(Args, Debug)]
struct CastArgs {
    /// Write the whole recording to an asciicast too
    #[arg(long = "cast", value_name = "FILE")]
    path: Option<PathBuf>,

    /// Version of the asciicast
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = CastFormatChoice::V3)]
    #[arg(requires = "path")]
    cast_format: CastFormatChoice,

    /// Go on in an asciicast that exists
    #[arg(long, requires = "path", conflicts_with = "overwrite")]
    append: bool,

    /// Replace a file that exists
    #[arg(long, requires = "path")]
    overwrite: bool,

    /// Title of the asciicast
    #[arg(long, value_name = "TEXT", requires = "path")]
    title: Option<String>,

    /// Have players of the asciicast cut pauses to this many seconds; recorded times stay
    #[arg(long, value_name = "SECONDS", requires = "path", value_parser = seconds)]
    idle_time_limit: Option<f64>,

    /// Record what is typed in the asciicast too, but for what is typed where lines are not shown
    #[arg(long, requires = "path")]
    capture_input: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CastFormatChoice {
    /// For older players
    #[value(alias = "asciicast-v2", alias = "2")]
    V2,
    /// With the program's exit status
    #[value(alias = "asciicast-v3", alias = "3")]
    V3,
}

impl CastArgs {
    fn options(&self) -> Option<CastOptions> {
        Some(CastOptions {
            path: self.path.clone()?,
            format: match self.cast_format {
                CastFormatChoice::V2 => CastFormat::V2,
                CastFormatChoice::V3 => CastFormat::V3,
            },
            existing: match (self.append, self.overwrite) {
                (true, _) => Existing::Append,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            },
            title: self.title.clone(),
            idle_time_limit: self.idle_time_limit,
            input: self.capture_input,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FreezeChoice {
    End,
    Command,
    Manual,
    Every(Duration),
}

#[derive(Clone, Copy, Debug)]
struct HotKeyChoice(Option<HotKey>);

pub(in crate::cli) fn variable(given: &str) -> Result<(OsString, OsString), &'static str> {
    match given.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("a variable is NAME=VALUE"),
    }
}

fn scrollback(given: &str) -> Result<Scrollback, &'static str> {
    match given {
        "unlimited" => Ok(Scrollback::Unlimited),
        _ => given.parse().map(Scrollback::Rows).map_err(|_| "a number of rows, or unlimited"),
    }
}

fn seconds(given: &str) -> Result<f64, &'static str> {
    let seconds: Option<f64> = given.parse().ok();
    seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0).ok_or("a number above 0")
}

pub(in crate::cli) fn byte_count(given: &str) -> Result<u64, &'static str> {
    const UNITS: [(&str, u32); 6] =
        [("KiB", 10), ("MiB", 20), ("GiB", 30), ("K", 10), ("M", 20), ("G", 30)];
    let unit = UNITS.iter().find(|(unit, _)| given.ends_with(unit));
    let (number, shift) = unit
        .map_or((given, 0), |(unit, shift)| (given.strip_suffix(unit).unwrap_or(given), *shift));
    let count = number.trim().parse::<u64>().ok().and_then(|count| count.checked_mul(1 << shift));
    let count = count.ok_or("a limit is a number of bytes, or of KiB, MiB or GiB")?;
    if count < SMALLEST_LIMIT { Err("must be at least 64KiB") } else { Ok(count) }
}

fn hot_key(given: &str) -> Result<HotKeyChoice, crate::record::HotKeyError> {
    match given {
        "none" => Ok(HotKeyChoice(None)),
        _ => given.parse().map(|key| HotKeyChoice(Some(key))),
    }
}

/// Reads [`FreezeChoice`], and names what there is for help and completions.
#[derive(Clone, Debug)]
struct FreezeParser;

impl TypedValueParser for FreezeParser {
    type Value = FreezeChoice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FreezeChoice, clap::Error> {
        let parse = |given: &str| given.parse::<FreezeChoice>();
        parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = [
            ("end", "Nowhere else"),
            ("command", "At the end of each command of bash, fish or zsh"),
            ("manual", "When the --hot-key is typed"),
            ("every=", "Every so many seconds, such as every=60"),
        ];
        Some(Box::new(values.into_iter().map(|(name, help)| PossibleValue::new(name).help(help))))
    }
}

impl std::str::FromStr for FreezeChoice {
    type Err = &'static str;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        const SHORTEST: f64 = 0.01;
        match given {
            "end" => Ok(Self::End),
            "command" => Ok(Self::Command),
            "manual" => Ok(Self::Manual),
            _ => {
                let seconds = given.strip_prefix("every=").and_then(|text| text.parse().ok());
                let every = seconds.filter(|seconds| *seconds >= SHORTEST);
                let every = every.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                every.map(Self::Every).ok_or(
                    "it is one of end, command, manual and every=SECONDS, with 0.01 seconds or more",
                )
            }
        }
    }
}

impl AsRef<CommonArgs> for RunArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

impl RunArgs {
    fn options(&self) -> Result<RunOptions, Failure> {
        let every = self.freeze.iter().rev().find_map(|choice| match choice {
            FreezeChoice::Every(every) => Some(*every),
            _ => None,
        });
        let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        Ok(RunOptions {
            command: self.command.clone(),
            terminal: self.target.terminal()?,
            session_id: self.target.session()?,
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            size: self.size.unwrap_or_default(),
            scrollback: self.scrollback,
            freeze: FreezeWhen {
                command: self.freeze.contains(&FreezeChoice::Command),
                hot_key: self.hot_key.0.filter(|_| self.freeze.contains(&FreezeChoice::Manual)),
                every,
            },
            journal_limit: self.journal_limit,
            cast: self.cast.options(),
            headless: self.headless || !has_terminal,
        })
    }

    fn check_nesting(&self) -> Result<(), Failure> {
        match std::env::var(NESTED) {
            Ok(outer) if !self.force && !outer.is_empty() => Err(Failure::usage(format!(
                "this is recorded already, as terminal {outer}; --force records it twice"
            ))),
            _ => Ok(()),
        }
    }

    /// How an error ends us: told apart from the program's own codes where those are returned.
    fn refuse(&self, error: &RunError, console: &mut Console) -> Result<Exit, Failure> {
        if !self.returns {
            return Err(Failure::failed(error));
        }
        console.error(&error.to_string());
        Ok(match error {
            RunError::Spawn(SpawnError::Program { error, .. }) => match error.kind() {
                io::ErrorKind::NotFound => Exit::NotFound,
                _ => Exit::CannotRun,
            },
            _ => Exit::Recorder,
        })
    }
}

/// Runs the command.
///
/// # Errors
/// Where the call is wrong, the program cannot be run, or its session cannot be written.
pub(super) fn run(args: &RunArgs, console: &mut Console) -> Result<Exit, Failure> {
    args.check_nesting()?;
    let options = args.options()?;
    let home = args.common.home()?;
    recover_dead(&home, &options.terminal, args.quiet, console);
    let store = Store::new(&home, &options.terminal);
    let is_raw = !options.headless && io::stderr().is_terminal();
    let mut say = |notice: Notice<'_>| {
        let line = match notice {
            Notice::Begun if args.quiet => return,
            Notice::Begun => format!("note: recording terminal {}", options.terminal),
            Notice::Warning(warning) => format!("warning: {warning}"),
        };
        let end = if is_raw { "\r\n" } else { "\n" };
        let line = format!("{}{end}", sanitize_line(&line));
        // Nothing can be said about a stderr that cannot be written to.
        io::stderr().write_all(line.as_bytes()).unwrap_or_default();
    };
    let recorded = match record(&options, &store, &mut say) {
        Ok(recorded) => recorded,
        Err(error) => return args.refuse(&error, console),
    };
    report(args, &options, &recorded, console)?;
    let signal = recorded.signal.and_then(|signal| u8::try_from(signal).ok());
    let signal = signal.map(|signal| Exit::Child(128 + signal));
    if let Some(failure) = recorded.failure {
        let error = RunError::Store(failure);
        let Some(signal) = signal else {
            return args.refuse(&error, console);
        };
        console.error(&error.to_string());
        return Ok(signal);
    }
    Ok(match signal {
        Some(signal) => signal,
        None if args.returns => Exit::Child(recorded.code),
        None => Exit::Done,
    })
}

/// What recorders left that were killed becomes blocks, so that nobody has to think of it. Only what
/// stands before the new recording, in the same terminal, is worth a wait for another program.
fn recover_dead(home: &CodexHome, target: &TerminalId, quiet: bool, console: &mut Console) {
    let on_wait = if quiet { OnWait::default() } else { console.on_wait() };
    // What keeps us from a look at the others does not keep us from recording.
    let mut others = recorded_ids(home).unwrap_or_default();
    others.retain(|terminal| terminal != target);
    let never = OnWait::never();
    let others = others.iter().flat_map(|terminal| recover(home, terminal, &never));
    for recovery in recover(home, target, &on_wait).into_iter().chain(others) {
        let terminal = &recovery.terminal;
        match recovery.outcome {
            Ok(Outcome::Block { block, .. }) if !quiet => {
                let id = block.block_id;
                console.note(&format!("recovered block {id} of terminal {terminal}"));
            }
            Ok(_) => {}
            Err(error) => console.note(&format!(
                "cannot recover what a recorder of terminal {terminal} left: {error}"
            )),
        }
    }
}

fn report(
    args: &RunArgs,
    options: &RunOptions,
    recorded: &Recorded,
    console: &mut Console,
) -> Result<(), Failure> {
    for warning in &recorded.warnings {
        console.note(warning);
    }
    let read = read_line(args, &options.terminal);
    if args.json {
        let object = json!({
            "terminalId": options.terminal.as_str(),
            "sessionId": options.session_id,
            "exitCode": recorded.code,
            "blocks": recorded.blocks.iter().map(block_object).collect::<Vec<_>>(),
            "holders": recorded.holders.iter().map(holder_object).collect::<Vec<_>>(),
            "read": read,
        });
        write_json(console.out(), &object, false, Controls::Shown)?;
    }
    if args.quiet {
        return Ok(());
    }
    if !recorded.holders.is_empty() {
        let names: Vec<_> = recorded.holders.iter().map(ToString::to_string).collect();
        console.note(&format!("still in the terminal, no longer recorded: {}", names.join(", ")));
    }
    if !args.json {
        let ids: Vec<_> = recorded.blocks.iter().map(|block| block.block_id.as_str()).collect();
        console.note(&format!("terminal {}", options.terminal));
        console.note(&format!(
            "blocks {}",
            if ids.is_empty() { "none".into() } else { ids.join(" ") }
        ));
        if !recorded.blocks.is_empty() {
            console.note(&format!("read it with: {read}"));
        }
    }
    if recorded.failure.is_some() {
        let terminal = options.terminal.as_str();
        let recover = ["terminal-session-record", "recover", terminal];
        let recover = args.common.command_line(&recover);
        console.note(&format!(
            "what is in no block is kept in a journal, as far as there was room; to make a block of it: {recover}"
        ));
    }
    Ok(())
}

fn holder_object(holder: &crate::pty::Holder) -> Value {
    json!({ "pid": holder.pid, "name": holder.name })
}

/// The command that shows what was recorded.
fn read_line(args: &RunArgs, terminal: &TerminalId) -> String {
    args.common.command_line(&["terminal-session-summary", terminal.as_str()])
}
