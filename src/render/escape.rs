//! Characters that mean something to a page.

/// Appends text to HTML or SVG. Controls, and what XML has no place for, become U+FFFD.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_page() {
        let mut out = String::new();
        push_escaped(&mut out, "<b a=\"'\">&amp;\n\t\u{1b}[m\r\0\u{9b}\u{ffff}桃🍏");
        assert_eq!(
            out,
            "&lt;b a=&quot;'&quot;&gt;&amp;amp;\n\t\u{fffd}[m\u{fffd}\u{fffd}\u{fffd}\u{fffd}桃🍏"
        );
    }
}
