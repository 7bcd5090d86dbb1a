//! Blocks as text: the Python helper's header lines, then the lines asked for.

use serde_json::Value;

use super::super::{Console, Controls, Failure, count, sanitize_line};
use super::arguments::Config;
use super::{Chosen, Session};
use crate::artifact::Block;
use crate::cli::arguments::quoted_line;
use crate::inspect::{BlockView, Omission, Rest, Selected, Source};

/// Prints one block.
pub(super) fn print(
    session: &Session,
    chosen: &Chosen<'_>,
    view: &BlockView,
    config: &Config,
    console: &mut Console,
) -> Result<(), Failure> {
    let is_live = config.compat && !console.out_is_terminal();
    let controls = if is_live { Controls::Live } else { Controls::Shown };
    let mut shown = heading(&chosen.selected, view, controls);
    shown.push_str(&view.text);
    if let Some(rest) = view.rest {
        let command = ReadOn::new(session, chosen, rest, config).command;
        let (lines, chars) = (count(rest.lines, "more line"), count(rest.chars, "character"));
        shown.push_str(&format!("\n[cut: {lines}, {chars}: {command}]"));
    }
    // An empty text leaves no line of its own.
    shown.truncate(shown.trim_end_matches('\n').len());
    shown.push_str("\n\n\n");
    console.print(&shown, controls)
}

/// Prints one block whose text has colours, and no other sequences.
pub(super) fn print_colored(
    chosen: &Chosen<'_>,
    view: &BlockView,
    text: &str,
    console: &mut Console,
) -> Result<(), Failure> {
    let heading = heading(&chosen.selected, view, Controls::Shown);
    console.print(&heading, Controls::Shown)?;
    let end = if text.is_empty() { "\n\n" } else { "\n\n\n" };
    console.print(text, Controls::Live)?;
    console.print(end, Controls::Shown)
}

/// The lines before the text, and a blank one.
fn heading(selected: &Selected<'_>, view: &BlockView, controls: Controls) -> String {
    let mut shown = String::new();
    for line in header(selected, view) {
        match controls {
            Controls::Live => shown.push_str(&line),
            Controls::Shown => shown.push_str(&sanitize_line(&line)),
        }
        shown.push('\n');
    }
    shown.push('\n');
    shown
}

fn header(selected: &Selected<'_>, view: &BlockView) -> Vec<String> {
    let block = &selected.block;
    let source = match &view.source {
        Source::Manifest => "manifest.rawBlock".to_owned(),
        Source::File(path) => path.display().to_string(),
    };
    let mut lines = vec![
        format!("===== {} ({}) =====", selected.label, block.kind()),
        format!("source: {source}"),
    ];
    lines.extend(string(block, "snapshotFormat").map(|format| format!("snapshotFormat: {format}")));
    lines.extend(size(block).map(|size| format!("size: {size}")));
    lines
        .extend(integer(block, "snapshotLength").map(|length| format!("snapshotLength: {length}")));
    lines.extend(string(block, "messageKey").map(|key| format!("messageKey: {key}")));
    lines.extend(view.range.map(|range| format!("lines: {range}")));
    lines.extend(view.omission.and_then(|omission| match omission {
        Omission::Nothing | Omission::NoSnapshot => None,
        Omission::Lines { first, last } => {
            Some(format!("omitted: lines {first}:{last} of the cleaned text"))
        }
        Omission::Units(count) => Some(format!("omitted: the last {count} UTF-16 code units")),
    }));
    lines
}

/// A text that is not empty, blanks and all.
fn string(block: &Block<'_>, key: &str) -> Option<String> {
    match block.value(key) {
        Value::String(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// A whole number as Python prints it.
fn integer(block: &Block<'_>, key: &str) -> Option<String> {
    match block.value(key) {
        // In Python a truth value is an integer.
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Number(number) => {
            let text = number.to_string();
            text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
        }
        _ => None,
    }
}

fn size(block: &Block<'_>) -> Option<String> {
    let (cols, rows) = (integer(block, "cols"), integer(block, "rows"));
    if cols.is_none() && rows.is_none() {
        return None;
    }
    let shown = |number: Option<String>| number.unwrap_or_else(|| "?".to_owned());
    Some(format!("{}x{}", shown(cols), shown(rows)))
}

/// A selector, and the command that prints with it what a cut left out.
pub(super) struct ReadOn {
    pub(super) selector: String,
    pub(super) command: String,
}

impl ReadOn {
    pub(super) fn new(session: &Session, chosen: &Chosen<'_>, rest: Rest, config: &Config) -> Self {
        let end = rest.range.end.map_or_else(String::new, |end| end.to_string());
        let skip =
            if rest.range.skip > 0 { format!("+{}", rest.range.skip) } else { String::new() };
        let name = chosen.name(session);
        let selector = format!("{name}@{}{skip}:{end}", rest.range.start);
        let command = command(session, &selector, None, config);
        Self { selector, command }
    }
}

/// The command that prints with the same options what a selector chooses, perhaps at most so many
/// characters of it.
pub(super) fn command(
    session: &Session,
    selector: &str,
    max_chars: Option<usize>,
    config: &Config,
) -> String {
    let mut words = vec!["terminal-session-blocks".to_owned()];
    words.extend(config.carried.iter().cloned());
    if let Some(max_chars) = max_chars {
        words.extend(["--max-chars".to_owned(), max_chars.to_string()]);
    }
    let operands = [session.id.as_str(), selector];
    if operands.iter().any(|operand| operand.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(operands.map(str::to_owned));
    quoted_line(&words)
}
