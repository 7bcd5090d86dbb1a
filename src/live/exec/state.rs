//! What an agent's jobs share: the terminal of their artifact, and how many there were.

use std::fs;
use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ExecError;
use crate::artifact::{clock, ids};
use crate::live::runtime::{AgentFolder, JOB_STATE};

/// What an agent's jobs share. Whoever reads it to write it has the lock of their folder.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct JobsState {
    /// The terminal that their blocks are of.
    pub(super) terminal_id: String,
    /// The Codex thread of those, where no call names another.
    pub(super) session_id: String,
    /// Jobs so far.
    pub(super) count: u64,
}

impl JobsState {
    /// What it is, or a new one where there were no jobs yet, or where a crash of the system left
    /// nothing readable of it.
    pub(super) fn read(folder: &AgentFolder) -> Result<Self, ExecError> {
        let known = Self::readable(folder).map_err(ExecError::State)?;
        known.map_or_else(|| Self::fresh(folder).map_err(ExecError::State), Ok)
    }

    /// What it is, where that can be read.
    pub(super) fn known(folder: &AgentFolder) -> Option<Self> {
        Self::readable(folder).ok().flatten()
    }

    fn readable(folder: &AgentFolder) -> io::Result<Option<Self>> {
        match fs::read(folder.path().join(JOB_STATE)) {
            Ok(data) => Ok(serde_json::from_slice(&data).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// One that gives no id which a job still has.
    fn fresh(folder: &AgentFolder) -> io::Result<Self> {
        let terminal_id = ids::terminal_id(clock::milliseconds(Timestamp::now()))?.to_string();
        let names = folder.known();
        let jobs = names.iter().filter(|name| ids::is_job(name));
        let numbers = jobs.filter_map(|job| job[ids::JOB.len()..].parse().ok());
        let count = numbers.max().unwrap_or(0);
        Ok(Self { terminal_id, session_id: ids::session_id()?, count })
    }

    pub(super) fn write(&self, folder: &AgentFolder) -> Result<(), ExecError> {
        folder.keep(JOB_STATE, self).map_err(ExecError::State)
    }
}
