//! `open`: a new terminal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Context, WaitingArgs, refused, render, unexpected};
use crate::cli::record::TargetArgs;
use crate::cli::{Console, Exit, Failure};
use crate::home::{CodexHome, TerminalId};
use crate::live::wire::{Request, Sent, Status, Value};
use crate::live::{HostConfig, MOST_TERMINALS};
use crate::record::{Outcome, SizeChoice, recover, usual_shell};
use crate::screen::Size;

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
    #[arg(long, value_name = "SECONDS", default_value_t = 24 * 3600)]
    idle_timeout: u64,

    /// Most of what one block keeps beyond 10,000 rows, in bytes, KiB, MiB or GiB; older lines are
    /// dropped and counted
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = crate::cli::record::byte_count)]
    retain: u64,

    /// Most terminals that this agent may have at a time; one more is refused
    #[arg(long, value_name = "N", default_value_t = MOST_TERMINALS)]
    max_terminals: usize,

    #[command(flatten)]
    waiting: WaitingArgs,

    /// Command to run instead of a shell
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What was opened.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Opened<'a> {
    session_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    status: Status,
    motd: &'a str,
    codex_session_id: &'a str,
    #[serde(flatten)]
    sent: &'a Sent,
}

impl OpenArgs {
    fn config(&self, context: &Context<'_>) -> Result<HostConfig, Failure> {
        let kind = self.r#type.as_str();
        let command = match (kind, self.command.is_empty()) {
            ("", _) => return Err(Failure::usage("type must be a non-empty string")),
            ("shell", true) => vec![self.shell.clone().unwrap_or_else(usual_shell)],
            ("shell" | "command", false) => self.command.clone(),
            ("command", true) => return Err(Failure::usage("no command is given after --")),
            (other, _) => {
                let message = format!("no PTY backend registered for \"{other}\"");
                return Err(Failure::failed(message));
            }
        };
        if self.name.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return Err(Failure::usage("PTY session name must be non-empty"));
        }
        let kind = if self.command.is_empty() { "shell" } else { "command" };
        // Where it was deleted, whole paths still do.
        let here = std::env::current_dir().unwrap_or_default();
        let codex_home = context.common.home()?;
        let size = self.size.or(Size { cols: 120, rows: 30 });
        Ok(HostConfig {
            terminal: self.target.terminal()?.to_string(),
            session_id: self.target.session()?,
            // Later calls may come from another folder.
            given_home: context.common.given_home().map(|home| match home.as_encoded_bytes() {
                [b'~', ..] => PathBuf::from(home),
                _ => here.join(home),
            }),
            codex_home: here.join(codex_home.path()),
            agent: String::new(),
            folder: PathBuf::new(),
            name: self.name.clone(),
            kind: kind.to_owned(),
            command,
            cwd: folder(&here, self.cwd.as_deref())?,
            env: self.env.clone(),
            keep_env: self.keep_env.clone(),
            keep_pager: self.keep_pager,
            cols: size.cols,
            rows: size.rows,
            idle_timeout: self.idle_timeout,
            journal_limit: 256 << 20,
            retain: self.retain,
            job: None,
        })
    }
}

/// What a host of this terminal left that was killed becomes a block first.
fn recover_dead(config: &HostConfig, console: &mut Console) {
    let home = CodexHome::at(&config.codex_home);
    let Ok(terminal) = TerminalId::new(&config.terminal) else {
        return;
    };
    for recovery in recover(&home, &terminal, &console.on_wait()) {
        match recovery.outcome {
            Ok(Outcome::Block { block, .. }) => {
                console.note(&format!("recovered block {} of terminal {terminal}", block.block_id));
            }
            Ok(_) => {}
            Err(error) => console.note(&format!("cannot recover an older recording: {error}")),
        }
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
    let mut config = args.config(context)?;
    recover_dead(&config, console);
    let client = context.client()?;
    config.agent = client.agent().hash().digits().to_owned();
    config.folder = client.folder().to_owned();
    client.open(&config, args.max_terminals).map_err(refused)?;
    let id = config.terminal.as_str();
    let wait = args.waiting.waiting();
    let Value::Sent(sent) = client.ask(id, Request::Started { wait }).map_err(refused)? else {
        return Err(unexpected());
    };
    let Value::Status(row) = client.ask(id, Request::Status).map_err(refused)? else {
        return Err(unexpected());
    };
    let opened = Opened {
        session_id: id,
        name: row.name.as_deref(),
        kind: &row.kind,
        pid: row.pid,
        status: row.status.clone(),
        motd: &sent.shown.viewport,
        codex_session_id: &config.session_id,
        sent: &sent,
    };
    context.print(console, &opened, || {
        let name = render::name(config.name.as_deref());
        let mut out = format!("started terminal session {id}{name} [type: {}]\n", row.kind);
        out.push_str(&render::body(&sent.shown, "(no startup output)"));
        out.push_str(&format!("[wait: {}]\n", render::reason(sent.wait_reason)));
        out.push_str(&format!("[session: {}]\n", render::status(&sent.session_status)));
        out.push_str(&render::details(&sent.shown));
        out.push_str(&render::notes(&sent.notes));
        out
    })?;
    Ok(Exit::Done)
}
