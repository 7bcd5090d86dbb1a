//! `open`: a new terminal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Context, WaitingArgs, at_least_one, refused};
use crate::cli::record::TargetArgs;
use crate::cli::{Console, Exit, Failure};
use crate::live::MOST_TERMINALS;
use crate::live::terminals::{IDLE_TIMEOUT, OpenRequest, USUAL_SIZE, open};
use crate::record::SizeChoice;

/// Open a terminal and wait until it is ready
#[derive(Debug, Args)]
pub(super) struct OpenArgs {
    /// What runs in it: shell, or command for the one behind --
    #[arg(long, value_name = "TYPE", default_value = "shell")]
    r#type: String,

    /// What to call it in lists; a label, which no call takes for an id
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    target: TargetArgs,

    /// Folder to start in [default: this one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,

    /// Variable for the program; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::cli::record::variable)]
    env: Vec<(OsString, OsString)>,

    /// Variable to hand on although KEY, PASSWORD, SECRET or TOKEN is in its name
    #[arg(long, value_name = "NAME")]
    keep_env: Vec<OsString>,

    /// Leave PAGER and its like what they are; else they are `cat`, and LESS is FRX
    #[arg(long)]
    keep_pager: bool,

    /// Size in cells: 100x30, 100x, x30
    #[arg(long, value_name = "COLSxROWS", default_value = "120x30")]
    size: SizeChoice,

    /// Shell to run [default: $SHELL, else /bin/sh]
    #[arg(long, value_name = "PATH")]
    shell: Option<OsString>,

    /// Close it after so many seconds without any use; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = IDLE_TIMEOUT)]
    idle_timeout: u64,

    /// Most of what one block keeps beyond 10,000 rows, in bytes, KiB, MiB or GiB; older lines are
    /// dropped and counted
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = crate::cli::record::byte_count)]
    retain: u64,

    /// Most terminals that this agent may have at a time; one more is refused
    #[arg(long, value_name = "N", default_value_t = MOST_TERMINALS, value_parser = at_least_one())]
    max_terminals: usize,

    #[command(flatten)]
    waiting: WaitingArgs,

    /// Command to run instead of a shell
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl OpenArgs {
    fn request(&self, context: &Context<'_>) -> Result<OpenRequest, Failure> {
        if self.r#type == "command" && self.command.is_empty() {
            return Err(Failure::usage("no command is given after --"));
        }
        // Where it was deleted, whole paths still do.
        let here = std::env::current_dir().unwrap_or_default();
        Ok(OpenRequest {
            kind: self.r#type.clone(),
            name: self.name.clone(),
            terminal: self.target.terminal()?,
            session_id: self.target.session()?,
            given_home: context.given_home(&here),
            codex_home: here.join(context.common.home()?.path()),
            cwd: folder(&here, self.cwd.as_deref())?,
            env: self.env.clone(),
            keep_env: self.keep_env.clone(),
            keep_pager: self.keep_pager,
            size: self.size.or(USUAL_SIZE),
            shell: self.shell.clone(),
            idle_timeout: self.idle_timeout,
            retain: self.retain,
            most: self.max_terminals,
            command: self.command.clone(),
            wait: self.waiting.waiting(),
        })
    }
}

/// Where the program is to start.
fn folder(here: &Path, given: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = given.map_or_else(|| here.to_owned(), |given| here.join(given));
    match folder.is_absolute() {
        true => Ok(folder),
        false => Err(Failure::failed("the current folder was deleted; --cwd names another one")),
    }
}

pub(super) fn run(
    args: &OpenArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let request = args.request(context)?;
    let (client, on_wait) = (context.client()?, console.on_wait());
    let opened = open(&client, &request, &on_wait, &mut |note| console.note(&note));
    let opened = opened.map_err(refused)?;
    context.print(console, &opened, || opened.text())?;
    Ok(Exit::Done)
}
