//! Small rules about text that several modules share. Uses nothing else of the crate.

use std::borrow::Cow;

mod decimal;
mod sanitize;

pub use decimal::parse_decimal;
pub use sanitize::{Controls, sanitize, sanitize_line};

/// Sorts `names` so that those most like `wanted` stand first; beyond 100 characters all are alike.
pub fn sort_by_likeness<T>(names: &mut [T], wanted: &str, name: impl Fn(&T) -> &str) {
    let distance = |item: &T| 1.0 - strsim::jaro_winkler(prefix(name(item), 100), wanted);
    // The distance lies between 0 and 1; a thousandth tells names apart well enough.
    names.sort_by_cached_key(|item| (distance(item) * 1000.0) as u32);
}

/// `text` without the blanks at both ends that Python's `str.strip` takes off: Unicode white space
/// and U+001C to U+001F.
pub fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
}

/// `text` without leading newlines, and with runs of three or more newlines cut to two.
pub fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\n');
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\n\n\n") {
        let (kept, after) = rest.split_at(at + 2);
        out.push_str(kept);
        rest = after.trim_start_matches('\n');
    }
    out.push_str(rest);
    out
}

/// The first `count` code points of `text`.
pub fn prefix(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

/// The first `count` code points of `text`, with a `…` where that is not all of it.
pub fn clipped(text: &str, count: usize) -> Cow<'_, str> {
    let start = prefix(text, count);
    if start.len() < text.len() { format!("{start}…").into() } else { text.into() }
}

/// What the system says of an error, without the number that Rust adds and the path of a temporary
/// file that is gone.
pub fn system_error(error: &std::io::Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.find(" (os error ").unwrap_or(text.len()));
    text
}

/// Bytes as two hexadecimal digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `word`, in single quotes where a shell would read it otherwise.
pub fn shell_quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_odd_words_are_quoted() {
        for (word, want) in [
            ("block-1@2+3:", "block-1@2+3:"),
            ("grove 🌳", "'grove 🌳'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("~/x", "'~/x'"),
        ] {
            assert_eq!(shell_quoted(word), want);
        }
    }

    #[test]
    fn strip_takes_the_separators_that_python_calls_space() {
        assert_eq!(strip("\u{1c}\u{a0} a \u{2028}\n"), "a");
        assert_eq!(strip("\u{1b}a\u{200b}"), "\u{1b}a\u{200b}");
    }

    #[test]
    fn squeeze_keeps_one_blank_line() {
        for (given, want) in [
            ("", ""),
            ("\n\n", ""),
            ("\n\na\nb", "a\nb"),
            ("a\n\nb", "a\n\nb"),
            ("a\n\n\nb\n\n\n\n\nc\n\n\n", "a\n\nb\n\nc\n\n"),
        ] {
            assert_eq!(squeeze(given), want, "{given:?}");
        }
    }

    #[test]
    fn prefix_counts_code_points() {
        assert_eq!(prefix("äpple🍏", 6), "äpple🍏");
        assert_eq!(prefix("äpple🍏", 1), "ä");
        assert_eq!(prefix("äpple🍏", 0), "");
    }
}
