//! A summary for people.

use std::io::Write;

use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::Value;

use super::super::facts::{exit_code, kind_word};
use super::super::when::relative;
use super::super::{CommonArgs, Console, Failure, count, sanitize_line};
use crate::artifact::{Block, BlockKind, Manifest};
use crate::home::TerminalId;
use crate::text;

/// Characters of a screen that are enough for its first lines.
pub(super) const PREVIEW_CHARS: usize = 4000;
/// First lines to show of each text.
const LINES: usize = 6;
/// Characters to show of each line.
const LINE_CHARS: usize = 160;

/// Prints the summary `value` of blocks of `manifest`, made with details.
pub(super) fn print(
    value: &Value,
    manifest: &Manifest,
    common: &CommonArgs,
    terminal: &TerminalId,
    console: &mut Console,
) -> Result<(), Failure> {
    let now = Timestamp::now();
    let paint = Paint { is_on: console.out_has_color() };
    let view = View { now, paint, common, terminal };
    let heading = view.heading(value);
    writeln!(console.out(), "{heading}")?;
    for entry in value["blocks"].as_array().into_iter().flatten() {
        let index = entry["index"].as_u64().and_then(|index| usize::try_from(index).ok());
        if let Some(block) = index.and_then(|index| manifest.block(index)) {
            writeln!(console.out())?;
            for line in view.block(entry, &block) {
                writeln!(console.out(), "{line}")?;
            }
        }
    }
    Ok(())
}

struct View<'a> {
    now: Timestamp,
    paint: Paint,
    common: &'a CommonArgs,
    terminal: &'a TerminalId,
}

impl View<'_> {
    fn heading(&self, value: &Value) -> String {
        let id = self.paint.bold(&sanitize_line(self.terminal.as_str()));
        let blocks = value["blockCount"].as_u64().and_then(|count| usize::try_from(count).ok());
        let mut parts = vec![id, count(blocks.unwrap_or(0), "block")];
        if let Some(session) = value["sessionId"].as_str() {
            parts.push(format!("Codex session {}", sanitize_line(session)));
        }
        let updated = value["updatedAt"].as_str().and_then(|time| text::strip(time).parse().ok());
        parts.extend(updated.map(|time| relative(time, self.now)));
        parts.join(", ")
    }

    /// The lines of a block's paragraph.
    fn block(&self, entry: &Value, block: &Block<'_>) -> Vec<String> {
        let kind = block.kind();
        let position = self.paint.bold(&format!("{}.", block.index()));
        let mut first = format!("{position} {}", self.paint.kind(&kind));
        if let Some(id) = block.id() {
            first.push_str(&format!("  {}", sanitize_line(&id)));
        }
        if let Some(time) = block.time("createdAt") {
            first.push_str(&format!("  {}", self.paint.dim(&relative(time, self.now))));
        }
        let mut lines = vec![first];
        lines.extend(self.command(block));
        match kind {
            BlockKind::Snapshot => self.screen(entry, block, &mut lines),
            BlockKind::Plan => {
                self.text(entry["contextNote"].as_str(), block, &mut lines);
                lines.extend(steps(entry).map(|step| self.step(entry, step)));
            }
            BlockKind::NeedInput => {
                self.text(entry["question"].as_str(), block, &mut lines);
                self.text(entry["contextNote"].as_str(), block, &mut lines);
            }
            BlockKind::Complete => self.text(entry["message"].as_str(), block, &mut lines),
            BlockKind::Other(_) => {}
        }
        lines
    }

    /// The command that a screen is the output of, and how it ended.
    fn command(&self, block: &Block<'_>) -> Option<String> {
        let command = block.text("command").map(|command| format!("$ {}", short(&command)));
        let code = exit_code(block).map(|code| match code {
            0 => self.paint.good("exit code 0"),
            code => self.paint.bad(&format!("exit code {code}")),
        });
        let parts: Vec<_> = command.into_iter().chain(code).collect();
        (!parts.is_empty()).then(|| format!("   {}", parts.join("  ")))
    }

    fn screen(&self, entry: &Value, block: &Block<'_>, lines: &mut Vec<String>) {
        if let Some(error) = entry["snapshotPreviewError"].as_str() {
            lines.push(format!("   {}", self.paint.bad(&sanitize_line(error))));
            return;
        }
        let preview = entry["snapshotPreview"].as_str().unwrap_or("");
        let total = entry["lines"].as_u64().and_then(|total| usize::try_from(total).ok());
        let total = total.unwrap_or(0);
        let shown = self.some(preview, lines);
        self.rest(total.saturating_sub(shown), &format!("{}@{}:", block.index(), shown + 1), lines);
    }

    /// Part of a message. The whole of it is what the block prints.
    fn text(&self, text: Option<&str>, block: &Block<'_>, lines: &mut Vec<String>) {
        let text = text.map_or("", text::strip);
        let shown = self.some(text, lines);
        self.rest(text.lines().count().saturating_sub(shown), &block.index().to_string(), lines);
    }

    /// Says what prints the lines that are not shown.
    fn rest(&self, more: usize, selector: &str, lines: &mut Vec<String>) {
        if more > 0 {
            let words = ["terminal-session-blocks", self.terminal.as_str(), selector];
            let more = count(more, "more line");
            let rest = format!("[{more}: {}]", self.common.command_line(&words));
            lines.push(format!("   {}", self.paint.dim(&sanitize_line(&rest))));
        }
    }

    /// The first lines of a text; how many.
    fn some(&self, text: &str, lines: &mut Vec<String>) -> usize {
        let shown = text
            .lines()
            .take(LINES)
            .map(|line| format!("   {}", short(&line.replace('\t', "    "))));
        let before = lines.len();
        lines.extend(shown.map(|line| line.trim_end().to_owned()));
        lines.len() - before
    }

    /// A step of a plan, and what became of it.
    fn step(&self, entry: &Value, step: &Value) -> String {
        let id = step["stepId"].as_str().unwrap_or("");
        let of_step = |key: &str| {
            let items = entry[key].as_array().into_iter().flatten();
            items.filter(|item| item["stepId"] == step["stepId"]).collect::<Vec<_>>()
        };
        let mut outcome: Vec<String> = Vec::new();
        for action in of_step("stepActions") {
            let decision = short(action["decision"].as_str().unwrap_or(""));
            let is_good = decision == "approved";
            outcome.push(if is_good { decision } else { self.paint.bad(&decision) });
        }
        for feedback in of_step("stepFeedback") {
            let Some(status) = feedback["status"].as_str() else { continue };
            let mut text = short(status);
            if let Some(code) = feedback["exitCode"].as_i64() {
                text.push_str(&format!(", exit code {code}"));
            }
            let is_good = status == "success";
            outcome.push(if is_good { self.paint.good(&text) } else { self.paint.bad(&text) });
        }
        let command = short(step["command"].as_str().unwrap_or(""));
        let mut line = format!("   - {}: {command}", short(id));
        if !outcome.is_empty() {
            line.push_str(&format!("  ({})", outcome.join("; ")));
        }
        line
    }
}

fn steps(entry: &Value) -> impl Iterator<Item = &Value> {
    entry["steps"].as_array().into_iter().flatten()
}

/// A line that is safe to show and not long.
fn short(line: &str) -> String {
    text::clipped(&sanitize_line(line), LINE_CHARS).into_owned()
}

/// Colours, where there are to be any.
struct Paint {
    is_on: bool,
}

impl Paint {
    fn bold(&self, text: &str) -> String {
        if self.is_on { text.bold().to_string() } else { text.to_owned() }
    }

    fn dim(&self, text: &str) -> String {
        if self.is_on { text.dimmed().to_string() } else { text.to_owned() }
    }

    fn good(&self, text: &str) -> String {
        if self.is_on { text.green().to_string() } else { text.to_owned() }
    }

    fn bad(&self, text: &str) -> String {
        if self.is_on { text.red().to_string() } else { text.to_owned() }
    }

    fn kind(&self, kind: &BlockKind) -> String {
        let word = sanitize_line(&kind_word(kind)).into_owned();
        match kind {
            _ if !self.is_on => word,
            BlockKind::Snapshot => word.cyan().to_string(),
            BlockKind::Plan => word.magenta().to_string(),
            BlockKind::NeedInput => word.yellow().to_string(),
            BlockKind::Complete => word.green().to_string(),
            BlockKind::Other(_) => word,
        }
    }
}
