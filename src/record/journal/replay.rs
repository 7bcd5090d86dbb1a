//! From the files of a journal back to the screen.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::found::{is_missing, open};
use super::header::SegmentHeader;
use super::player::Player;
use super::{DeadJournal, Dropped, FoundJournal, JournalError};
use crate::artifact::ids;
use crate::record::byte_reader::ByteReader;
use crate::record::history::{History, ScreenData};
use crate::record::opening::DEFAULT_SIZE;
use crate::screen::{Screen, Scrollback};

/// No real header is longer.
const LONGEST_HEADER: usize = 1 << 20;
/// How often a journal that changes under the reader is read again.
const ATTEMPTS: usize = 20;
const PAUSE: Duration = Duration::from_millis(2);

/// What a journal holds.
#[derive(Debug)]
pub struct Replayed {
    /// The screen, drawn from an empty one since the last freeze.
    pub screen: Screen,
    /// Rows before those of the screen, where they are kept beyond memory.
    pub(super) history: Option<History>,
    /// The id of the block that this output becomes.
    pub block_id: String,
    /// The Codex thread, where the header could be read.
    pub session_id: Option<String>,
    /// What was recorded, where the journal holds all of it.
    pub command: Option<String>,
    /// Where that ran.
    pub cwd: Option<String>,
    /// When the output began.
    pub started: Option<Timestamp>,
    /// When the last of it came.
    pub ended: Option<Timestamp>,
    /// Output that the journal does not hold.
    pub dropped: Dropped,
    /// Lines that could not be read to their end.
    pub damaged_lines: u64,
}

/// Why a journal could not be read at once.
enum Stop {
    /// Its recorder changed it meanwhile.
    Changed,
    Failed(JournalError),
}

/// A segment whose header was read, or was none.
struct Part {
    number: u64,
    header: Option<SegmentHeader>,
    line: Vec<u8>,
    reader: ByteReader,
    file: File,
}

impl FoundJournal {
    /// Draws what is in it. Nothing is locked or changed; a recorder may go on writing meanwhile.
    ///
    /// # Errors
    /// [`JournalError`] where a file cannot be read.
    pub fn replay(&self) -> Result<Replayed, JournalError> {
        self.replay_beside(None)
    }

    /// The same. Rows that nobody wants dropped go into a file in `folder`.
    fn replay_beside(&self, folder: Option<&Path>) -> Result<Replayed, JournalError> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let is_last = attempts == ATTEMPTS;
            match self.attempt(folder, is_last) {
                Ok(replayed) => return Ok(replayed),
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Changed) if is_last => {
                    let error = io::Error::other("it changes all the time");
                    return Err(JournalError::io("read", &self.path())(error));
                }
                Err(Stop::Changed) => std::thread::sleep(PAUSE),
            }
        }
    }

    fn attempt(&self, folder: Option<&Path>, is_last: bool) -> Result<Replayed, Stop> {
        let parts = self.parts()?;
        // A recorder that lives is just about to write its header.
        if !is_last && parts.last().is_none_or(|part| part.line.is_empty()) {
            return Err(Stop::Changed);
        }
        let head = parts.iter().rev().find_map(|part| part.header.clone());
        let parts: Vec<_> =
            parts.into_iter().filter(|part| part.belongs_to(head.as_ref())).collect();
        let first = parts.iter().find_map(|part| part.header.as_ref());
        let mut screen = match first {
            Some(header) => Screen::new(header.about.size, header.about.scrollback),
            None => Screen::new(DEFAULT_SIZE, Scrollback::default()),
        };
        screen.feed(first.map_or("", |header| &header.prelude).as_bytes());
        let started = first.map(|header| header.about.started);
        let mut ended = started;
        let scrollback = first.map(|header| header.about.scrollback);
        let folder = folder.filter(|_| scrollback == Some(Scrollback::Unlimited));
        let begin = |folder: &Path| {
            let history = History::begin(folder, None);
            history.map_err(|error| Stop::Failed(JournalError::io("write in", folder)(error)))
        };
        let mut player = Player::new(screen, folder.map(begin).transpose()?);
        for mut part in parts {
            if let Some(header) = &part.header
                && header.about.size != player.screen.size()
            {
                player.screen.resize(header.about.size);
            }
            let path = self.segment(part.number);
            let played = player.play(&mut part.reader);
            played.map_err(|error| Stop::Failed(JournalError::io("read", &path)(error)))?;
            if part.has_changed() {
                return Err(Stop::Changed);
            }
            ended = part.header.and_then(|header| after(header.about.started, player.elapsed));
        }
        player.screen.finish();
        let dropped = head.as_ref().map_or(Dropped::default(), |head| head.dropped);
        let about = head.as_ref().map(|head| head.about.clone());
        Ok(Replayed {
            screen: player.screen,
            history: player.history,
            // Always the same one where it is not known, so that nothing is recovered twice.
            block_id: head.map_or_else(
                || ids::block_id_of(self.stem.start, self.stem.process),
                |head| head.block_id,
            ),
            session_id: about.as_ref().map(|about| about.session_id.clone()),
            command: about.as_ref().and_then(|about| about.command.clone()),
            cwd: about.and_then(|about| about.cwd),
            started,
            ended,
            dropped: dropped + player.lost,
            damaged_lines: player.damaged,
        })
    }

    /// Opens all segments, so that none of them goes away while the others are read.
    fn parts(&self) -> Result<Vec<Part>, Stop> {
        let failed = |error| Stop::Failed(JournalError::io("read", &self.path())(error));
        let Some(now) = self.again().map_err(failed)? else {
            return Err(failed(io::ErrorKind::NotFound.into()));
        };
        let open = |number| match Part::open(self, number) {
            Err(error) if is_missing(&error) => Err(Stop::Changed),
            other => other.map_err(failed),
        };
        now.numbers.into_iter().map(open).collect()
    }
}

impl DeadJournal {
    /// Draws what is in it, in little memory however much that is.
    ///
    /// # Errors
    /// [`JournalError`] where a file cannot be read, or rows beyond memory not be written.
    pub(in crate::record) fn replay(&self) -> Result<Replayed, JournalError> {
        self.journal().replay_beside(Some(&self.journal().folder))
    }
}

impl Replayed {
    /// Whether there is nothing to freeze.
    pub(in crate::record) fn is_blank(&self) -> bool {
        self.history.as_ref().is_none_or(History::is_empty) && self.screen.is_blank()
    }

    /// The snapshot of it.
    pub(in crate::record) fn data(&self) -> ScreenData<'_> {
        ScreenData { history: self.history.as_ref(), screen: &self.screen }
    }
}

impl Part {
    fn open(journal: &FoundJournal, number: u64) -> io::Result<Self> {
        let file = open(&journal.segment(number))?;
        let mut reader = ByteReader::file(file.try_clone()?);
        let head = reader.head(LONGEST_HEADER)?;
        let length = memchr::memchr(b'\n', head).map_or(head.len(), |newline| newline + 1);
        let line = head[..length].to_vec();
        let header = SegmentHeader::parse(&line);
        // A line that is no header may be a damaged event: the player finds out.
        if header.is_some() {
            reader.consume(length);
        }
        Ok(Self { number, header, line, reader, file })
    }

    /// Whether it holds output of the block that `head` is about.
    fn belongs_to(&self, head: Option<&SegmentHeader>) -> bool {
        let Some(head) = head else {
            return true;
        };
        let is_same = |header: &SegmentHeader| header.block_id == head.block_id;
        self.number >= head.first && self.header.as_ref().is_none_or(is_same)
    }

    /// Whether the recorder began the file again while it was read.
    fn has_changed(&self) -> bool {
        let mut line = vec![0; self.line.len()];
        self.file.read_exact_at(&mut line, 0).is_err() || line != self.line
    }
}

/// The time so many seconds later; none beyond all calendars.
fn after(start: Timestamp, seconds: f64) -> Option<Timestamp> {
    start.checked_add(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()
}
