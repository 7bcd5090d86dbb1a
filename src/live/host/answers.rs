//! What becomes of waits: who is told what.

use std::time::Instant;

use super::held::{Held, What};
use super::state::Host;
use super::task::Outcome;
use super::wait::Over;
use super::waiter::{Purpose, Waiter};
use crate::live::wire::{Answer, Part, Sent, Shown, TaskOutput, Value, WaitReason};

impl Host {
    /// Types what had to wait for the shell. What was before that says nothing of what comes of it.
    pub(super) fn type_held_back(&mut self) {
        let is_due = |held: &mut Held| held.is_due(&self.terminal);
        let Some(held) = self.held.take_if(|held| is_due(held)) else {
            return;
        };
        for waiter in &mut self.waiters {
            if waiter.purpose.awaits_held() {
                waiter.wait.begin_anew(&self.terminal);
            }
        }
        let (text, submit) = match held.what {
            What::Keys(keys) => return self.terminal.press(&keys),
            What::Text { text, submit } => (text, submit),
        };
        self.clear_line();
        self.terminal.is_about_to_type();
        let bytes = self.typed(&text, submit);
        self.awaited = submit.then_some(self.terminal.shell.said);
        self.terminal.type_keys(&bytes);
    }

    pub(super) fn look_at_waits(&mut self) {
        let mut index = 0;
        while index < self.waiters.len() {
            let has_send = self.has_send();
            let has_page = self.waiters.iter().any(|waiter| waiter.purpose.is_page());
            let waiter = &mut self.waiters[index];
            let is_over = match waiter.purpose {
                Purpose::TaskOutput(number) | Purpose::TaskEnd(number) => {
                    let task = self.tasks.get(number);
                    let is_finished = task.is_none_or(|task| task.outcome.is_some());
                    let is_late = Instant::now() >= waiter.wait.deadline;
                    (is_finished || is_late).then(|| Over::by(WaitReason::Timeout))
                }
                // A page may tell it first.
                Purpose::End if has_page => None,
                purpose => {
                    // What is there before the end of what was typed is not what comes of it.
                    let is_before = has_send && purpose.is_wait() && waiter.wait.is_for_ready();
                    let is_typed = !is_before && (self.held.is_none() || !purpose.awaits_held());
                    waiter.wait.look(&self.terminal, is_typed)
                }
            };
            match is_over {
                Some(over) => {
                    let waiter = self.waiters.remove(index);
                    self.tell(&waiter, over);
                }
                None => index += 1,
            }
        }
    }

    /// Tells who waited.
    pub(super) fn tell(&mut self, waiter: &Waiter, over: Over) {
        match waiter.purpose {
            Purpose::FirstPage | Purpose::Page => return self.tell_page(waiter, &over),
            Purpose::End => return self.tell_end(waiter),
            _ => {}
        }
        let is_patient = matches!(waiter.purpose, Purpose::Execute(_));
        if is_patient && self.held.is_some() && over.reason != WaitReason::SessionExit {
            let note = "nothing is typed yet: it is once the shell shows its prompt";
            self.terminal.complaints.push(note.to_owned());
        } else if waiter.purpose.awaits_held() && self.held.take().is_some() {
            let note = "nothing was typed: the shell has shown no prompt yet";
            self.terminal.complaints.push(note.to_owned());
        }
        let is_told = !matches!(waiter.purpose, Purpose::TaskEnd(_));
        if is_told && matches!(over.reason, WaitReason::Timeout | WaitReason::InferredIdle) {
            let hindrances = self.terminal.hindrances();
            self.terminal.complaints.extend(hindrances);
        }
        match (waiter.purpose, waiter.client) {
            (Purpose::Task(number), _) => {
                self.terminal.shell.is_untold &= !over.ended;
                let outcome = Outcome {
                    exit_code: self.exit_code(&over),
                    over,
                    status: self.terminal.status(),
                };
                if let Some(task) = self.tasks.get_mut(number) {
                    task.outcome = Some(outcome);
                }
            }
            (Purpose::TaskOutput(number), Some(client)) => {
                if let Some(output) = self.output_of(number, waiter.most) {
                    self.answer(client, &Answer::Done(Value::Output(output)));
                }
            }
            (Purpose::TaskEnd(number), Some(client)) => {
                let rows = self.task_rows(|task| task.number == number);
                self.answer(client, &Answer::Done(Value::Tasks(rows)));
            }
            (_, Some(client)) => {
                // Who waits without typing takes nothing away from who types.
                let quietly = waiter.purpose.is_wait() && self.has_send();
                let mut over = over;
                // The shell's own files have printed what they print, before a first prompt.
                over.ended |= waiter.purpose == Purpose::Open && self.terminal.shell.said.ends > 0;
                self.terminal.shell.is_untold &= !over.ended;
                let value = match waiter.purpose {
                    Purpose::Execute(typed) => {
                        Value::Executed(Box::new(self.executed(over, waiter.most, quietly, typed)))
                    }
                    _ => Value::Sent(self.sent(over, waiter.most, quietly).0),
                };
                self.answer(client, &Answer::Done(value));
            }
            (_, None) => {}
        }
    }

    pub(super) fn exit_code(&self, over: &Over) -> Option<i64> {
        let is_known = over.ran && over.reason == WaitReason::Prompt;
        self.terminal.shell.status.filter(|_| is_known)
    }

    /// The answer, and where its lines are.
    pub(super) fn sent(&mut self, over: Over, most: usize, quietly: bool) -> (Sent, Vec<Part>) {
        let exit_code = self.exit_code(&over);
        // What was before the end is in blocks; what stands at the prompt is for the next answer.
        let at_prompt = over.reason == WaitReason::Prompt && over.ended;
        let (shown, parts) = match quietly {
            true => (Shown::default(), Vec::new()),
            false => self.terminal.take_parts(most, at_prompt),
        };
        let is_shell = self.terminal.shell.is_hooked && !self.terminal.has_ended();
        let sent = Sent {
            session_id: self.id().to_owned(),
            shown,
            wait_reason: over.reason,
            session_status: self.terminal.status(),
            exit_code,
            cwd: if is_shell { self.cwd() } else { None },
            notes: self.terminal.complaints.take(),
            echo_off: over.echo_off,
            continuation: over.continuation,
            inside: self.inside(),
        };
        (sent, parts)
    }

    /// What a task has to say that it did not say yet.
    pub(super) fn output_of(&mut self, number: u64, most: usize) -> Option<TaskOutput> {
        let task = self.tasks.get(number)?.clone();
        let ran = task
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.over.ran && outcome.over.reason == WaitReason::Prompt);
        let shown = self.terminal.take_new(most, ran);
        Some(TaskOutput {
            task_id: task.id(self.id()),
            shown,
            notes: self.terminal.complaints.take(),
            status: task.status(),
        })
    }
}
