//! What a client wants to be told besides its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{self, ServerNotification};
use serde_json::Value;

/// Whether the client wants only what is of consequence.
#[derive(Clone, Default)]
pub(super) struct Loudness(Arc<AtomicBool>);

impl Loudness {
    pub(super) fn be_quiet(&self, is_quiet: bool) {
        self.0.store(is_quiet, Ordering::Relaxed);
    }

    /// Whether what is of no consequence is to be told.
    pub(super) fn takes_info(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// Something to be told that is of no consequence.
#[expect(deprecated, reason = "clients speak older versions of the protocol")]
pub(super) fn info(data: Value) -> ServerNotification {
    let info = model::LoggingMessageNotificationParam::new(model::LoggingLevel::Info, data);
    let notice = model::LoggingMessageNotification::new(info.with_logger("terminal-session"));
    ServerNotification::LoggingMessageNotification(notice)
}
