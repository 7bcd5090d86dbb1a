//! Which kind of recording a file is.

use std::io;

use super::byte_reader::Input;
use super::{cast, typescript};

/// A kind of recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// asciicast, version 1, 2 or 3.
    Asciicast,
    /// The bytes that programs wrote to a terminal.
    Raw,
    /// What util-linux `script` writes.
    Typescript,
}

/// Bytes that are enough to tell.
const HEAD: usize = 64 * 1024;

impl Format {
    /// What a file looks like: by its name, else by how it starts. Raw is what looks like nothing
    /// else.
    pub(super) fn detect(input: &mut Input) -> io::Result<Self> {
        if input.name.ends_with(".cast") {
            return Ok(Self::Asciicast);
        }
        let head = input.reader.head(HEAD)?;
        Ok(if head.starts_with(typescript::STARTED) {
            Self::Typescript
        } else if cast::looks_like_cast(head) {
            Self::Asciicast
        } else {
            Self::Raw
        })
    }
}
