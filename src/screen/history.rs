//! Doing without a history.

use super::Screen;

impl Screen {
    /// Forgets the rows above the screen and keeps none from now on.
    pub fn forget_history(&mut self) {
        let normal = &mut self.terminal.normal;
        let forgotten = normal.base;
        normal.drop_scrollback();
        normal.scrollback = 0;
        normal.most = normal.rows;
        normal.saved.y = normal.saved.y.saturating_sub(forgotten);
    }

    /// Forgets the oldest rows above the screen, which somebody else keeps: they do not count as
    /// dropped.
    pub fn forget_oldest(&mut self, count: usize) {
        let normal = &mut self.terminal.normal;
        let count = count.min(normal.base);
        normal.lines.drain(..count);
        normal.base -= count;
        normal.saved.y = normal.saved.y.saturating_sub(count);
    }
}
