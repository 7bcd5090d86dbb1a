//! A manifest about to be rewritten.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::ManifestFault;
use crate::artifact::json::{self, JsonError, Object, Scanner, new_line, reformat};
use crate::artifact::{FileError, read_file};

/// The largest whole number that every JSON reader keeps exactly.
const MAX_SEQUENCE: u64 = (1 << 53) - 1;

/// The text of a manifest, taken apart: members that are not ours to change stay as they are
/// written, token by token.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Key and value tokens. `blocks` stands among them with the text of its old value.
    members: Vec<(String, String)>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    text: String,
    /// Where it sorts; none for what codex-deck would not sort either, which keeps its place.
    order: Option<Order>,
}

#[derive(Clone, Debug)]
struct Order {
    sequence: f64,
    created_at: String,
    block_id: String,
}

impl Draft {
    /// Reads the manifest of this name in a folder, none where no file is; also the bytes of it.
    ///
    /// # Errors
    /// What keeps it from being rewritten without loss.
    pub(super) fn read(
        folder: &Path,
        name: &str,
    ) -> Result<Option<(Self, Vec<u8>)>, ManifestFault> {
        match read_file(folder, Path::new(name)) {
            Ok(data) => Ok(Some((Self::of_bytes(&data)?, data))),
            Err(FileError::Missing) => Ok(None),
            Err(FileError::NotAFile) => Err(ManifestFault::NotAFile),
            Err(FileError::TooLarge) => Err(ManifestFault::TooLarge),
            Err(FileError::Io(error)) => Err(ManifestFault::Unreadable(error)),
        }
    }

    /// The manifest of a terminal that has none yet.
    pub(super) fn new(terminal_id: &str, now: &str) -> Self {
        let mut draft = Self::default();
        draft.ensure("terminalId", terminal_id);
        draft.ensure("createdAt", now);
        draft.set("updatedAt", now);
        draft
    }

    /// The manifest of these bytes.
    ///
    /// # Errors
    /// What keeps it from being rewritten without loss.
    pub(super) fn of_bytes(data: &[u8]) -> Result<Self, ManifestFault> {
        Self::parse(std::str::from_utf8(data).map_err(|_| ManifestFault::NotUtf8)?)
    }

    fn parse(text: &str) -> Result<Self, ManifestFault> {
        let mut scanner = Scanner::new(text);
        scanner.refuse_byte_order_mark()?;
        scanner.skip_space();
        if !scanner.at_object() {
            scanner.skip_value()?;
            scanner.finish()?;
            return Err(ManifestFault::NotAnObject);
        }
        // Strict readers must be able to read what is written: this refuses NaN, also where it is.
        reformat(text, 0, &mut String::new())?;
        let mut draft = Self::default();
        let mut blocks = "";
        scanner.object(|key, scanner| {
            let start = scanner.position();
            scanner.skip_value()?;
            let value = scanner.since(start);
            if json::decode_string(key) == "blocks" {
                blocks = value;
            }
            draft.members.push((key.to_owned(), value.to_owned()));
            Ok(())
        })?;
        match blocks {
            "" | "null" => {}
            _ if blocks.starts_with('[') => draft.entries = entries(blocks)?,
            _ => return Err(ManifestFault::BlocksNotAnArray),
        }
        Ok(draft)
    }

    /// The number for the next block.
    pub(super) fn next_sequence(&self) -> u64 {
        let last = self
            .entries
            .iter()
            .filter_map(|entry| entry.order.as_ref())
            .fold(0.0, |last: f64, order| last.max(order.sequence));
        // Saturates, also for what is beyond a u64.
        (last.floor() as u64).saturating_add(1).min(MAX_SEQUENCE)
    }

    /// Whether a block has this id.
    pub(super) fn has_block(&self, id: &str) -> bool {
        self.lacking([id]).is_empty()
    }

    /// Which of these no block has as its id.
    pub(super) fn lacking<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> HashSet<&'a str> {
        let mut lacking: HashSet<_> = ids.into_iter().collect();
        // The newest blocks are what is asked for most.
        for entry in self.entries.iter().rev() {
            if lacking.is_empty() {
                break;
            }
            if let Some(id) = entry.id() {
                lacking.remove(id.as_str());
            }
        }
        lacking
    }

    /// Goes on from what somebody else made of the manifest meanwhile. Blocks of this one that it
    /// lacks stay: it may come from before they were there.
    pub(super) fn rebase(&mut self, onto: Self) {
        let old = std::mem::replace(self, onto);
        let ids: Vec<_> = old.entries.iter().map(Entry::id).collect();
        let lacking = self.lacking(ids.iter().flatten().map(String::as_str));
        let is_lacking =
            |id: &Option<String>| id.as_ref().is_some_and(|id| lacking.contains(id.as_str()));
        let kept = old.entries.into_iter().zip(&ids).filter(|(_, id)| is_lacking(id));
        self.entries.extend(kept.map(|(entry, _)| entry));
        self.sort();
    }

    /// Adds blocks, each the JSON text of its record, and sorts.
    pub(super) fn extend(&mut self, records: Vec<String>) -> Result<(), JsonError> {
        for record in records {
            self.entries.push(Entry::new(record)?);
        }
        self.sort();
        Ok(())
    }

    /// By sequence, then creation time, then id; entries without a sequence keep their places.
    fn sort(&mut self) {
        let places: Vec<usize> =
            (0..self.entries.len()).filter(|&place| self.entries[place].order.is_some()).collect();
        let mut order = places.clone();
        order.sort_by(|&a, &b| compare(&self.entries[a].order, &self.entries[b].order));
        if order == places {
            return;
        }
        let mut old: Vec<Option<Entry>> =
            std::mem::take(&mut self.entries).into_iter().map(Some).collect();
        let mut sorted = order.into_iter();
        self.entries = (0..old.len())
            .filter_map(|place| {
                let moves = old_has_order(&places, place);
                let from = if moves { sorted.next()? } else { place };
                old.get_mut(from)?.take()
            })
            .collect();
    }

    /// Sets a top-level text, in the place where the key is.
    pub(super) fn set(&mut self, key: &str, text: &str) {
        self.members_named(key).for_each(|value| *value = quoted(text));
        self.ensure(key, text);
    }

    /// Sets a top-level text where the key is missing.
    pub(super) fn ensure(&mut self, key: &str, text: &str) {
        if self.members_named(key).next().is_none() {
            self.members.push((quoted(key), quoted(text)));
        }
    }

    fn members_named(&mut self, key: &str) -> impl Iterator<Item = &mut String> {
        self.members
            .iter_mut()
            .filter(move |(name, _)| json::decode_string(name) == key)
            .map(|(_, value)| value)
    }

    /// The text to write.
    pub(super) fn render(&self) -> Result<String, JsonError> {
        let is_blocks = |key: &str| json::decode_string(key) == "blocks";
        let last_blocks = self.members.iter().rposition(|(key, _)| is_blocks(key));
        let mut out = String::from("{");
        let mut first = true;
        let mut start = |key: &str, out: &mut String| {
            if !std::mem::replace(&mut first, false) {
                out.push(',');
            }
            new_line(1, out);
            out.push_str(key);
            out.push_str(": ");
        };
        for (at, (key, value)) in self.members.iter().enumerate() {
            if Some(at) == last_blocks {
                start(key, &mut out);
                self.render_blocks(&mut out)?;
            } else if !is_blocks(key) {
                start(key, &mut out);
                reformat(value, 1, &mut out)?;
            }
        }
        if last_blocks.is_none() {
            start("\"blocks\"", &mut out);
            self.render_blocks(&mut out)?;
        }
        new_line(0, &mut out);
        out.push('}');
        Ok(out)
    }

    fn render_blocks(&self, out: &mut String) -> Result<(), JsonError> {
        out.push('[');
        for (at, entry) in self.entries.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            new_line(2, out);
            reformat(&entry.text, 2, out)?;
        }
        if !self.entries.is_empty() {
            new_line(1, out);
        }
        out.push(']');
        Ok(())
    }
}

fn old_has_order(places: &[usize], place: usize) -> bool {
    places.binary_search(&place).is_ok()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn entries(array: &str) -> Result<Vec<Entry>, JsonError> {
    let mut entries = Vec::new();
    let mut scanner = Scanner::new(array);
    scanner.array(|scanner| {
        let start = scanner.position();
        scanner.skip_value()?;
        entries.push(Entry::new(scanner.since(start).to_owned())?);
        Ok(())
    })?;
    Ok(entries)
}

impl Entry {
    fn new(text: String) -> Result<Self, JsonError> {
        let order = Order::of(&Object::parse(&text)?);
        Ok(Self { text, order })
    }

    fn id(&self) -> Option<String> {
        let block = Object::parse(&self.text).ok()?;
        block.string("blockId").map(Cow::into_owned)
    }
}

impl Order {
    fn of(block: &Object<'_>) -> Option<Self> {
        let text = |key| block.string(key).map_or_else(String::new, Cow::into_owned);
        let sequence = block.raw("sequence")?;
        let is_number = sequence.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        Some(Self {
            // A number too large for 64 bits is infinite, as it is for codex-deck.
            sequence: sequence.parse().ok().filter(|_| is_number)?,
            created_at: text("createdAt"),
            block_id: text("blockId"),
        })
    }
}

fn compare(a: &Option<Order>, b: &Option<Order>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else {
        return Ordering::Equal;
    };
    a.sequence
        .total_cmp(&b.sequence)
        .then_with(|| a.created_at.cmp(&b.created_at))
        .then_with(|| a.block_id.cmp(&b.block_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Value {
        let draft = Draft::parse(text).unwrap();
        serde_json::from_str(&draft.render().unwrap()).unwrap()
    }

    #[test]
    fn what_is_not_ours_is_copied() {
        let text = r#"{"z":12345678901234567890123,"blocks":[null,{"sequence":1.50,"x":[1e5]},"s"],"a":{"b":null}}"#;
        let want: Value = serde_json::from_str(text).unwrap();
        let found = rewritten(text);
        assert_eq!(found, want);
        assert_eq!(found.to_string(), want.to_string());
    }

    #[test]
    fn of_repeated_blocks_the_last_counts() {
        assert_eq!(
            rewritten(r#"{"blocks":[1],"a":1,"blocks":[2]}"#),
            serde_json::json!({"a": 1, "blocks": [2]})
        );
        assert_eq!(rewritten(r#"{"blocks":[1],"blocks":null}"#), serde_json::json!({"blocks": []}));
    }

    #[test]
    fn the_next_number_is_one_more_than_the_largest() {
        for (blocks, want) in [
            ("[]", 1),
            (r#"[null,{"sequence":"9"},{}]"#, 1),
            (r#"[{"sequence":7},{"sequence":2.5}]"#, 8),
            (r#"[{"sequence":-3}]"#, 1),
            (r#"[{"sequence":1e300}]"#, MAX_SEQUENCE),
            (r#"[{"sequence":1e999}]"#, MAX_SEQUENCE),
        ] {
            let draft = Draft::parse(&format!("{{\"blocks\":{blocks}}}")).unwrap();
            assert_eq!(draft.next_sequence(), want, "{blocks}");
        }
    }

    #[test]
    fn sorting_moves_only_what_has_a_sequence() {
        let mut draft = Draft::parse(
            r#"{"blocks":[7,{"sequence":3,"blockId":"b"},{"odd":1},{"sequence":3,"blockId":"a"},null]}"#,
        )
        .unwrap();
        draft.extend(vec![r#"{"sequence":1}"#.to_owned()]).unwrap();
        let found: Value = serde_json::from_str(&draft.render().unwrap()).unwrap();
        let want = serde_json::json!([
            7, {"sequence": 1}, {"odd": 1}, {"sequence": 3, "blockId": "a"}, null,
            {"sequence": 3, "blockId": "b"},
        ]);
        assert_eq!(found["blocks"], want);
    }

    #[test]
    fn what_others_wrote_meanwhile_is_taken_over() {
        let mut draft = Draft::parse(
            r#"{"x":1,"blocks":[{"sequence":1,"blockId":"a","v":1},null,{"sequence":3,"blockId":"c"}]}"#,
        )
        .unwrap();
        let theirs =
            r#"{"y":2,"blocks":[{"sequence":1,"blockId":"a","v":2},{"sequence":2,"blockId":"b"}]}"#;
        draft.rebase(Draft::parse(theirs).unwrap());
        let found: Value = serde_json::from_str(&draft.render().unwrap()).unwrap();
        let want = serde_json::json!({"y": 2, "blocks": [
            {"sequence": 1, "blockId": "a", "v": 2}, {"sequence": 2, "blockId": "b"},
            {"sequence": 3, "blockId": "c"},
        ]});
        assert_eq!(found, want);
        assert_eq!(draft.lacking(["a", "d", "c"]), HashSet::from(["d"]));
    }

    #[test]
    fn times_are_set_in_their_place() {
        let mut draft = Draft::parse(r#"{"updatedAt":1,"x":2}"#).unwrap();
        draft.set("updatedAt", "now");
        draft.ensure("createdAt", "now");
        let text = draft.render().unwrap();
        assert_eq!(
            text,
            "{\n  \"updatedAt\": \"now\",\n  \"x\": 2,\n  \"createdAt\": \"now\",\n  \"blocks\": []\n}"
        );
    }

    #[test]
    fn manifests_that_would_lose_something_are_refused() {
        for text in ["", "{", "[]", "{\"blocks\":{}}", "{\"a\":NaN}", "\u{feff}{}"] {
            assert!(Draft::parse(text).is_err(), "{text}");
        }
    }
}
