//! A call of a tool, from its beginning to its end.

use std::sync::Arc;

use super::announce::Announcer;
use super::options::McpOptions;
use super::session::Session;
use super::tasks::Reading;
use crate::live::{Client, HangUp};

/// A call, as long as it works.
pub(super) struct Call<'a> {
    session: &'a Arc<Session>,
    client: Client,
    number: u64,
    announcer: Announcer,
}

impl<'a> Call<'a> {
    /// Begins one, whose waits end with `hang_up`.
    pub(super) fn begin(session: &'a Arc<Session>, hang_up: HangUp, announcer: Announcer) -> Self {
        let (number, client) = session.begin(hang_up);
        Self { session, client, number, announcer }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn options(&self) -> &McpOptions {
        &self.session.options
    }

    /// Has the end of a task announced, unless somebody hears of it before.
    pub(super) fn announce_end(&self, task: &str) {
        self.announcer.watch_task(self.session, self.session.client(), task);
    }

    /// The same for a job.
    pub(super) fn announce_job_end(&self, job: &str) {
        self.announcer.watch_job(self.session, self.session.client(), job);
    }

    /// What does that, whether or not the call goes on.
    pub(super) fn job_announcement(&self, job: &str) -> impl FnOnce() + Send + use<> {
        let (announcer, session) = (self.announcer.clone(), Arc::clone(self.session));
        let job = job.to_owned();
        move || announcer.watch_job(&session, session.client(), &job)
    }

    /// Notes that a terminal is being closed, and its tasks with it.
    pub(super) fn closes(&self, terminal: &str) {
        self.session.tasks().close(terminal);
    }

    /// Notes that a task or a job is being asked about.
    pub(super) fn reads_task(&self, task: &str) -> Reading {
        self.session.tasks().reading(task)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.session.end_call(self.number);
    }
}
