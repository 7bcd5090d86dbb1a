//! Untrusted text without live controls.

use std::borrow::Cow;
use std::fmt::Write;

/// What becomes of control characters on the way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controls {
    /// Newline and tab act, CR LF is a newline, all others are shown as `\xNN`.
    Shown,
    /// The bytes go out as they are.
    Live,
}

/// `text` with its control characters shown, unless they are to be live.
pub fn sanitize(text: &str, controls: Controls) -> Cow<'_, str> {
    match controls {
        Controls::Live => Cow::Borrowed(text),
        Controls::Shown => replace(text, |c| matches!(c, '\n' | '\t')),
    }
}

/// The same for text that must stay on one line.
pub fn sanitize_line(text: &str) -> Cow<'_, str> {
    replace(text, |_| false)
}

fn replace(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    let is_bad = |c: char| c.is_control() && !keep(c);
    let Some(first) = text.find(is_bad) else {
        return Cow::Borrowed(text);
    };
    let (head, tail) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(head);
    let mut chars = tail.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_line = c == '\r' && keep('\n') && chars.peek() == Some(&'\n');
        if ends_line {
            continue;
        }
        if is_bad(c) {
            // Writing to a String cannot fail.
            write!(out, "\\x{:02x}", u32::from(c)).unwrap_or_default();
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown() {
        for (text, want) in [
            ("plain ä 🍏\n\tx", "plain ä 🍏\n\tx"),
            ("a\u{1b}[31mb\u{7f}\u{9b}c\0", "a\\x1b[31mb\\x7f\\x9bc\\x00"),
            ("a\r\nb\rc", "a\nb\\x0dc"),
        ] {
            assert_eq!(sanitize(text, Controls::Shown), want);
            assert_eq!(sanitize(text, Controls::Live), text);
        }
        assert_eq!(sanitize_line("a\r\n\tb"), "a\\x0d\\x0a\\x09b");
    }
}
