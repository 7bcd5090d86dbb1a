//! What is asked of a job: one command whose output is read page by page.

use rustix::process::Signal;

use super::connection::Connection;
use super::leftovers::{HangingUp, Leftovers};
use super::pages::{Rest, Taken};
use super::pages_told::{Fate, Told};
use super::reply::{Reply, done, refuse};
use super::state::Host;
use super::terminal::Terminal;
use super::wait::{Goal, Over};
use super::waiter::{Purpose, Waiter};
use crate::live::exec::stdin_closed;
use crate::live::wire::{
    Answer, CloseOutcome, Code, Extent, JobAnswer, JobRequest, JobState, JobTombstone,
    LONGEST_TEXT, Page, PageRest, Request, Value, WaitReason, Waiting, too_long,
};
use crate::pty::signal_group;
use crate::text::clipped;

/// Ctrl-C.
const INTERRUPT: char = '\x03';
/// Most code points of a command in a label.
const LONGEST_LABEL: usize = 200;

impl Host {
    /// Takes a request for a job.
    pub(super) fn do_job_request(&mut self, client: u64, request: Request) -> Reply {
        // What came of those before comes first.
        self.settle_pages();
        if self.job.as_ref().is_some_and(|job| job.has_left) {
            // It came between the last page and the end, and finds what is left behind.
            return refuse(Code::NoSession, self.unknown());
        }
        let request = match request {
            Request::Job(request) => request,
            // The user may end anything.
            Request::Close => return self.close_job(client),
            _ => return refuse(Code::NoSession, self.unknown()),
        };
        match request {
            JobRequest::Status => done(Value::Job(JobAnswer::Status(self.state()))),
            JobRequest::First { wait } => self.begin(client, Goal::Exit, Purpose::FirstPage, wait),
            JobRequest::Write { chars, eof, wait } if eof || !chars.is_empty() => {
                if let Some(refusal) = self.refuse_write(&chars) {
                    return refusal;
                }
                // How things are before anything is typed.
                let reply = self.begin(client, Goal::Input, Purpose::Page, wait);
                self.type_chars(&chars, eof);
                reply
            }
            JobRequest::Write { wait, .. } => {
                let is_now = self.has_unread() || self.terminal.is_over();
                let reply = self.begin(client, Goal::Exit, Purpose::Page, wait);
                if is_now && let Some(waiter) = self.waiters.pop() {
                    self.tell_page(&waiter, &Over::by(WaitReason::Met));
                }
                reply
            }
            JobRequest::Wait => {
                let wait = Waiting { timeout_ms: u64::MAX, max_bytes: 0 };
                self.begin(client, Goal::Exit, Purpose::End, wait)
            }
            JobRequest::Kill => self.kill_job(),
        }
    }

    fn refuse_write(&self, chars: &str) -> Option<Reply> {
        let interrupts = is_interrupt(chars) && !self.terminal.has_ended();
        if interrupts && self.terminal.pty.is_pipes() {
            // It is a signal, whatever became of the input.
            return None;
        }
        // A terminal takes keys after the one that ended the input.
        let takes = interrupts && !self.terminal.input.is_closed();
        if self.terminal.is_input_over() && !takes {
            let message = stdin_closed(self.id(), &self.terminal.status());
            return Some(refuse(Code::Exited, message));
        }
        let waiting = self.terminal.input.keys_waiting();
        if chars.len() > LONGEST_TEXT {
            return Some(refuse(Code::Invalid, too_long()));
        }
        (waiting + chars.len() > LONGEST_TEXT).then(|| {
            let message = format!(
                "exec job {} is busy: {waiting} bytes of what was written before are still on \
                 their way to it",
                self.id()
            );
            refuse(Code::Busy, message)
        })
    }

    fn type_chars(&mut self, chars: &str, eof: bool) {
        let terminal = &mut self.terminal;
        // A terminal sends the signal itself.
        if terminal.pty.is_pipes() && is_interrupt(chars) {
            signal_group(Some(terminal.leader), Signal::INT);
        } else {
            terminal.type_keys(chars.as_bytes());
        }
        if eof {
            terminal.input.end();
        }
    }

    /// Tells who waited for the end.
    pub(super) fn tell_end(&mut self, waiter: &Waiter) {
        if let Some(client) = waiter.client {
            let state = self.state();
            self.answer(client, &Answer::Done(Value::Job(JobAnswer::Status(state))));
        }
    }

    /// Tells who waited for a page.
    pub(super) fn tell_page(&mut self, waiter: &Waiter, over: &Over) {
        let Some(client) = waiter.client else {
            return;
        };
        let asking = match over.reason {
            WaitReason::Timeout => waiter.wait.is_asking(&self.terminal),
            _ => None,
        };
        let Told { page, place } = self.page_for(waiter, asking.as_ref().unwrap_or(over));
        if page.already_collected {
            return self.answer(client, &page_answer(page));
        }
        let answer = page_answer(page);
        self.used();
        if let Some(connection) = self.connection(client) {
            connection.answer_until_confirmed(&answer);
            connection.write();
        }
        if let Answer::Done(Value::Job(JobAnswer::Page(page))) = answer
            && let Some(job) = &mut self.job
        {
            job.pages.send(client, Told { page: *page, place });
        }
        self.settle_pages();
    }

    /// One that did not arrive, as far as it may be that long, or the next one.
    fn page_for(&mut self, waiter: &Waiter, over: &Over) -> Told {
        if let Some(job) = &mut self.job {
            if let Some(told) = job.pages.take_lost(waiter.most, &mut job.sequence) {
                job.is_told |= told.page.state.is_told;
                return told;
            }
            if job.has_left || job.pages.had_last() {
                // Each answer has a name of its own.
                job.sequence += 1;
                return Told::new(Page::collected(self.state()));
            }
        }
        let taken = self.terminal.next_page(waiter.most);
        Told::new(self.page(taken, over, waiter.purpose == Purpose::FirstPage))
    }

    /// Looks what became of pages on their way. Once all were confirmed the job goes.
    pub(super) fn settle_pages(&mut self) {
        let Some(job) = &mut self.job else {
            return;
        };
        let fate = |number| {
            let client = self.connections.iter().find(|client| client.number == number);
            client.map_or(Fate::Lost, Connection::fate)
        };
        let (is_lost, told_end) = job.pages.settle(fate);
        // Whoever asks for it asks for a job.
        job.is_promoted |= is_lost;
        job.is_told &= !told_end;
        if job.pages.is_over() && !job.has_left {
            // Before the client is let go: whoever asks next is to find what is left behind.
            self.leave_job();
        }
    }

    fn page(&mut self, taken: Taken, over: &Over, is_first: bool) -> Page {
        let extent = |lines, bytes| Extent { lines, bytes };
        let Taken { text, is_screen, dropped, again, rest } = taken;
        let is_over = self.terminal.is_over();
        let has_more = rest.bytes > 0 || self.terminal.has_gap();
        let is_last = is_over && !has_more;
        let is_told = self.job.as_ref().is_some_and(|job| job.is_told);
        if let Some(job) = &mut self.job {
            job.sequence += 1;
            job.is_promoted |= !is_last;
            job.is_told |= is_over;
        }
        let mut notes = self.terminal.complaints.take();
        if !is_over {
            notes.extend(self.terminal.hindrances());
        } else if !is_told {
            notes.extend(self.terminal.swallowed());
            // What is being ended is not left.
            if !self.is_closing() && self.has_children() {
                notes.extend(Leftovers::of(self.terminal.session()).notes(is_last));
            }
        }
        Page {
            output: text,
            is_screen,
            state: self.state(),
            is_first,
            is_last,
            already_collected: false,
            rest: has_more.then(|| PageRest {
                extent: extent(rest.lines, rest.bytes),
                arguments: self.arguments(rest),
            }),
            dropped: dropped.map(|dropped| extent(dropped.lines, dropped.bytes)),
            lines_again: again,
            awaits_input: over.reason == WaitReason::StdinRead,
            echo_off: over.echo_off,
            notes,
        }
    }

    /// Where in the block the rest is, if all of it is there.
    fn arguments(&self, rest: Rest) -> Option<String> {
        let (block, lines) = self.terminal.block();
        let lines = lines.filter(|_| !self.terminal.has_gap() && rest.lines_in_block > 0)?;
        let from = (lines + 1).checked_sub(rest.lines_in_block).filter(|&from| from > 0)?;
        Some(self.terminal.place.arguments_from(block, from, rest.column))
    }

    pub(super) fn state(&self) -> JobState {
        let cmd = self.config.job.as_ref().map(|job| job.cmd.as_str()).unwrap_or_default();
        let job = self.job.as_ref();
        let line = cmd.split_whitespace().collect::<Vec<_>>().join(" ");
        let given_home = self.config.given_home.as_ref();
        JobState {
            label: clipped(&line, LONGEST_LABEL).into_owned(),
            status: self.terminal.status(),
            is_killed: job.is_some_and(|job| job.is_killed),
            is_told: job.is_some_and(|job| job.is_told),
            has_unread: self.has_unread(),
            sequence: job.map_or(0, |job| job.sequence),
            terminal_id: self.config.terminal.clone(),
            block_id: self.terminal.block().0.to_owned(),
            given_home: given_home.map(|home| home.to_string_lossy().into_owned()),
        }
    }

    /// Whether there is anything to be read that is not on its way to somebody.
    fn has_unread(&self) -> bool {
        self.job.as_ref().is_some_and(|job| {
            let is_new = self.terminal.has_unread() || (self.terminal.is_over() && !job.is_told);
            job.pages.has_lost() || (is_new && !job.pages.had_last())
        })
    }

    fn kill_job(&mut self) -> Reply {
        let already_finished = self.terminal.has_ended();
        // What it left behind ends as well.
        if !already_finished || self.has_children() {
            self.end_job();
        }
        let state = self.state();
        done(Value::Job(JobAnswer::Killed { already_finished, state }))
    }

    fn close_job(&mut self, client: u64) -> Reply {
        let outcome = match self.is_closing() {
            true => CloseOutcome::AlreadyClosing,
            false => CloseOutcome::Closed,
        };
        self.close_for(client, outcome);
        Reply::Later
    }

    /// The name of a job whose output was all read goes. What was told of it stays known for a
    /// while; of one that nobody was told of, nobody can ask.
    pub(super) fn leave_job(&mut self) {
        let is_known = self.job.as_ref().is_some_and(|job| job.is_promoted || job.is_killed);
        let tombstone = || JobTombstone { state: self.state(), is_collected: true, is_will: false };
        self.leave_with(is_known.then(tombstone).as_ref());
        if let Some(job) = &mut self.job {
            job.has_left = true;
        }
        let session = self.terminal.session();
        self.hanging_up = self.has_children().then(|| HangingUp::of(session));
        self.look_at_waits();
    }
}

fn page_answer(page: Page) -> Answer {
    Answer::Done(Value::Job(JobAnswer::Page(Box::new(page))))
}

fn is_interrupt(chars: &str) -> bool {
    !chars.is_empty() && chars.chars().all(|c| c == INTERRUPT)
}

impl Page {
    /// What is said once all of it was read.
    pub(in crate::live) fn collected(state: JobState) -> Self {
        Self {
            output: String::new(),
            is_screen: false,
            state,
            is_first: false,
            is_last: true,
            already_collected: true,
            rest: None,
            dropped: None,
            lines_again: 0,
            awaits_input: false,
            echo_off: false,
            notes: Vec::new(),
        }
    }
}

impl Terminal {
    /// Whether output of a job was dropped that comes before the end of what is to be read.
    fn has_gap(&self) -> bool {
        self.pages.as_ref().is_some_and(super::pages::Pages::has_gap)
    }
}
