//! `attach`: a person joins a terminal.

use clap::Args;

use super::{Context, refused};
use crate::cli::{Exit, Failure};
use crate::record::HotKey;

/// Join a terminal with your own
#[derive(Debug, Args)]
pub(super) struct AttachArgs {
    /// Terminal
    #[arg(value_name = "ID")]
    id: String,

    /// Only look on: nothing is typed, and the size stays
    #[arg(long)]
    read_only: bool,

    /// Keys to leave it with, one after the other: ^]d is Ctrl-] and d
    #[arg(long, value_name = "KEY", default_value = "^]d")]
    detach_key: HotKey,
}

pub(super) fn run(args: &AttachArgs, context: &Context<'_>) -> Result<Exit, Failure> {
    let stream = context.client()?.attach(&args.id, args.read_only).map_err(refused)?;
    crate::live::look_on(stream, args.read_only, args.detach_key).map_err(Failure::failed)?;
    Ok(Exit::Done)
}
