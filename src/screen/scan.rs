//! Finding the end of plain text, sixteen bytes at a time: most of it is not longer.

const ONES: u128 = u128::MAX / 0xff;
const HIGH: u128 = ONES << 7;

/// How many bytes at the front are printable ASCII: space to tilde.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    let (words, rest) = bytes.as_chunks::<16>();
    for word in words {
        let word = u128::from_le_bytes(*word);
        // The high bit of each byte that is below the space, above ASCII, or DEL. A carry can only
        // reach bytes after the first such byte.
        let odd = (word.wrapping_sub(ONES * 0x20) | word | word.wrapping_add(ONES)) & HIGH;
        if odd != 0 {
            return len + odd.trailing_zeros() as usize / 8;
        }
        len += 16;
    }
    len + rest.iter().take_while(|byte| matches!(byte, b' '..=b'~')).count()
}

#[cfg(test)]
mod tests {
    use super::plain_len;

    #[test]
    fn stops_at_each_odd_byte() {
        for odd in (0..=0xff).filter(|byte| !matches!(byte, b' '..=b'~')) {
            for at in 0..40 {
                for after in [b'a', 0x1f, 0x7f, 0xff, 0x80, 0] {
                    let mut text = [b'~'; 48];
                    text[at] = odd;
                    text[at + 1..].fill(after);
                    assert_eq!(plain_len(&text), at, "{odd:x} {after:x}");
                }
            }
        }
        for len in 0..40 {
            assert_eq!(plain_len(&[b' '; 40][..len]), len);
        }
    }
}
