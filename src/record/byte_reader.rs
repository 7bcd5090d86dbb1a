//! Reading a file of any size through a small buffer.

use std::fs::File;
use std::io::{self, Read, Seek};

/// Bytes taken from the system at once.
const CHUNK: usize = 64 * 1024;

/// Called with the number of bytes read so far.
type Watch = Box<dyn FnMut(u64)>;

/// A recording to be read.
pub struct Input {
    /// How messages name it.
    pub name: String,
    /// Its bytes.
    pub reader: ByteReader,
}

/// A reader that can look ahead.
pub struct ByteReader {
    source: Source,
    buffer: Vec<u8>,
    at: usize,
    total: u64,
    /// Whether the source said that it has no more. It is not asked again: a file that others
    /// append to would have more in the middle of what its reader takes for the end.
    is_at_end: bool,
    watch: Option<Watch>,
}

enum Source {
    /// Can go back to its start.
    File(File),
    Stream(Box<dyn Read>),
}

impl ByteReader {
    /// Reads a file. One that is no regular file is read once, like a stream.
    pub fn file(file: File) -> Self {
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_regular { Self::new(Source::File(file)) } else { Self::stream(Box::new(file)) }
    }

    /// Reads a stream.
    pub fn stream(stream: Box<dyn Read>) -> Self {
        Self::new(Source::Stream(stream))
    }

    fn new(source: Source) -> Self {
        Self { source, buffer: Vec::new(), at: 0, total: 0, is_at_end: false, watch: None }
    }

    /// Calls `watch` with the number of bytes read so far, now and then.
    #[must_use]
    pub fn watched(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// What is buffered: empty only at the end.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            self.read_more()?;
        }
        Ok(&self.buffer[self.at..])
    }

    /// What comes next, `most` bytes of it if there are so many.
    pub(super) fn head(&mut self, most: usize) -> io::Result<&[u8]> {
        if self.buffer.len() - self.at < most {
            self.buffer.drain(..self.at);
            self.at = 0;
            while self.buffer.len() < most && self.read_more()? {}
        }
        let end = (self.at + most).min(self.buffer.len());
        Ok(&self.buffer[self.at..end])
    }

    /// Steps over bytes that [`Self::fill`] or [`Self::head`] showed.
    pub(super) fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.buffer.len());
    }

    /// The next byte, without stepping over it.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if let Some(&byte) = self.buffer.get(self.at) {
            return Ok(Some(byte));
        }
        Ok(self.fill()?.first().copied())
    }

    /// Reads once; whether there was anything.
    fn read_more(&mut self) -> io::Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        let start = self.buffer.len();
        self.buffer.resize(start + CHUNK, 0);
        let room = &mut self.buffer[start..];
        let result = loop {
            let result = match &mut self.source {
                Source::File(file) => file.read(room),
                Source::Stream(stream) => stream.read(room),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        let count = *result.as_ref().unwrap_or(&0);
        self.buffer.truncate(start + count);
        self.total += u64::try_from(count).unwrap_or(0);
        if let Some(watch) = &mut self.watch {
            watch(self.total);
        }
        self.is_at_end = matches!(result, Ok(0));
        result.map(|count| count > 0)
    }

    /// Goes back to the start of what is left. What can be read only once is copied into a
    /// temporary file for that; call it before anything was stepped over.
    pub(super) fn make_rewindable(&mut self) -> io::Result<()> {
        if let Source::File(_) = self.source {
            return Ok(());
        }
        let mut copy = tempfile::tempfile()?;
        loop {
            let bytes = self.fill()?;
            if bytes.is_empty() {
                break;
            }
            io::Write::write_all(&mut copy, bytes)?;
            let count = bytes.len();
            self.consume(count);
        }
        self.source = Source::File(copy);
        self.rewind()
    }

    /// Goes back to the start of a file.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        self.buffer.clear();
        self.at = 0;
        self.total = 0;
        self.is_at_end = false;
        match &mut self.source {
            Source::File(file) => file.rewind(),
            Source::Stream(_) => Err(io::Error::from(io::ErrorKind::NotSeekable)),
        }
    }
}

#[cfg(test)]
impl ByteReader {
    /// Reads these bytes.
    pub(super) fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::stream(Box::new(io::Cursor::new(bytes.as_ref().to_vec())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_ahead_takes_nothing() {
        let data: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        let mut reader = ByteReader::of(&data);
        assert_eq!(reader.head(100_000).unwrap(), &data[..100_000]);
        reader.consume(70_000);
        assert_eq!(reader.head(10).unwrap(), &data[70_000..70_010]);
        let mut rest = Vec::new();
        while !reader.fill().unwrap().is_empty() {
            let bytes = reader.fill().unwrap().to_vec();
            reader.consume(bytes.len());
            rest.extend(bytes);
        }
        assert_eq!(rest, &data[70_000..]);
        assert_eq!(reader.peek().unwrap(), None);
    }

    #[test]
    fn the_end_stays_the_end_while_others_append() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, b"a\n").unwrap();
        let mut reader = ByteReader::file(file.reopen().unwrap());
        let count = reader.head(9).unwrap().len();
        reader.consume(count);
        assert_eq!(reader.peek().unwrap(), None);
        io::Write::write_all(&mut file, b"b\n").unwrap();
        assert_eq!(reader.peek().unwrap(), None);
        assert_eq!(reader.head(9).unwrap(), b"");
        reader.rewind().unwrap();
        assert_eq!(reader.head(9).unwrap(), b"a\nb\n");
    }

    #[test]
    fn a_stream_can_be_made_rewindable() {
        let mut reader = ByteReader::of("twice");
        reader.head(2).unwrap();
        reader.make_rewindable().unwrap();
        for _ in 0..2 {
            assert_eq!(reader.head(9).unwrap(), b"twice");
            reader.consume(5);
            assert_eq!(reader.peek().unwrap(), None);
            reader.rewind().unwrap();
        }
    }
}
