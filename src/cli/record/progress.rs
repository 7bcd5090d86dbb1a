//! How far a long import is, for a person who waits.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Files below this are read before anybody looks.
const LONG: u64 = 8 << 20;
const BETWEEN: Duration = Duration::from_millis(100);
const WIDTH: u64 = 30;

/// A bar on stderr that is gone when it is dropped.
pub(super) struct Progress {
    total: Option<u64>,
    last: Instant,
    is_shown: bool,
}

impl Progress {
    /// A bar for so many bytes, if stderr is a terminal and they are many; without a number they
    /// may be.
    pub(super) fn new(total: Option<u64>) -> Option<Self> {
        let is_long = total.is_none_or(|total| total >= LONG);
        (is_long && io::stderr().is_terminal()).then(|| Self {
            total,
            last: Instant::now(),
            is_shown: false,
        })
    }

    /// Shows that so many bytes are done, unless it just did.
    pub(super) fn show(&mut self, done: u64) {
        if self.last.elapsed() < BETWEEN {
            return;
        }
        self.last = Instant::now();
        self.is_shown = true;
        // A bar that cannot be shown is none.
        write!(io::stderr(), "\r{}", bar(done, self.total)).unwrap_or_default();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            write!(io::stderr(), "\r\x1b[K").unwrap_or_default();
        }
    }
}

fn bar(done: u64, total: Option<u64>) -> String {
    let mib = done >> 20;
    match total.filter(|&total| total > 0) {
        None => format!("{mib} MiB"),
        Some(total) => {
            let part = |of: u64| done.min(total).saturating_mul(of) / total;
            let filled = "#".repeat(usize::try_from(part(WIDTH)).unwrap_or(0));
            let width = usize::try_from(WIDTH).unwrap_or(0);
            format!("[{filled:width$}] {:3} %  {mib} MiB", part(100))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        assert_eq!(bar(3 << 20, None), "3 MiB");
        assert_eq!(bar(5 << 20, Some(10 << 20)), "[###############               ]  50 %  5 MiB");
        assert_eq!(bar(20 << 20, Some(10 << 20)), "[##############################] 100 %  20 MiB");
    }
}
