//! What the shell in a terminal said of itself.

use crate::record::Mark;

/// Where the shell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It has shown no prompt yet.
    Starting,
    /// At its prompt.
    Prompt,
    /// It wants more of a command.
    More,
    /// A command runs.
    Running,
    /// A command ended; the prompt comes next.
    Between,
}

/// How often the shell said what, so that what is new can be told from what was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) starts: u64,
    pub(super) ends: u64,
    pub(super) prompts: u64,
    pub(super) mores: u64,
    pub(super) refusals: u64,
    pub(super) cancels: u64,
}

/// The shell as its hook shows it.
#[derive(Debug)]
pub(super) struct Shell {
    /// Whether it has a hook.
    pub(super) is_hooked: bool,
    pub(super) phase: Phase,
    pub(super) said: Said,
    /// The status of the last command, where it is known.
    pub(super) status: Option<i64>,
    /// What it said last of how something ended; none while something runs.
    pub(super) last_status: Option<i64>,
    /// Whether a command ended of which no answer told.
    pub(super) is_untold: bool,
    /// Whether it has none because the command was stopped and may go on.
    pub(super) is_stopped: bool,
    /// Whether its command line holds something that was refused.
    pub(super) holds_refused: bool,
}

impl Shell {
    pub(super) fn new(is_hooked: bool) -> Self {
        Self {
            is_hooked,
            phase: Phase::Starting,
            said: Said::default(),
            status: None,
            last_status: None,
            is_untold: false,
            is_stopped: false,
            holds_refused: false,
        }
    }

    /// Takes a mark.
    pub(super) fn take(&mut self, mark: &Mark) {
        let said = &mut self.said;
        match mark {
            Mark::Start { .. } => {
                said.starts += 1;
                self.phase = Phase::Running;
                self.status = None;
                self.last_status = None;
                self.is_untold = false;
                self.is_stopped = false;
                self.holds_refused = false;
            }
            Mark::Done { status } => {
                said.ends += 1;
                self.is_untold |= self.phase == Phase::Running;
                // Without a command before it, it is the status of an older one.
                if self.phase == Phase::Running && !self.is_stopped {
                    self.status = Some(*status);
                }
                self.last_status = Some(*status);
                self.phase = Phase::Between;
            }
            Mark::Prompt => {
                said.prompts += 1;
                self.phase = Phase::Prompt;
            }
            Mark::More => {
                said.mores += 1;
                self.phase = Phase::More;
            }
            Mark::Refused => {
                said.refusals += 1;
                self.holds_refused = true;
                self.status = None;
            }
            Mark::Cancelled => {
                said.cancels += 1;
                self.holds_refused = false;
            }
        }
    }

    /// Whether it takes a command now.
    pub(super) fn is_at_prompt(&self) -> bool {
        self.is_hooked && self.phase == Phase::Prompt
    }
}
