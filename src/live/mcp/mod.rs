//! The server that agents speak the Model Context Protocol with, over stdin and stdout.
//!
//! It is one connection of one agent: a fresh secret, and terminals that end with it. Tools are the
//! library's own functions, which wait; each call has a thread for that, and a [`HangUp`] that ends
//! its wait when the client takes the call back.
//!
//! - `options`, `group`: what the server is to offer; `instructions`: what it says of that.
//! - `tool`: what a tool is, `arguments`: what it is called with; `terminal_tools`, `task_tools`,
//!   `exec_tools`, `execute_tools`, `inspect_tools`: the tools, `catalogue`: all of them;
//!   `tool_error`: why one did nothing.
//! - `session`: what calls share, and its end; `call`: one of them; `tasks`: what the client knows of
//!   its tasks; `announce`: those that ended while nobody waited; `loudness`: whether it is told.
//! - `lines`, `message`: what comes in, and what is wrong with it; `stdio`: messages in and out;
//!   `unwritten`: those that wait to be read.
//! - `server`: requests and answers; `delivery`: what is gone once an answer is written; `progress`:
//!   signs of life of a call; `connection`: from the first byte to the last.
//!
//! [`HangUp`]: super::HangUp

mod announce;
mod arguments;
mod call;
mod catalogue;
mod connection;
mod delivery;
mod exec_tools;
mod execute_tools;
mod group;
mod inspect_tools;
mod instructions;
mod lines;
mod loudness;
mod message;
mod options;
mod progress;
mod server;
mod session;
mod stdio;
mod task_tools;
mod tasks;
mod terminal_tools;
mod tool;
mod tool_error;
mod unwritten;

pub use connection::{ServeError, serve};
pub use group::Group;
pub use options::McpOptions;
