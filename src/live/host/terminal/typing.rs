//! What is typed, and how far that is on its way.

use std::time::Instant;

use super::{MARK_WAIT, Terminal, view};
use crate::live::host::shell::{CANCEL, Phase};
use crate::pty::LineMode;

/// Bytes of a title, or of another string that nobody wonders about.
const LONGEST_TITLE: u64 = 1000;

impl Terminal {
    /// Whether the program is told that no more keys come, or was.
    pub(in crate::live::host) fn is_input_over(&self) -> bool {
        self.has_ended() || self.input.is_ended()
    }

    /// Types.
    pub(in crate::live::host) fn type_keys(&mut self, keys: &[u8]) {
        const HOLD: u8 = 0x13;
        if let Some(last) = keys.iter().rfind(|key| **key < b' ') {
            self.is_held = *last == HOLD && LineMode::of(&self.pty).is_some_and(|mode| mode.holds);
        }
        self.make_way_for(keys);
        // A program's input is none of the shell's. Where its hook is gone it is its line editor that
        // takes text in one piece.
        let is_editing = self.takes_paste() && !self.is_full_screen();
        match self.shell.phase {
            Phase::Running if !is_editing => self.shell.program_is_sent(keys),
            _ => self.shell.is_typed_at(keys),
        }
        self.input.type_keys(keys);
    }

    /// What is shown nowhere since it belongs to a sequence that has not ended.
    pub(in crate::live::host) fn swallowed(&self) -> Option<String> {
        let count = self.in_string;
        (count > 0).then(|| {
            format!(
                "the last {count} bytes of output are a sequence such as a title that has not \
                 ended, so they are shown nowhere"
            )
        })
    }

    /// The keys before an interrupt wait for a program that does not read. A terminal throws away what
    /// nobody has read when an interrupt comes, which it would never see behind them.
    fn make_way_for(&mut self, keys: &[u8]) {
        let interrupts = keys == [CANCEL]
            && self.input.keys_waiting() > 0
            && LineMode::of(&self.pty).is_some_and(|mode| mode.signals);
        if interrupts {
            let count = self.input.forget_keys();
            self.pty.forget_input();
            self.complaints.push(format!(
                "C-c threw away what was typed and not read, {count} bytes at least"
            ));
        }
    }

    /// Presses keys. One that interrupts a shell at its prompt it has to deal with first.
    pub(in crate::live::host) fn press(&mut self, keys: &[u8]) {
        let interrupts = keys.last() == Some(&CANCEL) && self.is_shell_idle();
        self.type_keys(keys);
        if interrupts {
            self.unsettle(true);
        }
    }

    /// What keeps the terminal from going on, as far as the keyboard is to blame.
    pub(in crate::live::host) fn hindrances(&self) -> Vec<String> {
        let count = self.input.keys_waiting();
        let waiting = (count > 0).then(|| {
            format!("{count} bytes of what was typed are still on their way to the program")
        });
        let how = if self.pages.is_some() { "the character U+0011" } else { "keys C-q" };
        let held = self.is_held.then(|| format!("C-s holds the output; {how} lets it go on"));
        let swallowed = self.swallowed().filter(|_| self.in_string > LONGEST_TITLE);
        waiting.into_iter().chain(held).chain(swallowed).collect()
    }

    /// Hands what is typed to the program, as much as there is room for.
    pub(in crate::live::host) fn write_input(&mut self) {
        if self.input.is_waiting() {
            self.last_typed = Some(Instant::now());
        }
        self.input.write(&self.pty);
        if self.pages.is_some() && self.input.is_closed() && !self.is_input_lost {
            self.is_input_lost = true;
            self.complaints.push("it reads no more input, so what was written is lost".to_owned());
        }
    }

    /// The same for what is typed as well: for a moment the system has bytes that are neither with
    /// us nor with the program.
    pub(in crate::live::host) fn still_since(&self, start: Instant) -> Instant {
        self.quiet_since(start).max(self.typed_since(start))
    }

    /// How long nothing was typed; since the start if nothing ever was.
    pub(in crate::live::host) fn typed_since(&self, start: Instant) -> Instant {
        self.last_typed.map_or(start, |last| last.max(start))
    }

    /// Whether bytes typed are still on their way to the program.
    pub(in crate::live::host) fn is_typing(&self) -> bool {
        self.input.is_waiting() || self.pty.unread_input().is_some_and(|count| count > 0)
    }

    pub(super) fn tell_end_of_input(&mut self) {
        if self.has_ended() || self.input.due().is_none() {
            return;
        }
        if self.pty.is_pipes() {
            self.pty.close_pipe();
            self.is_input_lost = true;
            self.input.close();
        } else {
            let is_quiet = self.last_output.is_none_or(|last| last.elapsed() >= MARK_WAIT);
            self.input.tell_end(&self.pty, is_quiet);
        }
    }

    /// A command is about to be typed where the cursor is.
    pub(in crate::live::host) fn is_about_to_type(&mut self) {
        // What stands there is the beginning of what is typed, or is thrown away first.
        let is_beginning = !self.shell.may_hold_typed() && !self.shell.clears_first;
        if let Some(recording) = self.recording.as_ref().filter(|_| is_beginning) {
            self.delivery.typing_begins(view(recording, ""));
        }
    }
}
