//! Where the codex home is.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use thiserror::Error;

use super::TerminalId;

/// No codex home was named and the user has no home folder.
#[derive(Debug, Error)]
#[error("no home folder found; name one with --codex-home or CODEX_HOME")]
pub struct HomeError;

/// The folder that holds `codex-deck/terminal/sessions`.
#[derive(Clone, Debug)]
pub struct CodexHome {
    path: PathBuf,
}

impl CodexHome {
    /// The given path, else `$CODEX_HOME`, else `~/.codex`; empty ones count as not given.
    ///
    /// # Errors
    /// [`HomeError`] when the home folder is needed and there is none.
    pub fn find(given: Option<&OsStr>) -> Result<Self, HomeError> {
        let variable = std::env::var_os("CODEX_HOME");
        let named =
            [given, variable.as_deref()].into_iter().flatten().find(|path| !path.is_empty());
        let path = match named {
            Some(path) => expand_tilde(path)?,
            None => user_home()?.join(".codex"),
        };
        Ok(Self { path })
    }

    /// The one at this path.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The path as named, with a leading `~` expanded.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder with one folder per terminal.
    pub fn sessions(&self) -> PathBuf {
        self.path.join("codex-deck/terminal/sessions")
    }

    /// The folder with codex-deck's notes, one file per terminal.
    pub fn states(&self) -> PathBuf {
        self.path.join("codex-deck/terminal/state")
    }

    /// The folder of one terminal.
    pub fn session(&self, id: &TerminalId) -> PathBuf {
        self.sessions().join(id.as_str())
    }
}

fn user_home() -> Result<PathBuf, HomeError> {
    let dirs = BaseDirs::new().ok_or(HomeError)?;
    Ok(dirs.home_dir().to_path_buf())
}

/// A path whose first component may be `~`, the user's home; as it is where that is not known.
pub fn below_home(path: &Path) -> PathBuf {
    expand_tilde(path.as_os_str()).unwrap_or_else(|_| path.to_owned())
}

fn expand_tilde(path: &OsStr) -> Result<PathBuf, HomeError> {
    match Path::new(path).strip_prefix("~") {
        Ok(rest) => Ok(user_home()?.join(rest)),
        Err(_) => Ok(PathBuf::from(OsString::from(path))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_first_component_is_a_tilde() {
        let home = user_home().unwrap();
        assert_eq!(expand_tilde(OsStr::new("~")).unwrap(), home);
        assert_eq!(expand_tilde(OsStr::new("~/a")).unwrap(), home.join("a"));
        for kept in ["~a", "a/~", "./~"] {
            assert_eq!(expand_tilde(OsStr::new(kept)).unwrap(), PathBuf::from(kept));
        }
    }
}
