//! Whole numbers as Python reads them, for arguments that the Python helpers also take.

/// The value of a run of decimal digits of any script; a value too large saturates.
///
/// None where the text is empty or holds anything else.
pub fn parse_decimal(text: &str) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    text.chars()
        .try_fold(0usize, |value, c| Some(value.saturating_mul(10).saturating_add(digit(c)?)))
}

fn digit(c: char) -> Option<usize> {
    if let Some(value) = c.to_digit(10) {
        return Some(value as usize);
    }
    let code = u32::from(c);
    let zero = ZEROS.iter().rev().find(|zero| **zero <= code)?;
    let value = code - zero;
    (value < 10).then_some(value as usize)
}

/// The digit zero of each script in Unicode 14.0 (general category Nd), as Python 3.11 has it;
/// each stands first of ten digits in order.
const ZEROS: [u32; 65] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_count() {
        for (text, want) in [
            ("0", Some(0)),
            ("042", Some(42)),
            ("٣", Some(3)),
            ("１２", Some(12)),
            ("𝟙𝟘", Some(10)),
            ("", None),
            ("²", None),
            ("-1", None),
            ("1_0", None),
            ("Ⅷ", None),
            ("99999999999999999999999", Some(usize::MAX)),
        ] {
            assert_eq!(parse_decimal(text), want, "{text}");
        }
    }
}
