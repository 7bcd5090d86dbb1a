//! Modes that programs switch on and off.

/// Which mouse events a program wants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MouseTracking {
    /// None.
    #[default]
    Off,
    /// Mode 9: presses.
    X10,
    /// Mode 1000: presses and releases.
    Press,
    /// Mode 1002: these and moves with a button held.
    Drag,
    /// Mode 1003: these and all moves.
    Any,
}

/// How mouse events are to be written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MouseEncoding {
    /// Three bytes.
    #[default]
    Default,
    /// Mode 1006: decimal numbers.
    Sgr,
    /// Mode 1016: the same, in pixels.
    SgrPixels,
}

/// The state of all modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modes {
    /// Mode 1: cursor keys send SS3 sequences.
    pub application_cursor: bool,
    /// Mode 66: the keypad sends sequences of its own.
    pub application_keypad: bool,
    /// Mode 2004: pasted text comes between marks.
    pub bracketed_paste: bool,
    /// Mode 4: characters push those after them aside.
    pub insert: bool,
    /// Mode 20: a line feed also returns to the first column.
    pub line_feed_returns: bool,
    /// Mode 6: rows count from the top of the scroll region.
    pub origin: bool,
    /// Mode 45: a backspace at the left edge goes to the row before.
    pub reverse_wrap: bool,
    /// Mode 1004: focus changes are reported.
    pub focus_events: bool,
    /// Mode 7: characters past the last column go to the next row.
    pub wrap: bool,
    /// Mode 25.
    pub cursor_visible: bool,
    /// Mode 12.
    pub cursor_blink: bool,
    /// Mode 2026: the program is in the middle of an update.
    pub synchronized_output: bool,
    /// Modes 9, 1000, 1002 and 1003.
    pub mouse_tracking: MouseTracking,
    /// Modes 1006 and 1016.
    pub mouse_encoding: MouseEncoding,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            application_cursor: false,
            application_keypad: false,
            bracketed_paste: false,
            insert: false,
            line_feed_returns: false,
            origin: false,
            reverse_wrap: false,
            focus_events: false,
            wrap: true,
            cursor_visible: true,
            cursor_blink: false,
            synchronized_output: false,
            mouse_tracking: MouseTracking::Off,
            mouse_encoding: MouseEncoding::Default,
        }
    }
}
