//! The lines of an answer: what is new, without prompts and what was typed at them.
//!
//! They are never all there as lines: one block's text may be as large as its output was.

use std::ops::Range;

use crate::artifact::Manifest;
use crate::home::{CodexHome, TerminalId};
use crate::inspect::{Content as BlockContent, Rendering};
use crate::live::wire::{Executed, Part, Previous, Region};

/// A line of an answer, or what is left of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// Where it is; none for what is said of lines.
    pub(super) place: Option<LinePlace<'a>>,
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinePlace<'a> {
    pub(super) block_id: &'a str,
    /// Counted from 1.
    pub(super) number: u64,
    /// Code points of the line before it.
    pub(super) skip: usize,
    /// Whether the line ends with it.
    pub(super) is_end: bool,
}

/// The lines of an answer, those too that it left out.
#[derive(Debug, Default)]
pub(super) struct Content {
    items: Vec<Item>,
}

#[derive(Debug)]
enum Item {
    Said(String),
    Lines(Lines),
}

/// Lines of a block.
#[derive(Debug)]
struct Lines {
    block_id: String,
    first: u64,
    text: String,
    /// Where they are in the text.
    range: Range<usize>,
    /// What of them is no output.
    echo: Vec<Region>,
}

impl Content {
    /// That of an answer.
    ///
    /// # Errors
    /// Why a part of it cannot be read: a note.
    pub(super) fn of(executed: &Executed) -> Result<Self, String> {
        let mut texts = executed.sent.shown.viewport.as_str();
        let mut blocks = None;
        let (mut earlier, mut now) = (Vec::new(), Vec::new());
        for part in &executed.parts {
            let count = usize::try_from((part.to + 1).saturating_sub(part.shown)).unwrap_or(0);
            let end = lines_end(texts, count);
            let shown = &texts[..end];
            if count > 0 {
                texts = texts.get(end + 1..).unwrap_or_default();
            }
            let (text, range) = if part.shown > part.from || part.is_cut {
                let blocks = match &blocks {
                    Some(blocks) => blocks,
                    None => blocks.insert(Blocks::read(executed)?),
                };
                blocks.lines(part)?
            } else {
                (shown.to_owned(), 0..shown.len())
            };
            let is_empty = part.to < part.from;
            let (block_id, echo) = (part.block_id.clone(), part.echo.clone());
            let lines = Lines { block_id, first: part.from, text, range, echo };
            let list = if part.is_earlier { &mut earlier } else { &mut now };
            list.extend((!is_empty).then_some(Item::Lines(lines)));
        }
        let mut content = Self::default();
        if let Some(previous) = executed.previous {
            content.items = earlier;
            let has_more = content.lines().next().is_some();
            content.items.insert(0, Item::Said(said_before(previous, has_more)));
            content.items.push(Item::Said("[output after that:]".to_owned()));
        } else {
            content.items = earlier;
        }
        content.items.extend(now);
        Ok(content)
    }

    /// Its lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.items.iter().flat_map(|item| {
            let (said, lines) = match item {
                Item::Said(text) => (Some(Line { text, place: None }), None),
                Item::Lines(lines) => (None, Some(lines.output())),
            };
            said.into_iter().chain(lines.into_iter().flatten())
        })
    }

    /// Lines of blocks, without anything that is no output.
    #[cfg(test)]
    pub(super) fn of_blocks(blocks: &[(&str, u64, String)]) -> Self {
        let item = |(block_id, first, text): &(&str, u64, String)| {
            Item::Lines(Lines {
                block_id: (*block_id).to_owned(),
                first: *first,
                range: 0..text.len(),
                text: text.clone(),
                echo: Vec::new(),
            })
        };
        Self { items: blocks.iter().map(item).collect() }
    }

    /// Has something said behind all that.
    #[cfg(test)]
    pub(super) fn say(&mut self, text: &str) {
        self.items.push(Item::Said(text.to_owned()));
    }

    /// Has the lines of another one follow.
    #[cfg(test)]
    pub(super) fn and(&mut self, other: Self) {
        self.items.extend(other.items);
    }
}

/// What is said before the rest of a command's output.
fn said_before(previous: Previous, has_more: bool) -> String {
    let end = match previous.exit_code {
        Some(code) => format!("ended with exit code {code}"),
        None => "ended or was stopped; its exit code is not known".to_owned(),
    };
    match has_more {
        true => format!("[the previous command {end}; the rest of its output:]"),
        false => format!("[the previous command {end}; it printed no more]"),
    }
}

impl Lines {
    /// What of them is output.
    fn output(&self) -> impl Iterator<Item = Line<'_>> {
        let numbered = (self.first..).zip(self.text[self.range.clone()].split('\n'));
        numbered.flat_map(move |(number, text)| {
            let is_touched = |region: &Region| region.from.0 <= number && number <= region.to.0;
            // Most are output as a whole.
            let (whole, parts) = match self.echo.iter().any(is_touched) {
                true => (None, self.kept(number, text)),
                false => (Some(self.line(number, text, 0, text.len())), Vec::new()),
            };
            whole.into_iter().chain(parts)
        })
    }

    /// What is left of a line. One that is output in part is there only where something of it is.
    fn kept<'a>(&'a self, number: u64, text: &'a str) -> Vec<Line<'a>> {
        let cuts = self.echo.iter().map(|region| cut(region, number, text));
        let cuts: Vec<_> =
            cuts.filter(|(range, is_whole)| !range.is_empty() || *is_whole).collect();
        if cuts.is_empty() {
            return vec![self.line(number, text, 0, text.len())];
        }
        let mut kept = Vec::new();
        let mut from = 0;
        for (cut, _) in cuts.into_iter().chain([(text.len()..text.len(), false)]) {
            if text.get(from..cut.start).is_some_and(|text| !text.trim_end_matches(' ').is_empty())
            {
                kept.push(self.line(number, text, from, cut.start));
            }
            from = from.max(cut.end);
        }
        kept
    }

    fn line<'a>(&'a self, number: u64, text: &'a str, from: usize, to: usize) -> Line<'a> {
        let skip = text[..from].chars().count();
        let place = LinePlace { block_id: &self.block_id, number, skip, is_end: to == text.len() };
        Line { text: &text[from..to], place: Some(place) }
    }
}

/// The bytes of a line that a region covers, and whether those are all of it: an empty line has none.
fn cut(region: &Region, number: u64, text: &str) -> (Range<usize>, bool) {
    let byte = |chars: u64| {
        let chars = usize::try_from(chars).unwrap_or(usize::MAX);
        text.char_indices().nth(chars).map_or(text.len(), |(byte, _)| byte)
    };
    let is_touched = region.from.0 <= number && number <= region.to.0;
    let start = if region.from.0 == number { byte(region.from.1) } else { 0 };
    let end = if region.to.0 == number { byte(region.to.1) } else { text.len() };
    let range = if is_touched { start..end.max(start) } else { 0..0 };
    (range, is_touched && region.to.0 > number && start == 0)
}

/// Where so many lines at the beginning of a text end.
fn lines_end(text: &str, count: usize) -> usize {
    match count.checked_sub(1) {
        None => 0,
        Some(before) => {
            memchr::memchr_iter(b'\n', text.as_bytes()).nth(before).unwrap_or(text.len())
        }
    }
}

/// The blocks of a session.
struct Blocks {
    manifest: Manifest,
}

impl Blocks {
    fn read(executed: &Executed) -> Result<Self, String> {
        let home = CodexHome::at(&executed.codex_home);
        let terminal = TerminalId::new(&executed.sent.session_id);
        let terminal = terminal.map_err(|error| error.to_string())?;
        let manifest = Manifest::read(&home.session(&terminal));
        Ok(Self { manifest: manifest.map_err(|error| error.to_string())? })
    }

    /// The text of a part's block, and where the lines of the part are in it.
    fn lines(&self, part: &Part) -> Result<(String, Range<usize>), String> {
        let is_it = |id: Option<String>| id.as_deref() == Some(part.block_id.as_str());
        let block = self.manifest.blocks().rev().find(|block| is_it(block.id()));
        let block = block.ok_or_else(|| format!("there is no block {}", part.block_id))?;
        let rendering = Rendering::Screen { squeeze: false };
        let content = BlockContent::read(&self.manifest, &block, rendering);
        let text = content.map_err(|error| error.to_string())?.text;
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let before = index(part.from.saturating_sub(1));
        let start = match before {
            0 => 0,
            lines => (lines_end(&text, lines) + 1).min(text.len()),
        };
        let count = index((part.to + 1).saturating_sub(part.from));
        let end = start + lines_end(&text[start..], count);
        Ok((text, start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of a line, what of it is left out before the text, and whether it ends with that.
    type Kept = (u64, usize, String, bool);

    fn output(text: &str, echo: &[(u64, u64)]) -> Vec<Kept> {
        let echo = echo.chunks(2).map(|ends| Region { from: ends[0], to: ends[1] }).collect();
        let lines = Lines {
            block_id: "b".to_owned(),
            first: 5,
            text: text.to_owned(),
            range: 0..text.len(),
            echo,
        };
        let place = |line: Line<'_>| {
            let place = line.place.unwrap();
            (place.number, place.skip, line.text.to_owned(), place.is_end)
        };
        lines.output().map(place).collect()
    }

    fn whole(number: u64, text: &str) -> Kept {
        (number, 0, text.to_owned(), true)
    }

    #[test]
    fn what_is_no_output_is_left_out() {
        assert_eq!(output("a\n\nb", &[]), [whole(5, "a"), whole(6, ""), whole(7, "b")]);
        assert_eq!(output("$ ls\na", &[(5, 0), (6, 0)]), [whole(6, "a")]);
        assert_eq!(output("\n~\n$ ls\n\na", &[(5, 0), (8, 0)]), [whole(8, ""), whole(9, "a")]);
        assert_eq!(output("$", &[(5, 0), (5, 2)]), []);
        let late = (5, 2, "l\u{e4}te".to_owned(), true);
        assert_eq!(output("$ l\u{e4}te\na", &[(5, 0), (5, 2)]), [late, whole(6, "a")]);
        let behind = (5, 2, "late".to_owned(), false);
        assert_eq!(
            output("$ latels\na", &[(5, 0), (5, 2), (5, 6), (6, 0)]),
            [behind, whole(6, "a")]
        );
    }
}
