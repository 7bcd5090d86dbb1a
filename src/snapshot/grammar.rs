//! Whether data is a stream that the serializer could have written.
//!
//! The format has few sequences: styles, small cursor moves, erased cells, one switch to the
//! alternate screen, and modes at the very end. What goes beyond them was not frozen from a screen,
//! and a reader that trusts the format may be misled by it.

use std::fmt;

use thiserror::Error;

/// Something in a snapshot that the format cannot hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what} at byte {at}")]
pub struct Alien {
    /// Where it begins, in bytes from 0.
    pub at: usize,
    /// What it is.
    pub what: AlienKind,
}

/// What the format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlienKind {
    /// A control character other than CR LF and ESC.
    Control(char),
    /// A line feed without a carriage return before it, or the other way round.
    HalfLineEnd,
    /// An escape sequence that the serializer does not write, without its ESC.
    Sequence(String),
    /// Text, a move or a style behind the modes, which stand at the end.
    BehindModes,
}

impl fmt::Display for AlienKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Control(c) => write!(f, "control character U+{:04X}", u32::from(*c)),
            Self::HalfLineEnd => f.write_str("a line end that is not CR LF"),
            Self::Sequence(body) => write!(f, "sequence ESC {body}"),
            Self::BehindModes => f.write_str("content behind the terminal's modes"),
        }
    }
}

/// Modes in the order in which they are written; of those for the mouse there is one.
const MODES: [(&str, usize); 12] = [
    ("[?1h", 1),
    ("[?66h", 2),
    ("[?2004h", 3),
    ("[4h", 4),
    ("[?6h", 5),
    ("[?45h", 6),
    ("[?1004h", 7),
    ("[?7l", 8),
    ("[?9h", 9),
    ("[?1000h", 9),
    ("[?1002h", 9),
    ("[?1003h", 9),
];
/// Characters of a sequence that a message shows.
const SHOWN: usize = 24;

/// What data stands for beside its characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Cells that it erases or steps over, which a few bytes can be told to do.
    pub blank_cells: usize,
}

/// Reads data as the serializer's own. How far its moves go is not looked at: a row may be longer
/// than the screen that was made smaller.
///
/// # Errors
/// The first [`Alien`].
pub fn check_grammar(data: &str) -> Result<Shape, Alien> {
    let mut reader = Reader { data, at: 0, mode: 0, has_alternate: false, blank_cells: 0 };
    while reader.at < data.len() {
        reader.step()?;
    }
    Ok(Shape { blank_cells: reader.blank_cells })
}

struct Reader<'a> {
    data: &'a str,
    at: usize,
    /// The place of the last mode in their order, 0 before the first.
    mode: usize,
    has_alternate: bool,
    blank_cells: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.data.get(self.at..).unwrap_or("")
    }

    fn step(&mut self) -> Result<(), Alien> {
        let rest = self.rest();
        let plain = rest.find(char::is_control).unwrap_or(rest.len());
        if plain > 0 {
            self.content()?;
            self.at += plain;
            return Ok(());
        }
        if rest.starts_with('\x1b') {
            return self.sequence();
        }
        if rest.starts_with("\r\n") {
            self.content()?;
            self.at += 2;
            return Ok(());
        }
        match rest.chars().next() {
            Some('\r' | '\n') => self.refuse(AlienKind::HalfLineEnd),
            Some(c) => self.refuse(AlienKind::Control(c)),
            None => Ok(()),
        }
    }

    fn sequence(&mut self) -> Result<(), Alien> {
        let body = self.rest().get(1..).unwrap_or("");
        let end = body.find(|c: char| !matches!(c, '[' | '?' | ';' | '0'..='9'));
        let end = end.and_then(|at| Some(at + body.get(at..)?.chars().next()?.len_utf8()));
        let sequence = body.get(..end.unwrap_or(body.len())).unwrap_or("");
        let shown = || sequence.chars().take(SHOWN).collect::<String>();
        if let Some(&(_, place)) = MODES.iter().find(|(mode, _)| *mode == sequence) {
            if place <= self.mode {
                return self.refuse(AlienKind::Sequence(shown()));
            }
            self.mode = place;
        } else if sequence == "[?1049h" {
            self.content()?;
            if std::mem::replace(&mut self.has_alternate, true)
                || !body.starts_with("[?1049h\x1b[H")
            {
                return self.refuse(AlienKind::Sequence(shown()));
            }
            self.at += "\x1b[H".len();
        } else {
            let parameters = sequence.strip_prefix('[').unwrap_or("?");
            let last = parameters.chars().next_back().unwrap_or('?');
            let parameters = parameters.strip_suffix(last).unwrap_or("?");
            let is_ours = match last {
                'm' => is_style(parameters),
                'A' | 'B' if parameters.is_empty() => true,
                'A'..='D' | 'X' => is_number(parameters),
                _ => false,
            };
            if !is_ours {
                return self.refuse(AlienKind::Sequence(shown()));
            }
            self.content()?;
            if matches!(last, 'X' | 'C') {
                let count = parameters.parse().unwrap_or(usize::MAX);
                self.blank_cells = self.blank_cells.saturating_add(count);
            }
        }
        self.at += 1 + sequence.len();
        Ok(())
    }

    /// Something other than a mode comes.
    fn content(&self) -> Result<(), Alien> {
        if self.mode > 0 { self.refuse(AlienKind::BehindModes) } else { Ok(()) }
    }

    fn refuse<T>(&self, what: AlienKind) -> Result<T, Alien> {
        Err(Alien { at: self.at, what })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether SGR parameters are some that the serializer writes.
fn is_style(parameters: &str) -> bool {
    let mut numbers =
        parameters.split(';').map(|part| if is_number(part) { part.parse().ok() } else { None });
    let is_byte = |part: Option<Option<u32>>| part.flatten().is_some_and(|number| number <= 255);
    while let Some(part) = numbers.next() {
        let fits = match part {
            Some(38 | 48) => match numbers.next().flatten() {
                Some(5) => is_byte(numbers.next()),
                Some(2) => (0..3).all(|_| is_byte(numbers.next())),
                _ => false,
            },
            Some(number) => is_plain_style(number),
            None => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

fn is_plain_style(number: u32) -> bool {
    matches!(number, 0..=5 | 7..=9 | 22..=25 | 27..=37 | 39..=47 | 49 | 53 | 55 | 90..=97 | 100..=107)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_serializer_writes_passes() {
        for data in [
            "",
            "apples ä 🍏\r\n\x1b[3Cx\x1b[4X\x1b[4C\x1b[10D\x1b[2A",
            "\x1b[0;1;38;5;200;48;2;1;2;255mx\x1b[0m",
            "--\x1b[1D\x1b[1X\x1b[A\x1b[9C\x1b[1X\x1b[9D\x1b[B",
            "x\x1b[?1049h\x1b[Hy\x1b[?1h\x1b[?2004h\x1b[?7l\x1b[?1003h",
        ] {
            assert!(check_grammar(data).is_ok(), "{data:?}");
        }
        let shape = check_grammar("\x1b[3C\x1b[4X\x1b[2B").unwrap();
        assert_eq!(shape, Shape { blank_cells: 7 });
    }

    #[test]
    fn anything_else_is_found_where_it_is() {
        for (data, at, what) in [
            ("ab\tc", 2, "control character U+0009"),
            ("\u{9b}3J", 0, "control character U+009B"),
            ("\x7f", 0, "control character U+007F"),
            ("a\nb", 1, "a line end that is not CR LF"),
            ("a\rb", 1, "a line end that is not CR LF"),
            ("ab\x1b[2J", 2, "sequence ESC [2J"),
            ("\x1b[1;1H", 0, "sequence ESC [1;1H"),
            ("\x1b[H", 0, "sequence ESC [H"),
            ("\x1b]0;t\x07", 0, "sequence ESC ]"),
            ("\x1bc", 0, "sequence ESC c"),
            ("\x1b", 0, "sequence ESC "),
            ("\x1b[31", 0, "sequence ESC [31"),
            ("\x1b[ä", 0, "sequence ESC [ä"),
            ("\x1b[m", 0, "sequence ESC [m"),
            ("\x1b[6m", 0, "sequence ESC [6m"),
            ("\x1b[38;5;256m", 0, "sequence ESC [38;5;256m"),
            ("\x1b[4:3m", 0, "sequence ESC [4:"),
            ("\x1b[C", 0, "sequence ESC [C"),
            ("\x1b[?25l", 0, "sequence ESC [?25l"),
            ("\x1b[?7l\x1b[?1h", 5, "sequence ESC [?1h"),
            ("\x1b[?1049hx", 0, "sequence ESC [?1049h"),
            ("\x1b[?1049h\x1b[H\x1b[?1049h\x1b[H", 11, "sequence ESC [?1049h"),
            ("\x1b[?1hx", 5, "content behind the terminal's modes"),
        ] {
            let alien = check_grammar(data).unwrap_err();
            assert_eq!((alien.at, alien.what.to_string().as_str()), (at, what), "{data:?}");
        }
    }
}
