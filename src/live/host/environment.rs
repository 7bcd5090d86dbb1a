//! What a program in a live terminal gets to see of its surroundings.

use std::ffi::{OsStr, OsString};

use super::config::HostConfig;
use crate::live::agent::AGENT;
use crate::live::runtime::AgentFolder;
use crate::pty::Program;
use crate::record::{NESTED, OTHER_TERMINALS};

/// Names the live terminal that a process belongs to.
const TAG: &str = "TERMINAL_SESSION_LIVE";

/// The host's socket, by which a process is known wherever it went. Another agent may have a
/// terminal of the same id, but none with this.
pub(super) const SOCKET: &str = "TERMINAL_SESSION_LIVE_SOCKET";

/// Parts of names of variables that hold what is nobody's business.
const SECRET: [&str; 4] = ["KEY", "PASSWORD", "SECRET", "TOKEN"];

/// Programs that would wait for a key at the end of each page.
const PAGERS: [&str; 5] = ["PAGER", "GIT_PAGER", "GH_PAGER", "MANPAGER", "SYSTEMD_PAGER"];

/// Variables of ours that a host does not get, lest its program reads them there.
pub(in crate::live) fn not_for_hosts(config: &HostConfig) -> Vec<OsString> {
    let mut names = secrets(config);
    names.extend([AGENT, TAG, SOCKET, NESTED].map(OsString::from));
    names
}

/// Names of variables that look like those of secrets and are not to be handed on.
fn secrets(config: &HostConfig) -> Vec<OsString> {
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(|name| is_secret(name) && !config.keep_env.contains(name)).collect()
}

/// The program that a host starts.
pub(super) fn program(config: &HostConfig) -> Program {
    let mut words = config.command.iter().cloned();
    let mut unset = secrets(config);
    unset.extend(["COLUMNS", "LINES", AGENT].map(OsString::from));
    unset.extend(OTHER_TERMINALS.iter().map(OsString::from));
    let mut set: Vec<(OsString, OsString)> = vec![
        ("TERM".into(), "xterm-256color".into()),
        // Nothing asks for a name and a password where nobody may be.
        ("GIT_TERMINAL_PROMPT".into(), "0".into()),
        // What an agent types is not the user's history.
        ("HISTFILE".into(), OsString::new()),
        ("fish_history".into(), OsString::new()),
        // zsh marks the end of output that ends no line; that would be part of the output.
        ("PROMPT_EOL_MARK".into(), OsString::new()),
        (NESTED.into(), config.terminal.as_str().into()),
        (TAG.into(), config.terminal.as_str().into()),
        (SOCKET.into(), AgentFolder::at(&config.folder).socket(config.id()).into()),
    ];
    if !config.keep_pager {
        set.extend(PAGERS.map(|name| (name.into(), "cat".into())));
        set.push(("LESS".into(), "FRX".into()));
    }
    if let Some(name) = wrong_locale() {
        set.push((name.into(), "C.UTF-8".into()));
    }
    set.extend(config.env.iter().cloned());
    Program {
        name: words.next().unwrap_or_else(|| OsStr::new("/bin/sh").to_owned()),
        arguments: words.collect(),
        cwd: Some(config.cwd.clone()),
        set,
        unset,
    }
}

fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    SECRET.iter().any(|part| name.contains(part))
}

/// The variable to change so that programs write UTF-8, if they would not.
fn wrong_locale() -> Option<&'static str> {
    // The first of these that is there decides.
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        let value = std::env::var_os(name).unwrap_or_default();
        if !value.is_empty() {
            let value = value.to_string_lossy().to_ascii_lowercase();
            let is_utf8 = value.contains("utf-8") || value.contains("utf8");
            return (!is_utf8).then_some(if name == "LC_ALL" { name } else { "LC_CTYPE" });
        }
    }
    Some("LC_CTYPE")
}
