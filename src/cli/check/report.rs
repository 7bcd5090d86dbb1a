//! Findings, printed for people and for three kinds of programs.

mod github;
mod human;
mod json;
mod junit;

use std::path::{Path, PathBuf};

use crate::check::artifacts::{Finding, Findings, Severity};
use crate::home::TerminalId;

pub(super) use github::print as github;
pub(super) use human::print as human;
pub(super) use json::print as json;
pub(super) use junit::print as junit;

/// One session, or the folder of the sessions, and what was found there.
pub(super) struct Checked {
    pub(super) terminal: Option<TerminalId>,
    pub(super) path: PathBuf,
    pub(super) findings: Findings,
}

/// Everything that was checked.
pub(super) struct Report {
    pub(super) checked: Vec<Checked>,
    /// The least severity that counts.
    pub(super) least: Severity,
}

impl Checked {
    /// What it is called.
    fn name(&self) -> &str {
        self.terminal.as_ref().map_or("sessions", TerminalId::as_str)
    }

    fn counts(&self, least: Severity) -> bool {
        [Severity::Error, Severity::Warning]
            .into_iter()
            .any(|severity| severity >= least && self.findings.count(severity) > 0)
    }
}

impl Report {
    /// Whether anything was found that counts.
    pub(super) fn counts(&self) -> bool {
        self.checked.iter().any(|checked| checked.counts(self.least))
    }

    fn sessions(&self) -> usize {
        self.checked.iter().filter(|checked| checked.terminal.is_some()).count()
    }

    fn count(&self, severity: Severity) -> usize {
        self.checked.iter().map(|checked| checked.findings.count(severity)).sum()
    }

    fn allowed(&self) -> usize {
        self.checked.iter().map(|checked| checked.findings.allowed()).sum()
    }

    fn left_out(&self) -> usize {
        self.checked.iter().map(|checked| checked.findings.left_out()).sum()
    }

    fn findings(&self) -> impl Iterator<Item = (&Checked, &Finding)> {
        let of = |checked| move |finding| (checked, finding);
        self.checked.iter().flat_map(move |checked| checked.findings.kept().iter().map(of(checked)))
    }
}

/// A file as it is called from the current folder, which is how CI names files.
fn shown_path(path: &Path) -> String {
    let current = std::env::current_dir().and_then(|folder| crate::artifact::resolve(&folder));
    let inner =
        current.ok().and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_path_buf));
    match inner {
        Some(inner) if !inner.as_os_str().is_empty() => inner.display().to_string(),
        _ => path.display().to_string(),
    }
}

/// The block and the key of a finding, and what is wrong with them, on one line.
fn sentence(finding: &Finding) -> String {
    let place = &finding.place;
    let mut parts = Vec::new();
    parts.extend(place.block.as_ref().map(|block| format!("block {block}")));
    parts.extend(place.key.clone());
    let at = parts.join(", ");
    if at.is_empty() { finding.message.clone() } else { format!("{at}: {}", finding.message) }
}
