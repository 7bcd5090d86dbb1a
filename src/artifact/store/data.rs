//! Data of a snapshot on its way to the disk.

use std::fs::File;
use std::io::{self, Write};

/// The data of a snapshot. It is written in parts, because as a whole it may be too long for
/// memory.
pub trait SnapshotData {
    /// Writes all of it.
    ///
    /// # Errors
    /// What `out` returns, or that the data cannot be had.
    fn write_to(self, out: &mut dyn Write) -> io::Result<()>;
}

impl SnapshotData for String {
    fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.as_bytes())
    }
}

/// A file that UTF-8 is written to, and how much it is as snapshots count it.
pub(super) struct Measured<'a> {
    file: &'a mut File,
    /// UTF-16 code units so far.
    pub(super) units: u64,
    /// Whether the file refused something.
    pub(super) has_failed: bool,
}

impl<'a> Measured<'a> {
    pub(super) fn new(file: &'a mut File) -> Self {
        Self { file, units: 0, has_failed: false }
    }
}

impl Write for Measured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.file.write(bytes) {
            Ok(count) => {
                self.units += units(&bytes[..count]);
                Ok(count)
            }
            Err(error) => {
                self.has_failed |= error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// UTF-16 code units of a part of UTF-8 text, which may be cut anywhere: one for each byte that
/// begins a character, two where that has four bytes.
fn units(bytes: &[u8]) -> u64 {
    // Sums of a few bytes fit into one, which lets many be made at once.
    let of_part = |part: &[u8]| {
        part.iter()
            .fold(0_u8, |sum, &byte| sum + u8::from(byte & 0xc0 != 0x80) + u8::from(byte >= 0xf0))
    };
    bytes.chunks(127).map(|part| u64::from(of_part(part))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_text_wherever_it_is_cut() {
        let text = "plain \u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\u{1b}[1m漢😀";
        let text = [text.repeat(20), "😀".repeat(300), "x".repeat(300)].concat();
        for cut in 0..=text.len() {
            let (before, after) = text.as_bytes().split_at(cut);
            let want = u64::try_from(text.encode_utf16().count()).unwrap();
            assert_eq!(units(before) + units(after), want, "cut at {cut}");
        }
    }

    #[test]
    fn a_file_that_takes_nothing_is_told_from_data_that_is_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        File::create(&path).unwrap();
        let mut file = File::open(&path).unwrap();
        let mut out = Measured::new(&mut file);
        assert!("text".to_owned().write_to(&mut out).is_err());
        assert!(out.has_failed);
        assert_eq!(out.units, 0);
    }
}
