//! Exit codes, and the one way every program starts and ends.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use super::{CommonArgs, Console, Failure};

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Failed, or there are findings.
    Failed,
    /// The call was wrong, or nothing could be checked.
    Usage,
    /// What was waited for did not come in time.
    Deadline,
    /// As the program that was recorded ended: its own code, or 128 and the signal.
    Child(u8),
    /// How a command ended is not known, where the codes above are the command's.
    Unknown,
    /// The recorder failed where the codes above are the program's.
    Recorder,
    /// The program cannot be run, in the same place.
    CannotRun,
    /// There is no such program, in the same place.
    NotFound,
}

impl Exit {
    /// The number that the system gets.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Deadline => 3,
            Self::Child(code) => code,
            Self::Unknown => 124,
            Self::Recorder => 125,
            Self::CannotRun => 126,
            Self::NotFound => 127,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Parses the arguments, runs the program and reports what went wrong.
pub fn run<A: Parser + AsRef<CommonArgs>>(
    program: fn(&A, &mut Console) -> Result<Exit, Failure>,
) -> ExitCode {
    let args = match A::try_parse_from(spell_out(std::env::args_os().collect())) {
        Ok(args) => args,
        Err(error) => return refuse(&error).into(),
    };
    let mut console = Console::new(args.as_ref().color);
    let result = program(&args, &mut console).and_then(|exit| {
        console.comes_to(exit);
        console.flush()?;
        Ok(exit)
    });
    let exit = match result {
        Ok(exit) => exit,
        // Who reads no further still learns from the code what was found.
        Err(Failure::ClosedPipe) => console.exit(),
        Err(Failure::Usage(message)) => {
            console.error(&message);
            Exit::Usage
        }
        Err(failure @ (Failure::Failed(_) | Failure::NoAnswer(_))) => {
            // What was printed before the failure comes out before the message does.
            console.flush_quietly();
            console.error(&failure.to_string());
            let has_answers = matches!(failure, Failure::NoAnswer(_));
            if has_answers { Exit::Usage } else { Exit::Failed }
        }
    };
    let is_shown = console.finish_pager();
    if exit == Exit::Done && !is_shown { Exit::Failed.into() } else { exit.into() }
}

/// With `--compat`, spells out the beginnings of options that were unique among the Python helper's
/// options and are not among ours: argparse takes any unique beginning.
fn spell_out(words: Vec<OsString>) -> Vec<OsString> {
    if !words.iter().any(|word| word == "--compat") {
        return words;
    }
    let spelled = |word: OsString| {
        let text = word.to_str()?;
        let (option, value) = match text.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (text, None),
        };
        let whole = match option {
            "--c" | "--co" => "--codex-home",
            "--h" | "--he" => "--help",
            _ => return None,
        };
        Some(value.map_or(whole.to_owned(), |value| format!("{whole}={value}")).into())
    };
    words.into_iter().map(|word| spelled(word.clone()).unwrap_or(word)).collect()
}

/// Help and version go to stdout; a usage error goes to stderr without live controls, since an
/// argument may hold them.
fn refuse(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        let mut console = Console::new(super::ColorChoice::Auto);
        return match error.print().map_err(Failure::from) {
            Ok(()) | Err(Failure::ClosedPipe) => Exit::Done,
            Err(failure) => {
                console.error(&failure.to_string());
                Exit::Failed
            }
        };
    }
    Console::new(super::ColorChoice::Auto).usage_error(&error.render().to_string());
    Exit::Usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let plain = [Exit::Done, Exit::Failed, Exit::Usage].map(Exit::code);
        assert_eq!(plain, [0, 1, 2]);
        assert_eq!((Exit::Deadline.code(), Exit::Unknown.code()), (3, 124));
        let of_a_child = [Exit::Child(9), Exit::Recorder, Exit::CannotRun, Exit::NotFound];
        assert_eq!(of_a_child.map(Exit::code), [9, 125, 126, 127]);
    }
}
