//! The row of files that a journal is.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::header::SegmentHeader;
use super::name::Stem;
use super::segment::Segment;
use super::syncer::{Request, Syncer};
use super::{Dropped, JournalError, JournalHeader, folder};
use crate::artifact::clock::milliseconds;

/// A full journal is this many segments; the oldest of them is dropped as a whole.
const COUNT: u64 = 16;
/// Between two syncs.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// How often a journal is begun in a folder that others remove.
const ATTEMPTS: usize = 100;

/// The files with output of one block to come.
#[derive(Debug)]
pub(super) struct Segments {
    folder: PathBuf,
    stem: Stem,
    /// Bytes that they may have together.
    limit: u64,
    /// The header of the newest one.
    pub(super) header: SegmentHeader,
    newest: Segment,
    older: VecDeque<Segment>,
    /// Whether the newest one still has to be emptied.
    restart_due: bool,
    syncer: Option<Syncer>,
    last_sync: Instant,
    /// Whether a name may not be on disk yet.
    has_new_name: bool,
}

impl Segments {
    /// Makes the first file.
    pub(super) fn create(
        session_folder: &Path,
        header: SegmentHeader,
        limit: u64,
    ) -> Result<Self, JournalError> {
        let start = milliseconds(header.about.started);
        let mut stem = Stem { start, process: std::process::id() };
        let mut attempts = 0;
        let (folder, newest) = loop {
            attempts += 1;
            let folder = match folder::create(session_folder) {
                // The end of another recording may have removed the one above it.
                Err(error) if error.is_missing() && attempts < ATTEMPTS => continue,
                other => other?,
            };
            match Segment::create(&folder, &stem, 1, &header) {
                Ok(segment) => break (folder, segment),
                // One process may record twice at the same time.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => stem.start += 1,
                // The end of another recording may have removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && attempts < ATTEMPTS => {}
                Err(error) => return Err(JournalError::io("begin a journal in", &folder)(error)),
            }
        };
        Ok(Self {
            folder,
            stem,
            limit,
            header,
            newest,
            older: VecDeque::new(),
            restart_due: false,
            // Without a thread the recorder waits for the disk itself.
            syncer: Syncer::start().ok(),
            last_sync: Instant::now(),
            has_new_name: true,
        })
    }

    /// The newest file.
    pub(super) fn path(&self) -> &Path {
        &self.newest.path
    }

    fn all(&self) -> impl Iterator<Item = &Segment> {
        self.older.iter().chain([&self.newest])
    }

    fn size(&self) -> u64 {
        self.all().map(|segment| segment.size).sum()
    }

    /// Bytes that one of them has when the next one is begun.
    pub(super) fn share(&self) -> u64 {
        self.limit / COUNT
    }

    /// Appends a whole line, or nothing.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.finish_restart()?;
        // Only where no further segment can be made.
        if self.size() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.newest.append(line)
    }

    /// Counts output that a line held, or said to be lost.
    pub(super) fn count(&mut self, held: Dropped, lost: Dropped) {
        self.newest.held += held;
        self.newest.lost += lost;
    }

    /// Output that is in none of them, as far as they say so.
    pub(super) fn dropped(&self) -> Dropped {
        self.all().fold(self.header.dropped, |sum, segment| sum + segment.lost)
    }

    /// Whether the newest one is full once it has so many bytes more.
    pub(super) fn is_full(&self, more: usize) -> bool {
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        !self.restart_due && self.newest.size.saturating_add(more) >= self.share()
    }

    /// Begins another one, which starts at a time and with a state, and drops the oldest where
    /// there are too many.
    pub(super) fn advance(&mut self, started: Timestamp, prelude: String) -> io::Result<()> {
        // The newest one may become twice its share.
        let allowed = self.limit - 3 * self.share();
        let (mut kept, mut dropped) = (self.size(), self.header.dropped);
        let mut excess = 0;
        for segment in self.all() {
            if kept <= allowed {
                break;
            }
            kept -= segment.size;
            dropped += segment.held + segment.lost;
            excess += 1;
        }
        let number = self.newest.number + 1;
        let first = self.all().nth(excess).map_or(number, |segment| segment.number);
        let about = JournalHeader { started, ..self.header.about.clone() };
        let block_id = self.header.block_id.clone();
        let header = SegmentHeader { about, block_id, first, dropped, prelude };
        let newest = Segment::create(&self.folder, &self.stem, number, &header)?;
        self.header = header;
        self.older.push_back(std::mem::replace(&mut self.newest, newest));
        self.has_new_name = true;
        if excess > 0 {
            // The count must be on disk before what it counts is gone.
            let synced = self.newest.sync().and_then(|()| folder::sync(&self.folder));
            // They count as dropped now, on a disk that cannot sync as well.
            remove_all(self.older.drain(..excess));
            return synced;
        }
        Ok(())
    }

    /// Begins again with nothing in them: all that they hold is in a block on disk.
    pub(super) fn restart(&mut self, started: Timestamp, block_id: String, prelude: &str) {
        self.header = SegmentHeader {
            about: JournalHeader {
                started,
                // What ran as a whole is not what ran since then.
                command: None,
                ..self.header.about.clone()
            },
            block_id,
            first: self.newest.number,
            dropped: Dropped::default(),
            prelude: prelude.to_owned(),
        };
        self.restart_due = true;
    }

    /// Does what [`Self::restart`] asked for, if that is still to be done.
    pub(super) fn finish_restart(&mut self) -> io::Result<()> {
        if !self.restart_due {
            return Ok(());
        }
        // Before the older ones go: they still belong to the block that is on disk.
        self.newest.restart(&self.header)?;
        self.restart_due = false;
        remove_all(self.older.drain(..));
        Ok(())
    }

    /// When a sync is due, if one is.
    pub(super) fn sync_due_in(&self) -> Option<Duration> {
        let is_due = self.all().any(|segment| segment.sync_due);
        is_due.then(|| SYNC_EVERY.saturating_sub(self.last_sync.elapsed()))
    }

    /// Has everything put on the disk, without waiting for that.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.last_sync = Instant::now();
        let mut last = Ok(());
        if let Some(syncer) = &mut self.syncer {
            match syncer.is_busy() {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => last = Err(error),
            }
        }
        last.and(self.start_sync())
    }

    fn start_sync(&mut self) -> io::Result<()> {
        let mut files = Vec::new();
        for segment in self.older.iter_mut().chain([&mut self.newest]) {
            if segment.sync_due {
                files.push(segment.file()?);
                segment.sync_due = false;
            }
        }
        let has_new_name = std::mem::take(&mut self.has_new_name);
        let request = Request { files, folder: has_new_name.then(|| self.folder.clone()) };
        match &mut self.syncer {
            Some(syncer) => syncer.sync(request),
            None => request.run(),
        }
    }

    /// Removes all files.
    pub(super) fn remove(&mut self) -> io::Result<()> {
        // The newest goes last: it says what the others are.
        for segment in self.older.drain(..) {
            segment.remove()?;
        }
        self.newest.remove()?;
        folder::remove_if_empty(&self.folder);
        Ok(())
    }
}

/// Removes files that count no more; one that stays is passed over by every reader.
fn remove_all(segments: impl Iterator<Item = Segment>) {
    for segment in segments {
        segment.remove().unwrap_or_default();
    }
}
