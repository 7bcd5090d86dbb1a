//! Arguments that every program takes.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Args, ValueEnum};

use super::Failure;
use crate::artifact::{FindError, Manifest, ManifestError, ManifestErrorKind, find_session};
use crate::home::{CodexHome, TerminalId};
use crate::record::{find_recording, is_recorded, latest_recording};
use crate::text::{self, parse_decimal};

/// Where sessions are, and colours.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    /// Codex home folder [default: $CODEX_HOME, else ~/.codex]
    #[arg(long, global = true, value_name = "PATH")]
    pub codex_home: Option<OsString>,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

impl CommonArgs {
    /// The codex home that the arguments and the environment name.
    ///
    /// # Errors
    /// Where there is no home folder.
    pub fn home(&self) -> Result<CodexHome, Failure> {
        CodexHome::find(self.codex_home.as_deref()).map_err(Failure::failed)
    }

    /// The `--codex-home` that was given, where it means something.
    pub(super) fn given_home(&self) -> Option<&OsStr> {
        self.codex_home.as_deref().filter(|path| !path.is_empty())
    }

    /// A command line for the same codex home, as an error or a reply names it.
    pub(super) fn command_line(&self, words: &[&str]) -> String {
        // What looks like an option and is none stands behind all that are.
        let end = words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len());
        let mut line: Vec<String> = words[..end].iter().map(|word| (*word).to_owned()).collect();
        if let Some(home) = self.given_home() {
            line.extend(["--codex-home".to_owned(), home.to_string_lossy().into_owned()]);
        }
        if end < words.len() {
            line.push("--".to_owned());
        }
        line.extend(words[end..].iter().map(|word| (*word).to_owned()));
        quoted_line(&line)
    }
}

/// Whether a path, which need not exist, leads into a folder, links followed.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let here = std::env::current_dir().unwrap_or_default().join(path);
    let known = here.ancestors().find_map(|path| path.canonicalize().ok());
    known.is_some_and(|known| known.starts_with(&folder))
}

/// Words as a shell takes them.
pub(super) fn quoted_line(words: &[String]) -> String {
    words.iter().map(|word| text::shell_quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The session that `name` means. The Python helper knows exact ids only.
pub(super) fn session_id(
    home: &CodexHome,
    name: &str,
    compat: bool,
) -> Result<TerminalId, Failure> {
    if compat {
        TerminalId::new(name).map_err(Failure::failed)
    } else {
        let found = find_session(home, name);
        if let Err(FindError::NoLatest(_)) = found
            && let Ok(Some(recorded)) = latest_recording(home)
        {
            // Not much of a session yet; what is said of its manifest says so.
            return Ok(recorded);
        }
        found.map_err(Failure::failed)
    }
}

/// The terminal that `name` means where one is asked for that is being recorded.
pub(super) fn recording_id(home: &CodexHome, name: &str) -> Result<TerminalId, Failure> {
    find_recording(home, name).map_err(|error| match error {
        FindError::Unknown { nearest, .. } => {
            let near: Vec<_> = nearest.iter().map(TerminalId::as_str).collect();
            let hint = match near.is_empty() {
                true => String::new(),
                false => format!(" (nearest: {})", near.join(", ")),
            };
            let folder = home.sessions();
            Failure::failed(format!("no terminal {name} in {}{hint}", folder.display()))
        }
        FindError::NoLatest(folder) => {
            Failure::failed(format!("no terminal is being recorded in {}", folder.display()))
        }
        error => Failure::failed(error),
    })
}

/// The manifest of a session. Where there is none yet because it is just being recorded, the error
/// says that, unless it is to be the Python helper's.
pub(super) fn read_manifest(
    common: &CommonArgs,
    home: &CodexHome,
    id: &TerminalId,
    compat: bool,
) -> Result<Manifest, Failure> {
    let error = match Manifest::read(&home.session(id)) {
        Ok(manifest) => return Ok(manifest),
        Err(error) => error,
    };
    let is_missing = matches!(error, ManifestError { kind: ManifestErrorKind::Missing, .. });
    let name = id.as_str();
    Err(Failure::failed(match is_recorded(home, id).filter(|_| is_missing && !compat) {
        None => error.to_string(),
        Some(true) => format!(
            "terminal \"{name}\" is being recorded and has no block yet; what it shows: {}",
            common.command_line(&["terminal-session-blocks", name, "live"])
        ),
        Some(false) => format!(
            "terminal \"{name}\" was being recorded when its recorder died, and has no block yet; to \
             make one: {}",
            common.command_line(&["terminal-session-record", "recover", name])
        ),
    }))
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorChoice {
    /// Whether to use colours on a stream.
    pub fn is_on(self, is_terminal: bool) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if set("NO_COLOR") => false,
            Self::Auto => {
                let forced = std::env::var_os("CLICOLOR_FORCE");
                is_terminal || forced.is_some_and(|value| !value.is_empty() && value != "0")
            }
        }
    }
}

/// A whole number as Python's `int` reads it: blanks around it, a sign, single underscores between
/// digits, digits of any script. Values beyond the range saturate.
pub(super) fn parse_int(given: &str) -> Option<i64> {
    let digits = text::strip(given);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let groups: Option<Vec<_>> =
        digits.split('_').map(|group| parse_decimal(group).map(|_| group)).collect();
    let value = parse_decimal(&groups?.concat())?;
    Some(sign * i64::try_from(value).unwrap_or(i64::MAX))
}

/// A value parser for counts from `least` up.
pub(super) fn count_from(least: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |given| {
        let value = parse_int(given).ok_or("not a whole number")?;
        match usize::try_from(value) {
            Ok(count) if count >= least => Ok(count),
            _ => Err(format!("must be >= {least}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_python_reads_them() {
        for (given, want) in [
            ("5", Some(5)),
            (" +5\n", Some(5)),
            ("-4", Some(-4)),
            ("1_000", Some(1000)),
            ("٣", Some(3)),
            ("99999999999999999999", Some(i64::MAX)),
            ("", None),
            ("_1", None),
            ("1__0", None),
            ("1.0", None),
            ("many", None),
            ("--1", None),
        ] {
            assert_eq!(parse_int(given), want, "{given:?}");
        }
    }
}
