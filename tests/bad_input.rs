//! Broken artifacts: a clear error, and nothing lost.
