//! Answers as text.

use super::super::sanitize_line;
use crate::live::wire::{
    Lines, Omitted, Row, ScreenNow, Sent, Shown, Status, TaskOutput, TaskRow, TaskStatus,
    WaitReason,
};

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

/// The text of an answer and, behind it, what else there is to say.
pub(super) fn sent(sent: &Sent) -> String {
    let mut out = body(&sent.shown, "(no new output)");
    out.push_str(&format!("[wait: {}]\n", reason(sent.wait_reason)));
    if let Some(code) = sent.exit_code {
        out.push_str(&format!("[exit code: {code}]\n"));
    }
    out.push_str(&format!("[session: {}]\n", status(&sent.session_status)));
    if let Some(inside) = &sent.inside {
        out.push_str(&format!("[inside: {}]\n", sanitize_line(inside)));
    }
    if sent.echo_off {
        out.push_str("[hidden input: what is typed is not shown, as for a password]\n");
    }
    if sent.continuation {
        out.push_str("[the shell wants more of the command; keys C-c gives it up]\n");
    }
    out.push_str(&details(&sent.shown));
    out.push_str(&notes(&sent.notes));
    out
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
        let lines = super::super::count(usize::try_from(shown.lines_again).unwrap_or(0), "line");
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

/// A page of the history.
pub(super) fn lines(lines: &Lines) -> String {
    let text = if lines.text.is_empty() && lines.first_line == 0 {
        "(no retained output)"
    } else {
        lines.text.as_str()
    };
    let mut out = format!(
        "{text}\n[lines: {}-{} of {}]\n",
        lines.line_begin, lines.line_end, lines.total_lines
    );
    if lines.first_line > 0 {
        out.push_str(&format!("[from line {} to {}]\n", lines.first_line, lines.last_line));
    }
    if lines.truncated {
        out.push_str("[output truncated]\n");
    }
    if lines.lines_in_blocks > 0 {
        let count =
            super::super::count(usize::try_from(lines.lines_in_blocks).unwrap_or(0), "line");
        out.push_str(&format!("[{count} before these: in blocks only]\n"));
    }
    out
}

/// The screen.
pub(super) fn screen(screen: &ScreenNow) -> String {
    let mut out = format!(
        "{}\n[screen: {}x{}, cursor at row {} column {}, hash {}]\n",
        screen.text,
        screen.size.cols,
        screen.size.rows,
        screen.cursor_row + 1,
        screen.cursor_col + 1,
        screen.hash
    );
    if !screen.title.is_empty() {
        out.push_str(&format!("[title: {}]\n", sanitize_line(&screen.title)));
    }
    if screen.alternate_screen {
        out.push_str("[full-screen program]\n");
    }
    out
}

/// A terminal in a list.
pub(super) fn row(row: &Row) -> String {
    let name = name(row.name.as_deref());
    let pid = row.pid.map(|pid| format!(" pid={pid}")).unwrap_or_default();
    let inside = row.inside.as_ref().map(|name| format!(" inside={}", sanitize_line(name)));
    let inside = inside.unwrap_or_default();
    format!("{}{name} [{}] {}{pid}{inside}\n", row.session_id, row.kind, status(&row.status))
}

/// What a task said.
pub(super) fn task_output(output: &TaskOutput) -> String {
    let mut out = body(&output.shown, "(no new output)");
    out.push_str(&format!("[status: {}]\n", task_status(&output.status)));
    out.push_str(&details(&output.shown));
    out.push_str(&notes(&output.notes));
    out
}

/// How far a task is.
pub(super) fn task_status(task: &TaskStatus) -> String {
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

/// A task in a list.
pub(super) fn task_row(row: &TaskRow) -> String {
    format!("{} {} — {}\n", row.task_id, task_status(&row.status), row.label)
}
