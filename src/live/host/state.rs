//! The host of one terminal: everything that happens to it, one thing after the other.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{WaitOptions, wait};

use super::config::HostConfig;
use super::connection::{Connection, Stage};
use super::held::Held;
use super::requests::Reply;
use super::task::{Outcome, Task};
use super::terminal::Terminal;
use super::tree::{Ending, Progress};
use super::wait::{Goal, Over, Wait};
use crate::live::agent::{Agent, AgentHash};
use crate::live::runtime::{AgentFolder, Tombstone};
use crate::live::wire::{
    Answer, Code, Refusal, Sent, Shown, TaskOutput, Value, WaitReason, Waiting,
};
use crate::pty::{Caught, Signals};
use crate::screen::Size;

/// Clients at a time; of descriptors there are not many more.
const MOST_CLIENTS: usize = 256;

/// What a terminal was opened for, and who waits for what.
pub(super) struct Host {
    pub(super) config: HostConfig,
    agent: AgentHash,
    pub(super) terminal: Terminal,
    pub(super) tasks: Vec<Task>,
    pub(super) waiters: Vec<Waiter>,
    /// A command that is not typed yet.
    pub(super) held: Option<Held>,
    connections: Vec<Connection>,
    next_client: u64,
    listener: UnixListener,
    socket: PathBuf,
    signals: Signals,
    last_use: Instant,
    closing: Option<Closing>,
}

/// Somebody who waits.
pub(super) struct Waiter {
    /// Who; none for a task.
    pub(super) client: Option<u64>,
    pub(super) purpose: Purpose,
    pub(super) wait: Wait,
    /// The longest text of the answer in bytes.
    pub(super) most: usize,
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Send,
    Wait,
    Task(u64),
    TaskOutput(u64),
}

/// The end, or a new beginning.
struct Closing {
    ending: Ending,
    /// Clients to be told, and what.
    clients: Vec<(u64, &'static str)>,
    /// A client that wants a new beginning, and where.
    restart: Option<(u64, Waiting, PathBuf)>,
    survivors: Option<Vec<i32>>,
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
            config,
            terminal,
            tasks: Vec::new(),
            waiters: Vec::new(),
            held: None,
            connections: Vec::new(),
            next_client: 0,
            listener,
            socket,
            signals,
            last_use: Instant::now(),
            closing: None,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.config.terminal
    }

    pub(super) fn is_agent(&self, token: &str) -> bool {
        self.agent.is_of(&Agent::with_token(token.to_owned()))
    }

    /// What is said of a terminal that is not there, or not for the one who asks.
    pub(super) fn unknown(&self) -> String {
        crate::live::unknown_session(self.id())
    }

    pub(super) fn used(&mut self) {
        self.last_use = Instant::now();
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// Whether somebody typed and waits for what comes of it.
    pub(super) fn has_send(&self) -> bool {
        self.waiters.iter().any(|waiter| is_send(waiter.purpose))
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
            if ready.listener {
                self.accept();
            }
            self.serve(&ready.clients);
            self.work();
            if self.is_done() {
                return Ok(());
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, self.terminal.takes_output());
        flags.set(PollFlags::OUT, self.terminal.input.is_waiting() && !self.terminal.has_ended());
        let mut polled = vec![
            PollFd::new(&self.signals, PollFlags::IN),
            PollFd::new(&self.listener, PollFlags::IN),
        ];
        let has_pty = !flags.is_empty() && self.terminal.takes_output();
        if has_pty {
            polled.push(PollFd::new(&self.terminal.pty, flags));
        }
        let first = polled.len();
        for connection in &self.connections {
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, connection.has_to_send());
            polled.push(PollFd::new(connection, flags));
        }
        let now = Instant::now();
        let timeout = self.due().map(|due| due.saturating_duration_since(now));
        // The clock of the system must not make this a loop without a pause.
        let timeout = timeout.map(|timeout| timeout + Duration::from_micros(500));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut polled, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let events: Vec<PollFlags> = polled.iter().map(PollFd::revents).collect();
        let pty = if has_pty { events[2] } else { PollFlags::empty() };
        let readable = PollFlags::IN | PollFlags::HUP | PollFlags::ERR;
        Ok(Ready {
            signals: !events[0].is_empty(),
            listener: !events[1].is_empty(),
            readable: pty.intersects(readable),
            writable: pty.contains(PollFlags::OUT),
            clients: events[first..].iter().map(|flags| !flags.is_empty()).collect(),
        })
    }

    fn due(&self) -> Option<Instant> {
        let mut due: Vec<Instant> =
            self.waiters.iter().map(|waiter| waiter.wait.due(&self.terminal)).collect();
        due.extend(self.terminal.due());
        due.extend(self.held.as_ref().map(Held::due));
        due.extend(self.connections.iter().filter_map(Connection::due));
        match &self.closing {
            Some(closing) if closing.survivors.is_none() => due.push(closing.ending.due),
            Some(_) => {}
            None => due.extend(self.idle_end()),
        }
        due.into_iter().min()
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
    fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.terminal.leader {
                self.terminal.ended(status);
            }
        }
    }

    fn accept(&mut self) {
        while let Ok((stream, _)) = self.listener.accept() {
            if !self.has_room() {
                continue;
            }
            if let Ok(connection) = Connection::new(self.next_client, stream) {
                self.next_client += 1;
                self.connections.push(connection);
            }
        }
    }

    /// Whether one more client may be served. Who came first and still asked nothing has had the
    /// most time for it, and gives way; where none is such, the new one is turned away.
    fn has_room(&mut self) -> bool {
        let there = self.connections.iter().filter(|client| client.stage != Stage::Gone).count();
        if there < MOST_CLIENTS {
            return true;
        }
        let is_silent = |client: &&mut Connection| client.stage == Stage::Asking;
        match self.connections.iter_mut().find(is_silent) {
            Some(silent) => silent.leave(),
            None => return false,
        }
        true
    }

    fn serve(&mut self, ready: &[bool]) {
        let ready: Vec<u64> = self
            .connections
            .iter()
            .zip(ready)
            .filter(|(_, ready)| **ready)
            .map(|(connection, _)| connection.number)
            .collect();
        for number in ready {
            let Some(connection) = self.connection(number) else {
                continue;
            };
            connection.write();
            connection.read();
            match connection.stage {
                Stage::Asking => {
                    if let Some(line) = connection.take_request() {
                        connection.stage = Stage::Waiting;
                        self.ask(number, &line);
                    }
                }
                Stage::Watching { read_only } => self.take_frames(number, read_only),
                _ => {}
            }
        }
    }

    fn ask(&mut self, client: u64, line: &[u8]) {
        match self.take_request(client, line) {
            Reply::Now(answer) => self.answer(client, &answer),
            Reply::Later => {}
            Reply::Watch { read_only } => self.watch(client, read_only),
        }
    }

    fn connection(&mut self, number: u64) -> Option<&mut Connection> {
        self.connections.iter_mut().find(|connection| connection.number == number)
    }

    fn answer(&mut self, client: u64, answer: &Answer) {
        // Who waited until now has used it until now.
        self.used();
        if let Some(connection) = self.connection(client) {
            connection.answer(answer);
            connection.write();
        }
    }

    /// What is due by the clock, and what is over.
    fn work(&mut self) {
        self.terminal.work();
        self.type_held_back();
        if !self.terminal.has_ended() {
            self.terminal.write_input();
        }
        self.show_watchers();
        self.look_at_waits();
        self.forget_gone();
        if self.idle_end().is_some_and(|end| end <= Instant::now()) {
            self.close();
        }
        self.work_on_end();
    }

    /// Types what had to wait for the shell. What was before that says nothing of what comes of it.
    fn type_held_back(&mut self) {
        let is_due = |held: &mut Held| held.is_due(&self.terminal);
        let Some(held) = self.held.take_if(|held| is_due(held)) else {
            return;
        };
        for waiter in &mut self.waiters {
            if is_send(waiter.purpose) {
                waiter.wait.begin_anew(&self.terminal);
            }
        }
        let bytes = self.typed(held.text(), true);
        self.terminal.type_keys(&bytes);
    }

    fn look_at_waits(&mut self) {
        let mut index = 0;
        while index < self.waiters.len() {
            let has_send = self.has_send();
            let waiter = &mut self.waiters[index];
            let is_over = match waiter.purpose {
                Purpose::TaskOutput(number) => {
                    let is_finished = self
                        .tasks
                        .iter()
                        .any(|task| task.number == number && task.outcome.is_some());
                    let is_late = Instant::now() >= waiter.wait.deadline;
                    (is_finished || is_late).then(|| Over::by(WaitReason::Timeout))
                }
                purpose => {
                    // What is there before the end of what was typed is not what comes of it.
                    let is_before =
                        has_send && purpose == Purpose::Wait && waiter.wait.is_for_ready();
                    let is_typed = !is_before && (self.held.is_none() || !is_send(purpose));
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
    fn tell(&mut self, waiter: &Waiter, over: Over) {
        if is_send(waiter.purpose) && self.held.take().is_some() {
            let note = "nothing was typed: the shell has shown no prompt yet";
            self.terminal.complaints.push(note.to_owned());
        }
        if matches!(over.reason, WaitReason::Timeout | WaitReason::InferredIdle) {
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
                if let Some(task) = self.tasks.iter_mut().find(|task| task.number == number) {
                    task.outcome = Some(outcome);
                }
            }
            (Purpose::TaskOutput(number), Some(client)) => {
                if let Some(output) = self.output_of(number, waiter.most) {
                    self.answer(client, &Answer::Done(Value::Output(output)));
                }
            }
            (_, Some(client)) => {
                // Who waits without typing takes nothing away from who types.
                let quietly = waiter.purpose == Purpose::Wait && self.has_send();
                let mut over = over;
                // The shell's own files have printed what they print, before a first prompt.
                over.ended |= waiter.purpose == Purpose::Open && self.terminal.shell.said.ends > 0;
                self.terminal.shell.is_untold &= !over.ended;
                let sent = self.sent(over, waiter.most, quietly);
                self.answer(client, &Answer::Done(Value::Sent(sent)));
            }
            (_, None) => {}
        }
    }

    fn exit_code(&self, over: &Over) -> Option<i64> {
        let is_known = over.ran && over.reason == WaitReason::Prompt;
        self.terminal.shell.status.filter(|_| is_known)
    }

    fn sent(&mut self, over: Over, most: usize, quietly: bool) -> Sent {
        let exit_code = self.exit_code(&over);
        // What was before the end is in blocks; what stands at the prompt is for the next answer.
        let at_prompt = over.reason == WaitReason::Prompt && over.ended;
        let shown =
            if quietly { Shown::default() } else { self.terminal.take_new(most, at_prompt) };
        let is_shell = self.terminal.shell.is_hooked && !self.terminal.has_ended();
        Sent {
            session_id: self.id().to_owned(),
            shown,
            wait_reason: over.reason,
            session_status: self.terminal.status(),
            exit_code,
            cwd: if is_shell { self.cwd() } else { None },
            notes: std::mem::take(&mut self.terminal.complaints),
            echo_off: over.echo_off,
            continuation: over.continuation,
            inside: self.inside(),
        }
    }

    /// What a task has to say that it did not say yet.
    pub(super) fn output_of(&mut self, number: u64, most: usize) -> Option<TaskOutput> {
        let index = self.tasks.iter().position(|task| task.number == number)?;
        let task = self.tasks[index].clone();
        let ran = task
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.over.ran && outcome.over.reason == WaitReason::Prompt);
        let shown = self.terminal.take_new(most, ran);
        Some(TaskOutput { task_id: task.id(self.id()), shown, status: task.status() })
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

    fn watch(&mut self, client: u64, read_only: bool) {
        let screen = crate::snapshot::serialize(self.terminal.screen());
        let connection = self.connections.iter_mut().find(|known| known.number == client);
        if let Some(connection) = connection {
            connection.stage = Stage::Watching { read_only };
            connection.send_line(&Answer::Done(Value::Attached));
            connection.send(screen.as_bytes());
        }
        self.terminal.watchers.clear();
        self.terminal.is_watched = true;
    }

    fn show_watchers(&mut self) {
        let pieces: VecDeque<Vec<u8>> = std::mem::take(&mut self.terminal.watchers);
        for connection in &mut self.connections {
            if matches!(connection.stage, Stage::Watching { .. }) {
                for piece in &pieces {
                    connection.send(piece);
                }
                connection.write();
                if self.terminal.is_over() && !connection.has_to_send() {
                    connection.stage = Stage::Gone;
                }
            }
        }
    }

    /// Frames of a client that looks on: a letter, four bytes of length, data. `i` is input, `r` a
    /// size, two bytes for the columns and two for the rows.
    fn take_frames(&mut self, number: u64, read_only: bool) {
        loop {
            let Some(connection) = self.connection(number) else {
                return;
            };
            let received = connection.take_received();
            let Some((kind, length)) = frame(received) else {
                return;
            };
            if received.len() < 5 + length {
                return;
            }
            let data: Vec<u8> = received.drain(..5 + length).skip(5).collect();
            if read_only {
                continue;
            }
            match (kind, data.as_slice()) {
                (b'i', keys) => self.terminal.type_keys(keys),
                (b'r', &[a, b, c, d]) => {
                    let size = Size::new(u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                    if let Some(size) = size {
                        self.terminal.resize(size).unwrap_or_default();
                    }
                }
                _ => {}
            }
        }
    }

    /// Ends the terminal, without anybody who waits for that.
    fn close(&mut self) {
        if self.closing.is_none() {
            let ending = Ending::begin(&self.socket, &self.terminal.pty);
            self.closing =
                Some(Closing { ending, clients: Vec::new(), restart: None, survivors: None });
        }
    }

    pub(super) fn close_for(&mut self, client: u64, outcome: &'static str) {
        self.close();
        if let Some(closing) = &mut self.closing {
            // An end is more than a new beginning.
            closing.restart = None;
            closing.clients.push((client, outcome));
        }
    }

    pub(super) fn restart(&mut self, client: u64, wait: Waiting) -> Reply {
        let cwd = self.cwd().map_or_else(|| self.config.cwd.clone(), PathBuf::from);
        self.close();
        if let Some(closing) = &mut self.closing {
            closing.restart = Some((client, wait, cwd));
        }
        Reply::Later
    }

    fn work_on_end(&mut self) {
        self.reap();
        let Some(closing) = &mut self.closing else {
            return;
        };
        if closing.survivors.is_none() {
            match closing.ending.work(&self.terminal.pty) {
                Progress::Going => return,
                Progress::Over(left) => {
                    let pids = left.iter().map(|process| process.pid.as_raw_nonzero().get());
                    closing.survivors = Some(pids.collect());
                }
            }
        }
        // Its last output comes after its end. One that cannot be ended is left alone.
        if !self.terminal.is_over() {
            if self.terminal.has_ended() {
                return;
            }
            self.terminal.finish();
        }
        self.look_at_waits();
        let Some(closing) = self.closing.take() else {
            return;
        };
        match closing.restart {
            Some((client, wait, cwd)) => self.begin_again(client, wait, cwd),
            None => {
                let survivors = closing.survivors.clone().unwrap_or_default();
                for &(client, outcome) in &closing.clients {
                    let answer = self.closed(outcome, &survivors);
                    self.answer(client, &answer);
                }
                self.leave(&survivors);
                self.closing = Some(closing);
            }
        }
    }

    /// The name goes; for a while it is known that it was there.
    fn leave(&mut self, survivors: &[i32]) {
        fs::remove_file(&self.socket).unwrap_or_default();
        if let Some(folder) = self.socket.parent() {
            let tombstone =
                Tombstone { status: self.terminal.status(), survivors: survivors.to_vec() };
            AgentFolder::at(folder).bury(self.id(), &tombstone).unwrap_or_default();
        }
    }

    fn begin_again(&mut self, client: u64, wait: Waiting, cwd: PathBuf) {
        let size = self.terminal.screen().size();
        self.config.cwd = cwd;
        let opened = Terminal::open(&self.config, size);
        match opened {
            Ok(mut terminal) => {
                terminal.complaints.push("the state of the old shell is lost".to_owned());
                self.terminal = terminal;
                let goal = Goal::Ready { command: false, typed: false };
                let longest = Duration::from_millis(wait.timeout_ms);
                let begun = Wait::begin(goal, &self.terminal, longest);
                self.waiters.push(Waiter {
                    client: Some(client),
                    purpose: Purpose::Open,
                    wait: begun,
                    most: wait.max_bytes,
                });
            }
            Err(error) => {
                let refusal = Refusal { code: Code::System, message: error.to_string() };
                self.answer(client, &Answer::Error(refusal));
            }
        }
    }

    fn is_done(&self) -> bool {
        let is_closed = self.closing.as_ref().is_some_and(|closing| closing.survivors.is_some());
        let is_told = self.connections.iter().all(|connection| !connection.has_to_send());
        is_closed && is_told && !self.socket.exists()
    }
}

/// Whether who waits for this typed something.
fn is_send(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Send | Purpose::Task(_))
}

fn frame(received: &[u8]) -> Option<(u8, usize)> {
    let &[kind, a, b, c, d, ..] = received else {
        return None;
    };
    Some((kind, usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?))
}

/// What can be done without waiting.
#[expect(clippy::struct_excessive_bools, reason = "one for each thing that is polled")]
struct Ready {
    signals: bool,
    listener: bool,
    readable: bool,
    writable: bool,
    clients: Vec<bool>,
}
