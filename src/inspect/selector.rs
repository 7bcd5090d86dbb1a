//! Which block: an id, a position, `last` or a prefix, perhaps with lines of its own.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use thiserror::Error;

use super::{LineRange, RangeError};
use crate::artifact::{Block, Manifest};
use crate::text::{self, parse_decimal};

/// A block selector as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    typed: String,
    name: String,
    range: Result<Option<LineRange>, RangeError>,
}

/// No block is named.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("block selector cannot be empty")]
pub struct EmptySelector;

/// Why a selector chose no block.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectorError {
    /// The part behind the `@` is no line range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// No block has that name.
    #[error(transparent)]
    Unknown(#[from] UnknownBlock),
}

/// Whether `last` and prefixes are understood beside ids and positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extras {
    /// They are.
    Understood,
    /// Only what the Python helper takes.
    Refused,
}

/// A block that a selector chose.
#[derive(Debug)]
pub struct Selected<'a> {
    /// The block.
    pub block: Block<'a>,
    /// What to call it: its id, else what was typed for it.
    pub label: String,
    /// The lines the selector names.
    pub range: Option<LineRange>,
}

/// A selector that chose no block.
#[derive(Debug, Error, PartialEq, Eq)]
pub struct UnknownBlock {
    /// The name as typed.
    pub name: String,
    /// Ids that start with it, where several do.
    pub matches: Vec<String>,
    /// The ids most like it, nearest first.
    pub nearest: Vec<String>,
}

impl fmt::Display for UnknownBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.matches.is_empty() {
            let (name, matches) = (&self.name, self.matches.join(", "));
            return write!(f, "block prefix is not unique: {name} (matches {matches})");
        }
        write!(f, "block not found: {}", self.name)?;
        if self.nearest.is_empty() {
            return Ok(());
        }
        write!(f, " (nearest: {})", self.nearest.join(", "))
    }
}

/// `ID:N`, `ID:S-E`, `ID:S-` and `ID:-E`; an id with a colon of its own needs `@`.
static COLON_FORM: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^([^:]+):(\d+(?:-\d*)?|-\d+)$").ok());

impl Selector {
    /// Reads `BLOCK`, `BLOCK@LINES` or `BLOCK:LINES`. Everything up to the last `@` is the block,
    /// so that an id with an `@` of its own can be named with one more at its end.
    ///
    /// # Errors
    /// [`EmptySelector`].
    pub fn parse(typed: &str) -> Result<Self, EmptySelector> {
        let typed = text::strip(typed);
        let (name, lines) = match typed.rsplit_once('@') {
            Some(parts) => parts,
            None => split_colon(typed).unwrap_or((typed, "")),
        };
        let (name, lines) = (text::strip(name), text::strip(lines));
        if name.is_empty() {
            return Err(EmptySelector);
        }
        let range = if lines.is_empty() { Ok(None) } else { LineRange::parse(lines).map(Some) };
        Ok(Self { typed: typed.to_owned(), name: name.to_owned(), range })
    }

    /// The lines it names.
    ///
    /// # Errors
    /// [`RangeError`], unless the whole of it turns out to be an id that has an `@` of its own.
    pub fn range(&self) -> Result<Option<LineRange>, RangeError> {
        self.range.clone()
    }

    /// Whether it is the word for what is not in a block yet.
    pub fn names_live(&self) -> bool {
        self.name == "live"
    }

    /// Whether it means what is not in a block yet: `live`, where no block has that id.
    pub fn is_live(&self, manifest: &Manifest) -> bool {
        let is_id = |name: &str| with_id(manifest, name).is_some();
        self.names_live() && !is_id(&self.name) && !is_id(&self.typed)
    }

    /// Finds the block: by exact id, then position, then `last`, then a unique prefix of an id.
    ///
    /// # Errors
    /// [`SelectorError`].
    pub fn resolve<'a>(
        &self,
        manifest: &'a Manifest,
        extras: Extras,
    ) -> Result<Selected<'a>, SelectorError> {
        if extras == Extras::Understood
            && self.typed != self.name
            && let Some(block) = with_id(manifest, &self.typed)
        {
            return Ok(self.select(block, None));
        }
        let range = self.range.clone()?;
        if let Some(block) = with_id(manifest, &self.name) {
            return Ok(self.select(block, range));
        }
        let position = parse_decimal(&self.name);
        if let Some(block) = position.and_then(|index| manifest.block(index)) {
            return Ok(self.select(block, range));
        }
        if extras == Extras::Refused {
            return Err(self.unknown(manifest, Vec::new()).into());
        }
        if self.name == "last"
            && let Some(block) = manifest.blocks().next_back()
        {
            return Ok(self.select(block, range));
        }
        let starts = |(index, id): (usize, Cow<'_, str>)| {
            id.starts_with(&self.name).then(|| (index, id.into_owned()))
        };
        let matches: Vec<_> = manifest.ids().filter_map(starts).collect();
        if let [(index, _)] = matches.as_slice()
            && let Some(block) = manifest.block(*index)
        {
            return Ok(self.select(block, range));
        }
        Err(self.unknown(manifest, matches.into_iter().map(|(_, id)| id).collect()).into())
    }

    fn select<'a>(&self, block: Block<'a>, range: Option<LineRange>) -> Selected<'a> {
        let label = block.id().unwrap_or_else(|| self.name.clone());
        Selected { block, label, range }
    }

    fn unknown(&self, manifest: &Manifest, mut matches: Vec<String>) -> UnknownBlock {
        const SHOWN: usize = 3;
        const LONGEST: usize = 100;
        matches.truncate(SHOWN + 2);
        let mut nearest: Vec<_> = manifest.ids().map(|(_, id)| id.into_owned()).collect();
        text::sort_by_likeness(&mut nearest, &self.name, String::as_str);
        nearest.truncate(SHOWN);
        for id in matches.iter_mut().chain(&mut nearest) {
            *id = text::prefix(id, LONGEST).to_owned();
        }
        UnknownBlock { name: self.typed.clone(), matches, nearest }
    }
}

fn split_colon(typed: &str) -> Option<(&str, &str)> {
    // Most selectors have no colon, and building the pattern takes longer than a lookup.
    if !typed.contains(':') {
        return None;
    }
    let found = COLON_FORM.as_ref()?.captures(typed)?;
    Some((found.get(1)?.as_str(), found.get(2)?.as_str()))
}

fn with_id<'a>(manifest: &'a Manifest, name: &str) -> Option<Block<'a>> {
    let (index, _) = manifest.ids().find(|(_, id)| id == name)?;
    manifest.block(index)
}

impl<'a> Selected<'a> {
    /// A block chosen without a selector.
    pub fn whole(block: Block<'a>) -> Self {
        Self { label: block.label(), block, range: None }
    }

    /// A name that a selector can use to choose this block again: its id, where that is unique and
    /// can be typed, else its position.
    pub fn name_for(&self, manifest: &Manifest) -> String {
        let index = self.block.index();
        let chooses_this = |name: &String| {
            let selector = Selector::parse(&format!("{name}@1"));
            let found = selector.ok().and_then(|it| it.resolve(manifest, Extras::Understood).ok());
            found.is_some_and(|found| found.block.index() == index)
        };
        let can_be_typed = |id: &String| !id.starts_with('-') && !id.contains(char::is_control);
        let id = self.block.id().filter(|id| can_be_typed(id) && chooses_this(id));
        id.unwrap_or_else(|| index.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let text = r#"{"blocks":[null,{"blockId":" apple "},{"blockId":"2"},{"entryId":"ent-a"},
            {"blockId":"x@y"},{"blockId":"twin","n":1},{"blockId":"twin","n":2},{"blockId":"last:7"},
            {"blockId":"apricot"},{}, false]}"#;
        Manifest::parse("/s".into(), text.as_bytes().to_vec()).unwrap()
    }

    fn find(typed: &str, extras: Extras) -> Result<(usize, String), String> {
        let manifest = manifest();
        let found = Selector::parse(typed).unwrap().resolve(&manifest, extras);
        found.map(|found| (found.block.index(), found.label)).map_err(|error| error.to_string())
    }

    #[test]
    fn splits_the_lines_off() {
        for (typed, name, range) in [
            ("a", "a", None),
            (" a ", "a", None),
            ("a@", "a", None),
            ("x@y@", "x@y", None),
            ("a@2:3", "a", Some("2:3")),
            ("a@ 2 ", "a", Some("2:2")),
            ("a:2-5", "a", Some("2:5")),
            ("a:6", "a", Some("6:6")),
            ("a:-2", "a", Some("1:2")),
            ("a:3-", "a", Some("3:end")),
            ("3:", "3:", None),
            ("a:2:3", "a:2:3", None),
        ] {
            let selector = Selector::parse(typed).unwrap();
            let shown = selector.range().unwrap().map(|range| range.to_string());
            assert_eq!((selector.name.as_str(), shown.as_deref()), (name, range), "{typed}");
        }
        assert_eq!(Selector::parse("@2:4"), Err(EmptySelector));
        assert_eq!(Selector::parse("  "), Err(EmptySelector));
        assert!(Selector::parse("a@b").unwrap().range().is_err());
        assert!(Selector::parse("a:0").unwrap().range().is_err());
    }

    #[test]
    fn an_exact_id_comes_before_a_position_a_keyword_and_a_prefix() {
        for (typed, index, label) in [
            ("apple", 2, "apple"),
            ("2", 3, "2"),
            ("3", 3, "2"),
            ("04", 4, "ent-a"),
            ("ent-a", 4, "ent-a"),
            ("x@y@", 5, "x@y"),
            ("x@y", 5, "x@y"),
            ("twin", 6, "twin"),
            ("last:7", 8, "last:7"),
            ("last", 10, "last"),
            ("10", 10, "10"),
            ("apr", 9, "apricot"),
            ("e", 4, "ent-a"),
        ] {
            assert_eq!(find(typed, Extras::Understood), Ok((index, label.to_owned())), "{typed}");
        }
    }

    #[test]
    fn an_unknown_block_names_what_is_near() {
        for typed in ["1", "0", "11", "12", "99999999999999999999"] {
            assert!(find(typed, Extras::Understood).unwrap_err().starts_with("block not found"));
        }
        let near = find("appel", Extras::Understood).unwrap_err();
        assert!(near.starts_with("block not found: appel (nearest: apple, "), "{near}");
        let ambiguous = find("ap", Extras::Understood).unwrap_err();
        assert_eq!(ambiguous, "block prefix is not unique: ap (matches apple, apricot)");
    }

    #[test]
    fn live_is_what_no_block_is_called() {
        let manifest = |blocks: &str| {
            let text = format!("{{\"blocks\":[{blocks}]}}");
            Manifest::parse("/s".into(), text.into_bytes()).unwrap()
        };
        let is_live =
            |typed: &str, blocks: &str| Selector::parse(typed).unwrap().is_live(&manifest(blocks));
        let other = r#"{"blockId":"live-1"}"#;
        assert!(is_live("live", other) && is_live("live@2:3", other) && is_live("live:2", other));
        assert!(!is_live("liv", other) && !is_live("live", r#"{"blockId":"live"}"#));
        assert!(!is_live("live:2", r#"{"blockId":"live:2"}"#));
    }

    #[test]
    fn every_block_has_a_name_that_chooses_it() {
        let manifest = manifest();
        for block in manifest.blocks() {
            let index = block.index();
            let name = Selected::whole(block).name_for(&manifest);
            let again = Selector::parse(&format!("{name}@2:3")).unwrap();
            let again = again.resolve(&manifest, Extras::Understood).unwrap();
            assert_eq!((again.block.index(), again.range.unwrap().start), (index, 2), "{name}");
        }
        let named = |index| Selected::whole(manifest.block(index).unwrap()).name_for(&manifest);
        assert_eq!([named(2), named(6), named(7)], ["apple", "twin", "7"]);
    }

    #[test]
    fn compatible_selectors_are_ids_and_positions_only() {
        assert!(find("last", Extras::Refused).is_err());
        assert!(find("apr", Extras::Refused).is_err());
        assert!(find("last:7", Extras::Refused).is_err());
        assert_eq!(find("x@y", Extras::Refused), Err("invalid line range: y".to_owned()));
        assert_eq!(find("9", Extras::Refused), Ok((9, "apricot".to_owned())));
    }
}
