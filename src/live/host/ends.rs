//! The end of a terminal, and its new beginning.

use std::fs;
use std::path::PathBuf;

use serde::Serialize;

use super::closing::Closing;
use super::config::HostConfig;
use super::reply::{Reply, refuse};
use super::state::Host;
use super::terminal::Terminal;
use super::tree::{Ending, Progress};
use super::wait::Goal;
use super::waiter::Purpose;
use crate::live::runtime::{AgentFolder, Tombstone};
use crate::live::wire::{Answer, CloseOutcome, Code, JobTombstone, Refusal, Waiting};

impl Host {
    /// Ends the terminal, without anybody who waits for that.
    pub(super) fn close(&mut self) {
        if self.closing.is_none() {
            let is_running = !self.terminal.has_ended();
            self.job.iter_mut().for_each(|job| job.is_killed |= is_running);
            let ending = Ending::begin(&self.socket, &self.terminal.pty);
            self.closing = Some(Closing {
                ending,
                clients: Vec::new(),
                restart: None,
                stays: false,
                survivors: None,
                has_left: false,
            });
        }
    }

    /// Ends what runs in a job, which stays until its output was read.
    pub(super) fn end_job(&mut self) {
        if self.closing.is_none() {
            self.close();
            self.closing.iter_mut().for_each(|closing| closing.stays = true);
        }
    }

    pub(super) fn close_for(&mut self, client: u64, outcome: CloseOutcome) {
        self.close();
        if let Some(closing) = &mut self.closing {
            closing.stays = false;
            closing.clients.push((client, outcome));
        }
        // An end is more than a new beginning.
        let restart = self.closing.as_mut().and_then(|closing| closing.restart.take());
        if let Some((waiting, ..)) = restart {
            let message = format!("PTY session {} is closing", self.id());
            self.answer(waiting, &Answer::Error(Refusal { code: Code::Closing, message }));
        }
    }

    pub(super) fn restart(&mut self, client: u64, wait: Waiting) -> Reply {
        let cwd = self.cwd().map_or_else(|| self.config.cwd.clone(), PathBuf::from);
        if !cwd.is_dir() {
            let message = format!("cannot enter folder {}: it is not there", cwd.display());
            return refuse(Code::System, message);
        }
        self.close();
        if let Some(closing) = &mut self.closing {
            closing.restart = Some((client, wait, cwd));
        }
        Reply::Later
    }

    pub(super) fn work_on_end(&mut self) {
        if !self.is_closing() {
            return;
        }
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
                    // The program may have ended since the last look.
                    self.reap();
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
        let Some(mut closing) = self.closing.take() else {
            return;
        };
        if closing.stays {
            self.complain_of(&closing.survivors.unwrap_or_default());
            return;
        }
        match closing.restart {
            Some((client, wait, cwd)) => self.begin_again(client, wait, cwd),
            None => {
                let survivors = closing.survivors.clone().unwrap_or_default();
                for (client, outcome) in std::mem::take(&mut closing.clients) {
                    let answer = self.closed(outcome, &survivors);
                    self.answer(client, &answer);
                }
                if !closing.has_left {
                    self.leave(&survivors);
                    closing.has_left = true;
                }
                self.closing = Some(closing);
            }
        }
    }

    fn complain_of(&mut self, survivors: &[i32]) {
        if !survivors.is_empty() {
            let pids: Vec<_> = survivors.iter().map(ToString::to_string).collect();
            let complaint = format!("these processes could not be ended: {}", pids.join(", "));
            self.terminal.complaints.push(complaint);
        }
    }

    /// The name goes; for a while it is known that it was there.
    pub(super) fn leave(&mut self, survivors: &[i32]) {
        match &self.job {
            Some(job) if job.has_left => {}
            Some(_) => {
                self.leave_with(Some(&JobTombstone {
                    state: self.state(),
                    is_collected: false,
                    is_will: false,
                }));
            }
            None => self.leave_with(Some(&Tombstone {
                status: self.terminal.status(),
                survivors: survivors.to_vec(),
            })),
        }
    }

    /// Leaves what is to be known of a job whose host is killed.
    pub(super) fn leave_will(&self) {
        let tombstone = JobTombstone { state: self.state(), is_collected: false, is_will: true };
        if let (Some(folder), Some(_)) = (self.socket.parent().map(AgentFolder::at), &self.job) {
            // Without it the job is unknown then.
            folder.leave_will(self.id(), &tombstone).unwrap_or_default();
        }
    }

    /// The name goes, after what is to be known of it is there: whoever asks finds either.
    pub(super) fn leave_with(&self, tombstone: Option<&impl Serialize>) {
        let folder = self.socket.parent().map(AgentFolder::at);
        if let (Some(folder), Some(tombstone)) = (&folder, tombstone) {
            folder.bury(self.id(), tombstone).unwrap_or_default();
        }
        folder.iter().for_each(|folder| folder.tear_will(self.id()));
        fs::remove_file(&self.socket).unwrap_or_default();
        // It may take long where there are many.
        folder.iter().for_each(AgentFolder::sweep_agents);
    }

    pub(super) fn begin_again(&mut self, client: u64, wait: Waiting, cwd: PathBuf) {
        // What was to be typed into the old shell.
        self.held = None;
        self.awaited = None;
        self.previous = None;
        let size = self.terminal.screen().size();
        let config = HostConfig { cwd, ..self.config.clone() };
        match Terminal::open(&config, size) {
            Ok(mut terminal) => {
                self.config = config;
                terminal.take_over(&mut self.terminal);
                terminal.complaints.push("the state of the old shell is lost".to_owned());
                self.terminal = terminal;
                let goal = Goal::Ready { command: false, typed: false };
                self.begin(client, goal, Purpose::Open, wait);
            }
            Err(error) => {
                let refusal = Refusal { code: Code::System, message: error.to_string() };
                self.answer(client, &Answer::Error(refusal));
            }
        }
    }
}
