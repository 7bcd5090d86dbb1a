//! What a tool is.

use serde::Serialize;
use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::call::Call;
use super::delivery::Delivery;
use super::group::Group;
use super::tool_error::ToolError;
use crate::text::{Controls, sanitize};

/// A tool as clients see it, and what it does.
pub(super) struct ToolSpec {
    pub(super) name: &'static str,
    pub(super) group: Group,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The JSON schema of its arguments: properties, then the names of those that must be there.
    pub(super) properties: fn() -> Value,
    pub(super) required: &'static [&'static str],
    pub(super) hints: Hints,
    pub(super) run: fn(&Call<'_>, Arguments) -> Result<Answer, ToolError>,
    /// The longest that a call waits, in milliseconds, where that is known beforehand.
    pub(super) waits: fn(&Map<String, Value>) -> Option<f64>,
}

/// What clients may take into account before they call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hints {
    /// It changes nothing.
    ReadOnly,
    /// It takes what is new, which the next call does not get again.
    Reads,
    /// It adds something.
    Adds,
    /// It may do anything that a person at a keyboard may.
    Acts,
    /// It ends something; once is as good as twice.
    Ends,
}

/// What came of a call.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) value: Value,
    /// Whether that was not all that was asked for.
    pub(super) is_error: bool,
    /// What it takes away, once it is on its way.
    pub(super) delivery: Option<Delivery>,
}

impl ToolSpec {
    /// The JSON schema of its arguments.
    pub(super) fn schema(&self) -> Map<String, Value> {
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), (self.properties)());
        if !self.required.is_empty() {
            schema.insert("required".into(), self.required.into());
        }
        schema.insert("additionalProperties".into(), false.into());
        schema
    }
}

/// For tools that do not wait for anything to happen.
pub(super) fn no_wait(_: &Map<String, Value>) -> Option<f64> {
    None
}

impl Answer {
    /// A value that is an object, and its text.
    pub(super) fn new(value: &impl Serialize, text: &str) -> Result<Self, ToolError> {
        Self::exact(value, text.trim_end_matches('\n'))
    }

    /// The same with newlines at the end of the text.
    pub(super) fn exact(value: &impl Serialize, text: &str) -> Result<Self, ToolError> {
        let value = serde_json::to_value(value).map_err(ToolError::new)?;
        // What programs print is nobody's to act on.
        let text = sanitize(text, Controls::Shown).into_owned();
        Ok(Self { text, value, is_error: false, delivery: None })
    }

    /// The same with this key left out of the value.
    pub(super) fn without(mut self, key: &str) -> Self {
        if let Value::Object(members) = &mut self.value {
            members.shift_remove(key);
        }
        self
    }

    /// The same that takes something away.
    pub(super) fn delivered_by(self, delivery: Delivery) -> Self {
        Self { delivery: Some(delivery), ..self }
    }

    /// The same as something that went wrong.
    pub(super) fn with_failure(mut self, more: &str) -> Self {
        self.text.push('\n');
        self.text.push_str(more);
        self.is_error = true;
        self
    }
}
