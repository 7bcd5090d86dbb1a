//! One checking pass over a JSON text that builds nothing.

use super::{ErrorKind, JsonError, MAX_DEPTH};

/// Walks a JSON text from left to right and checks it.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// The first byte of a value tells its kind.
pub(super) const QUOTE: u8 = b'"';

impl<'a> Scanner<'a> {
    /// At the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// The byte where the scanner stands, 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Where the scanner stands, in bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether an object starts here.
    pub fn at_object(&self) -> bool {
        self.peek() == b'{'
    }

    /// Whether an array starts here.
    pub fn at_array(&self) -> bool {
        self.peek() == b'['
    }

    /// Refuses a byte order mark, which no JSON text starts with.
    ///
    /// # Errors
    /// [`ErrorKind::ByteOrderMark`].
    pub fn refuse_byte_order_mark(&self) -> Result<(), JsonError> {
        if self.text.starts_with('\u{feff}') {
            return self.fail(ErrorKind::ByteOrderMark);
        }
        Ok(())
    }

    /// The text from `start` to where the scanner stands.
    pub fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    /// Steps over white space.
    pub fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    /// An error of this kind, here.
    pub(super) fn fail<T>(&self, kind: ErrorKind) -> Result<T, JsonError> {
        let kind = if self.at >= self.text.len() { ErrorKind::UnexpectedEnd } else { kind };
        Err(JsonError::at(kind, self.text, self.at))
    }

    /// Refuses anything but white space from here to the end.
    ///
    /// # Errors
    /// [`ErrorKind::ExtraText`].
    pub fn finish(&mut self) -> Result<(), JsonError> {
        self.skip_space();
        if self.at < self.text.len() {
            return self.fail(ErrorKind::ExtraText);
        }
        Ok(())
    }

    /// Calls `visit` at the key text of every member of the object here, with the scanner at the
    /// member's value; `visit` must step over the value.
    ///
    /// # Errors
    /// What is wrong with the text, or what `visit` returns.
    pub fn object(
        &mut self,
        mut visit: impl FnMut(&'a str, &mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.enter()?;
        self.skip_space();
        if self.peek() == b'}' {
            return self.leave();
        }
        loop {
            if self.peek() != QUOTE {
                return self.fail(ErrorKind::ExpectedKey);
            }
            let start = self.at;
            self.skip_string()?;
            let key = self.since(start);
            self.skip_space();
            if self.peek() != b':' {
                return self.fail(ErrorKind::ExpectedColon);
            }
            self.at += 1;
            self.skip_space();
            visit(key, self)?;
            self.skip_space();
            match self.peek() {
                b'}' => return self.leave(),
                b',' => self.at += 1,
                _ => return self.fail(ErrorKind::ExpectedComma),
            }
            self.skip_space();
        }
    }

    /// Calls `visit` at every element of the array here; `visit` must step over the element.
    ///
    /// # Errors
    /// What is wrong with the text, or what `visit` returns.
    pub fn array(
        &mut self,
        mut visit: impl FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.enter()?;
        self.skip_space();
        if self.peek() == b']' {
            return self.leave();
        }
        loop {
            visit(self)?;
            self.skip_space();
            match self.peek() {
                b']' => return self.leave(),
                b',' => self.at += 1,
                _ => return self.fail(ErrorKind::ExpectedComma),
            }
            self.skip_space();
        }
    }

    fn enter(&mut self) -> Result<(), JsonError> {
        if self.depth == MAX_DEPTH {
            return self.fail(ErrorKind::TooDeep);
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), JsonError> {
        self.depth -= 1;
        self.at += 1;
        Ok(())
    }

    /// Steps over the value here.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn skip_value(&mut self) -> Result<(), JsonError> {
        match self.peek() {
            QUOTE => self.skip_string(),
            b'{' => self.object(|_, scanner| scanner.skip_value()),
            b'[' => self.array(Self::skip_value),
            b'-' | b'0'..=b'9' | b'N' | b'I' | b't' | b'f' | b'n' => self.skip_scalar(),
            _ => self.fail(ErrorKind::ExpectedValue),
        }
    }

    fn skip_scalar(&mut self) -> Result<(), JsonError> {
        let rest = self.text.get(self.at..).unwrap_or("");
        for literal in ["null", "true", "false", "NaN", "Infinity", "-Infinity"] {
            if rest.starts_with(literal) {
                self.at += literal.len();
                return Ok(());
            }
        }
        match number_length(rest.as_bytes()) {
            0 => self.fail(ErrorKind::ExpectedValue),
            length => {
                self.at += length;
                Ok(())
            }
        }
    }

    /// Steps over the string here, quotes and all.
    ///
    /// # Errors
    /// [`ErrorKind::ControlCharacter`], [`ErrorKind::InvalidEscape`] or an unexpected end.
    pub fn skip_string(&mut self) -> Result<(), JsonError> {
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or(&[]);
            self.at += plain_length(rest);
            match self.peek() {
                QUOTE => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.skip_escape()?,
                _ => return self.fail(ErrorKind::ControlCharacter),
            }
        }
    }

    fn skip_escape(&mut self) -> Result<(), JsonError> {
        let bytes = self.text.as_bytes();
        let length = match bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => match bytes.get(self.at + 2..self.at + 6) {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => 6,
                _ => return self.fail(ErrorKind::InvalidEscape),
            },
            _ => return self.fail(ErrorKind::InvalidEscape),
        };
        self.at += length;
        Ok(())
    }
}

/// How many bytes come before the first quote, backslash or control character.
///
/// Eight bytes at a time: most of a manifest is long strings, and this is where reading one
/// spends its time.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero_byte = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quote = zero_byte(word ^ (ONES * u64::from(b'"')));
        let backslash = zero_byte(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let found = quote | backslash | control;
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let tail = bytes.get(at..).unwrap_or(&[]);
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    at + tail.iter().position(special).unwrap_or(tail.len())
}

/// How many bytes of a number stand at the start, 0 where none does.
fn number_length(bytes: &[u8]) -> usize {
    let digits_from = |start: usize| {
        bytes.get(start..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut at = usize::from(byte(0) == b'-');
    at += match byte(at) {
        b'0' => 1,
        _ => match digits_from(at) {
            0 => return 0,
            count => count,
        },
    };
    if byte(at) == b'.' && digits_from(at + 1) > 0 {
        at += 1 + digits_from(at + 1);
    }
    if matches!(byte(at), b'e' | b'E') {
        let sign = usize::from(matches!(byte(at + 1), b'+' | b'-'));
        let digits = digits_from(at + 1 + sign);
        if digits > 0 {
            at += 1 + sign + digits;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), JsonError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        scanner.skip_value()?;
        scanner.finish()
    }

    #[test]
    fn accepts_what_python_loads() {
        for text in [
            "null",
            " [1, -0, 1.5e-7, 12345678901234567890123] ",
            "NaN",
            "[-Infinity]",
            r#""\ud83d""#,
            r#"{"a":{"a":[]},"a":{}}"#,
            "\"\u{7f}\u{2028}\"",
            "{\"\":\"\\/\"}",
            "\"0123456789abcdefghijklmnop\\n\"",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        use ErrorKind::*;
        for (text, kind, line, column) in [
            ("", UnexpectedEnd, 1, 1),
            ("[1,\n 2", UnexpectedEnd, 2, 3),
            ("[1 2]", ExpectedComma, 1, 4),
            ("{1:2}", ExpectedKey, 1, 2),
            ("{\"a\" 2}", ExpectedColon, 1, 6),
            ("[1,]", ExpectedValue, 1, 4),
            ("{\"a\":1,}", ExpectedKey, 1, 8),
            ("\"ä\tb\"", ControlCharacter, 1, 3),
            ("\"0123456\u{1}\"", ControlCharacter, 1, 9),
            ("\"\\x\"", InvalidEscape, 1, 2),
            ("\"\\u12g4\"", InvalidEscape, 1, 2),
            ("01", ExtraText, 1, 2),
            ("1.", ExtraText, 1, 2),
            ("-", ExpectedValue, 1, 1),
            ("+1", ExpectedValue, 1, 1),
            ("nul", ExpectedValue, 1, 1),
            ("{} x", ExtraText, 1, 4),
        ] {
            assert_eq!(check(text), Err(JsonError { kind, line, column }), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_stack_overflow() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(check(&nested(500)), Ok(()));
        assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
        for levels in [MAX_DEPTH + 1, 100_000] {
            assert_eq!(check(&nested(levels)).unwrap_err().kind, ErrorKind::TooDeep);
        }
    }

    #[test]
    fn plain_length_finds_every_special_byte_at_every_offset() {
        for special in [b'"', b'\\', 0, 0x1f] {
            for at in 0..20 {
                let mut bytes = vec![0xc3; 24];
                bytes[at] = special;
                assert_eq!(plain_length(&bytes), at);
            }
        }
        assert_eq!(plain_length(&[0x7f; 19]), 19);
    }
}
