//! Pages of a job on their way to those who asked: each is kept until its client said that it is
//! done with it.
//!
//! A client may die before that. The page comes again then, to whoever asks next. Others do not wait
//! for that word: they get the pages behind.

use crate::live::wire::Page;

/// Pages that were made and not confirmed.
#[derive(Debug, Default)]
pub(super) struct PagesTold {
    /// With the clients that they go to.
    going: Vec<(u64, Page)>,
    /// Those that did not arrive, oldest first.
    lost: Vec<Page>,
    had_last: bool,
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Going,
    Confirmed,
    Lost,
}

impl PagesTold {
    /// A page goes to a client.
    pub(super) fn send(&mut self, client: u64, page: Page) {
        self.had_last |= page.is_last;
        self.going.push((client, page));
    }

    /// Looks what became of those on their way; whether any was lost, and whether one of those told
    /// the end.
    pub(super) fn settle(&mut self, fate: impl Fn(u64) -> Fate) -> (bool, bool) {
        let (mut is_lost, mut told_end) = (false, false);
        for (client, page) in std::mem::take(&mut self.going) {
            match fate(client) {
                Fate::Going => self.going.push((client, page)),
                Fate::Confirmed => {}
                Fate::Lost => {
                    is_lost = true;
                    told_end |= page.state.is_told;
                    self.lost.push(page);
                }
            }
        }
        self.lost.sort_by_key(|page| page.state.sequence);
        (is_lost, told_end)
    }

    /// The oldest page that was lost.
    pub(super) fn take_lost(&mut self) -> Option<Page> {
        (!self.lost.is_empty()).then(|| self.lost.remove(0))
    }

    pub(super) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }

    /// Whether the last page was made.
    pub(super) fn had_last(&self) -> bool {
        self.had_last
    }

    /// Whether all pages up to the last were confirmed.
    pub(super) fn is_over(&self) -> bool {
        self.had_last && self.going.is_empty() && self.lost.is_empty()
    }
}
