//! The process that owns one terminal.
//!
//! It is one thread that never waits for anything but the next event and, when it makes a block,
//! the disk: then the program is held up, which no output is lost by.
//!
//! - `config`: what it is told at its start; `start`: from there to the loop in `state`.
//! - `terminal`: the PTY, the screens and the recording; `shell`: what the shell says of itself;
//!   `environment`: what the program gets to see.
//! - `connection`: a client; `requests`: what becomes of what it asks, as a `reply`; `screen_now`:
//!   reading; `execute`: what `terminal_execute` asks; `watching`: those that look on, `view_filter`:
//!   what they do not get to see.
//! - `held`: text that is not typed yet; `deferred`: requests that come after an interrupt; `replies`:
//!   answers to queries of programs.
//! - `waiter`: who waits; `wait`: why a wait is over, `pauses`: what silence means, `searched`: what
//!   text it looked at; `answers`: who is told what then; `task`: waits of nobody; `complaints`: what
//!   is beside the output.
//! - `view`: lines of the next block; `delivery`: what was shown to the agent; `echo`: what of it is
//!   prompts and what was typed.
//! - `job`: how far one is, `job_requests`: what is asked of it; `pages`: its output, `pages_told`:
//!   those on their way, `unread`: what nobody asked for yet.
//! - `closing`, `ends`: the end of the terminal; `tree`: of all that runs in it; `leftovers`: what a
//!   command leaves behind; `keeper`: of the process that it ends with.

mod answers;
mod closing;
mod complaints;
mod config;
mod connection;
mod deferred;
mod delivery;
mod echo;
mod ends;
mod environment;
mod execute;
mod held;
mod job;
mod job_requests;
mod keeper;
mod leftovers;
mod pages;
mod pages_told;
mod pauses;
mod replies;
mod reply;
mod requests;
mod screen_now;
mod searched;
mod shell;
mod start;
mod state;
mod task;
mod terminal;
mod tree;
mod unread;
mod view;
mod view_filter;
mod wait;
mod waiter;
mod watching;

pub use config::{HostConfig, JobConfig, Transport};
pub(super) use environment::not_for_hosts;
pub(super) use start::Started;
pub use start::serve;
pub use task::parse_task_id;
