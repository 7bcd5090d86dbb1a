//! Sends that wait while nobody waits for them.

use super::wait::Over;
use crate::live::wire::{Status, TaskStatus};
use crate::text;

/// A task, as long as its terminal lives.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) number: u64,
    pub(super) label: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) is_killed: bool,
}

/// How it ended.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) over: Over,
    pub(super) exit_code: Option<i64>,
    pub(super) status: Status,
}

/// Most code points of what was typed in a label.
const LONGEST_LABEL: usize = 60;

impl Task {
    pub(super) fn new(number: u64, terminal: &str, typed: &str) -> Self {
        let line = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = text::prefix(&line, LONGEST_LABEL);
        let line = if start.len() < line.len() {
            format!("{start}…")
        } else if line.is_empty() {
            "(input)".to_owned()
        } else {
            line
        };
        Self { number, label: format!("{terminal}: {line}"), outcome: None, is_killed: false }
    }

    /// Its id, by which its terminal is found as well.
    pub(super) fn id(&self, terminal: &str) -> String {
        task_id(terminal, self.number)
    }

    pub(super) fn status(&self) -> TaskStatus {
        match (&self.outcome, self.is_killed) {
            (None, _) => TaskStatus::Running,
            (Some(outcome), true) => TaskStatus::Killed {
                wait_reason: outcome.over.reason,
                session_status: outcome.status.clone(),
            },
            (Some(outcome), false) => TaskStatus::Completed {
                wait_reason: outcome.over.reason,
                exit_code: outcome.exit_code,
                session_status: outcome.status.clone(),
            },
        }
    }
}

/// Tasks whose wait is over that are kept.
const MOST_FINISHED: usize = 256;

/// The tasks of a terminal, oldest first.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    kept: Vec<Task>,
    /// Numbers given so far.
    given: u64,
    forgotten: u64,
}

impl Tasks {
    /// One more; where too many are finished, the oldest of them that nobody wants are forgotten.
    pub(super) fn add(
        &mut self,
        terminal: &str,
        typed: &str,
        is_wanted: impl Fn(u64) -> bool,
    ) -> &Task {
        let finished = self.kept.iter().filter(|task| task.outcome.is_some()).count();
        let mut surplus = finished.saturating_sub(MOST_FINISHED);
        let before = self.kept.len();
        self.kept.retain(|task| {
            let goes = surplus > 0 && task.outcome.is_some() && !is_wanted(task.number);
            surplus -= usize::from(goes);
            !goes
        });
        self.forgotten += (before - self.kept.len()) as u64;
        self.given += 1;
        let index = self.kept.len();
        self.kept.push(Task::new(self.given, terminal, typed));
        &self.kept[index]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Task> {
        self.kept.iter()
    }

    pub(super) fn get(&self, number: u64) -> Option<&Task> {
        self.kept.iter().find(|task| task.number == number)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Task> {
        self.kept.iter_mut().find(|task| task.number == number)
    }

    /// Why there is no such task.
    pub(super) fn unknown(&self, id: &str) -> String {
        let is_old = |number: u64| number > 0 && number <= self.given;
        match parse_task_id(id).filter(|(_, number)| is_old(*number) && self.forgotten > 0) {
            Some(_) => format!("unknown task {id}: {} finished ones are forgotten", self.forgotten),
            None => format!("unknown task {id}"),
        }
    }
}

const SEPARATOR: &str = "-send-";

pub(super) fn task_id(terminal: &str, number: u64) -> String {
    format!("{terminal}{SEPARATOR}{number}")
}

/// The terminal and the number in a task's id.
pub fn parse_task_id(id: &str) -> Option<(&str, u64)> {
    let (terminal, number) = id.rsplit_once(SEPARATOR)?;
    let number: u64 = number.parse().ok()?;
    (!terminal.is_empty() && task_id(terminal, number) == id).then_some((terminal, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::wire::WaitReason;

    #[test]
    fn the_oldest_finished_tasks_are_forgotten() {
        let mut tasks = Tasks::default();
        let outcome = Outcome {
            over: Over::by(WaitReason::Timeout),
            exit_code: None,
            status: Status::Running,
        };
        for number in 1..=300 {
            assert_eq!(tasks.add("t", "true", |number| number == 2).number, number);
            // The third never ends.
            if number != 3 {
                tasks.get_mut(number).unwrap().outcome = Some(outcome.clone());
            }
        }
        // The last one came when 298 were finished.
        let kept: Vec<u64> = tasks.iter().map(|task| task.number).collect();
        let want: Vec<u64> = [2, 3].into_iter().chain(45..=300).collect();
        assert_eq!(kept, want);
        assert!(tasks.get(1).is_none() && tasks.get(2).is_some());
        assert_eq!(
            tasks.unknown("t-send-1"),
            "unknown task t-send-1: 42 finished ones are forgotten"
        );
        assert_eq!(tasks.unknown("t-send-301"), "unknown task t-send-301");
        assert_eq!(tasks.unknown("nothing"), "unknown task nothing");
    }
}
