//! `terminal-session-live`: the program that drives live terminals.
//!
//! - `open`, `typing`, `reading`, `managing`, `tasks`, `attach`, `execute`: its commands for terminals;
//!   `exec`, `jobs`: those for jobs; `mcp`: the server that offers both.

mod attach;
mod exec;
mod execute;
mod jobs;
mod managing;
#[cfg(feature = "mcp")]
mod mcp;
mod open;
mod reading;
mod tasks;
mod typing;

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};
use serde::Serialize;

use super::{CommonArgs, Console, Controls, Exit, Failure, write_json};
use crate::live::exec::{ExecError, ExecPlace};
use crate::live::terminals::{MOST_BYTES, USUAL_WAIT_MS};
use crate::live::wire::Waiting;
use crate::live::{Client, LiveError, Runtime, Voice, hint};
use crate::pty::survive_file_limit;
use crate::text::system_error;

const NOTES: &str = "\
Examples:
  A shell that keeps its state between calls:
    id=$(terminal-session-live open --json | jq -r .sessionId)
    terminal-session-live send \"$id\" 'cd /tmp && ls'
  A program that asks:
    terminal-session-live send \"$id\" 'python3'
    terminal-session-live send \"$id\" '6 * 7'
    terminal-session-live keys \"$id\" C-d
  One command, and more of what it prints if it takes longer than 10 seconds:
    terminal-session-live exec -- cargo test
    terminal-session-live write codex-terminal-1 --yield-time-ms 60000
  What it all was, afterwards:
    terminal-session-summary \"$id\"
  The end of it:
    terminal-session-live close \"$id\"

Why an answer came (wait):
  prompt         the shell is at its prompt again; the command is done
  stdin_read     a program waits for input
  inferred_idle  nothing was printed for a while; that proves no end
  timeout        the time is over; that proves no end
  session_exit   the program in the terminal ended
  met            what `wait` waited for is there

Environment:
  TERMINAL_SESSION_AGENT        the secret of the agent that calls [default: the user's own]
  TERMINAL_SESSION_RUNTIME_DIR  where the sockets are

Exit status:
  0  done, whatever the answer says
  1  failed, or there is no such terminal or job
  2  wrong usage
  3  `wait`: the time is over, or nothing was printed for a while";

const STATUS: &str = "\
Exit status:
  0  done, whatever the answer says
  1  failed, or there is no such terminal
  2  wrong usage";

const JOB_STATUS: &str = "\
Exit status:
  0  done, whatever the answer says and however the command ended
  1  failed, or there is no such job
  2  wrong usage";

const SEND_STATUS: &str = "\
Exit status:
  0  done, whatever the answer says; with --return the exit code of the command instead, and 124
     where that is not known, such as at the end of the time
  1  failed, or there is no such terminal
  2  wrong usage";

const WAIT_STATUS: &str = "\
Exit status:
  0  what was waited for is there, or cannot come any more
  1  failed, or there is no such terminal
  2  wrong usage
  3  the time is over, or nothing was printed for a while: that it came is not known";

const EXEC_NOTES: &str = "\
Examples:
  terminal-session-live exec -- cargo test
  terminal-session-live exec --yield-time-ms 0 -- 'npm run dev'
  terminal-session-live exec --no-tty --workdir web -- 'git log | head'

Exit status:
  0  done, whatever the answer says and however the command ended
  1  failed
  2  wrong usage";

const WRITE_NOTES: &str = "\
Examples:
  Read on:
    terminal-session-live write codex-terminal-1 --yield-time-ms 60000
  Type a line; Enter is the newline at its end:
    terminal-session-live write codex-terminal-1 --chars $'yes\\n'
  Ctrl-C:
    terminal-session-live write codex-terminal-1 --chars $'\\003'

Exit status:
  0  done, whatever the answer says and however the command ended
  1  failed, or there is no such job
  2  wrong usage";

#[cfg(feature = "mcp")]
const MCP_NOTES: &str = "\
Examples:
  In the settings of a client:
    {\"command\": \"terminal-session-live\", \"args\": [\"mcp\"]}
  Commands as jobs instead of terminals:
    terminal-session-live mcp --tools exec,inspect

Exit status:
  0  the connection ended
  1  failed
  2  wrong usage";

/// Open, drive and read terminals that stay
#[derive(Debug, Parser)]
#[command(name = "terminal-session-live", version, after_long_help = NOTES)]
#[command(infer_long_args = true, infer_subcommands = true, arg_required_else_help = true)]
pub struct LiveArgs {
    #[command(flatten)]
    common: CommonArgs,

    /// Print the answer as JSON
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    #[command(after_long_help = STATUS)]
    Open(Box<open::OpenArgs>),
    #[command(after_long_help = SEND_STATUS)]
    Send(typing::SendArgs),
    #[command(after_long_help = STATUS)]
    Keys(typing::KeysArgs),
    #[command(after_long_help = STATUS)]
    Paste(typing::PasteArgs),
    #[command(after_long_help = STATUS)]
    Read(reading::ReadArgs),
    #[command(after_long_help = WAIT_STATUS)]
    Wait(reading::WaitArgs),
    #[command(after_long_help = STATUS)]
    Signal(managing::SignalArgs),
    #[command(after_long_help = STATUS)]
    Resize(managing::ResizeArgs),
    #[command(after_long_help = STATUS)]
    Freeze(managing::FreezeArgs),
    #[command(after_long_help = STATUS)]
    Restart(managing::RestartArgs),
    #[command(after_long_help = STATUS)]
    Close(managing::CloseArgs),
    #[command(after_long_help = STATUS)]
    List(managing::ListArgs),
    #[command(after_long_help = STATUS)]
    Agent(managing::AgentArgs),
    #[command(after_long_help = STATUS)]
    Attach(attach::AttachArgs),
    #[command(after_long_help = STATUS)]
    Execute(execute::ExecuteArgs),
    #[command(after_long_help = STATUS)]
    Output(tasks::OutputArgs),
    #[command(after_long_help = STATUS)]
    Kill(tasks::KillArgs),
    #[command(after_long_help = STATUS)]
    Tasks(tasks::TasksArgs),
    #[command(after_long_help = EXEC_NOTES)]
    Exec(Box<exec::ExecArgs>),
    #[command(after_long_help = WRITE_NOTES)]
    Write(exec::WriteArgs),
    #[command(after_long_help = JOB_STATUS)]
    Jobs(jobs::JobsArgs),
    #[cfg(feature = "mcp")]
    #[command(after_long_help = MCP_NOTES)]
    Mcp(mcp::McpArgs),
    /// Be the host of a terminal
    #[command(hide = true)]
    Host,
}

impl AsRef<CommonArgs> for LiveArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// How long an answer may be and may take.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct WaitingArgs {
    /// Longest wait in milliseconds; what was typed goes on after that
    #[arg(long, value_name = "N", default_value_t = USUAL_WAIT_MS)]
    timeout_ms: u64,

    /// Longest text of the answer in tokens of four bytes [default: 65536]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_output_tokens: Option<u64>,
}

impl WaitingArgs {
    fn waiting(self) -> Waiting {
        let bytes = self.max_output_tokens.and_then(|tokens| usize::try_from(tokens).ok());
        let bytes = bytes.map(|tokens| tokens.saturating_mul(4));
        Waiting {
            timeout_ms: self.timeout_ms,
            max_bytes: bytes.unwrap_or(MOST_BYTES).min(MOST_BYTES),
        }
    }
}

/// How many there may be: none at all makes no sense.
fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// What every command needs.
struct Context<'a> {
    common: &'a CommonArgs,
    json: bool,
}

impl Context<'_> {
    fn client(&self) -> Result<Client, Failure> {
        let runtime = Runtime::open().map_err(Failure::failed)?;
        Client::new(&runtime).map_err(refused)
    }

    /// The codex home that was given, for calls that come later and perhaps from another folder.
    fn given_home(&self, here: &Path) -> Option<PathBuf> {
        self.common.given_home().map(|home| match home.as_encoded_bytes() {
            [b'~', ..] => PathBuf::from(home),
            _ => here.join(home),
        })
    }

    /// Prints an answer: its text, or itself.
    fn print(
        &self,
        console: &mut Console,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json {
            let value = serde_json::to_value(value).map_err(Failure::failed)?;
            return Ok(write_json(console.out(), &value, false, Controls::Shown)?);
        }
        console.print(&text(), Controls::Shown)
    }
}

fn refused(error: LiveError) -> Failure {
    use crate::live::wire::Code;
    match error.code() {
        Some(Code::Invalid) => Failure::usage(error),
        Some(code) => Failure::failed(format!("{error}{}", hint(code, Voice::CommandLine))),
        None => Failure::failed(error),
    }
}

fn job_refused(error: ExecError) -> Failure {
    match error {
        ExecError::Invalid(_) | ExecError::Workdir { .. } => Failure::usage(error),
        ExecError::Live(error) => refused(error),
        error => Failure::failed(error.text(Voice::CommandLine)),
    }
}

/// The folder that this runs in.
fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::failed(format!("cannot tell the current folder: {}", system_error(&error)))
    })
}

/// Where commands run and are recorded.
fn place(context: &Context<'_>) -> Result<ExecPlace, Failure> {
    let here = current_folder()?;
    let codex_home = here.join(context.common.home()?.path());
    Ok(exec::default_place(codex_home, context.given_home(&here), here))
}

/// The answer that was not the one to the question.
fn unexpected() -> Failure {
    Failure::failed(LiveError::OtherVersion)
}

/// Runs the program.
///
/// # Errors
/// Where the call is wrong or what it asks for cannot be done.
pub fn run(args: &LiveArgs, console: &mut Console) -> Result<Exit, Failure> {
    // Where that is not to be had, a limit ends us as it ends others.
    survive_file_limit().unwrap_or_default();
    let context = Context { common: &args.common, json: args.json };
    match &args.action {
        Action::Open(args) => open::run(args, &context, console),
        Action::Send(args) => typing::send(args, &context, console),
        Action::Keys(args) => typing::keys(args, &context, console),
        Action::Paste(args) => typing::paste(args, &context, console),
        Action::Read(args) => reading::read(args, &context, console),
        Action::Wait(args) => reading::wait(args, &context, console),
        Action::Signal(args) => managing::signal(args, &context, console),
        Action::Resize(args) => managing::resize(args, &context, console),
        Action::Freeze(args) => managing::freeze(args, &context, console),
        Action::Restart(args) => managing::restart(args, &context, console),
        Action::Close(args) => managing::close(args, &context, console),
        Action::List(args) => managing::list(args, &context, console),
        Action::Agent(_) => managing::agent(&context, console),
        Action::Attach(args) => attach::run(args, &context),
        Action::Execute(args) => execute::run(args, &context, console),
        Action::Output(args) => tasks::output(args, &context, console),
        Action::Kill(args) => tasks::kill(args, &context, console),
        Action::Tasks(_) => tasks::list(&context, console),
        Action::Exec(args) => exec::exec(args, &context, console),
        Action::Write(args) => exec::write(args, &context, console),
        Action::Jobs(args) => jobs::run(args, &context, console),
        #[cfg(feature = "mcp")]
        Action::Mcp(args) => mcp::run(args, &context),
        Action::Host => {
            crate::live::serve().map_err(Failure::failed)?;
            Ok(Exit::Done)
        }
    }
}
