//! Tasks and jobs that end while nobody waits for them: their client is told once.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rmcp::service::{Peer, RoleServer};
use serde_json::Value;
use tokio::runtime::Handle;

use super::server::Loudness;
use super::session::Session;
use crate::live::exec::{JobRow, job_wait};
use crate::live::wire::{TaskRow, TaskStatus};
use crate::live::{Client, HangUp, parse_task_id, terminals};

/// How long a task is watched, in milliseconds: for longer than it is waited for.
const WATCHED_MS: u64 = 2 * 3_600_000;

/// Who is to hear of ends.
#[derive(Clone)]
pub(super) struct Announcer {
    peer: Peer<RoleServer>,
    runtime: Handle,
    loudness: Loudness,
}

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
pub(super) struct Reading<'a> {
    tasks: &'a Tasks,
    task: String,
}

impl Announcer {
    pub(super) fn new(peer: Peer<RoleServer>, loudness: Loudness) -> Self {
        Self { peer, runtime: Handle::current(), loudness }
    }

    /// Waits for the end of a task on a thread of its own.
    pub(super) fn watch_task(&self, session: &Arc<Session>, client: &Client, task: &str) {
        self.watch(session, client, task, |client, task| {
            let row = terminals::task_end(client, task, WATCHED_MS).ok()?;
            (row.status != TaskStatus::Running).then(|| notice(&row))
        });
    }

    /// Waits for the end of a job on a thread of its own.
    pub(super) fn watch_job(&self, session: &Arc<Session>, client: &Client, job: &str) {
        self.watch(session, client, job, |client, job| {
            let row = job_wait(client, job).ok().filter(|row| row.status == "completed")?;
            Some(job_notice(&row))
        });
    }

    /// Waits on a thread of its own for what there is to be said of a task or a job.
    fn watch(
        &self,
        session: &Arc<Session>,
        client: &Client,
        id: &str,
        end: fn(&Client, &str) -> Option<String>,
    ) {
        session.tasks().known().entry(id.to_owned()).or_default().is_watched = true;
        let (announcer, session, id) = (self.clone(), Arc::clone(session), id.to_owned());
        // What ends with a call does not end this.
        let client = client.until(&HangUp::default());
        let watch = move || {
            if let Some(notice) = end(&client, &id)
                && session.tasks().is_unheard(&id)
            {
                announcer.announce(&session, notice);
            }
            session.tasks().is_watched_no_more(&id);
        };
        // A thread that cannot be had costs a notice, and the task goes on.
        std::thread::Builder::new().spawn(watch).map(drop).unwrap_or_default();
    }

    fn announce(&self, session: &Session, notice: String) {
        // One that began otherwise takes notices in answer to a subscription only.
        let takes_notices = self.peer.peer_info().is_some() && self.loudness.takes_info();
        if !takes_notices || session.is_over() {
            return;
        }
        let notice = super::server::info(Value::String(notice));
        let peer = self.peer.clone();
        // Who is gone needs no notice.
        self.runtime.spawn(async move { peer.send_notification(notice).await.unwrap_or_default() });
    }
}

fn notice(row: &TaskRow) -> String {
    let TaskRow { task_id, label, status } = row;
    let status = terminals::task_status(status);
    format!(
        "background task {task_id} (pty-send: {label}) finished [status: {status}]. Read its output \
         with task_output."
    )
}

fn job_notice(row: &JobRow) -> String {
    let id = &row.job_id;
    let code = row.exit_code.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
    let signal = row.signal.as_ref().map(|signal| format!(" ({signal})")).unwrap_or_default();
    format!(
        "exec job {id} exited with code {code}{signal}. Call write_stdin with job_id=\"{id}\" and \
         chars=\"\" to collect the remaining output."
    )
}

impl Tasks {
    pub(super) fn reading(&self, task: &str) -> Reading<'_> {
        self.known().entry(task.to_owned()).or_default().asking += 1;
        Reading { tasks: self, task: task.to_owned() }
    }

    /// Notes that tasks of a terminal end because the client wants it closed.
    pub(super) fn close(&self, terminal: &str) {
        for (task, known) in self.known().iter_mut() {
            known.has_end |= parse_task_id(task).is_some_and(|(id, _)| id == terminal);
        }
    }

    /// Whether a task ended that nobody heard of, once nobody asks about it any more.
    fn is_unheard(&self, task: &str) -> bool {
        let is_asked = |known: &mut HashMap<String, Known>| {
            known.get(task).is_some_and(|known| known.asking > 0 && !known.has_end)
        };
        let known = self.changed.wait_while(self.known(), is_asked);
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.get(task).is_none_or(|known| !known.has_end)
    }

    fn is_watched_no_more(&self, task: &str) {
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

impl Reading<'_> {
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

impl Drop for Reading<'_> {
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
        let tasks = Tasks::default();
        for has_end in [false, true] {
            let reading = tasks.reading("nothing");
            if has_end {
                reading.saw_end();
            }
            assert_eq!(tasks.known().len(), 1);
            drop(reading);
            assert_eq!(tasks.known().len(), 0);
        }
        tasks.known().entry("job".to_owned()).or_default().is_watched = true;
        tasks.reading("job").saw_end();
        assert!(!tasks.is_unheard("job"));
        let late = tasks.reading("job");
        tasks.is_watched_no_more("job");
        assert_eq!(tasks.known().len(), 1);
        drop(late);
        assert_eq!(tasks.known().len(), 0);
    }
}
