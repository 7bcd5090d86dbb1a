//! Serialized screens: replay and text.

pub mod compat;
