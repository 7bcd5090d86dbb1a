//! Keys of a record and what may stand behind them.

use serde_json::{Map, Value};

use super::time::strict_time;
use super::{Code, Findings, Place};
use crate::text;

/// What the value of a key must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// A text that is not blank.
    Id,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A time.
    Time,
    /// A number.
    Number,
    /// A text or null.
    Text,
    /// A number or null.
    MaybeNumber,
    /// An array or null.
    Array,
}

impl Rule {
    /// Whether a value has the right type.
    pub(super) fn takes(self, value: &Value) -> bool {
        match self {
            Self::Id | Self::Word(_) | Self::Time => value.is_string(),
            Self::Number => value.is_number(),
            Self::Text => value.is_string() || value.is_null(),
            Self::MaybeNumber => value.is_number() || value.is_null(),
            Self::Array => value.is_array() || value.is_null(),
        }
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::Id | Self::Word(_) | Self::Time => "a string",
            Self::Number => "a number",
            Self::Text => "a string or null",
            Self::MaybeNumber => "a number or null",
            Self::Array => "an array or null",
        }
    }
}

/// Checks each key of a record. `at` stands before the key in the place of a finding; keys that are
/// not there are one finding, unless they may be left out.
pub(super) fn check_keys(
    record: &Map<String, Value>,
    rules: &[(&str, Rule)],
    optional: &[(&str, Rule)],
    at: &str,
    place: &Place,
    findings: &mut Findings,
) {
    let mut missing = Vec::new();
    for &(key, rule) in rules {
        match record.get(key) {
            Some(value) => check_value(value, rule, &place.key(format!("{at}{key}")), findings),
            None => missing.push(key),
        }
    }
    if !missing.is_empty() {
        let place = if at.is_empty() { place.clone() } else { place.key(at.trim_end_matches('.')) };
        findings.add(Code::KeyMissing, place, format!("without {}", missing.join(", ")));
    }
    for &(key, rule) in optional {
        if let Some(value) = record.get(key) {
            check_value(value, rule, &place.key(format!("{at}{key}")), findings);
        }
    }
}

fn check_value(value: &Value, rule: Rule, place: &Place, findings: &mut Findings) {
    if !rule.takes(value) {
        let message = format!("{}, where {} belongs", kind_of(value), rule.wanted());
        return findings.add(Code::KeyType, place.clone(), message);
    }
    let text = value.as_str().unwrap_or("");
    match rule {
        Rule::Id if text::strip(text).is_empty() => {
            findings.add(Code::KeyEmpty, place.clone(), "blank");
        }
        Rule::Word(words) if !words.contains(&text) => {
            let message = format!("{} is none of {}", quoted(text), words.join(", "));
            findings.add(Code::EnumValue, place.clone(), message);
        }
        Rule::Time if strict_time(text).is_none() => {
            let message = format!("{} is no time such as 2026-05-04T09:00:00.000Z", quoted(text));
            findings.add(Code::Time, place.clone(), message);
        }
        _ => {}
    }
}

/// What JSON calls a value.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A text as a message shows it: in quotes, and not all of it where it is long.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    format!("\"{}\"", text::clipped(text, SHOWN))
}

/// A whole number from 0 to 2^53 - 1, which every JSON reader keeps exactly; 24.0 counts as one.
pub(super) fn whole(value: &Value) -> Option<u64> {
    const MOST: f64 = 9_007_199_254_740_991.0;
    let number = value.as_number()?.as_f64()?;
    (number.fract() == 0.0 && (0.0..=MOST).contains(&number)).then_some(number as u64)
}
