//! Recorders in a test's own process, and what is in a session afterwards.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use terminal_session::artifact::records::SnapshotFacts;
use terminal_session::artifact::{Manifest, NewSnapshot, Store};
use terminal_session::home::{CodexHome, TerminalId};
use terminal_session::inspect::{Content, Rendering};
use terminal_session::record::{Journal, JournalHeader};
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{prelude, serialize};

pub const SIZE: Size = Size { cols: 40, rows: 6 };
pub const LIMIT: u64 = 256 << 20;

pub fn codex_home(path: &Path) -> CodexHome {
    CodexHome::find(Some(path.as_os_str())).unwrap()
}

pub fn terminal(name: &str) -> TerminalId {
    TerminalId::new(name).unwrap()
}

pub fn session_folder(home: &Path, name: &str) -> PathBuf {
    codex_home(home).session(&terminal(name))
}

pub fn header(name: &str) -> JournalHeader {
    JournalHeader {
        terminal_id: terminal(name),
        session_id: "thread-1".to_owned(),
        size: SIZE,
        scrollback: Scrollback::Unlimited,
        command: Some("make".to_owned()),
        cwd: Some("/work".to_owned()),
        started: Timestamp::now(),
    }
}

/// A recorder without a terminal: it is told what was shown.
pub struct Recorder {
    pub journal: Journal,
    pub screen: Screen,
    store: Store,
}

impl Recorder {
    pub fn start(home: &Path, name: &str) -> Self {
        Self::with_limit(home, name, LIMIT)
    }

    pub fn with_limit(home: &Path, name: &str, limit: u64) -> Self {
        Self::with_header(home, &header(name), limit)
    }

    pub fn with_header(home: &Path, header: &JournalHeader, limit: u64) -> Self {
        let name = header.terminal_id.as_str();
        let folder = session_folder(home, name);
        Self {
            journal: Journal::create(&folder, header, limit).unwrap(),
            screen: Screen::new(SIZE, Scrollback::Unlimited),
            store: Store::new(&codex_home(home), &terminal(name)),
        }
    }

    pub fn show(&mut self, bytes: impl AsRef<[u8]>) {
        self.journal.output_from(bytes.as_ref(), || prelude(&self.screen)).unwrap();
        self.screen.feed(bytes.as_ref());
    }

    /// Leaves the journal as a recorder does that is killed.
    ///
    /// Its files become new ones that never had a lock: a process that another test is about to
    /// start may for a moment hold copies of this one's descriptors, and with them the lock.
    pub fn crash(mut self) {
        self.journal.flush().unwrap();
        let path = self.journal.path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let stem = name.split('.').next().unwrap().to_owned() + ".";
        for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap().starts_with(&stem) {
                let copy = path.with_extension("copy");
                std::fs::copy(&path, &copy).unwrap();
                std::fs::rename(copy, path).unwrap();
            }
        }
    }

    /// The first half of a freeze: the block is on disk, the journal does not know yet.
    pub fn write_block(&mut self) {
        let snapshot = NewSnapshot {
            block_id: Some(self.journal.block_id().to_owned()),
            data: serialize(&self.screen),
            facts: SnapshotFacts {
                session_id: "thread-1".to_owned(),
                step_id: None,
                cols: SIZE.cols,
                rows: SIZE.rows,
                ..SnapshotFacts::default()
            },
        };
        self.store.append([snapshot]).unwrap();
        self.screen.restart();
    }

    pub fn freeze(&mut self) {
        self.write_block();
        self.journal.frozen(&prelude(&self.screen)).unwrap();
    }
}

/// The text of each block of a session.
pub fn block_texts(home: &Path, name: &str) -> Vec<String> {
    let manifest = Manifest::read(&session_folder(home, name)).unwrap();
    let rendering = Rendering::Screen { squeeze: false };
    let text = |block| Content::read(&manifest, &block, rendering).unwrap().text;
    manifest.blocks().map(text).collect()
}

/// The names in the folder of a session's journals.
pub fn journal_files(home: &Path, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(session_folder(home, name).join("journal"));
    let mut names: Vec<_> = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
