//! What lies in a session's folder beside what the manifest names, and who has access to it.

use std::collections::HashSet;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Code, Findings, Place};
use crate::artifact::is_temporary;
use crate::home::{CodexHome, TerminalId};
use crate::record::{find_journals, is_journal_file, is_left_socket, is_unfinished};

/// A temporary file older than this has no writer any more.
const OLD: Duration = Duration::from_secs(60);
/// A file younger than this may be one that a writer is about to name.
const YOUNG: Duration = Duration::from_secs(5);

/// What was seen in the folder.
pub(super) struct Seen {
    /// Files in `blocks/` that nothing names, and whether a writer may be about to.
    pub(super) orphans: Vec<(PathBuf, bool)>,
    /// Whether there is a journal, be its recorder alive or not.
    pub(super) has_journal: bool,
}

/// Looks through the folder, which is resolved. `named` are the resolved paths of the snapshots.
pub(super) fn check(folder: &Path, named: &HashSet<PathBuf>, findings: &mut Findings) -> Seen {
    let mut access = Access::default();
    access.look_at(folder);
    let mut seen = Seen { orphans: Vec::new(), has_journal: false };
    each(folder, findings, |entry, findings| match entry.file_name().to_str() {
        Some("session.json" | "session.lock") => access.look_at(&entry.path()),
        Some("blocks") if is_folder(&entry) => {
            access.look_at(&entry.path());
            each(&entry.path(), findings, |entry, findings| {
                let path = entry.path();
                access.look_at(&path);
                if is_temporary(&entry.file_name()) {
                    temporary(&path, findings);
                } else if !named.contains(&path) {
                    seen.orphans.push((path, is_younger(&entry, YOUNG)));
                }
            });
        }
        Some("journal") if is_folder(&entry) => {
            access.look_at(&entry.path());
            seen.has_journal = journals(folder, &mut access, findings);
        }
        _ if is_temporary(&entry.file_name()) => temporary(&entry.path(), findings),
        // A recorder that is running listens on it.
        _ if let Some(is_left) = is_left_socket(&entry.file_name()) => {
            if is_left {
                let message = "the socket of a recorder that is gone";
                findings.add(Code::TemporaryLeft, Place::of_path(entry.path()), message);
            }
        }
        _ if named.contains(&entry.path()) => access.look_at(&entry.path()),
        _ => unexpected(&entry.path(), findings),
    });
    access.report(findings);
    seen
}

/// Looks through the journals; whether there are any.
fn journals(folder: &Path, access: &mut Access, findings: &mut Findings) -> bool {
    each(&folder.join("journal"), findings, |entry, findings| {
        let name = entry.file_name();
        access.look_at(&entry.path());
        if is_unfinished(&name) {
            temporary(&entry.path(), findings);
        } else if !is_journal_file(&name) {
            unexpected(&entry.path(), findings);
        }
    });
    // What keeps them from being listed was reported above.
    let journals = find_journals(folder).unwrap_or_default();
    for journal in &journals {
        // A recorder that ended meanwhile removed it.
        let is_there = || journal.path().symlink_metadata().is_ok();
        if journal.is_alive().is_ok_and(|is_alive| !is_alive) && is_there() {
            let message =
                "its recorder is gone; terminal-session-record recover makes a block of it";
            findings.add(Code::JournalLeft, Place::of_path(journal.path()), message);
        }
    }
    !journals.is_empty()
}

/// Every entry of a folder; a folder that cannot be listed is a finding.
fn each(folder: &Path, findings: &mut Findings, mut visit: impl FnMut(DirEntry, &mut Findings)) {
    match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().for_each(|entry| visit(entry, findings)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            let message = format!("cannot be listed: {}", crate::text::system_error(&error));
            findings.add(Code::Permissions, Place::of_path(folder), message);
        }
    }
}

fn temporary(path: &Path, findings: &mut Findings) {
    let age = path.symlink_metadata().and_then(|metadata| metadata.modified());
    let age = age.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    if age.is_some_and(|age| age > OLD) {
        findings.add(Code::TemporaryLeft, Place::of_path(path), "its writer is gone");
    }
}

fn unexpected(path: &Path, findings: &mut Findings) {
    findings.add(Code::UnexpectedFile, Place::of_path(path), "no part of a session");
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

fn is_younger(entry: &DirEntry, age: Duration) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|elapsed| elapsed < age))
}

/// Files and folders that others than their owner have access to.
#[derive(Debug, Default)]
struct Access {
    first: Option<(PathBuf, u32)>,
    count: usize,
}

impl Access {
    fn look_at(&mut self, path: &Path) {
        let mode = path.symlink_metadata().as_ref().map_or(0, open_mode);
        if mode != 0 {
            self.count += 1;
            self.first.get_or_insert_with(|| (path.to_path_buf(), mode));
        }
    }

    /// One finding for all of them: a session that others wrote has the same modes throughout.
    fn report(self, findings: &mut Findings) {
        if let Some((path, mode)) = self.first {
            let more = match self.count {
                1 => String::new(),
                count => format!(", and so are {} more here", count - 1),
            };
            let message = format!("mode {mode:04o} is open to others than the owner{more}");
            findings.add(Code::Permissions, Place::of_path(path), message);
        }
    }
}

/// The mode of a file or a folder that others may read, write or enter; 0 for every other thing.
fn open_mode(metadata: &Metadata) -> u32 {
    let mode = metadata.permissions().mode() & 0o7777;
    let counts = metadata.is_file() || metadata.is_dir();
    if counts && mode & 0o077 != 0 { mode } else { 0 }
}

/// The terminals that have a folder, sorted, and what lies beside those folders.
///
/// # Errors
/// The folder of the sessions cannot be listed.
pub fn session_folders(home: &CodexHome) -> io::Result<(Vec<TerminalId>, Vec<PathBuf>)> {
    let (mut terminals, mut strays) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(home.sessions())? {
        let entry = entry?;
        let name = entry.file_name();
        // An id with blanks around it cannot be asked for.
        let id = name.to_str().and_then(|name| TerminalId::new(name).ok());
        match id.filter(|id| id.as_str() == name) {
            Some(id) if entry.path().is_dir() => terminals.push(id),
            _ => strays.push(entry.path()),
        }
    }
    terminals.sort();
    strays.sort();
    Ok((terminals, strays))
}
