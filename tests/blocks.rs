//! `terminal-session-blocks`.
