//! `terminal-session-record freeze`: a block of a recording that is running, from outside.

use clap::Args;

use crate::cli::arguments::recording_id;
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure};
use crate::record::{FreezeAnswer, NESTED, freeze, is_recorded};
use crate::text::system_error;

const NOTES: &str = "\
Examples:
  A block of what your other terminal shows:
    terminal-session-record freeze latest
  In a terminal that is being recorded, a block of what it shows:
    terminal-session-record freeze

Output:
  The id of the new block; with several recorders on one terminal, one line for each.

Exit status:
  0  done, also where nothing was shown since the last block
  1  no recorder is running for this terminal, or it could not write the block
  2  wrong usage";

/// Make a block of a running recording now
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct FreezeArgs {
    /// Terminal that is being recorded: its id, a unique prefix of it, or `latest` for the one whose
    /// recorder was started last [default: $TERMINAL_SESSION_RECORD, the one that this runs in]
    #[arg(value_name = "TERMINAL")]
    terminal: Option<String>,

    #[command(flatten)]
    common: CommonArgs,
}

impl AsRef<CommonArgs> for FreezeArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

impl FreezeArgs {
    /// What was typed, else the recording that we run in.
    fn name(&self) -> Result<String, Failure> {
        let inside = || std::env::var(NESTED).ok().filter(|id| !id.is_empty());
        self.terminal.clone().or_else(inside).ok_or_else(|| {
            Failure::usage("this is not in a recording, so name the terminal: an id, or latest")
        })
    }
}

/// Runs the command.
///
/// # Errors
/// Where no recorder is running or the block cannot be written.
pub(super) fn run(args: &FreezeArgs, console: &mut Console) -> Result<Exit, Failure> {
    let home = args.common.home()?;
    let terminal = recording_id(&home, &args.name()?)?;
    let folder = home.session(&terminal);
    let answers = match freeze(&folder) {
        Ok(answers) => answers,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let error = system_error(&error);
            return Err(Failure::failed(format!("cannot read {}: {error}", folder.display())));
        }
    };
    if answers.is_empty() {
        let mut message = format!("no recorder is running for terminal {terminal}");
        if is_recorded(&home, &terminal) == Some(false) {
            let words = ["terminal-session-record", "recover", terminal.as_str()];
            let line = args.common.command_line(&words);
            message.push_str(&format!("; to make a block of what one left that died: {line}"));
        }
        return Err(Failure::failed(message));
    }
    let mut exit = Exit::Done;
    for answer in answers {
        match answer {
            FreezeAnswer::Block(id) => console.print(&format!("{id}\n"), Controls::Shown)?,
            FreezeAnswer::Empty => console.note("nothing was shown since the last block"),
            FreezeAnswer::Ended => {
                console.note("a recorder ended just now; what it showed is in its last block");
            }
            FreezeAnswer::Failed(error) => {
                console.error(&format!("no block of terminal {terminal}: {error}"));
                exit = Exit::Failed;
            }
        }
    }
    Ok(exit)
}
