//! What `terminal_execute` asks: to type only where the shell is as that needs it.

use std::time::Duration;

use super::held::{Held, Hold};
use super::reply::{Reply, refuse};
use super::requests::is_command;
use super::shell::Phase;
use super::state::Host;
use super::wait::{Goal, Over, Wait};
use super::waiter::{Purpose, Typed, Waiter};
use crate::live::keys::{KeyWords, key_bytes};
use crate::live::wire::{Code, Executed, Previous, Typing, WaitReason, Waiting};
use crate::pty::{Doing, LineMode, foreground_group, foreground_leader};
use crate::text;

/// Keys that end a line at the prompt.
const ENTER: [&[u8]; 2] = [b"\r", b"\n"];
/// Keys that leave nothing in the line of bash, zsh and fish, also where they edit as vi does. The
/// letter keeps the bell from ringing where nothing is in it.
const CLEAR: &[u8] = b"\x05x\x15";
/// Code points of what stands at the prompt that are said.
const LONGEST_STANDING: usize = 200;

impl Host {
    /// Types, or only waits. Nothing is typed where it is refused.
    pub(super) fn execute(&mut self, client: u64, typing: Typing, wait: Waiting) -> Reply {
        if self.terminal.has_ended() && !matches!(typing, Typing::Nothing) {
            return refuse(Code::Exited, "PTY session has exited");
        }
        if let Some(refusal) = self.check_typing(&typing) {
            return refusal;
        }
        let typed = self.how_typed(&typing);
        if typed != Typed::Nothing {
            self.keep_previous();
        }
        let terminal = &self.terminal;
        let is_at_prompt = terminal.shell.is_at_prompt();
        let is_raw = LineMode::of(&terminal.pty).is_some_and(|mode| !mode.canonical);
        let longest = Duration::from_millis(wait.timeout_ms);
        let begin = |goal, is_patient| {
            let mut begun = Wait::begin(goal, terminal, longest);
            begun.is_patient = is_patient;
            begun
        };
        let begun = match &typing {
            // Who asks how far it is wants to know of the end, also of what has yet to begin.
            Typing::Nothing => {
                let is_to_come = self.is_to_come();
                let is_line = self.held.as_ref().is_none_or(Held::submits);
                begin(Goal::Ready { command: is_to_come && is_line, typed: is_to_come }, true)
            }
            Typing::Command { text, enter } => {
                let is_before_prompt = terminal.shell.phase == Phase::Between && !self.is_editing();
                let next = is_before_prompt.then_some(Hold::Start);
                let hold = Hold::needed(terminal, text).or(next);
                // What is no whole line changes nothing of what stands there already.
                let hold = hold.filter(|hold| *enter || *hold == Hold::Start);
                let command = *enter && (hold.is_some() || is_at_prompt);
                let begun = begin(Goal::Ready { command, typed: true }, !is_raw || is_at_prompt);
                self.awaited = command.then_some(terminal.shell.said);
                let shell = &mut self.terminal.shell;
                shell.is_told_command |= command && is_command(text);
                let may_hold = shell.may_hold_typed() && !shell.holds_refused;
                shell.clears_first = *enter && (shell.may_hold_input || may_hold);
                self.terminal.is_about_to_type();
                self.type_text(text, *enter, hold);
                begun
            }
            Typing::Input { text, enter } => {
                let begun = begin(Goal::Ready { command: false, typed: true }, !is_raw);
                self.type_text(text, *enter, None);
                begun
            }
            Typing::Key { name, .. } => {
                let modes = terminal.key_modes();
                let bytes = match key_bytes(std::slice::from_ref(name), KeyWords::Names, modes) {
                    Ok(bytes) => bytes,
                    Err(error) => return refuse(Code::Invalid, error.to_string()),
                };
                let command = is_at_prompt && ENTER.contains(&bytes.as_slice());
                let begun = begin(Goal::Ready { command, typed: true }, !is_raw);
                self.awaited = command.then_some(terminal.shell.said);
                match Hold::needed_by_keys(terminal, &bytes) {
                    Some(hold) => self.held = Some(Held::keys(hold, bytes)),
                    None => self.terminal.press(&bytes),
                }
                begun
            }
        };
        self.waiters.push(Waiter {
            client: Some(client),
            purpose: Purpose::Execute(typed),
            wait: begun,
            most: wait.max_bytes,
        });
        Reply::Later
    }

    /// Why this is not typed now, if it is not.
    fn check_typing(&mut self, typing: &Typing) -> Option<Reply> {
        let text = match typing {
            Typing::Nothing => return None,
            Typing::Command { text, .. } | Typing::Input { text, .. } => text.as_str(),
            Typing::Key { .. } => "",
        };
        let is_idle = self.is_idle();
        let wants_input = match typing {
            Typing::Input { .. } => true,
            Typing::Key { input, .. } => *input,
            _ => false,
        };
        if wants_input && is_idle {
            let message = "no command is running, so there is nothing to send input to";
            return Some(refuse(Code::NothingRuns, message));
        }
        if matches!(typing, Typing::Command { .. }) && !is_idle {
            let name = self.inside().map(|name| format!(" ({name})")).unwrap_or_default();
            return Some(refuse(Code::CommandRuns, format!("a command is already running{name}")));
        }
        // It would become a part of what is typed already.
        if matches!(typing, Typing::Command { enter: true, .. })
            && let Some(text) = self.in_the_way()
        {
            let what = match text.as_str() {
                "" => String::new(),
                text => format!(" ({})", text::prefix(text, LONGEST_STANDING)),
            };
            let message = format!("text stands at the prompt{what}: press Enter or C-c first");
            return Some(refuse(Code::Busy, message));
        }
        self.check_text(text)
    }

    /// The text at the prompt that a command would become a part of; empty where it is not known.
    /// What the shell refused is none, and what only may stand there is thrown away first.
    fn in_the_way(&mut self) -> Option<String> {
        let shell = &self.terminal.shell;
        if !shell.may_hold_typed() || shell.holds_refused {
            return None;
        }
        let is_text = shell.holds_text();
        let is_seen = !matches!(shell.phase, Phase::Starting) && self.terminal.reads_keys();
        self.terminal.standing().map_or_else(
            || (!is_seen).then(String::new),
            |text| (!text.is_empty() || is_text || !is_seen).then_some(text),
        )
    }

    /// Whether the shell has yet to take a command that is typed, or about to be.
    fn is_to_come(&self) -> bool {
        self.held.is_some() || self.awaited == Some(self.terminal.shell.said)
    }

    /// Whether the shell takes a command now, or soon.
    fn is_idle(&self) -> bool {
        if self.is_to_come() {
            return false;
        }
        let terminal = &self.terminal;
        let shell = &terminal.shell;
        match shell.phase {
            _ if terminal.has_ended() => false,
            Phase::Prompt | Phase::Between => true,
            // A question of the shell's files is input.
            Phase::Starting => !LineMode::of(&terminal.pty).is_some_and(|mode| mode.is_secret()),
            Phase::More => false,
            Phase::Running => self.is_editing(),
        }
    }

    /// Whether the shell itself edits a line although it did not say that it is at its prompt: its
    /// user took the hook out.
    fn is_editing(&self) -> bool {
        let terminal = &self.terminal;
        if !terminal.takes_paste() || terminal.is_full_screen() {
            return false;
        }
        let is_raw = LineMode::of(&terminal.pty).is_some_and(|mode| !mode.canonical);
        is_raw
            && foreground_group(&terminal.pty) == Some(terminal.leader)
            && matches!(
                foreground_leader(&terminal.pty, terminal.leader).doing,
                Doing::Reading | Doing::Polling
            )
    }

    /// What is typed: a command, or a part of a line at the prompt.
    fn how_typed(&mut self, typing: &Typing) -> Typed {
        let is_held = self.terminal.standing().is_some();
        let shell = &self.terminal.shell;
        let is_held = is_held || shell.phase == Phase::More;
        match typing {
            Typing::Nothing => Typed::Nothing,
            Typing::Command { enter: true, .. } | Typing::Input { .. } => Typed::Line,
            Typing::Command { text, .. } => {
                Typed::Edit { ends_line: is_held || text.contains(['\r', '\n']) }
            }
            Typing::Key { .. } if shell.phase == Phase::Running && !self.is_editing() => {
                Typed::Line
            }
            Typing::Key { .. } => Typed::Edit { ends_line: is_held },
        }
    }

    /// What ended meanwhile is told before what comes of what is typed now.
    fn keep_previous(&mut self) {
        let shell = &mut self.terminal.shell;
        if !matches!(shell.phase, Phase::Prompt | Phase::Between | Phase::More) {
            return;
        }
        if std::mem::take(&mut shell.is_untold) {
            self.previous = Some(Previous { exit_code: shell.status });
            self.terminal.delivery.set_earlier();
        }
    }

    /// Throws away what a program was sent and may have left to the line of the shell.
    pub(super) fn clear_line(&mut self) {
        if std::mem::take(&mut self.terminal.shell.clears_first) {
            self.terminal.type_keys(CLEAR);
        }
    }

    /// The answer to who waited.
    pub(super) fn executed(
        &mut self,
        over: Over,
        most: usize,
        quietly: bool,
        typed: Typed,
    ) -> Executed {
        let has_ended = match typed {
            Typed::Nothing => true,
            Typed::Line => over.ended,
            Typed::Edit { ends_line } => over.ended && (ends_line || over.ran),
        };
        let stands = over.reason == WaitReason::Prompt && matches!(typed, Typed::Edit { .. });
        let (sent, parts) = self.sent(over, most, quietly);
        let is_told = !quietly && !sent.shown.is_screen;
        Executed {
            sent,
            parts,
            last_status: self.terminal.shell.last_status.filter(|_| has_ended),
            previous: self.previous.take_if(|_| is_told),
            standing: if stands { self.terminal.standing() } else { None },
            is_idle: self.is_idle() && self.is_editing(),
            codex_home: self.config.codex_home.clone(),
            given_home: self.config.given_home.clone(),
        }
    }
}
