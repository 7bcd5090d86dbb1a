//! `terminal_execute`: commands, keys and polls in terminals that are known by labels.
//!
//! - `arguments`: what is asked; `special`: which words are keys.
//! - `labels`: which terminal a label means; `opening`: how one is opened.
//! - `content`: the lines of an answer; `cut`: what is left out of them.
//! - `reply`: the answer.
//!
//! Arguments and fields are those of strix. Unlike there, an end is what the shell says of it and
//! not what the screen looks like, so exit codes are real and output is not taken for a prompt.

mod arguments;
mod content;
mod cut;
mod labels;
mod opening;
mod reply;
mod special;

pub use arguments::{DEFAULT_TERMINAL, Execute, LONGEST_SECONDS, USUAL_SECONDS};
pub use cut::Omitted;
pub use opening::Place;
pub use reply::{Executed, Outcome};

use super::wire::{self, Code, Request, Value};
use super::{Client, LiveError};
use arguments::Call;
use opening::{Terminal, terminal_of};

/// Longest content in bytes that a host sends; the rest is read from its blocks.
const MOST_BYTES: usize = 10_000;

/// Runs a command in the terminal of a label, sends input to what runs there, presses a key, or
/// looks how far it is.
///
/// What the terminal refuses is an answer with the status `error`.
///
/// # Errors
/// [`LiveError::Refused`] where an argument is wrong.
pub fn terminal_execute(
    client: &Client,
    arguments: &Execute,
    place: &Place,
) -> Result<Executed, LiveError> {
    let call = arguments.read(place.voice)?;
    // A terminal may end between two requests; a new one does not.
    for is_last in [false, true] {
        let terminal = match terminal_of(client, &call, place) {
            Ok(terminal) => terminal,
            Err(error) => return Ok(Executed::failed(&call, &error.to_string())),
        };
        match ask(client, &call, &terminal) {
            Err(LiveError::Refused(refusal)) if is_gone(refusal.code) && !is_last => {}
            answer => return Ok(said(client, &call, &terminal, answer)),
        }
    }
    Ok(Executed::failed(&call, "the terminal ended again and again"))
}

fn is_gone(code: Code) -> bool {
    matches!(code, Code::Exited | Code::Closed | Code::NoSession)
}

fn ask(client: &Client, call: &Call<'_>, terminal: &Terminal) -> Result<wire::Executed, LiveError> {
    let wait = wire::Waiting { timeout_ms: call.timeout_ms, max_bytes: MOST_BYTES };
    let request = Request::Execute { typing: call.typing.clone(), wait };
    match client.ask(&terminal.id, request)? {
        Value::Executed(executed) => Ok(*executed),
        _ => Err(LiveError::Open("its host is of another version".to_owned())),
    }
}

fn said(
    client: &Client,
    call: &Call<'_>,
    terminal: &Terminal,
    answer: Result<wire::Executed, LiveError>,
) -> Executed {
    match answer {
        Ok(executed) => Executed::of(call, terminal, executed),
        Err(error) => {
            // One that did not answer does not answer now either.
            let row = match error {
                LiveError::Refused(_) => client.ask_soon(&terminal.id, Request::Status).ok(),
                _ => None,
            };
            let cwd = match row {
                Some(Value::Status(row)) => row.cwd,
                _ => None,
            };
            Executed::refused(call, terminal, &error, cwd)
        }
    }
}
