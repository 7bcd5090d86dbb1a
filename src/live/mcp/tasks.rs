//! What the client knows of its tasks and jobs, so that it is told of an end once.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::live::parse_task_id;
use crate::live::wire::TaskStatus;

/// What the client knows of its tasks.
#[derive(Default)]
pub(super) struct Tasks {
    known: Mutex<HashMap<String, Known>>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Calls that ask about it now.
    asking: usize,
    /// Whether one of them told of its end, or brought it about.
    has_end: bool,
    /// Whether its end is to be announced.
    is_watched: bool,
}

/// A call that asks about a task.
pub(super) struct Reading {
    tasks: Arc<Tasks>,
    task: String,
}

impl Tasks {
    pub(super) fn reading(self: &Arc<Self>, task: &str) -> Reading {
        self.known().entry(task.to_owned()).or_default().asking += 1;
        Reading { tasks: Arc::clone(self), task: task.to_owned() }
    }

    /// Notes that its end is waited for.
    pub(super) fn watch(&self, task: &str) {
        self.known().entry(task.to_owned()).or_default().is_watched = true;
    }

    /// Notes that tasks of a terminal end because the client wants it closed.
    pub(super) fn close(&self, terminal: &str) {
        for (task, known) in self.known().iter_mut() {
            known.has_end |= parse_task_id(task).is_some_and(|(id, _)| id == terminal);
        }
    }

    /// Whether a task ended that nobody heard of, once nobody asks about it any more.
    pub(super) fn is_unheard(&self, task: &str) -> bool {
        let is_asked = |known: &mut HashMap<String, Known>| {
            known.get(task).is_some_and(|known| known.asking > 0 && !known.has_end)
        };
        let known = self.changed.wait_while(self.known(), is_asked);
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.get(task).is_none_or(|known| !known.has_end)
    }

    /// Notes that its end is waited for no longer.
    pub(super) fn is_watched_no_more(&self, task: &str) {
        let mut all = self.known();
        if let Some(known) = all.get_mut(task) {
            known.is_watched = false;
        }
        Self::forget(&mut all, task);
    }

    /// Forgets a task that nobody asks about and whose end nobody waits for.
    fn forget(all: &mut HashMap<String, Known>, task: &str) {
        if all.get(task).is_some_and(|known| known.asking == 0 && !known.is_watched) {
            all.remove(task);
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        // Nothing is left half done where it is held.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    /// Its answer says this.
    pub(super) fn saw(&self, status: &TaskStatus) {
        if *status != TaskStatus::Running {
            self.saw_end();
        }
    }

    /// Its answer says that the task is over, or will be.
    pub(super) fn saw_end(&self) {
        if let Some(known) = self.tasks.known().get_mut(&self.task) {
            known.has_end = true;
        }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let mut all = self.tasks.known();
        if let Some(known) = all.get_mut(&self.task) {
            known.asking -= 1;
        }
        Tasks::forget(&mut all, &self.task);
        drop(all);
        self.tasks.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_about_or_watched_is_kept() {
        let tasks = Arc::new(Tasks::default());
        for has_end in [false, true] {
            let reading = tasks.reading("nothing");
            if has_end {
                reading.saw_end();
            }
            assert_eq!(tasks.known().len(), 1);
            drop(reading);
            assert_eq!(tasks.known().len(), 0);
        }
        tasks.watch("job");
        tasks.reading("job").saw_end();
        assert!(!tasks.is_unheard("job"));
        let late = tasks.reading("job");
        tasks.is_watched_no_more("job");
        assert_eq!(tasks.known().len(), 1);
        drop(late);
        assert_eq!(tasks.known().len(), 0);
    }
}
