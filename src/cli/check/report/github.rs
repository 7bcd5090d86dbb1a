//! Findings as annotations of a GitHub workflow.

use super::{Report, sentence, shown_path};
use crate::check::artifacts::Severity;
use crate::cli::{Console, Controls, Failure, sanitize_line};

/// Prints a workflow command for each finding: an error for each that counts.
pub(in crate::cli::check) fn print(report: &Report, console: &mut Console) -> Result<(), Failure> {
    for (_, finding) in report.findings() {
        let severity = finding.code.severity();
        let level = match severity {
            _ if severity >= report.least => "error",
            Severity::Note => "notice",
            _ => "warning",
        };
        let place = &finding.place;
        let line = place.line.map_or_else(String::new, |line| format!(",line={line}"));
        let file = property(&shown_path(&place.path));
        let title = property(&format!("{} ({severity})", finding.code));
        let message = data(&sentence(finding));
        console.print(
            &format!("::{level} file={file}{line},title={title}::{message}\n"),
            Controls::Shown,
        )?;
    }
    for checked in report.checked.iter().filter(|checked| checked.findings.left_out() > 0) {
        let (number, name) = (checked.findings.left_out(), data(checked.name()));
        let level = if checked.counts(report.least) { "error" } else { "notice" };
        console
            .print(&format!("::{level}::{number} more findings in {name}\n"), Controls::Shown)?;
    }
    Ok(())
}

/// Text behind a command: no line may end it.
fn data(text: &str) -> String {
    // Controls are shown first, so that none is left to escape.
    sanitize_line(text).replace('%', "%25")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("100% a\r\n::error::b"), "100%25 a\\x0d\\x0a::error::b");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25\\x0a");
    }
}
