//! A summary within a number of characters: the oldest blocks lose their preview, then they go.

use serde_json::{Map, Value, json};

const PREVIEW: &str = "snapshotPreview";

/// How long a summary may be, and how that is counted.
pub struct SummaryBudget<'a> {
    /// The most.
    pub most: usize,
    /// The length of a value.
    pub length: &'a dyn Fn(&Value) -> usize,
    /// What prints the first so many of the blocks listed, the next of which is at this position, if
    /// there is one.
    pub command: &'a dyn Fn(usize, Option<usize>) -> String,
}

/// The summary as it is where it fits, else with less in it and `omitted`, which says what is
/// missing.
///
/// Sizes of blocks are added up rather than written again and again, since a session may have
/// thousands.
///
/// # Errors
/// The least length, where that is too much.
pub fn fit_summary(summary: Value, budget: &SummaryBudget<'_>) -> Result<Value, usize> {
    let most = budget.most;
    if (budget.length)(&summary) <= most {
        return Ok(summary);
    }
    let Value::Object(mut top) = summary else {
        return Ok(summary);
    };
    let Some(Value::Array(entries)) = top.remove("blocks") else {
        return Ok(Value::Object(top));
    };
    let whole = Whole::new(top, entries, budget);
    // What is too long without its frame is not looked at more closely.
    let may_fit = |omission: &Omission| whole.body(*omission) <= most;
    let fits = |omission: &Omission| whole.length(*omission) <= most;
    if let Some(omission) = whole.omissions().filter(may_fit).find(fits) {
        return Ok(whole.without(omission));
    }
    Err(whole.omissions().last().map_or(0, |omission| whole.length(omission)))
}

/// What is left out: previews of the blocks before one, and the blocks before one.
#[derive(Clone, Copy, Default)]
struct Omission {
    previews: usize,
    blocks: usize,
}

struct Whole<'a> {
    top: Map<String, Value>,
    entries: Vec<Value>,
    /// The entries that have a preview.
    previews: Vec<usize>,
    /// Characters of each block with its preview and without, summed up from the first one on.
    full: Vec<usize>,
    bare: Vec<usize>,
    /// Characters between two blocks.
    separator: usize,
    budget: &'a SummaryBudget<'a>,
}

impl<'a> Whole<'a> {
    fn new(top: Map<String, Value>, entries: Vec<Value>, budget: &'a SummaryBudget<'a>) -> Self {
        let listed = |blocks: Value| (budget.length)(&json!({ "blocks": blocks }));
        let one = listed(json!([0]));
        let separator = listed(json!([0, 0])) - one - 1;
        let sums = |length: &dyn Fn(&Value) -> usize| {
            let mut sum = 0;
            let lengths = entries.iter().map(|entry| {
                sum += length(entry);
                sum
            });
            std::iter::once(0).chain(lengths).collect::<Vec<_>>()
        };
        let full = sums(&|entry| listed(json!([entry])) + 1 - one);
        let bare = sums(&|entry| listed(json!([without_preview(entry)])) + 1 - one);
        let previews = (0..entries.len()).filter(|&at| has_preview(&entries[at])).collect();
        Self { previews, full, bare, separator, top, entries, budget }
    }

    /// What may be left out, the least first.
    fn omissions(&self) -> impl Iterator<Item = Omission> + '_ {
        let count = self.entries.len();
        let previews = self.previews.iter().map(|at| Omission { previews: at + 1, blocks: 0 });
        let blocks = (1..=count).map(move |end| Omission { previews: count, blocks: end });
        previews.chain(blocks)
    }

    /// Characters of the summary without that.
    fn length(&self, omission: Omission) -> usize {
        let Omission { blocks, .. } = omission;
        let count = self.entries.len();
        let stand_in = if blocks == count { json!([]) } else { json!([0]) };
        let frame = (self.budget.length)(&self.object(omission, stand_in));
        if blocks == count { frame } else { frame - 1 + self.body(omission) }
    }

    /// Characters of the blocks that are left.
    fn body(&self, omission: Omission) -> usize {
        let Omission { previews, blocks } = omission;
        let count = self.entries.len();
        if blocks == count {
            return 0;
        }
        let bare = self.bare[previews] - self.bare[blocks];
        let full = self.full[count] - self.full[previews];
        bare + full + (count - blocks - 1) * self.separator
    }

    /// The summary without that.
    fn without(&self, omission: Omission) -> Value {
        let entries = self.entries.iter().enumerate().skip(omission.blocks);
        let entries = entries.map(|(at, entry)| {
            if at < omission.previews { without_preview(entry) } else { entry.clone() }
        });
        self.object(omission, entries.collect())
    }

    fn object(&self, omission: Omission, blocks: Value) -> Value {
        let mut top = self.top.clone();
        top.insert("omitted".into(), self.omitted(omission));
        top.insert("blocks".into(), blocks);
        Value::Object(top)
    }

    fn omitted(&self, omission: Omission) -> Value {
        let Omission { previews, blocks } = omission;
        let kept_from = self.previews.partition_point(|&at| at < blocks);
        let kept_to = self.previews.partition_point(|&at| at < previews);
        let bare = self.previews.get(kept_from..kept_to).unwrap_or(&[]);
        let index = |at: usize| self.entries[at]["index"].clone();
        let mut omitted = Map::new();
        if blocks > 0 {
            let range = json!({"count": blocks, "first": index(0), "last": index(blocks - 1)});
            omitted.insert("blocks".into(), range);
        }
        if let (Some(&first), Some(&last)) = (bare.first(), bare.last()) {
            let range = json!({"count": bare.len(), "first": index(first), "last": index(last)});
            omitted.insert("previews".into(), range);
        }
        // From here on everything is shown.
        let end = bare.last().map_or(blocks, |&last| last + 1);
        let before = self.entries.get(end).and_then(|entry| entry["index"].as_u64());
        let before = before.and_then(|index| usize::try_from(index).ok());
        omitted.insert("command".into(), json!((self.budget.command)(end, before)));
        Value::Object(omitted)
    }
}

fn has_preview(entry: &Value) -> bool {
    entry.get(PREVIEW).is_some()
}

fn without_preview(entry: &Value) -> Value {
    let mut entry = entry.clone();
    if let Value::Object(members) = &mut entry {
        members.shift_remove(PREVIEW);
    }
    entry
}
