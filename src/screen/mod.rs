//! The terminal emulator.
