//! Device control strings.

use super::terminal::Terminal;

impl Terminal {
    /// Does what a device control string that began with `collected` and `last` asks for.
    pub(super) fn dcs(&mut self, collected: u32, last: u8, data: &str) {
        if (collected, last) == (u32::from(b'$'), b'q') {
            self.report_setting(data);
        }
    }
}
