//! The two output streams of a program.

use std::io::{self, BufWriter, IsTerminal, Stderr, StdoutLock, Write};

use owo_colors::OwoColorize;
use thiserror::Error;

use super::pager::Pager;
use super::{ColorChoice, Controls, Exit, sanitize, sanitize_line};
use crate::artifact::OnWait;
use crate::text::system_error;

/// Why a program ends early.
#[derive(Debug, Error)]
pub enum Failure {
    /// Nobody reads the output any more.
    #[error("output closed")]
    ClosedPipe,
    /// The call makes no sense.
    #[error("{0}")]
    Usage(String),
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
    /// There is no answer, where exit code 1 is an answer.
    #[error("{0}")]
    NoAnswer(String),
}

impl Failure {
    /// A failure with this message.
    pub fn failed(message: impl ToString) -> Self {
        Self::Failed(message.to_string())
    }

    /// The same for a program whose exit code 1 says that nothing was found.
    pub fn or_no_answer(self) -> Self {
        match self {
            Self::Failed(message) => Self::NoAnswer(message),
            other => other,
        }
    }

    /// A usage error with this message.
    pub fn usage(message: impl ToString) -> Self {
        Self::Usage(message.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(format!("cannot write output: {}", system_error(&error))),
        }
    }
}

/// Where data goes.
enum Target {
    Stdout(StdoutLock<'static>),
    Pager(Pager),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Pager(pager) => pager.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Pager(pager) => pager.flush(),
        }
    }
}

/// Stdout for data, buffered; stderr for everything else, always sanitised.
pub struct Console {
    out: BufWriter<Target>,
    /// What is to be said when the pager has left the terminal.
    exit: Exit,
    held: Vec<String>,
    out_is_terminal: bool,
    out_color: bool,
    err: Stderr,
    err_color: bool,
}

impl Console {
    /// The process's streams.
    pub fn new(color: ColorChoice) -> Self {
        let out = io::stdout().lock();
        let err = io::stderr();
        Self {
            out_is_terminal: out.is_terminal(),
            out_color: color.is_on(out.is_terminal()),
            out: BufWriter::with_capacity(64 * 1024, Target::Stdout(out)),
            held: Vec::new(),
            exit: Exit::Done,
            err_color: color.is_on(err.is_terminal()),
            err,
        }
    }

    /// How the program ends as far as is known. It ends so where nobody reads on.
    pub(super) fn comes_to(&mut self, exit: Exit) {
        self.exit = exit;
    }

    /// What [`Self::comes_to`] was told last.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether a person's terminal gets the data.
    pub fn out_is_terminal(&self) -> bool {
        self.out_is_terminal
    }

    /// Whether what people read on stdout is coloured.
    pub(super) fn out_has_color(&self) -> bool {
        self.out_color
    }

    /// Shows what is printed from now on in the person's pager, if stdout is a terminal.
    pub(super) fn start_pager(&mut self) {
        let is_paged = matches!(self.out.get_ref(), Target::Pager(_));
        if self.out_is_terminal
            && !is_paged
            && self.out.buffer().is_empty()
            && let Some(pager) = Pager::start()
        {
            *self.out.get_mut() = Target::Pager(pager);
        }
    }

    /// Waits until the person has left the pager, and says what was to be said meanwhile; whether
    /// all could be shown.
    pub(super) fn finish_pager(&mut self) -> bool {
        let failure = match self.out.get_mut() {
            Target::Pager(pager) => pager.finish(),
            Target::Stdout(_) => return true,
        };
        if let Some(failure) = &failure {
            self.error(failure);
        }
        for line in std::mem::take(&mut self.held) {
            writeln!(self.err, "{line}").unwrap_or_default();
        }
        failure.is_none()
    }

    /// Stdout, as it is.
    pub fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Prints text to stdout with its controls shown, not live.
    ///
    /// # Errors
    /// [`Failure::ClosedPipe`] and other write errors.
    pub fn print(&mut self, text: &str, controls: Controls) -> Result<(), Failure> {
        Ok(self.out.write_all(sanitize(text, controls).as_bytes())?)
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// [`Failure::ClosedPipe`] and other write errors.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// The same where a failure is being reported already.
    pub(super) fn flush_quietly(&mut self) {
        // The first failure is the one to report.
        self.out.flush().unwrap_or_default();
    }

    /// `error: …` on one line of stderr.
    pub fn error(&mut self, message: &str) {
        let label =
            if self.err_color { "error:".red().bold().to_string() } else { "error:".into() };
        self.say(&format!("{label} {}", sanitize_line(message)));
    }

    /// `note: …` on one line of stderr.
    pub fn note(&mut self, message: &str) {
        self.say(&note_line(message, self.err_color));
    }

    /// Notes that another program is waited for.
    pub fn on_wait(&self) -> OnWait {
        let is_color = self.err_color;
        OnWait::new(move |path| {
            let message = format!("waiting for another program that holds {}", path.display());
            let line = note_line(&message, is_color);
            writeln!(io::stderr(), "{line}").unwrap_or_default();
        })
    }

    pub(super) fn usage_error(&mut self, message: &str) {
        let shown = sanitize(message.trim_end(), Controls::Shown).into_owned();
        self.say(&shown);
    }

    fn say(&mut self, line: &str) {
        if matches!(self.out.get_ref(), Target::Pager(_)) {
            self.held.push(line.to_owned());
            return;
        }
        // Nothing can be said about a stderr that cannot be written to.
        writeln!(self.err, "{line}").unwrap_or_default();
    }
}

fn note_line(message: &str, is_color: bool) -> String {
    let label = if is_color { "note:".bold().to_string() } else { "note:".to_owned() };
    format!("{label} {}", sanitize_line(message))
}
