//! `read`, `wait`: looking.

use clap::Args;

use super::{Context, WaitingArgs, refused, render, unexpected};
use crate::cli::{Console, Exit, Failure};
use crate::live::wire::{Request, Until, Value, WaitReason};

/// Print lines of the history, or the screen
#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Newest lines to leave out, counted back from the end
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,

    /// Most lines
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// First line, counted from the first one ever as 1
    #[arg(long, value_name = "LINE", conflicts_with = "offset")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    from: Option<u64>,

    /// The screen as it stands, with cursor, title and hash
    #[arg(long, conflicts_with_all = ["offset", "from"])]
    screen: bool,
}

/// Wait without typing
#[derive(Debug, Args)]
pub(super) struct WaitArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// For what: ready (a prompt, or a program that waits for input), exit (the end of its program),
    /// text=RE (in the history or on the screen, where a command that was typed stands too; ^ and $ are
    /// the ends of any line), screen-change=HASH (another screen than that of
    /// `read --screen`), quiet=MS (so many milliseconds without output)
    #[arg(long, value_name = "WHAT", default_value = "ready", value_parser = until)]
    until: Until,

    #[command(flatten)]
    waiting: WaitingArgs,
}

fn until(given: &str) -> Result<Until, String> {
    let wrong = || "ready, exit, text=RE, screen-change=HASH or quiet=MS".to_owned();
    match given.split_once('=') {
        None if given == "ready" => Ok(Until::Ready),
        None if given == "exit" => Ok(Until::Exit),
        Some(("text", pattern)) => Ok(Until::Text(pattern.to_owned())),
        Some(("screen-change", hash)) => Ok(Until::ScreenChange(hash.to_owned())),
        Some(("quiet", ms)) => ms.parse().map(Until::Quiet).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

pub(super) fn read(
    args: &ReadArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let client = context.client()?;
    let request = match args.screen {
        true => Request::Screen,
        false => Request::Read { offset: args.offset, count: args.count, from: args.from },
    };
    match client.ask(&args.id, request).map_err(refused)? {
        Value::Screen(screen) => context.print(console, &screen, || render::screen(&screen))?,
        Value::Lines(lines) => context.print(console, &lines, || render::lines(&lines))?,
        _ => return Err(unexpected()),
    }
    Ok(Exit::Done)
}

pub(super) fn wait(
    args: &WaitArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = Request::Wait { until: args.until.clone(), wait: args.waiting.waiting() };
    let Value::Sent(sent) = context.client()?.ask(&args.id, request).map_err(refused)? else {
        return Err(unexpected());
    };
    context.print(console, &sent, || render::sent(&sent))?;
    Ok(match sent.wait_reason {
        WaitReason::Timeout | WaitReason::InferredIdle => Exit::Deadline,
        _ => Exit::Done,
    })
}
