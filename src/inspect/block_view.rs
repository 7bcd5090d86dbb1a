//! One block as it is shown: its text, the lines chosen, and what was cut.

use crate::artifact::{Block, Manifest};
use crate::protocol::frozen::{self, Omitted};

use super::content::{Content, ContentError, Rendering, Source, lines};
use super::{Line, LineRange, Rest, cut};
use crate::text;

/// Lines asked for of every block that has no range of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// All of them.
    #[default]
    All,
    /// These.
    Range(LineRange),
    /// The first so many.
    Head(usize),
    /// The last so many.
    Tail(usize),
}

impl Lines {
    /// The same as a range of a text of so many lines, none for all of it.
    pub fn range(self, total: usize) -> Option<LineRange> {
        match self {
            Self::All => None,
            Self::Range(range) => Some(range),
            Self::Head(count) => Some(LineRange::head(count)),
            Self::Tail(count) => Some(LineRange::tail(count, total)),
        }
    }
}

/// What to show of each block.
#[derive(Clone, Copy, Debug)]
pub struct ViewOptions {
    /// How snapshots become text.
    pub rendering: Rendering,
    /// Which lines.
    pub lines: Lines,
    /// Only what the frozen message left out.
    pub omitted: bool,
    /// Characters a block's text may have.
    pub max_chars: Option<usize>,
}

impl ViewOptions {
    /// How a snapshot becomes the text that these options choose from.
    pub fn text_rendering(&self) -> Rendering {
        match self.rendering {
            // The cleaning of a frozen message starts from the unsqueezed text.
            Rendering::Screen { .. } if self.omitted => Rendering::Screen { squeeze: false },
            other => other,
        }
    }
}

/// The part of a block that its frozen message left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Nothing.
    Nothing,
    /// The block is no snapshot, and messages are not cut.
    NoSnapshot,
    /// Lines of the cleaned text, counted from 1.
    Lines {
        /// First.
        first: usize,
        /// Last.
        last: usize,
    },
    /// UTF-16 code units after the first 12,000.
    Units(usize),
}

/// One block, ready to show.
#[derive(Debug)]
pub struct BlockView {
    /// Where the text comes from.
    pub source: Source,
    /// Lines of the whole text, or of the omitted part where that was asked for.
    pub total_lines: usize,
    /// The lines asked for.
    pub range: Option<LineRange>,
    /// What `--omitted` found, where it was asked for.
    pub omission: Option<Omission>,
    /// Whether the snapshot ends in the alternate screen.
    pub alternate: Option<bool>,
    /// The chosen text.
    pub text: String,
    /// What the character budget left out.
    pub rest: Option<Rest>,
}

impl BlockView {
    /// Reads a block and chooses its lines. `range` is the block's own.
    ///
    /// # Errors
    /// [`ContentError`].
    pub fn read(
        manifest: &Manifest,
        block: &Block<'_>,
        range: Option<LineRange>,
        options: &ViewOptions,
    ) -> Result<Self, ContentError> {
        let content = Content::read(manifest, block, options.text_rendering())?;
        Ok(Self::of(content, range, options))
    }

    /// Chooses lines of a text that was read with [`ViewOptions::text_rendering`]. `range` is the
    /// text's own.
    pub fn of(content: Content, range: Option<LineRange>, options: &ViewOptions) -> Self {
        let rendering = options.text_rendering();
        let Content { source, mut text, alternate } = content;
        let mut omission = None;
        if options.omitted {
            let is_snapshot = matches!(source, Source::File(_));
            let (found, part) = omitted_part(is_snapshot.then_some(text.as_str()));
            omission = Some(found);
            text = part;
        }
        let all_lines = lines(&text, rendering);
        let total_lines = all_lines.len();
        let range = range.or(options.lines.range(total_lines));
        if let Some(range) = range {
            text = range.of(&all_lines);
        }
        let mut rest = None;
        if let Some(budget) = options.max_chars {
            let found = cut(&text, range.unwrap_or(LineRange::from(1)), budget);
            rest = found.rest;
            let kept = found.kept.len();
            text.truncate(kept);
        }
        Self { source, total_lines, range, omission, alternate, text, rest }
    }

    /// The lines of a whole text that `range` chooses, or else the options, to be searched. The view
    /// must be one of all lines.
    pub fn searched<'t>(
        &'t self,
        range: Option<LineRange>,
        options: &ViewOptions,
    ) -> impl Iterator<Item = Line<'t>> + use<'t> {
        let all_lines = lines(&self.text, options.text_rendering());
        let range = range.or(options.lines.range(all_lines.len())).unwrap_or(LineRange::from(1));
        let count = range.end.unwrap_or(usize::MAX).saturating_sub(range.start - 1);
        let chosen = all_lines.into_iter().zip(1..).skip(range.start - 1).take(count);
        chosen.map(move |(text, number)| {
            let skip = if number == range.start { range.skip } else { 0 };
            let text = text.get(text::prefix(text, skip).len()..).unwrap_or("");
            // Messages may have CR LF.
            let text = text.strip_suffix('\r').unwrap_or(text);
            Line { number, skip, text }
        })
    }

    /// Whether lines were asked for and all lie behind the end of the text.
    pub fn is_past_end(&self) -> bool {
        self.range.is_some_and(|range| range.start > self.total_lines)
    }

    /// First and last line shown, counted from 1; the last is below the first where none is.
    pub fn shown_lines(&self) -> (usize, usize) {
        let range = self.range.unwrap_or(LineRange::from(1));
        let end = match self.rest {
            Some(rest) if rest.range.skip > 0 => rest.range.start,
            Some(rest) => rest.range.start - 1,
            None => range.end.unwrap_or(usize::MAX).min(self.total_lines),
        };
        (range.start, end)
    }
}

fn omitted_part(snapshot_text: Option<&str>) -> (Omission, String) {
    let Some(text) = snapshot_text else {
        return (Omission::NoSnapshot, String::new());
    };
    match frozen::omitted(&frozen::clean(text)) {
        Omitted::Nothing => (Omission::Nothing, String::new()),
        Omitted::Lines { first, last, text } => (Omission::Lines { first, last }, text),
        Omitted::Units { count, text } => (Omission::Units(count), text),
    }
}
