//! The host of one terminal: everything that happens to it, one thing after the other.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Resource, WaitId, WaitIdOptions, WaitOptions, getrlimit, wait, waitid};

use super::closing::Closing;
use super::config::HostConfig;
use super::connection::{Connection, Stage};
use super::held::Held;
use super::job::Job;
use super::keeper::Keeper;
use super::leftovers::HangingUp;
use super::reply::{Reply, refuse};
use super::shell::Said;
use super::task::Tasks;
use super::terminal::Terminal;
use super::view_filter::ViewFilter;
use super::waiter::Waiter;
use crate::live::agent::{Agent, AgentHash};
use crate::live::exec::unknown_job;
use crate::live::wire::{Answer, Code, Previous, Request};
use crate::pty::{Caught, Signals};

/// Clients at a time; of descriptors there are not many more.
const MOST_CLIENTS: usize = 512;
/// Descriptors for everything but clients.
const RESERVED: usize = 24;
/// How long nobody is let in where there is no descriptor to be had.
const PAUSE: Duration = Duration::from_millis(100);

/// What a terminal was opened for, and who waits for what.
pub(super) struct Host {
    pub(super) config: HostConfig,
    agent: AgentHash,
    pub(super) terminal: Terminal,
    pub(super) tasks: Tasks,
    pub(super) waiters: Vec<Waiter>,
    /// What the shell had said when a command was typed at its prompt: as long as it says no more,
    /// it has not taken it.
    pub(super) awaited: Option<Said>,
    /// A command of whose end no answer told before another one was typed.
    pub(super) previous: Option<Previous>,
    /// A command that is not typed yet.
    pub(super) held: Option<Held>,
    /// Requests that wait until the shell has dealt with an interrupt.
    pub(super) deferred: Vec<(u64, Request)>,
    pub(super) connections: Vec<Connection>,
    /// Between the output and those who look on.
    pub(super) view: ViewFilter,
    next_client: u64,
    listener: UnixListener,
    /// When to look at it again, after it could not be served.
    deaf_until: Option<Instant>,
    pub(super) socket: PathBuf,
    signals: Signals,
    last_use: Instant,
    keeper: Keeper,
    pub(super) closing: Option<Closing>,
    /// How far a job is, if it is one.
    pub(super) job: Option<Job>,
    /// What a job left behind is about to be hung up.
    pub(super) hanging_up: Option<HangingUp>,
}

impl Host {
    pub(super) fn new(
        config: HostConfig,
        terminal: Terminal,
        signals: Signals,
        listener: UnixListener,
        socket: PathBuf,
    ) -> Self {
        Self {
            agent: AgentHash::from_digits(config.agent.clone()),
            keeper: Keeper::of(&config),
            job: config.job.as_ref().map(|_| Job::default()),
            config,
            terminal,
            tasks: Tasks::default(),
            waiters: Vec::new(),
            awaited: None,
            previous: None,
            held: None,
            deferred: Vec::new(),
            connections: Vec::new(),
            view: ViewFilter::default(),
            next_client: 0,
            listener,
            deaf_until: None,
            socket,
            signals,
            last_use: Instant::now(),
            closing: None,
            hanging_up: None,
        }
    }

    pub(super) fn id(&self) -> &str {
        self.config.id()
    }

    pub(super) fn is_agent(&self, token: &str) -> bool {
        self.agent.is_of(&Agent::with_token(token.to_owned()))
    }

    /// What is said of a terminal that is not there, or not for the one who asks.
    pub(super) fn unknown(&self) -> String {
        match &self.config.job {
            Some(job) => unknown_job(&job.id),
            None => crate::live::unknown_session(self.id()),
        }
    }

    pub(super) fn used(&mut self) {
        self.last_use = Instant::now();
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Whether somebody typed and waits for what comes of it.
    pub(super) fn has_send(&self) -> bool {
        self.waiters.iter().any(|waiter| waiter.purpose.is_send())
    }

    /// Runs until the terminal is closed and everybody was told.
    pub(super) fn run(mut self) -> io::Result<()> {
        loop {
            let ready = self.wait()?;
            if ready.signals {
                self.take_signals();
            }
            if ready.readable {
                self.terminal.read_output();
            }
            if ready.writable {
                self.terminal.write_input();
            }
            // Before others come, for which silent ones may have to go.
            self.serve(&ready.clients);
            if ready.listener {
                self.accept();
            }
            if ready.keeper {
                self.keeper = Keeper::Gone;
            }
            self.work();
            if self.is_done() {
                return Ok(());
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, self.terminal.takes_output());
        let is_typing = self.terminal.input.is_waiting() && !self.terminal.has_ended();
        flags.set(PollFlags::OUT, is_typing && !self.terminal.pty.is_pipes());
        let mut listening = PollFlags::empty();
        listening.set(PollFlags::IN, self.deaf_end().is_none());
        let mut polled =
            vec![PollFd::new(&self.signals, PollFlags::IN), PollFd::new(&self.listener, listening)];
        let has_pty = !flags.is_empty() && self.terminal.takes_output();
        if has_pty {
            polled.push(PollFd::new(&self.terminal.pty, flags));
        }
        // With pipes, input has a descriptor of its own.
        let writes = self.terminal.pty.is_pipes() && is_typing;
        let keyboard = self.terminal.pty.keyboard().filter(|_| writes);
        if let Some(keyboard) = keyboard {
            polled.push(PollFd::new(keyboard, PollFlags::OUT));
        }
        let first = polled.len();
        for connection in &self.connections {
            polled.push(PollFd::new(connection, connection.events()));
        }
        // Behind the clients, so that those keep their places.
        polled.extend(self.keeper.end().map(|end| PollFd::new(end, PollFlags::IN)));
        let now = Instant::now();
        let timeout = self.due().map(|due| due.saturating_duration_since(now));
        // The clock of the system must not make this a loop without a pause.
        let timeout = timeout.map(|timeout| timeout + Duration::from_micros(500));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut polled, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let events: Vec<PollFlags> = polled.iter().map(PollFd::revents).collect();
        let pty = if has_pty { events[2] } else { PollFlags::empty() };
        let is_writable = keyboard.is_some() && !events[first - 1].is_empty();
        let readable = PollFlags::IN | PollFlags::HUP | PollFlags::ERR;
        Ok(Ready {
            signals: !events[0].is_empty(),
            listener: !events[1].is_empty(),
            readable: pty.intersects(readable),
            writable: is_writable || pty.contains(PollFlags::OUT),
            keeper: self.keeper.end().is_some()
                && events.last().is_some_and(|flags| !flags.is_empty()),
            clients: events[first..].to_vec(),
        })
    }

    fn due(&self) -> Option<Instant> {
        let mut due: Vec<Instant> =
            self.waiters.iter().map(|waiter| waiter.wait.due(&self.terminal)).collect();
        due.extend(self.terminal.due());
        due.extend(self.held.as_ref().map(Held::due));
        due.extend(self.terminal.settling_due());
        due.extend(self.connections.iter().filter_map(Connection::due));
        due.extend(self.hanging_up.iter().map(|hangup| hangup.due));
        due.extend(self.deaf_end());
        match &self.closing {
            Some(closing) if closing.survivors.is_none() => due.push(closing.ending.due),
            Some(_) => {}
            None => due.extend(self.idle_end()),
        }
        due.into_iter().min()
    }

    fn deaf_end(&self) -> Option<Instant> {
        self.deaf_until.filter(|end| *end > Instant::now())
    }

    fn idle_end(&self) -> Option<Instant> {
        let timeout = self.config.idle_timeout;
        let is_used = |client: &Connection| !matches!(client.stage, Stage::Asking | Stage::Gone);
        let is_used = !self.waiters.is_empty() || self.connections.iter().any(is_used);
        (timeout > 0 && !is_used)
            .then(|| self.last_use.checked_add(Duration::from_secs(timeout)))
            .flatten()
    }

    fn take_signals(&mut self) {
        for caught in self.signals.take() {
            match caught {
                Caught::Child => self.reap(),
                Caught::Hangup | Caught::Terminate | Caught::Interrupt | Caught::Quit => {
                    self.close();
                }
                Caught::Continue | Caught::Stop | Caught::Resize => {}
            }
        }
    }

    /// Takes note of the ends of the program and of what was handed to us.
    pub(super) fn reap(&mut self) {
        // In a terminal a shell is the one to know what is stopped.
        let options = match self.job {
            Some(_) => WaitOptions::NOHANG | WaitOptions::UNTRACED,
            None => WaitOptions::NOHANG,
        };
        while let Ok(Some((pid, status))) = wait(options) {
            if pid != self.terminal.leader {
                continue;
            }
            match status.stopping_signal() {
                Some(signal) => self.terminal.stopped(signal),
                None => self.terminal.ended(status),
            }
        }
    }

    /// Whether anything is left of the program, or was handed to us.
    pub(super) fn has_children(&mut self) -> bool {
        self.reap();
        let any = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::All, any), Err(Errno::CHILD))
    }

    fn accept(&mut self) {
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if is_passing(&error) => continue,
                Err(error) if needs_descriptor(&error) && self.drop_silent() => continue,
                // Who waits to be let in is still there, so this would be a loop without a pause.
                Err(_) => {
                    self.deaf_until = Some(Instant::now() + PAUSE);
                    return;
                }
            };
            if !self.has_room() {
                continue;
            }
            if let Ok(connection) = Connection::new(self.next_client, stream) {
                self.next_client += 1;
                self.connections.push(connection);
            }
        }
    }

    /// Whether one more client may be served. Where none is silent, the new one is turned away.
    fn has_room(&mut self) -> bool {
        if self.connections.len() < most_clients() {
            return true;
        }
        // What was asked meanwhile is answered first: who only asks how things are goes at once.
        let event = |client: &Connection| match client.stage {
            Stage::Asking => PollFlags::IN,
            _ => PollFlags::empty(),
        };
        let events: Vec<_> = self.connections.iter().map(event).collect();
        self.serve(&events);
        self.settle_pages();
        self.forget_gone();
        self.connections.len() < most_clients() || self.drop_silent()
    }

    /// Why nobody else may wait, if that is so: there is to be room for those who only ask how things
    /// are or end them, and, since who reads on may be many, for those who type.
    pub(super) fn crowd(&self, types: bool) -> Option<Reply> {
        let most = most_clients();
        let most = most - (most / if types { 8 } else { 4 });
        let stays = |client: &&Connection| !matches!(client.stage, Stage::Asking | Stage::Gone);
        // The one that asks is among them.
        let there = self.connections.iter().filter(stays).count().saturating_sub(1);
        (there >= most).then(|| {
            let what = if self.job.is_some() { "exec job" } else { "PTY session" };
            let id = self.id();
            let message = format!(
                "{what} {id} is busy: {there} others wait for it already, which is as many as may"
            );
            refuse(Code::Busy, message)
        })
    }

    /// Lets a client go that asked nothing, if there is one: who came first has had the most time
    /// for it.
    fn drop_silent(&mut self) -> bool {
        let is_silent = |client: &Connection| client.stage == Stage::Asking;
        let silent = self.connections.iter().position(is_silent);
        silent.map(|index| self.connections.remove(index)).is_some()
    }

    fn serve(&mut self, events: &[PollFlags]) {
        let ready: Vec<(u64, PollFlags)> = self
            .connections
            .iter()
            .zip(events)
            .filter(|(_, events)| !events.is_empty())
            .map(|(connection, events)| (connection.number, *events))
            .collect();
        let mut before = Vec::with_capacity(ready.len());
        for (number, events) in ready {
            if let Some(connection) = self.connection(number) {
                before.push((number, connection.stage));
                connection.write();
                connection.read(events);
            }
        }
        // Who asks gets to know of all that the others did until then.
        for (number, before) in before {
            let Some(connection) = self.connection(number) else {
                continue;
            };
            match (before, connection.stage) {
                (_, Stage::Asking) => {
                    if let Some(line) = connection.take_request() {
                        connection.stage = Stage::Waiting;
                        self.ask(number, &line);
                    }
                }
                // What was sent just before the end counts as well.
                (Stage::Watching { read_only }, _) => self.take_frames(number, read_only),
                _ => {}
            }
        }
    }

    fn ask(&mut self, client: u64, line: &[u8]) {
        let reply = self.take_request(client, line);
        self.reply(client, reply);
    }

    pub(super) fn reply(&mut self, client: u64, reply: Reply) {
        match reply {
            // The request was use, if it was any.
            Reply::Now(answer) => self.deliver(client, &answer),
            Reply::Later => {}
            Reply::Watch { read_only } => self.watch(client, read_only),
        }
    }

    pub(super) fn connection(&mut self, number: u64) -> Option<&mut Connection> {
        self.connections.iter_mut().find(|connection| connection.number == number)
    }

    pub(super) fn answer(&mut self, client: u64, answer: &Answer) {
        // Who waited until now has used it until now.
        self.used();
        self.deliver(client, answer);
    }

    fn deliver(&mut self, client: u64, answer: &Answer) {
        if let Some(connection) = self.connection(client) {
            connection.answer(answer);
            connection.write();
        }
    }

    /// What is due by the clock, and what is over.
    fn work(&mut self) {
        self.terminal.work();
        self.do_deferred();
        self.type_held_back();
        if !self.terminal.has_ended() {
            self.terminal.write_input();
        }
        self.show_watchers();
        self.look_at_waits();
        let is_idle = self.idle_end().is_some_and(|end| end <= Instant::now());
        if is_idle || matches!(self.keeper, Keeper::Gone) {
            self.close();
        }
        self.work_on_end();
        self.settle_pages();
        self.hanging_up.take_if(HangingUp::work);
        // Last, so that who was told something is let go.
        self.forget_gone();
    }

    /// Clients that are gone wait no more; what they typed goes on.
    fn forget_gone(&mut self) {
        let now = Instant::now();
        self.connections.retain(|connection| {
            connection.stage != Stage::Gone && connection.due().is_none_or(|due| due > now)
        });
        let there: Vec<u64> = self.connections.iter().map(|client| client.number).collect();
        self.waiters.retain(|waiter| waiter.client.is_none_or(|client| there.contains(&client)));
        let is_watching = |client: &Connection| matches!(client.stage, Stage::Watching { .. });
        self.terminal.is_watched = self.connections.iter().any(is_watching);
    }

    fn is_done(&self) -> bool {
        let has_left = self.closing.as_ref().is_some_and(|closing| closing.has_left)
            || self.job.as_ref().is_some_and(|job| job.has_left);
        // Who looks on may have stopped reading for good.
        let is_told = |client: &Connection| {
            matches!(client.stage, Stage::Watching { .. }) || !client.has_to_send()
        };
        let is_ending = self.closing.as_ref().is_some_and(|closing| !closing.has_left);
        has_left && !is_ending && self.hanging_up.is_none() && self.connections.iter().all(is_told)
    }
}

/// Clients that may be served at a time.
fn most_clients() -> usize {
    let limit = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    limit.map_or(MOST_CLIENTS, |limit| limit.saturating_sub(RESERVED).clamp(1, MOST_CLIENTS))
}

/// Whether the next try may be a better one.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted)
}

fn needs_descriptor(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

/// What can be done without waiting.
#[expect(clippy::struct_excessive_bools, reason = "one for each thing that is polled")]
struct Ready {
    signals: bool,
    listener: bool,
    readable: bool,
    writable: bool,
    keeper: bool,
    clients: Vec<PollFlags>,
}
