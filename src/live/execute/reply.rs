//! The answer of `terminal_execute`.

use serde::Serialize;

use super::arguments::Call;
use super::content::Content;
use super::cut::{self, Omitted};
use super::opening::Terminal;
use crate::live::Voice;
use crate::live::place::Place;
use crate::live::wire::{self, Sent, Status, WaitReason};
use crate::live::{LiveError, hint};
use crate::text::{self, sanitize_line};

/// Code points of what stands at the prompt that are said.
const LONGEST_STANDING: usize = 200;

/// How far a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing runs any more.
    Completed,
    /// Something runs, as far as is known.
    Running,
    /// Nothing was done.
    Error,
}

/// A command that ended before this one was typed, and of whose end no answer told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Previous {
    /// Its exit code, where it is known.
    pub exit_code: Option<i64>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Executed {
    /// What is new, at most 10,000 characters and marks of what is left out; or why nothing was
    /// done.
    pub content: String,
    /// The exit code of what ended, where something did and that is known; of what ended last for who
    /// only looks.
    pub exit_code: Option<i64>,
    /// The command as it was given.
    pub command: String,
    /// The label of the terminal.
    pub terminal_id: String,
    /// How far it is.
    pub status: Outcome,
    /// Where the shell is.
    pub working_dir: Option<String>,
    /// The command before, where the rest of its output stands at the beginning of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Previous>,
    /// The terminal, whose session has the blocks; none where none could be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// What the system refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why the wait is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_reason: Option<WaitReason>,
    /// What is in the foreground, if that is not the shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// Whether something is left out of the content.
    pub truncated: bool,
    /// What that is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omitted>,
    /// What is beside all that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Executed {
    fn empty(call: &Call<'_>, status: Outcome) -> Self {
        Self {
            content: String::new(),
            exit_code: None,
            command: call.command.to_owned(),
            terminal_id: call.label.to_owned(),
            status,
            working_dir: None,
            previous: None,
            session_id: None,
            error: None,
            wait_reason: None,
            inside: None,
            truncated: false,
            omitted: Vec::new(),
            notes: call.notes.clone(),
        }
    }

    /// The system refused.
    pub(super) fn failed(call: &Call<'_>, error: &str) -> Self {
        Self { error: Some(error.to_owned()), ..Self::empty(call, Outcome::Error) }
    }

    /// The terminal refused.
    pub(super) fn refused(
        call: &Call<'_>,
        terminal: &Terminal,
        error: &LiveError,
        cwd: Option<String>,
    ) -> Self {
        let mut reply = match error {
            LiveError::Refused(refusal) => {
                let content = format!("{}{}", refusal.message, hint(refusal.code, call.voice));
                Self { content, ..Self::empty(call, Outcome::Error) }
            }
            error => Self::failed(call, &error.to_string()),
        };
        reply.notes.extend_from_slice(&terminal.notes);
        Self { working_dir: cwd, session_id: Some(terminal.id.clone()), ..reply }
    }

    pub(super) fn of(call: &Call<'_>, terminal: &Terminal, executed: wire::Executed) -> Self {
        let sent = &executed.sent;
        let (status, exit_code) = outcome(&executed);
        let mut reply = Self::empty(call, status);
        reply.notes.extend_from_slice(&terminal.notes);
        reply.take_text(&executed);
        reply.notes.extend(notes(sent));
        reply.notes.extend(executed.standing.as_deref().map(standing));
        if status == Outcome::Running {
            add_line(&mut reply.content, &running(call, sent));
        } else if sent.wait_reason == WaitReason::StdinRead {
            let note = "the shell waits for a command and does not say so itself; the exit code is \
                not known";
            reply.notes.push(note.to_owned());
        }
        Self {
            exit_code,
            working_dir: sent.cwd.clone(),
            previous: executed.previous.map(|it| Previous { exit_code: it.exit_code }),
            session_id: Some(terminal.id.clone()),
            wait_reason: Some(sent.wait_reason),
            inside: sent.inside.clone(),
            ..reply
        }
    }

    fn take_text(&mut self, executed: &wire::Executed) {
        let shown = &executed.sent.shown;
        if shown.is_screen {
            self.content.clone_from(&shown.viewport);
            self.truncated = shown.truncated;
            self.notes.push("this is the screen of a full-screen program".to_owned());
            return;
        }
        match Content::of(executed) {
            Ok(content) => {
                let home = executed.given_home.as_deref();
                let place = Place::new(&executed.sent.session_id, home);
                (self.content, self.omitted) = cut::text(&content, &place);
                self.truncated = !self.omitted.is_empty();
            }
            Err(why) => {
                self.content.clone_from(&shown.viewport);
                self.truncated = true;
                self.notes.push(format!("what is left out at the beginning cannot be read: {why}"));
                let arguments = shown.omitted.iter().map(|part| &part.arguments);
                let lines =
                    arguments.map(|words| format!("left out: terminal-session-blocks {words}"));
                self.notes.extend(lines);
            }
        }
    }

    /// The answer as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let body = self.error.as_deref().unwrap_or(&self.content);
        add_line(&mut out, if body.is_empty() { "(no new output)" } else { body });
        let status = match self.status {
            Outcome::Completed => "completed",
            Outcome::Running => "running",
            Outcome::Error => "error",
        };
        out.push_str(&format!("\n[status: {status}]\n"));
        if let Some(code) = self.exit_code {
            out.push_str(&format!("[exit code: {code}]\n"));
        }
        if let Some(folder) = &self.working_dir {
            out.push_str(&format!("[working dir: {}]\n", sanitize_line(folder)));
        }
        let session = self.session_id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
        out.push_str(&format!("[terminal: {}{session}]\n", sanitize_line(&self.terminal_id)));
        if let Some(inside) = &self.inside {
            out.push_str(&format!("[inside: {}]\n", sanitize_line(inside)));
        }
        for note in &self.notes {
            out.push_str(&format!("[note: {}]\n", sanitize_line(note)));
        }
        out
    }
}

/// How far it is, and the exit code.
fn outcome(executed: &wire::Executed) -> (Outcome, Option<i64>) {
    let sent = &executed.sent;
    match (&sent.session_status, sent.wait_reason) {
        (Status::Exited { exit_code, .. }, _) => (Outcome::Completed, exit_code.map(i64::from)),
        (_, WaitReason::Prompt) => (Outcome::Completed, sent.exit_code.or(executed.last_status)),
        (_, WaitReason::StdinRead) if executed.is_idle => (Outcome::Completed, None),
        _ => (Outcome::Running, None),
    }
}

/// What there is to say of something that runs.
fn running(call: &Call<'_>, sent: &Sent) -> String {
    let input = match call.voice {
        Voice::CommandLine => "--input",
        Voice::Tools => "is_input",
    };
    let goes_on =
        format!("poll with an empty command, send input with {input}, or interrupt it with C-c");
    match sent.wait_reason {
        WaitReason::StdinRead if sent.continuation => {
            format!(
                "[the shell wants more of the command: send it with {input}, or give it up with C-c]"
            )
        }
        WaitReason::StdinRead if sent.echo_off => {
            format!("[waiting for hidden input, such as a password: send it with {input}]")
        }
        WaitReason::StdinRead => {
            format!("[waiting for input: send it with {input}, or a key by its name]")
        }
        WaitReason::InferredIdle => {
            format!("[still running, with no output for a while; {goes_on}]")
        }
        _ => {
            let seconds = call.timeout_ms as f64 / 1000.0;
            format!("[still running after {seconds} s; this is the output so far; {goes_on}]")
        }
    }
}

/// What is said of text that stands at the prompt.
fn standing(text: &str) -> String {
    let what = match text {
        "" => "text may stand at the prompt".to_owned(),
        text => format!("this stands at the prompt: {}", text::prefix(text, LONGEST_STANDING)),
    };
    format!("{what}; Enter runs it, C-c throws it away")
}

/// What is beside the text.
fn notes(sent: &Sent) -> Vec<String> {
    let mut notes = Vec::new();
    let again = sent.shown.lines_again;
    if again > 0 {
        notes.push(format!("lines at the beginning changed since they were shown: {again}"));
    }
    if sent.shown.bell {
        notes.push("the bell rang".to_owned());
    }
    notes.extend_from_slice(&sent.notes);
    match &sent.session_status {
        Status::Running | Status::Unresponsive => {}
        Status::Exited { signal: Some(signal), .. } => {
            notes.push(format!("{signal} ended the terminal; the next command opens a new one"));
        }
        Status::Exited { .. } => {
            notes.push("the terminal ended; the next command opens a new one".to_owned());
        }
    }
    notes
}

fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
