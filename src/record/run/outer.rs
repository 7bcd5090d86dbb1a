//! The person's terminal: showing what the program prints, and leaving it as it was.

use std::io::{self, ErrorKind, Write};

use rustix::event::{PollFd, PollFlags, poll};

use crate::screen::{Modes, MouseEncoding, MouseTracking};

/// Switches off what the program left on; a program that was killed could not.
pub(crate) fn undo(modes: &Modes, is_full_screen: bool) {
    let sequences = sequences(modes, is_full_screen);
    if sequences.is_empty() {
        return;
    }
    let mut out = io::stdout().lock();
    // A terminal that is gone needs nothing.
    out.write_all(sequences.as_bytes()).and_then(|()| out.flush()).unwrap_or_default();
}

fn sequences(modes: &Modes, is_full_screen: bool) -> String {
    let switches = [
        (is_full_screen, "\x1b[?1049l"),
        (modes.application_cursor, "\x1b[?1l"),
        (modes.application_keypad, "\x1b>"),
        (modes.bracketed_paste, "\x1b[?2004l"),
        (modes.insert, "\x1b[4l"),
        (modes.line_feed_returns, "\x1b[20l"),
        (modes.origin, "\x1b[?6l"),
        (modes.reverse_wrap, "\x1b[?45l"),
        (modes.focus_events, "\x1b[?1004l"),
        (!modes.wrap, "\x1b[?7h"),
        (!modes.cursor_visible, "\x1b[?25h"),
        (modes.synchronized_output, "\x1b[?2026l"),
        (modes.mouse_tracking != MouseTracking::Off, "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l"),
        (modes.mouse_encoding != MouseEncoding::Default, "\x1b[?1006l\x1b[?1016l"),
    ];
    let mut out: String =
        switches.iter().filter(|(is_on, _)| *is_on).map(|(_, off)| *off).collect();
    if !out.is_empty() {
        // Whoever left these on left its colours on as well.
        out.push_str("\x1b[0m");
    }
    out
}

/// Writes to our own terminal. If it takes nothing now, the program waits with it.
pub(crate) fn show(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let mut rest = bytes;
    while !rest.is_empty() {
        match out.write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Somebody else made it so: it is the same terminal for all programs in it.
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait_for_room(),
            // A terminal that is gone hangs up, which ends the recording.
            Err(_) => return,
        }
    }
    while let Err(error) = out.flush() {
        match error.kind() {
            ErrorKind::Interrupted => {}
            ErrorKind::WouldBlock => wait_for_room(),
            _ => return,
        }
    }
}

fn wait_for_room() {
    let stdout = rustix::stdio::stdout();
    let mut polled = [PollFd::from_borrowed_fd(stdout, PollFlags::OUT)];
    poll(&mut polled, None).map(drop).unwrap_or_default();
}
