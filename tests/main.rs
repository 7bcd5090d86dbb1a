//! All integration tests, as one target: a file each.

mod screen_streams;
