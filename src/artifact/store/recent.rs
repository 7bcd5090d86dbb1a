//! What a store added last, so that it can be put back.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::draft::Draft;
use crate::artifact::records::snapshot_path;

/// Blocks that are remembered. A program that writes back an old manifest read it moments ago, so
/// only the newest blocks are not in it.
const MOST: usize = 64;

/// The ids and records of the last blocks of a store.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent(Arc<Mutex<VecDeque<(String, String)>>>);

impl Recent {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(super) fn add(&self, blocks: impl IntoIterator<Item = (String, String)>) {
        let mut recent = self.lock();
        recent.extend(blocks);
        let excess = recent.len().saturating_sub(MOST);
        recent.drain(..excess);
    }

    /// The records of those that a manifest lacks. Who removes a block means it, and removes its
    /// snapshot too.
    pub(super) fn dropped_from(&self, draft: &Draft, folder: &Path) -> Vec<String> {
        let recent = self.lock();
        let lacking = draft.lacking(recent.iter().map(|(id, _)| id.as_str()));
        let is_dropped =
            |id: &str| lacking.contains(id) && folder.join(snapshot_path(id)).is_file();
        recent.iter().filter(|(id, _)| is_dropped(id)).map(|(_, record)| record.clone()).collect()
    }
}
