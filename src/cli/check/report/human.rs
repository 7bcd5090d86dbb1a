//! Findings as lines for people.

use super::{Report, sentence, shown_path};
use crate::check::artifacts::Severity;
use crate::cli::{Console, Controls, Failure, count, sanitize_line};

/// Prints a line for each finding, and how many there are.
pub(in crate::cli::check) fn print(report: &Report, console: &mut Console) -> Result<(), Failure> {
    let mut print =
        |line: String| console.print(&format!("{}\n", sanitize_line(&line)), Controls::Shown);
    for checked in &report.checked {
        for finding in checked.findings.kept() {
            let (code, place) = (finding.code, &finding.place);
            let line = place.line.map_or_else(String::new, |line| format!(":{line}"));
            let path = shown_path(&place.path);
            let severity = code.severity();
            print(format!("{severity}[{code}]: {path}{line}: {}", sentence(finding)))?;
        }
        if checked.findings.left_out() > 0 {
            let more = count(checked.findings.left_out(), "more finding");
            print(format!("{more} in {}", checked.name()))?;
        }
    }
    let found = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let number = report.count(severity);
        count(number, &severity.to_string())
    });
    let allowed = match report.allowed() {
        0 => String::new(),
        number => format!(", {number} allowed"),
    };
    let sessions = count(report.sessions(), "session");
    print(format!("{sessions} checked: {}{allowed}", found.join(", ")))
}
