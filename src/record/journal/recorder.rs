//! Whether a journal's recorder lives, found out without touching the journal.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::FoundJournal;

/// How often a journal that gets new files all the time is looked at again.
const ATTEMPTS: usize = 20;

impl FoundJournal {
    /// Whether the process that the journal is named for is there and has its newest file open.
    ///
    /// [`FoundJournal::lock`] is the sure answer, but whoever holds that lock, if only for a moment,
    /// keeps others from recovering the journal. This only looks. A recorder that cannot be looked
    /// into counts as alive; one in another container is not seen.
    ///
    /// # Errors
    /// The folder of the journal cannot be listed.
    pub fn has_recorder(&self) -> io::Result<bool> {
        let mut seen = None;
        for _ in 0..ATTEMPTS {
            // A recorder that ended removed it.
            let Some(now) = self.again()? else {
                return Ok(false);
            };
            let newest = now.path();
            // A living recorder may have gone on to another file meanwhile.
            if has_open(self.stem.process, &newest) {
                return Ok(true);
            }
            if seen.replace(newest.clone()) == Some(newest) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether any file of it is still there.
    ///
    /// # Errors
    /// The folder of the journal cannot be listed.
    pub fn is_there(&self) -> io::Result<bool> {
        Ok(self.again()?.is_some())
    }
}

/// Whether a process has a file open.
fn has_open(process: u32, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let Ok(wanted) = path.symlink_metadata().map(identity) else {
        return false;
    };
    match fs::read_dir(format!("/proc/{process}/fd")) {
        Ok(open) => open
            .flatten()
            .any(|entry| fs::metadata(entry.path()).is_ok_and(|found| identity(found) == wanted)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => true,
        // Without such a folder at all, that the process lives must do.
        Err(_) if Path::new("/proc/self/fd").exists() => false,
        Err(_) => is_running(process),
    }
}

/// Whether there is a process of this number, be it another user's.
pub fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| !matches!(test_kill_process(process), Err(Errno::SRCH)))
}
