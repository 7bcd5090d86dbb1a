//! Tab stops.

/// Columns between the stops a terminal starts with.
const EVERY: usize = 8;
/// Those stops among 64 columns.
const WORD: u64 = u64::MAX / 0xff;

/// The set of columns with a stop.
#[derive(Clone, Default, Debug)]
pub(super) struct Tabs {
    words: Vec<u64>,
}

impl Tabs {
    pub(super) fn new(cols: usize) -> Self {
        let mut words = vec![WORD; cols.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !cols.is_multiple_of(64)
        {
            *last &= (1 << (cols % 64)) - 1;
        }
        Self { words }
    }

    fn is_set(&self, x: usize) -> bool {
        self.words.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    pub(super) fn set(&mut self, x: usize) {
        if self.words.len() <= x / 64 {
            self.words.resize(x / 64 + 1, 0);
        }
        self.words[x / 64] |= 1 << (x % 64);
    }

    pub(super) fn clear(&mut self, x: usize) {
        if let Some(word) = self.words.get_mut(x / 64) {
            *word &= !(1 << (x % 64));
        }
    }

    pub(super) fn clear_all(&mut self) {
        self.words.clear();
    }

    /// Sets stops for columns that a wider screen brings.
    pub(super) fn resize(&mut self, cols: usize) {
        let start = if self.is_set(cols) { cols } else { self.before(cols).unwrap_or(0) };
        for x in (start..cols).step_by(EVERY) {
            self.set(x);
        }
    }

    /// The next stop right of `x`, at most the last column.
    pub(super) fn next(&self, x: usize, cols: usize) -> usize {
        self.after(x).unwrap_or(cols).min(cols - 1)
    }

    /// The stop left of `x`, or the first column.
    pub(super) fn previous(&self, x: usize, cols: usize) -> usize {
        self.before(x).unwrap_or(0).min(cols - 1)
    }

    fn after(&self, x: usize) -> Option<usize> {
        let from = x + 1;
        let first = self.words.get(from / 64)? & (!0 << (from % 64));
        let rest = self.words[from / 64 + 1..].iter().copied();
        let (at, word) = std::iter::once(first).chain(rest).enumerate().find(|&(_, w)| w != 0)?;
        Some((from / 64 + at) * 64 + word.trailing_zeros() as usize)
    }

    fn before(&self, x: usize) -> Option<usize> {
        let top = (x / 64).min(self.words.len());
        let part = match self.words.get(x / 64) {
            Some(word) => word & ((1 << (x % 64)) - 1),
            None => 0,
        };
        let last = |word: u64| 63 - word.leading_zeros() as usize;
        if part != 0 {
            return Some(x / 64 * 64 + last(part));
        }
        let at = self.words[..top].iter().rposition(|&word| word != 0)?;
        Some(at * 64 + last(self.words[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::Tabs;

    #[test]
    fn stops_to_both_sides() {
        let mut tabs = Tabs::new(200);
        assert_eq!(tabs.next(0, 200), 8);
        assert_eq!(tabs.next(63, 200), 64);
        assert_eq!(tabs.next(192, 200), 199);
        assert_eq!(tabs.previous(64, 200), 56);
        assert_eq!(tabs.previous(3, 200), 0);
        assert_eq!(tabs.previous(0, 200), 0);
        tabs.clear_all();
        assert_eq!((tabs.next(5, 200), tabs.previous(199, 200)), (199, 0));
        tabs.set(130);
        assert_eq!((tabs.next(5, 200), tabs.previous(199, 200)), (130, 130));
        tabs.clear(130);
        assert_eq!(tabs.next(5, 200), 199);
    }

    #[test]
    fn a_wider_screen_has_more() {
        let mut tabs = Tabs::new(20);
        tabs.resize(50);
        assert_eq!(tabs.next(16, 50), 24);
        assert_eq!(tabs.next(40, 50), 48);
    }
}
