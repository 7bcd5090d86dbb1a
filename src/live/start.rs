//! Starting hosts.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::error::LiveError;
use super::host::{HostConfig, Started, not_for_hosts};
use crate::pty::detach;
use crate::text::system_error;

/// Starts a host and waits until it takes requests.
pub(super) fn start(config: &HostConfig) -> Result<(), LiveError> {
    let program = std::env::current_exe().map_err(|error| LiveError::Open(system_error(&error)))?;
    let text = serde_json::to_vec(config).map_err(|error| LiveError::Open(error.to_string()))?;
    let say = || {
        let mut command = Command::new(program);
        command.arg("host").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        for name in not_for_hosts(config) {
            command.env_remove(name);
        }
        detach(&mut command);
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(&text)?;
        }
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        Ok::<_, io::Error>((line, child))
    };
    let (line, mut child) = say().map_err(|error| LiveError::Open(system_error(&error)))?;
    match serde_json::from_str(&line) {
        Ok(Started::Ready) => {
            // It goes on without us. Where we stay, somebody has to take note of its end.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
        Ok(Started::Failed(message)) => {
            child.wait().map(drop).unwrap_or_default();
            Err(LiveError::Open(message))
        }
        Err(_) => Err(LiveError::Open("its host did not start".to_owned())),
    }
}
