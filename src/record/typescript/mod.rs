//! What util-linux `script` writes: bytes between two lines of its own, and perhaps a timing file.

mod framing;
mod timing;

use std::borrow::Cow;

use super::byte_reader::{ByteReader, Input};
use super::opening::{DEFAULT_SIZE, Opening, SizeChoice, dimension};
use super::sink::Sink;
use super::{ImportError, InputFault};
use framing::Framing;
use timing::{Row, Timing};

/// How the first line starts.
pub(super) const STARTED: &[u8] = b"Script started on ";

/// Bytes copied at once.
const CHUNK: usize = 64 * 1024;
/// No real first line is longer.
const LONGEST_HEADER: usize = 64 * 1024;

/// A typescript whose header was read.
pub(super) struct Typescript {
    opening: Opening,
    timing: Option<Timing>,
}

impl Typescript {
    /// Reads the headers of both files.
    pub(super) fn open(
        input: &mut Input,
        timing: Option<(String, ByteReader)>,
        choice: SizeChoice,
    ) -> Result<Self, ImportError> {
        let header = header(&mut input.reader).map_err(|fault| fault.of(&input.name))?;
        let timing = timing.map(|(name, reader)| Timing::open(name, reader)).transpose()?;
        let named = |key: &str| {
            let from_timing = timing.as_ref().and_then(|timing| timing.header(key));
            from_timing.map(Cow::Borrowed).or_else(|| field(&header, key))
        };
        let recorded = SizeChoice {
            cols: named("COLUMNS").and_then(|text| dimension(&text)),
            rows: named("LINES").and_then(|text| dimension(&text)),
        };
        let opening = Opening {
            command: named("COMMAND").map(Cow::into_owned),
            ..Opening::of(choice.or(recorded.or(DEFAULT_SIZE)))
        };
        Ok(Self { opening, timing })
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Plays all output. What comes after the last row of the timing file is output as well: old
    /// recorders wrote too small counts.
    pub(super) fn play(self, input: Input, sink: &mut impl Sink) -> Result<(), ImportError> {
        let mut body = Body { file: input.name, bytes: Framing::new(input.reader) };
        if let Some(timing) = self.timing {
            body.play_rows(timing, sink)?;
        }
        body.take(u64::MAX, |bytes| sink.output(bytes))?;
        if let Some(code) = body.bytes.exit_code() {
            sink.exit(code);
        }
        Ok(())
    }
}

struct Body {
    file: String,
    bytes: Framing,
}

impl Body {
    fn play_rows(&mut self, mut timing: Timing, sink: &mut impl Sink) -> Result<(), ImportError> {
        let mut now = 0.0;
        let mut missing: u64 = 0;
        while let Some((delay, row)) = timing.next()? {
            now += delay;
            sink.time(now);
            let now_missing = match row {
                Row::Output(count) => self.take(count, |bytes| sink.output(bytes))?,
                Row::Input(count) if timing.input_is_in_output() => self.take(count, |_| Ok(()))?,
                Row::Resize(size) => {
                    sink.resize(size);
                    0
                }
                Row::Input(_) | Row::Other => 0,
            };
            missing = now_missing.saturating_add(missing);
        }
        if let Some(note) = timing.torn() {
            sink.note(note);
        }
        if missing > 0 {
            sink.note(format!(
                "{}: ends {missing} bytes before its timing file does; everything that is there is imported",
                self.file
            ));
        }
        Ok(())
    }

    /// Hands on so many bytes; how many were missing.
    fn take(
        &mut self,
        count: u64,
        mut hand_on: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<u64, ImportError> {
        let mut left = count;
        let mut part = Vec::new();
        while left > 0 {
            let most = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
            let read = self.bytes.next(most, &mut part);
            read.map_err(|error| InputFault::Read(error).of(&self.file))?;
            if part.is_empty() {
                return Ok(left);
            }
            hand_on(&part)?;
            left -= u64::try_from(part.len()).unwrap_or(left);
        }
        Ok(0)
    }
}

/// Takes the first line if it is `script`'s own; empty if there is none.
fn header(reader: &mut ByteReader) -> Result<String, InputFault> {
    let head = reader.head(LONGEST_HEADER)?;
    if !head.starts_with(STARTED) {
        return Ok(String::new());
    }
    let newline = memchr::memchr(b'\n', head);
    let line = &head[..newline.unwrap_or(head.len())];
    let text = String::from_utf8_lossy(line).into_owned();
    let count = line.len() + usize::from(newline.is_some());
    reader.consume(count);
    Ok(text)
}

/// The value of `KEY="VALUE"` in a line of `script`'s own. Quotes in a value are not escaped, so a
/// value ends at the quote before the next key or the closing bracket.
fn field<'a>(line: &'a str, key: &str) -> Option<Cow<'a, str>> {
    let (_, bracket) = line.split_once(" [")?;
    let start = format!("{key}=\"");
    let at = match bracket.strip_prefix(start.as_str()) {
        Some(_) => start.len(),
        None => bracket.rfind(&format!(" {start}"))? + 1 + start.len(),
    };
    let rest = bracket.get(at..)?;
    let next_key = ["\" TERM=\"", "\" TTY=\"", "\" COLUMNS=\"", "\" LINES=\"", "\" <", "\"]"];
    let end = next_key.iter().filter_map(|next| rest.find(next)).min()?;
    rest.get(..end).map(Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::super::sink::log::Log;
    use super::*;

    const STARTED_LINE: &str = "Script started on 2026-11-30 10:40:24+00:00 [COMMAND=\"echo \"a\" b\" \
        TERM=\"xterm\" TTY=\"/dev/pts/1\" COLUMNS=\"90\" LINES=\"20\"]\n";
    const DONE_LINE: &str =
        "\nScript done on 2026-11-30 10:40:25+00:00 [COMMAND_EXIT_CODE=\"3\"]\n";

    fn played(body: &str, timing: Option<&str>) -> Result<Vec<String>, String> {
        let mut input = Input { name: "typescript".to_owned(), reader: ByteReader::of(body) };
        let timing = timing.map(|text| ("timing".to_owned(), ByteReader::of(text)));
        let script = Typescript::open(&mut input, timing, SizeChoice::default());
        let script = script.map_err(|error| error.to_string())?;
        let mut log = Log::default();
        let Opening { size, command, .. } = script.opening().clone();
        let command = command.unwrap_or_default();
        log.parts.push(format!("{}x{} {command}", size.cols, size.rows));
        let result = script.play(input, &mut log);
        result.map_err(|error| error.to_string())?;
        Ok(log.finish())
    }

    #[test]
    fn lines_of_its_own_are_dropped() {
        let body = format!("{STARTED_LINE}a\r\nb{DONE_LINE}");
        assert_eq!(played(&body, None).unwrap(), ["90x20 echo \"a\" b", "o a\\r\\nb", "x 3"]);
        let plain = "Script started on Mon 30 Nov 2026\nabc";
        assert_eq!(played(plain, None).unwrap(), ["80x24 ", "o abc"]);
        let no_terminal = "Script started on X [COMMAND=\"cat\" <not executed on terminal>]\nabc";
        assert_eq!(played(no_terminal, None).unwrap(), ["80x24 cat", "o abc"]);
        assert_eq!(played("abc", None).unwrap(), ["80x24 ", "o abc"]);
    }

    #[test]
    fn classic_timing_says_nothing_new() {
        let body = format!("{STARTED_LINE}abcd{DONE_LINE}");
        // The last byte is not counted, as old recorders did it.
        let found = played(&body, Some("0.1 2\n0.2 1\n")).unwrap();
        assert_eq!(found[1..], ["o abcd", "x 3"]);
    }

    #[test]
    fn advanced_timing_has_sizes_and_input() {
        let body = format!("{STARTED_LINE}aTYPEDbc{DONE_LINE}");
        let timing = "H 0.0 START_TIME x\nH 0.0 COLUMNS 70\nH 0.0 LINES 10\n\
            H 0.0 COMMAND vi  x\nH 0.0 OUTPUT_LOG f\nH 0.0 INPUT_LOG f\n\
            O 0.1 1\nS 0.2 SIGWINCH ROWS=30 COLS=100\nI 0.1 5\nS 0.1 SIGTERM\nO 0.1 2\n\
            H 0.0 EXIT_CODE 3\n";
        assert_eq!(
            played(&body, Some(timing)).unwrap(),
            ["70x10 vi  x", "o a", "r 100x30", "o bc", "x 3"]
        );
        let apart = timing.replace("INPUT_LOG f", "INPUT_LOG g");
        assert_eq!(played(&body, Some(&apart)).unwrap()[3], "o TYPEDbc");
    }

    #[test]
    fn bad_timing_is_named_and_a_torn_one_used() {
        let body = format!("{STARTED_LINE}abc{DONE_LINE}");
        for row in ["x", "O 1", "1 2 3", "S 1 SIGWINCH ROWS=0 COLS=3", "-1 -1"] {
            let error = played(&body, Some(&format!("0.1 1\n{row}\n0.1 1\n"))).unwrap_err();
            assert!(error.starts_with("timing: line 2: expected DELTA"), "{row}: {error}");
        }
        let found = played(&body, Some("O 0.1 1\nO 0.")).unwrap();
        assert_eq!(found[1], "o a");
        assert!(found[2].starts_with("note timing: line 2: "), "{found:?}");
        assert_eq!(found[3], "o bc");
        let found = played(&body, Some("O 0.1 9\n")).unwrap();
        assert!(found[2].starts_with("note typescript: ends 6 bytes before"), "{found:?}");
    }
}
