//! Text that waits to be read, on disk.
//!
//! It is kept in parts. Those that were read go; where there are too many the ones in the middle do,
//! so that the beginning and the end stay, and what was dropped is counted. So is what the disk does not
//! take.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Text that is so long is kept in so many parts.
const PARTS: u64 = 16;
/// Pieces of text are no shorter than that, however little may be kept.
const LEAST_PIECE: usize = 256;

/// Text, of which the beginning may have been read.
#[derive(Debug)]
pub(super) struct Unread {
    /// Where its files are. They have no names, so nothing is left of them whatever happens.
    folder: PathBuf,
    most: u64,
    parts: VecDeque<Part>,
    gap: Option<Gap>,
    /// Newlines at the end of all that was ever added.
    newlines_at_end: u64,
}

#[derive(Debug)]
struct Part {
    file: File,
    /// Where what is not read begins, and where it ends.
    start: u64,
    end: u64,
    /// Newlines between them.
    newlines: u64,
    ends_line: bool,
}

/// Where parts were dropped: behind so many.
#[derive(Debug)]
struct Gap {
    behind: usize,
    dropped: Dropped,
}

/// Text that is nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

impl Unread {
    /// None yet, and never more than `most` bytes.
    pub(super) fn new(folder: &Path, most: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            most,
            parts: VecDeque::new(),
            gap: None,
            newlines_at_end: 0,
        }
    }

    /// Bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.end - part.start).sum()
    }

    /// Newlines in them.
    pub(super) fn newlines(&self) -> u64 {
        self.parts.iter().map(|part| part.newlines).sum()
    }

    /// Newlines at the end of all that was ever added.
    pub(super) fn newlines_at_end(&self) -> u64 {
        self.newlines_at_end
    }

    /// Whether some of it was dropped.
    pub(super) fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// What was dropped before the next byte.
    pub(super) fn take_gap(&mut self) -> Option<Dropped> {
        self.gap.take_if(|gap| gap.behind == 0).map(|gap| gap.dropped)
    }

    /// Adds text. However much it is, it becomes parts of the usual length, so that the beginning of
    /// it stays where there is too much.
    ///
    /// # Errors
    /// The system's; what could not be kept is dropped and counted.
    pub(super) fn add(&mut self, mut text: &str) -> io::Result<()> {
        self.pass(text);
        let most = usize::try_from(self.most / PARTS).unwrap_or(usize::MAX).max(LEAST_PIECE);
        let mut result = Ok(());
        while !text.is_empty() {
            let (piece, rest) = text.split_at(piece_end(text, most));
            let mut left = piece;
            if let Err(error) = self.add_piece(&mut left) {
                self.drop_end(left);
                result = Err(error);
            }
            text = rest;
        }
        result
    }

    /// Takes note of text that is to be kept, or was read already, behind all that was added.
    pub(super) fn pass(&mut self, text: &str) {
        let body = text.trim_end_matches('\n');
        let newlines = (text.len() - body.len()) as u64;
        self.newlines_at_end =
            if body.is_empty() { self.newlines_at_end + newlines } else { newlines };
    }

    /// Adds text, of which on failure what could not be added is left.
    fn add_piece(&mut self, left: &mut &str) -> io::Result<()> {
        let text = *left;
        let is_full = |part: &Part| part.end >= self.most / PARTS;
        // What comes behind a gap is no part of what stands before it.
        let is_behind_gap = self.gap.as_ref().is_some_and(|gap| gap.behind == self.parts.len());
        let rest = match self.parts.back().filter(|_| !is_behind_gap) {
            Some(part) if is_full(part) && part.ends_line => text,
            Some(part) if is_full(part) => {
                // One that is far too long ends inside of a line.
                let end = match text.find('\n') {
                    Some(newline) => newline + 1,
                    None if part.end < 2 * self.most / PARTS => text.len(),
                    None => 0,
                };
                self.add_to_last(&text[..end])?;
                *left = &text[end..];
                *left
            }
            Some(_) => {
                self.add_to_last(text)?;
                ""
            }
            None => text,
        };
        if !rest.is_empty() {
            let file = tempfile::tempfile_in(&self.folder)?;
            self.parts.push_back(Part { file, start: 0, end: 0, newlines: 0, ends_line: false });
            self.add_to_last(rest)?;
        }
        self.drop_middle();
        Ok(())
    }

    fn add_to_last(&mut self, text: &str) -> io::Result<()> {
        if let Some(part) = self.parts.back_mut().filter(|_| !text.is_empty()) {
            part.file.write_all_at(text.as_bytes(), part.end)?;
            part.end += text.len() as u64;
            part.newlines += newlines(text.as_bytes());
            part.ends_line = text.ends_with('\n');
        }
        Ok(())
    }

    /// Drops what comes next, and all that stands between it and what was dropped before.
    fn drop_end(&mut self, text: &str) {
        let behind = self.parts.len();
        let gap = self.gap.get_or_insert(Gap { behind, dropped: Dropped::default() });
        for part in self.parts.drain(gap.behind..) {
            gap.dropped.bytes += part.end - part.start;
            gap.dropped.lines += part.newlines;
        }
        gap.dropped.bytes += text.len() as u64;
        gap.dropped.lines += newlines(text.as_bytes());
    }

    fn drop_middle(&mut self) {
        while self.bytes() > self.most {
            let behind = self.gap.as_ref().map_or_else(|| self.head(), |gap| gap.behind);
            // The last one is being added to.
            if behind + 1 >= self.parts.len() {
                return;
            }
            let Some(part) = self.parts.remove(behind) else {
                return;
            };
            let gap = self.gap.get_or_insert(Gap { behind, dropped: Dropped::default() });
            gap.dropped.bytes += part.end - part.start;
            gap.dropped.lines += part.newlines;
        }
    }

    /// How many parts are the beginning that stays: about half of what there may be.
    fn head(&self) -> usize {
        let mut bytes = 0;
        let is_head = |part: &&Part| {
            bytes += part.end - part.start;
            bytes <= self.most / 2
        };
        self.parts.iter().take_while(is_head).count()
    }

    /// The next bytes, at most so many, up to where some were dropped.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn peek(&self, most: usize) -> io::Result<Vec<u8>> {
        let count = self.gap.as_ref().map_or(self.parts.len(), |gap| gap.behind);
        let mut bytes = Vec::new();
        for part in self.parts.iter().take(count) {
            let room = most - bytes.len();
            let length = usize::try_from(part.end - part.start).unwrap_or(usize::MAX).min(room);
            let old = bytes.len();
            bytes.resize(old + length, 0);
            part.file.read_exact_at(&mut bytes[old..], part.start)?;
        }
        Ok(bytes)
    }

    /// Has these, which were the next ones, be read.
    pub(super) fn consume(&mut self, mut bytes: &[u8]) {
        while let Some(part) = self.parts.front_mut() {
            let left = usize::try_from(part.end - part.start).unwrap_or(usize::MAX);
            let (here, rest) = bytes.split_at(left.min(bytes.len()));
            part.start += here.len() as u64;
            part.newlines -= newlines(here);
            bytes = rest;
            if part.start < part.end {
                return;
            }
            self.parts.pop_front();
            if let Some(gap) = &mut self.gap {
                gap.behind -= 1;
                if gap.behind == 0 {
                    return;
                }
            }
        }
    }
}

/// How much of a text is a piece: up to the last newline within that length, or as much as fits.
fn piece_end(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = text.floor_char_boundary(most);
    text[..end].rfind('\n').map_or(end, |newline| newline + 1)
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(unread: &mut Unread, most: usize) -> String {
        let bytes = unread.peek(most).unwrap();
        unread.consume(&bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_read_in_pieces_is_what_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let mut unread = Unread::new(folder.path(), 64 << 10);
        let (mut whole, mut got) = (String::new(), String::new());
        for number in 0..9000 {
            let line = format!("line {number}\n");
            unread.add(&line).unwrap();
            whole.push_str(&line);
            // A reader that keeps up loses nothing, however much it is.
            got.push_str(&read(&mut unread, 11));
            if number % 3 == 0 {
                got.push_str(&read(&mut unread, 1000));
            }
        }
        assert_eq!(unread.newlines(), newlines(&unread.peek(usize::MAX).unwrap()));
        got.push_str(&read(&mut unread, usize::MAX));
        assert_eq!(got, whole);
        assert_eq!((unread.bytes(), unread.newlines(), unread.has_gap()), (0, 0, false));
    }

    #[test]
    fn the_middle_of_too_much_is_dropped_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut unread = Unread::new(folder.path(), 64 << 10);
        let mut whole = String::new();
        for number in 0..30_000 {
            let line = format!("line {number}\n");
            unread.add(&line).unwrap();
            whole.push_str(&line);
        }
        assert!(unread.bytes() <= 64 << 10);
        let mut head = String::new();
        let dropped = loop {
            match unread.take_gap() {
                Some(dropped) => break dropped,
                None => head.push_str(&read(&mut unread, 1000)),
            }
        };
        let tail = read(&mut unread, usize::MAX);
        assert!(head.len() > 24 << 10 && tail.len() > 24 << 10, "{} {}", head.len(), tail.len());
        assert!(whole.starts_with(&head) && whole.ends_with(&tail));
        let gone = &whole[head.len()..whole.len() - tail.len()];
        assert_eq!(dropped.bytes, gone.len() as u64);
        assert_eq!(dropped.lines, newlines(gone.as_bytes()));
        assert!(head.ends_with('\n') && tail.starts_with("line "));
        assert_eq!((unread.bytes(), unread.newlines(), unread.has_gap()), (0, 0, false));
    }

    #[test]
    fn the_beginning_of_much_at_once_stays() {
        let folder = tempfile::tempdir().unwrap();
        let lines: String = (0..30_000).map(|number| format!("line {number}\n")).collect();
        for whole in [lines, "\u{e9}".repeat(100_001)] {
            for count in [1, 7] {
                let mut unread = Unread::new(folder.path(), 64 << 10);
                let mut rest = &whole[..];
                while !rest.is_empty() {
                    let end = rest.floor_char_boundary(whole.len().div_ceil(count));
                    unread.add(&rest[..end]).unwrap();
                    rest = &rest[end..];
                }
                assert!(unread.bytes() <= 64 << 10);
                assert_eq!(unread.take_gap(), None);
                let head = read(&mut unread, usize::MAX);
                let dropped = unread.take_gap().unwrap();
                let tail = read(&mut unread, usize::MAX);
                assert!(head.len() > 20 << 10 && tail.len() > 20 << 10);
                assert!(whole.starts_with(&head) && whole.ends_with(&tail));
                let gone = &whole[head.len()..whole.len() - tail.len()];
                let lines = newlines(gone.as_bytes());
                assert_eq!(dropped, Dropped { lines, bytes: gone.len() as u64 });
                assert_eq!((unread.bytes(), unread.has_gap()), (0, false));
            }
        }
    }

    #[test]
    fn what_the_disk_does_not_take_is_dropped_where_it_was_and_counted() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("unread");
        let mut unread = Unread::new(&folder, 64 << 10);
        let lines =
            |from: u32| -> String { (from..from + 2000).map(|n| format!("{n}\n")).collect() };
        let mut gaps = Vec::new();
        for is_there in [true, false, true, false, true] {
            if is_there {
                std::fs::create_dir(&folder).unwrap();
            } else {
                std::fs::remove_dir(&folder).unwrap();
            }
            let added = unread.add(&lines(1000));
            assert_eq!(added.is_ok(), is_there);
            gaps.push(unread.has_gap());
        }
        assert_eq!(gaps, [false, true, true, true, true]);
        let (before, behind) = (read(&mut unread, usize::MAX), unread.take_gap().unwrap());
        let after = read(&mut unread, usize::MAX);
        let whole = lines(1000).repeat(5);
        assert!(before.starts_with("1000\n") && whole.starts_with(&before), "{}", before.len());
        assert_eq!(after, lines(1000), "all that came between is dropped");
        let gone = &whole[before.len()..whole.len() - after.len()];
        let lines = newlines(gone.as_bytes());
        assert_eq!(behind, Dropped { lines, bytes: gone.len() as u64 });
        assert_eq!((unread.bytes(), unread.has_gap()), (0, false));
    }

    #[test]
    fn a_line_without_an_end_is_dropped_too() {
        let folder = tempfile::tempdir().unwrap();
        let mut unread = Unread::new(folder.path(), 64 << 10);
        for _ in 0..1000 {
            unread.add(&"x".repeat(1000)).unwrap();
        }
        assert!(unread.bytes() <= 64 << 10 && unread.has_gap());
        assert_eq!(unread.newlines_at_end(), 0);
    }
}
