//! The command that prints what a budget left out of a summary.

use super::{PREVIEW_CHARS, SummaryArgs};
use crate::artifact::Manifest;
use crate::cli::arguments::quoted_line;
use crate::home::TerminalId;
use crate::inspect::Selected;

/// What the command must have from the one that is running.
pub(super) struct ReadOn<'a> {
    pub(super) args: &'a SummaryArgs,
    pub(super) terminal: &'a TerminalId,
    pub(super) manifest: &'a Manifest,
}

impl ReadOn<'_> {
    /// The command for the first `count` of the blocks listed, the next of which is at position
    /// `before`, if there is one.
    pub(super) fn command(&self, count: usize, before: Option<usize>) -> String {
        let args = self.args;
        let mut words = vec!["terminal-session-summary".to_owned()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(home) = args.common.given_home() {
            option("--codex-home", home.to_string_lossy().into_owned());
        }
        for kind in &args.types {
            option("--type", kind.clone());
        }
        if let Some(after) = &args.after {
            option("--after", after.clone());
        }
        let named = before.and_then(|index| self.manifest.block(index));
        match named.map(|block| Selected::whole(block).name_for(self.manifest)) {
            Some(name) => option("--before", name),
            None => args.before.iter().for_each(|name| option("--before", name.clone())),
        }
        if args.recent.is_some() {
            option("--recent", count.to_string());
        }
        if args.preview_chars != PREVIEW_CHARS {
            option("--preview-chars", args.preview_chars.to_string());
        }
        for (is_on, word) in [(args.details, "--details"), (args.compact, "--compact")] {
            if is_on {
                words.push(word.to_owned());
            }
        }
        if self.terminal.as_str().starts_with('-') {
            words.push("--".to_owned());
        }
        words.push(self.terminal.to_string());
        quoted_line(&words)
    }
}
