//! Terminals that agents open, type into, read, signal and close.
//!
//! - `agent`, `runtime`: who may, and where the sockets are.
//! - `wire`: what a client asks and a host answers; `host`: the process that owns a terminal.
//! - `client`: asking hosts, and starting them; `roll_call`: asking many at once.
//! - `attach`: a person joins a terminal.
//! - `exec`: `exec_command` and `write_stdin`: commands as jobs.
//! - `keys`: the names of keys and the bytes behind them.

mod agent;
mod attach;
mod client;
mod host;
mod roll_call;
mod runtime;

pub mod exec;
pub mod keys;
pub mod wire;

pub use agent::{AGENT, Agent, AgentHash};
use client::unknown_session;

pub use attach::look_on;
pub use client::{Client, LiveError, MOST_TERMINALS, close_any, list_all};
pub use host::{HostConfig, JobConfig, Transport, parse_task_id, serve};
pub use runtime::{AgentFolder, RUNTIME, Runtime, RuntimeError};
