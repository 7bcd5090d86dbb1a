//! `terminal_session_list`, `terminal_session_summary` and `terminal_session_blocks`: what was
//! recorded, as the programs of the same names tell it.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::Call;
use super::group::Group;
use super::tool::{Answer, Hints, ToolSpec, no_wait};
use super::tool_error::ToolError;
use crate::artifact::{FindError, Manifest, ManifestErrorKind, find_session};
use crate::home::{CodexHome, TerminalId};
use crate::inspect::{
    BlockView, Context, Extras, Hit, Line, LineRange, Lines, ListOptions, Listing, Pattern,
    Rendering, Search, Selected, Selector, SelectorError, SessionRow, SortBy, Status,
    SummaryBudget, SummaryOptions, ViewOptions, Window, fit_summary, summary,
};
use crate::record::{is_recorded, latest_recording, unfrozen};
use crate::text::{count, sanitize_line};

/// Sessions that are listed where no number is given.
const USUAL_LIMIT: u64 = 20;
/// Characters of a frozen screen in a summary where no number is given.
const USUAL_PREVIEW: u64 = 400;
/// Characters of a summary, or of the text of a block, where no number is given.
const USUAL_CHARS: u64 = 20_000;
/// The most of these that a call may ask for.
const MOST_CHARS: u64 = 250_000;
/// Characters of the blocks of one answer together. The rest is named.
const ALL_CHARS: usize = 256 << 10;
/// Of these, characters that a block takes beside its text.
const BLOCK_CHARS: usize = 200;
/// Blocks that are named as the rest.
const MOST_NAMED: usize = 1000;
/// Lines that match which one call shows.
const MOST_MATCHES: usize = 200;
/// Characters of one of them.
const MATCH_CHARS: usize = 500;

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "terminal_session_list",
        group: Group::Inspect,
        title: "List recorded terminal sessions",
        description: "List recorded terminal sessions, the one that changed last first.",
        properties: || {
            json!({
                "session_id": {
                    "type": "string",
                    "description": "Only those of this Codex session, or of those that begin so",
                },
                "limit": {"type": "number", "description": "Most sessions (default 20)"},
            })
        },
        required: &[],
        hints: Hints::ReadOnly,
        run: list,
        waits: no_wait,
    },
    ToolSpec {
        name: "terminal_session_summary",
        group: Group::Inspect,
        title: "Summarize a recorded terminal session",
        description: "Tell the flow of a recorded terminal session: each block with its id, its type, \
                      what it says or how its screen begins, its lines, command and exit code.",
        properties: || {
            json!({
                "terminal": {
                    "type": "string",
                    "description": "An id, how it begins, or \"latest\"",
                },
                "recent": {"type": "number", "description": "Only the last so many blocks"},
                "before": {"type": "string", "description": "Only blocks before this one"},
                "preview_chars": {
                    "type": "number",
                    "description": "Characters of each screen to show (default 400)",
                },
                "max_chars": {
                    "type": "number",
                    "description": "Characters of the whole answer (default 20000)",
                },
            })
        },
        required: &["terminal"],
        hints: Hints::ReadOnly,
        run: summarize,
        waits: no_wait,
    },
    ToolSpec {
        name: "terminal_session_blocks",
        group: Group::Inspect,
        title: "Read blocks of a recorded terminal session",
        description: "Print any lines of any blocks of a recorded terminal session. Where an answer \
                      names arguments of terminal-session-blocks, these are the same.",
        properties: || {
            json!({
                "terminal": {
                    "type": "string",
                    "description": "An id, how it begins, or \"latest\"",
                },
                "blocks": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Ids, positions from 1, or \"last\"; with lines: \"last@21:60\" \
                                    (default all)",
                },
                "no_squeeze": {
                    "type": "boolean",
                    "description": "Keep blank lines as they are (default false)",
                },
                "max_chars": {
                    "type": "number",
                    "description": "Characters of each block (default 20000)",
                },
                "grep": {
                    "type": "string",
                    "description": "Only lines that match this regular expression, and where they are",
                },
            })
        },
        required: &["terminal"],
        hints: Hints::ReadOnly,
        run: blocks,
        waits: no_wait,
    },
];

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn list(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (session, limit) = (given.string("session_id"), given.whole("limit", 1));
    given.finish()?;
    let options = ListOptions {
        codex_session: session.as_deref().filter(|id| !id.is_empty()),
        since: None,
        limit: Some(size(limit?.unwrap_or(USUAL_LIMIT))),
        sort: SortBy::Updated,
        unfrozen: &unfrozen,
    };
    let home = CodexHome::at(&call.options().codex_home);
    let listing = Listing::new(&home, &options).map_err(ToolError::new)?;
    let rows: Vec<SessionRow> = listing.rows().collect();
    let mut text: String = rows.iter().map(row_line).collect();
    let more = listing.total().saturating_sub(rows.len());
    if rows.is_empty() {
        text.push_str("(no recorded sessions)");
    } else if more > 0 {
        let total = listing.total();
        text.push_str(&format!("[{}; limit {total} lists all]", count(more, "more session")));
    }
    let rows: Vec<Value> = rows.iter().map(SessionRow::json).collect();
    let value = json!({"total": listing.total(), "broken": listing.broken(), "sessions": rows});
    Answer::new(&value, &text)
}

/// `terminal-1 2026-01-02T03:04:05.678Z 3 blocks +live $ make`.
fn row_line(row: &SessionRow) -> String {
    let json = row.json();
    let mut line = format!("{}", sanitize_line(row.id.as_str()));
    match &row.status {
        Status::Sound => {
            let updated = json["updatedAt"].as_str().unwrap_or("-");
            line.push_str(&format!(" {updated} {}", count(row.blocks.total(), "block")));
        }
        Status::Recording => line.push_str(" recording: nothing is frozen yet"),
        Status::Died => line.push_str(" died: its recorder is gone and nothing was frozen"),
        Status::Broken(reason) => line.push_str(&format!(" broken: {}", sanitize_line(reason))),
    }
    if row.has_unfrozen {
        line.push_str(" +live");
    }
    if let Some(command) = json["firstCommand"].as_str() {
        line.push_str(&format!(" $ {}", sanitize_line(command)));
    } else if let Some(first) = json["firstLine"].as_str() {
        line.push_str(&format!(" {}", sanitize_line(first)));
    }
    line.push('\n');
    line
}

/// The session that is named.
fn session(call: &Call<'_>, name: &str) -> Result<(TerminalId, Manifest), ToolError> {
    let home = CodexHome::at(&call.options().codex_home);
    let id = match find_session(&home, name) {
        Ok(id) => id,
        Err(error @ FindError::NoLatest(_)) => match latest_recording(&home) {
            Ok(Some(id)) => id,
            _ => return Err(ToolError::new(error)),
        },
        Err(error) => return Err(ToolError::new(error)),
    };
    let manifest = Manifest::read(&home.session(&id)).and_then(Manifest::with_blocks);
    match manifest {
        Ok(manifest) => Ok((id, manifest)),
        Err(error)
            if matches!(error.kind, ManifestErrorKind::Missing)
                && is_recorded(&home, &id).is_some() =>
        {
            Err(ToolError::new(format!("terminal \"{id}\" is being recorded and has no block yet")))
        }
        Err(error) => Err(ToolError::new(error)),
    }
}

fn selected<'a>(
    call: &Call<'_>,
    typed: &str,
    manifest: &'a Manifest,
) -> Result<Selected<'a>, ToolError> {
    let selector = Selector::parse(typed).map_err(ToolError::new)?;
    let found = selector.resolve(manifest, Extras::Understood);
    found.map_err(|error| match error {
        SelectorError::Unknown(unknown) if selector.is_live(manifest) => {
            let reader = reader_of_live(&call.options().groups);
            ToolError::new(format!("{unknown}; what is in no block yet is read with {reader}"))
        }
        error => ToolError::new(error),
    })
}

/// What reads output that is in no block yet, of what is offered beside this.
fn reader_of_live(groups: &[Group]) -> &'static str {
    let offered = |group| groups.contains(&group);
    match () {
        () if offered(Group::Terminal) => "terminal_read",
        () if offered(Group::Exec) => "write_stdin",
        () if offered(Group::Execute) => "terminal_execute and an empty command",
        () => "terminal-session-blocks TERMINAL live, in any shell",
    }
}

fn summarize(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (name, before) = (given.required("terminal"), given.string("before"));
    let (recent, preview) = (given.whole("recent", 1), given.whole("preview_chars", 0));
    let most = given.whole("max_chars", 1);
    given.finish()?;
    let (recent, preview) = (recent?.map(size), size(preview?.unwrap_or(USUAL_PREVIEW)));
    let most = size(most?.unwrap_or(USUAL_CHARS).min(MOST_CHARS));
    let (id, manifest) = session(call, &name)?;
    let before = before.filter(|before| !before.is_empty());
    let before = before.map(|typed| selected(call, &typed, &manifest)).transpose()?;
    let options = SummaryOptions {
        after: None,
        before: before.map(|selected| selected.block.index()),
        kinds: &[],
        recent,
        preview_chars: preview,
        details: true,
        rendering: Rendering::Screen { squeeze: true },
    };
    let value = summary(&manifest, id.as_str(), &options);
    let command = |listed: usize, before: Option<usize>| {
        let mut arguments = Map::new();
        arguments.insert("terminal".into(), id.as_str().into());
        if let Some(block) = before.and_then(|index| manifest.block(index)) {
            let name = Selected::whole(block).name_for(&manifest);
            arguments.insert("before".into(), name.into());
        }
        if recent.is_some() {
            arguments.insert("recent".into(), listed.into());
        }
        // Else the rest would be told in another way.
        if preview != size(USUAL_PREVIEW) {
            arguments.insert("preview_chars".into(), preview.into());
        }
        // Less than usual may be too little for the rest, and for any block.
        if most > size(USUAL_CHARS) {
            arguments.insert("max_chars".into(), most.into());
        }
        format!("terminal_session_summary {}", Value::Object(arguments))
    };
    let budget = SummaryBudget {
        most,
        length: &|value| value.to_string().chars().count(),
        command: &command,
    };
    let value = fit_summary(value, &budget).map_err(|least| {
        ToolError::new(format!("max_chars {most} is too small; this needs at least {least}"))
    })?;
    let text = value.to_string();
    Answer::new(&value, &text)
}

fn blocks(call: &Call<'_>, mut given: Arguments) -> Result<Answer, ToolError> {
    let (name, wanted) = (given.required("terminal"), given.strings("blocks"));
    let no_squeeze = given.boolean("no_squeeze", false);
    let (most, grep) = (given.whole("max_chars", 1), given.string("grep"));
    given.finish()?;
    let most = size(most?.unwrap_or(USUAL_CHARS).min(MOST_CHARS));
    let (id, manifest) = session(call, &name)?;
    let chosen: Vec<Selected<'_>> = if wanted.is_empty() {
        manifest.blocks().map(Selected::whole).collect()
    } else {
        wanted.iter().map(|typed| selected(call, typed, &manifest)).collect::<Result<_, _>>()?
    };
    let view = ViewOptions {
        rendering: Rendering::Screen { squeeze: !no_squeeze },
        lines: Lines::All,
        omitted: false,
        max_chars: Some(most),
    };
    let reader = Reader { id: &id, manifest: &manifest, view, no_squeeze };
    match grep.filter(|pattern| !pattern.is_empty()) {
        Some(pattern) => reader.search(&chosen, &pattern),
        None => reader.print(&chosen),
    }
}

/// Reads blocks of one session in one way.
struct Reader<'a> {
    id: &'a TerminalId,
    manifest: &'a Manifest,
    view: ViewOptions,
    no_squeeze: bool,
}

impl Reader<'_> {
    fn print(&self, chosen: &[Selected<'_>]) -> Result<Answer, ToolError> {
        let mut text = String::new();
        let mut objects = Vec::new();
        let mut has_error = false;
        let mut left = ALL_CHARS;
        for selected in chosen {
            if left == 0 {
                break;
            }
            let before = text.len();
            let block = &selected.block;
            let most = self.view.max_chars.map_or(left, |most| most.min(left));
            let options = ViewOptions { max_chars: Some(most), ..self.view };
            let view = BlockView::read(self.manifest, block, selected.range, &options);
            let kind = block.kind();
            let heading = format!("===== {} ({kind}) =====", selected.label);
            text.push_str(&sanitize_line(&heading));
            text.push('\n');
            let mut object = Map::new();
            object.insert("blockId".into(), block.id().map_or(Value::Null, Value::String));
            object.insert("index".into(), block.index().into());
            object.insert("type".into(), kind.to_string().into());
            match view {
                Ok(view) => self.shown(selected, view, &mut text, &mut object),
                Err(error) => {
                    has_error = true;
                    text.push_str(&format!("error: {}\n\n", sanitize_line(&error.to_string())));
                    object.insert("error".into(), error.to_string().into());
                }
            }
            objects.push(Value::Object(object));
            left = left.saturating_sub(text[before..].chars().count() + BLOCK_CHARS);
        }
        if chosen.is_empty() {
            text.push_str("(no blocks)");
        }
        let rest = &chosen[objects.len()..];
        let mut value = json!({"terminalId": self.id.as_str(), "blocks": objects});
        if !rest.is_empty() {
            let arguments = self.arguments(rest);
            let more = count(rest.len(), "more block");
            let unnamed = unnamed(rest.len());
            text.push_str(&format!("[{more}: terminal_session_blocks {arguments}{unnamed}]\n"));
            value["rest"] = json!({"blocks": rest.len(), "arguments": arguments});
        }
        let mut answer = Answer::new(&value, &text)?;
        answer.is_error = has_error;
        Ok(answer)
    }

    /// How lines of a block are named.
    fn name(&self, selected: &Selected<'_>, range: Option<LineRange>) -> String {
        let name = selected.name_for(self.manifest);
        range.map_or_else(|| name.clone(), |range| range_of(&name, range))
    }

    /// The arguments that print these.
    fn arguments(&self, rest: &[Selected<'_>]) -> Value {
        let names = rest.iter().take(MOST_NAMED).map(|it| self.name(it, it.range)).collect();
        self.arguments_for(names)
    }

    /// The arguments that print what is named so, in the same way.
    fn arguments_for(&self, names: Vec<String>) -> Value {
        let mut arguments = json!({"terminal": self.id.as_str(), "blocks": names});
        if self.no_squeeze {
            arguments["no_squeeze"] = true.into();
        }
        if let Some(most) = self.view.max_chars.filter(|most| *most != size(USUAL_CHARS)) {
            arguments["max_chars"] = most.into();
        }
        arguments
    }

    fn shown(
        &self,
        selected: &Selected<'_>,
        view: BlockView,
        text: &mut String,
        object: &mut Map<String, Value>,
    ) {
        let (start, end) = view.shown_lines();
        let total = view.total_lines;
        if view.is_past_end() {
            text.push_str(&format!("[past the end: there are {}]\n", count(total, "line")));
        } else {
            text.push_str(&view.text);
            text.push('\n');
        }
        object.insert("totalLines".into(), total.into());
        object.insert("lineStart".into(), start.into());
        object.insert("lineEnd".into(), end.into());
        object.insert("truncated".into(), view.rest.is_some().into());
        object.insert("text".into(), view.text.into());
        if let Some(rest) = view.rest {
            let (lines, chars) = (rest.lines, rest.chars);
            let arguments = self.arguments_for(vec![self.name(selected, Some(rest.range))]);
            let (more, left) = (count(lines, "more line"), count(chars, "character"));
            text.push_str(&format!("[cut: {more}, {left}: terminal_session_blocks {arguments}]\n"));
            object.insert(
                "rest".into(),
                json!({"lines": lines, "chars": chars, "arguments": arguments}),
            );
        }
        text.push('\n');
    }

    /// The arguments that search on in these, from that line of the first one on.
    fn search_on(&self, rest: &[Selected<'_>], line: usize, pattern: &str) -> Value {
        let from = |selected: &Selected<'_>| {
            let end = selected.range.and_then(|range| range.end);
            self.name(selected, Some(LineRange { start: line, skip: 0, end }))
        };
        let others = rest.iter().skip(1).map(|it| self.name(it, it.range));
        let names = rest.first().map(from).into_iter().chain(others).take(MOST_NAMED).collect();
        let mut arguments = self.arguments_for(names);
        arguments["grep"] = pattern.into();
        arguments
    }

    fn search(&self, chosen: &[Selected<'_>], pattern_text: &str) -> Result<Answer, ToolError> {
        let pattern = Pattern::new(pattern_text, false, false).map_err(ToolError::new)?;
        let search = Search { pattern, context: Context::default(), max_count: None };
        let whole = ViewOptions { max_chars: None, ..self.view };
        let (mut text, mut lines, mut found) = (String::new(), Vec::new(), 0);
        // Where the lines begin that are not shown.
        let mut left_out = None;
        let mut problems = String::new();
        for (at_block, selected) in chosen.iter().enumerate() {
            let view = match BlockView::read(self.manifest, &selected.block, None, &whole) {
                Ok(view) => view,
                Err(error) => {
                    writeln!(problems, "error: {}", sanitize_line(&error.to_string()))
                        .unwrap_or_default();
                    continue;
                }
            };
            let mut name = None;
            let mut show = |line: Line<'_>, at: usize| {
                found += 1;
                if found > MOST_MATCHES {
                    left_out.get_or_insert((at_block, line.number));
                    return;
                }
                let name = name.get_or_insert_with(|| selected.name_for(self.manifest));
                let place = format!("{name}@{}", line.number);
                let window = Window::around(line.text, at, MATCH_CHARS);
                let is_cut = window.before + window.after > 0;
                text.push_str(&format!("{place}: {}", sanitize_line(window.shown)));
                text.push_str(if is_cut { " [a part of the line]\n" } else { "\n" });
                lines.push(json!({"place": place, "text": window.shown, "truncated": is_cut}));
            };
            let searched = view.searched(selected.range, &whole);
            search
                .run(searched, |hit| {
                    if let Hit::Match(line, (start, _)) = hit {
                        show(line, start);
                    }
                    Ok::<_, std::convert::Infallible>(())
                })
                .unwrap_or_default();
        }
        let id = self.id.as_str();
        let mut value = json!({"terminalId": id, "matches": found, "lines": lines});
        if found == 0 {
            text.push_str("(no matches)\n");
        } else if let Some((at_block, line)) = left_out {
            let more = found - MOST_MATCHES;
            let arguments = self.search_on(&chosen[at_block..], line, pattern_text);
            let lines = count(more, "more matching line");
            let unnamed = unnamed(chosen.len() - at_block);
            text.push_str(&format!("[{lines}: terminal_session_blocks {arguments}{unnamed}]\n"));
            value["rest"] = json!({"lines": more, "arguments": arguments});
        }
        text.push_str(&problems);
        let mut answer = Answer::new(&value, &text)?;
        answer.is_error = !problems.is_empty();
        Ok(answer)
    }
}

/// What is said where so many blocks are too many to be named.
fn unnamed(blocks: usize) -> String {
    match blocks.saturating_sub(MOST_NAMED) {
        0 => String::new(),
        unnamed => format!("; and {} behind them", count(unnamed, "block")),
    }
}

/// The selector of lines of a block.
fn range_of(name: &str, range: LineRange) -> String {
    let LineRange { start, skip, end } = range;
    let end = end.map_or_else(String::new, |end| end.to_string());
    let skip = if skip > 0 { format!("+{skip}") } else { String::new() };
    format!("{name}@{start}{skip}:{end}")
}
