//! `terminal_open`.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::Serialize;

use super::{render, unexpected};
use crate::artifact::OnWait;
use crate::home::{CodexHome, TerminalId};
use crate::live::usual::usual_host;
use crate::live::wire::{Request, Sent, Status, Value, Waiting};
use crate::live::{Client, HostConfig, LiveError};
use crate::record::{Outcome, recover, usual_shell};
use crate::screen::Size;

/// A terminal to be opened.
#[derive(Debug)]
pub struct OpenRequest {
    /// `shell`, or `command` for the one that is given.
    pub kind: String,
    /// What the agent calls it.
    pub name: Option<String>,
    /// Its id.
    pub terminal: TerminalId,
    /// The Codex thread that its blocks belong to.
    pub session_id: String,
    /// Where its session is to be; absolute.
    pub codex_home: PathBuf,
    /// The same as whoever calls named it, absolute or below `~`; none where nobody did.
    pub given_home: Option<PathBuf>,
    /// Where it starts; absolute.
    pub cwd: PathBuf,
    /// Variables for the program.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that it keeps although they look like secrets.
    pub keep_env: Vec<OsString>,
    /// Whether pagers stay what they are.
    pub keep_pager: bool,
    /// The size.
    pub size: Size,
    /// The shell; the user's own where there is none.
    pub shell: Option<OsString>,
    /// Seconds without any use after which it is closed; 0 for never.
    pub idle_timeout: u64,
    /// Most bytes of a block beyond the rows in memory; older lines are dropped.
    pub retain: u64,
    /// Most terminals that the agent may have at a time.
    pub most: usize,
    /// The command and its arguments, where it is no shell.
    pub command: Vec<OsString>,
    /// How to wait for it and how much to answer.
    pub wait: Waiting,
}

/// What was opened.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// Its id, which is that of its artifact.
    pub session_id: String,
    /// What its agent calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `shell` or `command`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of its program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Whether its program runs.
    pub status: Status,
    /// What was shown at the start.
    pub motd: String,
    /// The Codex thread that its blocks belong to.
    pub codex_session_id: String,
    /// The same with why the wait is over.
    #[serde(flatten)]
    pub sent: Sent,
}

impl Opened {
    /// What was opened, and what it showed.
    pub fn text(&self) -> String {
        let (id, sent) = (&self.session_id, &self.sent);
        let name = render::name(self.name.as_deref());
        let mut out = format!("started terminal session {id}{name} [type: {}]\n", self.kind);
        out.push_str(&render::body(&sent.shown, "(no startup output)"));
        out.push_str(&format!("[wait: {}]\n", render::reason(sent.wait_reason)));
        out.push_str(&format!("[session: {}]\n", render::status(&sent.session_status)));
        out.push_str(&render::details(&sent.shown));
        out.push_str(&render::notes(&sent.notes));
        out
    }
}

impl OpenRequest {
    fn config(&self, client: &Client) -> Result<HostConfig, LiveError> {
        let command = match (self.kind.as_str(), self.command.is_empty()) {
            ("", _) => return Err(LiveError::invalid("type must be a non-empty string")),
            ("shell", true) => vec![self.shell.clone().unwrap_or_else(usual_shell)],
            ("shell" | "command", false) => self.command.clone(),
            (kind, _) => return Err(LiveError::NoBackend(kind.to_owned())),
        };
        if self.name.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return Err(LiveError::invalid("PTY session name must be non-empty"));
        }
        let kind = if self.command.is_empty() { "shell" } else { "command" };
        Ok(HostConfig {
            terminal: self.terminal.to_string(),
            session_id: self.session_id.clone(),
            codex_home: self.codex_home.clone(),
            given_home: self.given_home.clone(),
            name: self.name.clone(),
            kind: kind.to_owned(),
            command,
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            keep_env: self.keep_env.clone(),
            keep_pager: self.keep_pager,
            cols: self.size.cols,
            rows: self.size.rows,
            idle_timeout: self.idle_timeout,
            retain: self.retain,
            ..usual_host(client)
        })
    }
}

/// What a host of this terminal left that was killed becomes a block first.
fn recover_dead(request: &OpenRequest, on_wait: &OnWait, note: &mut dyn FnMut(String)) {
    let (home, terminal) = (CodexHome::at(&request.codex_home), &request.terminal);
    for recovery in recover(&home, terminal, on_wait) {
        match recovery.outcome {
            Ok(Outcome::Block { block, .. }) => {
                note(format!("recovered block {} of terminal {terminal}", block.block_id));
            }
            Ok(_) => {}
            Err(error) => note(format!("cannot recover an older recording: {error}")),
        }
    }
}

/// Opens a terminal and waits until it is ready. `on_wait` hears of another program that is waited
/// for, `note` of what an older recording of the same terminal left.
///
/// # Errors
/// [`LiveError`].
pub fn open(
    client: &Client,
    request: &OpenRequest,
    on_wait: &OnWait,
    note: &mut dyn FnMut(String),
) -> Result<Opened, LiveError> {
    let config = request.config(client)?;
    recover_dead(request, on_wait, note);
    client.open(&config, request.most)?;
    let id = config.terminal.as_str();
    let Value::Sent(sent) = client.ask(id, Request::Started { wait: request.wait })? else {
        return Err(unexpected());
    };
    let Value::Status(row) = client.ask(id, Request::Status)? else {
        return Err(unexpected());
    };
    Ok(Opened {
        session_id: config.terminal,
        name: row.name,
        kind: row.kind,
        pid: row.pid,
        status: row.status,
        motd: sent.shown.viewport.clone(),
        codex_session_id: config.session_id,
        sent,
    })
}
