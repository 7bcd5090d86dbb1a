//! What was printed, as answers and blocks have it.

use super::{Terminal, view};
use crate::live::host::delivery::Taken;
use crate::live::host::pages::Taken as Page;
use crate::live::wire::{Part, Shown};
use crate::record::{End, Frozen};
use crate::snapshot;
use crate::text::system_error;

impl Terminal {
    /// Makes a block of what was shown since the last one, if it was anything.
    pub(in crate::live::host) fn freeze(&mut self, end: &End) -> Frozen {
        let Some(recording) = &mut self.recording else {
            return Frozen::Empty;
        };
        let at = recording.clock.now();
        let piece = self.delivery.next_piece(view(recording, &recording.written.block_id()));
        let frozen = match end {
            End::Command(status) if recording.is_running() => {
                recording.command_ended(*status, at).unwrap_or(Frozen::Empty)
            }
            _ => recording.freeze_or_complain(&End::Cut, at),
        };
        // What cannot be written stays where it is.
        if let Frozen::Failed(error) = &frozen {
            self.unwritten = Some(error.clone());
        } else {
            self.unwritten = None;
            self.delivery.freeze(piece);
        }
        frozen
    }

    /// What is new since the last answer; with `at_prompt` without what stands there now.
    pub(in crate::live::host) fn take_new(&mut self, most: usize, at_prompt: bool) -> Shown {
        self.take_parts(most, at_prompt).0
    }

    /// The same, and where its lines are.
    pub(in crate::live::host) fn take_parts(
        &mut self,
        most: usize,
        at_prompt: bool,
    ) -> (Shown, Vec<Part>) {
        if self.is_full_screen() && !self.is_over() {
            return (self.full_screen(most), Vec::new());
        }
        let Taken { mut shown, parts, needs_block, forgotten, lost } = match &self.recording {
            Some(recording) if !at_prompt || self.unwritten.is_some() => self.delivery.take(
                view(recording, &recording.written.block_id()),
                most,
                &self.place,
            ),
            _ => self.delivery.take_frozen(most, &self.place),
        };
        if needs_block && let Frozen::Failed(error) = self.freeze(&End::Cut) {
            self.complaints.push(format!("the rest is in no block: {error}"));
        }
        if let Some(error) = &self.unwritten {
            self.complaints.push(format!("what was shown is in no block yet: {error}"));
        }
        if forgotten > 0 {
            self.complaints.push(format!("{forgotten} older blocks are in the session only"));
        }
        if lost > 0 {
            self.complaints.push(format!("{lost} older lines are nowhere: --retain is too small"));
        }
        shown.truncated |= forgotten > 0 || lost > 0;
        (shown, parts)
    }

    fn full_screen(&mut self, most: usize) -> Shown {
        let mut text = snapshot::text_from(self.seen.alternate(), 0);
        let truncated = text.len() > most;
        if truncated {
            let mut end = most;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            // At a line, where a whole one fits.
            let newline = memchr::memrchr(b'\n', &text.as_bytes()[..=end]);
            text.truncate(newline.filter(|&newline| newline > 0).unwrap_or(end));
            let note = "the rest of the screen is left out; read --screen prints all of it";
            self.complaints.push(note.to_owned());
        }
        Shown {
            viewport: text,
            is_screen: true,
            truncated,
            bell: self.delivery.take_bell(),
            ..Shown::default()
        }
    }

    /// What stands at the prompt, where something that was typed may; empty where that is not known.
    pub(in crate::live::host) fn standing(&mut self) -> Option<String> {
        let recording = self.recording.as_ref().filter(|_| self.shell.may_hold_typed())?;
        let standing = self.delivery.standing(view(recording, ""));
        match standing {
            Some(text) if text.trim().is_empty() => None,
            standing => Some(standing.unwrap_or_default()),
        }
    }

    /// The next page of a job's output.
    pub(in crate::live::host) fn next_page(&mut self, most: usize) -> Page {
        let Some(pages) = &mut self.pages else {
            return Page::default();
        };
        pages.take(&self.seen, most).unwrap_or_else(|error| {
            self.complaints.push(format!("output is in the block only: {}", system_error(&error)));
            Page::default()
        })
    }

    /// Whether a job printed anything that is in no page.
    pub(in crate::live::host) fn has_unread(&self) -> bool {
        self.pages.as_ref().is_some_and(|pages| pages.has_unread(&self.seen))
    }

    /// The block that was made last, or that will be made next, and its lines if it is there.
    pub(in crate::live::host) fn block(&self) -> (&str, Option<u64>) {
        (&self.last_block, self.block_lines)
    }
}
