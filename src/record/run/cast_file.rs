//! The whole recording as an asciicast, version 2 or 3.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::artifact::json as lenient;
use crate::record::cast_writer::{CastFormat, CastWriter};
use crate::screen::Size;
use crate::text::system_error;

/// What to do where the file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Nothing is recorded.
    Refuse,
    /// The recording goes on in it, in its own version.
    Append,
    /// It is replaced.
    Overwrite,
}

/// An asciicast to be written.
#[derive(Clone, Debug)]
pub struct CastOptions {
    /// The file.
    pub path: PathBuf,
    /// The version.
    pub format: CastFormat,
    /// What to do where it exists.
    pub existing: Existing,
    /// The title of the recording.
    pub title: Option<String>,
    /// Pauses that players should cut to this many seconds.
    pub idle_time_limit: Option<f64>,
    /// Whether what is typed is recorded too.
    pub input: bool,
}

/// Why there is no asciicast.
#[derive(Debug, Error)]
#[error("cannot write {}: {fault}", .path.display())]
pub struct CastError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub fault: CastFault,
}

/// What is wrong with an asciicast that was to be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CastFault {
    /// It exists, and nobody said that it may be changed.
    #[error("it exists; --append and --overwrite say what to do with it")]
    Exists,
    /// It cannot be written from its start and in its middle.
    #[error("it is not a regular file")]
    NotAFile,
    /// Somebody else is writing it.
    #[error("another recorder writes it")]
    InUse,
    /// It is to be continued and is something else.
    #[error("it is no asciicast of version 2 or 3, so nothing can be appended")]
    NotACast,
    /// The system refused.
    #[error("{}", system_error(.0))]
    Io(#[from] io::Error),
}

/// What the header of a new file says.
pub(super) struct CastHeader {
    pub(super) size: Size,
    pub(super) started: Timestamp,
    pub(super) command: Option<String>,
    pub(super) term: Option<String>,
    pub(super) shell: Option<String>,
}

/// A file that is open and not changed yet.
pub(super) struct CastTarget {
    options: CastOptions,
    file: File,
    is_new: bool,
    /// Where a recording that goes on ends: at this byte, after this long.
    end: Option<(u64, Duration)>,
}

impl CastTarget {
    pub(super) fn open(options: &CastOptions) -> Result<Self, CastError> {
        let path = &options.path;
        let fail = |fault| CastError { path: path.clone(), fault };
        let mut options = options.clone();
        let mut new = OpenOptions::new();
        // What a terminal showed is nobody else's business.
        let created = new.read(true).write(true).create_new(true).mode(0o600).open(path);
        let (file, is_new) = match created {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if options.existing == Existing::Refuse {
                    return Err(fail(CastFault::Exists));
                }
                let mut old = OpenOptions::new();
                // A pipe that nobody reads would hold us up.
                let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
                let old = old.read(true).write(true).custom_flags(flags.bits().cast_signed());
                let file = old.open(path).map_err(|error| fail(error.into()))?;
                let metadata = file.metadata().map_err(|error| fail(error.into()))?;
                if !metadata.is_file() {
                    return Err(fail(CastFault::NotAFile));
                }
                (file, false)
            }
            Err(error) => return Err(fail(error.into())),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(fail(CastFault::InUse)),
            // A file system without locks has no second recorder either, as far as we can tell.
            Err(TryLockError::Error(_)) => {}
        }
        let mut end = None;
        if !is_new && options.existing == Existing::Append {
            let found = Tail::read(&file).map_err(fail)?;
            if let Some(tail) = found {
                options.format = tail.format;
                end = Some((tail.length, tail.time));
            }
        }
        Ok(Self { options, file, is_new, end })
    }

    pub(super) fn path(&self) -> &Path {
        &self.options.path
    }

    /// Nothing was recorded: a file that was not there is gone again.
    pub(super) fn discard(self) {
        if self.is_new {
            std::fs::remove_file(&self.options.path).unwrap_or_default();
        }
    }

    /// Begins to write.
    pub(super) fn begin(self, header: &CastHeader) -> io::Result<CastFile> {
        let Self { options, mut file, end, .. } = self;
        let (length, before) = end.unwrap_or_default();
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let out = BufWriter::with_capacity(64 * 1024, file);
        let mut cast = CastFile {
            path: options.path.clone(),
            events: CastWriter::new(out, options.format, before),
            output: Vec::new(),
            input: Vec::new(),
        };
        if end.is_some() {
            cast.resize(header.size, Duration::ZERO)?;
        } else {
            cast.events.header(&header_line(&options, header))?;
        }
        Ok(cast)
    }
}

fn header_line(options: &CastOptions, header: &CastHeader) -> Value {
    let (cols, rows) = (header.size.cols, header.size.rows);
    let mut line = match options.format {
        CastFormat::V2 => json!({"version": 2, "width": cols, "height": rows}),
        CastFormat::V3 => json!({"version": 3, "term": {"cols": cols, "rows": rows}}),
    };
    line["timestamp"] = header.started.as_second().into();
    if let Some(limit) = options.idle_time_limit {
        line["idle_time_limit"] = limit.into();
    }
    if let Some(command) = &header.command {
        line["command"] = command.as_str().into();
    }
    if let Some(title) = &options.title {
        line["title"] = title.as_str().into();
    }
    let mut env = Map::new();
    if let Some(term) = &header.term {
        match options.format {
            CastFormat::V2 => drop(env.insert("TERM".to_owned(), term.as_str().into())),
            CastFormat::V3 => line["term"]["type"] = term.as_str().into(),
        }
    }
    if let Some(shell) = &header.shell {
        env.insert("SHELL".to_owned(), shell.as_str().into());
    }
    if !env.is_empty() {
        line["env"] = Value::Object(env);
    }
    line
}

/// An asciicast that is being written.
pub(super) struct CastFile {
    path: PathBuf,
    events: CastWriter<BufWriter<File>>,
    /// Characters that are not complete.
    output: Vec<u8>,
    input: Vec<u8>,
}

impl CastFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn output(&mut self, bytes: &[u8], at: Duration) -> io::Result<()> {
        let text = take_text(&mut self.output, bytes);
        self.text("o", &text, at)
    }

    pub(super) fn input(&mut self, bytes: &[u8], at: Duration) -> io::Result<()> {
        let text = take_text(&mut self.input, bytes);
        self.text("i", &text, at)
    }

    pub(super) fn resize(&mut self, size: Size, at: Duration) -> io::Result<()> {
        self.events.resize(size, at)
    }

    /// The last event, if the version has one.
    pub(super) fn end(&mut self, code: i64, at: Duration) -> io::Result<()> {
        let rest = std::mem::take(&mut self.output);
        self.text("o", &String::from_utf8_lossy(&rest), at)?;
        if self.events.format() == CastFormat::V3 {
            self.events.event("x", &code.to_string(), at)?;
        }
        self.flush()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.events.flush()
    }

    fn text(&mut self, code: &str, text: &str, at: Duration) -> io::Result<()> {
        if text.is_empty() { Ok(()) } else { self.events.event(code, text, at) }
    }
}

/// `bytes` as text, behind the beginning of a character that waits; the beginning of another one
/// waits for the next call. What is no UTF-8 becomes U+FFFD.
fn take_text(waiting: &mut Vec<u8>, bytes: &[u8]) -> String {
    waiting.extend_from_slice(bytes);
    let mut end = waiting.len();
    for back in 1..=waiting.len().min(3) {
        let from = waiting.len() - back;
        if let Err(error) = std::str::from_utf8(&waiting[from..])
            && error.valid_up_to() == 0
            && error.error_len().is_none()
        {
            end = from;
        }
    }
    let text = String::from_utf8_lossy(&waiting[..end]).into_owned();
    waiting.drain(..end);
    text
}

/// The end of an asciicast that is to go on.
struct Tail {
    format: CastFormat,
    /// Bytes up to the end of the last line that is complete.
    length: u64,
    /// The time of its last event.
    time: Duration,
}

impl Tail {
    /// None of an empty file.
    fn read(file: &File) -> Result<Option<Self>, CastFault> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let header = parse(&line).ok_or(CastFault::NotACast)?;
        let format = match header["version"].as_u64() {
            Some(2) => CastFormat::V2,
            Some(3) => CastFormat::V3,
            _ => return Err(CastFault::NotACast),
        };
        if line.last() != Some(&b'\n') {
            return Err(CastFault::NotACast);
        }
        let mut length = line.len();
        let mut time = 0.0;
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line)?;
            if count == 0 || line.last() != Some(&b'\n') {
                // What a crash cut off is not worth keeping.
                break;
            }
            length += count;
            if let Some(event) = parse(&line).and_then(|event| event[0].as_f64()) {
                time = event;
            }
        }
        let time = match format {
            CastFormat::V2 => Duration::try_from_secs_f64(time).unwrap_or_default(),
            CastFormat::V3 => Duration::ZERO,
        };
        Ok(Some(Self { format, length: u64::try_from(length).unwrap_or(0), time }))
    }
}

fn parse(line: &[u8]) -> Option<Value> {
    lenient::read(std::str::from_utf8(line).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const SIZE: Size = Size { cols: 80, rows: 24 };

    fn options(path: PathBuf, format: CastFormat, existing: Existing) -> CastOptions {
        CastOptions { path, format, existing, title: None, idle_time_limit: Some(1.5), input: true }
    }

    fn write(options: &CastOptions) -> Result<(), CastError> {
        let header = CastHeader {
            size: SIZE,
            started: Timestamp::from_second(1_780_000_000).unwrap(),
            command: Some("ls".to_owned()),
            term: Some("xterm".to_owned()),
            shell: None,
        };
        let mut cast = CastTarget::open(options)?.begin(&header).unwrap();
        cast.output(b"a\xe2\x82", MS * 1).unwrap();
        cast.output(b"\xac\xff\"\x1b", 2 * MS + MS / 2).unwrap();
        cast.input(b"q", 3 * MS).unwrap();
        cast.resize(Size { cols: 9, rows: 8 }, 1003 * MS).unwrap();
        cast.output(b"\xc3", 1004 * MS).unwrap();
        cast.end(3, 1004 * MS).unwrap();
        Ok(())
    }

    #[test]
    fn both_versions() {
        let folder = tempfile::tempdir().unwrap();
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let path = folder.path().join("3.cast");
        write(&options(path.clone(), CastFormat::V3, Existing::Refuse)).unwrap();
        let events = "[0.001, \"o\", \"a\"]\n[0.001, \"o\", \"€\u{fffd}\\\"\\u001b\"]\n\
            [0.001, \"i\", \"q\"]\n[1.000, \"r\", \"9x8\"]\n[0.001, \"o\", \"\u{fffd}\"]\n\
            [0.000, \"x\", \"3\"]\n";
        let header = "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24,\"type\":\"xterm\"},\
            \"timestamp\":1780000000,\"idle_time_limit\":1.5,\"command\":\"ls\"}\n";
        assert_eq!(read(&path), format!("{header}{events}"));

        let refused = write(&options(path.clone(), CastFormat::V3, Existing::Refuse));
        assert!(matches!(refused.unwrap_err().fault, CastFault::Exists));
        std::fs::write(&path, format!("{header}{events}[0.1, \"o\", \"cut")).unwrap();
        write(&options(path.clone(), CastFormat::V2, Existing::Append)).unwrap();
        assert_eq!(read(&path), format!("{header}{events}[0.000, \"r\", \"80x24\"]\n{events}"));

        write(&options(path.clone(), CastFormat::V2, Existing::Overwrite)).unwrap();
        let text = read(&path);
        assert!(text.starts_with("{\"version\":2,\"width\":80,\"height\":24,"), "{text}");
        assert!(text.ends_with("[1.003000, \"r\", \"9x8\"]\n[1.004000, \"o\", \"\u{fffd}\"]\n"));
        write(&options(path.clone(), CastFormat::V3, Existing::Append)).unwrap();
        assert!(read(&path).contains("\n[1.004000, \"r\", \"80x24\"]\n[1.005000, \"o\", \"a\"]\n"));

        std::fs::write(&path, "no cast\n").unwrap();
        let refused = write(&options(path, CastFormat::V2, Existing::Append));
        assert!(matches!(refused.unwrap_err().fault, CastFault::NotACast));
    }
}
