//! What the shell in a terminal said of itself.

use crate::record::Mark;

/// The key that throws away what was typed.
pub(super) const CANCEL: u8 = 0x03;
/// Keys that clear the screen, that throw away what stands before the cursor, and one character.
const REDRAW: u8 = 0x0c;
const KILL_LINE: u8 = 0x15;
const ERASE: u8 = 0x7f;

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
    holds_typed: bool,
    /// Whether that is text alone, so that the cursor is at its end.
    is_plain: bool,
    /// Whether Enter or C-c was typed and the shell did not say yet what came of it, and whether
    /// something was typed after it.
    awaits_end: bool,
    holds_behind: bool,
    /// Whether a program was sent text without Enter, which is at the prompt if it did not read it.
    pub(super) may_hold_input: bool,
    /// Whether that is thrown away before the next command is typed.
    pub(super) clears_first: bool,
    /// Whether a prompt came while a command runs. Anybody who knows the prompt can print it.
    has_lone_prompt: bool,
    /// The status that it told.
    lone_status: Option<i64>,
    /// Whether it was at a prompt last that was not shown.
    is_hidden: bool,
    /// Whether it says no more when a command ends.
    has_lost_ends: bool,
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
            is_plain: true,
            awaits_end: false,
            holds_behind: false,
            may_hold_input: false,
            clears_first: false,
            has_lone_prompt: false,
            lone_status: None,
            is_hidden: false,
            has_lost_ends: false,
        }
    }

    /// Takes a mark.
    pub(super) fn take(&mut self, mark: &Mark) {
        match mark {
            Mark::Start { .. } => {
                self.said.starts += 1;
                self.has_lone_prompt = false;
                self.lone_status = None;
                self.is_told_command = false;
                // What was typed behind Enter is for the program, or for the next prompt.
                self.may_hold_input = self.holds_behind;
                self.line_ended();
                self.holds_typed = false;
                self.phase = Phase::Running;
                self.status = None;
                self.last_status = None;
                self.is_untold = false;
                self.is_stopped = false;
                self.holds_refused = false;
            }
            Mark::Done { status } => {
                self.said.ends += 1;
                match self.phase {
                    // What was typed before the prompt comes is at it then.
                    Phase::Starting | Phase::Between => {}
                    Phase::Running => self.holds_typed = false,
                    Phase::Prompt | Phase::More => self.line_ended(),
                }
                (self.has_lone_prompt, self.has_lost_ends) = (false, false);
                self.lone_status = None;
                // Where stderr is elsewhere it does not say that a command starts.
                let is_told = std::mem::take(&mut self.is_told_command) && self.is_hidden;
                let ran = is_told || self.phase == Phase::Running;
                self.said.runs += u64::from(ran);
                self.is_untold |= ran;
                // Without a command before it, it is the status of an older one.
                if ran && !self.is_stopped {
                    self.status = Some(*status);
                }
                self.last_status = Some(*status);
                self.phase = Phase::Between;
            }
            Mark::PromptBegins { status } => match self.phase {
                Phase::Running => self.lone_status = *status,
                // It read a line, ran nothing and told of no end.
                Phase::Prompt | Phase::More if status.is_some() && self.awaits_end => {
                    self.line_ended();
                    self.is_told_command = false;
                }
                _ => {}
            },
            Mark::Prompt => {
                // Without an end before it, anybody who knows the prompt may have printed it.
                if self.phase == Phase::Running {
                    self.has_lone_prompt = true;
                    return;
                }
                self.said.prompts += 1;
                self.is_hidden = false;
                self.phase = Phase::Prompt;
                // Else it may be drawn again, with all that stands behind it.
                if self.awaits_end && self.has_lost_ends {
                    self.line_ended();
                }
            }
            Mark::More => {
                self.said.mores += 1;
                self.phase = Phase::More;
                self.awaits_end = false;
            }
            Mark::Refused => {
                self.said.refusals += 1;
                self.holds_refused = true;
                self.status = None;
            }
            Mark::Cancelled => {
                self.said.cancels += 1;
                self.holds_refused = false;
                self.line_ended();
            }
        }
    }

    /// Enter, or a key that throws the line away, was taken for that.
    fn line_ended(&mut self) {
        self.holds_typed = std::mem::take(&mut self.holds_behind);
        self.awaits_end = false;
        self.is_plain = false;
    }

    /// Takes note of keys that its command line gets. Enter and C-c leave nothing in it once it says
    /// so; C-u does where nothing stands behind the cursor.
    pub(super) fn is_typed_at(&mut self, keys: &[u8]) {
        for &key in keys {
            self.is_told_command &= key != CANCEL;
            match key {
                // One without its hook says nothing.
                b'\r' | b'\n' | CANCEL if self.phase == Phase::Running => self.holds_typed = false,
                b'\r' | b'\n' | CANCEL => (self.awaits_end, self.holds_behind) = (true, false),
                REDRAW => {}
                _ if self.awaits_end => self.holds_behind = true,
                KILL_LINE if self.is_plain || !self.holds_typed => self.holds_typed = false,
                ERASE if !self.holds_typed => {}
                _ => {
                    let is_text = key >= b' ' && key != ERASE;
                    self.is_plain = is_text && (self.is_plain || !self.holds_typed);
                    self.holds_typed = true;
                }
            }
        }
    }

    /// Whether its command line may hold something that was typed.
    pub(super) fn may_hold_typed(&self) -> bool {
        self.holds_typed || self.holds_behind
    }

    /// Whether it surely holds text: that was typed, and nothing else since.
    pub(super) fn holds_text(&self) -> bool {
        self.holds_typed && self.is_plain
    }

    /// Takes note of what a program is sent.
    pub(super) fn program_is_sent(&mut self, keys: &[u8]) {
        let is_end = |key: &u8| matches!(*key, b'\r' | b'\n' | CANCEL);
        match keys.iter().rposition(is_end) {
            Some(last) => self.may_hold_input = last + 1 < keys.len(),
            None => self.may_hold_input |= !keys.is_empty(),
        }
    }

    /// Whether it may be at a prompt, so that it is worth a look whether it reads: its stderr is
    /// elsewhere, or it has lost the hook that tells of the end of a command.
    pub(super) fn may_be_at_prompt(&self) -> bool {
        let is_candidate = self.phase == Phase::Between || self.has_lone_prompt;
        self.is_hooked && is_candidate
    }

    /// It was seen to read a command; how the last one ended, where its prompt told.
    pub(super) fn reads_command(&mut self) -> Option<i64> {
        self.is_hidden = self.phase == Phase::Between;
        let status = self.lone_status.take().filter(|_| self.has_lone_prompt);
        if status.is_some() {
            (self.status, self.last_status) = (status, status);
            self.is_untold = true;
            self.said.ends += 1;
            self.said.runs += 1;
        }
        self.has_lost_ends |= self.has_lone_prompt && status.is_none();
        self.said.prompts += u64::from(std::mem::take(&mut self.has_lone_prompt));
        self.phase = Phase::Prompt;
        status
    }

    /// Whether its prompt stands there although it told of no end.
    pub(super) fn has_lone_prompt(&self) -> bool {
        self.has_lone_prompt
    }

    /// Whether a line was sent to it of which it said nothing yet.
    pub(super) fn awaits_end(&self) -> bool {
        self.awaits_end
    }

    /// Whether a command runs, as far as it says.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Starting)
    }

    /// Whether it takes a command now.
    pub(super) fn is_at_prompt(&self) -> bool {
        self.is_hooked && self.phase == Phase::Prompt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_prompt() -> Shell {
        let mut shell = Shell::new(true);
        shell.take(&Mark::Done { status: 0 });
        shell.take(&Mark::Prompt);
        shell
    }

    /// Whether something may stand at the prompt after these keys.
    fn holds(keys: &[&[u8]]) -> bool {
        let mut shell = at_prompt();
        keys.iter().for_each(|keys| shell.is_typed_at(keys));
        shell.may_hold_typed()
    }

    #[test]
    fn only_what_surely_empties_a_line_does() {
        for keys in ["", "\x0c", "\x7f", "abc\u{e4}\x15", "\x15", "a\x15\x0c"] {
            assert!(!holds(&[keys.as_bytes()]), "{keys:?}");
        }
        let left: &[u8] = b"\x1b[D";
        for keys in [
            &[&b"a"[..]][..],
            &[b"\x1b[A"],
            &[b"\t"],
            &[b"a", left, b"\x15"],
            &[b"a", b"\x01", b"b", b"\x15"],
            &[b"\x15", b"a"],
            // In a search it ends that.
            &[b"a", b"\x12", b"\x03"],
            &[b"a", b"\x03", b"b"],
        ] {
            assert!(holds(keys), "{keys:?}");
        }
    }

    #[test]
    fn the_shell_says_what_became_of_a_line() {
        for mark in [Mark::Start { command: None, cwd: None }, Mark::Done { status: 130 }] {
            let mut shell = at_prompt();
            shell.is_typed_at(b"a\x1b[Db");
            shell.is_typed_at(b"\r");
            assert!(shell.may_hold_typed());
            shell.take(&mark);
            assert!(!shell.may_hold_typed(), "{mark:?}");
        }
        // What was typed behind Enter stands at the next prompt.
        let mut shell = at_prompt();
        shell.is_typed_at(b"a\rb");
        shell.take(&Mark::Done { status: 2 });
        shell.take(&Mark::Prompt);
        assert!(shell.may_hold_typed());
        // So does what was typed before the first one.
        let mut shell = Shell::new(true);
        shell.is_typed_at(b"a");
        shell.take(&Mark::Done { status: 0 });
        shell.take(&Mark::Prompt);
        assert!(shell.may_hold_typed());
        // A prompt that is drawn again says nothing, but for one that lost its hook.
        let mut shell = at_prompt();
        for want in [true, false] {
            shell.is_typed_at(b"a\x1b\x03");
            shell.take(&Mark::Prompt);
            assert_eq!(shell.may_hold_typed(), want);
            shell.take(&Mark::Start { command: None, cwd: None });
            shell.take(&Mark::Prompt);
            shell.reads_command();
        }
    }

    #[test]
    fn what_a_program_may_have_left_is_known() {
        let mut shell = at_prompt();
        shell.take(&Mark::Start { command: None, cwd: None });
        for (keys, want) in [(&b"a\r"[..], false), (b"a", true), (b"\x03", false), (b"\rb", true)] {
            shell.program_is_sent(keys);
            assert_eq!(shell.may_hold_input, want, "{keys:?}");
        }
        shell.take(&Mark::Start { command: None, cwd: None });
        assert!(!shell.may_hold_input);
    }
}
