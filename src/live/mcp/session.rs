//! What the calls of a connection share, and its end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::options::McpOptions;
use super::tasks::Tasks;
use crate::live::exec::close_jobs;
use crate::live::{Agent, Client, HangUp, LiveError, Runtime, terminals};

/// How long calls get to notice that they are over. Starting a host is what takes the longest.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long terminals and jobs get to end. One that takes longer ends with this process, or with
/// whoever stopped its host.
const CLOSING: Duration = Duration::from_secs(10);

/// One connection of one agent, whom nobody else knows.
pub(super) struct Session {
    pub(super) options: McpOptions,
    client: Client,
    tasks: Arc<Tasks>,
    calls: Mutex<Calls>,
    over: Condvar,
}

#[derive(Default)]
struct Calls {
    is_over: bool,
    next: u64,
    open: Vec<(u64, HangUp)>,
}

impl Session {
    pub(super) fn open(options: McpOptions) -> Result<Arc<Self>, LiveError> {
        let runtime = Runtime::open()?;
        let agent = Agent::fresh().map_err(|error| LiveError::Open(error.to_string()))?;
        Ok(Arc::new(Self {
            client: Client::of(&runtime, agent)?.tied(),
            options,
            tasks: Arc::default(),
            calls: Mutex::default(),
            over: Condvar::new(),
        }))
    }

    /// Begins a call, whose waits end with `hang_up`: its number, and its way to the hosts.
    pub(super) fn begin(&self, hang_up: HangUp) -> (u64, Client) {
        let mut calls = self.calls();
        if calls.is_over {
            hang_up.now();
        }
        let client = self.client.until(&hang_up);
        let number = calls.next;
        calls.next += 1;
        calls.open.push((number, hang_up));
        (number, client)
    }

    /// A call is over.
    pub(super) fn end_call(&self, number: u64) {
        self.calls().open.retain(|(known, _)| *known != number);
        self.over.notify_all();
    }

    /// The agent's way to the hosts, beyond any call.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn tasks(&self) -> &Arc<Tasks> {
        &self.tasks
    }

    /// Whether the connection is ending.
    pub(super) fn is_over(&self) -> bool {
        self.calls().is_over
    }

    /// Ends all waits, those of later calls too.
    pub(super) fn hang_up(&self) {
        let mut calls = self.calls();
        calls.is_over = true;
        calls.open.iter().for_each(|(_, hang_up)| hang_up.now());
    }

    /// Ends the connection: the waits first, then all that was opened in it.
    pub(super) fn end(&self) {
        self.hang_up();
        // A terminal that is just being opened is to be among those that are closed.
        let calls =
            self.over.wait_timeout_while(self.calls(), PATIENCE, |calls| !calls.open.is_empty());
        drop(calls);
        let rows = self.client.list().unwrap_or_default();
        let late = HangUp::default();
        let client = self.client.until(&late);
        let (client, late) = (&client, &late);
        let (closing, closed) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            for row in &rows {
                let closing = closing.clone();
                scope.spawn(move || {
                    // One that is gone already is none to be closed.
                    terminals::close(client, &row.session_id).map(drop).unwrap_or_default();
                    drop(closing);
                });
            }
            scope.spawn(move || {
                // Those that cannot be ended are left to the end of this process.
                close_jobs(client).unwrap_or_default();
                drop(closing);
            });
            // Nobody sends anything: it is over once all are through.
            if closed.recv_timeout(CLOSING) == Err(RecvTimeoutError::Timeout) {
                late.now();
            }
        });
        self.client.forget();
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        // Nothing is left half done where it is held.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
