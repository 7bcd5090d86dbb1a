//! How a terminal handles what is typed.

use std::os::fd::AsFd;

use rustix::termios::{InputModes, LocalModes, SpecialCodeIndex, Termios, tcgetattr};

/// The part of a terminal's settings that tells what a program does with input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMode {
    /// Programs get whole lines.
    pub canonical: bool,
    /// What is typed is shown.
    pub echo: bool,
    /// Keys such as Ctrl-C send signals.
    pub signals: bool,
    /// The key that ends the input.
    pub end_of_file: u8,
    /// Ctrl-S holds the output.
    pub holds: bool,
    /// Keys with which a line is over, be it handed to the program or thrown away.
    line_ends: [u8; 9],
}

/// A special key that is switched off.
const NO_KEY: u8 = 0;

/// What ends lines where lines count.
fn line_ends(termios: &Termios) -> [u8; 9] {
    let key = |index| termios.special_codes[index];
    let with_signals = |index| match termios.local_modes.contains(LocalModes::ISIG) {
        true => key(index),
        false => NO_KEY,
    };
    let enter = if termios.input_modes.contains(InputModes::ICRNL) { b'\r' } else { NO_KEY };
    [
        b'\n',
        enter,
        key(SpecialCodeIndex::VEOF),
        key(SpecialCodeIndex::VEOL),
        key(SpecialCodeIndex::VEOL2),
        key(SpecialCodeIndex::VKILL),
        with_signals(SpecialCodeIndex::VINTR),
        with_signals(SpecialCodeIndex::VQUIT),
        with_signals(SpecialCodeIndex::VSUSP),
    ]
}

impl LineMode {
    /// The settings of a terminal, asked at either end.
    pub fn of(terminal: impl AsFd) -> Option<Self> {
        let termios = tcgetattr(terminal).ok()?;
        Some(Self {
            canonical: termios.local_modes.contains(LocalModes::ICANON),
            echo: termios.local_modes.contains(LocalModes::ECHO),
            signals: termios.local_modes.contains(LocalModes::ISIG),
            end_of_file: termios.special_codes[SpecialCodeIndex::VEOF],
            holds: termios.input_modes.contains(InputModes::IXON),
            line_ends: line_ends(&termios),
        })
    }

    /// Where the first line of what is typed ends, behind the key that ends it.
    pub fn line_end(&self, keys: &[u8]) -> Option<usize> {
        let ends = |key: &u8| *key != NO_KEY && self.line_ends.contains(key);
        keys.iter().position(ends).map(|index| index + 1)
    }

    /// Whether this is how a prompt for a password looks: lines that are not shown. A line editor
    /// shows none either, but takes keys, not lines.
    pub fn is_secret(&self) -> bool {
        self.canonical && !self.echo
    }
}

#[cfg(test)]
mod tests {
    use rustix::termios::{OptionalActions, tcsetattr};

    use super::*;
    use crate::pty::Pty;
    use crate::screen::Size;

    #[test]
    fn lines_end_where_the_terminal_ends_them() {
        let pty = Pty::open(Size { cols: 80, rows: 24 }).unwrap();
        let mode = LineMode::of(&pty).unwrap();
        for (keys, want) in [
            (&b"ab"[..], None),
            (b"ab\ncd\n", Some(3)),
            (b"ab\rcd", Some(3)),
            (b"\x15ab\n", Some(1)),
            (b"abc\x03d", Some(4)),
            (b"a\x04", Some(2)),
            // A key that is switched off has no number, and this is none.
            (b"a\0b", None),
        ] {
            assert_eq!(mode.line_end(keys), want, "{keys:?}");
        }
        let mut termios = tcgetattr(&pty).unwrap();
        termios.input_modes.remove(InputModes::ICRNL | InputModes::IXON);
        termios.local_modes.remove(LocalModes::ISIG);
        tcsetattr(&pty, OptionalActions::Now, &termios).unwrap();
        let now = LineMode::of(&pty).unwrap();
        assert_eq!((mode.holds, now.holds), (true, false));
        assert_eq!(now.line_end(b"a\rb\x03c\nd"), Some(6));
    }
}
