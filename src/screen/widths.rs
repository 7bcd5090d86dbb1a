//! How many columns a character takes: the tables of Unicode 6, as xterm.js has them by default.

use super::width_table::WIDTHS;

/// 0, 1 or 2 columns.
pub(crate) fn width(c: char) -> u8 {
    let code = u32::from(c);
    if code < 0x300 {
        return u8::from(!matches!(code, 0..0x20 | 0x7f..0xa0));
    }
    let at = WIDTHS.partition_point(|&(_, last, _)| last < code);
    match WIDTHS.get(at) {
        Some(&(first, _, width)) if first <= code => width,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn widths_are_those_of_unicode_6() {
        let cases = [
            ('\0', 0),
            ('a', 1),
            ('\u{7f}', 0),
            ('\u{a0}', 1),
            ('\u{ad}', 1),
            ('\u{300}', 0),
            ('\u{36f}', 0),
            ('\u{370}', 1),
            ('\u{200b}', 0),
            ('漢', 2),
            ('⭐', 1),
            ('😀', 1),
            ('\u{fe0f}', 0),
            ('\u{1160}', 0),
            ('한', 2),
            ('\u{2f800}', 2),
            ('\u{10ffff}', 1),
        ];
        for (c, want) in cases {
            assert_eq!(width(c), want, "{c:?}");
        }
    }
}
