//! Findings as one JSON object.

use serde_json::{Value, json};

use super::{Checked, Report, shown_path};
use crate::check::artifacts::{Finding, Severity};
use crate::cli::{Console, Controls, Failure, write_json};
use crate::home::TerminalId;

/// Prints the object.
pub(in crate::cli::check) fn print(report: &Report, console: &mut Console) -> Result<(), Failure> {
    let sessions = report.checked.iter().filter_map(|checked| {
        let terminal = checked.terminal.as_ref()?;
        Some(json!({"terminalId": terminal.as_str(), "path": checked.path.display().to_string()}))
    });
    let findings = report.findings().map(|(checked, found)| finding(checked, found, report.least));
    let object = json!({
        "sessions": sessions.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "allowed": report.allowed(),
        "leftOut": report.left_out(),
    });
    Ok(write_json(console.out(), &object, false, Controls::Shown)?)
}

fn finding(checked: &Checked, finding: &Finding, least: Severity) -> Value {
    let place = &finding.place;
    let severity = finding.code.severity();
    json!({
        "code": finding.code.name(),
        "severity": severity.to_string(),
        "counts": severity >= least,
        "terminalId": checked.terminal.as_ref().map(TerminalId::as_str),
        "file": shown_path(&place.path),
        "line": place.line,
        "blockId": place.block,
        "key": place.key,
        "message": finding.message,
    })
}
