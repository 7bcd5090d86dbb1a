//! Serialized screens: replay and text.
