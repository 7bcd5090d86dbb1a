//! From the options to a recording.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::clock::Clock;
use super::environment::program;
use super::event_loop::{Ended, EventLoop, State};
use super::hot_key::HotKeyFilter;
use super::message::{self, Outbox, feedback};
use super::pending::Pending;
use super::recorder::{Command, Drawn, Progress, Recorder};
use super::{RunError, RunOptions};
use crate::artifact::{AddedBlock, Store, StoreError};
use crate::pty::{Holder, Pty, RawMode, Signals, spawn, window_size};
use crate::record::opening::DEFAULT_SIZE;
use crate::screen::Size;
use crate::text;

/// What a recording came to.
#[derive(Debug)]
pub struct Recorded {
    /// The blocks, in their order.
    pub blocks: Vec<AddedBlock>,
    /// The program's status as a shell has it: 128 and the signal if one ended it.
    pub code: u8,
    /// The signal that made us end the program.
    pub signal: Option<i32>,
    /// Processes that keep the terminal and go on without a recorder.
    pub holders: Vec<Holder>,
    /// What the person was not told yet.
    pub warnings: Vec<String>,
    /// Why the last block could not be written.
    pub failure: Option<StoreError>,
}

/// Records a program until it ends. `warn` says what the person should know meanwhile.
///
/// # Errors
/// [`RunError`]. Once the program has started, what can be recorded is.
pub fn run(
    options: &RunOptions,
    store: &Store,
    warn: &mut dyn FnMut(&str),
) -> Result<Recorded, RunError> {
    // From here on a resize is not missed.
    let mut signals = Signals::catch().map_err(RunError::system("catch signals"))?;
    let size = first_size(options);
    let pty = Pty::open(size).map_err(RunError::Terminal)?;
    let clock = Clock::start();
    let program = program(options);
    let child = spawn(&pty, &program)?;

    let wants_room = Arc::new(AtomicBool::new(false));
    let (notifier, inbox) =
        feedback(Arc::clone(&wants_room)).map_err(RunError::system("make a pipe"))?;
    let (sender, messages) = sync_channel(message::MOST);
    let recorder = Recorder {
        clock,
        store,
        session_id: options.session_id.clone(),
        pending: Pending::new(size, options.scrollback, options.headless),
        every: options.freeze.every,
        notifier,
        whole: whole(options),
        has_marks: false,
        progress: Progress::default(),
    };
    let outer = match options.headless {
        true => None,
        false => Some(RawMode::enter().map_err(RunError::system("use this terminal"))?),
    };
    let event_loop = EventLoop {
        pty,
        child,
        signals: &mut signals,
        clock,
        outbox: Outbox::new(sender, wants_room),
        inbox,
        outer,
        size: options.size,
        marks: None,
        hot_key: options.freeze.hot_key.filter(|_| !options.headless).map(HotKeyFilter::new),
        records_input: false,
        warn,
        state: State::default(),
    };
    let (ended, drawn) = thread::scope(|scope| {
        let drawing = thread::Builder::new()
            .name("recorder".to_owned())
            .spawn_scoped(scope, move || recorder.run(&messages))
            .map_err(RunError::system("start a thread"))?;
        let ended = event_loop.run().map_err(RunError::system("wait for the program"));
        let drawn = drawing.join().map_err(|_| RunError::Broken);
        Ok::<_, RunError>((ended?, drawn?))
    })?;
    Ok(recorded(ended, drawn))
}

fn recorded(ended: Ended, drawn: Drawn) -> Recorded {
    if let Some(outer) = ended.outer {
        super::outer::undo(&drawn);
        drop(outer);
    }
    Recorded {
        blocks: drawn.blocks,
        code: code_of(ended.status),
        signal: ended.signal,
        holders: ended.holders,
        warnings: ended.warnings,
        failure: drawn.failure,
    }
}

fn first_size(options: &RunOptions) -> Size {
    let outer = match options.headless {
        true => None,
        false => window_size(rustix::stdio::stdin()),
    };
    options.size.or(outer.unwrap_or(DEFAULT_SIZE))
}

/// What a block of the whole recording says of it.
fn whole(options: &RunOptions) -> Command {
    let words: Vec<_> =
        options.command.iter().map(|word| text::shell_quoted(&word.to_string_lossy())).collect();
    let cwd = options.cwd.as_deref().map(std::fs::canonicalize);
    let cwd = cwd.unwrap_or_else(std::env::current_dir).ok();
    Command {
        text: (!words.is_empty()).then(|| words.join(" ")),
        cwd: cwd.map(|cwd| cwd.to_string_lossy().into_owned()),
        started: None,
    }
}

/// A status as shells have it.
pub(super) fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    u8::try_from(code.unwrap_or(255)).unwrap_or(255)
}
