//! Sizes of terminals.

use std::io;
use std::os::fd::AsFd;

use rustix::termios::{Winsize, tcgetwinsize, tcsetwinsize};

use crate::screen::Size;

/// The size of a terminal, none if it does not know or is none.
pub fn window_size(terminal: impl AsFd) -> Option<Size> {
    let size = tcgetwinsize(terminal).ok()?;
    Size::new(size.ws_col, size.ws_row)
}

/// Gives a terminal this size. Its foreground programs are told if it is another one.
///
/// # Errors
/// It is no terminal.
pub fn set_window_size(terminal: impl AsFd, size: Size) -> io::Result<()> {
    let size = Winsize { ws_row: size.rows, ws_col: size.cols, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}
