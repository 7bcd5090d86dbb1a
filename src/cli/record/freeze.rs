//! `terminal-session-record freeze`: a block of a recording that is running, from outside.

use clap::Args;

use crate::artifact::find_session;
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure};
use crate::record::{FreezeAnswer, freeze};
use crate::text::system_error;

const NOTES: &str = "\
Examples:
  A block of what your other terminal shows:
    terminal-session-record freeze latest

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
    /// Terminal that is being recorded: its id, a unique prefix of it, or `latest`
    #[arg(value_name = "TERMINAL")]
    terminal: String,

    #[command(flatten)]
    common: CommonArgs,
}

impl AsRef<CommonArgs> for FreezeArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// Runs the command.
///
/// # Errors
/// Where no recorder is running or the block cannot be written.
pub(super) fn run(args: &FreezeArgs, console: &mut Console) -> Result<Exit, Failure> {
    let home = args.common.home()?;
    let terminal = find_session(&home, &args.terminal).map_err(Failure::failed)?;
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
        return Err(Failure::failed(format!("no recorder is running for terminal {terminal}")));
    }
    for answer in answers {
        match answer {
            FreezeAnswer::Block(id) => console.print(&format!("{id}\n"), Controls::Shown)?,
            FreezeAnswer::Empty => console.note("nothing was shown since the last block"),
            FreezeAnswer::Failed(error) => return Err(Failure::failed(error)),
        }
    }
    Ok(Exit::Done)
}
