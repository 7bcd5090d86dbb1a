//! The terminal of a label, opened where there is none.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::arguments::Call;
use super::labels::Labels;
use crate::artifact::{clock, ids};
use crate::live::Voice;
use crate::live::host::HostConfig;
use crate::live::usual::usual_host;
use crate::live::wire::{Code, Request, Row, Status, Value};
use crate::live::{Client, LiveError};
use crate::text::system_error;

/// Where terminals are opened.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where their sessions are, absolute.
    pub codex_home: PathBuf,
    /// The same as whoever calls named it; none where nobody did.
    pub given_home: Option<PathBuf>,
    /// Where their shells start, absolute.
    pub cwd: PathBuf,
    /// The Codex thread of their blocks.
    pub session_id: String,
    /// Most live terminals of the agent.
    pub max_terminals: usize,
    /// Whom messages are for.
    pub voice: Voice,
}

/// A terminal that a label means.
pub(super) struct Terminal {
    pub(super) id: String,
    /// What became of the one before.
    pub(super) notes: Vec<String>,
}

/// The terminal of a label. One that ended is opened anew, but for who only looks.
///
/// # Errors
/// [`LiveError`].
pub(super) fn terminal_of(
    client: &Client,
    call: &Call<'_>,
    place: &Place,
) -> Result<Terminal, LiveError> {
    // How the one ended that the label was found to mean.
    let mut before: Option<(String, String)> = None;
    loop {
        // Without the lock: a host that does not answer keeps nobody else waiting, and who changes
        // the labels replaces all of them at once.
        let known = Labels::read(client.folder()).id(call.label).map(str::to_owned);
        let is_new = |id: &String| before.as_ref().is_none_or(|(old, _)| old != id);
        let found = match known.filter(is_new) {
            Some(id) => id,
            None => {
                let rows = client.list()?;
                let _lock = client.lock()?;
                let mut labels = Labels::read(client.folder());
                match labels.id(call.label).map(str::to_owned).filter(is_new) {
                    // Others have opened a new one meanwhile.
                    Some(id) => id,
                    None => {
                        let id = open(client, call, place, rows, &mut labels)?;
                        let notes = before.map(|(old, end)| note(call, place, &old, &end));
                        return Ok(Terminal { id, notes: notes.into_iter().collect() });
                    }
                }
            }
        };
        match end_of(client, call, &found)? {
            None => {
                let notes = before.map(|(old, end)| note(call, place, &old, &end));
                return Ok(Terminal { id: found, notes: notes.into_iter().collect() });
            }
            Some(end) => before = Some((found, end)),
        }
    }
}

/// What became of the terminal before.
fn note(call: &Call<'_>, place: &Place, id: &str, end: &str) -> String {
    let old = crate::live::place::Place::new(id, place.given_home.as_deref());
    format!(
        "terminal {} {end}; this is a new one, and the state of the old one is lost \
         (terminal-session-summary {} prints what was shown)",
        call.label,
        old.terminal()
    )
}

/// How a terminal ended, if it did and is of no more use.
fn end_of(client: &Client, call: &Call<'_>, id: &str) -> Result<Option<String>, LiveError> {
    match client.ask_soon(id, Request::Status) {
        Ok(Value::Status(row)) => match row.status {
            Status::Running | Status::Unresponsive => Ok(None),
            Status::Exited { .. } if call.is_poll() => Ok(None),
            Status::Exited { exit_code, signal } => {
                // Its blocks are written. What still runs in it has nobody to be told.
                client.ask_soon(id, Request::Close).map(drop).unwrap_or_default();
                Ok(Some(ended(exit_code, signal.as_deref())))
            }
        },
        Ok(_) => Err(LiveError::OtherVersion),
        Err(error) if matches!(error.code(), Some(Code::Closed)) => Ok(Some("was closed".into())),
        Err(error) if matches!(error.code(), Some(Code::NoSession)) => Ok(Some("is gone".into())),
        Err(error) => Err(error),
    }
}

/// Opens one for who holds the lock, beside those that were known a moment ago; its id.
fn open(
    client: &Client,
    call: &Call<'_>,
    place: &Place,
    known: Vec<Row>,
    labels: &mut Labels<'_>,
) -> Result<String, LiveError> {
    let config = config(client, place).map_err(|error| LiveError::Open(system_error(&error)))?;
    client.open_among(known, &config, place.max_terminals)?;
    let id = config.terminal;
    if let Err(error) = labels.set(call.label, &id) {
        // Nobody would find it again.
        client.ask_soon(&id, Request::Close).map(drop).unwrap_or_default();
        return Err(LiveError::Open(system_error(&error)));
    }
    Ok(id)
}

fn ended(exit_code: Option<i32>, signal: Option<&str>) -> String {
    match (exit_code, signal) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was ended by {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

fn config(client: &Client, place: &Place) -> std::io::Result<HostConfig> {
    Ok(HostConfig {
        terminal: ids::terminal_id(clock::milliseconds(Timestamp::now()))?.to_string(),
        session_id: place.session_id.clone(),
        codex_home: place.codex_home.clone(),
        given_home: place.given_home.clone(),
        command: vec![bash().into()],
        cwd: place.cwd.clone(),
        plain: true,
        ..usual_host(client)
    })
}

/// The one that every system has there; else the first one on the way.
fn bash() -> &'static Path {
    let usual = Path::new("/bin/bash");
    if usual.exists() { usual } else { Path::new("bash") }
}
