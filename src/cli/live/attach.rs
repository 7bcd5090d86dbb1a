//! `attach`: a person joins a terminal.

use std::io::IsTerminal;

use clap::Args;

use super::{Context, refused, unexpected};
use crate::cli::{Exit, Failure};
use crate::live::Client;
use crate::live::wire::{Request, Row, Value};
use crate::record::HotKey;
use crate::screen::Size;

/// Join a terminal with your own
#[derive(Debug, Args)]
pub(super) struct AttachArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Only look on: nothing is typed, and the terminal does not get the size of yours meanwhile
    #[arg(long)]
    read_only: bool,

    /// Keys to leave it with, one after the other: ^]d is Ctrl-] and d
    #[arg(long, value_name = "KEY", default_value = "^]d")]
    detach_key: HotKey,
}

pub(super) fn run(args: &AttachArgs, context: &Context<'_>) -> Result<Exit, Failure> {
    let client = context.client()?;
    let before = size_of(&client, &args.id)?;
    if !std::io::stdin().is_terminal() {
        return Err(Failure::failed("stdin is no terminal to join with"));
    }
    let stream = client.attach(&args.id, args.read_only).map_err(refused)?;
    let ours = crate::live::look_on(stream, args.read_only, args.detach_key);
    // Lines are as long as before again, unless somebody else has changed that.
    if let Some(ours) = ours.map_err(Failure::failed)?
        && size_of(&client, &args.id).is_ok_and(|now| now == ours)
    {
        let back = Request::Resize { cols: Some(before.cols), rows: Some(before.rows) };
        client.ask(&args.id, back).map(drop).unwrap_or_default();
    }
    Ok(Exit::Done)
}

fn size_of(client: &Client, id: &str) -> Result<Size, Failure> {
    match client.ask(id, Request::Status).map_err(refused)? {
        Value::Status(Row { size: Some(size), .. }) => {
            Ok(Size { cols: size.cols, rows: size.rows })
        }
        _ => Err(unexpected()),
    }
}
