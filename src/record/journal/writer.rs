//! Writing a journal.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::escape::{incomplete_tail, push_escaped};
use super::header::SegmentHeader;
use super::name::Stem;
use super::segment::Segment;
use super::syncer::{Request, Syncer};
use super::{Dropped, JournalError, JournalHeader, folder};
use crate::artifact::{clock, ids};
use crate::screen::Size;

/// Output is gathered up to this size, or for this long, before it becomes an event.
const LARGEST_EVENT: usize = 64 << 10;
const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// Between two syncs.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// A full journal is this many segments; the oldest of them is dropped as a whole.
const SEGMENTS: u64 = 16;
/// No journal is kept smaller than this.
const SMALLEST_LIMIT: u64 = 64 << 10;
/// How often a journal is begun in a folder that others remove.
const ATTEMPTS: usize = 100;
/// Less than this is not tried on a full disk.
const SMALLEST_EVENT: usize = 256;

/// The journal of one recording: what was shown and is in no block yet, on disk.
///
/// It is a row of files, each an asciicast of version 3 that is complete at every moment but for
/// its last line. They are there until [`Self::remove`]; a recorder that dies leaves them behind.
/// While it lives, the newest of them is locked.
///
/// A write that fails loses what was to be written, which is counted; the journal stays usable.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    stem: Stem,
    /// The header of the newest segment.
    header: SegmentHeader,
    head: Segment,
    /// The segments before it with output of the same block.
    older: VecDeque<Segment>,
    limit: u64,
    /// Output that is in no event yet, and when the first of it came.
    pending: Vec<u8>,
    pending_since: u64,
    /// The line being made; kept for its memory.
    line: Vec<u8>,
    clock: Clock,
    /// Output that could not be written and that no segment says so of yet.
    lost: Dropped,
    /// Whether the newest segment still has to be emptied, and to be told the size.
    restart_due: bool,
    resize_due: bool,
    syncer: Option<Syncer>,
    sync: SyncState,
}

/// Milliseconds since the recording began.
#[derive(Debug)]
struct Clock {
    began: Instant,
    started: Timestamp,
    /// The time of the last event, or of the segment's start.
    last: u64,
}

#[derive(Debug)]
struct SyncState {
    last: Instant,
    /// Whether the name of a segment may not be on disk yet.
    has_new_name: bool,
}

impl Journal {
    /// Begins a journal in the folder of a session. The files of a journal are at most
    /// `limit_bytes` large together; what does not fit is dropped, the oldest first.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn create(
        session_folder: &Path,
        header: &JournalHeader,
        limit_bytes: u64,
    ) -> Result<Self, JournalError> {
        let now = Timestamp::now();
        let block_id = ids::block_id(clock::milliseconds(now)).map_err(JournalError::Id)?;
        let header = SegmentHeader {
            about: header.clone(),
            block_id,
            first: 1,
            dropped: Dropped::default(),
            prelude: String::new(),
        };
        let started = header.about.started;
        let mut stem = Stem { start: clock::milliseconds(started), process: std::process::id() };
        let mut attempts = 0;
        let (folder, head) = loop {
            attempts += 1;
            let folder = folder::create(session_folder)?;
            match Segment::create(&folder, &stem, 1, &header) {
                Ok(head) => break (folder, head),
                // One process may record twice at the same time.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => stem.start += 1,
                // The end of another recording may have removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound && attempts < ATTEMPTS => {}
                Err(error) => return Err(JournalError::io("begin a journal in", &folder)(error)),
            }
        };
        let began = Instant::now();
        Ok(Self {
            folder,
            stem,
            header,
            head,
            older: VecDeque::new(),
            limit: limit_bytes.max(SMALLEST_LIMIT),
            pending: Vec::new(),
            pending_since: 0,
            line: Vec::new(),
            clock: Clock { began, started, last: 0 },
            lost: Dropped::default(),
            restart_due: false,
            resize_due: false,
            // Without a thread the recorder waits for the disk itself.
            syncer: Syncer::start().ok(),
            sync: SyncState { last: began, has_new_name: true },
        })
    }

    /// The id that the block of this output must get: [`crate::artifact::NewSnapshot::block_id`].
    /// It tells whoever finds the journal after a crash whether the block was written.
    pub fn block_id(&self) -> &str {
        &self.header.block_id
    }

    /// Takes output, which may end anywhere. It is gathered and reaches the system soon: by further
    /// calls, by [`Self::flush`], or by [`Self::sync_if_due`] once [`Self::due_in`] is over.
    ///
    /// # Errors
    /// Output could not be written, or room not be made for more. What is lost is counted.
    pub fn output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output_from(bytes, String::new)
    }

    /// The same. `prelude` is asked where older output may have to be dropped: for sequences that
    /// bring a fresh terminal into the state, as far as modes and the alternate screen go, that it
    /// has before these bytes.
    ///
    /// # Errors
    /// As [`Self::output`].
    pub fn output_from(
        &mut self,
        bytes: &[u8],
        prelude: impl FnOnce() -> String,
    ) -> io::Result<()> {
        let mut result = self.make_room(prelude);
        for part in bytes.chunks(self.largest_event()) {
            result = result.and(self.make_room(String::new));
            self.take(part);
            if self.is_event() {
                result = result.and(self.flush());
            }
        }
        result
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.pending.is_empty() {
            self.pending_since = self.clock.now();
        }
        self.pending.extend_from_slice(bytes);
    }

    fn is_event(&self) -> bool {
        self.pending.len() >= self.largest_event()
            || self.clock.now() - self.pending_since >= milliseconds(LONGEST_WAIT)
    }

    /// So large that an event fits into a segment even if each byte takes six.
    fn largest_event(&self) -> usize {
        usize::try_from(self.limit / SEGMENTS / 8)
            .map_or(LARGEST_EVENT, |most| most.clamp(SMALLEST_EVENT, LARGEST_EVENT))
    }

    /// Hands what is pending to the system: from here on it survives this process. To be called
    /// before a wait for more output.
    ///
    /// # Errors
    /// Output could not be written; it is lost and counted.
    pub fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let result = self.write_output(&pending);
        // The first bytes of a character wait for the rest of it.
        let kept = pending.len() - incomplete_tail(&pending);
        self.pending = pending;
        self.pending.drain(..kept);
        self.pending_since = self.clock.now();
        result
    }

    /// Writes events, in smaller parts where the disk is full.
    fn write_output(&mut self, output: &[u8]) -> io::Result<()> {
        let mut rest = &output[..output.len() - incomplete_tail(output)];
        let mut size = rest.len();
        while !rest.is_empty() {
            let part = whole_characters(rest, size);
            match self.write_event(part) {
                Ok(()) => rest = &rest[part.len()..],
                Err(error) if is_full(&error) && part.len() > SMALLEST_EVENT => {
                    size = part.len() / 2;
                }
                Err(error) => {
                    self.lost += Dropped::one(rest.len());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn write_event(&mut self, part: &[u8]) -> io::Result<()> {
        let since = self.pending_since;
        let mut line = std::mem::take(&mut self.line);
        self.start_line("o", since, &mut line);
        push_escaped(part, &mut line);
        line.extend_from_slice(b"\"]\n");
        let result = self.append(&line, since);
        self.line = line;
        if result.is_ok() {
            self.head.held += Dropped::one(part.len());
        }
        result
    }

    /// Everything of an event before its data. Intervals are differences of whole milliseconds, so
    /// their sum does not drift.
    fn start_line(&self, code: &str, at: u64, line: &mut Vec<u8>) {
        let interval = at.saturating_sub(self.clock.last);
        line.clear();
        let (seconds, rest) = (interval / 1000, interval % 1000);
        // Writing to memory cannot fail.
        write!(line, "[{seconds}.{rest:03}, \"{code}\", \"").unwrap_or_default();
    }

    fn append(&mut self, line: &[u8], at: u64) -> io::Result<()> {
        self.finish_restart()?;
        self.finish_resize()?;
        self.report_losses()?;
        self.append_line(line)?;
        self.clock.last = self.clock.last.max(at);
        Ok(())
    }

    fn append_line(&mut self, line: &[u8]) -> io::Result<()> {
        let size: u64 = self.segments().map(|segment| segment.size).sum();
        // Only where no further segment can be made.
        if size > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.head.append(line)
    }

    /// All segments with output of the block to come, the oldest first.
    fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.older.iter().chain([&self.head])
    }

    /// Says in the journal that output was lost, once it can be written again.
    fn report_losses(&mut self) -> io::Result<()> {
        if self.lost.is_nothing() {
            return Ok(());
        }
        let Dropped { events, bytes } = self.lost;
        self.append_short("lost", &format!("{events} {bytes}"), self.clock.last)?;
        self.head.lost += std::mem::take(&mut self.lost);
        Ok(())
    }

    /// The terminal has another size.
    ///
    /// # Errors
    /// Output before it could not be written, which is lost and counted; or the size could not be
    /// written yet.
    pub fn resize(&mut self, size: Size) -> io::Result<()> {
        let flushed = self.flush();
        self.header.about.size = size;
        // An older size in a header yet to be written is as good as this one: nothing was shown.
        self.resize_due = true;
        flushed.and(self.finish_restart()).and(self.finish_resize())
    }

    fn finish_resize(&mut self) -> io::Result<()> {
        if !self.resize_due {
            return Ok(());
        }
        let Size { cols, rows } = self.header.about.size;
        let now = self.clock.now();
        self.append_short("r", &format!("{cols}x{rows}"), now)?;
        self.clock.last = now;
        self.resize_due = false;
        Ok(())
    }

    /// An event whose data needs no escapes.
    fn append_short(&mut self, code: &str, data: &str, at: u64) -> io::Result<()> {
        let mut line = Vec::new();
        self.start_line(code, at, &mut line);
        line.extend_from_slice(data.as_bytes());
        line.extend_from_slice(b"\"]\n");
        self.append_line(&line)
    }

    /// Goes on in a new segment where this one is full, and drops the oldest where there are too
    /// many.
    fn make_room(&mut self, prelude: impl FnOnce() -> String) -> io::Result<()> {
        let share = self.limit / SEGMENTS;
        let pending = u64::try_from(self.pending.len()).unwrap_or(0);
        if self.restart_due || self.head.size + pending < share {
            return Ok(());
        }
        // What is pending came before the prelude.
        self.flush()?;
        let allowed = self.limit - 3 * share;
        let mut kept: u64 = self.segments().map(|segment| segment.size).sum();
        let mut dropped = self.header.dropped;
        let mut excess = 0;
        for segment in self.segments() {
            if kept <= allowed {
                break;
            }
            kept -= segment.size;
            dropped += segment.held + segment.lost;
            excess += 1;
        }
        let number = self.head.number + 1;
        let first = self.segments().nth(excess).map_or(number, |segment| segment.number);
        let now = self.clock.now();
        let header = SegmentHeader {
            about: JournalHeader {
                started: self.clock.timestamp(now),
                ..self.header.about.clone()
            },
            block_id: self.header.block_id.clone(),
            first,
            dropped,
            prelude: prelude(),
        };
        let head = Segment::create(&self.folder, &self.stem, number, &header)?;
        self.header = header;
        self.clock.last = now;
        let segment = std::mem::replace(&mut self.head, head);
        self.older.push_back(segment);
        self.sync.has_new_name = true;
        self.resize_due = false;
        if excess > 0 {
            // The count must be on disk before what it counts is gone.
            self.head.sync()?;
            folder::sync(&self.folder)?;
            for old in self.older.drain(..excess) {
                old.remove().unwrap_or_default();
            }
        }
        Ok(())
    }

    /// When [`Self::sync_if_due`] has something to do, if nothing else comes before that.
    pub fn due_in(&self) -> Option<Duration> {
        let is_due = self.segments().any(|segment| segment.sync_due);
        let sync = is_due.then(|| SYNC_EVERY.saturating_sub(self.sync.last.elapsed()));
        if self.pending.len() > incomplete_tail(&self.pending) {
            let waited = Duration::from_millis(self.clock.now() - self.pending_since);
            let flush = LONGEST_WAIT.saturating_sub(waited);
            return Some(sync.map_or(flush, |sync| sync.min(flush)));
        }
        sync
    }

    /// Hands over what has waited long enough and, at most once a second, has it put on the disk,
    /// without waiting for that.
    ///
    /// # Errors
    /// Output could not be written, or a sync failed.
    pub fn sync_if_due(&mut self) -> io::Result<()> {
        let mut result = Ok(());
        if self.is_event() {
            result = self.flush();
        }
        if self.sync.last.elapsed() < SYNC_EVERY {
            return result;
        }
        result = result.and(self.flush());
        if !self.segments().any(|segment| segment.sync_due) {
            return result;
        }
        if let Some(syncer) = &mut self.syncer {
            match syncer.is_busy() {
                Ok(true) => {
                    self.sync.last = Instant::now();
                    return result;
                }
                Ok(false) => {}
                Err(error) => result = result.and(Err(error)),
            }
        }
        self.sync.last = Instant::now();
        result.and(self.start_sync())
    }

    fn start_sync(&mut self) -> io::Result<()> {
        let mut files = Vec::new();
        for segment in self.older.iter_mut().chain([&mut self.head]) {
            if segment.sync_due {
                files.push(segment.file()?);
                segment.sync_due = false;
            }
        }
        let has_new_name = std::mem::take(&mut self.sync.has_new_name);
        let request = Request { files, folder: has_new_name.then(|| self.folder.clone()) };
        match &mut self.syncer {
            Some(syncer) => syncer.sync(request),
            None => request.run(),
        }
    }

    /// Begins the journal again: all output so far is in a block that is on disk, or nothing of it
    /// was worth one. No output may come between the making of that block and this call.
    /// `prelude` brings a fresh terminal into the state, as far as modes and the alternate screen
    /// go, that the next output finds.
    ///
    /// A crash leaves either the old journal, whose block is known by its id, or the new one.
    ///
    /// # Errors
    /// The files could not be changed. What comes next tries that again before it writes.
    pub fn frozen(&mut self, prelude: &str) -> io::Result<()> {
        let kept = self.pending.len() - incomplete_tail(&self.pending);
        self.pending.drain(..kept);
        self.lost = Dropped::default();
        self.clock.last = self.clock.now();
        let now = self.clock.timestamp(self.clock.last);
        let id = ids::block_id(clock::milliseconds(now));
        self.header.about.started = now;
        // What ran as a whole is not what ran since then.
        self.header.about.command = None;
        self.header.about.cwd = None;
        // Any other id will do where there are no random numbers.
        self.header.block_id = id.unwrap_or_else(|_| format!("{}x", self.header.block_id));
        self.header.first = self.head.number;
        self.header.dropped = Dropped::default();
        prelude.clone_into(&mut self.header.prelude);
        self.restart_due = true;
        self.finish_restart()
    }

    fn finish_restart(&mut self) -> io::Result<()> {
        if !self.restart_due {
            return Ok(());
        }
        // Before the older ones go: they still belong to the block that is on disk.
        self.head.restart(&self.header)?;
        self.restart_due = false;
        self.resize_due = false;
        for old in self.older.drain(..) {
            old.remove().unwrap_or_default();
        }
        Ok(())
    }

    /// Ends a recording of which everything is in blocks.
    ///
    /// # Errors
    /// A file could not be removed.
    pub fn remove(mut self) -> io::Result<()> {
        self.pending.clear();
        // The newest goes last, so that the rest is never without its lock.
        for old in self.older.drain(..) {
            old.remove()?;
        }
        self.head.remove()?;
        folder::remove_if_empty(&self.folder);
        Ok(())
    }

    /// Output since the last freeze that the journal does not hold: dropped by the limit, or not
    /// written because the system refused.
    pub fn dropped(&self) -> Dropped {
        let lost = self.segments().fold(Dropped::default(), |sum, segment| sum + segment.lost);
        self.header.dropped + lost + self.lost
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // For a recorder that gives up; there is nobody left to tell.
        self.flush().unwrap_or_default();
    }
}

impl Clock {
    fn now(&self) -> u64 {
        milliseconds(self.began.elapsed())
    }

    fn timestamp(&self, at: u64) -> Timestamp {
        let since = SignedDuration::from_millis(i64::try_from(at).unwrap_or(i64::MAX));
        self.started.checked_add(since).unwrap_or(self.started)
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The beginning of `bytes`, at most `size` of them where that is more than one character.
fn whole_characters(bytes: &[u8], size: usize) -> &[u8] {
    let part = &bytes[..size.clamp(1, bytes.len())];
    let kept = part.len() - incomplete_tail(part);
    if kept == 0 || part.len() == bytes.len() { bytes } else { &part[..kept] }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}
