//! `terminal-session-check artifacts`: whether sessions are sound.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::report::{self, Checked, Report};
use crate::artifact::{find_session, nameless_sessions};
use crate::check::artifacts::{Code, Findings, Place, Severity, check_session, session_folders};
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure};
use crate::home::{CodexHome, TerminalId};

const NOTES: &str = "\
Examples:
  The newest session:
    terminal-session-check artifacts latest
  All of them, where warnings count too:
    terminal-session-check artifacts --all --deny-warnings
  In a checkout, where git decides who may read the files:
    terminal-session-check artifacts --all --allow permissions
  As annotations of a GitHub workflow, or as a test report:
    terminal-session-check artifacts --all --format github
    terminal-session-check artifacts --all --format junit > report.xml

Output:
  A line for each finding: its severity and code, the file and the line, the block and the key, and
  what is wrong. Then how many there are. Errors count, warnings count with --deny-warnings, notes
  never do. With --format json one object: sessions (terminalId, path), findings (code, severity,
  counts, terminalId, file, line, blockId, key, message) and the numbers of errors, warnings, notes,
  allowed and leftOut findings. At most 1,000 findings of a session are printed; all are counted.

Exit status:
  0  nothing that counts was found
  1  there are findings that count
  2  wrong usage, or a session is not there or cannot be looked at";

fn notes() -> String {
    format!("{}\n\n{NOTES}", codes().trim_end())
}

/// The table of codes, as a section of the help.
fn codes() -> String {
    let widest = Code::all().iter().map(|code| code.name().len()).max().unwrap_or(0);
    let mut out = String::from("Codes:\n");
    for code in Code::all() {
        let (severity, about) = (code.severity().to_string(), code.about());
        out.push_str(&format!("  {:widest$}  {severity:7}  {about}\n", code.name()));
    }
    out
}

/// Check that sessions keep every rule of their format
///
/// Only looks: nothing is changed, and sessions that are being recorded are left in peace.
/// Each finding has a code that stays the same from version to version.
#[derive(Args, Debug)]
#[command(after_long_help = notes())]
pub(super) struct ArtifactsArgs {
    /// Sessions: ids, unique prefixes of them, or `latest`
    #[arg(value_name = "TERMINAL", required_unless_present_any = ["all", "list_codes"])]
    terminals: Vec<String>,

    /// All sessions; that there are none is an error
    #[arg(long, conflicts_with = "terminals")]
    all: bool,

    #[command(flatten)]
    common: CommonArgs,

    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Findings with this code are only counted; may be given more than once
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = code_parser())]
    #[arg(hide_possible_values = true)]
    allow: Vec<Code>,

    /// Warnings count
    #[arg(long)]
    deny_warnings: bool,

    /// Print the codes, their severities and what they mean
    #[arg(long, conflicts_with_all = ["terminals", "all"])]
    list_codes: bool,
}

/// How to print findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Lines for people
    Human,
    /// One object
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// A test report in XML
    Junit,
}

fn code_parser() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::all().iter().map(|code| code.name())).try_map(|name| {
        let code = Code::all().iter().find(|code| code.name() == name);
        code.copied().ok_or("no such code")
    })
}

impl AsRef<CommonArgs> for ArtifactsArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// Runs the command.
///
/// # Errors
/// Where a session is not there, or the output cannot be written.
pub(super) fn run(args: &ArtifactsArgs, console: &mut Console) -> Result<Exit, Failure> {
    if args.list_codes {
        let table = codes();
        let table = table.lines().skip(1).map(str::trim_start);
        console.print(&(table.collect::<Vec<_>>().join("\n") + "\n"), Controls::Shown)?;
        return Ok(Exit::Done);
    }
    let home = args.common.home()?;
    let allowed: BTreeSet<_> = args.allow.iter().copied().collect();
    let (terminals, strays) = if args.all { all(&home)? } else { named(&home, args, console)? };
    let mut checked: Vec<_> = terminals
        .into_iter()
        .map(|terminal| Checked {
            path: home.session(&terminal),
            findings: check_session(&home, &terminal, allowed.clone()),
            terminal: Some(terminal),
        })
        .collect();
    if !strays.is_empty() {
        let mut findings = Findings::new(allowed);
        let nameless = nameless_sessions(&home);
        for stray in strays {
            if nameless.contains(&stray) {
                let message = "no session of this name can be asked for";
                findings.add(Code::TerminalId, Place::of_path(stray), message);
                continue;
            }
            findings.add(Code::UnexpectedFile, Place::of_path(stray), "no folder of a session");
        }
        checked.push(Checked { path: home.sessions(), findings, terminal: None });
    }
    let report = Report {
        checked,
        least: if args.deny_warnings { Severity::Warning } else { Severity::Error },
    };
    let exit = if report.counts() { Exit::Failed } else { Exit::Done };
    console.comes_to(exit);
    match args.format {
        Format::Human => report::human(&report, console)?,
        Format::Json => report::json(&report, console)?,
        Format::Github => report::github(&report, console)?,
        Format::Junit => report::junit(&report, console)?,
    }
    Ok(exit)
}

fn all(home: &CodexHome) -> Result<(Vec<TerminalId>, Vec<PathBuf>), Failure> {
    let sessions = home.sessions();
    let (terminals, strays) = session_folders(home).map_err(|error| {
        let error = crate::text::system_error(&error);
        Failure::failed(format!("cannot list terminal sessions in {}: {error}", sessions.display()))
    })?;
    if terminals.is_empty() {
        return Err(Failure::failed(format!("no terminal sessions in {}", sessions.display())));
    }
    Ok((terminals, strays))
}

/// The sessions that were named. One that is not there ends it before anything is checked, so that
/// no report looks whole that is not.
fn named(
    home: &CodexHome,
    args: &ArtifactsArgs,
    console: &mut Console,
) -> Result<(Vec<TerminalId>, Vec<PathBuf>), Failure> {
    let mut terminals = Vec::new();
    let mut errors = Vec::new();
    for name in &args.terminals {
        let found = find_session(home, name);
        match found {
            Ok(terminal) if !home.session(&terminal).is_dir() => {
                let path = home.session(&terminal);
                errors.push(format!("not a terminal session: {}", path.display()));
            }
            Ok(terminal) if terminals.contains(&terminal) => {}
            Ok(terminal) => terminals.push(terminal),
            Err(error) => errors.push(error.to_string()),
        }
    }
    let Some(last) = errors.pop() else {
        return Ok((terminals, Vec::new()));
    };
    for error in errors {
        console.error(&error);
    }
    Err(Failure::failed(last))
}
