//! Wrapping rows anew for another width.

use super::buffer::Buffer;

impl Buffer {
    pub(super) fn reflow(&mut self, _cols: usize, _rows: usize) {}
}
