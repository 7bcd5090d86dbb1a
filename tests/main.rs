//! All end-to-end tests in one target: one file per program, one per promise.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)]

mod screen_streams;
mod summary;
mod test_list;
