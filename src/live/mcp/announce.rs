//! Tasks and jobs that end while nobody waits for them: their client is told once.

use std::sync::Arc;

use rmcp::service::{Peer, RoleServer};
use serde_json::Value;
use tokio::runtime::Handle;

use super::loudness::{Loudness, info};
use super::session::Session;
use crate::live::exec::{JobRow, job_wait};
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
            let row = job_wait(client, job).ok()?;
            matches!(row.status, "completed" | "failed").then(|| job_notice(&row))
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
        session.tasks().watch(id);
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
        let notice = info(Value::String(notice));
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
    if let Some(error) = &row.error {
        return format!("exec job {id} failed: {error}.");
    }
    let code = row.exit_code.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
    let signal = row.signal.as_ref().map(|signal| format!(" ({signal})")).unwrap_or_default();
    format!(
        "exec job {id} exited with code {code}{signal}. Call write_stdin with job_id=\"{id}\" and \
         chars=\"\" to collect the remaining output."
    )
}
