//! From a recording to blocks of a session.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::byte_reader::{ByteReader, Input};
use super::capture::{Capture, Captured, Freeze};
use super::cast::Cast;
use super::opening::{Opening, SizeChoice};
use super::raw::Raw;
use super::resize_file::ResizeFile;
use super::sink::Sink;
use super::typescript::Typescript;
use super::{Format, ImportError, InputFault};
use crate::artifact::{AddedBlock, Store};

/// How a recording is to be read and frozen.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The kind of recording, none to look at the file.
    pub format: Option<Format>,
    /// The size of the terminal, in part or not at all if the recording says it.
    pub size: SizeChoice,
    /// Where raw bytes change the size.
    pub resize_file: Option<PathBuf>,
    /// The timing file of a typescript.
    pub timing: Option<PathBuf>,
    /// When to freeze.
    pub freeze: Freeze,
    /// Rows kept above the screen.
    pub scrollback: usize,
    /// The Codex thread that the blocks belong to.
    pub session_id: String,
}

/// What an import did.
#[derive(Debug)]
pub struct Imported {
    /// The blocks, in their order.
    pub blocks: Vec<AddedBlock>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Imports a recording. Nothing is written before all of it was read and found good.
///
/// # Errors
/// [`ImportError`].
pub fn import(
    input: Input,
    options: &ImportOptions,
    store: &Store,
) -> Result<Imported, ImportError> {
    let Captured { spool, notes } = capture(input, options)?;
    let blocks = store.append(spool.snapshots(&options.session_id))?;
    Ok(Imported { blocks, notes })
}

/// A recording whose header was read.
enum Source {
    Cast(Cast),
    Raw(Raw),
    Typescript(Typescript),
}

impl Source {
    fn opening(&self) -> &Opening {
        match self {
            Self::Cast(cast) => cast.opening(),
            Self::Raw(raw) => raw.opening(),
            Self::Typescript(typescript) => typescript.opening(),
        }
    }

    fn play(self, input: Input, sink: &mut impl Sink) -> Result<(), ImportError> {
        match self {
            Self::Cast(cast) => cast.play(input, sink),
            Self::Raw(raw) => raw.play(input, sink),
            Self::Typescript(typescript) => typescript.play(input, sink),
        }
    }
}

fn capture(mut input: Input, options: &ImportOptions) -> Result<Captured, ImportError> {
    let source = match format(&mut input, options)? {
        Format::Asciicast => Source::Cast(Cast::open(&mut input, options.size)?),
        Format::Raw => Source::Raw(Raw::open(resizes(options)?, options.size)),
        Format::Typescript => {
            let timing = options.timing.as_deref().map(open).transpose()?;
            Source::Typescript(Typescript::open(&mut input, timing, options.size)?)
        }
    };
    let mut capture = Capture::new(source.opening(), options.freeze, options.scrollback);
    source.play(input, &mut capture)?;
    capture.finish()
}

fn resizes(options: &ImportOptions) -> Result<Option<ResizeFile>, ImportError> {
    let Some(path) = &options.resize_file else {
        return Ok(None);
    };
    let (name, reader) = open(path)?;
    ResizeFile::open(name, reader).map(Some)
}

/// The format that was named, else the one that the other files go with, else what the file looks
/// like.
fn format(input: &mut Input, options: &ImportOptions) -> Result<Format, ImportError> {
    let has_resizes = options.resize_file.is_some();
    let has_timing = options.timing.is_some();
    let format = match options.format {
        Some(format) => format,
        None if has_timing => Format::Typescript,
        None if has_resizes => Format::Raw,
        None => {
            let detected = Format::detect(input);
            detected.map_err(|error| InputFault::Read(error).of(&input.name))?
        }
    };
    if has_resizes && format != Format::Raw {
        return Err(ImportError::Mismatch("--resize-file goes with --format raw only"));
    }
    if has_timing && format != Format::Typescript {
        return Err(ImportError::Mismatch("--timing goes with --format typescript only"));
    }
    Ok(format)
}

/// A file beside the recording, and its name for messages.
fn open(path: &Path) -> Result<(String, ByteReader), ImportError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((name, ByteReader::file(file))),
        Err(error) => Err(InputFault::Read(error).of(&name)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn options(format: Option<Format>, freeze: Freeze) -> ImportOptions {
        ImportOptions {
            format,
            size: SizeChoice::default(),
            resize_file: None,
            timing: None,
            freeze,
            scrollback: 50,
            session_id: "s".to_owned(),
        }
    }

    fn captured(bytes: &[u8], options: &ImportOptions) -> Result<Captured, ImportError> {
        let reader = ByteReader::of(bytes);
        capture(Input { name: "x".to_owned(), reader }, options)
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_recording_or_an_error(
            start in prop::sample::select(vec![
                "",
                "{\"version\":2,\"width\":9,\"height\":4}\n[1,\"o\",\"",
                "{\"version\":3,\"term\":{\"cols\":9,\"rows\":4}}\n",
                "{\"version\":1,\"width\":9,\"height\":4,\"stdout\":[[",
                "Script started on x\n",
                "\u{1b}]133;A\u{7}$ \u{1b}]133;B\u{7}",
            ]),
            pieces in prop::collection::vec(prop_oneof![
                prop::collection::vec(any::<u8>(), 0..20),
                prop::sample::select(vec![
                    "\"]\n", "[1,\"o\",\"a\\u001b", "[1,\"m\",\"\"]\n", "[1,\"r\",\"7x3\"]\n",
                    "\nScript done on ", "Script started on \n", "\u{1b}]133;C\u{7}",
                    "\u{1b}]133;D;1\u{1b}\\", "\u{1b}]133;A\u{7}", "]}", "\\ud83c", "ä",
                ]).prop_map(|text| text.as_bytes().to_vec()),
            ], 0..20),
        ) {
            let bytes = [start.as_bytes().to_vec(), pieces.concat()].concat();
            for format in [None, Some(Format::Asciicast), Some(Format::Typescript)] {
                for freeze in [Freeze::End, Freeze::Markers, Freeze::Prompts] {
                    if let Ok(captured) = captured(&bytes, &options(format, freeze)) {
                        prop_assert!(!captured.spool.is_empty());
                    }
                }
            }
        }
    }
}
