//! Prompt hooks: how shells tell where commands begin and end.
//!
//! A shell reads ours beside the user's own files, none of which is touched. It prints marks
//! (`marks` in the folder above) with a nonce that is handed over in a file that only the user can
//! read, since what is in a process's arguments or environment others can see for as long as it
//! runs.

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use directories::BaseDirs;
use tempfile::TempDir;

use crate::artifact::ids;
use crate::pty::Program;
use crate::text::shell_quoted;

/// A hook that a shell will read.
#[derive(Debug)]
pub(crate) struct Hook {
    /// What its marks hold.
    pub(crate) nonce: String,
    /// Whether the status of a command says that it was stopped.
    pub(crate) tells_stops: bool,
    /// The files; they go when this is dropped, which may be at the first mark.
    pub(crate) files: TempDir,
}

/// Shells that have hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shell {
    Bash,
    Fish,
    Zsh,
}

/// Has `program` read a hook, if it is a shell that we have one for and it is about to ask for
/// commands. With `plain`, bash takes a `!` for what it is.
pub(crate) fn install(program: &mut Program, plain: bool) -> io::Result<Option<Hook>> {
    let Some(shell) = shell(program) else {
        return Ok(None);
    };
    let nonce = ids::nonce()?;
    let files = private_folder()?;
    match shell {
        Shell::Bash => {
            let is_login = program.arguments.iter().any(is_login);
            // A login shell would not read the file; so it is none, and reads the files of one.
            program.arguments.retain(|argument| !is_login_word(argument));
            let flag = |is_set| if is_set { "1" } else { "" };
            let script = include_str!("bash.sh").replace("@LOGIN@", flag(is_login));
            let script = script.replace("@PLAIN@", flag(plain));
            let path = write(&files, "bashrc", &script, &nonce)?;
            program.arguments.splice(0..0, [OsString::from("--rcfile"), path]);
        }
        Shell::Fish => {
            let path = write(&files, "hook.fish", include_str!("hook.fish"), &nonce)?;
            let source = format!("source {}", shell_quoted(&path.to_string_lossy()));
            program.arguments.splice(0..0, ["--init-command".into(), source.into()]);
        }
        Shell::Zsh => {
            let script = include_str!("zshenv.zsh").replace("@RESTORE@", &restore(program));
            write(&files, ".zshenv", &script, &nonce)?;
            program.set.push(("ZDOTDIR".into(), files.path().into()));
        }
    }
    Ok(Some(Hook { nonce, tells_stops: shell != Shell::Fish, files }))
}

/// Why [`install`] has no hook for a program.
pub(super) fn why_none(program: &Program) -> String {
    let name = program.name.display();
    match named(program) {
        Some(_) => format!("{name} shows no prompt with these arguments"),
        None => format!("there is a prompt hook for bash, fish and zsh, and none for {name}"),
    }
}

/// Which shell a program is, where its arguments leave it a prompt.
fn shell(program: &Program) -> Option<Shell> {
    let shell = named(program)?;
    let is_harmless = |argument: &OsString| argument == "-i" || is_login(argument);
    program.arguments.iter().all(is_harmless).then_some(shell)
}

fn named(program: &Program) -> Option<Shell> {
    match Path::new(&program.name).file_name()?.to_str()? {
        "bash" => Some(Shell::Bash),
        "fish" => Some(Shell::Fish),
        "zsh" => Some(Shell::Zsh),
        _ => None,
    }
}

fn is_login(argument: &OsString) -> bool {
    is_login_word(argument) || argument == "-il" || argument == "-li"
}

fn is_login_word(argument: &OsString) -> bool {
    argument == "-l" || argument == "--login" || argument == "-il" || argument == "-li"
}

/// The line that gives zsh its own folder back.
fn restore(program: &Program) -> String {
    let given = program.set.iter().rev().find(|(name, _)| name == "ZDOTDIR");
    let value = given.map(|(_, value)| value.clone()).or_else(|| std::env::var_os("ZDOTDIR"));
    match value {
        Some(value) => {
            format!("builtin export ZDOTDIR={}", shell_quoted(&value.to_string_lossy()))
        }
        None => "builtin unset ZDOTDIR".to_owned(),
    }
}

fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix("terminal-session-");
    let dirs = BaseDirs::new();
    match dirs.as_ref().and_then(BaseDirs::runtime_dir).filter(|folder| folder.is_dir()) {
        Some(folder) => builder.tempdir_in(folder),
        None => builder.tempdir(),
    }
}

fn write(files: &TempDir, name: &str, script: &str, nonce: &str) -> io::Result<OsString> {
    let path = files.path().join(name);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(script.replace("@NONCE@", nonce).as_bytes())?;
    Ok(AsRef::<OsStr>::as_ref(&path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(name: &str, arguments: &[&str]) -> Program {
        let arguments = arguments.iter().map(OsString::from).collect();
        Program { name: name.into(), arguments, ..Program::default() }
    }

    #[test]
    fn only_shells_with_a_prompt_get_one() {
        for (name, arguments, want) in [
            ("/bin/bash", &[][..], Some(Shell::Bash)),
            ("zsh", &["-i"], Some(Shell::Zsh)),
            ("fish", &["--login"], Some(Shell::Fish)),
            ("bash", &["-c", "ls"], None),
            ("bash", &["--norc"], None),
            ("dash", &[], None),
        ] {
            assert_eq!(shell(&program(name, arguments)), want, "{name} {arguments:?}");
        }
    }

    #[test]
    fn a_login_shell_reads_what_one_reads() {
        let mut bash = program("bash", &["-l"]);
        let hook = install(&mut bash, false).unwrap().unwrap();
        assert_eq!(bash.arguments[0], "--rcfile");
        assert_eq!(bash.arguments.len(), 2);
        let script = std::fs::read_to_string(&bash.arguments[1]).unwrap();
        assert!(script.contains("if [[ -n '1' ]]"));
        assert!(script.contains(&hook.nonce));
        assert!(!script.contains('@') || !script.contains("@NONCE@"));
    }
}
