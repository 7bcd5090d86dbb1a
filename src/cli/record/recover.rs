//! `terminal-session-record recover`: what dead recorders left becomes blocks.

use clap::Args;
use serde_json::{Value, json};

use crate::artifact::OnWait;
use crate::cli::arguments::recording_id;
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure, write_json};
use crate::home::CodexHome;
use crate::record::{Outcome, RecoverError, Recovery, recover, recover_all};

const NOTES: &str = "\
Examples:
  After a crash, for all terminals:
    terminal-session-record recover
  For one of them:
    terminal-session-record recover terminal-k3x9qa71mb2f

Output:
  A line for each new block: the terminal's id, a tab, the block's id. With --json one object:
  recovered (terminalId, sessionId, blockId, sequence, snapshot, droppedEvents, droppedBytes),
  running (terminalId, journal) and failed (terminalId, journal, error).

Exit status:
  0  done, also where there was nothing to do
  1  a journal could not be recovered; it is still there
  2  wrong usage";

/// Turn what a killed recorder had not frozen yet into blocks
///
/// A recorder keeps what it has not frozen in a journal beside the session's blocks. One that ends
/// removes it; one that is killed leaves it. Each journal without a living recorder becomes a block
/// marked `recovered`, and is removed once the block is on disk. Journals in use are left alone.
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct RecoverArgs {
    /// Terminal whose journals to recover [default: all]
    #[arg(value_name = "TERMINAL", conflicts_with = "all")]
    terminal: Option<String>,

    /// The journals of all terminals
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    common: CommonArgs,

    /// No notes on stderr
    #[arg(long, short)]
    quiet: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl AsRef<CommonArgs> for RecoverArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

impl RecoverArgs {
    fn recoveries(&self, home: &CodexHome, on_wait: &OnWait) -> Result<Vec<Recovery>, Failure> {
        let Some(terminal) = &self.terminal else {
            return recover_all(home, on_wait).map_err(Failure::failed);
        };
        let terminal = recording_id(home, terminal)?;
        Ok(recover(home, &terminal, on_wait))
    }
}

/// Runs the command.
///
/// # Errors
/// Where there is no such terminal or the output cannot be written.
pub(super) fn run(args: &RecoverArgs, console: &mut Console) -> Result<Exit, Failure> {
    let on_wait = if args.quiet { OnWait::default() } else { console.on_wait() };
    let recoveries = args.recoveries(&args.common.home()?, &on_wait)?;
    let mut lists = Lists::default();
    for recovery in &recoveries {
        match &recovery.outcome {
            Ok(outcome) => done(recovery, outcome, args, console, &mut lists)?,
            Err(error) => failed(recovery, error, console, &mut lists),
        }
    }
    let exit = if lists.failed.is_empty() { Exit::Done } else { Exit::Failed };
    if args.json {
        let Lists { recovered, running, failed } = lists;
        let object = json!({"recovered": recovered, "running": running, "failed": failed});
        write_json(console.out(), &object, false, Controls::Shown)?;
    } else if recoveries.is_empty() && !args.quiet {
        console.note("there is nothing to recover");
    }
    Ok(exit)
}

/// The parts of the JSON object.
#[derive(Default)]
struct Lists {
    recovered: Vec<Value>,
    running: Vec<Value>,
    failed: Vec<Value>,
}

fn done(
    recovery: &Recovery,
    outcome: &Outcome,
    args: &RecoverArgs,
    console: &mut Console,
    lists: &mut Lists,
) -> Result<(), Failure> {
    let (terminal, journal) = (&recovery.terminal, recovery.journal.display());
    let note = match outcome {
        Outcome::Block { block, session_id, dropped, damaged_lines } => {
            lists.recovered.push(json!({
                "terminalId": terminal.as_str(),
                "sessionId": session_id,
                "blockId": block.block_id,
                "sequence": block.sequence,
                "snapshot": block.snapshot.display().to_string(),
                "droppedEvents": dropped.events,
                "droppedBytes": dropped.bytes,
            }));
            if !args.json {
                console.print(&format!("{terminal}\t{}\n", block.block_id), Controls::Shown)?;
            }
            let id = &block.block_id;
            if !dropped.is_nothing() && !args.quiet {
                let (events, bytes) = (dropped.events, dropped.bytes);
                console.note(&format!(
                    "block {id} lacks {bytes} bytes of output ({events} events), which its journal \
                     had no room for"
                ));
            }
            match damaged_lines {
                0 => return Ok(()),
                1 => format!("block {id}: one line of its journal was cut off or damaged"),
                count => format!("block {id}: {count} lines of its journal were damaged"),
            }
        }
        Outcome::Known => format!("a block already has what {journal} held"),
        Outcome::Empty => format!("nothing was shown in {journal}"),
        Outcome::InUse => {
            lists.running.push(json!({
                "terminalId": terminal.as_str(),
                "journal": journal.to_string(),
            }));
            format!("terminal {terminal} is being recorded; {journal} is left alone")
        }
    };
    if !args.quiet {
        console.note(&note);
    }
    Ok(())
}

fn failed(recovery: &Recovery, error: &RecoverError, console: &mut Console, lists: &mut Lists) {
    lists.failed.push(json!({
        "terminalId": recovery.terminal.as_str(),
        "journal": recovery.journal.display().to_string(),
        "error": error.to_string(),
    }));
    console.error(&format!("terminal {} not recovered: {error}", recovery.terminal));
}
