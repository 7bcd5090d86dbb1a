//! What is left of a snapshot when escapes are dropped the way the Python helpers drop them.
//!
//! They look for these, line by line, and drop them:
//!
//! - `ESC [` with any of `0`-`?`, then any of space-`/`, then one of `@`-`~`;
//! - `ESC ]` up to the next `ESC \` on the same line, whatever stands between;
//! - `ESC (` with the code point after it, if that does not start an escape of its own;
//! - `ESC` with one of `0`-`Z`, `\`, `]`, `^`, `_`.
//!
//! An ESC that starts none of these is text. So is the content of a DCS, SOS, PM or APC string, and
//! that of an OSC string which BEL, another line or nothing ends. Of the controls BEL, BS, VT and
//! FF go; all others are text, C1 controls too. They go after the escapes did: one inside a
//! sequence spoils it.
//!
//! All this is decided by bytes below 0x80, which in UTF-8 are part of no other character, well
//! formed or not. So the bytes need not be decoded first.

use memchr::memchr3;

const ESC: u8 = 0x1b;

/// A part of a snapshot that the text is made from.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// Text without line breaks. What is no valid UTF-8 in it stands for U+FFFD.
    Text(&'a [u8]),
    /// LF, CR LF or CR.
    LineBreak,
}

/// Cuts a snapshot into [`Piece`]s, front to back.
pub(super) struct Pieces<'a> {
    data: &'a [u8],
    /// Where the next piece is looked for.
    at: usize,
    /// An OSC string whose content starts before this place, at or after `at`, is not ended.
    /// Remembered from the last search, or a line with many such strings would be searched to its
    /// end for each.
    open_until: usize,
    /// An ESC that names a charset, and goes, if it starts no escape.
    charset_at: Option<usize>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0, open_until: 0, charset_at: None }
    }

    /// The next piece; text is cut, perhaps inside a character, after `longest` bytes.
    pub(super) fn next(&mut self, longest: usize) -> Option<Piece<'a>> {
        loop {
            let rest = self.rest();
            match *rest.first()? {
                b'\n' => return self.line_break(1),
                b'\r' if rest.get(1) == Some(&b'\n') => return self.line_break(2),
                b'\r' => return self.line_break(1),
                0x07 | 0x08 | 0x0b | 0x0c => self.at += 1,
                ESC => match self.escape() {
                    Some(end) => self.at = end,
                    None if self.charset_at == Some(self.at) => self.at += 1,
                    None => return Some(self.text(1, longest)),
                },
                _ => return Some(self.text(0, longest)),
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    fn line_break(&mut self, length: usize) -> Option<Piece<'a>> {
        self.at += length;
        Some(Piece::LineBreak)
    }

    /// Text up to the next byte that may be something else; the first `known` bytes are text.
    fn text(&mut self, known: usize, longest: usize) -> Piece<'a> {
        let rest = self.rest();
        let within = rest.get(..longest).unwrap_or(rest);
        let length = known + plain_run(within.get(known..).unwrap_or_default());
        self.at += length;
        Piece::Text(within.get(..length).unwrap_or(within))
    }

    /// Where the escape ends that starts here, or `None` if the ESC here starts none.
    fn escape(&mut self) -> Option<usize> {
        let after = self.at + 2;
        match self.data.get(self.at + 1)? {
            b'[' => self.control_sequence(after),
            b']' => Some(self.string_end(after).unwrap_or(after)),
            b'(' => Some(self.designation_end(after)),
            b'0'..=b'Z' | b'\\' | b'^' | b'_' => Some(after),
            _ => None,
        }
    }

    /// Where the control sequence ends whose parameters start at `from`.
    fn control_sequence(&self, from: usize) -> Option<usize> {
        let rest = self.data.get(from..)?;
        let parameters = rest.iter().take_while(|byte| matches!(byte, b'0'..=b'?')).count();
        let rest = rest.get(parameters..)?;
        let intermediates = rest.iter().take_while(|byte| matches!(byte, b' '..=b'/')).count();
        matches!(rest.get(intermediates)?, b'@'..=b'~')
            .then_some(from + parameters + intermediates + 1)
    }

    /// Where the OSC string ends whose content starts at `from`, if it does before the line does.
    fn string_end(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        while at >= self.open_until {
            let found = memchr3(ESC, b'\n', b'\r', self.data.get(at..)?);
            let end = found.map_or(self.data.len(), |offset| at + offset);
            if self.data.get(end) != Some(&ESC) {
                // One past the end, for a string that starts there.
                self.open_until = end + 1;
            } else if self.data.get(end + 1) == Some(&b'\\') {
                return Some(end + 2);
            } else {
                at = end + 1;
            }
        }
        None
    }

    /// Where the charset designation ends whose charset stands at `from`.
    fn designation_end(&mut self, from: usize) -> usize {
        let rest = self.data.get(from..).unwrap_or_default();
        match rest.first() {
            None | Some(b'\n' | b'\r') => from,
            // It may start an escape of its own, which goes as a whole. Seen to when it is reached:
            // in a long row of designations each would have to look at the next one here.
            Some(&ESC) => {
                self.charset_at = Some(from);
                from
            }
            Some(_) => from + first_code_point(rest),
        }
    }
}

/// How many bytes at the start of `bytes` cannot be anything but text.
fn plain_run(bytes: &[u8]) -> usize {
    // Few blocks of ordinary text hold a control at all, and that is asked of a block at once.
    let (blocks, tail) = bytes.as_chunks::<32>();
    for (index, block) in blocks.iter().enumerate() {
        if block.iter().fold(false, |any, byte| any | (*byte < 0x20))
            && let Some(offset) = block.iter().copied().position(is_special)
        {
            return index * 32 + offset;
        }
    }
    let offset = tail.iter().copied().position(is_special).unwrap_or(tail.len());
    blocks.len() * 32 + offset
}

/// Whether text ends before this byte: a line break, a control that goes, or perhaps an escape.
fn is_special(byte: u8) -> bool {
    matches!(byte, 0x07 | 0x08 | b'\n' | 0x0b | 0x0c | b'\r' | ESC)
}

/// How many bytes the first code point takes, or what U+FFFD stands for if it is none.
fn first_code_point(bytes: &[u8]) -> usize {
    let head = bytes.get(..4).unwrap_or(bytes);
    head.utf8_chunks().next().map_or(0, |chunk| {
        chunk.valid().chars().next().map_or(chunk.invalid().len(), char::len_utf8)
    })
}
