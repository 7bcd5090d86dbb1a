//! How a JSON text is written: laid out as `JSON.stringify` does, and strictly JSON.

use crate::artifact::json;

/// How a text stands to what strict programs write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// As they would lay it out.
    Same,
    /// Laid out otherwise from this line on, counted from 1; or no JSON at all.
    Other(usize),
    /// It has a word on this line that strict readers refuse, such as `NaN`.
    OddWord(usize),
}

/// Looks at a text.
pub(super) fn layout(text: &str) -> Layout {
    let outline = Outline::of(text);
    if let Some(at) = outline.odd_word {
        let before = text.as_bytes().get(..at).unwrap_or(&[]);
        return Layout::OddWord(memchr::memchr_iter(b'\n', before).count() + 1);
    }
    // A few bytes that are nested deeply would become very many, so they are not laid out to see
    // that they are not.
    if outline.blanks > text.len() {
        return Layout::Other(1);
    }
    let mut laid_out = String::new();
    let is_json = json::reformat(text, 0, &mut laid_out).is_ok();
    if is_json && text.strip_suffix('\n').unwrap_or(text) == laid_out {
        return Layout::Same;
    }
    let lines = text.lines().zip(laid_out.lines());
    Layout::Other(lines.take_while(|(a, b)| a == b).count() + 1)
}

/// What stands outside of strings.
#[derive(Debug, Default)]
struct Outline {
    /// Newlines and blanks that laying the text out makes at least.
    blanks: usize,
    /// Where the first word is that only lenient readers take.
    odd_word: Option<usize>,
}

impl Outline {
    fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
        for (at, byte) in text.bytes().enumerate() {
            if in_string {
                in_string = is_escaped || byte != b'"';
                is_escaped = !is_escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'"' => in_string = true,
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                // Empty lists make none, so only what stands between two values is counted.
                b',' => outline.blanks = outline.blanks.saturating_add(1 + 2 * depth),
                b'N' | b'I' => {
                    outline.odd_word.get_or_insert(at);
                }
                _ => {}
            }
        }
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        for (text, want) in [
            (
                "{\n  \"a\": [\n    1,\n    \"N,\\\"I\"\n  ],\n  \"b\": {},\n  \"c\": []\n}",
                Layout::Same,
            ),
            ("{\n  \"a\": 1\n}\n", Layout::Same),
            ("{\n  \"a\":1\n}", Layout::Other(2)),
            ("{\"a\": 1}", Layout::Other(1)),
            ("{\n  \"a\": 1", Layout::Other(3)),
            ("{\n\"a\": -Infinity}", Layout::OddWord(2)),
            ("[\"NaN\",\nNaN]", Layout::OddWord(2)),
        ] {
            assert_eq!(layout(text), want, "{text:?}");
        }
    }

    #[test]
    fn what_would_become_very_long_is_not_laid_out() {
        let text = format!("{}{}1{}", "[".repeat(900), "1,".repeat(10_000_000), "]".repeat(900));
        assert_eq!(layout(&text), Layout::Other(1));
    }
}
