//! asciicast, versions 1 to 3: the header, and which reader goes on from there.

mod events;
mod version_one;

use jiff::Timestamp;
use serde_json::Value;

use super::byte_reader::{ByteReader, Input};
use super::opening::{Opening, SizeChoice};
use super::sink::Sink;
use super::{ImportError, InputFault};
use crate::artifact::json;

/// No real header line is longer.
const LONGEST_HEADER: usize = 1 << 20;

/// A cast whose header was read.
pub(super) struct Cast {
    opening: Opening,
    kind: Kind,
}

enum Kind {
    /// One JSON object.
    One,
    /// Events with times since the start.
    Two,
    /// Events with times since the event before.
    Three,
}

impl Cast {
    /// Reads the header. `choice` is the size that the user named.
    pub(super) fn open(input: &mut Input, choice: SizeChoice) -> Result<Self, ImportError> {
        let head = input
            .reader
            .head(LONGEST_HEADER)
            .map_err(|error| InputFault::Read(error).of(&input.name))?;
        if head.is_empty() {
            return Err(InputFault::Empty.of(&input.name));
        }
        let head = without_mark(head);
        let newline = memchr::memchr(b'\n', head);
        let line = &head[..newline.unwrap_or(head.len())];
        if is_part_of_version_one(line) {
            return Self::open_version_one(input, choice);
        }
        if newline.is_none() && head.len() >= LONGEST_HEADER - MARK.len() {
            return Err(InputFault::HeaderTooLong(LONGEST_HEADER).at(&input.name, 1));
        }
        let header = parse_header(line).map_err(|fault| fault.at(&input.name, 1))?;
        let found = Self::from_header(&header, choice);
        let length = line.len() + usize::from(newline.is_some());
        skip_mark(&mut input.reader);
        input.reader.consume(length);
        found.map_err(|fault| fault.at(&input.name, 1))
    }

    fn open_version_one(input: &mut Input, choice: SizeChoice) -> Result<Self, ImportError> {
        let rewound = input.reader.make_rewindable();
        rewound.map_err(|error| InputFault::Read(error).of(&input.name))?;
        skip_mark(&mut input.reader);
        let opening = version_one::scan(input, choice)?;
        let rewound = input.reader.rewind();
        rewound.map_err(|error| InputFault::Read(error).of(&input.name))?;
        skip_mark(&mut input.reader);
        Ok(Self { opening, kind: Kind::One })
    }

    fn from_header(header: &Value, choice: SizeChoice) -> Result<Self, InputFault> {
        let (kind, terminal, keys) = match whole_number(&header["version"]) {
            Some(2) => (Kind::Two, header, ["width", "height"]),
            Some(3) => (Kind::Three, &header["term"], ["cols", "rows"]),
            _ => return Err(InputFault::Version(header["version"].to_string())),
        };
        let [cols, rows] = keys.map(|key| &terminal[key]);
        let opening = Opening {
            size: header_size(cols, rows, choice)?,
            started: timestamp(&header["timestamp"]),
            command: header["command"].as_str().map(str::to_owned),
        };
        Ok(Self { opening, kind })
    }

    /// What the header says.
    pub(super) fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Plays all events.
    pub(super) fn play(self, input: Input, sink: &mut impl Sink) -> Result<(), ImportError> {
        match self.kind {
            Kind::One => version_one::play(input, sink),
            Kind::Two => events::play(input, false, sink),
            Kind::Three => events::play(input, true, sink),
        }
    }
}

/// Why a cast was not played to its end.
enum Stop {
    /// It is not as it should be.
    Fault(InputFault),
    /// The sink could not take it.
    Sink(ImportError),
}

impl From<InputFault> for Stop {
    fn from(fault: InputFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ImportError> for Stop {
    fn from(error: ImportError) -> Self {
        Self::Sink(error)
    }
}

const MARK: &[u8] = b"\xef\xbb\xbf";

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

fn skip_mark(reader: &mut ByteReader) {
    // Nothing that cannot be read begins with a mark; reading on will say why.
    if reader.head(MARK.len()).is_ok_and(|head| head == MARK) {
        reader.consume(MARK.len());
    }
}

/// Whether a file that starts like this may be a cast.
pub(super) fn looks_like_cast(head: &[u8]) -> bool {
    let head = without_mark(head).trim_ascii_start();
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
    if is_part_of_version_one(line) {
        let has = |key: &[u8]| memchr::memmem::find(head, key).is_some();
        return head.starts_with(b"{")
            && (has(b"\"stdout\"") || has(b"\"version\""))
            && (has(b"\"width\"") || has(b"\"height\"") || has(b"\"duration\""));
    }
    parse_header(line).is_ok_and(|header| !header["version"].is_null())
        || line.starts_with(b"{\"version\"")
}

/// The first line of a version 1 cast is all of it, or does not hold a whole object.
fn is_part_of_version_one(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return false;
    }
    match parse_header(line) {
        Ok(header) => whole_number(&header["version"]) == Some(1) || header["stdout"].is_array(),
        Err(InputFault::HeaderJson(error)) => {
            error.kind == json::ErrorKind::UnexpectedEnd && !is_cut_header(line)
        }
        Err(_) => false,
    }
}

/// Whether this is the beginning of a header of version 2 or 3 that was cut off.
fn is_cut_header(line: &[u8]) -> bool {
    let line: Vec<u8> = line.iter().copied().filter(|b| !b" \t".contains(b)).collect();
    [2, 3].iter().any(|version| {
        let member = format!("\"version\":{version}");
        memchr::memmem::find(&line, member.as_bytes()).is_some()
    })
}

fn parse_header(line: &[u8]) -> Result<Value, InputFault> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        // A look at the start of a long line ends anywhere.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&line[..error.valid_up_to()]).unwrap_or("")
        }
        Err(_) => return Err(InputFault::NotUtf8),
    };
    match json::read(text) {
        Ok(header) if header.is_object() => Ok(header),
        Ok(_) => Err(InputFault::HeaderNotAnObject),
        Err(error) => Err(InputFault::HeaderJson(error)),
    }
}

/// A whole number; 24.0 counts as one.
fn whole_number(value: &Value) -> Option<i64> {
    let number = value.as_number()?.as_f64()?;
    // Beyond that, floats are no longer exact; nothing here is that large.
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// The size that a header names, where the user did not.
fn header_size(
    cols: &Value,
    rows: &Value,
    choice: SizeChoice,
) -> Result<crate::screen::Size, InputFault> {
    let dimension = |value: &Value| {
        let number = whole_number(value)?;
        u16::try_from(number).ok().filter(|&number| number > 0)
    };
    choice.or_header(dimension(cols), dimension(rows)).ok_or_else(|| {
        let shown = |value: &Value| match value {
            Value::Null => "missing".to_owned(),
            other => other.to_string(),
        };
        InputFault::NoSize(format!("columns {}, rows {}", shown(cols), shown(rows)))
    })
}

fn timestamp(value: &Value) -> Option<Timestamp> {
    let seconds = value.as_number()?.as_f64()?;
    // Dates far outside are refused by the conversion; fractions of a millisecond are not shown.
    (seconds.abs() < 1e12).then(|| Timestamp::from_millisecond((seconds * 1000.0) as i64).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sink::log::Log;
    use crate::screen::Size;

    fn open(text: impl AsRef<[u8]>, size: &str) -> Result<(Cast, Input), String> {
        let mut input = Input { name: "x.cast".to_owned(), reader: ByteReader::of(text) };
        let cast = Cast::open(&mut input, size.parse().unwrap_or_default());
        cast.map(|cast| (cast, input)).map_err(|error| error.to_string())
    }

    fn played(text: impl AsRef<[u8]>) -> Result<Vec<String>, String> {
        let (cast, input) = open(text, "")?;
        let mut log = Log::default();
        let Size { cols, rows } = cast.opening().size;
        log.parts.push(format!("{cols}x{rows}"));
        let result = cast.play(input, &mut log);
        result.map_err(|error| error.to_string())?;
        Ok(log.finish())
    }

    #[test]
    fn all_three_versions_play() {
        let two = "\u{feff}{\"version\":2,\"width\":80,\"height\":24,\"env\":{\"A\":null}}\r\n\
            [0.5, \"o\", \"a\"]\n[1,\"i\",\"typed\"]\n  [1.5,\"o\",\"b\\u001b[m\\ud83c\\udf4e\"] \n\
            [2,\"r\",\"100x30\"]\n[2,\"m\",\"\"]\n[3,\"zz\",{\"any\":[1]},2]\n[3,\"x\",\"7\"]\n\n \n";
        assert_eq!(
            played(two).unwrap(),
            ["80x24", "o ab\\x1b[m\\xf0\\x9f\\x8d\\x8e", "r 100x30", "m", "x 7"]
        );
        let three = "{\"version\": 3, \"term\": {\"cols\": 10, \"rows\": 5, \"type\": \"x\"}, \"tags\": []}\n\
            # a comment\n[0.1, \"o\", \"a\"]\n#\n[0.1, \"x\", \"0\"]";
        assert_eq!(played(three).unwrap(), ["10x5", "o a", "x 0"]);
        let one = "{\n \"version\": 1,\n \"width\": 10,\n \"height\": 5,\n \"stdout\": [\n  \
            [0.1, \"a\"],\n  [0.2, \"b\"]\n ]\n}\n";
        assert_eq!(played(one).unwrap(), ["10x5", "o ab"]);
        let sorted = "{\"height\":5,\"stdout\":[[0.1,\"a\"]],\"version\":1,\"width\":10}";
        assert_eq!(played(sorted).unwrap(), ["10x5", "o a"]);
    }

    #[test]
    fn faults_name_the_line() {
        let header = "{\"version\":2,\"width\":80,\"height\":24}\n";
        let event = "[1,\"o\",\"a\"]\n";
        for (line, want) in [
            ("nonsense", "expected '['"),
            ("[\"1\",\"o\",\"a\"]", "expected a number"),
            ("[1,2,\"a\"]", "expected an event code"),
            ("[1,\"o\",2]", "expected a string of output"),
            ("[1,\"o\"]", "expected ','"),
            ("[1,\"o\",\"a\"", "the line ends inside an event"),
            ("[1,\"o\",\"a", "the line ends inside an event"),
            ("[1,\"o\",\"a\"] [", "text after the event"),
            ("[1,\"o\",\"a\",1]", "expected ']'"),
            ("[1,\"r\",\"0x5\"]", "a size is COLSxROWS, each from 1 to 65535, not \"0x5\""),
            ("# none in version 2", "expected '['"),
        ] {
            let text = format!("{header}{event}{line}\n{event}");
            assert_eq!(played(&text).unwrap_err(), format!("x.cast: line 3: {want}"), "{line}");
        }
        let mut bytes = format!("{header}[1,\"o\",\"").into_bytes();
        bytes.extend(b"\xff\"]\n");
        assert_eq!(played(bytes).unwrap_err(), "x.cast: line 2: not UTF-8");
    }

    #[test]
    fn a_torn_last_line_costs_its_own_rest_only() {
        let header = "{\"version\":2,\"width\":80,\"height\":24}\n[1,\"o\",\"a\"]\n";
        for (tail, output) in [
            ("[", "o a"),
            ("[2", "o a"),
            ("[2,\"o", "o a"),
            ("[2,\"o\",\"bc", "o abc"),
            ("[2,\"o\",\"bc\\u00", "o abc"),
            ("[2,\"o\",\"bc\"", "o abc"),
        ] {
            let found = played(format!("{header}{tail}")).unwrap();
            assert_eq!(found[1], output, "{tail}");
            assert!(found[2].starts_with("note x.cast: line 3: "), "{found:?}");
        }
    }

    #[test]
    fn headers_that_are_none() {
        for (text, want) in [
            ("", "x.cast: no asciicast: the file is empty"),
            ("hello\n", "x.cast: line 1: no asciicast header: expected a value at line 1 column 1"),
            ("[]\n", "x.cast: line 1: no asciicast header: not a JSON object"),
            (
                "{\"version\":2,\"wid",
                "x.cast: line 1: no asciicast header: unexpected end of text at line 1 column 18",
            ),
            ("{}\n", "x.cast: line 1: no asciicast of version 1, 2 or 3: \"version\" is null"),
            (
                "{\"version\":4}\n",
                "x.cast: line 1: no asciicast of version 1, 2 or 3: \"version\" is 4",
            ),
            (
                "{\"version\":2,\"width\":0,\"height\":24}\n",
                "x.cast: line 1: no usable terminal size (columns 0, rows 24); name one with --size COLSxROWS",
            ),
            (
                "{\"version\":3}\n",
                "x.cast: line 1: no usable terminal size (columns missing, rows missing); name one with --size COLSxROWS",
            ),
            (
                "{\"version\":1,\"stdout\":[]}",
                "x.cast: no usable terminal size (columns missing, rows missing); name one with --size COLSxROWS",
            ),
            ("{\"version\":1,\"width\":5,\"height\":5}", "x.cast: expected a \"stdout\" array"),
            (
                "{\"version\":1,\"width\":5,\"height\":5,\n\"stdout\":[[1,2]]}",
                "x.cast: line 2: expected a string of output",
            ),
        ] {
            assert_eq!(played(text).unwrap_err(), want);
        }
        assert_eq!(played(b"\x80\n").unwrap_err(), "x.cast: line 1: not UTF-8");
    }

    #[test]
    fn the_user_may_name_the_size() {
        let size = |text: &str, choice| open(text, choice).map(|(cast, _)| cast.opening.size);
        let zero = "{\"version\":2,\"width\":0,\"height\":24}\n";
        assert_eq!(size(zero, "90x"), Ok(Size { cols: 90, rows: 24 }));
        assert_eq!(size("{\"version\":3}\n", "9x8"), Ok(Size { cols: 9, rows: 8 }));
        assert_eq!(size("{\"version\":1,\"stdout\":[]}", "9x8"), Ok(Size { cols: 9, rows: 8 }));
    }

    #[test]
    fn casts_are_known_by_their_start() {
        for text in [
            "{\"version\": 2, \"width\": 1, \"height\": 1}\n[",
            "{\"term\":{},\"version\":3}",
            "{\"version\": 9}\n",
            "{\"version\":2,\"wid",
            "{\n  \"duration\": 1,\n \"stdout\": [\n",
            "{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[[0.1,\"cut",
        ] {
            assert!(looks_like_cast(text.as_bytes()), "{text}");
        }
        for text in ["", "hello", "{ \"a\": 1 }\n", "{\n  \"name\": \"x\"", "{}\n", "[1]\n"] {
            assert!(!looks_like_cast(text.as_bytes()), "{text}");
        }
    }
}
