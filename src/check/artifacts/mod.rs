//! Every rule of the format, on the files of one session. Only looks: nothing is changed, and
//! nobody has to wait for it.
//!
//! - `code`: what can be found; `finding`, `findings`: one of them with its place, and all of them.
//! - `session`: the whole way through one session's folder.
//! - `manifest`, `layout`: what the manifest is as a whole; `block`, `keys`, `plan`: its records;
//!   `order`: what holds between them; `snapshot`: the files that they name.
//! - `folder`: what else lies in the folder, and who may read it.

mod block;
mod code;
mod finding;
mod findings;
mod folder;
mod keys;
mod layout;
mod manifest;
mod order;
mod plan;
mod session;
mod snapshot;
mod time;

pub use code::{Code, Severity};
pub use finding::{Finding, Place};
pub use findings::Findings;
pub use folder::session_folders;
pub use session::check_session;
