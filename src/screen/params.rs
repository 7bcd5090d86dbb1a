//! Numbers of a control sequence.

/// Most parameters that are kept, and most sub-parameters; further ones are ignored.
const MOST: usize = 32;
/// Largest value; larger ones become this.
const LARGEST: u32 = 0x7fff_ffff;

/// A value that was left out after a colon.
const OMITTED: u32 = u32::MAX;

/// The parameters of one control sequence. One that is left out is 0.
#[derive(Clone, Debug)]
pub(super) struct Params {
    values: [u32; MOST],
    len: usize,
    /// Of each parameter, how many sub-parameters there are up to and with its own.
    ends: [u8; MOST],
    subs: [u32; MOST],
    sub_len: usize,
    /// Digits go to a parameter that did not fit.
    full: bool,
    sub_full: bool,
    in_sub: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            values: [0; MOST],
            len: 1,
            ends: [0; MOST],
            subs: [0; MOST],
            sub_len: 0,
            full: false,
            sub_full: false,
            in_sub: false,
        }
    }
}

impl Params {
    /// Back to one omitted parameter.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.values[0] = 0;
        self.ends[0] = 0;
        self.len = 1;
        self.sub_len = 0;
        self.full = false;
        self.sub_full = false;
        self.in_sub = false;
    }

    /// Sets the last number.
    #[inline]
    pub(super) fn set_last(&mut self, value: u32) {
        if !self.full {
            self.values[self.len - 1] = value;
        }
    }

    /// Starts the next parameter: a semicolon.
    #[inline]
    pub(super) fn next(&mut self) {
        self.in_sub = false;
        if self.len == MOST {
            self.full = true;
            return;
        }
        self.values[self.len] = 0;
        self.ends[self.len] = self.sub_len as u8;
        self.len += 1;
    }

    /// Starts the next sub-parameter: a colon.
    pub(super) fn next_sub(&mut self) {
        self.in_sub = true;
        if self.full || self.sub_len == MOST {
            self.sub_full = true;
            return;
        }
        self.subs[self.sub_len] = OMITTED;
        self.sub_len += 1;
        self.ends[self.len - 1] = self.sub_len as u8;
    }

    /// Adds a digit to the last number.
    pub(super) fn digit(&mut self, digit: u8) {
        let digit = u32::from(digit);
        let value = if self.full || (self.in_sub && self.sub_full) {
            return;
        } else if self.in_sub {
            match self.sub_len.checked_sub(1) {
                Some(last) => &mut self.subs[last],
                None => return,
            }
        } else {
            &mut self.values[self.len - 1]
        };
        let old = if *value == OMITTED { 0 } else { *value };
        *value = old.saturating_mul(10).saturating_add(digit).min(LARGEST);
    }

    /// What the numbers end with if digits go to one that is not kept.
    pub(super) const fn surplus(&self) -> &'static str {
        match (self.full, self.in_sub && self.sub_full) {
            (true, true) => ";:",
            (true, false) => ";",
            (false, true) => ":",
            (false, false) => "",
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The value at `index`; 0 where there is none.
    #[inline]
    pub(super) fn get(&self, index: usize) -> u32 {
        if index < self.len { self.values[index] } else { 0 }
    }

    /// The value at `index` as a count: at least 1.
    pub(super) fn count(&self, index: usize) -> usize {
        self.get(index).max(1) as usize
    }

    /// Sub-parameters of the parameter at `index`; `None` for one that was left out.
    #[inline]
    pub(super) fn subs(&self, index: usize) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        let end = self.ends.get(index).map_or(0, |&end| usize::from(end));
        let start = match index.checked_sub(1) {
            Some(before) => self.ends.get(before).map_or(0, |&end| usize::from(end)),
            None => 0,
        };
        let range = if index < self.len { start..end } else { 0..0 };
        self.subs[range].iter().map(|&value| (value != OMITTED).then_some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(text: &str) -> Params {
        let mut params = Params::default();
        for byte in text.bytes() {
            match byte {
                b';' => params.next(),
                b':' => params.next_sub(),
                _ => params.digit(byte - b'0'),
            }
        }
        params
    }

    #[test]
    fn values_and_subs() {
        let params = params("1;;38:2::9:8;99999999999");
        assert_eq!(params.len(), 4);
        assert_eq!((0..5).map(|i| params.get(i)).collect::<Vec<_>>(), [1, 0, 38, LARGEST, 0]);
        assert_eq!(params.subs(2).collect::<Vec<_>>(), [Some(2), None, Some(9), Some(8)]);
        assert_eq!(params.subs(0).len() + params.subs(3).len() + params.subs(9).len(), 0);
    }

    #[test]
    fn too_many_are_ignored() {
        let many = params(&"7;".repeat(1000));
        assert_eq!((many.len(), many.get(31), many.get(32)), (32, 7, 0));
        let many = params(&"1:2:3;".repeat(100));
        assert_eq!((0..40).map(|i| many.subs(i).len()).sum::<usize>(), 32);
    }
}
