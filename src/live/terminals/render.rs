//! Answers as text.

use crate::live::wire::{
    CloseOutcome, Closed, Lines, Omitted, Row, ScreenNow, Sent, Shown, Status, TaskKilled,
    TaskOutput, TaskRow, TaskStarted, TaskStatus, WaitReason,
};
use crate::text::{count, sanitize_line};

/// A reason as it is called.
pub(super) fn reason(reason: WaitReason) -> &'static str {
    match reason {
        WaitReason::Prompt => "prompt",
        WaitReason::StdinRead => "stdin_read",
        WaitReason::InferredIdle => "inferred_idle",
        WaitReason::Timeout => "timeout",
        WaitReason::SessionExit => "session_exit",
        WaitReason::Met => "met",
    }
}

/// `running`, `exited code=2 signal=null`, or that nobody knows.
pub(super) fn status(status: &Status) -> String {
    match status {
        Status::Running => "running".to_owned(),
        Status::Exited { exit_code, signal } => {
            let code = exit_code.map_or_else(|| "null".to_owned(), |code| code.to_string());
            format!("exited code={code} signal={}", signal.as_deref().unwrap_or("null"))
        }
        Status::Unresponsive => "its host does not answer".to_owned(),
    }
}

/// What is beside an answer, one line each.
pub(super) fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("[note: {}]\n", sanitize_line(note))).collect()
}

/// The name of a terminal behind its id, if it has one.
pub(super) fn name(name: Option<&str>) -> String {
    name.map(|name| format!(" ({})", sanitize_line(name))).unwrap_or_default()
}

/// A body that ends its last line.
pub(super) fn body(shown: &Shown, nothing: &str) -> String {
    let text = if shown.viewport.is_empty() { nothing } else { shown.viewport.as_str() };
    format!("{text}\n")
}

/// What is to be said of the text of an answer.
pub(super) fn details(shown: &Shown) -> String {
    let mut out = String::new();
    if shown.is_screen {
        out.push_str("[screen of a full-screen program]\n");
    }
    if shown.lines_again > 0 {
        let lines = count(usize::try_from(shown.lines_again).unwrap_or(0), "line");
        out.push_str(&format!("[the first {lines} changed since they were shown]\n"));
    }
    if shown.bell {
        out.push_str("[bell]\n");
    }
    if shown.truncated {
        out.push_str("[output truncated]\n");
    }
    for omitted in &shown.omitted {
        out.push_str(&format!(
            "[left out: {}; terminal-session-blocks {}]\n",
            extent(omitted),
            omitted.arguments
        ));
    }
    out
}

fn extent(omitted: &Omitted) -> String {
    let Omitted { from, to, chars, .. } = omitted;
    match chars {
        Some(chars) => format!("the first {chars} characters of line {from}"),
        None if from == to => format!("line {from}"),
        None => format!("lines {from} to {to}, {} of them", to - from + 1),
    }
}

/// What is said of processes that outlive their terminal.
pub fn cannot_end(survivors: &[i32]) -> String {
    let pids: Vec<_> = survivors.iter().map(ToString::to_string).collect();
    format!("these processes could not be ended: {}", pids.join(", "))
}

/// How far a task is, in a line.
pub fn task_status(task: &TaskStatus) -> String {
    match task {
        TaskStatus::Running => "running".to_owned(),
        TaskStatus::Completed { wait_reason, exit_code, session_status } => {
            let how = ended(*wait_reason, session_status);
            let code = exit_code.map(|code| format!(", exit code: {code}")).unwrap_or_default();
            format!("completed, {how}{code}")
        }
        TaskStatus::Killed { wait_reason, session_status } => {
            format!("killed, {}", ended(*wait_reason, session_status))
        }
    }
}

fn ended(why: WaitReason, session: &Status) -> String {
    match session {
        Status::Running | Status::Unresponsive => format!("wait: {}", reason(why)),
        Status::Exited { exit_code: Some(code), .. } => format!("session exited: {code}"),
        Status::Exited { signal: Some(signal), .. } => format!("session exited: {signal}"),
        Status::Exited { .. } => "session exited: unknown".to_owned(),
    }
}

impl Sent {
    /// The text of an answer and, behind it, what else there is to say.
    pub fn text(&self) -> String {
        let mut out = body(&self.shown, "(no new output)");
        out.push_str(&format!("[wait: {}]\n", reason(self.wait_reason)));
        if let Some(code) = self.exit_code {
            out.push_str(&format!("[exit code: {code}]\n"));
        }
        out.push_str(&format!("[session: {}]\n", status(&self.session_status)));
        if let Some(inside) = &self.inside {
            out.push_str(&format!("[inside: {}]\n", sanitize_line(inside)));
        }
        if self.echo_off {
            out.push_str("[hidden input: what is typed is not shown, as for a password]\n");
        }
        if self.continuation {
            out.push_str("[the shell wants more of the command; keys C-c gives it up]\n");
        }
        out.push_str(&details(&self.shown));
        out.push_str(&notes(&self.notes));
        out
    }
}

impl Lines {
    /// A page of the history.
    pub fn text(&self) -> String {
        let text = if self.text.is_empty() && self.first_line == 0 {
            "(no retained output)"
        } else {
            self.text.as_str()
        };
        let mut out = format!(
            "{text}\n[lines: {}-{} of {}]\n",
            self.line_begin, self.line_end, self.total_lines
        );
        if self.first_line > 0 {
            out.push_str(&format!("[from line {} to {}]\n", self.first_line, self.last_line));
        }
        if self.truncated {
            out.push_str("[output truncated]\n");
        }
        let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
        if self.chars_left_out > 0 {
            let chars = count(number(self.chars_left_out), "character");
            out.push_str(&format!("[{chars} before these in the first line: in its block only]\n"));
        }
        if self.lines_left_out > 0 {
            let (lines, end) = (count(number(self.lines_left_out), "line"), self.line_end);
            let wanted = self.lines_left_out;
            out.push_str(&format!("[{lines} before these: read offset {end} count {wanted}]\n"));
        }
        if self.lines_in_blocks > 0 {
            let lines = count(number(self.lines_in_blocks), "line");
            out.push_str(&format!(
                "[{lines} before these: in blocks only, which terminal-session-summary lists]\n"
            ));
        }
        out
    }
}

impl ScreenNow {
    /// The screen.
    pub fn text(&self) -> String {
        let mut out = format!(
            "{}\n[screen: {}x{}, cursor at row {} column {}, hash {}]\n",
            self.text,
            self.size.cols,
            self.size.rows,
            self.cursor_row + 1,
            self.cursor_col + 1,
            self.hash
        );
        if !self.title.is_empty() {
            out.push_str(&format!("[title: {}]\n", sanitize_line(&self.title)));
        }
        if self.alternate_screen {
            out.push_str("[full-screen program]\n");
        }
        out
    }
}

impl Row {
    /// A terminal in a list.
    pub fn text(&self) -> String {
        let name = name(self.name.as_deref());
        let pid = self.pid.map(|pid| format!(" pid={pid}")).unwrap_or_default();
        let inside = self.inside.as_ref().map(|name| format!(" inside={}", sanitize_line(name)));
        let inside = inside.unwrap_or_default();
        format!("{}{name} [{}] {}{pid}{inside}\n", self.session_id, self.kind, status(&self.status))
    }
}

impl TaskOutput {
    /// What a task said.
    pub fn text(&self) -> String {
        let mut out = body(&self.shown, "(no new output)");
        out.push_str(&format!("[status: {}]\n", task_status(&self.status)));
        out.push_str(&details(&self.shown));
        out.push_str(&notes(&self.notes));
        out
    }
}

impl TaskRow {
    /// A task in a list.
    pub fn text(&self) -> String {
        format!("{} {} — {}\n", self.task_id, task_status(&self.status), self.label)
    }
}

impl TaskStarted {
    /// Which task waits.
    pub fn text(&self) -> String {
        format!("started background task {}\n", self.task_id)
    }
}

impl TaskKilled {
    /// What becomes of it.
    pub fn text(&self) -> String {
        let id = &self.task_id;
        match self.already_finished {
            true => {
                let status = task_status(&self.status);
                format!("task {id} had already finished [status: {status}]\n")
            }
            false => format!("requested cancellation of task {id}\n"),
        }
    }
}

impl Closed {
    /// Who ended it.
    pub fn text(&self) -> String {
        let id = &self.session_id;
        match self.outcome {
            CloseOutcome::Closed => format!("closed terminal session {id}\n"),
            CloseOutcome::AlreadyClosing => {
                format!("terminal session {id} was already closing\n")
            }
        }
    }
}
