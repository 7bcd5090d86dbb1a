//! From the options to a recording.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::cast_file::{CastHeader, CastTarget};
use super::clock::Clock;
use super::control::Control;
use super::environment::program;
use super::event_loop::{Ended, EventLoop, State};
use super::hot_key::HotKeyFilter;
use super::marks::MarkFilter;
use super::message::{self, Feedback, Notifier, Outbox, feedback};
use super::pending::Pending;
use super::recorder::Recorder;
use super::recording::{Command, Drawn, Progress, Recording};
use super::status::code_of;
use super::written::Written;
use super::{RunError, RunOptions, hook};
use crate::artifact::{AddedBlock, JOURNAL, OnWait, Store, StoreError};
use crate::pty::{Holder, Program, Pty, RawMode, Signals, spawn, window_size};
use crate::record::history::History;
use crate::record::opening::DEFAULT_SIZE;
use crate::record::{Journal, JournalHeader};
use crate::screen::{Scrollback, Size};
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

/// What the person should know while a program is recorded.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    /// It has started, shows nothing yet, and others can ask for blocks. Our own terminal is in raw
    /// mode.
    Begun,
    /// Something does not work, and the recording goes on.
    Warning(&'a str),
}

/// Records a program until it ends. `say` says what the person should know meanwhile.
///
/// # Errors
/// [`RunError`]. Once the program has started, what can be recorded is.
pub fn run(
    options: &RunOptions,
    store: &Store,
    say: &mut dyn FnMut(Notice<'_>),
) -> Result<Recorded, RunError> {
    // From here on no end of the program and no new size is missed.
    let mut signals = Signals::catch().map_err(RunError::system("catch signals"))?;
    let size = first_size(options);
    let pty = Pty::open(size).map_err(RunError::Terminal)?;
    let clock = Clock::start();
    let mut program = program(options);
    let hook = match options.freeze.command {
        true => {
            hook::install(&mut program, false).map_err(RunError::system("make a prompt hook"))?
        }
        false => None,
    };
    if hook.is_none() && options.freeze.command {
        let why = hook::why_none(&program);
        say(Notice::Warning(&format!("{why}, so its commands do not become blocks")));
    }
    let whole = whole(options);
    let wants_room = Arc::new(AtomicBool::new(false));
    let (notifier, inbox) =
        feedback(Arc::clone(&wants_room)).map_err(RunError::system("make a pipe"))?;
    let files = Files::open(options, store, size, clock, &whole)?;
    let (sender, messages) = sync_channel(message::MOST);
    // Without it nobody can ask for a block from outside, which is no reason to record nothing.
    let notifier = Arc::new(notifier);
    let control = Control::listen(store.folder(), Arc::downgrade(&notifier));
    let outer = match options.headless {
        true => Ok(None),
        false => RawMode::enter().map(Some),
    };
    let started = outer
        .map_err(RunError::system("use this terminal"))
        .and_then(|outer| Ok((outer, spawn(&pty, &program)?)));
    let (outer, child) = match started {
        Ok(started) => started,
        Err(error) => {
            drop(control);
            files.discard(store);
            return Err(error);
        }
    };
    // Nothing that the program prints is shown before this.
    say(Notice::Begun);
    let history = match options.scrollback {
        // The journal is there, so this can only be a disk that filled up just now.
        Scrollback::Unlimited => History::begin(store.folder(), None).ok(),
        Scrollback::Rows(_) => None,
    };
    let written = files.begin(&program, size, clock, &whole);

    let gives_up = Arc::new(AtomicBool::new(false));
    let recorder = Recorder {
        recording: Recording {
            clock,
            store: store.clone(),
            session_id: options.session_id.clone(),
            pending: Pending::new(size, options.scrollback, history, options.headless),
            written,
            whole,
            has_marks: hook.is_some(),
            step_id: None,
            progress: Progress::default(),
            on_wait: Some(about_waits(&notifier, &gives_up)),
        },
        every: options.freeze.every,
        next_block: None,
        notifier,
    };
    let (nonce, hook_files) = hook.map(|hook| (hook.nonce, hook.files)).unzip();
    let event_loop = EventLoop {
        pty,
        child,
        signals: &mut signals,
        clock,
        outbox: Outbox::new(sender, wants_room),
        inbox,
        outer,
        gives_up,
        size: options.size,
        marks: nonce.map(MarkFilter::new),
        hook_files,
        hot_key: options.freeze.hot_key.filter(|_| !options.headless).map(HotKeyFilter::new),
        records_input: options.cast.as_ref().is_some_and(|cast| cast.input),
        warn: &mut |text| say(Notice::Warning(text)),
        state: State::new(options.headless),
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

/// Warns where another program keeps a block from being written, and waits until it is given up.
fn about_waits(
    notifier: &Arc<Notifier>,
    gives_up: &Arc<AtomicBool>,
) -> Box<dyn Fn(bool) -> OnWait + Send> {
    let (notifier, gives_up) = (Arc::clone(notifier), Arc::clone(gives_up));
    Box::new(move |is_full_screen| {
        let notifier = Arc::clone(&notifier);
        OnWait::new(move |path| {
            let text = format!("a block waits for another program that holds {}", path.display());
            notifier.send(Feedback::Warning { text, is_full_screen });
        })
        .until(Arc::clone(&gives_up))
    })
}

/// Files that are there before the program is, so that it is not started for nothing.
struct Files {
    journal: Journal,
    cast: Option<CastTarget>,
}

impl Files {
    fn open(
        options: &RunOptions,
        store: &Store,
        size: Size,
        clock: Clock,
        whole: &Command,
    ) -> Result<Self, RunError> {
        let cast = options.cast.as_ref().map(CastTarget::open).transpose()?;
        let header = JournalHeader {
            terminal_id: options.terminal.clone(),
            session_id: options.session_id.clone(),
            size,
            scrollback: options.scrollback,
            command: whole.text.clone(),
            cwd: whole.cwd.clone(),
            started: clock.started(),
        };
        match Journal::create(store.folder(), &header, options.journal_limit) {
            Ok(journal) => Ok(Self { journal, cast }),
            Err(error) => {
                cast.into_iter().for_each(CastTarget::discard);
                // A full disk may have room for folders and none for a file.
                std::fs::remove_dir(store.folder().join(JOURNAL)).unwrap_or_default();
                std::fs::remove_dir(store.folder()).unwrap_or_default();
                Err(error.into())
            }
        }
    }

    /// The program did not start: nothing is left of it.
    fn discard(self, store: &Store) {
        self.cast.into_iter().for_each(CastTarget::discard);
        self.journal.remove().unwrap_or_default();
        // Where others record there too, it stays.
        std::fs::remove_dir(store.folder()).unwrap_or_default();
    }

    fn begin(self, program: &Program, size: Size, clock: Clock, whole: &Command) -> Written {
        let set = program.set.iter().rev().find(|(name, _)| name == "TERM");
        let term = set.map(|(_, value)| value.clone()).or_else(|| std::env::var_os("TERM"));
        let shell = std::env::var("SHELL").ok();
        let header = CastHeader {
            size,
            started: clock.started(),
            command: whole.text.clone(),
            term: term.map(|term| term.to_string_lossy().into_owned()),
            shell,
        };
        Written::new(self.journal, self.cast, &header)
    }
}

fn recorded(ended: Ended, drawn: Drawn) -> Recorded {
    if let Some(outer) = ended.outer {
        super::outer::undo(&drawn.modes, drawn.is_full_screen);
        drop(outer);
    }
    Recorded {
        blocks: drawn.blocks,
        code: code_of(ended.status),
        signal: ended.signal,
        holders: ended.holders,
        warnings: [ended.warnings, drawn.complaints].concat(),
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
