//! The names of journal files.

use std::fmt;

/// `<pid>-<start>.cast`, and `<pid>-<start>.<number>.cast` for each segment after the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stem {
    /// Milliseconds since 1970 when the recording began.
    pub(super) start: u64,
    /// The recorder.
    pub(super) process: u32,
}

impl Stem {
    /// The file of a segment; they are counted from 1.
    pub(super) fn segment(&self, number: u64) -> String {
        match number {
            1 => format!("{self}.cast"),
            _ => format!("{self}.{number}.cast"),
        }
    }

    /// The recording and the segment that a file name stands for, none for other names.
    pub(super) fn parse(name: &str) -> Option<(Self, u64)> {
        let name = name.strip_suffix(".cast")?;
        let (stem, number) = match name.split_once('.') {
            Some((stem, number)) => (stem, count(number).filter(|&number| number > 1)?),
            None => (name, 1),
        };
        let (process, start) = stem.split_once('-')?;
        let process = u32::try_from(count(process)?).ok()?;
        Some((Self { start: count(start)?, process }, number))
    }
}

impl fmt::Display for Stem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.process, self.start)
    }
}

/// A number as it is written into names: no sign, no zeros before it.
fn count(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let stem = Stem { start: 1_780_000_000_000, process: 77 };
        assert_eq!(stem.segment(1), "77-1780000000000.cast");
        assert_eq!(stem.segment(12), "77-1780000000000.12.cast");
        for number in [1, 2, 12] {
            assert_eq!(Stem::parse(&stem.segment(number)), Some((stem.clone(), number)));
        }
        for name in ["7.cast", "7-8", "7-8.1.cast", "7-8.x.cast", "+7-8.cast", "7-08.cast", ".cast"]
        {
            assert_eq!(Stem::parse(name), None, "{name}");
        }
    }
}
