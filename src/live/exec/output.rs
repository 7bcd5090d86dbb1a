//! What is said of a page.

use std::time::Duration;

use serde::Serialize;

use crate::live::Voice;
use crate::live::wire::{Extent, Page, PageRest, is_zero};
use crate::text::count;

/// What a job printed since the last page, and how it is.
#[derive(Clone, Debug, Serialize)]
pub struct JobOutput {
    /// The text, of which the next page is the continuation.
    pub output: String,
    /// How long this call took.
    pub wall_time_seconds: f64,
    /// Names this page.
    pub chunk_id: String,
    /// The job, while it runs or there is more to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_id: Option<String>,
    /// Its exit code, once it has ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// There is more to read, or something before this page was dropped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// All of it was read before this call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub already_collected: bool,
    /// What there is to read so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<Remaining>,
    /// What was dropped before this page, since too much of it waited to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Extent>,
    /// The text is the screen of a full-screen program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_screen: bool,
    /// Lines at the beginning that were in a page and changed since.
    #[serde(skip_serializing_if = "is_zero")]
    pub lines_again: u64,
    /// The program was seen to wait for input.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub awaits_input: bool,
    /// It does not show what is typed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub echo_off: bool,
    /// What is beside all that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The terminal of its artifact.
    pub terminal_id: String,
    /// Its block, which is there once it has ended.
    pub block_id: String,
    #[serde(skip)]
    id: String,
    #[serde(skip)]
    is_first: bool,
}

/// What there is to read.
#[derive(Clone, Debug, Serialize)]
pub struct Remaining {
    /// How much.
    #[serde(flatten)]
    pub extent: Extent,
    /// Arguments of `terminal-session-blocks` that print just that, once it is in a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
}

impl JobOutput {
    /// Of the call that started the job.
    pub(super) fn first(id: &str, page: Page, elapsed: Duration) -> Self {
        Self::new(id, page, elapsed, true)
    }

    /// Of another one.
    pub(super) fn next(id: &str, page: Page, elapsed: Duration) -> Self {
        Self::new(id, page, elapsed, false)
    }

    fn new(id: &str, page: Page, elapsed: Duration, is_first: bool) -> Self {
        let state = page.state;
        let (exit_code, signal) = state.status.end();
        // A command that was over within its call is no job to anybody.
        let number = id.rsplit('-').next().unwrap_or(id);
        let name = if page.is_first && page.is_last { number } else { id };
        let remaining =
            page.rest.map(|PageRest { extent, arguments }| Remaining { extent, arguments });
        Self {
            output: page.output,
            wall_time_seconds: elapsed.as_secs_f64(),
            chunk_id: format!("{name}-{}", state.sequence),
            job_id: (!page.is_last).then(|| id.to_owned()),
            exit_code,
            signal,
            truncated: remaining.is_some() || page.dropped.is_some(),
            already_collected: page.already_collected,
            remaining,
            dropped: page.dropped,
            is_screen: page.is_screen,
            lines_again: page.lines_again,
            awaits_input: page.awaits_input,
            echo_off: page.echo_off,
            notes: page.notes,
            terminal_id: state.terminal_id,
            block_id: state.block_id,
            id: id.to_owned(),
            is_first,
        }
    }

    /// The same with more notes.
    pub(super) fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// The text and, behind it, what there is to say. What was dropped is said before it.
    pub fn text(&self, voice: Voice) -> String {
        let mut text = String::new();
        if let Some(dropped) = self.dropped {
            let why = match voice {
                Voice::CommandLine => "--retain or the disk is too small",
                Voice::Tools => "too much of it waited to be read",
            };
            text.push_str(&format!("[dropped: {}; {why}]\n", much(dropped)));
        }
        text.push_str(&self.output);
        let marks = self.marks(voice);
        // The words of `exec_command` always have a newline before them.
        if self.is_first {
            marks.iter().for_each(|mark| text.push_str(&format!("\n{mark}")));
            return text;
        }
        if !text.is_empty() && !text.ends_with('\n') && !marks.is_empty() {
            text.push('\n');
        }
        text.push_str(&marks.join("\n"));
        text
    }

    fn marks(&self, voice: Voice) -> Vec<String> {
        let mut marks = Vec::new();
        marks.extend(self.job_id.as_ref().map(|id| format!("[job_id: {id}]")));
        marks.extend(self.end());
        if self.is_screen {
            marks.push("[screen of a full-screen program]".to_owned());
        }
        if self.lines_again > 0 {
            let lines = self.lines_again;
            marks.push(format!(
                "[lines at the beginning that changed since they were shown: {lines}]"
            ));
        }
        if let Some(Remaining { extent, arguments }) = &self.remaining {
            let id = &self.id;
            let how = match (self.is_screen, voice) {
                (true, Voice::CommandLine) => {
                    "a larger --max-output-tokens shows all of the screen".to_owned()
                }
                (true, Voice::Tools) => {
                    "a larger max_output_tokens shows all of the screen".to_owned()
                }
                (false, Voice::CommandLine) => format!("terminal-session-live write {id} reads on"),
                (false, Voice::Tools) => "write_stdin with empty chars reads on".to_owned(),
            };
            marks.push(format!("[truncated: {} remain; {how}]", much(*extent)));
            marks.extend(
                arguments
                    .as_ref()
                    .map(|words| format!("[left out: terminal-session-blocks {words}]")),
            );
        }
        if self.awaits_input {
            marks.push("[waits for input]".to_owned());
        }
        if self.echo_off {
            marks.push("[hidden input: what is typed is not shown, as for a password]".to_owned());
        }
        marks.extend(self.notes.iter().map(|note| format!("[note: {note}]")));
        marks
    }

    /// How it ended.
    fn end(&self) -> Option<String> {
        let id = &self.id;
        match (self.exit_code, &self.signal) {
            (Some(code), _) if self.already_collected => {
                Some(format!("[job {id} exited with code {code}; no unread output remains]"))
            }
            // What has more to be read looks else as if it went on.
            (Some(0), _) if self.is_first && self.job_id.is_none() => None,
            (Some(0), _) => Some(format!("[job {id} exited with code 0]")),
            (Some(code), _) => Some(format!("[exit code: {code}]")),
            (None, Some(signal)) if self.already_collected => {
                Some(format!("[job {id} was ended by {signal}; no unread output remains]"))
            }
            (None, Some(signal)) => Some(format!("[signal: {signal}]")),
            (None, None) => None,
        }
    }
}

/// How much that is.
fn much(extent: Extent) -> String {
    let number = |number: u64, noun| count(usize::try_from(number).unwrap_or(usize::MAX), noun);
    format!("{}, {}", number(extent.lines, "line"), number(extent.bytes, "byte"))
}
