//! One file of a journal, open for appending.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::Dropped;
use super::header::SegmentHeader;
use super::name::Stem;

/// Files that are not in place yet begin with this.
pub(super) const UNFINISHED: &str = ".journal-";

/// A segment that is being written. Its lock tells others that the recorder lives.
#[derive(Debug)]
pub(super) struct Segment {
    file: File,
    pub(super) path: PathBuf,
    pub(super) number: u64,
    /// Bytes of whole lines.
    pub(super) size: u64,
    /// Output in it.
    pub(super) held: Dropped,
    /// Output that could not be written, as far as the file says so.
    pub(super) lost: Dropped,
    /// Whether there is something that may not be on disk yet.
    pub(super) sync_due: bool,
}

impl Segment {
    /// Puts a segment in place, locked and with its header; `AlreadyExists` where one is.
    pub(super) fn create(
        folder: &Path,
        stem: &Stem,
        number: u64,
        header: &SegmentHeader,
    ) -> io::Result<Self> {
        let path = folder.join(stem.segment(number));
        let line = header.to_line();
        // Locked under another name first: nobody may find it without its lock.
        let mut unfinished = unfinished(folder)?;
        unfinished.as_file().lock()?;
        unfinished.write_all(line.as_bytes())?;
        let file = unfinished.persist_noclobber(&path).map_err(|error| error.error)?;
        Ok(Self {
            file,
            path,
            number,
            size: length(&line),
            held: Dropped::default(),
            lost: Dropped::default(),
            sync_due: true,
        })
    }

    /// Appends a whole line, or nothing.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(line) {
            // If the rest cannot be taken back, readers skip it as a damaged line.
            if self.file.set_len(self.size).is_err() {
                self.file.write_all(b"\n").unwrap_or_default();
            }
            return Err(error);
        }
        self.size += u64::try_from(line.len()).unwrap_or(0);
        self.sync_due = true;
        Ok(())
    }

    /// Empties the file and begins it again.
    pub(super) fn restart(&mut self, header: &SegmentHeader) -> io::Result<()> {
        self.file.set_len(0)?;
        self.size = 0;
        self.held = Dropped::default();
        self.lost = Dropped::default();
        self.append(header.to_line().as_bytes())
    }

    /// Another handle on the file.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Removes the file, if nobody has.
    pub(super) fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    let file = Builder::new()
        .prefix(UNFINISHED)
        .suffix(".tmp")
        .append(true)
        .tempfile_in(folder)
        // tempfile names its own path, which helps nobody once the file is gone.
        .map_err(|error| match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => error,
        })?;
    file.as_file().set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

fn length(line: &str) -> u64 {
    u64::try_from(line.len()).unwrap_or(0)
}
