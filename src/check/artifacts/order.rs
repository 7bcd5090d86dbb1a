//! What holds between the blocks of a session.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::keys::quoted;
use super::plan::step_ids;
use super::time::strict_time;
use super::{Code, Findings, Place};
use crate::artifact::ids::is_job;

/// A block as the others see it.
#[derive(Debug)]
struct Seen {
    label: String,
    place: Place,
    sequence: Option<f64>,
    created: String,
    id: String,
    step: Option<String>,
}

/// All blocks so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    blocks: Vec<Seen>,
    ids: HashMap<String, String>,
    sequences: HashMap<u64, String>,
    messages: HashMap<[String; 3], String>,
    steps: HashSet<String>,
}

impl Order {
    /// Takes the next block, and checks it against those before it.
    pub(super) fn push(
        &mut self,
        label: &str,
        record: &Map<String, Value>,
        place: &Place,
        findings: &mut Findings,
    ) {
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        let sequence = record.get("sequence").and_then(Value::as_number).and_then(|n| n.as_f64());
        let seen = Seen {
            label: label.to_owned(),
            place: place.clone(),
            sequence,
            created: text("createdAt"),
            id: text("blockId"),
            step: record.get("stepId").and_then(Value::as_str).map(str::to_owned),
        };
        self.sorted(&seen, findings);
        if !seen.id.is_empty()
            && let Some(first) = self.ids.insert(seen.id.clone(), position(place, label))
        {
            findings.add(
                Code::BlockIdRepeated,
                place.key("blockId"),
                format!("{first} has it too"),
            );
        } else if let Some(number) = sequence
            && let Some(first) = self.sequences.insert(number.to_bits(), label.to_owned())
        {
            let message = format!("{number} is that of block {first} too");
            findings.add(Code::SequenceRepeated, place.key("sequence"), message);
        }
        let message = [text("type"), text("sessionId"), text("messageKey")];
        if message[0] != "terminal_snapshot"
            && !message[2].is_empty()
            && let Some(first) = self.messages.insert(message, label.to_owned())
        {
            let message = format!("block {first} is the same message");
            findings.add(Code::MessageKeyRepeated, place.key("messageKey"), message);
        }
        self.steps.extend(step_ids(record).map(str::to_owned));
        self.blocks.push(seen);
    }

    fn sorted(&self, block: &Seen, findings: &mut Findings) {
        let Some(sequence) = block.sequence else {
            return;
        };
        let last = self.blocks.iter().rev().find_map(|before| Some((before, before.sequence?)));
        if let Some((before, number)) = last
            && number
                .total_cmp(&sequence)
                .then_with(|| before.created.cmp(&block.created))
                .then_with(|| before.id.cmp(&block.id))
                == Ordering::Greater
        {
            let message = format!("it belongs before block {}", before.label);
            findings.add(Code::BlockOrder, block.place.clone(), message);
        }
    }

    /// Checks what needs all blocks.
    pub(super) fn finish(self, findings: &mut Findings) {
        for block in &self.blocks {
            if let Some(step) = &block.step
                && !step.is_empty()
                // A job is a step of nobody's plan.
                && !is_job(step)
                && !self.steps.contains(step)
            {
                let message = format!("no plan has a step {}", quoted(step));
                findings.add(Code::StepUnknown, block.place.key("stepId"), message);
            }
        }
    }
}

fn position(place: &Place, label: &str) -> String {
    place.line.map_or_else(|| format!("block {label}"), |line| format!("the block at line {line}"))
}

/// Checks the times of the session or of a block, the latter against the session's own.
pub(super) fn times(
    record: &Map<String, Value>,
    session: Option<Timestamp>,
    place: &Place,
    findings: &mut Findings,
) {
    let time = |key: &str| record.get(key).and_then(Value::as_str).and_then(strict_time);
    let Some(updated) = time("updatedAt") else {
        return;
    };
    if time("createdAt").is_some_and(|created| updated < created) {
        findings.add(Code::TimeOrder, place.key("updatedAt"), "before createdAt");
    } else if session.is_some_and(|session| session < updated) {
        findings.add(Code::TimeOrder, place.key("updatedAt"), "after the session's updatedAt");
    }
}
