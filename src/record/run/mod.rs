//! Recording a program while it runs.
//!
//! Two threads: one stands between the program and the person and never waits for a disk
//! (`event_loop`, with `outside`, `input`, `hot_key` and `marks`); the other draws, writes and
//! freezes (`recorder`, with `recording` and `pending`). `message` is what they tell each other, and
//! the program is held up when the second one is behind.
//!
//! - `written`: the journal and the asciicast (`cast_file`), which get everything as it comes.
//! - `hook`: how shells tell where commands begin and end; `control`: wishes from outside.
//! - `options`, `error`: what is asked for, and why it did not work.
//! - `environment`: what the program gets to see; `outer`: the person's terminal.
//! - `start`: the way from the options to the two threads and back.

mod cast_file;
mod clock;
mod control;
mod environment;
mod error;
mod event_loop;
mod hook;
mod hot_key;
mod input;
mod kill;
mod marks;
mod message;
mod options;
mod outer;
mod outside;
mod pending;
mod recorder;
mod recording;
mod start;
mod status;
mod written;

pub(crate) use control::sweep_sockets;
pub(crate) use environment::{OTHER_TERMINALS, usual_shell};
pub(crate) use hook::{Hook, install as install_hook};
pub(crate) use hot_key::HotKeyFilter;
pub(crate) use input::Input;
pub(crate) use marks::{Mark, MarkFilter, Piece};
pub(crate) use message::Frozen;
pub(crate) use outer::{show, undo};
pub(crate) use recording::{Command, End, Plan, Recording};

pub use cast_file::{CastError, CastFault, CastOptions, Existing};
pub use control::{FreezeAnswer, freeze, is_left_socket};
pub use environment::NESTED;
pub use error::RunError;
pub use hot_key::{HotKey, HotKeyError};
pub use options::{FreezeWhen, RunOptions};
pub use start::{Notice, Recorded, run};
