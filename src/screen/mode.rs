//! Setting modes.

use super::charset::Charset;
use super::modes::{MouseEncoding, MouseTracking};
use super::params::Params;
use super::terminal::Terminal;

impl Terminal {
    /// SM and RM.
    pub(super) fn set_ansi_modes(&mut self, params: &Params, on: bool) {
        for at in 0..params.len() {
            match params.get(at) {
                4 => self.modes.insert = on,
                20 => self.modes.line_feed_returns = on,
                _ => {}
            }
        }
    }

    /// DECSET and DECRST.
    pub(super) fn set_private_modes(&mut self, params: &Params, on: bool) {
        for at in 0..params.len() {
            self.set_private_mode(params.get(at), on);
        }
    }

    fn set_private_mode(&mut self, mode: u32, on: bool) {
        match mode {
            1 => self.modes.application_cursor = on,
            2 if on => {
                for slot in 0..4 {
                    self.charsets.designate(slot, Charset::Ascii);
                }
            }
            6 => {
                self.modes.origin = on;
                self.set_cursor(0, 0);
            }
            7 => self.modes.wrap = on,
            9 => self.set_mouse(MouseTracking::X10, on),
            12 => self.modes.cursor_blink = on,
            25 => self.modes.cursor_visible = on,
            45 => self.modes.reverse_wrap = on,
            66 => self.modes.application_keypad = on,
            1000 => self.set_mouse(MouseTracking::Press, on),
            1002 => self.set_mouse(MouseTracking::Drag, on),
            1003 => self.set_mouse(MouseTracking::Any, on),
            1004 => self.modes.focus_events = on,
            1006 => self.set_mouse_encoding(MouseEncoding::Sgr, on),
            1016 => self.set_mouse_encoding(MouseEncoding::SgrPixels, on),
            1048 if on => self.save_cursor(),
            1048 => self.restore_cursor(),
            1049 if on => {
                self.save_cursor();
                self.enter_alternate();
            }
            47 | 1047 if on => self.enter_alternate(),
            1049 => {
                self.leave_alternate();
                self.restore_cursor();
            }
            47 | 1047 => self.leave_alternate(),
            2004 => self.modes.bracketed_paste = on,
            2026 => self.modes.synchronized_output = on,
            _ => {}
        }
    }

    fn set_mouse(&mut self, tracking: MouseTracking, on: bool) {
        self.modes.mouse_tracking = if on { tracking } else { MouseTracking::Off };
    }

    fn set_mouse_encoding(&mut self, encoding: MouseEncoding, on: bool) {
        self.modes.mouse_encoding = if on { encoding } else { MouseEncoding::Default };
    }
}
