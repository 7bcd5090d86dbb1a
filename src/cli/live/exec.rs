//! `exec`, `write`: a command as a job, input for it and its output.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::Args;

use super::{Context, at_least_one, job_refused, place};
use crate::cli::{Console, Exit, Failure};
use crate::live::exec::{
    ExecCommand, ExecPlace, JOB_SIZE, JobOutput, Limits, MOST_JOBS, MOST_TOKENS, WriteStdin,
    exec_command, write_stdin,
};
use crate::live::wire::LONGEST_TEXT;
use crate::live::{Receipt, Transport, Voice};
use crate::record::SizeChoice;

/// What a deployment allows.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LimitArgs {
    /// Most tokens of an answer, whatever a call asks for
    #[arg(long, value_name = "N", default_value_t = MOST_TOKENS)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_output_tokens_cap: u64,
}

/// Run a command, and go on with it as a job if it takes longer
///
/// The answer has what it prints until it ends or the wait is over. Then the job is named, which goes
/// on; `write` reads what comes and types.
///
/// The words of the command are joined by spaces, and a shell runs that: `exec -- sh -c 'a b'` runs
/// `sh -c a b`. Quote the whole of it once instead: `exec -- 'a b'`.
///
/// The text is that of the job's block, as it stood on the screen: tabs are blanks, and blanks at the
/// end of a line are gone. Each part of it is printed once, but for an answer that could not be
/// written to stdout: that one is printed again by the next `write`, with the same chunk_id, or in parts
/// with names of their own where `write` allows less.
///
/// What the command leaves running when it ends is named, and goes on until the output was read to
/// its end. Then it is hung up (SIGHUP), as when the window of a terminal is closed: what ignores
/// that, as under `nohup`, or began a session of its own lives on. What it prints after the end was
/// told is in no answer and in no block. `jobs kill` ends all of it.
#[derive(Debug, Args)]
pub(super) struct ExecArgs {
    /// Folder to run in [default: this one]
    #[arg(long, value_name = "FOLDER")]
    workdir: Option<PathBuf>,

    /// Longest wait in milliseconds, at most 30000 [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    yield_time_ms: Option<f64>,

    /// Longest text of the answer in tokens of four bytes [default: 4000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_output_tokens: Option<f64>,

    /// Run it in a terminal, or not at all [default: with pipes where there is no terminal]
    #[arg(long, overrides_with = "no_tty")]
    tty: bool,

    /// Run it with pipes, not in a terminal
    #[arg(long, overrides_with = "tty")]
    no_tty: bool,

    /// Size of the terminal in cells: 100x30, 100x, x30
    #[arg(long, value_name = "COLSxROWS", default_value = "80x24")]
    size: SizeChoice,

    /// Shell that runs the command [default: $SHELL, else bash, else sh]
    #[arg(long, value_name = "PATH")]
    shell: Option<OsString>,

    /// Variable for the command; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::cli::record::variable)]
    env: Vec<(OsString, OsString)>,

    /// Variable to hand on although KEY, PASSWORD, SECRET or TOKEN is in its name
    #[arg(long, value_name = "NAME")]
    keep_env: Vec<OsString>,

    /// Most of the output that is kept until it is read, in bytes, KiB, MiB or GiB; beyond that the
    /// middle of it is dropped and counted
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = crate::cli::record::byte_count)]
    retain: u64,

    /// Most jobs that this agent may have at a time; one more is refused
    #[arg(long, value_name = "N", default_value_t = MOST_JOBS, value_parser = at_least_one())]
    max_jobs: usize,

    #[command(flatten)]
    limits: LimitArgs,

    /// Command for the shell; several words are joined by spaces
    #[arg(last = true, value_name = "CMD", required = true)]
    cmd: Vec<String>,
}

/// Type into a job, or nothing, and print what it printed since the last answer
#[derive(Debug, Args)]
pub(super) struct WriteArgs {
    /// Job, as `exec` or `jobs list` names it
    #[arg(value_name = "JOB")]
    job: String,

    /// What is typed, as it is; nothing to read on only
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    chars: Option<String>,

    /// File with what is typed; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "chars")]
    chars_file: Option<PathBuf>,

    /// End its input after that
    #[arg(long)]
    eof: bool,

    /// Longest wait in milliseconds, at most 30000, and 300000 where nothing is typed [default: 250]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    yield_time_ms: Option<f64>,

    /// Longest text of the answer in tokens of four bytes [default: 4000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_output_tokens: Option<f64>,

    #[command(flatten)]
    limits: LimitArgs,
}

impl ExecArgs {
    fn transport(&self) -> Transport {
        match (self.tty, self.no_tty) {
            (true, _) => Transport::Terminal,
            (false, true) => Transport::Pipes,
            (false, false) => Transport::Either,
        }
    }

    fn place(&self, context: &Context<'_>) -> Result<ExecPlace, Failure> {
        let place = place(context)?;
        Ok(ExecPlace {
            shell: self.shell.clone(),
            env: self.env.clone(),
            keep_env: self.keep_env.clone(),
            size: self.size.or(JOB_SIZE),
            limits: Limits {
                jobs: self.max_jobs,
                tokens: self.limits.max_output_tokens_cap,
                retain: self.retain,
            },
            ..place
        })
    }
}

pub(super) fn exec(
    args: &ExecArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let place = args.place(context)?;
    let command = ExecCommand {
        cmd: args.cmd.join(" "),
        workdir: args.workdir.clone(),
        yield_time_ms: args.yield_time_ms,
        max_output_tokens: args.max_output_tokens,
        transport: args.transport(),
    };
    let told = exec_command(&context.client()?, &place, &command).map_err(job_refused)?;
    print(told, context, console)
}

pub(super) fn write(
    args: &WriteArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let chars = match (&args.chars, &args.chars_file) {
        (Some(chars), _) => chars.clone(),
        (None, Some(file)) => read(file)?,
        (None, None) => String::new(),
    };
    let limits = Limits { tokens: args.limits.max_output_tokens_cap, ..Limits::default() };
    let write = WriteStdin {
        job_id: args.job.clone(),
        chars,
        eof: args.eof,
        yield_time_ms: args.yield_time_ms,
        max_output_tokens: args.max_output_tokens,
    };
    let told = write_stdin(&context.client()?, &limits, &write).map_err(job_refused)?;
    print(told, context, console)
}

/// All of a file, which is text.
fn read(path: &PathBuf) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::failed(format!("cannot read {}: {error}", path.display()))
    };
    let most = LONGEST_TEXT as u64 + 1;
    let mut text = Vec::new();
    let result = match path.as_os_str() == "-" {
        true => io::stdin().lock().take(most).read_to_end(&mut text),
        false => fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut text)),
    };
    result.map_err(|error| failed(&crate::text::system_error(&error)))?;
    String::from_utf8(text).map_err(|_| failed(&"it is no UTF-8 text"))
}

fn print(
    (output, receipt): (JobOutput, Receipt),
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    context.print(console, &output, || {
        let mut text = output.text(Voice::CommandLine);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    })?;
    // What cannot be written was not read: it comes again.
    console.flush()?;
    receipt.confirm();
    if !context.json && console.out_is_terminal() && output.text(Voice::CommandLine).is_empty() {
        console.note("it ended with exit code 0 and printed nothing");
    }
    Ok(Exit::Done)
}

/// Where commands run and are recorded, but for what their own options say.
pub(super) fn default_place(
    codex_home: PathBuf,
    given_home: Option<PathBuf>,
    cwd: PathBuf,
) -> ExecPlace {
    let thread = std::env::var("CODEX_THREAD_ID").unwrap_or_default();
    let thread = crate::text::strip(&thread);
    ExecPlace {
        codex_home,
        given_home,
        session_id: (!thread.is_empty()).then(|| thread.to_owned()),
        cwd,
        shell: None,
        env: Vec::new(),
        keep_env: Vec::new(),
        size: JOB_SIZE,
        limits: Limits::default(),
    }
}
