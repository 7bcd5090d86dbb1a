//! The folder with the sockets of live terminals.
//!
//! `agents/HASH/ID.sock` is the terminal ID of the agent whose secret has that hash. So the way to
//! another agent's terminal and to one that does not exist is the same: a name that is not there.
//! `ID.gone` is what is left of a terminal that was closed.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use thiserror::Error;

use super::agent::{AGENT, Agent, AgentHash};
use crate::text::system_error;

/// Names the folder, where it is not to be in the user's usual one.
pub const RUNTIME: &str = "TERMINAL_SESSION_RUNTIME_DIR";

const NAME: &str = "terminal-session";
const AGENTS: &str = "agents";
const SOCKET: &str = ".sock";

/// Why there is no runtime folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// It cannot be used.
    #[error("cannot use the runtime folder {}: {}", .path.display(), system_error(.error))]
    Io {
        /// The folder, or what is in it.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// Others could put sockets into it.
    #[error("the runtime folder {} {why}", .path.display())]
    NotPrivate {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// The runtime folder, which is private.
#[derive(Clone, Debug)]
pub struct Runtime {
    folder: PathBuf,
}

/// The part of it that is one agent's.
#[derive(Clone, Debug)]
pub struct AgentFolder {
    folder: PathBuf,
}

impl Runtime {
    /// Finds it, makes it if need be, and makes sure that nobody else can write to it.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open() -> Result<Self, RuntimeError> {
        let given = std::env::var_os(RUNTIME).filter(|path| !path.is_empty());
        let folder = given.map_or_else(usual_place, PathBuf::from);
        make_private(&folder)?;
        make_private(&folder.join(AGENTS))?;
        Ok(Self { folder })
    }

    /// The agent that calls: the one whose secret is in the environment, else the user's own.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn agent(&self) -> Result<Agent, RuntimeError> {
        let token = std::env::var_os(AGENT).filter(|token| !token.is_empty());
        match token.map(OsString::into_encoded_bytes) {
            Some(token) => Ok(Agent::with_token(String::from_utf8_lossy(&token).into_owned())),
            None => Agent::default_in(&self.folder).map_err(in_folder(&self.folder)),
        }
    }

    /// An agent's folder.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn of(&self, agent: &AgentHash) -> Result<AgentFolder, RuntimeError> {
        let folder = self.folder.join(AGENTS).join(agent.folder_name());
        make_private(&folder)?;
        Ok(AgentFolder { folder })
    }

    /// The folders of all agents.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn all(&self) -> Result<Vec<AgentFolder>, RuntimeError> {
        let folder = self.folder.join(AGENTS);
        let entries = fs::read_dir(&folder).map_err(in_folder(&folder))?;
        let paths = entries.flatten().filter(|entry| entry.path().is_dir());
        Ok(paths.map(|entry| AgentFolder { folder: entry.path() }).collect())
    }
}

impl AgentFolder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The name of a terminal's socket in it.
    pub fn socket_name(id: &str) -> String {
        format!("{id}{SOCKET}")
    }

    /// The ids that have sockets, ascending. Hosts that died leave theirs behind.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn ids(&self) -> Result<Vec<String>, RuntimeError> {
        let entries = fs::read_dir(&self.folder).map_err(in_folder(&self.folder))?;
        let id = |name: OsString| name.to_str()?.strip_suffix(SOCKET).map(str::to_owned);
        let mut ids: Vec<_> = entries.flatten().filter_map(|entry| id(entry.file_name())).collect();
        ids.sort();
        Ok(ids)
    }

    /// Keeps others of this agent from opening terminals until the answer is dropped.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn lock(&self) -> Result<File, RuntimeError> {
        let lock = || {
            let file = File::open(&self.folder)?;
            file.lock()?;
            Ok(file)
        };
        lock().map_err(in_folder(&self.folder))
    }
}

fn in_folder(path: &Path) -> impl FnOnce(io::Error) -> RuntimeError {
    let path = path.to_owned();
    move |error| RuntimeError::Io { path, error }
}

/// In the user's runtime folder, which ends with the login; else beside others' temporary files.
fn usual_place() -> PathBuf {
    let dirs = BaseDirs::new();
    let runtime = dirs.as_ref().and_then(BaseDirs::runtime_dir).filter(|folder| folder.is_dir());
    match runtime {
        Some(folder) => folder.join(NAME),
        None => {
            let user = rustix::process::geteuid().as_raw();
            std::env::temp_dir().join(format!("{NAME}-{user}"))
        }
    }
}

fn make_private(folder: &Path) -> Result<(), RuntimeError> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(in_folder(folder)(error));
        }
        _ => {}
    }
    let metadata = fs::symlink_metadata(folder).map_err(in_folder(folder))?;
    let why = if !metadata.is_dir() {
        "is no folder"
    } else if metadata.uid() != rustix::process::geteuid().as_raw() {
        "belongs to somebody else"
    } else if metadata.mode() & 0o077 != 0 {
        "is open to others (chmod 700 mends that)"
    } else {
        return Ok(());
    };
    Err(RuntimeError::NotPrivate { path: folder.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_folder_that_is_not_private_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("runtime");
        make_private(&folder).unwrap();
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
        let error = make_private(&folder).unwrap_err().to_string();
        assert!(error.ends_with("is open to others (chmod 700 mends that)"), "{error}");
        let link = place.path().join("link");
        symlink(&folder, &link).unwrap();
        assert!(make_private(&link).unwrap_err().to_string().ends_with("is no folder"));
        assert!(make_private(&place.path().join("no/where")).is_err());
    }
}
