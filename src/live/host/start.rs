//! From the first line to the loop.

use std::io::{self, Read, Write};
use std::path::Path;

use rustix::process::{getpid, set_child_subreaper};
use serde::{Deserialize, Serialize};

use super::config::HostConfig;
use super::state::Host;
use super::terminal::Terminal;
use crate::live::runtime::AgentFolder;
use crate::pty::Signals;
use crate::screen::Size;
use crate::text::system_error;

/// What a host says once, to whoever started it.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::live) enum Started {
    /// It takes requests.
    Ready,
    /// It does not, and why.
    Failed(String),
}

/// Is the host of a terminal until that is closed. The configuration comes from stdin, and one line
/// about the start goes to stdout; nothing else uses either.
///
/// # Errors
/// Whoever started it is gone, or the system refuses to wait for events.
pub fn serve() -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    let begun = begin(&text);
    let said = match &begun {
        Ok(_) => Started::Ready,
        Err(message) => Started::Failed(message.clone()),
    };
    let told = tell(&said);
    let Ok(mut host) = begun else {
        return told;
    };
    if told.is_err() {
        // Nobody knows of it.
        host.close();
    }
    // Who started it waits for the end of this.
    let nowhere = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nowhere)?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    rustix::stdio::dup2_stderr(&nowhere)?;
    host.run()
}

fn tell(said: &Started) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

fn begin(text: &[u8]) -> Result<Host, String> {
    let system =
        |what: &'static str| move |error| format!("cannot {what}: {}", system_error(&error));
    let config: HostConfig =
        serde_json::from_slice(text).map_err(|error| format!("unreadable: {error}"))?;
    // No folder is kept from being unmounted.
    std::env::set_current_dir(Path::new("/")).map_err(system("leave the folder"))?;
    // Orphans of the terminal become ours, so that they are found and end.
    #[cfg(target_os = "linux")]
    set_child_subreaper(Some(getpid())).map_err(|error| format!("cannot adopt: {error}"))?;
    // What a shell ignores for its background is none of a terminal's business.
    let signals = Signals::catch_all().map_err(system("catch signals"))?;
    let folder = AgentFolder::at(&config.folder);
    let (listener, socket) = folder.listen(config.id()).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("terminal session {} is open already", config.terminal)
        }
        _ => format!("cannot make a socket: {}", system_error(&error)),
    })?;
    let Some(size) = Size::new(config.cols, config.rows) else {
        std::fs::remove_file(&socket).unwrap_or_default();
        return Err("a size has at least one column and one row".to_owned());
    };
    match Terminal::open(&config, size) {
        Ok(terminal) => {
            let host = Host::new(config, terminal, signals, listener, socket);
            host.leave_will();
            Ok(host)
        }
        Err(error) => {
            std::fs::remove_file(&socket).unwrap_or_default();
            Err(error.to_string())
        }
    }
}
