//! What an agent's jobs share: the terminal of their artifact, and how many there were.

use std::fs;
use std::io::{self, Write};

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
    /// What it is, or a new one where there were no jobs yet.
    pub(super) fn read(folder: &AgentFolder) -> Result<Self, ExecError> {
        match fs::read(folder.path().join(JOB_STATE)) {
            Ok(data) => {
                serde_json::from_slice(&data).map_err(|error| ExecError::State(error.into()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Self::fresh().map_err(ExecError::State)
            }
            Err(error) => Err(ExecError::State(error)),
        }
    }

    fn fresh() -> io::Result<Self> {
        let terminal_id = ids::terminal_id(clock::milliseconds(Timestamp::now()))?.to_string();
        Ok(Self { terminal_id, session_id: ids::session_id()?, count: 0 })
    }

    pub(super) fn write(&self, folder: &AgentFolder) -> Result<(), ExecError> {
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(folder.path())?;
            file.write_all(&serde_json::to_vec(self)?)?;
            file.persist(folder.path().join(JOB_STATE)).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(ExecError::State)
    }
}
