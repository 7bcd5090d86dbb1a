//! Why a call of a tool did nothing.

use thiserror::Error;

use crate::live::wire::Code;
use crate::live::{LiveError, RuntimeError};

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
            // What is to be done about it in the words of the tools.
            Some(Code::TaskActive) => {
                Self(format!("{error}: task_output reads it, task_kill interrupts it"))
            }
            _ => Self::new(error),
        }
    }
}

impl From<RuntimeError> for ToolError {
    fn from(error: RuntimeError) -> Self {
        Self::new(error)
    }
}
