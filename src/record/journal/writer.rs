//! Writing a journal.

use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use super::clock::Clock;
use super::escape::{incomplete_tail, push_escaped};
use super::header::SegmentHeader;
use super::segments::Segments;
use super::{Dropped, JournalError, JournalHeader};
use crate::artifact::{clock, ids};
use crate::screen::Size;

/// Output is gathered up to this size, or for this long, before it becomes an event.
const LARGEST_EVENT: usize = 64 << 10;
const LONGEST_WAIT: Duration = Duration::from_millis(50);
/// Less than this is not tried on a full disk.
const SMALLEST_EVENT: usize = 256;
/// No journal is kept smaller than this; bytes.
pub const SMALLEST_LIMIT: u64 = 64 << 10;

/// The journal of one recording: what was shown and is in no block yet, on disk.
///
/// It is a row of files, each an asciicast of version 3 that is complete at every moment but for
/// its last line. They are there until [`Self::remove`]; a recorder that dies leaves them behind.
/// While it lives, the newest of them is locked.
///
/// A write that fails loses what was to be written, which is counted; the journal stays usable.
#[derive(Debug)]
pub struct Journal {
    segments: Segments,
    /// Output that is in no event yet, and when the first of it came.
    pending: Vec<u8>,
    pending_since: u64,
    /// The line being made; kept for its memory.
    line: Vec<u8>,
    clock: Clock,
    /// Output that could not be written and that no file says so of yet.
    lost: Dropped,
    /// Whether no file says the size yet.
    resize_due: bool,
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
        let now = clock::milliseconds(Timestamp::now());
        let clock = Clock::start(header.started);
        let header = SegmentHeader {
            about: header.clone(),
            block_id: ids::block_id(now).map_err(JournalError::Id)?,
            first: 1,
            dropped: Dropped::default(),
            prelude: String::new(),
        };
        Ok(Self {
            segments: Segments::create(session_folder, header, limit_bytes.max(SMALLEST_LIMIT))?,
            pending: Vec::new(),
            pending_since: 0,
            line: Vec::new(),
            clock,
            lost: Dropped::default(),
            resize_due: false,
        })
    }

    /// The id that the block of this output must get: [`crate::artifact::NewSnapshot::block_id`].
    /// It tells whoever finds the journal after a crash whether the block was written.
    pub fn block_id(&self) -> &str {
        &self.segments.header.block_id
    }

    /// The newest of its files.
    pub fn path(&self) -> &Path {
        self.segments.path()
    }

    /// Takes output, which may end anywhere. It is gathered and reaches the system soon: by further
    /// calls, by [`Self::flush`], or by [`Self::sync_if_due`] once [`Self::due_in`] is over.
    ///
    /// # Errors
    /// Output could not be written, or room not be made for more. What is lost is counted.
    pub fn output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output_from(bytes, String::new)
    }

    /// The same for at most [`Self::piece`] bytes. `prelude` is asked where older output may have to
    /// be dropped: for sequences that bring a fresh terminal into the state, as far as modes and the
    /// alternate screen go, that it has before these bytes.
    ///
    /// # Errors
    /// As [`Self::output`].
    pub fn output_from(
        &mut self,
        bytes: &[u8],
        prelude: impl FnOnce() -> String,
    ) -> io::Result<()> {
        let mut result = Ok(());
        let mut prelude = Some(prelude);
        for part in bytes.chunks(self.largest_event()) {
            let here = prelude.take();
            result = result.and(self.make_room(|| here.map_or_else(String::new, |here| here())));
            if self.pending.is_empty() {
                self.pending_since = self.clock.now();
                if part.len() == self.largest_event() {
                    result = result.and(self.write_at_once(part));
                    continue;
                }
            }
            self.pending.extend_from_slice(part);
            if self.is_event_due() {
                result = result.and(self.flush());
            }
        }
        result
    }

    /// Makes an event of output without gathering it first.
    fn write_at_once(&mut self, output: &[u8]) -> io::Result<()> {
        let (whole, tail) = output.split_at(output.len() - incomplete_tail(output));
        let result = self.write_output(whole);
        self.pending.extend_from_slice(tail);
        result
    }

    fn is_event_due(&self) -> bool {
        self.pending.len() >= self.largest_event()
            || self.clock.since(self.pending_since) >= LONGEST_WAIT
    }

    /// Most bytes that are taken at once with a prelude.
    pub fn piece(&self) -> usize {
        self.largest_event()
    }

    /// So large that an event fits into a file even if each byte takes six.
    fn largest_event(&self) -> usize {
        let most = usize::try_from(self.segments.share() / 8).unwrap_or(usize::MAX);
        most.clamp(SMALLEST_EVENT, LARGEST_EVENT)
    }

    /// Goes on in another file where this one is full.
    fn make_room(&mut self, prelude: impl FnOnce() -> String) -> io::Result<()> {
        if !self.segments.is_full(self.pending.len()) {
            return Ok(());
        }
        // What is pending came before the prelude.
        self.flush()?;
        let now = self.clock.now();
        self.segments.advance(self.clock.timestamp(now), prelude())?;
        self.clock.advance(now);
        self.resize_due = false;
        Ok(())
    }

    /// Hands what is pending to the system: from here on it survives this process. To be called
    /// before a wait for more output.
    ///
    /// # Errors
    /// Output could not be written; it is lost and counted.
    pub fn flush(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let kept = pending.len() - incomplete_tail(&pending);
        let result = self.write_output(&pending[..kept]);
        self.pending = pending;
        self.forget_pending();
        result
    }

    /// Drops what is pending but for the first bytes of a character, which wait for the rest.
    fn forget_pending(&mut self) {
        let kept = self.pending.len() - incomplete_tail(&self.pending);
        self.pending.drain(..kept);
        self.pending_since = self.clock.now();
    }

    /// Writes events, in smaller parts where the disk is full.
    fn write_output(&mut self, output: &[u8]) -> io::Result<()> {
        let mut rest = output;
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
        self.finish_resize()?;
        self.report_losses()?;
        self.start_line("o", self.pending_since);
        push_escaped(part, &mut self.line);
        self.end_line(self.pending_since)?;
        self.segments.count(Dropped::one(part.len()), Dropped::default());
        Ok(())
    }

    fn start_line(&mut self, code: &str, at: u64) {
        let start = format!("[{}, \"{code}\", \"", self.clock.interval(at));
        self.line.clear();
        self.line.extend_from_slice(start.as_bytes());
    }

    fn end_line(&mut self, at: u64) -> io::Result<()> {
        self.line.extend_from_slice(b"\"]\n");
        self.segments.append(&self.line)?;
        self.clock.advance(at);
        Ok(())
    }

    /// An event whose data needs no escapes.
    fn write_short(&mut self, code: &str, data: &str, at: u64) -> io::Result<()> {
        self.start_line(code, at);
        self.line.extend_from_slice(data.as_bytes());
        self.end_line(at)
    }

    /// Says in the journal that output was lost, once it can be written again.
    fn report_losses(&mut self) -> io::Result<()> {
        if self.lost.is_nothing() {
            return Ok(());
        }
        let Dropped { events, bytes } = self.lost;
        self.write_short("lost", &format!("{events} {bytes}"), 0)?;
        self.segments.count(Dropped::default(), std::mem::take(&mut self.lost));
        Ok(())
    }

    /// The terminal has another size.
    ///
    /// # Errors
    /// Output before it could not be written, which is lost and counted; or the size could not be
    /// written yet.
    pub fn resize(&mut self, size: Size) -> io::Result<()> {
        let flushed = self.flush();
        self.segments.header.about.size = size;
        self.resize_due = true;
        flushed.and(self.finish_resize())
    }

    fn finish_resize(&mut self) -> io::Result<()> {
        if self.resize_due {
            let Size { cols, rows } = self.segments.header.about.size;
            self.write_short("r", &format!("{cols}x{rows}"), self.clock.now())?;
            self.resize_due = false;
        }
        Ok(())
    }

    /// When [`Self::sync_if_due`] has something to do, if nothing else comes before that.
    pub fn due_in(&self) -> Option<Duration> {
        let has_event = self.pending.len() > incomplete_tail(&self.pending);
        let event =
            has_event.then(|| LONGEST_WAIT.saturating_sub(self.clock.since(self.pending_since)));
        event.into_iter().chain(self.segments.sync_due_in()).min()
    }

    /// Hands over what has waited long enough and, at most once a second, has it put on the disk,
    /// without waiting for that.
    ///
    /// # Errors
    /// Output could not be written, or a sync failed.
    pub fn sync_if_due(&mut self) -> io::Result<()> {
        let mut result = Ok(());
        if self.is_event_due() {
            result = self.flush();
        }
        if self.segments.sync_due_in() == Some(Duration::ZERO) {
            result = result.and(self.flush()).and(self.segments.sync());
        }
        result
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
        self.forget_pending();
        self.lost = Dropped::default();
        self.resize_due = false;
        let now = self.clock.now();
        self.clock.advance(now);
        let started = self.clock.timestamp(now);
        // Any other id will do where there are no random numbers.
        let block_id = ids::block_id(clock::milliseconds(started))
            .unwrap_or_else(|_| format!("{}x", self.block_id()));
        self.segments.restart(started, block_id, prelude);
        self.segments.finish_restart()
    }

    /// Ends a recording of which everything is in blocks.
    ///
    /// # Errors
    /// A file could not be removed.
    pub fn remove(mut self) -> io::Result<()> {
        self.pending.clear();
        self.segments.remove()
    }

    /// Output since the last freeze that the journal does not hold: dropped by the limit, or not
    /// written because the system refused.
    pub fn dropped(&self) -> Dropped {
        self.segments.dropped() + self.lost
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // For a recorder that gives up; there is nobody left to tell.
        self.flush().unwrap_or_default();
    }
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
