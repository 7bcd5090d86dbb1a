//! Terminals of our own and the programs in them; the terminal that we run in.
//!
//! - `pair`: a pseudoterminal; `spawn` starts a program in it, `child_setup` is what the program's
//!   process does before it becomes the program.
//! - `line_mode`, `foreground`, `holders`, `processes`, `stopped`, `waiting`, `polled`: what can be
//!   seen of a program from outside.
//! - `short_path`: sockets whose path is too long for their address.
//! - `size`, `raw_mode`: the terminal that we run in; `signals`: what the system tells us, unless it
//!   is `ignored`.

mod child_setup;
mod foreground;
mod holders;
mod ignored;
mod line_mode;
mod pair;
mod polled;
mod processes;
mod raw_mode;
mod short_path;
mod signals;
mod size;
mod spawn;
mod stopped;
mod waiting;

pub(crate) use child_setup::detach;
pub use foreground::{bring_to_front, foreground_group, is_in_background, signal_group};
pub use holders::{Holder, holders};
pub use line_mode::LineMode;
pub use pair::{MUCH_OUTPUT, Pty};
pub use processes::{
    Ended, Process, arguments_of, folder_of, has_variable, process, processes, program_of,
    session_members, time_used,
};
pub use raw_mode::RawMode;
pub(crate) use short_path::at_short_path;
pub use signals::{Caught, Signals, survive_file_limit};
pub use size::{set_window_size, window_size};
pub(crate) use spawn::can_enter;
pub use spawn::{Program, SpawnError, spawn, spawn_in_group};
pub use stopped::{Stopped, stopped_children};
pub use waiting::{
    Doing, Foreground, Waiter, foreground, foreground_leader, foreground_name, group_of, name_of,
};
