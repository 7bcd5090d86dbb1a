//! Tasks that end while nobody waits for them: their client is told once.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rmcp::service::{Peer, RoleServer};
use serde_json::Value;
use tokio::runtime::Handle;

use super::server::Loudness;
use super::session::Session;
use crate::live::wire::{TaskRow, TaskStatus};
use crate::live::{Client, HangUp, terminals};

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
    pub(super) fn watch(&self, session: &Arc<Session>, client: &Client, task: &str) {
        let (announcer, session) = (self.clone(), Arc::clone(session));
        let (hang_up, task) = (HangUp::default(), task.to_owned());
        let client = client.until(&hang_up);
        // A thread that cannot be had costs a notice, and the task goes on.
        let watch = move || {
            let Ok(row) = terminals::task_end(&client, &task, WATCHED_MS) else {
                return;
            };
            if row.status != TaskStatus::Running && session.tasks().is_unheard(&task) {
                announcer.announce(&session, &row);
            }
        };
        std::thread::Builder::new().spawn(watch).map(drop).unwrap_or_default();
    }

    fn announce(&self, session: &Session, row: &TaskRow) {
        // One that began otherwise takes notices in answer to a subscription only.
        let takes_notices = self.peer.peer_info().is_some() && self.loudness.takes_info();
        if !takes_notices || session.is_over() {
            return;
        }
        let notice = super::server::info(Value::String(notice(row)));
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

impl Tasks {
    pub(super) fn reading(&self, task: &str) -> Reading<'_> {
        self.known().entry(task.to_owned()).or_default().asking += 1;
        Reading { tasks: self, task: task.to_owned() }
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
            if known.asking == 0 && !known.has_end {
                all.remove(&self.task);
            }
        }
        drop(all);
        self.tasks.changed.notify_all();
    }
}
