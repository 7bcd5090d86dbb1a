//! Text of a JSON string token.

use std::borrow::Cow;

/// The text of a checked string token, quotes included; a lone surrogate becomes U+FFFD.
pub fn decode(token: &str) -> Cow<'_, str> {
    let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    let Some(first) = memchr::memchr(b'\\', inner.as_bytes()) else {
        return Cow::Borrowed(inner);
    };
    let (head, mut rest) = inner.split_at(first);
    let mut out = String::with_capacity(inner.len());
    out.push_str(head);
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        let (c, length) = decode_escape(escape);
        out.push(c);
        rest = escape.get(length..).unwrap_or("");
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The text of a checked value, where it is a string.
pub fn of_value(value: &str) -> Option<Cow<'_, str>> {
    value.starts_with('"').then(|| decode(value))
}

fn decode_escape(escape: &str) -> (char, usize) {
    match escape.as_bytes().get(1) {
        Some(b'b') => ('\x08', 2),
        Some(b'f') => ('\x0c', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => decode_unicode(escape),
        Some(&byte) => (char::from(byte), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

fn decode_unicode(escape: &str) -> (char, usize) {
    let Some(high) = code_unit(escape) else {
        return (char::REPLACEMENT_CHARACTER, 2);
    };
    let low = escape.get(6..).and_then(code_unit);
    let pair = low.and_then(|low| char::decode_utf16([high, low]).next()?.ok());
    match (char::from_u32(u32::from(high)), pair) {
        (Some(c), _) => (c, 6),
        (None, Some(c)) => (c, 12),
        (None, None) => (char::REPLACEMENT_CHARACTER, 6),
    }
}

fn code_unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_surrogates() {
        for (token, want) in [
            (r#""""#, ""),
            (r#""plain ä""#, "plain ä"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\x08\x0c\n\r\t"),
            (r#""a\u0000b\u00E4""#, "a\0bä"),
            (r#""\ud83c\udf4e!""#, "🍎!"),
            (r#""half \ud83c""#, "half \u{fffd}"),
            (r#""\udc00\ud83c\u0041""#, "\u{fffd}\u{fffd}A"),
            (r#""\ud83c\ud83c\udf4e""#, "\u{fffd}🍎"),
            (r#""\ud83c🍎""#, "\u{fffd}🍎"),
        ] {
            assert_eq!(decode(token), want, "{token}");
        }
    }
}
