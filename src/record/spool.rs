//! Frozen screens that wait until all of a recording was good.

use std::io::{self, Read, Seek, Write};

use tempfile::SpooledTempFile;

use crate::artifact::NewSnapshot;
use crate::artifact::records::{Extras, SnapshotFacts};
use crate::screen::{Screen, Size};
use crate::snapshot::serialize_parts;

/// Up to this size no file is made.
const IN_MEMORY: usize = 1 << 20;

/// Frozen screens, in a temporary file that has no name.
pub(super) struct Spool {
    file: SpooledTempFile,
    entries: Vec<Entry>,
}

struct Entry {
    length: usize,
    size: Size,
    extras: Extras,
}

impl Spool {
    pub(super) fn new() -> Self {
        Self { file: SpooledTempFile::new(IN_MEMORY), entries: Vec::new() }
    }

    /// Whether nothing was frozen.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Freezes a screen.
    pub(super) fn push(&mut self, screen: &Screen, extras: Extras) -> io::Result<()> {
        let mut length = 0;
        serialize_parts(screen, &mut |part| {
            length += part.len();
            self.file.write_all(part.as_bytes())
        })?;
        self.entries.push(Entry { length, size: screen.size(), extras });
        Ok(())
    }

    /// Hands them out again, one at a time.
    pub(super) fn into_snapshots(
        mut self,
        session_id: &str,
    ) -> io::Result<impl Iterator<Item = io::Result<NewSnapshot>> + '_> {
        self.file.flush()?;
        self.file.rewind()?;
        let Self { mut file, entries } = self;
        Ok(entries.into_iter().map(move |entry| {
            let mut data = vec![0; entry.length];
            file.read_exact(&mut data)?;
            Ok(NewSnapshot {
                block_id: None,
                data: String::from_utf8(data).map_err(io::Error::other)?,
                facts: SnapshotFacts {
                    session_id: session_id.to_owned(),
                    cols: entry.size.cols,
                    rows: entry.size.rows,
                    length: 0,
                    extras: entry.extras,
                },
            })
        }))
    }
}
