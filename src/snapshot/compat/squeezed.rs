//! Text that grows without leading line breaks, with at most two in a row, and up to a size.

/// What is reserved ahead, at most; a small preview of a large file needs little.
const LARGEST_START: usize = 64 << 20;

/// Collects pieces of text, and decides which line breaks stay.
pub(super) struct Squeezed {
    text: String,
    /// How many more code points fit.
    room: usize,
    /// Line breaks at the end of the text, counted to two. At its start no more fit, as if two
    /// stood there already.
    breaks: u8,
}

impl Squeezed {
    /// An empty text of at most `room` code points, made from `source_bytes` bytes.
    pub(super) fn new(room: usize, source_bytes: usize) -> Self {
        let start = source_bytes.min(room.saturating_mul(4)).min(LARGEST_START);
        Self { text: String::with_capacity(start), room, breaks: 2 }
    }

    /// How many more code points fit.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Adds as much of a piece without line breaks as fits.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.breaks = 0;
        // Checking first is several times faster than the lossy reading, which looks at each byte.
        match str::from_utf8(bytes) {
            Ok(piece) => self.push_str(piece),
            Err(_) => self.push_str(&String::from_utf8_lossy(bytes)),
        }
    }

    fn push_str(&mut self, piece: &str) {
        // A room this large is never filled, and counting would only take time.
        let count = if self.room == usize::MAX { 0 } else { piece.chars().count() };
        if count <= self.room {
            self.text.push_str(piece);
            self.room -= count;
        } else {
            self.text.extend(piece.chars().take(self.room));
            self.room = 0;
        }
    }

    /// Adds a line break if it is one that stays.
    pub(super) fn line_break(&mut self) {
        if self.breaks < 2 {
            self.breaks += 1;
            self.push_str("\n");
        }
    }

    /// The text collected.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}
