//! What is answered, or why nothing was done.

use serde::{Deserialize, Serialize};

use super::{
    Closed, Executed, Frozen, JobAnswer, Lines, Row, ScreenNow, Sent, Signalled, SizeNow,
    TaskKilled, TaskOutput, TaskRow, TaskStarted,
};

/// An answer.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// It was done.
    Done(Value),
    /// It was not, and why.
    Error(Refusal),
}

/// Why something was not done.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal it is.
    pub code: Code,
    /// A sentence.
    pub message: String,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// There is no such terminal, or it is another agent's.
    NoSession,
    /// It is no more, but was.
    Closed,
    /// The program in it has ended.
    Exited,
    /// It is being closed.
    Closing,
    /// Another send waits for its end.
    SendActive,
    /// One does in the background, as the task that the sentence ends with.
    TaskActive,
    /// It cannot be done now.
    Busy,
    /// A program runs that does not wait for a command.
    Runs,
    /// A program has the screen, and takes keys.
    TakesKeys,
    /// `terminal_execute` was given input and nothing runs.
    NothingRuns,
    /// It was given a command and something runs.
    CommandRuns,
    /// The request is wrong.
    Invalid,
    /// There is no such task.
    NoTask,
    /// The system refused.
    System,
}

/// What was done.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// A row of a list.
    Status(Row),
    /// What was shown, and why the wait is over.
    Sent(Sent),
    /// The same for `terminal_execute`.
    Executed(Box<Executed>),
    /// The task that waits.
    Task(TaskStarted),
    /// Lines.
    Lines(Lines),
    /// The screen.
    Screen(ScreenNow),
    /// Who got a signal.
    Signalled(Signalled),
    /// A block, if there was anything to be one.
    Frozen(Frozen),
    /// The end.
    Closed(Closed),
    /// What a task said.
    Output(TaskOutput),
    /// What became of the wish to end a task.
    Killed(TaskKilled),
    /// Tasks.
    Tasks(Vec<TaskRow>),
    /// A view begins.
    Attached,
    /// The size now.
    Size(SizeNow),
    /// What a job answers.
    Job(JobAnswer),
}
