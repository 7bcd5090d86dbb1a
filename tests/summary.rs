//! `terminal-session-summary`.
