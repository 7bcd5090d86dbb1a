//! The text of one block.

use std::path::PathBuf;

use thiserror::Error;

use crate::artifact::{Block, BlockKind, Manifest, SnapshotError, SnapshotFile};
use crate::screen::Screen;
use crate::snapshot::{self, Reading, TooLarge};
use crate::text;

/// How a snapshot becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// Replayed through the emulator and read back.
    Screen {
        /// Whether runs of blank lines shrink to one and leading ones go.
        squeeze: bool,
    },
    /// As the Python helpers print it.
    Compat,
}

/// Where a block's text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The manifest itself.
    Manifest,
    /// A snapshot file, resolved.
    File(PathBuf),
}

/// Why a block has no text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContentError {
    /// The snapshot cannot be read.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The snapshot stands for too much text.
    #[error("cannot show content file {}: {reason}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How much that is.
        reason: TooLarge,
    },
}

/// A block's text before any lines are chosen.
#[derive(Debug)]
pub struct Content {
    /// Where it comes from.
    pub source: Source,
    /// The text.
    pub text: String,
    /// Whether the snapshot ends in the alternate screen; none for other blocks and renderings.
    pub alternate: Option<bool>,
}

impl Content {
    /// Reads the text of a block.
    ///
    /// # Errors
    /// [`ContentError`].
    pub fn read(
        manifest: &Manifest,
        block: &Block<'_>,
        rendering: Rendering,
    ) -> Result<Self, ContentError> {
        if block.kind() != BlockKind::Snapshot {
            return Ok(Self { source: Source::Manifest, text: block.message(), alternate: None });
        }
        let file = SnapshotFile::read(manifest.folder(), block)?;
        Ok(match rendering {
            Rendering::Compat => {
                let text = snapshot::compat::text(&file.data);
                Self { source: Source::File(file.path), text, alternate: None }
            }
            Rendering::Screen { squeeze } => match snapshot::read(&file.data, block.size()) {
                Ok(reading) => Self::of_reading(reading, Source::File(file.path), squeeze),
                Err(reason) => return Err(ContentError::TooLarge { path: file.path, reason }),
            },
        })
    }

    /// The text of a screen that is in no block, drawn from the file `path`.
    pub fn of_screen(screen: &Screen, path: PathBuf, rendering: Rendering) -> Self {
        let source = Source::File(path);
        match rendering {
            Rendering::Compat => {
                let data = snapshot::serialize(screen);
                Self { source, text: snapshot::compat::text(data.as_bytes()), alternate: None }
            }
            Rendering::Screen { squeeze } => {
                let reading =
                    Reading { text: snapshot::text(screen), alternate: screen.is_alternate() };
                Self::of_reading(reading, source, squeeze)
            }
        }
    }

    fn of_reading(reading: Reading, source: Source, squeeze: bool) -> Self {
        let Reading { text, alternate } = reading;
        let text = if squeeze { text::squeeze(&text) } else { text };
        Self { source, text, alternate: Some(alternate) }
    }

    /// The screen of a snapshot and its file; none for other blocks.
    ///
    /// # Errors
    /// [`ContentError`].
    pub fn screen(
        manifest: &Manifest,
        block: &Block<'_>,
    ) -> Result<Option<(Screen, PathBuf)>, ContentError> {
        if block.kind() != BlockKind::Snapshot {
            return Ok(None);
        }
        let SnapshotFile { path, data } = SnapshotFile::read(manifest.folder(), block)?;
        match snapshot::replay_bounded(&data, block.size()) {
            Ok(screen) => Ok(Some((screen, path))),
            Err(reason) => Err(ContentError::TooLarge { path, reason }),
        }
    }

    /// The beginning of a snapshot's text.
    ///
    /// # Errors
    /// [`ContentError`].
    pub fn preview(
        manifest: &Manifest,
        block: &Block<'_>,
        rendering: Rendering,
        max_chars: usize,
    ) -> Result<String, ContentError> {
        let file = SnapshotFile::read(manifest.folder(), block)?;
        match rendering {
            Rendering::Compat => Ok(snapshot::compat::preview(&file.data, max_chars)),
            Rendering::Screen { .. } => snapshot::preview(&file.data, block.size(), max_chars)
                .map_err(|reason| ContentError::TooLarge { path: file.path, reason }),
        }
    }

    /// The first line of a block's text that is not blank, of at most `max_chars` code points.
    ///
    /// Only the first 16 KiB of a snapshot are looked at: who lists thousands of sessions wants to
    /// recognise them, and what follows changes no row of a screen that codex-deck froze.
    pub fn first_line(manifest: &Manifest, block: &Block<'_>, max_chars: usize) -> Option<String> {
        const START: u32 = 16 << 10;
        let text = if block.kind() == BlockKind::Snapshot {
            let file = SnapshotFile::read_start(manifest.folder(), block, START).ok()?;
            snapshot::preview(&file.data, block.size(), max_chars).ok()?
        } else {
            block.message()
        };
        let line = text.lines().map(text::strip).find(|line| !line.is_empty())?;
        Some(text::prefix(line, max_chars).to_owned())
    }

    /// The stored bytes of a block.
    ///
    /// # Errors
    /// [`SnapshotError`] where a snapshot cannot be read.
    pub fn raw(manifest: &Manifest, block: &Block<'_>) -> Result<Vec<u8>, SnapshotError> {
        if block.kind() != BlockKind::Snapshot {
            return Ok(block.message().into_bytes());
        }
        Ok(SnapshotFile::read(manifest.folder(), block)?.data)
    }
}

/// The lines of a text, as the rendering counts them.
pub(super) fn lines(text: &str, rendering: Rendering) -> Vec<&str> {
    match rendering {
        Rendering::Compat => snapshot::compat::lines(text).collect(),
        Rendering::Screen { .. } => {
            let mut lines: Vec<_> = text.split('\n').collect();
            // The newline at the end of a line starts no further line.
            if lines.last() == Some(&"") {
                lines.pop();
            }
            lines
        }
    }
}
