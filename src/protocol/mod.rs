//! What codex-deck and the model say to each other about a terminal. Text in, text out.

pub mod frozen;
