//! The process that owns one terminal.
//!
//! It is one thread that never waits for anything but the next event and, when it makes a block,
//! the disk: then the program is held up, which no output is lost by.
//!
//! - `config`: what it is told at its start; `start`: from there to the loop in `state`.
//! - `terminal`: the PTY, the screens and the recording; `shell`: what the shell says of itself;
//!   `environment`: what the program gets to see.
//! - `connection`: a client; `requests`: what becomes of what it asks; `screen_now`: reading.
//! - `held`: text that is not typed yet; `replies`: answers to queries of programs.
//! - `wait`: why a wait is over; `task`: waits of nobody; `delivery`: what was shown to the agent.
//! - `tree`: the end of all that runs in the terminal.

mod config;
mod connection;
mod delivery;
mod environment;
mod held;
mod replies;
mod requests;
mod screen_now;
mod shell;
mod start;
mod state;
mod task;
mod terminal;
mod tree;
mod wait;

pub use config::HostConfig;
pub(super) use environment::not_for_hosts;
pub(super) use start::Started;
pub use start::serve;
pub use task::parse_task_id;
