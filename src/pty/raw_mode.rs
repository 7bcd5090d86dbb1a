//! The terminal that we run in, while a program inside looks after every key.

use std::io;
use std::panic;
use std::sync::{Mutex, Once, PoisonError};

use rustix::process::getpgrp;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

/// The settings to go back to, while others are on. In one place, so that a panic finds them.
static SAVED: Mutex<Option<Termios>> = Mutex::new(None);

/// Raw mode of stdin; dropped, or at a panic in any thread, the terminal is as before.
#[derive(Debug)]
pub struct RawMode(());

impl RawMode {
    /// Switches it on.
    ///
    /// # Errors
    /// Stdin is no terminal.
    pub fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(restore_at_panic);
        switch_on()?;
        Ok(Self(()))
    }

    /// Goes back for a while, until [`Self::resume`].
    pub fn suspend(&self) {
        restore();
    }

    /// Switches it on again. Where it was not suspended, others may have changed the settings, and
    /// those to go back to stay what they were.
    ///
    /// # Errors
    /// Stdin is no terminal any more.
    pub fn resume(&self) -> io::Result<()> {
        switch_on()
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        restore();
    }
}

fn switch_on() -> io::Result<()> {
    let stdin = rustix::stdio::stdin();
    let now = tcgetattr(stdin)?;
    let mut raw = now.clone();
    raw.make_raw();
    SAVED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(now);
    Ok(tcsetattr(stdin, OptionalActions::Drain, &raw)?)
}

fn restore() {
    let saved = SAVED.lock().unwrap_or_else(PoisonError::into_inner).take();
    let stdin = rustix::stdio::stdin();
    // In the background the system would stop us, and the settings are not ours to change.
    let is_ours = tcgetpgrp(stdin).is_ok_and(|group| group == getpgrp());
    if let Some(saved) = saved.filter(|_| is_ours) {
        // What was typed ahead is for the next program: it is not thrown away. A terminal that is
        // gone needs no settings.
        tcsetattr(stdin, OptionalActions::Drain, &saved).unwrap_or_default();
    }
}

/// With `panic = "abort"` nothing is dropped, but hooks run.
fn restore_at_panic() {
    let next = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        restore();
        next(info);
    }));
}
