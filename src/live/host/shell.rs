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
    /// Ends of commands, not of empty lines.
    pub(super) runs: u64,
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
    /// Whether a command was typed of which it said nothing yet.
    pub(super) is_told_command: bool,
    /// Whether its command line may hold something that was typed without Enter.
    pub(super) holds_typed: bool,
    /// Whether a prompt came while a command runs. Anybody who knows the prompt can print it.
    has_lone_prompt: bool,
    /// Whether it was at a prompt last that was not shown.
    is_hidden: bool,
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
            is_told_command: false,
            holds_typed: false,
            has_lone_prompt: false,
            is_hidden: false,
        }
    }

    /// Takes a mark.
    pub(super) fn take(&mut self, mark: &Mark) {
        let said = &mut self.said;
        match mark {
            Mark::Start { .. } => {
                said.starts += 1;
                self.has_lone_prompt = false;
                self.is_told_command = false;
                self.holds_typed = false;
                self.phase = Phase::Running;
                self.status = None;
                self.last_status = None;
                self.is_untold = false;
                self.is_stopped = false;
                self.holds_refused = false;
            }
            Mark::Done { status } => {
                said.ends += 1;
                // What was typed before the prompt comes is at it then.
                self.holds_typed &= matches!(self.phase, Phase::Starting | Phase::Between);
                self.has_lone_prompt = false;
                // Where stderr is elsewhere it does not say that a command starts.
                let is_told = std::mem::take(&mut self.is_told_command) && self.is_hidden;
                let ran = is_told || self.phase == Phase::Running;
                said.runs += u64::from(ran);
                self.is_untold |= ran;
                // Without a command before it, it is the status of an older one.
                if ran && !self.is_stopped {
                    self.status = Some(*status);
                }
                self.last_status = Some(*status);
                self.phase = Phase::Between;
            }
            Mark::Prompt => {
                // Without an end before it, anybody who knows the prompt may have printed it.
                if self.phase == Phase::Running {
                    self.has_lone_prompt = true;
                    return;
                }
                said.prompts += 1;
                self.is_hidden = false;
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
                self.holds_typed = false;
            }
        }
    }

    /// Takes note of keys that its command line gets: Enter, C-c and C-u leave nothing in it.
    pub(super) fn is_typed_at(&mut self, keys: &[u8]) {
        let is_end = |key: &u8| matches!(key, b'\r' | b'\n' | 0x03 | 0x15);
        match keys.iter().rposition(is_end) {
            Some(last) => self.holds_typed = last + 1 < keys.len(),
            None => self.holds_typed |= !keys.is_empty(),
        }
    }

    /// Whether it may be at a prompt, so that it is worth a look whether it reads: its stderr is
    /// elsewhere, or it has lost the hook that tells of the end of a command.
    pub(super) fn may_be_at_prompt(&self) -> bool {
        let is_candidate = self.phase == Phase::Between || self.has_lone_prompt;
        self.is_hooked && is_candidate
    }

    /// It was seen to read a command.
    pub(super) fn reads_command(&mut self) {
        self.is_hidden = self.phase == Phase::Between;
        self.said.prompts += u64::from(std::mem::take(&mut self.has_lone_prompt));
        self.phase = Phase::Prompt;
    }

    /// Whether it takes a command now.
    pub(super) fn is_at_prompt(&self) -> bool {
        self.is_hooked && self.phase == Phase::Prompt
    }
}
