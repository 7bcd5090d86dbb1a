//! `terminal-session-record export`: a whole session as one file for people.

use std::ffi::OsString;
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::NamedTempFile;

use crate::artifact::{Block, Manifest};
use crate::cli::arguments::{is_inside, read_manifest, session_id};
use crate::cli::facts::{facts, heading};
use crate::cli::{CommonArgs, Console, Controls, Exit, Failure, sanitize};
use crate::inspect::Content;
use crate::record::export_cast;
use crate::render::{Picture, html};
use crate::text::system_error;

const NOTES: &str = "\
Examples:
  A page with everything that happened in the newest session:
    terminal-session-record export latest -o session.html
  The same to play in a terminal:
    terminal-session-record export latest --cast -o session.cast

Asciicast:
  --cast plays the blocks one after the other: each screen is drawn at once, at the time at which it
  was frozen, and pauses are short in players. Between them nothing is known. A marker stands at the
  end of each block; `import --freeze markers` makes blocks of them again.

Exit status:
  0  done
  1  the session or a block cannot be read, and the others are there; or the file cannot be written
  2  wrong usage";

/// Write a session as one HTML page or asciicast
#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(super) struct ExportArgs {
    /// Session: an id, a unique prefix of one, or `latest`
    #[arg(value_name = "TERMINAL")]
    terminal: String,

    /// An HTML page: one file that loads nothing, light and dark (the default)
    #[arg(long, conflicts_with = "cast")]
    html: bool,

    /// An asciicast of version 3
    #[arg(long)]
    cast: bool,

    /// File to write [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<OsString>,

    /// Replace FILE where it exists
    #[arg(long, requires = "output")]
    overwrite: bool,

    #[command(flatten)]
    common: CommonArgs,
}

impl AsRef<CommonArgs> for ExportArgs {
    fn as_ref(&self) -> &CommonArgs {
        &self.common
    }
}

/// Runs the command.
///
/// # Errors
/// Where the session cannot be read or the file not be written.
pub(super) fn run(args: &ExportArgs, console: &mut Console) -> Result<Exit, Failure> {
    let home = args.common.home()?;
    let id = session_id(&home, &args.terminal, false)?;
    let manifest = read_manifest(&args.common, &home, &id, false)?;
    let manifest = manifest.with_blocks().map_err(Failure::failed)?;
    let title = id.as_str();
    let mut errors = Vec::new();
    match args.output.as_deref().filter(|path| *path != "-") {
        Some(path) => {
            let path = Path::new(path);
            let fail = |error: io::Error| {
                let error = system_error(&error);
                Failure::failed(format!("cannot write {}: {error}", path.display()))
            };
            if is_inside(path, &home.sessions()) {
                let path = path.display();
                return Err(Failure::usage(format!("{path} is inside of a session")));
            }
            let target = target(path, args.overwrite)?;
            let mut file = begin(&target).map_err(fail)?;
            let mut out = BufWriter::new(file.as_file_mut());
            let done = args.write(&manifest, title, &mut out, &mut errors);
            done.and_then(|()| out.flush()).map_err(fail)?;
            drop(out);
            let placed = match args.overwrite {
                true => file.persist(&target),
                false => file.persist_noclobber(&target),
            };
            placed.map_err(|error| fail(error.error))?;
        }
        None if args.cast && console.out_is_terminal() => {
            return Err(Failure::usage("an asciicast goes to a file: -o FILE"));
        }
        None => args.write(&manifest, title, console.out(), &mut errors)?,
    }
    for error in &errors {
        console.error(error);
    }
    Ok(if errors.is_empty() { Exit::Done } else { Exit::Failed })
}

/// The file to be made or replaced, where a link leads to; it is refused before anything is read.
fn target(path: &Path, overwrite: bool) -> Result<PathBuf, Failure> {
    let refuse = |why: &str| Failure::failed(format!("cannot write {}: {why}", path.display()));
    match path.metadata() {
        Ok(_) if !overwrite => Err(refuse("it exists; --overwrite replaces it")),
        Ok(metadata) if !metadata.is_file() => Err(refuse("it is not a regular file")),
        Ok(_) => path.canonicalize().map_err(|error| refuse(&system_error(&error))),
        Err(_) => Ok(path.to_path_buf()),
    }
}

/// A file beside the target, so that what is there stays until all of the new one is.
fn begin(target: &Path) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    tempfile::Builder::new()
        .prefix(".export-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))
}

impl ExportArgs {
    /// Writes all blocks that can be read, and notes why the others cannot.
    fn write(
        &self,
        manifest: &Manifest,
        title: &str,
        out: &mut impl Write,
        errors: &mut Vec<String>,
    ) -> io::Result<()> {
        if self.cast {
            return export_cast(manifest, title, out, |error| errors.push(error.to_string()));
        }
        let mut page = String::new();
        html::push_start(&mut page, title);
        for block in manifest.blocks() {
            push_block(manifest, &block, &mut page, errors);
            out.write_all(page.as_bytes())?;
            page.clear();
        }
        html::push_end(&mut page);
        out.write_all(page.as_bytes())
    }
}

fn push_block(manifest: &Manifest, block: &Block<'_>, page: &mut String, errors: &mut Vec<String>) {
    html::push_heading(page, &heading(block, None), &facts(block));
    match Content::screen(manifest, block) {
        Ok(Some((screen, _))) => html::push_screen(page, &Picture::new(&screen, false)),
        Ok(None) => html::push_text(page, &sanitize(&block.message(), Controls::Shown)),
        Err(error) => {
            let error = error.to_string();
            html::push_text(page, &sanitize(&format!("error: {error}"), Controls::Shown));
            errors.push(error);
        }
    }
}
