//! `write_stdin`: input for a job, and what it printed since the last page.

use std::io;
use std::time::{Duration, Instant};

use super::error::{host_killed, place_of};
use super::limits::{INPUT, Limits, POLL};
use super::output::JobOutput;
use super::{ExecError, stdin_closed};
use crate::artifact::ids::is_job;
use crate::live::runtime::AgentFolder;
use crate::live::wire::{
    Code, JobAnswer, JobRequest, JobState, JobTombstone, Page, Request, Value,
};
use crate::live::{Client, LiveError, Receipt};

/// Input for a job, or none.
#[derive(Clone, Debug, Default)]
pub struct WriteStdin {
    /// The job.
    pub job_id: String,
    /// What is typed; nothing to read on only.
    pub chars: String,
    /// Whether no more input comes after that.
    pub eof: bool,
    /// The longest wait in milliseconds, 250 where none is given, at most 30,000, and 300,000 where
    /// nothing is typed.
    pub yield_time_ms: Option<f64>,
    /// The longest text of the answer in tokens of four bytes, 4,000 where none is given.
    pub max_output_tokens: Option<f64>,
}

/// Types into a job, and gives what it printed since the last page, which is to be confirmed.
///
/// # Errors
/// [`ExecError`].
pub fn write_stdin(
    client: &Client,
    limits: &Limits,
    write: &WriteStdin,
) -> Result<(JobOutput, Receipt), ExecError> {
    let began = Instant::now();
    let id = &write.job_id;
    check_id(id)?;
    let types = write.eof || !write.chars.is_empty();
    let kind = if types { INPUT } else { POLL };
    let (wait, notes) = limits.waiting(kind, write.yield_time_ms, write.max_output_tokens)?;
    let jobs = client.jobs()?;
    let request = JobRequest::Write { chars: write.chars.clone(), eof: write.eof, wait };
    let (page, receipt) = match page_of(&jobs, id, request) {
        Err(ExecError::Unknown(_)) => {
            let output = after_end(&jobs, id, types)?.with_notes(notes);
            return Ok((output, Receipt::of_nothing()));
        }
        told => told?,
    };
    let elapsed = if page.already_collected { Duration::ZERO } else { began.elapsed() };
    Ok((JobOutput::next(id, page, elapsed).with_notes(notes), receipt))
}

/// Whether it has the form of a job's id.
pub(super) fn check_id(id: &str) -> Result<(), ExecError> {
    if is_job(id) {
        return Ok(());
    }
    let message = "job_id must be a codex-terminal job id such as codex-terminal-1";
    Err(ExecError::Invalid(message))
}

/// What is said of a job that is no more.
fn after_end(jobs: &Client, id: &str, types: bool) -> Result<JobOutput, ExecError> {
    // Each answer has a name of its own.
    let count = |tombstone: &mut JobTombstone| tombstone.state.sequence += 1;
    let tombstone = match types {
        true => tombstone(jobs, id),
        false => jobs.agent_folder().change_tombstone(id, count),
    };
    let tombstone = tombstone.ok_or_else(|| ExecError::Unknown(id.to_owned()))?;
    let state = tombstone.state;
    if tombstone.is_will {
        return Err(killed(id, &state));
    }
    if types {
        let message = stdin_closed(id, &state.status);
        return Err(ExecError::StdinClosed { id: id.to_owned(), message });
    }
    if !tombstone.is_collected {
        return Err(ExecError::Discarded {
            id: id.to_owned(),
            arguments: place_of(&state).block(&state.block_id),
        });
    }
    Ok(JobOutput::next(id, Page::collected(state), Duration::ZERO))
}

fn killed(id: &str, state: &JobState) -> ExecError {
    ExecError::HostKilled { id: id.to_owned(), why: host_killed(state) }
}

/// Why nothing is known of a job that was just there.
pub(super) fn why_gone(jobs: &AgentFolder, id: &str) -> ExecError {
    match jobs.tombstone::<JobTombstone>(id).filter(|tombstone| tombstone.is_will) {
        Some(tombstone) => killed(id, &tombstone.state),
        None => ExecError::Unknown(id.to_owned()),
    }
}

pub(super) fn tombstone(jobs: &Client, id: &str) -> Option<JobTombstone> {
    jobs.agent_folder().tombstone(id)
}

/// Asks a job for a page, which is to be confirmed.
pub(super) fn page_of(
    jobs: &Client,
    id: &str,
    request: JobRequest,
) -> Result<(Page, Receipt), ExecError> {
    match jobs.ask_to_confirm(id, Request::Job(request)) {
        Ok((Value::Job(JobAnswer::Page(page)), stream, watched)) => {
            let receipt = Receipt::over(stream, watched, page.is_last);
            Ok((*page, receipt))
        }
        Ok(_) => Err(unexpected(id)),
        Err(error) => Err(refused(jobs, id, error)),
    }
}

/// Asks a job.
pub(super) fn ask(jobs: &Client, id: &str, request: JobRequest) -> Result<JobAnswer, ExecError> {
    match jobs.ask(id, Request::Job(request)) {
        Ok(Value::Job(answer)) => Ok(answer),
        Ok(_) => Err(unexpected(id)),
        Err(error) => Err(refused(jobs, id, error)),
    }
}

/// What it means that a job did not answer.
fn refused(jobs: &Client, id: &str, error: LiveError) -> ExecError {
    match error {
        LiveError::Refused(refusal) => match refusal.code {
            Code::NoSession | Code::Closed => ExecError::Unknown(id.to_owned()),
            Code::Exited => ExecError::StdinClosed { id: id.to_owned(), message: refusal.message },
            _ => LiveError::Refused(refusal).into(),
        },
        // It went while we came.
        LiveError::Io { .. } if !jobs.is_there(id) => ExecError::Unknown(id.to_owned()),
        error => error.into(),
    }
}

pub(super) fn unexpected(id: &str) -> ExecError {
    let error = io::Error::new(io::ErrorKind::InvalidData, "its host is of another version");
    LiveError::Io { id: id.to_owned(), error }.into()
}
