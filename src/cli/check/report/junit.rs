//! Findings as a JUnit test report: a suite for each session, a test for each rule that was broken.

use std::fmt::Write;

use super::{Checked, Report, sentence, shown_path};
use crate::check::artifacts::{Code, Finding};
use crate::cli::{Console, Failure, sanitize_line};
use crate::render::push_escaped;

/// Prints the report.
pub(in crate::cli::check) fn print(report: &Report, console: &mut Console) -> Result<(), Failure> {
    use std::io::Write as _;
    let suites: Vec<_> = report.checked.iter().map(|checked| Suite::new(checked, report)).collect();
    let tests: usize = suites.iter().map(|suite| suite.tests).sum();
    let failures: usize = suites.iter().map(|suite| suite.failures).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!(
        "<testsuites name=\"terminal-session-check\" tests=\"{tests}\" failures=\"{failures}\">\n"
    ));
    for suite in suites {
        out.push_str(&suite.text);
    }
    out.push_str("</testsuites>\n");
    Ok(console.out().write_all(out.as_bytes())?)
}

struct Suite {
    text: String,
    tests: usize,
    failures: usize,
}

impl Suite {
    fn new(checked: &Checked, report: &Report) -> Self {
        let name = escaped(checked.name());
        let found = checked.findings.kept();
        let mut codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut cases = String::new();
        if codes.is_empty() && !checked.counts(report.least) {
            cases.push_str(&format!("    <testcase classname=\"{name}\" name=\"artifacts\"/>\n"));
        }
        let mut failures = 0;
        for &code in &codes {
            let of_code: Vec<_> = found.iter().filter(|finding| finding.code == code).collect();
            let fails = code.severity() >= report.least;
            failures += usize::from(fails);
            cases.push_str(&case(&name, code, &of_code, fails));
        }
        let tests = codes.len().max(1);
        let text = format!(
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">\n{cases}  \
             </testsuite>\n"
        );
        Self { text, tests, failures }
    }
}

fn case(name: &str, code: Code, findings: &[&Finding], fails: bool) -> String {
    let mut lines = String::new();
    for finding in findings {
        let line = finding.place.line.map_or_else(String::new, |line| format!(":{line}"));
        let path = shown_path(&finding.place.path);
        let text = escaped(&format!("{path}{line}: {}", sentence(finding)));
        // Writing to a String cannot fail.
        writeln!(lines, "{text}").unwrap_or_default();
    }
    let lines = lines.trim_end();
    let about = escaped(code.about());
    let severity = code.severity();
    let body = if fails {
        format!("<failure type=\"{severity}\" message=\"{about}\">{lines}</failure>")
    } else {
        format!("<system-out>{severity}: {about}\n{lines}</system-out>")
    };
    format!("    <testcase classname=\"{name}\" name=\"{code}\">\n      {body}\n    </testcase>\n")
}

/// Text of XML 1.0.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    push_escaped(&mut out, &sanitize_line(text));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_valid_xml() {
        assert_eq!(
            escaped("<a b=\"c\">&\0\u{1b}\u{ffff}ä"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\\x00\\x1b\u{fffd}ä"
        );
    }
}
