//! `job_list` and `job_kill`.

use serde::Serialize;

use super::ExecError;
use super::error::host_killed;
use super::state::JobsState;
use super::stdin::{ask, check_id, tombstone, unexpected, why_gone};
use crate::artifact::ids::is_job;
use crate::live::agent::Agent;
use crate::live::client::{operate, places};
use crate::live::roll_call::{Place, ask_all};
use crate::live::runtime::AgentFolder;
use crate::live::wire::{
    Call, Closed, JobAnswer, JobRequest, JobState, JobTombstone, Request, Status, Value,
};
use crate::live::{Client, LiveError, Runtime};

/// A job in a list.
#[derive(Clone, Debug, Serialize)]
pub struct JobRow {
    /// The job.
    pub job_id: String,
    /// Its command on one line.
    pub label: String,
    /// `running`, `stopping`, `completed` or `killed`; `failed` where its host was killed,
    /// `unresponsive` where that does not answer.
    pub status: &'static str,
    /// Its exit code, if it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// What is known in place of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether its output was read to the end.
    pub collected: bool,
    /// Whether there is anything to be read, its end included.
    pub unread: bool,
    /// The terminal of its artifact.
    pub terminal_id: String,
    /// Its block, which is there once it has ended; empty where its host does not answer.
    pub block_id: String,
}

/// Jobs, in the order of their numbers.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct JobList(pub Vec<JobRow>);

/// What became of the wish to end a job.
#[derive(Clone, Debug, Serialize)]
pub struct JobKilled {
    /// Whether it was over already.
    pub already_finished: bool,
    /// How it is.
    #[serde(flatten)]
    pub job: JobRow,
}

impl JobRow {
    fn new(id: String, state: JobState, collected: bool) -> Self {
        let (exit_code, signal) = state.status.end();
        let status = match (&state.status, state.is_killed) {
            (Status::Running | Status::Unresponsive, false) => "running",
            (Status::Running | Status::Unresponsive, true) => "stopping",
            (Status::Exited { .. }, false) => "completed",
            (Status::Exited { .. }, true) => "killed",
        };
        Self {
            job_id: id,
            label: state.label,
            status,
            exit_code,
            signal,
            error: None,
            collected,
            unread: state.has_unread && !collected,
            terminal_id: state.terminal_id,
            block_id: state.block_id,
        }
    }

    /// What is left of a job.
    fn gone(id: String, tombstone: JobTombstone) -> Self {
        let error = tombstone.is_will.then(|| host_killed(&tombstone.state));
        let row = Self::new(id, tombstone.state, tombstone.is_collected);
        let unread = row.unread && error.is_none();
        Self { status: if error.is_some() { "failed" } else { row.status }, error, unread, ..row }
    }

    /// What is known of a job whose host does not answer.
    fn unresponsive(id: String, terminal_id: String) -> Self {
        Self {
            job_id: id,
            label: "its host does not answer".to_owned(),
            status: "unresponsive",
            exit_code: None,
            signal: None,
            error: None,
            collected: false,
            unread: false,
            terminal_id,
            block_id: String::new(),
        }
    }

    fn text(&self) -> String {
        let end = self.exit_code.map(|code| format!(" [exit code: {code}]"));
        let end = end.or_else(|| Some(format!(" [signal: {}]", self.signal.as_ref()?)));
        format!(
            "{} [codex-terminal] {} — {}{}{}\n",
            self.job_id,
            self.status,
            self.label,
            end.unwrap_or_default(),
            if self.unread { " [unread output]" } else { "" }
        )
    }

    /// How it ended.
    fn detail(&self) -> String {
        match (self.exit_code, &self.signal, &self.error) {
            (Some(code), ..) => format!("{}, exit code: {code}", self.status),
            (None, Some(signal), _) => format!("{}, signal: {signal}", self.status),
            (None, None, Some(error)) => format!("{}: {error}", self.status),
            (None, None, None) => self.status.to_owned(),
        }
    }
}

impl JobList {
    /// A line for each, with what names it among those of all agents.
    pub fn text_of_all(&self) -> String {
        let line = |row: &JobRow| format!("{}/{}", row.terminal_id, row.text());
        match self.0.is_empty() {
            true => self.text(),
            false => self.0.iter().map(line).collect(),
        }
    }

    /// A line for each.
    pub fn text(&self) -> String {
        match self.0.is_empty() {
            true => "(no background jobs)\n".to_owned(),
            false => self.0.iter().map(JobRow::text).collect(),
        }
    }
}

impl JobKilled {
    /// What happened, in a line.
    pub fn text(&self) -> String {
        let id = &self.job.job_id;
        match self.already_finished {
            true => format!("job {id} had already finished [status: {}]\n", self.job.detail()),
            false => format!("requested cancellation of job {id}\n"),
        }
    }
}

/// The agent's jobs: those that run, and those that ended within the last hour or are not read to
/// their end.
///
/// # Errors
/// [`ExecError`].
pub fn job_list(client: &Client) -> Result<JobList, ExecError> {
    let jobs = client.jobs()?;
    rows_of(std::slice::from_ref(jobs.agent_folder()), Some(client.agent()))
}

/// The jobs of all agents of this user.
///
/// # Errors
/// [`ExecError`].
pub fn job_list_all(runtime: &Runtime) -> Result<JobList, ExecError> {
    let agents = runtime.all().map_err(LiveError::from)?;
    let folders: Vec<_> = agents.iter().filter_map(AgentFolder::jobs_if_any).collect();
    rows_of(&folders, None)
}

/// Ends a job of any agent of this user, with what it printed and nobody read; its block stays.
/// `name` is the terminal of the agent's jobs, a slash and the job.
///
/// # Errors
/// [`ExecError`].
pub fn job_close_any(runtime: &Runtime, name: &str) -> Result<Closed, ExecError> {
    let message = "a job of any agent is named as TERMINAL/JOB, as `jobs list --operator` does";
    let (terminal, id) = name.rsplit_once('/').ok_or(ExecError::Invalid(message))?;
    check_id(id)?;
    for agent in runtime.all().map_err(LiveError::from)? {
        if let Some(folder) = agent.jobs_if_any()
            && terminal_of(&folder, id).is_some_and(|its| its == terminal)
        {
            if !folder.is_there(id) {
                return Err(match why_gone(&folder, id) {
                    ExecError::Unknown(_) => ExecError::Unknown(name.to_owned()),
                    error => error,
                });
            }
            return match operate(&folder, id, Request::Close)? {
                Value::Closed(closed) => Ok(closed),
                _ => Err(unexpected(id)),
            };
        }
    }
    Err(ExecError::Unknown(name.to_owned()))
}

/// The terminal that a job's block is of, asking nobody. What agents' jobs share now may be newer than
/// the job, and may not be readable.
fn terminal_of(folder: &AgentFolder, id: &str) -> Option<String> {
    let known = folder.will::<JobTombstone>(id).or_else(|| folder.tombstone(id));
    match known {
        Some(known) => Some(known.state.terminal_id),
        None => Some(JobsState::known(folder)?.terminal_id),
    }
}

/// All jobs in these folders, in the order of those.
fn rows_of(folders: &[AgentFolder], agent: Option<&Agent>) -> Result<JobList, ExecError> {
    let agent = agent.map(|agent| agent.token().to_owned());
    let call = Call { agent, request: Request::Job(JobRequest::Status) };
    let heard = ask_all(places(folders).map_err(LiveError::from)?, &call);
    let mut all = Vec::new();
    for folder in folders {
        let is_its = |((place, _), _): &&(Place<'_>, _)| place.path() == folder.path();
        let mut rows: Vec<JobRow> = Vec::new();
        for ((_, id), value) in heard.iter().filter(is_its) {
            match value {
                Some(Value::Job(JobAnswer::Status(state))) => {
                    rows.push(JobRow::new(id.clone(), state.clone(), false));
                }
                Some(_) => {}
                None => {
                    let terminal_id = terminal_of(folder, id).unwrap_or_default();
                    rows.push(JobRow::unresponsive(id.clone(), terminal_id));
                }
            }
        }
        // After those: what ends meanwhile is found here.
        for id in folder.gone().into_iter().filter(|id| is_job(id)) {
            if let Some(tombstone) = folder.tombstone::<JobTombstone>(&id) {
                rows.retain(|row| row.job_id != id);
                rows.push(JobRow::gone(id, tombstone));
            }
        }
        rows.sort_by(|a, b| (a.job_id.len(), &a.job_id).cmp(&(b.job_id.len(), &b.job_id)));
        all.append(&mut rows);
    }
    Ok(JobList(all))
}

/// Waits for the end of a job, however long that takes, and reads nothing of it.
///
/// # Errors
/// [`ExecError`].
pub fn job_wait(client: &Client, id: &str) -> Result<JobRow, ExecError> {
    check_id(id)?;
    let jobs = client.jobs()?;
    match ask(&jobs, id, JobRequest::Wait) {
        Ok(JobAnswer::Status(state)) => Ok(JobRow::new(id.to_owned(), state, false)),
        Ok(_) => Err(unexpected(id)),
        Err(ExecError::Unknown(_)) => match tombstone(&jobs, id) {
            Some(gone) => Ok(JobRow::gone(id.to_owned(), gone)),
            None => Err(ExecError::Unknown(id.to_owned())),
        },
        Err(error) => Err(error),
    }
}

/// Ends a job and all that came of it. What it printed stays to be read.
///
/// # Errors
/// [`ExecError`].
pub fn job_kill(client: &Client, id: &str) -> Result<JobKilled, ExecError> {
    check_id(id)?;
    let jobs = client.jobs()?;
    match ask(&jobs, id, JobRequest::Kill) {
        Ok(JobAnswer::Killed { already_finished, state }) => {
            Ok(JobKilled { already_finished, job: JobRow::new(id.to_owned(), state, false) })
        }
        Ok(_) => Err(unexpected(id)),
        Err(ExecError::Unknown(_)) => match tombstone(&jobs, id) {
            Some(gone) => {
                let job = JobRow::gone(id.to_owned(), gone);
                Ok(JobKilled { already_finished: true, job })
            }
            None => Err(ExecError::Unknown(id.to_owned())),
        },
        Err(error) => Err(error),
    }
}

/// Ends all jobs of an agent, which is gone: what they printed is in their blocks.
///
/// # Errors
/// [`ExecError`]; as many as can be ended are.
pub fn close_jobs(client: &Client) -> Result<(), ExecError> {
    let jobs = client.jobs()?;
    let ids = jobs.agent_folder().ids().map_err(LiveError::from)?;
    let mut result = Ok(());
    std::thread::scope(|scope| {
        let close = |id: &String| match jobs.ask(id, Request::Close) {
            Ok(_) | Err(LiveError::Refused(_)) => Ok(()),
            Err(_) if !jobs.is_there(id) => Ok(()),
            Err(error) => Err(error),
        };
        let threads: Vec<_> = ids.iter().map(|id| scope.spawn(move || close(id))).collect();
        for thread in threads {
            if let Ok(Err(error)) = thread.join() {
                result = Err(error.into());
            }
        }
    });
    result
}
