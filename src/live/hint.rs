//! What can be done about a refusal, in the words of whoever was refused.

use super::voice::Voice;
use super::wire::Code;

/// What can be done, to be said behind the refusal; nothing for most.
pub fn hint(code: Code, voice: Voice) -> &'static str {
    match (code, voice) {
        (Code::TaskActive, Voice::CommandLine) => ": `output` reads it, `kill` interrupts it",
        (Code::TaskActive, Voice::Tools) => ": task_output reads it, task_kill interrupts it",
        (Code::TakesKeys, Voice::CommandLine) => {
            "; press `keys`, or wait for it, read, signal, or `send --no-submit`"
        }
        (Code::TakesKeys, Voice::Tools) => {
            "; send with submit: false, or wait for it, read, or signal"
        }
        (Code::Runs, Voice::CommandLine) => "; wait for it, read, signal, or `send --no-submit`",
        (Code::Runs, Voice::Tools) => "; wait for it, read, signal, or send with submit: false",
        (Code::NothingRuns, Voice::CommandLine) => {
            "; call without --input to run this as a command"
        }
        (Code::NothingRuns, Voice::Tools) => "; call without is_input to run this as a command",
        (Code::CommandRuns, Voice::CommandLine) => {
            "; send input to it with --input, interrupt it first (C-c), poll with an empty command, \
             or use another --terminal"
        }
        (Code::CommandRuns, Voice::Tools) => {
            "; send input to it with is_input, interrupt it first (C-c), poll with an empty command, \
             or use another terminal_id"
        }
        _ => "",
    }
}
