//! Exit codes, and the one way every program starts and ends.

use std::process::ExitCode;

use clap::Parser;

use super::{CommonArgs, Console, Failure};

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Failed, or there are findings.
    Failed = 1,
    /// The call was wrong, or nothing could be checked.
    Usage = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
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
        let codes = [Exit::Done, Exit::Failed, Exit::Usage].map(|exit| exit as u8);
        assert_eq!(codes, [0, 1, 2]);
    }
}
