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
}
