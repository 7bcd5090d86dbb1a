//! Pages of a job on their way to those who asked: each is kept until its client said that it is
//! done with it.
//!
//! A client may die before that. The page comes again then, to whoever asks next. Others do not wait
//! for that word: they get the pages behind.

use super::pages::{cut, lines};
use crate::live::wire::{Extent, Page, PageRest};

/// Pages that were made and not confirmed.
#[derive(Debug, Default)]
pub(super) struct PagesTold {
    /// With the clients that they go to.
    going: Vec<(u64, Told)>,
    /// Those that did not arrive, oldest first.
    lost: Vec<Told>,
    had_last: bool,
}

/// A page, and where it is among the others.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) page: Page,
    /// The page that it was or is a part of, and the byte of that where it begins.
    pub(super) place: (u64, usize),
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
    pub(super) fn send(&mut self, client: u64, told: Told) {
        self.had_last |= told.page.is_last;
        self.going.push((client, told));
    }

    /// Looks what became of those on their way; whether any was lost, and whether one of those told
    /// the end.
    pub(super) fn settle(&mut self, fate: impl Fn(u64) -> Fate) -> (bool, bool) {
        let (mut is_lost, mut told_end) = (false, false);
        for (client, told) in std::mem::take(&mut self.going) {
            match fate(client) {
                Fate::Going => self.going.push((client, told)),
                Fate::Confirmed => {}
                Fate::Lost => {
                    is_lost = true;
                    told_end |= told.page.state.is_told;
                    self.lost.push(told);
                }
            }
        }
        self.lost.sort_by_key(|told| told.place);
        (is_lost, told_end)
    }

    /// The oldest page that was lost, at most so many bytes of it; the rest stays. A part has a name
    /// of its own: it is another text. `names` counts those.
    pub(super) fn take_lost(&mut self, most: usize, names: &mut u64) -> Option<Told> {
        if self.lost.is_empty() {
            return None;
        }
        let mut told = self.lost.remove(0);
        let length = cut(told.page.output.as_bytes(), most);
        if length < told.page.output.len() {
            let mut rest = told.split_off(length);
            for part in [&mut told, &mut rest] {
                *names += 1;
                part.page.state.sequence = *names;
            }
            // A larger page shows all of a screen; nobody reads on in it.
            if !told.page.is_screen {
                self.lost.insert(0, rest);
            }
        }
        Some(told)
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

impl Told {
    /// A page that nobody was told before.
    pub(super) fn new(page: Page) -> Self {
        Self { place: (page.state.sequence, 0), page }
    }

    /// What comes behind so many bytes of it, which is left to be read then.
    fn split_off(&mut self, length: usize) -> Self {
        let page = &mut self.page;
        let output = page.output.split_off(length);
        let again = page.lines_again.min(lines(&page.output));
        let behind = page.rest.clone();
        let ends = page.is_last;
        let rest = Page {
            state: page.state.clone(),
            rest: behind.clone(),
            lines_again: page.lines_again - again,
            is_first: false,
            is_last: ends,
            is_screen: page.is_screen,
            already_collected: false,
            dropped: None,
            awaits_input: page.awaits_input,
            echo_off: page.echo_off,
            notes: Vec::new(),
            output,
        };
        page.rest = Some(PageRest { extent: extent(&rest.output, behind), arguments: None });
        page.lines_again = again;
        page.is_last = false;
        Self { page: rest, place: (self.place.0, self.place.1 + length) }
    }
}

/// How much a text is with what comes behind it.
fn extent(text: &str, behind: Option<PageRest>) -> Extent {
    let behind = behind.map_or(Extent { lines: 0, bytes: 0 }, |rest| rest.extent);
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let own = if behind.bytes > 0 { newlines } else { lines(text) };
    Extent { lines: own + behind.lines, bytes: text.len() as u64 + behind.bytes }
}
