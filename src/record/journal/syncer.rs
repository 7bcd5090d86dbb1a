//! Getting a journal onto the disk without waiting for it.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::folder;

/// A thread that syncs what it is asked to.
///
/// The disk may take much longer for what a flood wrote in a second than the recorder can wait.
#[derive(Debug)]
pub(super) struct Syncer {
    requests: Option<SyncSender<Request>>,
    results: Receiver<io::Result<()>>,
    thread: Option<JoinHandle<()>>,
    is_busy: bool,
}

/// Files to sync, and their folder where one of them is new.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) files: Vec<File>,
    pub(super) folder: Option<PathBuf>,
}

impl Request {
    /// Syncs, and waits for it.
    pub(super) fn run(self) -> io::Result<()> {
        for file in &self.files {
            file.sync_data()?;
        }
        self.folder.as_deref().map_or(Ok(()), folder::sync)
    }
}

impl Syncer {
    /// Starts the thread.
    pub(super) fn start() -> io::Result<Self> {
        let (requests, orders) = sync_channel::<Request>(1);
        let (answers, results) = sync_channel(1);
        let thread = Builder::new().name("journal".to_owned()).spawn(move || {
            while let Ok(request) = orders.recv() {
                if answers.send(request.run()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { requests: Some(requests), results, thread: Some(thread), is_busy: false })
    }

    /// Whether the last sync is still going on; its error if it ended with one.
    pub(super) fn is_busy(&mut self) -> io::Result<bool> {
        if self.is_busy {
            match self.results.try_recv() {
                Err(TryRecvError::Empty) => return Ok(true),
                Err(TryRecvError::Disconnected) => self.is_busy = false,
                Ok(result) => {
                    self.is_busy = false;
                    result?;
                }
            }
        }
        Ok(false)
    }

    /// Syncs files, soon.
    pub(super) fn sync(&mut self, request: Request) -> io::Result<()> {
        let Some(requests) = &self.requests else {
            return request.run();
        };
        match requests.try_send(request) {
            Ok(()) => {
                self.is_busy = true;
                Ok(())
            }
            // The thread is gone, or behind: then it is done here.
            Err(TrySendError::Full(request) | TrySendError::Disconnected(request)) => request.run(),
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        // Its copies of the files hold the journal's lock, so it ends before the journal does.
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap_or_default();
        }
    }
}
