//! The steps of a plan, and what became of them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::keys::{Rule, check_keys, kind_of, quoted};
use super::{Code, Findings, Place};

const STEP: &[(&str, Rule)] = &[
    ("stepId", Rule::Id),
    ("command", Rule::Id),
    ("risk", Rule::Word(&["low", "medium", "high"])),
    ("nextAction", Rule::Word(&["approve", "reject", "provide_input"])),
];
const STEP_TEXTS: &[(&str, Rule)] = &[
    ("stepGoal", Rule::Text),
    ("explanation", Rule::Text),
    ("cwd", Rule::Text),
    ("shell", Rule::Text),
    ("contextNote", Rule::Text),
];
const ACTION: &[(&str, Rule)] = &[
    ("stepId", Rule::Id),
    ("decision", Rule::Word(&["approved", "rejected"])),
    ("updatedAt", Rule::Time),
];
const REASON: &[(&str, Rule)] = &[("reason", Rule::Text)];
const FEEDBACK: &[(&str, Rule)] = &[
    ("kind", Rule::Word(&["execution", "rejection"])),
    ("stepId", Rule::Id),
    ("updatedAt", Rule::Time),
];
const EXECUTION: &[(&str, Rule)] =
    &[("status", Rule::Word(&["success", "failed", "timed_out", "completed_unknown"]))];
const EXECUTION_RESULTS: &[(&str, Rule)] = &[
    ("exitCode", Rule::MaybeNumber),
    ("cwdAfter", Rule::Text),
    ("outputSummary", Rule::Text),
    ("errorSummary", Rule::Text),
    ("outputReference", Rule::Text),
];
const REJECTION: &[(&str, Rule)] = &[("decision", Rule::Word(&["rejected"]))];

/// Checks the three lists of a plan, and that they fit each other.
pub(super) fn check(record: &Map<String, Value>, place: &Place, findings: &mut Findings) {
    let lists = Lists { record, place };
    let mut steps = HashSet::new();
    lists.each("steps", findings, |step, at, findings| {
        check_keys(step, STEP, STEP_TEXTS, at, place, findings);
        unique(&mut steps, step, None, at, place, findings);
    });
    let mut actions = HashSet::new();
    let mut rejected = HashSet::new();
    lists.each("stepActions", findings, |action, at, findings| {
        check_keys(action, ACTION, REASON, at, place, findings);
        unique(&mut actions, action, None, at, place, findings);
        known(&steps, action, at, place, findings);
        if action.get("decision").is_some_and(|decision| decision == "rejected") {
            rejected.extend(step_id(action).map(str::to_owned));
        }
    });
    let mut feedback = HashSet::new();
    let mut rejections = HashSet::new();
    lists.each("stepFeedback", findings, |entry, at, findings| {
        check_keys(entry, FEEDBACK, &[], at, place, findings);
        let kind = entry.get("kind").and_then(Value::as_str);
        match kind {
            Some("execution") => {
                check_keys(entry, EXECUTION, EXECUTION_RESULTS, at, place, findings);
            }
            Some("rejection") => {
                check_keys(entry, REJECTION, REASON, at, place, findings);
                rejections.extend(step_id(entry).map(str::to_owned));
            }
            _ => {}
        }
        unique(&mut feedback, entry, kind, at, place, findings);
        known(&steps, entry, at, place, findings);
    });
    let mut halves: Vec<_> = rejected.symmetric_difference(&rejections).collect();
    halves.sort();
    for step in halves {
        let (there, missing) = if rejected.contains(step) {
            ("an action", "feedback")
        } else {
            ("feedback", "an action")
        };
        let message = format!("step {} is rejected by {there} without {missing}", quoted(step));
        findings.add(Code::RejectionHalf, place.clone(), message);
    }
}

/// The ids of a plan's steps.
pub(super) fn step_ids(record: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let steps = record.get("steps").and_then(Value::as_array);
    steps.into_iter().flatten().filter_map(Value::as_object).filter_map(step_id)
}

struct Lists<'a> {
    record: &'a Map<String, Value>,
    place: &'a Place,
}

impl Lists<'_> {
    /// Each entry that is an object, with what stands before its keys in a place.
    fn each(
        &self,
        key: &str,
        findings: &mut Findings,
        mut check: impl FnMut(&Map<String, Value>, &str, &mut Findings),
    ) {
        let list = self.record.get(key).and_then(Value::as_array);
        for (index, entry) in list.into_iter().flatten().enumerate() {
            let at = format!("{key}[{index}]");
            match entry.as_object() {
                Some(entry) => check(entry, &format!("{at}."), findings),
                None => {
                    let message = format!("{}, where an object belongs", kind_of(entry));
                    findings.add(Code::KeyType, self.place.key(at), message);
                }
            }
        }
    }
}

fn step_id(entry: &Map<String, Value>) -> Option<&str> {
    entry.get("stepId").and_then(Value::as_str)
}

fn unique(
    seen: &mut HashSet<(String, Option<String>)>,
    entry: &Map<String, Value>,
    kind: Option<&str>,
    at: &str,
    place: &Place,
    findings: &mut Findings,
) {
    if let Some(id) = step_id(entry)
        && !seen.insert((id.to_owned(), kind.map(str::to_owned)))
    {
        let message = format!("step {} once more", quoted(id));
        findings.add(Code::StepRepeated, place.key(format!("{at}stepId")), message);
    }
}

fn known(
    steps: &HashSet<(String, Option<String>)>,
    entry: &Map<String, Value>,
    at: &str,
    place: &Place,
    findings: &mut Findings,
) {
    if let Some(id) = step_id(entry)
        && !steps.contains(&(id.to_owned(), None))
    {
        let message = format!("the plan has no step {}", quoted(id));
        findings.add(Code::StepUnknown, place.key(format!("{at}stepId")), message);
    }
}
