//! What was found in one session.

use std::collections::BTreeSet;

use super::{Code, Finding, Place, Severity};

/// Findings of a session that are kept: no hostile manifest makes a report of any length.
const MOST: usize = 1000;

/// Findings of one session, in the order in which they were made.
#[derive(Debug, Default)]
pub struct Findings {
    kept: Vec<Finding>,
    /// Errors, warnings and notes that are not among those kept.
    left_out: [usize; 3],
    allowed: BTreeSet<Code>,
    allowed_count: usize,
}

impl Findings {
    /// None yet. Findings with an allowed code are counted and nothing else.
    pub fn new(allowed: BTreeSet<Code>) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// Adds one.
    pub fn add(&mut self, code: Code, place: Place, message: impl Into<String>) {
        if self.allowed.contains(&code) {
            self.allowed_count += 1;
        } else if self.kept.len() < MOST {
            self.kept.push(Finding { code, place, message: message.into() });
        } else {
            self.left_out[index(code.severity())] += 1;
        }
    }

    /// The first 1,000.
    pub fn kept(&self) -> &[Finding] {
        &self.kept
    }

    /// How many there are beside those.
    pub fn left_out(&self) -> usize {
        self.left_out.iter().sum()
    }

    /// How many have an allowed code.
    pub fn allowed(&self) -> usize {
        self.allowed_count
    }

    /// How many of a severity there are, kept or not.
    pub fn count(&self, severity: Severity) -> usize {
        let kept = self.kept.iter().filter(|finding| finding.code.severity() == severity).count();
        kept + self.left_out[index(severity)]
    }
}

fn index(severity: Severity) -> usize {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Note => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_a_thousand_they_are_only_counted() {
        let mut findings = Findings::new([Code::Orphan].into());
        for _ in 0..1500 {
            findings.add(Code::Sequence, Place::default(), "");
            findings.add(Code::Orphan, Place::default(), "");
        }
        assert_eq!((findings.kept().len(), findings.left_out()), (1000, 500));
        assert_eq!(findings.count(Severity::Error), 1500);
        assert_eq!((findings.count(Severity::Warning), findings.allowed()), (0, 1500));
    }
}
