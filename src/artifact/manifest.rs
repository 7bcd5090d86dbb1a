//! `session.json`: the top-level members and where each block's text is.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;

use super::block::stripped;
use super::json::{self, JsonError, Object, Scanner};
use super::{Block, BlockKind, FileError, read_file, resolve, resolve_from};
use crate::home::TerminalId;
use crate::text;

/// The file's name.
const NAME: &str = "session.json";

/// A manifest, checked as JSON in one pass; its blocks are read when they are asked for.
#[derive(Debug)]
pub struct Manifest {
    folder: PathBuf,
    text: String,
    members: Vec<(String, Range<usize>)>,
    entries: Option<Vec<Entry>>,
}

/// Where one entry of `blocks` is in the text, and where some of its values are.
///
/// Those are noted in the checking pass so that finding or counting blocks need not read them all.
#[derive(Debug, Default)]
struct Entry {
    span: Range<usize>,
    is_object: bool,
    block_id: Option<Range<usize>>,
    entry_id: Option<Range<usize>>,
    kind: Option<Range<usize>>,
    command: Option<Range<usize>>,
}

/// A manifest that could not be read.
#[derive(Debug, Error)]
#[error("{kind}: {}", .path.display())]
pub struct ManifestError {
    /// The file, resolved.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub kind: ManifestErrorKind,
}

/// What is wrong with a manifest.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestErrorKind {
    /// No such file.
    #[error("terminal session manifest not found")]
    Missing,
    /// A folder, a FIFO or the like.
    #[error("terminal session manifest is not a regular file")]
    NotAFile,
    /// A link that leads out of the session folder.
    #[error("terminal session manifest is a link out of its folder")]
    Outside,
    /// The system refused.
    #[error("cannot read terminal session manifest ({0})")]
    Unreadable(std::io::Error),
    /// Not JSON.
    #[error("invalid terminal session manifest JSON ({0})")]
    NotJson(JsonError),
    /// JSON, but not an object.
    #[error("terminal session manifest must contain a JSON object")]
    NotAnObject,
    /// An object without `blocks`, or with something else under that name.
    #[error("terminal session manifest has no blocks array")]
    NoBlocks,
}

impl Manifest {
    /// Reads the manifest in a terminal's folder.
    ///
    /// # Errors
    /// [`ManifestError`].
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let (folder, data) = Self::read_bytes(folder)?;
        let path = folder.join(NAME);
        Self::parse(folder, data).map_err(|kind| ManifestError { path, kind })
    }

    /// The resolved folder of a terminal, and the bytes of the manifest in it.
    ///
    /// # Errors
    /// [`ManifestError`], of those that are not about what the bytes say.
    pub fn read_bytes(folder: &Path) -> Result<(PathBuf, Vec<u8>), ManifestError> {
        let fail = |path: &Path, kind| ManifestError { path: path.to_path_buf(), kind };
        let folder =
            resolve(folder).map_err(|error| fail(folder, ManifestErrorKind::Unreadable(error)))?;
        let path = resolve_from(&folder, Path::new(NAME))
            .map_err(|error| fail(&folder.join(NAME), ManifestErrorKind::Unreadable(error)))?;
        if !path.starts_with(&folder) {
            return Err(fail(&folder.join(NAME), ManifestErrorKind::Outside));
        }
        let inner = path.strip_prefix(&folder).unwrap_or(&path);
        let data = read_file(&folder, inner).map_err(|error| {
            let kind = match error {
                FileError::Missing => ManifestErrorKind::Missing,
                FileError::NotAFile => ManifestErrorKind::NotAFile,
                other => ManifestErrorKind::Unreadable(other.into_io()),
            };
            fail(&path, kind)
        })?;
        Ok((folder, data))
    }

    /// Reads the manifest of a terminal whose folder is in `sessions`, which is resolved. Quicker
    /// than [`Manifest::read`] where no link is on the way, as when thousands are read.
    ///
    /// # Errors
    /// [`ManifestError`].
    pub fn read_in(sessions: &Path, id: &TerminalId) -> Result<Self, ManifestError> {
        let folder = sessions.join(id.as_str());
        match read_file(sessions, &Path::new(id.as_str()).join("session.json")) {
            Ok(data) => {
                let path = folder.join("session.json");
                Self::parse(folder, data).map_err(|kind| ManifestError { path, kind })
            }
            Err(_) => Self::read(&folder),
        }
    }

    /// A manifest from its bytes; invalid UTF-8 becomes U+FFFD. `folder` is the resolved folder
    /// that snapshot paths start from.
    ///
    /// # Errors
    /// [`ManifestErrorKind::NotJson`] or [`ManifestErrorKind::NotAnObject`].
    pub fn parse(folder: PathBuf, data: Vec<u8>) -> Result<Self, ManifestErrorKind> {
        let text = String::from_utf8(data)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let mut members: Vec<(String, Range<usize>)> = Vec::new();
        let mut entries = None;
        let is_object =
            scan(&text, &mut members, &mut entries).map_err(ManifestErrorKind::NotJson)?;
        if !is_object {
            return Err(ManifestErrorKind::NotAnObject);
        }
        Ok(Self { folder, text, members, entries })
    }

    /// The terminal's folder, resolved.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A top-level value, null where there is none; of a repeated key the last one counts.
    pub fn value(&self, key: &str) -> Value {
        let member = self.members.iter().rev().find(|(name, _)| name == key);
        member
            .and_then(|(_, span)| self.text.get(span.clone()))
            .and_then(|text| json::read(text).ok())
            .unwrap_or(Value::Null)
    }

    /// Whether there is a top-level key other than `blocks`, be its value null.
    pub fn has(&self, key: &str) -> bool {
        self.members.iter().any(|(name, _)| name == key)
    }

    /// A top-level time, none where it does not parse.
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        match self.value(key) {
            Value::String(time) => text::strip(&time).parse().ok(),
            _ => None,
        }
    }

    /// The manifest, if there are blocks in it to look at.
    ///
    /// # Errors
    /// [`ManifestErrorKind::NoBlocks`].
    pub fn with_blocks(self) -> Result<Self, ManifestError> {
        if self.has_blocks() {
            return Ok(self);
        }
        Err(ManifestError { path: self.folder.join(NAME), kind: ManifestErrorKind::NoBlocks })
    }

    /// Whether `blocks` is an array.
    pub fn has_blocks(&self) -> bool {
        self.entries.is_some()
    }

    /// How many entries `blocks` has, those that are no objects included.
    pub fn entry_count(&self) -> usize {
        self.entries.as_ref().map_or(0, Vec::len)
    }

    /// How many of them are blocks.
    pub fn block_count(&self) -> usize {
        let entries = self.entries.as_deref().unwrap_or(&[]);
        entries.iter().filter(|entry| entry.is_object).count()
    }

    /// The entry at a position counted from 1, whatever it is; null where there is none.
    pub fn entry(&self, index: usize) -> Value {
        let entry = index.checked_sub(1).and_then(|at| self.entries.as_ref()?.get(at));
        entry
            .and_then(|entry| self.text.get(entry.span.clone()))
            .and_then(|text| json::read(text).ok())
            .unwrap_or(Value::Null)
    }

    /// The entry at a position counted from 1, where it is an object.
    pub fn block(&self, index: usize) -> Option<Block<'_>> {
        let entry = self.entries.as_ref()?.get(index.checked_sub(1)?)?;
        if !entry.is_object {
            return None;
        }
        // The pass that found the span checked its text.
        let object = Object::parse(self.text.get(entry.span.clone())?).ok()?;
        Some(Block::new(index, object))
    }

    /// The line at which each entry of `blocks` starts, counted from 1.
    pub fn entry_lines(&self) -> Vec<usize> {
        let (mut line, mut at) = (1, 0);
        let entries = self.entries.as_deref().unwrap_or(&[]);
        let starts = entries.iter().map(|entry| {
            let before = self.text.as_bytes().get(at..entry.span.start).unwrap_or(&[]);
            line += memchr::memchr_iter(b'\n', before).count();
            at = entry.span.start;
            line
        });
        starts.collect()
    }

    /// Position and id of every block that has one, without reading the blocks.
    pub fn ids(&self) -> impl Iterator<Item = (usize, Cow<'_, str>)> + '_ {
        let entries = self.entries.as_deref().unwrap_or(&[]);
        entries.iter().enumerate().filter_map(|(at, entry)| {
            let found = self.string(&entry.block_id).or_else(|| self.string(&entry.entry_id))?;
            Some((at + 1, found))
        })
    }

    /// The kind of every block in order, without reading the blocks.
    pub fn kinds(&self) -> impl Iterator<Item = BlockKind> + '_ {
        let entries = self.entries.as_deref().unwrap_or(&[]);
        let blocks = entries.iter().filter(|entry| entry.is_object);
        blocks.map(|entry| BlockKind::named(self.string(&entry.kind).as_deref()))
    }

    /// The `command` of every block that has one, without reading the blocks.
    pub fn commands(&self) -> impl Iterator<Item = Cow<'_, str>> + '_ {
        let entries = self.entries.as_deref().unwrap_or(&[]);
        entries.iter().filter_map(|entry| self.string(&entry.command))
    }

    /// The text at a span without surrounding blanks, where it is a string and not blank.
    fn string(&self, span: &Option<Range<usize>>) -> Option<Cow<'_, str>> {
        stripped(json::string(self.text.get(span.clone()?)?)?)
    }

    /// All blocks in order; entries that are no objects are left out but keep their number.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block<'_>> + '_ {
        self.blocks_between(0, usize::MAX)
    }

    /// The blocks behind one position and in front of another.
    pub fn blocks_between(
        &self,
        after: usize,
        before: usize,
    ) -> impl DoubleEndedIterator<Item = Block<'_>> + '_ {
        let end = before.min(self.entry_count().saturating_add(1));
        (after.saturating_add(1)..end).filter_map(|index| self.block(index))
    }
}

fn scan(
    text: &str,
    members: &mut Vec<(String, Range<usize>)>,
    entries: &mut Option<Vec<Entry>>,
) -> Result<bool, JsonError> {
    let mut scanner = Scanner::new(text);
    scanner.refuse_byte_order_mark()?;
    scanner.skip_space();
    let is_object = scanner.at_object();
    if is_object {
        scanner.object(|key, scanner| {
            let name = json::decode_string(key);
            let start = scanner.position();
            if name == "blocks" {
                *entries = scan_entries(scanner)?;
            } else {
                scanner.skip_value()?;
                members.push((name.into_owned(), start..scanner.position()));
            }
            Ok(())
        })?;
    } else {
        scanner.skip_value()?;
    }
    scanner.finish()?;
    Ok(is_object)
}

fn scan_entries(scanner: &mut Scanner<'_>) -> Result<Option<Vec<Entry>>, JsonError> {
    if !scanner.at_array() {
        scanner.skip_value()?;
        return Ok(None);
    }
    let mut entries = Vec::new();
    scanner.array(|scanner| {
        entries.push(scan_entry(scanner)?);
        Ok(())
    })?;
    Ok(Some(entries))
}

fn scan_entry(scanner: &mut Scanner<'_>) -> Result<Entry, JsonError> {
    let start = scanner.position();
    let mut entry = Entry { is_object: scanner.at_object(), ..Entry::default() };
    if entry.is_object {
        scanner.object(|key, scanner| {
            let start = scanner.position();
            scanner.skip_value()?;
            match &*json::decode_string(key) {
                "blockId" => entry.block_id = Some(start..scanner.position()),
                "entryId" => entry.entry_id = Some(start..scanner.position()),
                "type" => entry.kind = Some(start..scanner.position()),
                "command" => entry.command = Some(start..scanner.position()),
                _ => {}
            }
            Ok(())
        })?;
    } else {
        scanner.skip_value()?;
    }
    entry.span = start..scanner.position();
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, ManifestErrorKind> {
        Manifest::parse(PathBuf::from("/s"), text.as_bytes().to_vec())
    }

    #[test]
    fn entries_that_are_no_objects_keep_their_number() {
        let manifest =
            parse(r#"{"blocks":[null,{"blockId":"a"},"x",{"blockId":"b"},[]]}"#).unwrap();
        let found: Vec<_> = manifest.blocks().map(|block| (block.index(), block.id())).collect();
        assert_eq!(found, [(2, Some("a".to_owned())), (4, Some("b".to_owned()))]);
        assert_eq!(manifest.entry_count(), 5);
        let ids: Vec<_> = manifest.ids().collect();
        assert_eq!(ids, [(2, "a".into()), (4, "b".into())]);
    }

    #[test]
    fn entries_know_their_lines() {
        let manifest = parse("{\n\"blocks\":\n[\n\n{}, {},\nnull,{\n\n},\n7]}").unwrap();
        assert_eq!(manifest.entry_lines(), [5, 5, 6, 6, 9]);
        assert!(parse("{}").unwrap().entry_lines().is_empty());
    }

    #[test]
    fn kinds_and_commands_are_those_of_the_blocks() {
        let manifest = parse(
            r#"{"blocks":[{"type":" terminal_snapshot ","command":" "},7,{"type":3},
            {"type":"x","type":"ai_terminal_plan","command":"make\n"}]}"#,
        );
        let manifest = manifest.unwrap();
        let kinds: Vec<_> = manifest.kinds().collect();
        assert_eq!(kinds, manifest.blocks().map(|block| block.kind()).collect::<Vec<_>>());
        assert_eq!(kinds.len(), manifest.block_count());
        assert_eq!(manifest.commands().collect::<Vec<_>>(), ["make"]);
    }

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        let manifest = parse(r#"{"blocks":[{}],"a":1,"blocks":null,"a":2}"#).unwrap();
        assert!(!manifest.has_blocks());
        assert_eq!(manifest.value("a"), 2);
    }

    #[test]
    fn faults_are_told_apart() {
        use super::super::json::ErrorKind;
        for (text, kind) in [
            ("", ErrorKind::UnexpectedEnd),
            ("\u{feff}{}", ErrorKind::ByteOrderMark),
            ("{\"blocks\":[{\"blockId\":\"q\"", ErrorKind::UnexpectedEnd),
        ] {
            match parse(text) {
                Err(ManifestErrorKind::NotJson(error)) => assert_eq!(error.kind, kind, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(parse("[]"), Err(ManifestErrorKind::NotAnObject)));
    }
}
