//! Lines where Python's `str.splitlines` ends them.

/// The lines of `text`, without what ends them, as Python's `str.splitlines()` gives them.
///
/// Besides LF, CR and CR LF, a line ends at VT, FF, the separators U+001C to U+001E, NEL (U+0085),
/// LINE SEPARATOR and PARAGRAPH SEPARATOR. Text that ends with one of these has no empty line after
/// it.
///
/// ```
/// use terminal_session::snapshot::compat::lines;
///
/// assert_eq!(lines("fig\u{85}pear\r\n").collect::<Vec<_>>(), ["fig", "pear"]);
/// ```
pub fn lines(text: &str) -> Lines<'_> {
    Lines { rest: text }
}

/// The iterator [`lines`] returns.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (end, length) = line_end(self.rest).unwrap_or((self.rest.len(), 0));
        // An end is a whole code point (or two), so both places are boundaries.
        let line = self.rest.get(..end)?;
        self.rest = self.rest.get(end + length..)?;
        Some(line)
    }
}

impl std::iter::FusedIterator for Lines<'_> {}

/// Where the first line of `text` ends, and how many bytes its end takes.
fn line_end(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + bytes.get(from..)?.iter().position(may_end_line)?;
        match bytes.get(at..)? {
            [b'\r', b'\n', ..] | [0xc2, 0x85, ..] => return Some((at, 2)),
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => return Some((at, 3)),
            [0xc2 | 0xe2, ..] => from = at + 1,
            _ => return Some((at, 1)),
        }
    }
}

/// Whether a line end may start with this byte. C2 and E2 start other characters too.
fn may_end_line(byte: &u8) -> bool {
    matches!(byte, b'\n'..=b'\r' | 0x1c..=0x1e | 0xc2 | 0xe2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts, and what `str.splitlines()` made of them.
    const PYTHON: &[(&str, &[&str])] = &[
        ("", &[]),
        ("a", &["a"]),
        ("\n", &[""]),
        ("\n\n", &["", ""]),
        ("a\n", &["a"]),
        ("a\nb", &["a", "b"]),
        ("a\n\nb\n", &["a", "", "b"]),
        ("a\rb", &["a", "b"]),
        ("a\r\nb", &["a", "b"]),
        ("a\r\r\nb", &["a", "", "b"]),
        ("a\n\rb", &["a", "", "b"]),
        ("\r", &[""]),
        ("\r\n", &[""]),
        ("\r\n\r\n", &["", ""]),
        ("a\u{b}b\u{c}c", &["a", "b", "c"]),
        ("a\u{1c}b\u{1d}c\u{1e}d\u{1f}e", &["a", "b", "c", "d\u{1f}e"]),
        ("a\u{85}b", &["a", "b"]),
        ("a\u{2028}b\u{2029}c\u{2029}", &["a", "b", "c"]),
        ("\u{2028}", &[""]),
        ("\u{85}\u{85}", &["", ""]),
        ("a\u{2027}b\u{202a}c", &["a\u{2027}b\u{202a}c"]),
        ("a\u{a0}b\u{84}c\u{86}d", &["a\u{a0}b\u{84}c\u{86}d"]),
        ("\u{2500}\u{2502}\u{e2}\u{2028}\u{ea}", &["\u{2500}\u{2502}\u{e2}", "\u{ea}"]),
        ("a\u{9}b\u{0}c\u{1b}d\u{7}e\u{8}f\u{7f}g", &["a\u{9}b\u{0}c\u{1b}d\u{7}e\u{8}f\u{7f}g"]),
        ("\u{a85}\u{5228}\u{2829}", &["\u{a85}\u{5228}\u{2829}"]),
        ("\u{1f34e}\u{85}\u{1f34f}", &["\u{1f34e}", "\u{1f34f}"]),
        ("e\u{85}\u{301}", &["e", "\u{301}"]),
    ];

    #[test]
    fn lines_end_where_python_ends_them() {
        for (text, expected) in PYTHON {
            assert_eq!(lines(text).collect::<Vec<_>>(), *expected, "{text:?}");
        }
    }
}
