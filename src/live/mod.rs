//! Terminals that agents open, type into, read, signal and close.
//!
//! - `agent`, `runtime`: who may, and where the sockets are.
//! - `keys`: the names of keys and the bytes behind them.

mod agent;
mod runtime;

pub mod keys;

pub use agent::{AGENT, Agent, AgentHash};
pub use runtime::{AgentFolder, RUNTIME, Runtime, RuntimeError};
