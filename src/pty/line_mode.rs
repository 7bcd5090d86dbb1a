//! How a terminal handles what is typed.

use std::os::fd::AsFd;

use rustix::termios::{LocalModes, SpecialCodeIndex, tcgetattr};

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
        })
    }

    /// Whether this is how a prompt for a password looks: lines that are not shown. A line editor
    /// shows none either, but takes keys, not lines.
    pub fn is_secret(&self) -> bool {
        self.canonical && !self.echo
    }
}
