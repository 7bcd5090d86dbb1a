//! A command that is not typed yet, since the shell would not take it as one.

use std::time::{Duration, Instant};

use super::pauses::IDLE;
use super::shell::{CANCEL, Phase};
use super::terminal::Terminal;
use crate::pty::{Doing, LineMode, foreground};

/// How long a shell may take to throw something away, or to take text in one piece.
const PATIENCE: Duration = Duration::from_millis(500);
/// Bytes of a command that is typed in one piece where that can be done.
const LONG: usize = 1000;
/// How often to look at a shell that starts.
const LOOK: Duration = Duration::from_millis(50);

/// What a command waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// The first prompt, or the next one. Until then the shell's files, or what it does before a
    /// prompt, may read what is typed.
    Start,
    /// That the shell throws away what it refused: its count of that so far. fish leaves it where it
    /// was typed.
    Cancel { before: u64 },
    /// That the shell takes text in one piece. zsh says so only behind its prompt.
    Paste,
}

/// What is typed later.
#[derive(Debug)]
pub(super) enum What {
    /// A command, or a part of one.
    Text {
        text: String,
        /// Whether Enter follows.
        submit: bool,
    },
    Keys(Vec<u8>),
}

/// What is typed later, and what it waits for.
#[derive(Debug)]
pub(super) struct Held {
    hold: Hold,
    pub(super) what: What,
    since: Instant,
    /// When to look again.
    due: Instant,
}

impl Hold {
    /// What a command has to wait for now.
    pub(super) fn needed(terminal: &Terminal, text: &str) -> Option<Self> {
        let shell = &terminal.shell;
        if shell.holds_refused {
            return Some(Self::Cancel { before: shell.said.cancels });
        }
        if shell.is_at_prompt() && needs_paste(text) && !terminal.takes_paste() {
            return Some(Self::Paste);
        }
        let is_starting = shell.is_hooked && shell.phase == Phase::Starting;
        // A question of the shell's files is answered at once.
        let is_asked = LineMode::of(&terminal.pty).is_some_and(|mode| mode.is_secret());
        (is_starting && !is_asked).then_some(Self::Start)
    }

    /// What keys have to wait for now. What interrupts the shell's files does not.
    pub(super) fn needed_by_keys(terminal: &Terminal, keys: &[u8]) -> Option<Self> {
        const INTERRUPTS: [u8; 3] = [CANCEL, 0x1a, 0x1c];
        let is_starting = terminal.shell.phase == Phase::Starting;
        let interrupts = keys.iter().any(|key| INTERRUPTS.contains(key));
        Self::needed(terminal, "").filter(|_| is_starting && !interrupts)
    }
}

/// Whether a command is taken for what it is only in one piece: a line editor ends a command with
/// its line and takes a Tab for a wish. A long one it draws anew for each key: zsh took 5 s for 20 KB.
pub(super) fn needs_paste(command: &str) -> bool {
    let command = command.strip_suffix('\n').unwrap_or(command);
    command.len() > LONG || command.contains(['\n', '\t'])
}

impl Held {
    pub(super) fn text(hold: Hold, text: String, submit: bool) -> Self {
        Self::new(hold, What::Text { text, submit })
    }

    pub(super) fn keys(hold: Hold, keys: Vec<u8>) -> Self {
        Self::new(hold, What::Keys(keys))
    }

    fn new(hold: Hold, what: What) -> Self {
        let now = Instant::now();
        Self { hold, what, since: now, due: now + LOOK }
    }

    /// Whether it is a whole command.
    pub(super) fn submits(&self) -> bool {
        matches!(self.what, What::Text { submit: true, .. })
    }

    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Whether it can be typed.
    pub(super) fn is_due(&mut self, terminal: &Terminal) -> bool {
        let now = Instant::now();
        let is_looking = now >= self.due;
        if is_looking {
            self.due = now + LOOK;
        }
        let shell = &terminal.shell;
        match (self.hold, shell.phase) {
            (Hold::Cancel { before }, _) => {
                shell.said.cancels > before || self.since.elapsed() >= PATIENCE
            }
            (Hold::Paste, _) => terminal.takes_paste() || self.since.elapsed() >= PATIENCE,
            (Hold::Start, Phase::Prompt | Phase::More) => true,
            (Hold::Start, Phase::Starting | Phase::Between) if is_looking => {
                // A program that says nothing of itself took the shell's place.
                let is_quiet = terminal.quiet_since(self.since).elapsed() >= IDLE;
                let doing = || foreground(&terminal.pty).doing;
                is_quiet && matches!(doing(), Doing::Reading | Doing::Polling)
            }
            (Hold::Start, _) => false,
        }
    }
}
