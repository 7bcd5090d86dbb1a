//! Blocks as text: the Python helper's header lines, then the lines asked for.

use std::fmt::Write;

use serde_json::Value;

use super::super::{Console, Controls, Failure, sanitize_line};
use super::Session;
use super::arguments::Config;
use crate::artifact::Block;
use crate::inspect::{BlockView, Omission, Rest, Selected, Source};
use crate::text::shell_quoted as quoted;

/// Prints one block.
pub(super) fn print(
    session: &Session,
    selected: &Selected<'_>,
    view: &BlockView,
    config: &Config,
    console: &mut Console,
) -> Result<(), Failure> {
    let is_live = config.compat && !console.out_is_terminal();
    let controls = if is_live { Controls::Live } else { Controls::Shown };
    let mut shown = String::new();
    for line in header(selected, view) {
        match controls {
            Controls::Live => shown.push_str(&line),
            Controls::Shown => shown.push_str(&sanitize_line(&line)),
        }
        shown.push('\n');
    }
    shown.push('\n');
    shown.push_str(&view.text);
    if let Some(rest) = view.rest {
        let command = rest_command(session, selected, rest, config);
        let (lines, chars) = (rest.lines, rest.chars);
        // Writing to a String cannot fail.
        write!(
            shown,
            "\n[cut: {lines} more line{}, {chars} character{}: {command}]",
            plural(lines),
            plural(chars)
        )
        .unwrap_or_default();
    }
    // An empty text leaves no line of its own.
    shown.truncate(shown.trim_end_matches('\n').len());
    shown.push_str("\n\n\n");
    console.print(&shown, controls)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
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
    lines.extend(scalar(block, "snapshotFormat").map(|format| format!("snapshotFormat: {format}")));
    lines.extend(size(block).map(|size| format!("size: {size}")));
    lines
        .extend(integer(block, "snapshotLength").map(|length| format!("snapshotLength: {length}")));
    lines.extend(scalar(block, "messageKey").map(|key| format!("messageKey: {key}")));
    lines.extend(view.range.map(|range| format!("lines: {range}")));
    lines.extend(view.omission.and_then(|omission| match omission {
        Omission::Nothing => None,
        Omission::Lines { first, last } => {
            Some(format!("omitted: lines {first}:{last} of the cleaned text"))
        }
        Omission::Units(count) => Some(format!("omitted: the last {count} UTF-16 code units")),
    }));
    lines
}

/// A value as Python would print it, where Python calls it true.
fn scalar(block: &Block<'_>, key: &str) -> Option<String> {
    match block.value(key) {
        Value::String(text) if !text.is_empty() => Some(text),
        Value::Number(number) if number.as_f64() != Some(0.0) => Some(number.to_string()),
        Value::Bool(true) => Some("True".to_owned()),
        _ => None,
    }
}

fn integer(block: &Block<'_>, key: &str) -> Option<String> {
    let text = block.value(key).as_number()?.to_string();
    text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

fn size(block: &Block<'_>) -> Option<String> {
    let (cols, rows) = (integer(block, "cols"), integer(block, "rows"));
    if cols.is_none() && rows.is_none() {
        return None;
    }
    let shown = |number: Option<String>| number.unwrap_or_else(|| "?".to_owned());
    Some(format!("{}x{}", shown(cols), shown(rows)))
}

/// The selector that prints what a cut left out.
pub(super) fn rest_selector(selected: &Selected<'_>, rest: Rest) -> String {
    let end = rest.range.end.map_or_else(String::new, |end| end.to_string());
    let skip = if rest.range.skip > 0 { format!("+{}", rest.range.skip) } else { String::new() };
    format!("{}@{}{skip}:{end}", selected.label, rest.range.start)
}

/// The command that prints what a cut left out.
pub(super) fn rest_command(
    session: &Session,
    selected: &Selected<'_>,
    rest: Rest,
    config: &Config,
) -> String {
    let mut words = vec![
        "terminal-session-blocks".to_owned(),
        session.id.to_string(),
        rest_selector(selected, rest),
    ];
    words.extend(config.carried.iter().cloned());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
