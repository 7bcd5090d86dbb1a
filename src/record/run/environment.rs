//! What the program gets to see of its surroundings.

use std::ffi::{OsStr, OsString};

use super::RunOptions;
use crate::pty::Program;

/// Names the terminal of the recording that a program runs in.
pub const NESTED: &str = "TERMINAL_SESSION_RECORD";

/// Sizes that are those of another terminal.
const SIZES: [&str; 2] = ["COLUMNS", "LINES"];

/// What says that another kind of terminal is there, which programs would then talk to.
pub(crate) const OTHER_TERMINALS: [&str; 13] = [
    "COLORTERM",
    "INSIDE_EMACS",
    "KITTY_PID",
    "KITTY_WINDOW_ID",
    "STY",
    "TERMCAP",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "TMUX_PANE",
    "VSCODE_INJECTION",
    "VSCODE_SHELL_INTEGRATION",
    "WINDOWID",
];

/// The program that is to be recorded.
pub(super) fn program(options: &RunOptions) -> Program {
    let mut command = options.command.iter().cloned();
    let name = command.next().unwrap_or_else(usual_shell);
    let mut set = vec![(NESTED.into(), options.terminal.as_str().into())];
    let mut unset: Vec<OsString> = SIZES.iter().map(OsString::from).collect();
    if options.headless {
        // Nobody's terminal is asked: ours is all there is.
        unset.extend(OTHER_TERMINALS.iter().map(OsString::from));
        set.push(("TERM".into(), "xterm-256color".into()));
    }
    set.extend(options.env.iter().cloned());
    Program { name, arguments: command.collect(), cwd: options.cwd.clone(), set, unset }
}

/// The user's shell.
pub(crate) fn usual_shell() -> OsString {
    let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty());
    shell.unwrap_or_else(|| OsStr::new("/bin/sh").to_owned())
}
