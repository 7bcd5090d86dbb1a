//! What becomes of each request.

use std::borrow::Cow;
use std::time::Duration;

use regex::{Regex, RegexBuilder};

use super::held::{Held, Hold, needs_paste};
use super::reply::{Reply, done, refuse};
use super::screen_now::{Wanted, lines, screen_now};
use super::shell::{CANCEL, Phase};
use super::state::Host;
use super::task::{Task, parse_task_id, task_id};
use super::wait::{Goal, Wait};
use super::waiter::{Purpose, Waiter};
use crate::live::keys::key_bytes;
use crate::live::wire::{
    Answer, Call, CloseOutcome, Closed, Code, Frozen, JobRequest, LONGEST_TEXT, Request, Row,
    Signalled, TaskKilled, TaskRow, TaskStarted, Until, Value, Waiting, too_long,
};
use crate::pty::{
    Doing, LineMode, folder_of, foreground, foreground_group, foreground_name, name_of,
    signal_group,
};
use crate::record::{self, SizeChoice};
use crate::screen::Size;

use rustix::process::Signal;

/// Programs that show one page after the other, not all of them on a screen of their own.
const PAGERS: [&str; 4] = ["less", "more", "most", "pg"];
/// What a task is called that types what is not shown.
const HIDDEN: &str = "(hidden input)";
/// Longest history that is read at once, in bytes.
const MOST_READ: usize = 256 << 10;

impl Host {
    /// Takes a request of a client.
    pub(super) fn take_request(&mut self, client: u64, line: &[u8]) -> Reply {
        let call: Call = match serde_json::from_slice(line) {
            Ok(call) => call,
            Err(error) => return refuse(Code::Invalid, format!("unreadable request: {error}")),
        };
        let is_allowed = match &call.agent {
            Some(token) => self.is_agent(token),
            // The user may look and end, which the system allows anyway.
            None => matches!(
                call.request,
                Request::Status | Request::Close | Request::Job(JobRequest::Status)
            ),
        };
        if !is_allowed {
            return refuse(Code::NoSession, self.unknown());
        }
        // Who looks whether there are any does not keep them.
        if !matches!(call.request, Request::Status | Request::Job(JobRequest::Status)) {
            self.used();
        }
        if self.comes_after(&call.request) {
            self.deferred.push((client, call.request));
            return Reply::Later;
        }
        self.do_request(client, call.request)
    }

    pub(super) fn do_request(&mut self, client: u64, request: Request) -> Reply {
        let types = match &request {
            Request::Job(JobRequest::Write { chars, eof, .. }) => Some(*eof || !chars.is_empty()),
            Request::Started { .. }
            | Request::Wait { .. }
            | Request::Output { wait_for_end: true, .. }
            | Request::TaskEnd { .. }
            | Request::Attach { .. }
            | Request::Job(JobRequest::First { .. } | JobRequest::Wait) => Some(false),
            // At most one of those who type into a terminal waits at a time.
            _ => None,
        };
        if let Some(refusal) = types.and_then(|types| self.crowd(types)) {
            return refusal;
        }
        if self.job.is_some() {
            return self.do_job_request(client, request);
        }
        if self.is_closing() && !matches!(request, Request::Status | Request::Close) {
            return refuse(Code::Closing, format!("PTY session {} is closing", self.id()));
        }
        match request {
            Request::Status => done(Value::Status(self.row())),
            Request::Started { wait } => self.begin(
                client,
                Goal::Ready { command: false, typed: false },
                Purpose::Open,
                wait,
            ),
            Request::Send { text, submit, background, wait } => {
                self.send(client, &text, submit, background, wait)
            }
            Request::Execute { typing, wait } => self.execute(client, typing, wait),
            Request::Keys { words, how, times, wait } => {
                let bytes = match key_bytes(&words, how.into(), self.terminal.key_modes()) {
                    Ok(bytes) => bytes,
                    Err(error) => return refuse(Code::Invalid, error.to_string()),
                };
                let times = usize::try_from(times).unwrap_or(usize::MAX);
                if bytes.len().saturating_mul(times) > LONGEST_TEXT {
                    return refuse(Code::Invalid, too_long());
                }
                self.type_bytes(client, &bytes.repeat(times), wait)
            }
            Request::Paste { text, wait } => {
                if let Some(refusal) = refuse_nul(&text) {
                    return refusal;
                }
                let text = without_paste_end(&text);
                let bytes = match self.terminal.screen().modes().bracketed_paste {
                    true => format!("\x1b[200~{text}\x1b[201~"),
                    false => text.replace("\r\n", "\r").replace('\n', "\r"),
                };
                self.type_bytes(client, bytes.as_bytes(), wait)
            }
            Request::Read { offset, count, from } => {
                let wanted = Wanted { offset, count, from, most: MOST_READ };
                let terminal = &self.terminal;
                done(Value::Lines(lines(terminal.screen(), terminal.gone, wanted)))
            }
            Request::Screen => done(Value::Screen(screen_now(self.terminal.screen()))),
            Request::Wait { until, wait } => {
                let goal = match until {
                    Until::Ready => Goal::Ready { command: false, typed: false },
                    Until::Exit => Goal::Exit,
                    Until::Text(pattern) => match lines_pattern(&pattern) {
                        Ok(pattern) => Goal::Text(pattern),
                        Err(error) => return refuse(Code::Invalid, one_line(&error.to_string())),
                    },
                    Until::ScreenChange(hash) => Goal::ScreenChange(hash),
                    Until::Quiet(ms) => Goal::Quiet(Duration::from_millis(ms)),
                };
                self.begin(client, goal, Purpose::Wait, wait)
            }
            Request::Signal { signal } => self.signal(client, signal),
            Request::Resize { cols, rows } => {
                let size = SizeChoice { cols, rows }.or(self.terminal.screen().size());
                let Some(size) = Size::new(size.cols, size.rows) else {
                    return refuse(Code::Invalid, "a size has at least one column and one row");
                };
                match self.terminal.resize(size) {
                    Ok(()) => done(Value::Size(size.into())),
                    Err(error) => refuse(Code::System, crate::text::system_error(&error)),
                }
            }
            Request::Freeze => match self.terminal.freeze(&record::End::Cut) {
                record::Frozen::Block(block) => {
                    done(Value::Frozen(Frozen { block_id: Some(block.block_id) }))
                }
                record::Frozen::Empty => done(Value::Frozen(Frozen { block_id: None })),
                record::Frozen::Failed(error) => refuse(Code::System, error),
            },
            Request::Restart { wait } => self.restart(client, wait),
            Request::Close => {
                let outcome = match self.is_closing() {
                    true => CloseOutcome::AlreadyClosing,
                    false => CloseOutcome::Closed,
                };
                self.close_for(client, outcome);
                Reply::Later
            }
            Request::Output { task, wait_for_end, wait } => {
                self.task_output(client, &task, wait_for_end, wait)
            }
            Request::Kill { task } => self.kill_task(&task),
            Request::TaskEnd { task, wait } => match self.task(&task) {
                Ok(number) => self.begin(client, Goal::Exit, Purpose::TaskEnd(number), wait),
                Err(refusal) => refusal,
            },
            Request::Tasks => done(Value::Tasks(self.task_rows(|_| true))),
            Request::Attach { read_only } => Reply::Watch { read_only },
            Request::Job(_) => refuse(Code::Invalid, "it is no job"),
        }
    }

    /// Rows of a list of tasks.
    pub(super) fn task_rows(&self, is_wanted: impl Fn(&Task) -> bool) -> Vec<TaskRow> {
        let row = |task: &Task| TaskRow {
            task_id: task.id(self.id()),
            label: task.label.clone(),
            status: task.status(),
        };
        self.tasks.iter().filter(|task| is_wanted(task)).map(row).collect()
    }

    /// A row of a list.
    pub(super) fn row(&self) -> Row {
        let terminal = &self.terminal;
        let is_running = !terminal.has_ended();
        Row {
            session_id: self.id().to_owned(),
            name: self.config.name.clone(),
            kind: self.config.kind.clone(),
            pid: u32::try_from(terminal.leader.as_raw_nonzero().get()).ok(),
            status: terminal.status(),
            cwd: if is_running { self.cwd() } else { None },
            inside: self.inside(),
            size: Some(terminal.screen().size().into()),
        }
    }

    /// What is in the foreground, if that is not the terminal's own program.
    pub(super) fn inside(&self) -> Option<String> {
        let terminal = &self.terminal;
        let group = foreground_group(&terminal.pty).filter(|_| !terminal.has_ended())?;
        if group == terminal.leader { None } else { foreground_name(group) }
    }

    /// Where the terminal's program is.
    pub(super) fn cwd(&self) -> Option<String> {
        Some(folder_of(self.terminal.leader)?.to_string_lossy().into_owned())
    }

    /// Begins a wait for a client.
    pub(super) fn begin(
        &mut self,
        client: u64,
        goal: Goal,
        purpose: Purpose,
        wait: Waiting,
    ) -> Reply {
        let longest = Duration::from_millis(wait.timeout_ms);
        let begun = Wait::begin(goal, &self.terminal, longest);
        self.waiters.push(Waiter {
            client: Some(client),
            purpose,
            wait: begun,
            most: wait.max_bytes,
        });
        Reply::Later
    }

    fn send(
        &mut self,
        client: u64,
        text: &str,
        submit: bool,
        background: bool,
        wait: Waiting,
    ) -> Reply {
        if let Some(refusal) = self.check_text(text) {
            return refusal;
        }
        let types = submit || !text.is_empty();
        if types
            && submit
            && let Some(refusal) = self.busy()
        {
            return refusal;
        }
        if self.terminal.has_ended() {
            return refuse(Code::Exited, "PTY session has exited");
        }
        let hold = if submit { Hold::needed(&self.terminal, text) } else { None };
        let command = submit && (hold.is_some() || self.terminal.shell.is_at_prompt());
        let goal = Goal::Ready { command, typed: types };
        let is_secret = LineMode::of(&self.terminal.pty).is_some_and(|mode| mode.is_secret());
        self.terminal.shell.is_told_command |= command && is_command(text);
        // How things are before anything is typed.
        let begun = Wait::begin(goal, &self.terminal, Duration::from_millis(wait.timeout_ms));
        if types {
            self.type_text(text, submit, hold);
        }
        let task = background.then(|| {
            let label = if is_secret { HIDDEN } else { text };
            let is_wanted = |number| {
                let is_for = |waiter: &Waiter| waiter.purpose == Purpose::TaskOutput(number);
                self.waiters.iter().any(is_for)
            };
            let task = self.tasks.add(&self.config.terminal, label, is_wanted);
            (task.number, task.id(&self.config.terminal))
        });
        let (purpose, waiting_client) = match &task {
            Some((number, _)) => (Purpose::Task(*number), None),
            None => (Purpose::Send, Some(client)),
        };
        let most = wait.max_bytes;
        self.waiters.push(Waiter { client: waiting_client, purpose, wait: begun, most });
        match task {
            Some((_, task_id)) => done(Value::Task(TaskStarted { task_id })),
            None => Reply::Later,
        }
    }

    pub(super) fn check_text(&self, text: &str) -> Option<Reply> {
        // What is held back is typed also where nobody waits for it any more.
        if self.has_send() || self.held.is_some() {
            let message = format!("PTY session {} already has an active send", self.id());
            return Some(match self.active_task() {
                Some(task) => {
                    refuse(Code::TaskActive, format!("{message}; background task {task}"))
                }
                None => refuse(Code::SendActive, message),
            });
        }
        if text.len() > LONGEST_TEXT {
            return Some(refuse(Code::Invalid, too_long()));
        }
        let waiting = self.terminal.input.keys_waiting();
        if waiting + text.len() > LONGEST_TEXT {
            let message = format!(
                "PTY session {} is busy: {waiting} bytes of what was typed before are still on \
                 their way to the program",
                self.id()
            );
            return Some(refuse(Code::Busy, message));
        }
        refuse_nul(text)
    }

    /// The task that waits for what was typed, if one does.
    fn active_task(&self) -> Option<String> {
        self.waiters.iter().find_map(|waiter| match waiter.purpose {
            Purpose::Task(number) => Some(task_id(&self.config.terminal, number)),
            _ => None,
        })
    }

    /// Why a command cannot be typed now, if it cannot.
    fn busy(&self) -> Option<Reply> {
        let terminal = &self.terminal;
        if terminal.has_ended() {
            return None;
        }
        let pager = self.pager();
        if terminal.is_full_screen() || pager.is_some() {
            let name = pager.or_else(|| self.inside()).unwrap_or_else(|| "a program".to_owned());
            let message =
                format!("PTY session {} is busy: {name} takes the screen and keys", self.id());
            return Some(refuse(Code::TakesKeys, message));
        }
        let shell = &terminal.shell;
        if shell.is_hooked && shell.phase != Phase::Running {
            return None;
        }
        let now = foreground(&terminal.pty);
        // A program that says nothing of itself takes text whenever it likes.
        if !shell.is_hooked && now.group == Some(terminal.leader) {
            return None;
        }
        let reads = matches!(now.doing, Doing::Reading | Doing::Polling | Doing::Unknown);
        // What waits for a network as well may wait for us.
        if reads {
            return None;
        }
        let name = self.inside().unwrap_or_else(|| "a command".to_owned());
        let message =
            format!("PTY session {} is busy: {name} runs and does not wait for input", self.id());
        Some(refuse(Code::Runs, message))
    }

    /// The program that shows pages and takes keys for wishes, where one waits for those.
    fn pager(&self) -> Option<String> {
        let terminal = &self.terminal;
        let takes_keys = LineMode::of(&terminal.pty).is_some_and(|mode| !mode.canonical);
        // At its prompt a shell is what reads.
        if !takes_keys || terminal.shell.is_at_prompt() {
            return None;
        }
        let waiting = foreground(&terminal.pty).waiting;
        let mut names = waiting.iter().filter_map(|waiter| name_of(waiter.thread));
        names.find(|name| PAGERS.contains(&name.as_str()))
    }

    /// Types a text, several lines of it as one piece where the program takes such.
    pub(super) fn type_text(&mut self, text: &str, submit: bool, hold: Option<Hold>) {
        if let Some(hold) = hold {
            if matches!(hold, Hold::Cancel { .. }) {
                self.terminal.type_keys(&[CANCEL]);
            }
            self.held = Some(Held::text(hold, text.to_owned(), submit));
            return;
        }
        if submit {
            self.clear_line();
        }
        let bytes = self.typed(text, submit);
        self.terminal.type_keys(&bytes);
    }

    /// A text as keys.
    pub(super) fn typed(&self, text: &str, submit: bool) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        let body = text.strip_suffix('\n').filter(|_| submit).unwrap_or(text);
        if submit && needs_paste(text) && self.terminal.takes_paste() {
            bytes.extend_from_slice(b"\x1b[200~");
            bytes.extend_from_slice(without_paste_end(body).as_bytes());
            bytes.extend_from_slice(b"\x1b[201~");
        } else if submit {
            bytes.extend_from_slice(body.replace("\r\n", "\r").replace('\n', "\r").as_bytes());
        } else {
            bytes.extend_from_slice(body.as_bytes());
        }
        if submit {
            bytes.push(b'\r');
        }
        bytes
    }

    fn type_bytes(&mut self, client: u64, bytes: &[u8], wait: Waiting) -> Reply {
        if let Some(refusal) = self.check_text("") {
            return refusal;
        }
        if bytes.len() > LONGEST_TEXT {
            return refuse(Code::Invalid, too_long());
        }
        if self.terminal.has_ended() {
            return refuse(Code::Exited, "PTY session has exited");
        }
        let goal = Goal::Ready { command: false, typed: !bytes.is_empty() };
        let begun = Wait::begin(goal, &self.terminal, Duration::from_millis(wait.timeout_ms));
        self.terminal.press(bytes);
        let most = wait.max_bytes;
        self.waiters.push(Waiter {
            client: Some(client),
            purpose: Purpose::Send,
            wait: begun,
            most,
        });
        Reply::Later
    }

    fn signal(&mut self, client: u64, name: String) -> Reply {
        const SIGNALS: [(&str, Signal); 5] = [
            ("SIGINT", Signal::INT),
            ("SIGTERM", Signal::TERM),
            ("SIGKILL", Signal::KILL),
            ("SIGTSTP", Signal::TSTP),
            ("SIGHUP", Signal::HUP),
        ];
        let Some((_, signal)) = SIGNALS.iter().find(|(known, _)| *known == name.as_str()) else {
            let names = SIGNALS.map(|(name, _)| name).join(", ");
            return refuse(Code::Invalid, format!("signal must be one of {names}"));
        };
        if self.terminal.has_ended() {
            return refuse(Code::Exited, "PTY session has exited");
        }
        let Some(group) = foreground_group(&self.terminal.pty) else {
            let message = format!(
                "cannot resolve foreground process group for terminal {}",
                self.terminal.leader.as_raw_nonzero()
            );
            return refuse(Code::System, message);
        };
        if *signal == Signal::KILL && group == self.terminal.leader {
            let message =
                "refusing to SIGKILL the terminal shell; terminate the terminal session instead";
            return refuse(Code::Invalid, message);
        }
        if self.terminal.is_shell_idle() {
            if self.terminal.is_about_to_read() {
                self.deferred.insert(0, (client, Request::Signal { signal: name }));
                return Reply::Later;
            }
            self.terminal.unsettle(*signal == Signal::INT);
        }
        signal_group(Some(group), *signal);
        let target_pgid = group.as_raw_nonzero().get();
        done(Value::Signalled(Signalled { delivered: true, target_pgid }))
    }

    /// The number of a task that is known.
    fn task(&self, id: &str) -> Result<u64, Reply> {
        let number = parse_task_id(id)
            .filter(|(terminal, _)| *terminal == self.id())
            .and_then(|(_, number)| self.tasks.get(number))
            .map(|task| task.number);
        number.ok_or_else(|| refuse(Code::NoTask, self.tasks.unknown(id)))
    }

    fn task_output(&mut self, client: u64, id: &str, wait_for_end: bool, wait: Waiting) -> Reply {
        let number = match self.task(id) {
            Ok(number) => number,
            Err(refusal) => return refusal,
        };
        if wait_for_end && self.tasks.get(number).is_some_and(|task| task.outcome.is_none()) {
            return self.begin(client, Goal::Exit, Purpose::TaskOutput(number), wait);
        }
        match self.output_of(number, wait.max_bytes) {
            Some(output) => done(Value::Output(output)),
            None => refuse(Code::NoTask, self.tasks.unknown(id)),
        }
    }

    fn kill_task(&mut self, id: &str) -> Reply {
        let number = match self.task(id) {
            Ok(number) => number,
            Err(refusal) => return refusal,
        };
        let Some(task) = self.tasks.get_mut(number) else {
            return refuse(Code::NoTask, self.tasks.unknown(id));
        };
        let already_finished = task.outcome.is_some();
        task.is_killed |= !already_finished;
        let status = task.status();
        if !already_finished {
            signal_group(foreground_group(&self.terminal.pty), Signal::INT);
        }
        done(Value::Killed(TaskKilled { task_id: id.to_owned(), status, already_finished }))
    }

    /// What a client that asked for the end is told.
    pub(super) fn closed(&self, outcome: CloseOutcome, survivors: &[i32]) -> Answer {
        Answer::Done(Value::Closed(Closed {
            session_id: self.id().to_owned(),
            outcome,
            survivors: survivors.to_vec(),
        }))
    }
}

/// Whether a shell runs anything where it is told this.
pub(super) fn is_command(text: &str) -> bool {
    !text.trim_start().starts_with('#') && !text.trim().is_empty()
}

/// A text that does not end its paste before its end, also not once a part is taken out.
fn without_paste_end(text: &str) -> Cow<'_, str> {
    const END: &str = "\x1b[201~";
    let mut text = Cow::Borrowed(text);
    while text.contains(END) {
        text = text.replace(END, "").into();
    }
    text
}

/// Why a text cannot be typed: line editors take what is behind a NUL for nothing.
fn refuse_nul(text: &str) -> Option<Reply> {
    let message = "the text holds a NUL; `keys` sends one as C-@";
    text.contains('\0').then(|| refuse(Code::Invalid, message))
}

/// A pattern for text of many lines, in which `^` and `$` stand for the ends of any line.
fn lines_pattern(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).multi_line(true).build()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
