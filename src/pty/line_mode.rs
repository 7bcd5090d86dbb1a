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
