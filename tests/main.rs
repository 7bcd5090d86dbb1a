//! All integration tests, as one target: a file each.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod screen_hostile;
mod screen_oracle;
mod screen_properties;
mod screen_state;
mod screen_streams;
mod snapshot_text;
