//! Why a call of a tool did nothing.

use thiserror::Error;

use crate::live::Voice;
use crate::live::{LiveError, RuntimeError, hint};

/// Why a call did nothing.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct ToolError(String);

impl ToolError {
    pub(super) fn new(message: impl ToString) -> Self {
        Self(message.to_string())
    }
}

impl From<LiveError> for ToolError {
    fn from(error: LiveError) -> Self {
        match error.code() {
            Some(code) => Self(format!("{error}{}", hint(code, Voice::Tools))),
            None => Self::new(error),
        }
    }
}

impl From<RuntimeError> for ToolError {
    fn from(error: RuntimeError) -> Self {
        Self::new(error)
    }
}
