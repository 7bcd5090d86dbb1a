//! What is beside the output and nobody was told yet.

use std::collections::VecDeque;

/// Notes that are kept while nobody asks.
const MOST: usize = 64;

/// Notes for the next answer.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    kept: VecDeque<String>,
    dropped: u64,
}

impl Complaints {
    /// One more, unless the same is there; where there are too many, the oldest goes.
    pub(super) fn push(&mut self, complaint: String) {
        if self.kept.contains(&complaint) {
            return;
        }
        if self.kept.len() == MOST {
            self.kept.pop_front();
            self.dropped += 1;
        }
        self.kept.push_back(complaint);
    }

    pub(super) fn extend(&mut self, complaints: impl IntoIterator<Item = String>) {
        complaints.into_iter().for_each(|complaint| self.push(complaint));
    }

    /// All of them, and how many are lost.
    pub(super) fn take(&mut self) -> Vec<String> {
        let Self { kept, dropped } = std::mem::take(self);
        let lost = (dropped > 0).then(|| format!("{dropped} older notes are dropped"));
        lost.into_iter().chain(kept).collect()
    }
}

impl FromIterator<String> for Complaints {
    fn from_iter<T: IntoIterator<Item = String>>(complaints: T) -> Self {
        let mut all = Self::default();
        all.extend(complaints);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_and_are_counted() {
        let mut complaints = Complaints::default();
        complaints.extend((0..MOST).map(|n| n.to_string()));
        assert_eq!(complaints.take(), (0..MOST).map(|n| n.to_string()).collect::<Vec<_>>());
        assert!(complaints.take().is_empty());
        complaints.extend((0..MOST + 2).map(|n| n.to_string()));
        complaints.push("2".to_owned());
        let told = complaints.take();
        assert_eq!(
            (told.len(), &*told[0], &*told[1]),
            (MOST + 1, "2 older notes are dropped", "2")
        );
        assert!(complaints.take().is_empty());
    }
}
