//! Stored sessions: the manifest and what stands in it.

pub mod python_number;
