//! `send`, `keys`, `paste`: typing.

use std::io::Read;

use clap::Args;

use super::{Context, WaitingArgs, refused, unexpected};
use crate::cli::{Console, Exit, Failure};
use crate::live::terminals::{self, SendAnswer, SendRequest};
use crate::live::wire::{LONGEST_TEXT, Request, Sent, Status, Value, Words, too_long};

/// Type a command or other text, and print what comes of it
#[derive(Debug, Args)]
pub(super) struct SendArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Text, at most 4 MiB; - reads it from stdin. Enter takes the place of a newline at its end
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,

    /// Add no Enter; with an empty text, only wait
    #[arg(long)]
    no_submit: bool,

    /// Answer at once with a task that waits
    #[arg(long)]
    background: bool,

    /// Exit with the exit code of the command, with 124 where it is not known
    #[arg(long = "return")]
    returns: bool,

    #[command(flatten)]
    waiting: WaitingArgs,
}

/// Press keys by the names that tmux gives them
#[derive(Debug, Args)]
pub(super) struct KeysArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Keys such as Enter, C-c, M-x, F5, Up; what names no key is typed; -- before one like -x
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,

    /// Type them as text, whatever they are called
    #[arg(short = 'l', long, conflicts_with = "hex")]
    literal: bool,

    /// They are bytes of two hexadecimal digits
    #[arg(short = 'H', long)]
    hex: bool,

    /// Press all of them so many times
    #[arg(short = 'N', long, value_name = "N", default_value_t = 1)]
    repeat: u32,

    #[command(flatten)]
    waiting: WaitingArgs,
}

/// Type text as one piece that the program does not take for keys
#[derive(Debug, Args)]
pub(super) struct PasteArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Text, at most 4 MiB; - reads it from stdin
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,

    #[command(flatten)]
    waiting: WaitingArgs,
}

fn text_of(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut bytes = Vec::new();
    let most = u64::try_from(LONGEST_TEXT).unwrap_or(u64::MAX) + 1;
    let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
    read.map_err(|error| Failure::failed(format!("cannot read stdin: {error}")))?;
    if bytes.len() > LONGEST_TEXT {
        return Err(Failure::usage(too_long()));
    }
    String::from_utf8(bytes).map_err(|_| Failure::failed("stdin is not UTF-8 text"))
}

fn print(sent: &Sent, context: &Context<'_>, console: &mut Console) -> Result<(), Failure> {
    context.print(console, sent, || sent.text())
}

pub(super) fn send(
    args: &SendArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = SendRequest {
        text: text_of(&args.text)?,
        submit: !args.no_submit,
        background: args.background,
        wait: args.waiting.waiting(),
    };
    match terminals::send(&context.client()?, &args.id, request).map_err(refused)? {
        SendAnswer::Foreground(sent) => {
            print(&sent, context, console)?;
            let code = sent.exit_code.or(match sent.session_status {
                // The shell itself.
                Status::Exited { exit_code, .. } => exit_code.map(i64::from),
                Status::Running | Status::Unresponsive => None,
            });
            Ok(match code {
                _ if !args.returns => Exit::Done,
                Some(code) => Exit::Child(u8::try_from(code).unwrap_or(255)),
                None => Exit::Unknown,
            })
        }
        SendAnswer::Background(task) => {
            context.print(console, &task, || task.text())?;
            Ok(Exit::Done)
        }
    }
}

pub(super) fn keys(
    args: &KeysArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let how = match (args.literal, args.hex) {
        (true, _) => Words::Literal,
        (_, true) => Words::Hex,
        _ => Words::Names,
    };
    let request = Request::Keys {
        words: args.keys.clone(),
        how,
        times: args.repeat,
        wait: args.waiting.waiting(),
    };
    match context.client()?.ask(&args.id, request).map_err(refused)? {
        Value::Sent(sent) => print(&sent, context, console)?,
        _ => return Err(unexpected()),
    }
    Ok(Exit::Done)
}

pub(super) fn paste(
    args: &PasteArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = Request::Paste { text: text_of(&args.text)?, wait: args.waiting.waiting() };
    match context.client()?.ask(&args.id, request).map_err(refused)? {
        Value::Sent(sent) => print(&sent, context, console)?,
        _ => return Err(unexpected()),
    }
    Ok(Exit::Done)
}
