//! `execute`: `terminal_execute` on the command line.

use clap::Args;

use super::{Context, at_least_one, refused};
use crate::cli::record::codex_thread;
use crate::cli::{Console, Exit, Failure};
use crate::live::MOST_TERMINALS;
use crate::live::Voice;
use crate::live::execute::{
    DEFAULT_TERMINAL, Execute, Outcome, Place, USUAL_SECONDS, terminal_execute,
};

const EXAMPLES: &str = "\
Examples:
  A command, its output and its exit code:
    terminal-session-live execute 'make test'
  A program that asks, an answer, and C-c; the state of the terminal stays:
    terminal-session-live execute --terminal repl python3
    terminal-session-live execute --terminal repl --input '6 * 7'
    terminal-session-live execute --terminal repl C-c
  Something that takes long: look at once, and look again until it ends or 60 seconds are over:
    terminal-session-live execute --timeout 0 'make all'
    terminal-session-live execute --timeout 60 ''";

/// Run a command, send input or press a key in a terminal that is known by a label
///
/// Who only looks (an empty command) is answered as soon as what runs ends, and so is who sends input.
/// What runs goes on after the wait: the next call shows the rest of its output. A command of
/// several lines is one, and answered once with the exit code of its last line; programs that it
/// starts read what is sent with --input, not its lines. A newline at its end is its Enter.
///
/// A `!` stands for itself, and `^old^new` at the beginning of a line runs the last command anew;
/// `set -H` in ~/.bashrc has `!` stand for the history. A line that the shell refuses is noted.
///
/// A terminal stays until its shell ends: by `exit` as a command, by `close` with the id that each
/// reply names, or after a day without use. The next command with that label opens a new one.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ExecuteArgs {
    /// Command, input, or the name of a key such as C-c, Up, Escape; empty to look how far it is
    #[arg(value_name = "COMMAND", allow_hyphen_values = true)]
    command: String,

    /// Label of the terminal, a bash that is opened when it is needed
    #[arg(long, value_name = "LABEL", default_value = DEFAULT_TERMINAL)]
    terminal: String,

    /// It is input for what runs
    #[arg(long)]
    input: bool,

    /// Longest wait in seconds, at most 60; what runs goes on after that
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    #[arg(default_value_t = USUAL_SECONDS)]
    timeout: f64,

    /// Add no Enter: the text stands at the prompt then, or goes to what runs as it is
    #[arg(long)]
    no_enter: bool,

    /// Most terminals that this agent may have at a time
    #[arg(long, value_name = "N", default_value_t = MOST_TERMINALS, value_parser = at_least_one())]
    max_terminals: usize,
}

pub(super) fn run(
    args: &ExecuteArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let here = super::current_folder()?;
    let place = Place {
        codex_home: here.join(context.common.home()?.path()),
        given_home: context.given_home(&here),
        cwd: here,
        session_id: codex_thread()?,
        max_terminals: args.max_terminals,
        voice: Voice::CommandLine,
    };
    let arguments = Execute {
        command: args.command.clone(),
        is_input: args.input,
        timeout: Some(args.timeout),
        terminal_id: Some(args.terminal.clone()),
        no_enter: args.no_enter,
    };
    let client = context.client()?;
    let executed = terminal_execute(&client, &arguments, &place).map_err(refused)?;
    let is_error = executed.status == Outcome::Error;
    if context.json || !is_error {
        context.print(console, &executed, || executed.text())?;
    }
    if is_error {
        return Err(Failure::failed(executed.error.unwrap_or(executed.content)));
    }
    Ok(Exit::Done)
}
