//! Who may use a terminal: the agent that opened it, known by a secret.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::artifact::ids::nonce;
use crate::text::hexadecimal;

/// Holds the secret of the agent that calls.
pub const AGENT: &str = "TERMINAL_SESSION_AGENT";

/// Names the file of the default agent in the runtime folder.
const DEFAULT: &str = "agent";

/// An agent's secret. What is printed or logged of it is nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Agent(String);

/// What is known of an agent without its secret: a hash, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentHash(String);

impl Agent {
    /// The agent with this secret.
    pub fn with_token(token: String) -> Self {
        Self(token)
    }

    /// The agent with these bytes for a secret.
    pub(super) fn with_bytes(token: Vec<u8>) -> Self {
        // What is sent is text; replacing bytes would make one agent of many.
        Self(String::from_utf8(token).unwrap_or_else(|error| {
            format!("bytes {}", hexadecimal(&Sha256::digest(error.as_bytes())))
        }))
    }

    /// An agent that nobody knows yet.
    ///
    /// # Errors
    /// The system has no random numbers to give.
    pub fn fresh() -> io::Result<Self> {
        Ok(Self(format!("agent-{}{}", nonce()?, nonce()?)))
    }

    /// This user's default agent, made at its first use in the runtime folder.
    ///
    /// # Errors
    /// Its file cannot be read or written.
    pub(super) fn default_in(runtime: &Path) -> io::Result<Self> {
        let path = runtime.join(DEFAULT);
        if let Some(agent) = read(&path)? {
            return Ok(agent);
        }
        let agent = Self::fresh()?;
        // Whoever is first has written all of it before it can be seen.
        let unfinished = runtime.join(format!(".{DEFAULT}-{}", nonce()?));
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&unfinished)?;
        file.write_all(agent.0.as_bytes())?;
        let linked = fs::hard_link(&unfinished, &path);
        fs::remove_file(&unfinished)?;
        match linked {
            Ok(()) => Ok(agent),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                read(&path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
            }
            Err(error) => Err(error),
        }
    }

    /// The secret.
    pub fn token(&self) -> &str {
        &self.0
    }

    /// What may be kept of it.
    pub fn hash(&self) -> AgentHash {
        let mut hash = Sha256::new();
        hash.update("terminal-session agent\0");
        hash.update(&self.0);
        AgentHash(hexadecimal(&hash.finalize()))
    }
}

fn read(path: &Path) -> io::Result<Option<Agent>> {
    match fs::read_to_string(path) {
        Ok(token) if token.trim().is_empty() => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "it is empty"))
        }
        Ok(token) => Ok(Some(Agent(token.trim().to_owned()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Agent(…)")
    }
}

impl AgentHash {
    /// The hash of these digits.
    pub fn from_digits(digits: String) -> Self {
        Self(digits)
    }

    /// Its digits.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// The name of the agent's folder. Who finds a folder learns nothing of the secret.
    pub(super) fn folder_name(&self) -> &str {
        self.0.get(..40).unwrap_or(&self.0)
    }

    /// Whether this is the hash of an agent; takes as long for a near miss as for a far one.
    pub fn is_of(&self, agent: &Agent) -> bool {
        let other = agent.hash();
        let differences = self.0.bytes().zip(other.0.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == other.0.len() && differences == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_agent_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let agents: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| Agent::default_in(folder.path()).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(agents.iter().all(|agent| *agent == agents[0]));
        assert_eq!(Agent::default_in(folder.path()).unwrap(), agents[0]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(folder.path().join(DEFAULT), "\n").unwrap();
        assert!(Agent::default_in(folder.path()).is_err());
    }

    #[test]
    fn a_hash_knows_its_agent_only() {
        let (one, other) = (Agent::fresh().unwrap(), Agent::fresh().unwrap());
        assert!(one.hash().is_of(&one));
        assert!(!one.hash().is_of(&other));
        assert!(!AgentHash::from_digits(String::new()).is_of(&one));
        assert_eq!(format!("{one:?}"), "Agent(…)");
        assert!(!one.hash().digits().contains(one.token()));
    }
}
