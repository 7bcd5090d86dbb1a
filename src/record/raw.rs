//! Bytes as a program wrote them.

use super::byte_reader::Input;
use super::opening::{DEFAULT_SIZE, Opening, SizeChoice};
use super::resize_file::ResizeFile;
use super::sink::Sink;
use super::{ImportError, InputFault};

/// Raw bytes and where the size changes in them.
pub(super) struct Raw {
    opening: Opening,
    resizes: Option<ResizeFile>,
}

impl Raw {
    /// The size at the start is the one that the user named, else that of offset 0.
    pub(super) fn open(resizes: Option<ResizeFile>, choice: SizeChoice) -> Self {
        let first = resizes.as_ref().and_then(ResizeFile::peek);
        let recorded =
            first.filter(|resize| resize.offset == 0).map_or(DEFAULT_SIZE, |resize| resize.size);
        Self { opening: Opening::of(choice.or(recorded)), resizes }
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Plays all bytes. Changes of size behind the last byte happen as well.
    pub(super) fn play(
        mut self,
        mut input: Input,
        sink: &mut impl Sink,
    ) -> Result<(), ImportError> {
        let mut offset: u64 = 0;
        loop {
            let bytes = match input.reader.fill() {
                Ok(bytes) => bytes,
                Err(error) => return Err(InputFault::Read(error).of(&input.name)),
            };
            let is_end = bytes.is_empty();
            let room = self.resize_at(offset, is_end, sink)?;
            if is_end {
                return Ok(());
            }
            let count = usize::try_from(room).map_or(bytes.len(), |room| room.min(bytes.len()));
            sink.output(&bytes[..count])?;
            input.reader.consume(count);
            offset += u64::try_from(count).unwrap_or(0);
        }
    }

    /// Makes the changes due at an offset, at the end all that are left; how many bytes come
    /// before the next one.
    fn resize_at(
        &mut self,
        offset: u64,
        is_end: bool,
        sink: &mut impl Sink,
    ) -> Result<u64, ImportError> {
        let Some(resizes) = &mut self.resizes else {
            return Ok(u64::MAX);
        };
        while let Some(resize) = resizes.peek() {
            if resize.offset > offset && !is_end {
                return Ok(resize.offset - offset);
            }
            sink.resize(resize.size);
            resizes.advance()?;
        }
        Ok(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::super::byte_reader::ByteReader;
    use super::super::sink::log::Log;
    use super::*;

    fn played(bytes: &str, resizes: &str, choice: &str) -> Result<Vec<String>, String> {
        let reader = ByteReader::of(resizes);
        let file = ResizeFile::open("f.meta".to_owned(), reader).map_err(|e| e.to_string())?;
        let raw = Raw::open(Some(file), choice.parse().unwrap_or_default());
        let mut log = Log::default();
        let size = raw.opening().size;
        log.parts.push(format!("{}x{}", size.cols, size.rows));
        let input = Input { name: "f.raw".to_owned(), reader: ByteReader::of(bytes) };
        raw.play(input, &mut log).map_err(|e| e.to_string())?;
        Ok(log.finish())
    }

    #[test]
    fn a_resize_comes_before_the_byte_at_its_offset() {
        assert_eq!(
            played("abcdef", "0 10 5\n2 20 5\n2 20 6\n\n6 9 9\n77 8 8", "").unwrap(),
            ["10x5", "r 10x5", "o ab", "r 20x5", "r 20x6", "o cdef", "r 9x9", "r 8x8"]
        );
        assert_eq!(played("ab", "1 5 5\n", "x7").unwrap(), ["80x7", "o a", "r 5x5", "o b"]);
        assert_eq!(played("ab", "", "").unwrap(), ["80x24", "o ab"]);
    }

    #[test]
    fn bad_lines_are_named() {
        for resizes in ["x", "0 10", "0 10 5 1", "0 0 5", "+0 1 1", "0 1 70000", "-1 1 1"] {
            let text = format!("0 1 1\n{resizes}\n");
            let error = played("ab", &text, "").unwrap_err();
            assert!(error.starts_with("f.meta: line 2: expected OFFSET"), "{error}");
        }
        assert!(played("ab", "1 5 5\n0 5 5\n", "").is_err());
    }
}
