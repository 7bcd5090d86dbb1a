//! What was shown before, and what is on the screen.

use serde::{Deserialize, Serialize};

use super::{SizeNow, is_zero};

/// Lines of the history.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lines {
    /// The lines.
    pub text: String,
    /// Lines that there are.
    pub total_lines: u64,
    /// The newest of them, counted back from the newest of all as 0.
    pub line_begin: u64,
    /// Behind the oldest of them, counted in the same way.
    pub line_end: u64,
    /// The first of them, counted from the first one ever as 1; 0 where there are none.
    pub first_line: u64,
    /// The last of them; 0 where there are none.
    pub last_line: u64,
    /// Whether lines of the wanted ones are not here: they are in blocks.
    pub truncated: bool,
    /// Lines at the beginning that are in blocks only.
    pub lines_in_blocks: u64,
    /// Lines before these that were wanted, and left out because the text would be too long.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines_left_out: u64,
    /// Characters at the beginning of the first line that were left out for the same reason.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chars_left_out: u64,
}

/// The screen.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenNow {
    /// Its rows.
    pub text: String,
    /// The size.
    pub size: SizeNow,
    /// The cursor's row, from 0.
    pub cursor_row: usize,
    /// The cursor's column, from 0.
    pub cursor_col: usize,
    /// The title.
    pub title: String,
    /// Whether it is that of a full-screen program.
    pub alternate_screen: bool,
    /// A hash of the text.
    pub hash: String,
}
