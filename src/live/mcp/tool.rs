//! What a tool is.

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::arguments::Arguments;
use super::group::Group;
use super::session::{Call, Session};
use super::{exec_tools, execute_tools, inspect_tools, task_tools, terminal_tools};
use crate::live::{LiveError, RuntimeError};
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
}

/// Why a call did nothing.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct ToolError(String);

impl ToolSpec {
    /// All tools of these groups, in one order.
    pub(super) fn of(groups: &[Group]) -> Vec<&'static Self> {
        let all = [
            terminal_tools::TOOLS,
            task_tools::TOOLS,
            exec_tools::TOOLS,
            execute_tools::TOOLS,
            inspect_tools::TOOLS,
        ];
        all.into_iter().flatten().filter(|tool| groups.contains(&tool.group)).collect()
    }

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
        Ok(Self { text, value, is_error: false })
    }

    /// The same with this key left out of the value.
    pub(super) fn without(mut self, key: &str) -> Self {
        if let Value::Object(members) = &mut self.value {
            members.shift_remove(key);
        }
        self
    }

    /// The same as something that went wrong.
    pub(super) fn with_failure(mut self, more: &str) -> Self {
        self.text.push('\n');
        self.text.push_str(more);
        self.is_error = true;
        self
    }
}

impl ToolError {
    pub(super) fn new(message: impl ToString) -> Self {
        Self(message.to_string())
    }
}

impl From<LiveError> for ToolError {
    fn from(error: LiveError) -> Self {
        Self::new(error)
    }
}

impl From<RuntimeError> for ToolError {
    fn from(error: RuntimeError) -> Self {
        Self::new(error)
    }
}

/// What a call is made with: [`Session`] is the connection's.
impl Session {
    /// The tools that are offered.
    pub(super) fn tools(&self) -> Vec<&'static ToolSpec> {
        ToolSpec::of(&self.options.groups)
    }
}
