//! `terminal-session-record import`: a recording becomes blocks of a session.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::progress::Progress;
use super::target::{TargetArgs, block_object};
use crate::artifact::Store;
use crate::cli::arguments::count_from;
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure, write_json};
use crate::home::TerminalId;
use crate::record::{
    ByteReader, Format, Freeze, ImportError, ImportOptions, Imported, Input, SizeChoice, import,
};
use crate::text;

const NOTES: &str = "\
Examples:
  An asciinema recording, one block per command:
    terminal-session-record import demo.cast --freeze prompts
  Raw bytes of a terminal of 100 columns and 30 rows:
    terminal-session-record import output.raw --size 100x30
  What script recorded with `script -m advanced -T timing typescript`:
    terminal-session-record import typescript --timing timing
  More blocks for a session that is there:
    zcat demo.cast.gz | terminal-session-record import - --terminal-id terminal-k3x9qa71mb2f

Formats:
  asciicast   versions 1, 2 and 3; the name ends in .cast, or the file starts with its header
  typescript  of util-linux script; the file starts with `Script started on`
  raw         anything else

Output:
  The terminal's id on the first line, then the id of each new block. At least one block is
  written, even of a recording that shows nothing. With --json one object: terminalId, sessionId,
  blocks (blockId, sequence, snapshot) and notes.

Exit status:
  0  done; a cut off end of the recording is noted on stderr
  1  the recording is bad or the session cannot be written, and the session is as it was; or the
     ids cannot be printed, and the blocks are there
  2  wrong usage";

/// Import a recording: asciicast, raw bytes, or a typescript
///
/// The recording is drawn on a screen, and what is there becomes a snapshot block, at the end and
/// where --freeze says. After each block the screen starts again empty. Nothing is written before
/// the whole recording was read and found good; then all blocks are added at once.
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct ImportArgs {
    /// Recording, `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    common: CommonArgs,

    /// Kind of recording
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatChoice::Auto)]
    format: FormatChoice,

    /// Size of the terminal: COLSxROWS, COLSx or xROWS, such as 80x24, 132x or x50 [default for
    /// what is not named: the recording's, else that of 80x24]
    #[arg(long, value_name = "SIZE")]
    size: Option<SizeChoice>,

    /// Changes of size in raw bytes: lines OFFSET COLS ROWS
    #[arg(long, value_name = "FILE", conflicts_with = "timing")]
    resize_file: Option<PathBuf>,

    /// Timing file of a typescript
    #[arg(long, value_name = "FILE")]
    timing: Option<PathBuf>,

    #[command(flatten)]
    target: TargetArgs,

    /// Where blocks end, besides the end of the recording
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = FreezeChoice::End)]
    freeze: FreezeChoice,

    /// Rows kept above the screen
    #[arg(long, value_name = "N", value_parser = count_from(0), allow_hyphen_values = true)]
    #[arg(default_value = "10000")]
    scrollback: usize,

    /// No progress and no notes on stderr
    #[arg(long, short)]
    quiet: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatChoice {
    /// By name and start of the file
    Auto,
    /// Of version 1, 2 or 3
    Asciicast,
    /// The bytes that went to a terminal
    Raw,
    /// Of util-linux script
    Typescript,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FreezeChoice {
    /// Nowhere else
    End,
    /// At each marker of an asciicast
    Markers,
    /// At the end of each command, where OSC 133 marks the prompts
    Prompts,
}

impl AsRef<CommonArgs> for ImportArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

impl ImportArgs {
    fn options(&self) -> Result<ImportOptions, Failure> {
        Ok(ImportOptions {
            format: match self.format {
                FormatChoice::Auto => None,
                FormatChoice::Asciicast => Some(Format::Asciicast),
                FormatChoice::Raw => Some(Format::Raw),
                FormatChoice::Typescript => Some(Format::Typescript),
            },
            size: self.size.unwrap_or_default(),
            resize_file: self.resize_file.clone(),
            timing: self.timing.clone(),
            freeze: match self.freeze {
                FreezeChoice::End => Freeze::End,
                FreezeChoice::Markers => Freeze::Markers,
                FreezeChoice::Prompts => Freeze::Prompts,
            },
            scrollback: self.scrollback,
            session_id: self.target.session()?,
        })
    }

    fn input(&self) -> Result<Input, Failure> {
        let (name, reader, total) = if self.file == Path::new("-") {
            let stdin = ByteReader::stream(Box::new(io::stdin()));
            ("stdin".to_owned(), stdin, None)
        } else {
            let name = self.file.display().to_string();
            let file = File::open(&self.file).map_err(|error| {
                Failure::failed(format!("{name}: {}", text::system_error(&error)))
            })?;
            let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file);
            let total = metadata.map(|metadata| metadata.len());
            (name, ByteReader::file(file), total)
        };
        let reader = match Progress::new(total).filter(|_| !self.quiet) {
            Some(mut progress) => reader.watched(Box::new(move |done| progress.show(done))),
            None => reader,
        };
        Ok(Input { name, reader })
    }
}

/// Runs the command.
///
/// # Errors
/// Where the call is wrong, the recording is bad, or the session or the output cannot be written.
pub(super) fn run(args: &ImportArgs, console: &mut Console) -> Result<Exit, Failure> {
    let options = args.options()?;
    let terminal = args.target.terminal()?;
    let store = Store::new(&args.common.home()?, &terminal);
    let store = if args.quiet { store } else { store.on_wait(console.on_wait()) };
    let imported = import(args.input()?, &options, &store).map_err(|error| match error {
        ImportError::Mismatch(message) => Failure::usage(message),
        error => Failure::failed(error),
    })?;
    if !args.quiet {
        for note in &imported.notes {
            console.note(note);
        }
    }
    if args.json {
        let object = object(&terminal, &options.session_id, &imported);
        write_json(console.out(), &object, false, Controls::Shown)?;
    } else {
        console.print(&format!("{terminal}\n"), Controls::Shown)?;
        for block in &imported.blocks {
            console.print(&format!("{}\n", block.block_id), Controls::Shown)?;
        }
    }
    Ok(Exit::Done)
}

fn object(terminal: &TerminalId, session: &str, imported: &Imported) -> Value {
    json!({
        "terminalId": terminal.as_str(),
        "sessionId": session,
        "blocks": imported.blocks.iter().map(block_object).collect::<Vec<_>>(),
        "notes": imported.notes,
    })
}
