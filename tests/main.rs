//! All end-to-end tests in one target: one file per program, one per promise.

#![allow(missing_docs, unreachable_pub)]
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

mod support;

mod bad_input;
mod blocks;
mod check_artifacts;
mod check_golden;
mod export;
mod journal;
mod list;
mod live_agents;
mod live_attach;
mod live_bad_input;
mod live_blocks;
mod live_complaints;
mod live_exec;
mod live_execute;
mod live_hosts;
mod live_input;
mod live_life;
#[cfg(feature = "mcp")]
mod live_mcp;
#[cfg(feature = "mcp")]
mod live_mcp_exec;
#[cfg(feature = "mcp")]
mod live_mcp_wire;
mod live_output;
mod live_shells;
mod man;
mod parity;
mod people;
mod readme;
mod record_crash;
mod record_import;
mod record_programs;
mod record_run;
mod record_shells;
mod record_stress;
mod recover;
mod render;
mod screen_hostile;
mod screen_oracle;
mod screen_properties;
mod screen_state;
mod screen_streams;
mod search;
mod skill;
mod snapshot_text;
mod store;
mod summary;
mod test_list;
