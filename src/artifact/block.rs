//! One block record of a manifest.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use serde_json::Value;

use super::json::Object;
use crate::screen::Size;
use crate::text;

/// One block, as the manifest has it.
#[derive(Debug)]
pub struct Block<'a> {
    index: usize,
    fields: Object<'a>,
}

/// The `type` of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A frozen terminal screen.
    Snapshot,
    /// A plan of commands.
    Plan,
    /// A question to the user.
    NeedInput,
    /// The end of the task.
    Complete,
    /// Any other word, or `unknown` where there is none.
    Other(String),
}

impl BlockKind {
    /// The kind that a `type` without surrounding blanks stands for.
    pub fn named(word: Option<&str>) -> Self {
        match word {
            Some("terminal_snapshot") => Self::Snapshot,
            Some("ai_terminal_plan") => Self::Plan,
            Some("ai_terminal_need_input") => Self::NeedInput,
            Some("ai_terminal_complete") => Self::Complete,
            Some(word) => Self::Other(word.to_owned()),
            None => Self::Other("unknown".to_owned()),
        }
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Snapshot => "terminal_snapshot",
            Self::Plan => "ai_terminal_plan",
            Self::NeedInput => "ai_terminal_need_input",
            Self::Complete => "ai_terminal_complete",
            Self::Other(word) => word,
        })
    }
}

impl<'a> Block<'a> {
    pub(super) fn new(index: usize, fields: Object<'a>) -> Self {
        Self { index, fields }
    }

    /// The position in the manifest, counted from 1.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The block's id without surrounding blanks; an `entryId` serves where there is no `blockId`.
    pub fn id(&self) -> Option<String> {
        self.text("blockId").or_else(|| self.text("entryId")).map(Cow::into_owned)
    }

    /// The block's id, or its position where it has none.
    pub fn label(&self) -> String {
        self.id().unwrap_or_else(|| self.index.to_string())
    }

    /// The block's type.
    pub fn kind(&self) -> BlockKind {
        BlockKind::named(self.text("type").as_deref())
    }

    /// Whether the record has a key, be its value null.
    pub fn has(&self, key: &str) -> bool {
        self.fields.raw(key).is_some()
    }

    /// A value, null where there is none.
    pub fn value(&self, key: &str) -> Value {
        self.fields.value(key)
    }

    /// A string value without surrounding blanks; none where it is blank or not a string.
    pub fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        stripped(self.fields.string(key)?)
    }

    /// A whole number from 1 to 65,535; 24.0 counts as one.
    pub fn dimension(&self, key: &str) -> Option<u16> {
        let value = self.fields.value(key);
        let number: f64 = value.as_number()?.as_f64()?;
        let is_size = number.fract() == 0.0 && (1.0..=65535.0).contains(&number);
        is_size.then_some(number as u16)
    }

    /// The size a snapshot was frozen at, where the block has both numbers.
    pub fn size(&self) -> Option<Size> {
        Size::new(self.dimension("cols")?, self.dimension("rows")?)
    }

    /// A time, none where it does not parse.
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        text::strip(&self.text(key)?).parse().ok()
    }

    /// What a message block holds: its `rawBlock`, else its question and note, else its message.
    pub fn message(&self) -> String {
        if let Some(raw) = self.text("rawBlock") {
            return raw.into_owned();
        }
        match self.kind() {
            BlockKind::NeedInput => {
                let parts = [self.text("question"), self.text("contextNote")];
                parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
            BlockKind::Complete => self.text("message").unwrap_or_default().into_owned(),
            _ => String::new(),
        }
    }
}

/// A text without surrounding blanks, none where nothing is left.
pub(super) fn stripped(found: Cow<'_, str>) -> Option<Cow<'_, str>> {
    let stripped = match found {
        Cow::Borrowed(found) => Cow::Borrowed(text::strip(found)),
        Cow::Owned(found) => Cow::Owned(text::strip(&found).to_owned()),
    };
    Some(stripped).filter(|found| !found.is_empty())
}
