//! Exit codes, and the one way every program starts and ends.

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
    /// As the program that was recorded ended: its own code, or 128 and the signal.
    Child(u8),
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
            Self::Child(code) => code,
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
    let parsed = A::command().try_get_matches().and_then(|matches| A::from_arg_matches(&matches));
    let args = match parsed {
        Ok(args) => args,
        Err(error) => return refuse(&error).into(),
    };
    let mut console = Console::new(args.as_ref().color);
    let result = program(&args, &mut console).and_then(|exit| {
        console.flush()?;
        Ok(exit)
    });
    match result {
        Ok(exit) => exit.into(),
        Err(Failure::ClosedPipe) => Exit::Done.into(),
        Err(Failure::Usage(message)) => {
            console.error(&message);
            Exit::Usage.into()
        }
        Err(Failure::Failed(message)) => {
            // What was printed before the failure comes out before the message does.
            console.flush_quietly();
            console.error(&message);
            Exit::Failed.into()
        }
    }
}

/// Help and version go to stdout; a usage error goes to stderr without live controls, since an
/// argument may hold them.
fn refuse(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        // A closed pipe is the reader's choice.
        return match error.print() {
            Ok(()) | Err(_) => Exit::Done,
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
        let of_a_child = [Exit::Child(9), Exit::Recorder, Exit::CannotRun, Exit::NotFound];
        assert_eq!(of_a_child.map(Exit::code), [9, 125, 126, 127]);
    }
}
