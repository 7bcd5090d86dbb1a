//! Terminals that agents open, type into, read, signal and close.
//!
//! - `agent`, `runtime`: who may, and where the sockets are.
//! - `wire`: what a client asks and a host answers; `host`: the process that owns a terminal.
//! - `client`: asking hosts; `start`: starting them; `exchange`: over one connection; `patience`: how
//!   long; `roll_call`: asking many at once; `hang_up`: the end of a request from outside; `receipt`:
//!   the word that an answer arrived; `error`: why something was not done.
//! - `terminals`: the tools of a terminal; `mcp`: the server that offers them.
//! - `hint`: what can be done about a refusal.
//! - `voice`, `hint`: what is said, in the words of the command line or of tools.
//! - `usual`: what terminals and jobs have unless something else is wanted.
//! - `attach`: a person joins a terminal.
//! - `place`: how blocks are named to whoever reads them.
//! - `execute`: `terminal_execute`, terminals by label and keys of tmux.
//! - `exec`: `exec_command` and `write_stdin`: commands as jobs.
//! - `dial`: connecting to hosts that may take nobody.
//! - `keys`: the names of keys and the bytes behind them.

mod agent;
mod attach;
mod client;
mod dial;
mod error;
mod exchange;
mod hang_up;
mod hint;
mod host;
mod patience;
mod place;
mod receipt;
mod roll_call;
mod runtime;
mod start;
mod usual;
mod voice;

pub mod exec;
pub mod execute;
pub mod keys;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod terminals;
pub mod wire;

pub use agent::{AGENT, Agent, AgentHash};
use client::unknown_session;

pub use attach::look_on;
pub use client::{Client, MOST_TERMINALS, close_any, list_all};
pub use error::LiveError;
pub use hang_up::HangUp;
pub use hint::hint;
pub use host::{HostConfig, JobConfig, Transport, parse_task_id, serve};
pub use receipt::Receipt;
pub use runtime::{AgentFolder, RUNTIME, Runtime, RuntimeError};
pub use voice::Voice;
