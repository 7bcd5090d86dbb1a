//! Logical lines out of rows.

use crate::screen::RowRef;

/// Joins rows to lines: a wrapped row goes on where the one before it ended, blanks at the end of a
/// line go, and so do empty lines at the end.
#[derive(Debug, Default)]
pub(super) struct LineBuilder {
    text: String,
    has_rows: bool,
    /// Where the last line ends without the blanks at its end.
    line_end: usize,
    /// Code points of the last line, and of it up to its last character that is no blank.
    line_chars: usize,
    filled_line_chars: usize,
    /// Code points of the filled lines before the last one, a newline for each.
    filled_chars: usize,
}

impl LineBuilder {
    /// Adds a row; its wrap flag counts unless it is the first.
    pub(super) fn push(&mut self, row: RowRef<'_>) {
        if self.has_rows && !row.is_wrapped() {
            self.end_line();
            self.text.push('\n');
            self.line_end = self.text.len();
        }
        self.has_rows = true;
        let start = self.text.len();
        row.push_text(&mut self.text);
        let added = self.text.get(start..).unwrap_or("");
        let filled = added.trim_end_matches(' ');
        if !filled.is_empty() {
            self.line_end = start + filled.len();
            self.filled_line_chars = self.line_chars + filled.chars().count();
        }
        self.line_chars += added.chars().count();
    }

    fn end_line(&mut self) {
        self.text.truncate(self.line_end);
        if self.filled_line_chars > 0 {
            self.filled_chars += self.filled_line_chars + 1;
        }
        (self.line_chars, self.filled_line_chars) = (0, 0);
    }

    /// Code points that the squeezed text has at least, whatever rows follow, blanks and newlines
    /// at its end left out.
    pub(super) fn settled_chars(&self) -> usize {
        match self.filled_line_chars {
            0 => self.filled_chars.saturating_sub(1),
            chars => self.filled_chars + chars,
        }
    }

    /// The text so far; blanks and newlines at its end may not be final.
    pub(super) fn so_far(&self) -> &str {
        &self.text
    }

    /// The text.
    pub(super) fn finish(mut self) -> String {
        self.end_line();
        let end = self.text.trim_end_matches('\n').len();
        self.text.truncate(end);
        self.text
    }
}
