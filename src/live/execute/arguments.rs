//! What is asked of `terminal_execute`.

use serde::{Deserialize, Serialize};

use super::special::{Special, special};
use crate::live::LiveError;
use crate::live::Voice;
use crate::live::wire::{Code, Refusal, Typing};

/// The terminal that is meant where none is named.
pub const DEFAULT_TERMINAL: &str = "default";

/// The usual wait, in seconds.
pub const USUAL_SECONDS: f64 = 30.0;
/// The longest wait, in seconds.
pub const LONGEST_SECONDS: f64 = 60.0;
/// Longest label in bytes.
const LONGEST_LABEL: usize = 200;

/// A call of `terminal_execute`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Execute {
    /// A command, input, or the name of a key; empty to look how far it is.
    pub command: String,
    /// Whether it is input for what runs.
    #[serde(default)]
    pub is_input: bool,
    /// Longest wait in seconds, at most [`LONGEST_SECONDS`]; [`USUAL_SECONDS`] where there is none.
    #[serde(default)]
    pub timeout: Option<f64>,
    /// A label of the agent's for the terminal; [`DEFAULT_TERMINAL`] where there is none.
    #[serde(default)]
    pub terminal_id: Option<String>,
    /// Whether no Enter follows.
    #[serde(default)]
    pub no_enter: bool,
}

/// What it means.
pub(super) struct Call<'a> {
    pub(super) command: &'a str,
    pub(super) label: &'a str,
    pub(super) typing: Typing,
    pub(super) timeout_ms: u64,
    /// What to say of the arguments.
    pub(super) notes: Vec<String>,
    /// Whom that is for.
    pub(super) voice: Voice,
}

impl Call<'_> {
    pub(super) fn is_poll(&self) -> bool {
        matches!(self.typing, Typing::Nothing)
    }
}

impl Execute {
    /// Reads the arguments.
    ///
    /// # Errors
    /// [`LiveError::Refused`]: one is wrong.
    pub(super) fn read(&self, voice: Voice) -> Result<Call<'_>, LiveError> {
        let name = match voice {
            Voice::CommandLine => "--terminal",
            Voice::Tools => "terminal_id",
        };
        let label = self.terminal_id.as_deref().unwrap_or(DEFAULT_TERMINAL);
        if label.trim().is_empty() {
            return Err(wrong(format!("{name} must be a non-empty string")));
        }
        if label.len() > LONGEST_LABEL || label.contains(char::is_control) {
            let message = format!("{name} must be at most {LONGEST_LABEL} bytes of printable text");
            return Err(wrong(message));
        }
        let seconds = self.timeout.unwrap_or(USUAL_SECONDS);
        if seconds.is_nan() || seconds < 0.0 {
            let message =
                format!("timeout must be a number of seconds from 0 to {LONGEST_SECONDS}");
            return Err(wrong(message));
        }
        let mut notes = Vec::new();
        if seconds > LONGEST_SECONDS {
            notes.push(format!("timeout is above the most, which is {LONGEST_SECONDS} seconds"));
        }
        Ok(Call {
            command: &self.command,
            label,
            typing: self.typing()?,
            timeout_ms: milliseconds(seconds.min(LONGEST_SECONDS)),
            notes,
            voice,
        })
    }

    fn typing(&self) -> Result<Typing, LiveError> {
        let (text, enter) = (self.command.clone(), !self.no_enter);
        Ok(match special(&self.command) {
            _ if self.command.trim().is_empty() => Typing::Nothing,
            Special::Key(name) => Typing::Key { name: name.to_owned(), input: self.is_input },
            Special::Mistake(error) => return Err(wrong(error)),
            Special::Text if self.is_input => Typing::Input { text, enter },
            Special::Text => Typing::Command { text, enter },
        })
    }
}

fn wrong(message: impl Into<String>) -> LiveError {
    LiveError::Refused(Refusal { code: Code::Invalid, message: message.into() })
}

#[expect(clippy::cast_possible_truncation, reason = "it is at most a minute")]
#[expect(clippy::cast_sign_loss, reason = "it is not negative")]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(timeout: Option<f64>) -> Execute {
        Execute { command: "ls".to_owned(), timeout, ..Execute::default() }
    }

    #[test]
    fn a_wait_is_bounded() {
        for (timeout, want) in
            [(None, 30_000), (Some(0.0), 0), (Some(1.25), 1250), (Some(60.0), 60_000)]
        {
            let call = call(timeout);
            let read = call.read(Voice::Tools).unwrap();
            assert_eq!((read.timeout_ms, read.notes.len()), (want, 0), "{timeout:?}");
        }
        for timeout in [60.5, 1e300, f64::INFINITY] {
            let call = call(Some(timeout));
            let read = call.read(Voice::Tools).unwrap();
            assert_eq!((read.timeout_ms, read.notes.len()), (60_000, 1), "{timeout}");
        }
        for timeout in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(call(Some(timeout)).read(Voice::Tools).is_err(), "{timeout}");
        }
    }

    #[test]
    fn a_label_is_text() {
        for label in ["", "  ", "a\nb", &"x".repeat(201)] {
            let call = Execute { terminal_id: Some(label.to_owned()), ..call(None) };
            assert!(call.read(Voice::Tools).is_err(), "{label:?}");
        }
        assert_eq!(call(None).read(Voice::Tools).unwrap().label, "default");
    }

    #[test]
    fn arguments_that_nobody_knows_are_refused() {
        let read = |text: &str| serde_json::from_str::<Execute>(text);
        let error = read(r#"{"command":"ls","timeoutt":3}"#).unwrap_err().to_string();
        assert!(error.contains("unknown field `timeoutt`"), "{error}");
        assert!(read(r#"{"command":""}"#).unwrap().read(Voice::Tools).unwrap().is_poll());
        assert!(read("{}").unwrap_err().to_string().contains("missing field `command`"));
    }
}
