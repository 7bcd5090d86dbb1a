//! The lines of an answer: what is new, without prompts and what was typed at them.

use crate::artifact::Manifest;
use crate::home::{CodexHome, TerminalId};
use crate::inspect::{Content as BlockContent, Rendering};
use crate::live::wire::{Executed, Part};

/// A line and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) block_id: String,
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) text: String,
}

/// The lines of an answer, those too that it left out. What cannot be read is `Err`: a note.
pub(super) fn lines(executed: &Executed) -> Result<Vec<Line>, String> {
    let mut texts = executed.sent.shown.viewport.split('\n');
    let mut blocks = None;
    let mut lines = Vec::new();
    for part in &executed.parts {
        let count = usize::try_from((part.to + 1).saturating_sub(part.shown)).unwrap_or(0);
        let shown: Vec<&str> = texts.by_ref().take(count).collect();
        let whole: Vec<String>;
        let numbered: Box<dyn Iterator<Item = (u64, &str)>> =
            if part.shown > part.from || part.is_cut {
                let blocks = match &blocks {
                    Some(blocks) => blocks,
                    None => blocks.insert(Blocks::read(executed)?),
                };
                whole = blocks.lines(part)?;
                Box::new((part.from..).zip(whole.iter().map(String::as_str)))
            } else {
                Box::new((part.from..).zip(shown))
            };
        let is_output = |number: u64| {
            part.echo.is_none_or(|(first, behind)| !(first..behind).contains(&number))
        };
        let output = numbered.filter(|(number, _)| is_output(*number));
        lines.extend(output.map(|(number, text)| Line {
            block_id: part.block_id.clone(),
            number,
            text: text.to_owned(),
        }));
    }
    Ok(lines)
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

    /// The lines of a part.
    fn lines(&self, part: &Part) -> Result<Vec<String>, String> {
        let is_it = |id: Option<String>| id.as_deref() == Some(part.block_id.as_str());
        let block = self.manifest.blocks().rev().find(|block| is_it(block.id()));
        let block = block.ok_or_else(|| format!("there is no block {}", part.block_id))?;
        let rendering = Rendering::Screen { squeeze: false };
        let content = BlockContent::read(&self.manifest, &block, rendering);
        let text = content.map_err(|error| error.to_string())?.text;
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let lines = text.split('\n').skip(index(part.from.saturating_sub(1)));
        let count = index((part.to + 1).saturating_sub(part.from));
        Ok(lines.take(count).map(str::to_owned).collect())
    }
}
