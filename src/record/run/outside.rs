//! What the event loop does when the system or the person's terminal wants something: signals, new
//! sizes, stops and ends.

use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::event_loop::{EventLoop, RESIZE_PAUSE};
use super::kill::Kill;
use super::message::Message;
use crate::pty::{
    Caught, foreground_group, session_members, set_window_size, signal_group, window_size,
};
use crate::screen::Size;

impl EventLoop<'_> {
    pub(super) fn take_signals(&mut self) -> io::Result<()> {
        for caught in self.signals.take() {
            match caught {
                Caught::Child => self.look_at_child()?,
                Caught::Resize => self.state.resize_is_due = true,
                Caught::Interrupt | Caught::Quit if self.waits_for_recorder() => {
                    self.give_up(caught);
                }
                Caught::Hangup | Caught::Terminate if self.state.status.is_some() => {
                    self.give_up(caught);
                }
                Caught::Interrupt => signal_group(foreground_group(&self.pty), Signal::INT),
                Caught::Quit => signal_group(foreground_group(&self.pty), Signal::QUIT),
                Caught::Hangup => self.end_by(signal_hook::consts::SIGHUP),
                Caught::Terminate => self.end_by(signal_hook::consts::SIGTERM),
                Caught::Stop => self.stop(),
                // After a stop, be it ours or one that nobody asked us about.
                Caught::Continue => self.go_on(),
            }
        }
        Ok(())
    }

    /// The same once nothing is left to do but to wait for the recorder.
    pub(super) fn take_late_signals(&mut self) {
        for caught in self.signals.take() {
            match caught {
                Caught::Stop => self.stop(),
                _ => self.give_up(caught),
            }
        }
    }

    /// Has the recorder wait for other programs no longer, if the signal means that: the journal
    /// stays where a block cannot be written at once.
    fn give_up(&mut self, caught: Caught) {
        let signal = match caught {
            Caught::Hangup => signal_hook::consts::SIGHUP,
            Caught::Interrupt => signal_hook::consts::SIGINT,
            Caught::Quit => signal_hook::consts::SIGQUIT,
            Caught::Terminate => signal_hook::consts::SIGTERM,
            Caught::Child | Caught::Continue | Caught::Stop | Caught::Resize => return,
        };
        self.end_by(signal);
        self.gives_up.store(true, Ordering::Release);
    }

    /// Whether the program has ended and its output waits for the recorder.
    pub(super) fn waits_for_recorder(&mut self) -> bool {
        self.state.status.is_some() && !self.outbox.has_room()
    }

    /// Leaves raw mode, so that the keys that send signals do.
    pub(super) fn give_keys_back(&mut self) {
        self.state.has_given_keys_back = true;
        if let Some(outer) = &self.outer {
            outer.suspend();
        }
    }

    pub(super) fn look_at_child(&mut self) -> io::Result<()> {
        if self.state.status.is_none() {
            self.state.status = self.child.try_wait()?;
        }
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(outer) = &self.outer {
            outer.suspend();
        }
        // What makes us go on behind this call is caught as well.
        kill_process(getpid(), Signal::STOP).unwrap_or_default();
    }

    fn go_on(&mut self) {
        let Some(outer) = self.outer.as_ref().filter(|_| !self.state.has_given_keys_back) else {
            return;
        };
        if outer.resume().is_ok() {
            // The screen is somebody else's now, and only a new size makes programs draw again.
            self.resize(true).unwrap_or_default();
        }
    }

    /// Takes over the size of our own terminal. `again` tells programs even if it is the old one.
    pub(super) fn resize(&mut self, again: bool) -> io::Result<()> {
        if self.state.resized.is_some_and(|resized| resized.elapsed() < RESIZE_PAUSE) && !again {
            return Ok(());
        }
        self.state.resize_is_due = false;
        self.state.resized = Some(Instant::now());
        let (Some(_), Some(outer), Some(inner)) =
            (&self.outer, window_size(rustix::stdio::stdin()), window_size(self.pty.as_fd()))
        else {
            return Ok(());
        };
        let size = self.size.or(outer);
        if size == inner && again {
            let rows = if size.rows > 1 { size.rows - 1 } else { 2 };
            set_window_size(&self.pty, Size { rows, ..size })?;
        }
        if size != inner || again {
            set_window_size(&self.pty, size)?;
        }
        if size != inner {
            self.outbox.send(Message::Resize { size, at: self.clock.now() });
        }
        Ok(())
    }

    /// Has the program end because we must.
    pub(super) fn end_by(&mut self, signal: i32) {
        if self.state.kill.is_none() {
            self.state.kill = Some(Kill::begin(signal));
            self.state.stdin_is_over = true;
        }
    }

    /// The next signal for a program that has to end and does not, and for what it left behind in
    /// its terminal. A process that began a session of its own wanted to outlive it, and may.
    pub(super) fn kill_harder(&mut self) {
        let Some(signal) = self.state.kill.as_mut().and_then(Kill::next) else {
            return;
        };
        let leader = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // Once it has ended, its number may be anybody's; but the members of its session keep it.
        let is_there = self.state.status.is_none();
        let groups = [foreground_group(&self.pty), leader.filter(|_| is_there)];
        for group in groups {
            signal_group(group, signal);
            // A stopped program gets its signal when it goes on.
            signal_group(group, Signal::CONT);
        }
        for process in leader.map(session_members).unwrap_or_default() {
            process.signal(signal);
            process.signal(Signal::CONT);
        }
    }

    /// Whether a process of the terminal has to end and has not been made to.
    pub(super) fn is_killing(&self) -> bool {
        let Some(kill) = self.state.kill.as_ref().filter(|kill| !kill.is_done()) else {
            return false;
        };
        let leader = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill.is_new() || !leader.map(session_members).unwrap_or_default().is_empty()
    }
}
