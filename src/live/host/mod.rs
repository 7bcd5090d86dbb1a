//! The process that owns one terminal.
//!
//! - `delivery`: what the agent was shown and what it was not.

mod delivery;
