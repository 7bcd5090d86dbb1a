//! Commands as jobs: `exec_command`, `write_stdin`, and the lists and ends of jobs.
//!
//! A command runs in a process of its own that keeps its output until it was read. It is a job of
//! its agent from its start; whoever asked for it gets to know the id if the command outlives the
//! first wait, or has more to say than one page.
//!
//! - `command`: starting one; `shell`: what runs it; `state`: what an agent's jobs share; `stdin`:
//!   typing and reading on.
//! - `jobs`: all of them, and the end of one.
//! - `output`: what is said of a page; `limits`: waits and pages; `error`: why something was not done.

mod command;
mod error;
mod jobs;
mod limits;
mod output;
mod shell;
mod state;
mod stdin;

#[cfg(feature = "mcp")]
pub(super) use command::exec_command_as;
pub use command::{ExecCommand, ExecPlace, JOB_SIZE, exec_command};
pub use error::ExecError;
pub(super) use error::{stdin_closed, unknown_job};
pub use jobs::{
    JobKilled, JobList, JobRow, close_jobs, job_close_any, job_kill, job_list, job_list_all,
    job_wait,
};
#[cfg(feature = "mcp")]
pub(super) use limits::{COMMAND, INPUT, POLL, Wait};
pub use limits::{Limits, MOST_JOBS, MOST_TOKENS};
pub use output::JobOutput;
pub use stdin::{WriteStdin, write_stdin};
