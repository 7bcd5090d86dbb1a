//! JSON read token by token, however long its strings are.

use super::InputFault;
use super::byte_reader::ByteReader;
use super::journal::plain_length;

/// Text of a string that is handed on at once.
const PART: usize = 32 * 1024;
/// Nesting beyond this is refused, so that no input can overflow the stack.
const MAX_DEPTH: usize = 200;
/// No number of a recording is longer.
const LONGEST_NUMBER: usize = 1024;

/// A position in a JSON text.
pub(super) struct JsonStream<'r> {
    reader: &'r mut ByteReader,
    /// Counted from 1.
    pub(super) line: u64,
    /// Whether a newline ends the text, as it does where each line is a value.
    by_line: bool,
    string: StringState,
}

/// What one part of a string leaves to the next.
#[derive(Default)]
struct StringState {
    /// The first half of a character that was written as two escapes.
    high: Option<u16>,
    /// The first bytes of a character.
    carried: Vec<u8>,
}

impl<'r> JsonStream<'r> {
    /// A text in which newlines are white space.
    pub(super) fn new(reader: &'r mut ByteReader) -> Self {
        Self { reader, line: 1, by_line: false, string: StringState::default() }
    }

    /// A text with a value on each line; the next line is `line`.
    pub(super) fn by_line(reader: &'r mut ByteReader, line: u64) -> Self {
        Self { line, by_line: true, ..Self::new(reader) }
    }

    /// The next byte that is no blank.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, InputFault> {
        loop {
            match self.reader.peek()? {
                Some(b' ' | b'\t' | b'\r') => self.reader.consume(1),
                Some(b'\n') if !self.by_line => {
                    self.line += 1;
                    self.reader.consume(1);
                }
                other => return Ok(other),
            }
        }
    }

    /// Steps over the next byte that is no blank if it is this one.
    pub(super) fn accept(&mut self, byte: u8) -> Result<bool, InputFault> {
        let found = self.peek()? == Some(byte);
        if found {
            self.reader.consume(1);
        }
        Ok(found)
    }

    /// Steps over this byte, which must come next.
    pub(super) fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), InputFault> {
        if self.accept(byte)? {
            return Ok(());
        }
        self.unexpected(name)
    }

    /// What is wrong where `name` should be.
    fn unexpected<T>(&mut self, name: &'static str) -> Result<T, InputFault> {
        Err(match self.peek()? {
            None => InputFault::End,
            Some(b'\n') => InputFault::LineEnds,
            Some(_) => InputFault::Expected(name),
        })
    }

    /// Steps over the rest of a line.
    pub(super) fn skip_line(&mut self) -> Result<(), InputFault> {
        loop {
            let bytes = self.reader.fill()?;
            let newline = memchr::memchr(b'\n', bytes);
            let count = newline.unwrap_or(bytes.len());
            let is_end = bytes.is_empty() || newline.is_some();
            self.reader.consume(count);
            if is_end {
                return Ok(());
            }
        }
    }

    /// Steps over a newline that must come next, or the end; whether there is more.
    pub(super) fn end_line(&mut self) -> Result<bool, InputFault> {
        match self.peek()? {
            None => Ok(false),
            Some(b'\n') => {
                self.reader.consume(1);
                self.line += 1;
                Ok(true)
            }
            Some(_) => Err(InputFault::ExtraText),
        }
    }

    /// A number.
    pub(super) fn number(&mut self) -> Result<f64, InputFault> {
        const NAME: &str = "a number";
        if !matches!(self.peek()?, Some(b'-' | b'0'..=b'9')) {
            return self.unexpected(NAME);
        }
        let mut token = String::new();
        while let Some(byte @ (b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) =
            self.reader.peek()?
        {
            if token.len() == LONGEST_NUMBER {
                return Err(InputFault::TooLong("a number", LONGEST_NUMBER));
            }
            token.push(char::from(byte));
            self.reader.consume(1);
        }
        // At the very end a part of a number looks like a number that is wrong.
        match token.parse() {
            Ok(number) => Ok(number),
            Err(_) if self.reader.peek()?.is_none() => Err(InputFault::End),
            Err(_) => Err(InputFault::Expected(NAME)),
        }
    }

    /// Steps over the quote that opens a string.
    pub(super) fn open_string(&mut self, name: &'static str) -> Result<(), InputFault> {
        self.expect(b'"', name)?;
        self.string = StringState::default();
        Ok(())
    }

    /// Replaces `out` with the next text of the string; whether there may be more.
    ///
    /// What was read before an error is in `out`.
    pub(super) fn string_part(&mut self, out: &mut Vec<u8>) -> Result<bool, InputFault> {
        out.clear();
        out.append(&mut self.string.carried);
        let result = self.fill_part(out);
        let has_ended = !matches!(result, Ok(true));
        match std::str::from_utf8(out) {
            Ok(_) => {}
            // The rest of the character comes with the next part, or is lost with the rest of a
            // file that ends here.
            Err(error) if error.error_len().is_none() && is_cut(&result) => {
                self.string.carried = out.split_off(error.valid_up_to());
            }
            Err(error) => {
                out.truncate(error.valid_up_to());
                return Err(InputFault::NotUtf8);
            }
        }
        if has_ended && self.string.high.take().is_some() {
            push_char(out, char::REPLACEMENT_CHARACTER);
        }
        result
    }

    /// Reads until the string ends or the part is long enough.
    fn fill_part(&mut self, out: &mut Vec<u8>) -> Result<bool, InputFault> {
        while out.len() < PART {
            let bytes = self.reader.fill()?;
            let room = PART - out.len();
            let plain = plain_length(&bytes[..bytes.len().min(room)]);
            if plain > 0 {
                if self.string.high.take().is_some() {
                    push_char(out, char::REPLACEMENT_CHARACTER);
                }
                out.extend_from_slice(&bytes[..plain]);
                self.reader.consume(plain);
                continue;
            }
            match bytes.first() {
                None => return Err(InputFault::End),
                Some(b'"') => {
                    self.reader.consume(1);
                    return Ok(false);
                }
                Some(b'\\') => {
                    self.reader.consume(1);
                    self.escape(out)?;
                }
                Some(b'\n') if self.by_line => return Err(InputFault::LineEnds),
                Some(_) => return Err(InputFault::ControlCharacter),
            }
        }
        Ok(true)
    }

    /// The escape after a backslash.
    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), InputFault> {
        let c = match self.escape_byte()? {
            b'u' => return self.unicode(out),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            _ => return Err(InputFault::InvalidEscape),
        };
        if self.string.high.take().is_some() {
            push_char(out, char::REPLACEMENT_CHARACTER);
        }
        push_char(out, c);
        Ok(())
    }

    fn escape_byte(&mut self) -> Result<u8, InputFault> {
        match self.reader.peek()? {
            None => Err(InputFault::End),
            Some(b'\n') if self.by_line => Err(InputFault::LineEnds),
            Some(byte) => {
                self.reader.consume(1);
                Ok(byte)
            }
        }
    }

    /// Four digits; two such escapes may make one character.
    fn unicode(&mut self, out: &mut Vec<u8>) -> Result<(), InputFault> {
        let mut unit: u16 = 0;
        for _ in 0..4 {
            let digit = char::from(self.escape_byte()?)
                .to_digit(16)
                .and_then(|digit| u16::try_from(digit).ok())
                .ok_or(InputFault::InvalidEscape)?;
            unit = (unit << 4) | digit;
        }
        if let Some(high) = self.string.high.take() {
            if let Some(Ok(c)) = char::decode_utf16([high, unit]).next()
                && (0xdc00..0xe000).contains(&unit)
            {
                push_char(out, c);
                return Ok(());
            }
            push_char(out, char::REPLACEMENT_CHARACTER);
        }
        match unit {
            0xd800..0xdc00 => self.string.high = Some(unit),
            _ => push_char(
                out,
                char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER),
            ),
        }
        Ok(())
    }

    /// A string that is known to be short.
    pub(super) fn short_string(
        &mut self,
        name: &'static str,
        longest: usize,
    ) -> Result<String, InputFault> {
        self.open_string(name)?;
        let (mut text, mut part) = (Vec::new(), Vec::new());
        loop {
            let more = self.string_part(&mut part)?;
            text.extend_from_slice(&part);
            if text.len() > longest {
                return Err(InputFault::TooLong(name, longest));
            }
            if !more {
                return String::from_utf8(text).map_err(|_| InputFault::NotUtf8);
            }
        }
    }

    /// Steps over a string.
    fn skip_string(&mut self) -> Result<(), InputFault> {
        self.open_string("a string")?;
        let mut part = Vec::new();
        while self.string_part(&mut part)? {}
        Ok(())
    }

    /// Steps over a value.
    pub(super) fn skip_value(&mut self) -> Result<(), InputFault> {
        self.skip_nested(0)
    }

    fn skip_nested(&mut self, depth: usize) -> Result<(), InputFault> {
        if depth > MAX_DEPTH {
            return Err(InputFault::TooDeep(MAX_DEPTH));
        }
        match self.peek()? {
            Some(b'"') => self.skip_string(),
            Some(b'[') => self.array(|stream| stream.skip_nested(depth + 1)),
            Some(b'{') => self.object(|_, stream| stream.skip_nested(depth + 1)),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            _ => self.unexpected("a value"),
        }
    }

    fn literal(&mut self, literal: &'static str) -> Result<(), InputFault> {
        for want in literal.bytes() {
            match self.reader.peek()? {
                Some(byte) if byte == want => self.reader.consume(1),
                None => return Err(InputFault::End),
                Some(_) => return Err(InputFault::Expected("a value")),
            }
        }
        Ok(())
    }

    /// Calls `visit` before each element of an array, to step over it.
    pub(super) fn array<E: From<InputFault>>(
        &mut self,
        mut visit: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'[', "an array")?;
        if self.accept(b']')? {
            return Ok(());
        }
        loop {
            visit(self)?;
            if self.accept(b']')? {
                return Ok(());
            }
            self.expect(b',', "',' or ']'")?;
        }
    }

    /// Calls `visit` with each key of an object before its value, to step over that.
    pub(super) fn object<E: From<InputFault>>(
        &mut self,
        mut visit: impl FnMut(&str, &mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'{', "an object")?;
        if self.accept(b'}')? {
            return Ok(());
        }
        loop {
            let key = self.short_string("a key", PART)?;
            self.expect(b':', "':'")?;
            visit(&key, self)?;
            if self.accept(b'}')? {
                return Ok(());
            }
            self.expect(b',', "',' or '}'")?;
        }
    }
}

/// Whether the text stopped for want of more, not because it was complete or wrong.
fn is_cut(result: &Result<bool, InputFault>) -> bool {
    matches!(result, Ok(true) | Err(InputFault::End))
}

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(json: &[u8]) -> Result<Vec<u8>, (String, Vec<u8>)> {
        let mut reader = ByteReader::of(json);
        let mut stream = JsonStream::by_line(&mut reader, 1);
        stream.open_string("a string").unwrap();
        let (mut all, mut part) = (Vec::new(), Vec::new());
        loop {
            let result = stream.string_part(&mut part);
            all.extend_from_slice(&part);
            match result {
                Ok(true) => {}
                Ok(false) => return Ok(all),
                Err(fault) => return Err((fault.to_string(), all)),
            }
        }
    }

    #[test]
    fn strings_of_any_length_and_kind() {
        for (json, want) in [
            (r#""""#, ""),
            (r#""a\u001b[1mä\ud83c\udf4e\/""#, "a\x1b[1mä🍎/"),
            (r#""\ud83c""#, "\u{fffd}"),
            (r#""\ud83cx\udf4e\ud83c\n""#, "\u{fffd}x\u{fffd}\u{fffd}\n"),
            (r#""\ud83c\ud83c\udf4e""#, "\u{fffd}🍎"),
        ] {
            assert_eq!(string(json.as_bytes()).unwrap(), want.as_bytes(), "{json}");
        }
        for start in 0..4 {
            let long = "x".repeat(start) + &"ä🍏\\u00e4".repeat(30_000);
            let want = long.replace("\\u00e4", "ä");
            let json = format!("\"{long}\"");
            assert_eq!(string(json.as_bytes()).unwrap(), want.as_bytes());
        }
    }

    proptest::proptest! {
        #[test]
        fn a_string_is_read_as_it_was_written(text: String, escaped: bool) {
            let mut json = serde_json::to_string(&text).unwrap();
            if escaped {
                let mut units = [0; 2];
                json = text.chars().flat_map(|c| c.encode_utf16(&mut units).to_vec())
                    .map(|unit| format!("\\u{unit:04X}")).collect();
                json = format!("\"{json}\"");
            }
            proptest::prop_assert_eq!(string(json.as_bytes()).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn what_came_before_a_fault_is_kept() {
        for (json, fault, kept) in [
            (&b"\"ab"[..], "the file ends inside a value", "ab"),
            (b"\"ab\xc3", "the file ends inside a value", "ab"),
            (b"\"ab\\u00", "the file ends inside a value", "ab"),
            (b"\"ab\n", "the line ends inside an event", "ab"),
            (b"\"ab\x1b", "control character in a string", "ab"),
            (b"\"a\xff\"", "not UTF-8", "a"),
            (b"\"a\xc3\\n\"", "not UTF-8", "a"),
            (b"\"a\xc3\"", "not UTF-8", "a"),
            (b"\"a\\x\"", "invalid escape in a string", "a"),
        ] {
            let (found, text) = string(json).unwrap_err();
            assert_eq!((found.as_str(), text.as_slice()), (fault, kept.as_bytes()));
        }
    }

    #[test]
    fn values_are_stepped_over() {
        for json in ["1", "-1.5e3", "null", r#"{"a":[1,"]",{}],"b":true,"":false}"#, "[\n1,\n[]\n]"]
        {
            let text = format!("{json} !");
            let mut reader = ByteReader::of(&text);
            let mut stream = JsonStream::new(&mut reader);
            stream.skip_value().unwrap();
            assert_eq!(stream.peek().unwrap(), Some(b'!'), "{json}");
        }
        for json in ["", "[1", "[1 2]", "{1:2}", "nul", "nall", "1-1", "}", "{\"a\"}"] {
            let mut reader = ByteReader::of(json);
            assert!(JsonStream::new(&mut reader).skip_value().is_err(), "{json}");
        }
        let mut reader = ByteReader::of("[".repeat(1_000_000));
        assert!(JsonStream::new(&mut reader).skip_value().is_err());
    }
}
