//! Terminals that agents open, type into, read, signal and close.
//!
//! - `agent`, `runtime`: who may, and where the sockets are.
//! - `wire`: what a client asks and a host answers; `host`: the process that owns a terminal.
//! - `keys`: the names of keys and the bytes behind them.

mod agent;
mod host;
mod runtime;

pub mod keys;
pub mod wire;

pub use agent::{AGENT, Agent, AgentHash};
pub use runtime::{AgentFolder, RUNTIME, Runtime, RuntimeError};
