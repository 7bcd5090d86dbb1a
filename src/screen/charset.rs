//! Character sets of ISO 2022, as far as terminals still use them.

/// A set that a 7-bit character is looked up in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Charset {
    #[default]
    Ascii,
    /// DEC special graphics: line drawing.
    Graphics,
    British,
    Dutch,
    Finnish,
    French,
    FrenchCanadian,
    German,
    Italian,
    Norwegian,
    Spanish,
    Swedish,
    Swiss,
}

impl Charset {
    /// The set a designation ends with; unknown ones change nothing.
    pub(super) fn designated(last: u8) -> Option<Self> {
        Some(match last {
            b'0' => Self::Graphics,
            b'A' => Self::British,
            b'B' => Self::Ascii,
            b'4' => Self::Dutch,
            b'C' | b'5' => Self::Finnish,
            b'R' => Self::French,
            b'Q' => Self::FrenchCanadian,
            b'K' => Self::German,
            b'Y' => Self::Italian,
            b'E' | b'6' => Self::Norwegian,
            b'Z' => Self::Spanish,
            b'H' | b'7' => Self::Swedish,
            b'=' => Self::Swiss,
            _ => return None,
        })
    }

    /// The characters that differ from ASCII, and what stands in their place.
    const fn replaced(self) -> (&'static str, &'static str) {
        match self {
            Self::Ascii => ("", ""),
            Self::Graphics => {
                ("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
            }
            Self::Dutch => ("#@[\\]{|}~", "£¾i½|¨f¼´"),
            Self::Swiss => ("#@[\\]^_`{|}~", "ùàéçêîèôäöüû"),
            Self::British => ("#", "£"),
            Self::Finnish => ("[\\]^`{|}~", "ÄÖÅÜéäöåü"),
            Self::Norwegian => ("@[\\]^`{|}~", "ÄÆØÅÜäæøåü"),
            Self::Swedish => ("@[\\]^`{|}~", "ÉÄÖÅÜéäöåü"),
            Self::German => ("@[\\]{|}~", "§ÄÖÜäöüß"),
            Self::FrenchCanadian => ("@[\\]^`{|}~", "àâçêîôéùèû"),
            Self::French => ("#@[\\]{|}~", "£à°ç§éùè¨"),
            Self::Italian => ("#@[\\]`{|}~", "£§°çéùàòèì"),
            Self::Spanish => ("#@[\\]{|}", "£§¡Ñ¿°ñç"),
        }
    }

    /// What its designation ends with.
    const fn letter(self) -> char {
        match self {
            Self::Ascii => 'B',
            Self::Graphics => '0',
            Self::British => 'A',
            Self::Dutch => '4',
            Self::Finnish => 'C',
            Self::French => 'R',
            Self::FrenchCanadian => 'Q',
            Self::German => 'K',
            Self::Italian => 'Y',
            Self::Norwegian => 'E',
            Self::Spanish => 'Z',
            Self::Swedish => 'H',
            Self::Swiss => '=',
        }
    }

    /// What an ASCII character shows as.
    pub(super) fn map(self, c: char) -> char {
        let (from, to) = self.replaced();
        from.find(c).and_then(|at| to.chars().nth(at)).unwrap_or(c)
    }
}

/// The four designated sets and the one in use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Charsets {
    sets: [Charset; 4],
    shift: u8,
    current: Charset,
}

impl Charsets {
    pub(super) const fn current(self) -> Charset {
        self.current
    }

    /// Designates `set` as one of G0 to G3.
    pub(super) fn designate(&mut self, slot: u8, set: Charset) {
        if let Some(place) = self.sets.get_mut(usize::from(slot)) {
            *place = set;
            if slot == self.shift {
                self.current = set;
            }
        }
    }

    /// Uses one of G0 to G3 from now on.
    pub(super) fn shift(&mut self, slot: u8) {
        self.shift = slot;
        self.current = self.sets.get(usize::from(slot)).copied().unwrap_or_default();
    }

    /// Sequences that designate and shift what a fresh terminal does not.
    pub(super) fn sequences(&self) -> String {
        let mut out = String::new();
        for (set, slot) in self.sets.iter().zip(['(', ')', '*', '+']) {
            if *set != Charset::default() {
                out.extend(['\x1b', slot, set.letter()]);
            }
        }
        out.push_str(match self.shift {
            1 => "\x0e",
            2 => "\x1bn",
            3 => "\x1bo",
            _ => "",
        });
        out
    }

    /// Puts a saved set in use, whichever one is shifted to.
    pub(super) const fn restore(&mut self, set: Charset) {
        self.current = set;
    }
}

#[cfg(test)]
mod tests {
    use super::{Charset, Charsets};

    #[test]
    fn sequences_designate_again() {
        for last in b'0'..=b'Z' {
            if let Some(set) = Charset::designated(last) {
                let letter = u8::try_from(set.letter()).unwrap();
                assert_eq!(Charset::designated(letter), Some(set));
            }
        }
        let mut sets = Charsets::default();
        assert_eq!(sets.sequences(), "");
        sets.designate(1, Charset::Graphics);
        sets.shift(1);
        assert_eq!(sets.sequences(), "\x1b)0\x0e");
    }

    #[test]
    fn tables_pair_up() {
        for last in b'0'..=b'Z' {
            let (from, to) = Charset::designated(last).unwrap_or_default().replaced();
            assert_eq!(from.len(), to.chars().count(), "{}", char::from(last));
        }
        assert_eq!(Charset::Graphics.map('q'), '─');
        assert_eq!(Charset::Graphics.map('_'), '_');
    }
}
