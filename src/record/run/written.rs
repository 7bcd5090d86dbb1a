//! What is written as it comes: the journal, and the whole recording as an asciicast.

use std::io;
use std::time::Duration;

use super::cast_file::{CastFile, CastHeader, CastTarget};
use crate::record::Journal;
use crate::screen::{Screen, Size};
use crate::snapshot::prelude;
use crate::text::system_error;

/// Files that get everything. One that cannot be written is said once, and the recording goes on.
pub(crate) struct Written {
    journal: Journal,
    journal_failed: bool,
    history_failed: bool,
    cast: Option<CastFile>,
    /// What nobody was told yet.
    complaints: Vec<String>,
}

impl Written {
    pub(super) fn new(journal: Journal, cast: Option<CastTarget>, header: &CastHeader) -> Self {
        let mut complaints = Vec::new();
        let cast = cast.and_then(|target| {
            let path = target.path().display().to_string();
            let cast = target.begin(header);
            let complain = |error| format!("cannot write {path}: {}", system_error(&error));
            cast.map_err(|error| complaints.push(complain(error))).ok()
        });
        Self { journal, journal_failed: false, history_failed: false, cast, complaints }
    }

    /// The journal alone.
    pub(crate) fn without_cast(journal: Journal) -> Self {
        Self {
            journal,
            journal_failed: false,
            history_failed: false,
            cast: None,
            complaints: Vec::new(),
        }
    }

    /// Most bytes of output at once.
    pub(crate) fn piece(&self) -> usize {
        self.journal.piece()
    }

    /// Output that `screen` does not show yet, at most [`Self::piece`] bytes.
    pub(crate) fn output(&mut self, bytes: &[u8], at: Duration, screen: &Screen) {
        let result = self.journal.output_from(bytes, || prelude(screen));
        self.check_journal(result);
        self.on_cast(|cast| cast.output(bytes, at));
    }

    pub(crate) fn input(&mut self, bytes: &[u8], at: Duration) {
        self.on_cast(|cast| cast.input(bytes, at));
    }

    pub(crate) fn resize(&mut self, size: Size, at: Duration) {
        let result = self.journal.resize(size);
        self.check_journal(result);
        self.on_cast(|cast| cast.resize(size, at));
    }

    /// Hands all output to the system, so that a crash during a freeze loses none of it.
    pub(crate) fn flush(&mut self) {
        let result = self.journal.flush();
        self.check_journal(result);
    }

    /// The id that the next block must get.
    pub(crate) fn block_id(&self) -> String {
        self.journal.block_id().to_owned()
    }

    /// A block was written, and `screen` began again.
    pub(crate) fn frozen(&mut self, screen: &Screen) {
        let result = self.journal.frozen(&prelude(screen));
        self.check_journal(result);
    }

    /// When there is something to do, if nothing else happens.
    pub(crate) fn due_in(&self) -> Option<Duration> {
        self.journal.due_in()
    }

    pub(crate) fn sync_if_due(&mut self) {
        let result = self.journal.sync_if_due();
        self.check_journal(result);
    }

    /// Nothing comes for a while.
    pub(crate) fn pause(&mut self) {
        self.on_cast(CastFile::flush);
    }

    /// The program has ended. The journal stays if it is needed.
    pub(crate) fn end(mut self, code: i64, at: Duration, keep: bool) -> Vec<String> {
        self.on_cast(|cast| cast.end(code, at));
        let Self { journal, mut complaints, .. } = self;
        if !keep && let Err(error) = journal.remove() {
            complaints.push(format!("cannot remove the journal: {}", system_error(&error)));
        }
        complaints
    }

    /// What went wrong since the last call.
    pub(crate) fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Rows that should have left memory for the disk are gone.
    pub(crate) fn complain_of_history(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.history_failed, true) {
            let error = system_error(error);
            self.complaints.push(format!("cannot keep the oldest rows: {error}"));
        }
    }

    fn check_journal(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && !std::mem::replace(&mut self.journal_failed, true)
        {
            self.complaints.push(format!(
                "cannot write the journal: {}; a crash would lose output",
                system_error(&error)
            ));
        }
    }

    /// A cast with a hole in it is none, so it ends where it cannot be written.
    fn on_cast(&mut self, act: impl FnOnce(&mut CastFile) -> io::Result<()>) {
        let Some(cast) = &mut self.cast else {
            return;
        };
        if let Err(error) = act(cast) {
            self.complaints.push(format!(
                "cannot write {}: {}; it ends here",
                cast.path().display(),
                system_error(&error)
            ));
            self.cast = None;
        }
    }
}
