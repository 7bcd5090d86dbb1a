//! The folder with a golden copy.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use similar::TextDiff;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::artifact::{FileError, read_file, resolve};
use crate::text::system_error;

/// The file with the flow of the session.
const FLOW: &str = "flow.json";
/// A diff that takes longer to find the best of is one that nobody reads.
const DIFF_TIME: Duration = Duration::from_secs(5);

/// A file of a golden copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenFile {
    /// Its name, without a folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The folder, which may be anywhere. Nothing outside of it is read or written, whatever links it
/// holds.
#[derive(Clone, Debug)]
pub struct GoldenCopy {
    folder: PathBuf,
}

/// How a file of the copy differs from the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub name: String,
    /// What the copy has, none where it has no such file.
    pub golden: Option<String>,
    /// What the session has, none where it has no such block.
    pub session: Option<String>,
}

/// What became of a file of the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// It is new.
    Added(String),
    /// It has another text.
    Changed(String),
    /// Its block is gone, and so is it.
    Removed(String),
}

/// Why a golden copy was not read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CopyError {
    /// There is none.
    #[error("no golden copy in {}; --update makes one", .0.display())]
    None(PathBuf),
    /// A file of it cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// The system refused.
    #[error("cannot {doing} {}: {}", .path.display(), system_error(.error))]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// The system's answer.
        error: io::Error,
    },
}

impl GoldenCopy {
    /// The copy in a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// The golden files of a session: the text of its flow and those of its blocks.
    pub fn files(flow: String, blocks: Vec<(String, String)>) -> Vec<GoldenFile> {
        let flow = GoldenFile { name: FLOW.to_owned(), text: flow };
        let blocks = blocks.into_iter().map(|(name, mut text)| {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            GoldenFile { name, text }
        });
        std::iter::once(flow).chain(blocks).collect()
    }

    /// How the copy differs from these files.
    ///
    /// # Errors
    /// [`CopyError`]; that there is no copy at all is one.
    pub fn compare(&self, files: &[GoldenFile]) -> Result<Vec<Change>, CopyError> {
        let folder = self.resolved()?;
        let mut changes = Vec::new();
        for file in files {
            let golden = self.read(&folder, &file.name)?;
            if golden.is_none() && file.name == FLOW {
                return Err(CopyError::None(self.folder.clone()));
            }
            if golden.as_deref() != Some(&file.text) {
                let (name, session) = (file.name.clone(), Some(file.text.clone()));
                changes.push(Change { name, golden, session });
            }
        }
        for name in self.stale(&folder, files)? {
            let golden = self.read(&folder, &name)?;
            changes.push(Change { name, golden, session: None });
        }
        Ok(changes)
    }

    /// Makes the copy what these files are; only what differs is written.
    ///
    /// # Errors
    /// [`CopyError`].
    pub fn update(&self, files: &[GoldenFile]) -> Result<Vec<Update>, CopyError> {
        fs::create_dir_all(&self.folder).map_err(io_error("create folder", &self.folder))?;
        let folder = self.resolved()?;
        let mut updates = Vec::new();
        // All are there under other names before the first one is in place, so that a disk that is
        // full leaves the old copy.
        let mut unfinished = Vec::new();
        for file in files {
            let path = folder.join(&file.name);
            match read_file(&folder, Path::new(&file.name)) {
                Ok(found) if found == file.text.as_bytes() => continue,
                Err(FileError::Missing) => updates.push(Update::Added(file.name.clone())),
                // A link is replaced, not followed.
                _ => updates.push(Update::Changed(file.name.clone())),
            }
            let written = prepare(&folder, &file.text).map_err(io_error("write", &path))?;
            unfinished.push((written, path));
        }
        for (file, path) in unfinished {
            let placed = file.persist(&path).map_err(|error| error.error);
            placed.map_err(io_error("write", &path))?;
        }
        for name in self.stale(&folder, files)? {
            let path = folder.join(&name);
            fs::remove_file(&path).map_err(io_error("remove", &path))?;
            updates.push(Update::Removed(name));
        }
        Ok(updates)
    }

    fn resolved(&self) -> Result<PathBuf, CopyError> {
        if !self.folder.is_dir() {
            return Err(CopyError::None(self.folder.clone()));
        }
        resolve(&self.folder).map_err(io_error("resolve", &self.folder))
    }

    fn read(&self, folder: &Path, name: &str) -> Result<Option<String>, CopyError> {
        match read_file(folder, Path::new(name)) {
            Ok(data) => Ok(Some(String::from_utf8_lossy(&data).into_owned())),
            Err(FileError::Missing) => Ok(None),
            Err(error) => Err(CopyError::Unreadable { path: self.folder.join(name), error }),
        }
    }

    /// Files of blocks that the session does not have, sorted.
    fn stale(&self, folder: &Path, files: &[GoldenFile]) -> Result<Vec<String>, CopyError> {
        let failed = || io_error("list", &self.folder);
        let mut stale = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed())? {
            let entry = entry.map_err(failed())?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if let Ok(name) = entry.file_name().into_string()
                && is_file
                && is_ours(&name)
                && !files.iter().any(|file| file.name == name)
            {
                stale.push(name);
            }
        }
        stale.sort();
        Ok(stale)
    }
}

impl Change {
    /// A unified diff from the golden copy to the session. Where an empty text stands against none
    /// it is the two header lines.
    pub fn diff(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let name = |side: &str, text: &Option<String>| match text {
            Some(_) => format!("{side}/{}", self.name),
            None => "/dev/null".to_owned(),
        };
        let (golden, session) = (text(&self.golden), text(&self.session));
        let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&golden, &session);
        let (from, to) = (name("golden", &self.golden), name("session", &self.session));
        let diff = diff.unified_diff().header(&from, &to).to_string();
        if diff.is_empty() { format!("--- {from}\n+++ {to}\n") } else { diff }
    }
}

/// Whether a name is one that a block's golden file has.
fn is_ours(name: &str) -> bool {
    const KINDS: [&str; 5] = [
        "terminal_snapshot",
        "ai_terminal_plan",
        "ai_terminal_need_input",
        "ai_terminal_complete",
        "other",
    ];
    let parts = name.strip_suffix(".txt").and_then(|name| name.split_once('-'));
    parts.is_some_and(|(number, kind)| {
        number.len() >= 3 && number.bytes().all(|b| b.is_ascii_digit()) && KINDS.contains(&kind)
    })
}

/// A file that is about to be put in place, with the mode that files of a checkout have.
fn prepare(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(".golden-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn io_error<'a>(
    doing: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> CopyError + use<'a> {
    move |error| CopyError::Io { doing, path: path.to_path_buf(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_blocks_are_ours() {
        for name in ["001-terminal_snapshot.txt", "1000-other.txt", "012-ai_terminal_plan.txt"] {
            assert!(is_ours(name), "{name}");
        }
        for name in ["1-other.txt", "001-notes.txt", "001-other.md", "flow.json", "0x1-other.txt"] {
            assert!(!is_ours(name), "{name}");
        }
    }
}
