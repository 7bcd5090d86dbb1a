//! `exec_command`: a command, and what it prints until it ends or the wait is over.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use super::ExecError;
use super::limits::{COMMAND, Limits};
use super::output::JobOutput;
use super::shell::usual_shell;
use super::state::JobsState;
use super::stdin::{page_of, why_gone};
use crate::artifact::{OnWait, ids};
use crate::home::{CodexHome, TerminalId, below_home};
use crate::live::runtime::AgentFolder;
use crate::live::start::start;
use crate::live::usual::usual_host;
use crate::live::wire::JobRequest;
use crate::live::{Client, HostConfig, JobConfig, LiveError, Receipt, Transport};
use crate::pty::can_enter;
use crate::record::recover;
use crate::screen::Size;
use crate::text::shell_quoted;

/// The size of a job's terminal, unless another one is wanted.
pub const JOB_SIZE: Size = Size { cols: 80, rows: 24 };

/// Bytes of an argument that every system takes, with the NUL behind them.
const LONGEST_ARGUMENT: usize = (128 << 10) - 1;

/// A command as it is asked for.
#[derive(Clone, Debug, Default)]
pub struct ExecCommand {
    /// What a shell is to run.
    pub cmd: String,
    /// Where, seen from [`ExecPlace::cwd`]; there if none is given.
    pub workdir: Option<PathBuf>,
    /// The longest wait in milliseconds, 10,000 where none is given, at most 30,000.
    pub yield_time_ms: Option<f64>,
    /// The longest text of the answer in tokens of four bytes, 4,000 where none is given.
    pub max_output_tokens: Option<f64>,
    /// What it runs in.
    pub transport: Transport,
}

/// What all commands of a caller have in common.
#[derive(Clone, Debug)]
pub struct ExecPlace {
    /// Where their blocks go; an absolute path.
    pub codex_home: PathBuf,
    /// The same as the caller was told; none where it is the usual one.
    pub given_home: Option<PathBuf>,
    /// The Codex thread of their blocks; one of the agent's own where none is given.
    pub session_id: Option<String>,
    /// Where they run; an absolute path.
    pub cwd: PathBuf,
    /// The shell that runs them; where none is given the user's, else bash, else sh.
    pub shell: Option<OsString>,
    /// Variables that they get.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that they keep although they look like secrets.
    pub keep_env: Vec<OsString>,
    /// The size of their terminals.
    pub size: Size,
    /// What is allowed.
    pub limits: Limits,
}

/// Runs a command, and gives what it prints until it ends, or until the wait is over, which is to be
/// confirmed. Then it goes on as a job.
///
/// # Errors
/// [`ExecError`]. How the command ends is none.
pub fn exec_command(
    client: &Client,
    place: &ExecPlace,
    command: &ExecCommand,
) -> Result<(JobOutput, Receipt), ExecError> {
    exec_command_as(client, place, command, &mut None)
}

/// The same; `job` becomes the job as soon as there is one, also where its page never comes.
///
/// # Errors
/// [`ExecError`].
pub(in crate::live) fn exec_command_as(
    client: &Client,
    place: &ExecPlace,
    command: &ExecCommand,
    job: &mut Option<String>,
) -> Result<(JobOutput, Receipt), ExecError> {
    let began = Instant::now();
    if command.cmd.trim().is_empty() {
        return Err(ExecError::Invalid("cmd must be a non-empty string"));
    }
    if command.cmd.contains('\0') {
        return Err(ExecError::Invalid("cmd must not hold a NUL"));
    }
    let (wait, notes) =
        place.limits.waiting(COMMAND, command.yield_time_ms, command.max_output_tokens)?;
    if command.workdir.as_ref().is_some_and(|workdir| workdir.as_os_str().is_empty()) {
        return Err(ExecError::Invalid("workdir must be a non-empty string"));
    }
    let workdir = match &command.workdir {
        Some(workdir) => place.cwd.join(below_home(workdir)),
        None => place.cwd.clone(),
    };
    can_enter(&workdir).map_err(|error| ExecError::Workdir { path: workdir.clone(), error })?;
    let jobs = client.jobs()?;
    let id = begin(&jobs, place, command, workdir)?;
    let id = &*job.insert(id);
    let told = page_of(&jobs, id, JobRequest::First { wait });
    let (page, receipt) = told.map_err(|error| match error {
        ExecError::Unknown(_) => why_gone(jobs.agent_folder(), id),
        error => error,
    })?;
    Ok((JobOutput::first(id, page, began.elapsed()).with_notes(notes), receipt))
}

/// Starts a job; its id.
fn begin(
    jobs: &Client,
    place: &ExecPlace,
    command: &ExecCommand,
    cwd: PathBuf,
) -> Result<String, ExecError> {
    let folder = jobs.agent_folder();
    let shell = match &place.shell {
        Some(shell) => shell.clone(),
        None => usual_shell().ok_or(ExecError::NoShell)?,
    };
    recover_dead(place, folder);
    // Others wait until this one's socket is there and counts.
    let _lock = jobs.lock()?;
    let ids = folder.ids().map_err(LiveError::from)?;
    let active = ids.iter().filter(|id| jobs.is_there(id)).count();
    if active >= place.limits.jobs {
        return Err(ExecError::TooMany(place.limits.jobs));
    }
    let mut state = JobsState::read(folder)?;
    state.count = state.count.saturating_add(1);
    state.write(folder)?;
    let id = format!("{}{}", ids::JOB, state.count);
    let text = argument(folder, &id, &command.cmd).map_err(ExecError::State)?;
    let config = HostConfig {
        terminal: state.terminal_id,
        session_id: place.session_id.clone().unwrap_or(state.session_id),
        codex_home: place.codex_home.clone(),
        given_home: place.given_home.clone(),
        kind: "command".to_owned(),
        command: vec![shell, "-c".into(), text.into()],
        cwd,
        env: place.env.clone(),
        keep_env: place.keep_env.clone(),
        cols: place.size.cols,
        rows: place.size.rows,
        retain: place.limits.retain,
        job: Some(JobConfig {
            id: id.clone(),
            cmd: command.cmd.clone(),
            transport: command.transport,
        }),
        ..usual_host(jobs)
    };
    start(&config).map_err(|error| {
        folder.drop_command(&id);
        match error {
            LiveError::Open(why) => ExecError::Start(why),
            other => other.into(),
        }
    })?;
    Ok(id)
}

/// What a shell gets for a command: itself, or where the system has no room for that in an argument,
/// what reads it.
fn argument(folder: &AgentFolder, id: &str, cmd: &str) -> io::Result<String> {
    if cmd.len() <= LONGEST_ARGUMENT {
        return Ok(cmd.to_owned());
    }
    let file = folder.keep_command(id, cmd)?;
    let file = shell_quoted(&file.to_string_lossy());
    // `.` would change `$0` in some shells. What cannot be read is no success.
    Ok(format!("eval \"$(cat {file} || echo exit 127; rm -f {file})\""))
}

/// What a killed host of another job left becomes a block first. Nobody is waited for: where that
/// does not work now it stays for the next one.
fn recover_dead(place: &ExecPlace, folder: &AgentFolder) {
    if let Some(state) = JobsState::known(folder)
        && let Ok(terminal) = TerminalId::new(&state.terminal_id)
        && state.count > 0
    {
        recover(&CodexHome::at(&place.codex_home), &terminal, &OnWait::never());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::live::agent::Agent;
    use crate::live::{HangUp, Runtime};

    #[test]
    fn a_call_that_is_cancelled_before_its_turn_starts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let client = Client::of(&Runtime::at(folder.path()), Agent::fresh().unwrap()).unwrap();
        let place = ExecPlace {
            codex_home: folder.path().join("codex"),
            given_home: None,
            session_id: None,
            cwd: folder.path().to_owned(),
            shell: Some("/bin/sh".into()),
            env: Vec::new(),
            keep_env: Vec::new(),
            size: JOB_SIZE,
            limits: Limits::default(),
        };
        let jobs = client.jobs().unwrap();
        let exec = |hang_up: &HangUp| {
            let (client, place) = (client.until(hang_up), place.clone());
            let command = ExecCommand { cmd: "true".to_owned(), ..ExecCommand::default() };
            let (tell, told) = mpsc::channel();
            let run = move || exec_command(&client, &place, &command).map(drop);
            thread::spawn(move || tell.send(run()));
            // Longer than anything takes: it may not wait for the lock.
            move || told.recv_timeout(Duration::from_secs(120)).unwrap()
        };
        let is_hung_up = |told| matches!(told, Err(ExecError::Live(LiveError::HungUp)));
        let hang_up = HangUp::default();
        let lock = jobs.agent_folder().lock_while(|| true).unwrap();
        let waiting = exec(&hang_up);
        hang_up.now();
        assert!(is_hung_up(waiting()));
        drop(lock);
        // Nor where it could begin at once.
        assert!(is_hung_up(exec(&hang_up)()));
        assert!(jobs.agent_folder().known().is_empty());
    }
}
