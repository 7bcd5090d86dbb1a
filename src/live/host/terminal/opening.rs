//! How a terminal is opened, and why it could not be.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, ErrorKind};
use std::time::Duration;

use rustix::process::Pid;

use super::Terminal;
use crate::artifact::{OnWait, Store};
use crate::home::{CodexHome, TerminalId};
use crate::live::host::config::{HostConfig, Transport};
use crate::live::host::delivery::Delivery;
use crate::live::host::environment::program;
use crate::live::host::pages::Pages;
use crate::live::host::replies::Replies;
use crate::live::host::screen_now::Gone;
use crate::live::host::shell::Shell;
use crate::live::place::Place;
use crate::pty::{Pty, SpawnError, spawn, spawn_in_group};
use crate::record::{Command, JournalError, MarkFilter, Plan, Recording, Typed, install_hook};
use crate::screen::{Screen, Scrollback, Size};
use crate::text::{shell_quoted, system_error};

/// How long a block waits for another program that writes into the session.
const LOCK_WAIT: Duration = Duration::from_millis(500);
/// The same for a job, of whose session many others may end at once.
const LOCK_WAIT_OF_JOB: Duration = Duration::from_secs(10);

/// Why a terminal could not be opened.
#[derive(Debug, thiserror::Error)]
pub(in crate::live::host) enum OpenError {
    #[error("no terminal to be had: {}", system_error(.0))]
    Pty(io::Error),
    #[error("cannot make a prompt hook: {}", system_error(.0))]
    Hook(io::Error),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error("{0} is no terminal id")]
    Id(String),
}

impl Terminal {
    /// Opens it and starts the program.
    pub(in crate::live::host) fn open(config: &HostConfig, size: Size) -> Result<Self, OpenError> {
        let id = TerminalId::new(&config.terminal)
            .map_err(|_| OpenError::Id(config.terminal.clone()))?;
        let transport = config.job.as_ref().map_or(Transport::Terminal, |job| job.transport);
        let (mut pty, note) = open_pty(transport, || Pty::open(size)).map_err(OpenError::Pty)?;
        let mut program = program(config);
        let words = config.command.iter().map(|word| shell_quoted(&word.to_string_lossy()));
        let whole = Command {
            text: Some(match &config.job {
                Some(job) => job.cmd.clone(),
                None => words.collect::<Vec<_>>().join(" "),
            }),
            cwd: Some(config.cwd.to_string_lossy().into_owned()),
            started: None,
        };
        let hook = match config.kind.as_str() {
            "shell" => install_hook(&mut program, config.plain).map_err(OpenError::Hook)?,
            _ => None,
        };
        let store = Store::new(&CodexHome::at(&config.codex_home), &id);
        let folder = store.folder().to_owned();
        let mut recording = Recording::begin(Plan {
            store,
            terminal: id,
            session_id: config.session_id.clone(),
            size,
            journal_limit: config.journal_limit,
            retain: config.retain,
            whole,
            has_marks: hook.is_some(),
            step_id: config.job.as_ref().map(|job| job.id.clone()),
        })?;
        // Others may hold the session for long; clients are answered meanwhile.
        let wait = if config.job.is_some() { LOCK_WAIT_OF_JOB } else { LOCK_WAIT };
        recording.on_wait = Some(Box::new(move |_| OnWait::at_most(wait)));
        let start = if config.job.is_some() { spawn_in_group } else { spawn };
        let child = match start(&pty, &program) {
            Ok(child) => child,
            Err(error) => {
                recording.abandon();
                return Err(error.into());
            }
        };
        if pty.is_pipes() {
            // What is open here would keep their end from being seen.
            pty.let_go();
        }
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let leader = leader.ok_or_else(|| OpenError::Pty(ErrorKind::NotFound.into()))?;
        Ok(Self {
            place: Place::of(config),
            pty,
            leader,
            shell: Shell::new(hook.is_some()),
            delivery: Delivery::default(),
            input: Typed::piped(),
            last_output: None,
            last_typed: None,
            printed: 0,
            seen: Screen::new(size, Scrollback::Unlimited).with_replies().with_events(),
            gone: Gone::default(),
            last_block: recording.written.block_id(),
            recording: Some(recording),
            marks: hook.as_ref().map(|hook| MarkFilter::new(hook.nonce.clone())),
            tells_stops: hook.as_ref().is_some_and(|hook| hook.tells_stops),
            stopped: BTreeSet::new(),
            settling: None,
            replies: Replies::default(),
            is_held: false,
            is_input_lost: false,
            hook,
            wait_status: None,
            ended: None,
            output_is_over: false,
            buffer: Vec::new(),
            unwritten: None,
            erasures: 0,
            complaints: note.into_iter().collect(),
            watchers: VecDeque::new(),
            is_watched: false,
            in_string: 0,
            pages: config.job.as_ref().map(|_| Pages::new(&folder, config.retain)),
            block_lines: None,
        })
    }
}

/// A terminal, or pipes where that is wanted, or allowed and there is none; what is to be said of
/// that.
fn open_pty(
    transport: Transport,
    open: impl FnOnce() -> io::Result<Pty>,
) -> io::Result<(Pty, Option<String>)> {
    let error = match transport {
        Transport::Pipes => return Ok((Pty::pipes()?, None)),
        Transport::Either | Transport::Terminal => match open() {
            Ok(pty) => return Ok((pty, None)),
            Err(error) => error,
        },
    };
    if transport == Transport::Terminal {
        return Err(error);
    }
    let why = format!("no terminal to be had, so it has pipes: {}", system_error(&error));
    Ok((Pty::pipes()?, Some(why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipes_take_the_place_of_a_terminal_that_is_not_to_be_had() {
        let none = || Err(io::Error::from_raw_os_error(libc::ENOSPC));
        let (pty, note) = open_pty(Transport::Either, none).unwrap();
        assert!(pty.is_pipes());
        assert_eq!(
            note.as_deref(),
            Some("no terminal to be had, so it has pipes: No space left on device")
        );
        assert!(open_pty(Transport::Terminal, none).is_err());
        let some = || Pty::open(Size { cols: 80, rows: 24 });
        let (pty, note) = open_pty(Transport::Either, some).unwrap();
        assert_eq!((pty.is_pipes(), note), (false, None));
        assert!(open_pty(Transport::Pipes, some).unwrap().0.is_pipes());
    }
}
