//! What a person who looks on does not get to see: sequences that ask a terminal something, or that
//! reach beyond its screen.
//!
//! The program's own terminal answers it. A second answer, by the person's terminal, would come as
//! keys that nobody pressed. All else passes byte for byte, sequences as wholes.

/// Most that is kept of a sequence until it is known what it does. What is longer and still may ask
/// something is dropped.
const LONGEST: usize = 4096;

const ESC: u8 = 0x1b;
const ENQ: u8 = 0x05;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
/// The first byte of 8-bit controls in UTF-8; the second is the control.
const C2: u8 = 0xc2;

/// The filter and the sequence it is in.
#[derive(Debug, Default)]
pub(super) struct ViewFilter {
    state: State,
    /// The sequence so far, while it may pass or not.
    held: Vec<u8>,
    /// Whether the last byte may begin an 8-bit control.
    is_split: bool,
    /// Whether the last byte could have begun one and did not.
    is_lone: bool,
    /// Whether what passed last was broken off by the sequence that is held. Where that is dropped,
    /// what comes behind it must not go on with the other.
    is_unended: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// Behind ESC; whether that ended a string that was dropped.
    Escape {
        ends_dropped: bool,
    },
    /// Behind ESC and an intermediate, which passed.
    Intermediate,
    Csi,
    /// A control sequence that was too long.
    LongCsi,
    String(Kind, Fate),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Osc,
    Dcs,
    Apc,
    /// SOS and PM.
    Other,
}

/// What becomes of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Open,
    Passes,
    Dropped,
}

/// A byte, or an 8-bit control.
#[derive(Clone, Copy)]
enum Unit {
    Byte(u8),
    Control(u8),
}

impl ViewFilter {
    /// What may be shown of the next piece of output, and of what was kept of those before it.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + self.held.len());
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if std::mem::take(&mut self.is_split) {
                if (0x80..0xa0).contains(&byte) {
                    self.take(Unit::Control(byte), &mut out);
                    rest = after;
                } else {
                    self.take(Unit::Byte(C2), &mut out);
                    self.is_lone = true;
                }
                continue;
            }
            if self.state == State::Ground {
                let plain = memchr::memchr3(ESC, ENQ, C2, rest).unwrap_or(rest.len());
                if plain > 0 {
                    out.extend_from_slice(&rest[..plain]);
                    rest = &rest[plain..];
                    self.is_lone = false;
                    continue;
                }
            }
            match byte {
                C2 => self.is_split = true,
                _ => self.take(Unit::Byte(byte), &mut out),
            }
            rest = after;
        }
        out
    }

    fn take(&mut self, unit: Unit, out: &mut Vec<u8>) {
        let is_lone = std::mem::take(&mut self.is_lone);
        match unit {
            Unit::Byte(ESC) => {
                let ends_dropped = self.leave(out);
                self.is_unended |= is_lone;
                self.begin(State::Escape { ends_dropped }, &[ESC]);
            }
            Unit::Byte(byte @ (CAN | SUB)) => {
                self.leave(out);
                out.push(byte);
            }
            // Nothing, but between two bytes.
            Unit::Byte(ENQ) if is_lone => self.byte(0, out),
            Unit::Control(control) => self.control(control, is_lone, out),
            Unit::Byte(byte) => self.byte(byte, out),
        }
    }

    /// Ends the sequence before its usual end; whether it was a string that was dropped.
    fn leave(&mut self, out: &mut Vec<u8>) -> bool {
        let mut is_dropped = false;
        if let State::String(kind, fate) = self.state {
            let asks = fate == Fate::Open && kind.fate(&self.held, true) == Fate::Dropped;
            is_dropped = asks || fate == Fate::Dropped;
        }
        if is_dropped {
            self.separate(out);
        } else {
            out.append(&mut self.held);
        }
        self.is_unended = !is_dropped && !matches!(self.state, State::Ground | State::LongCsi);
        self.end();
        is_dropped
    }

    /// Ends what passed last, before something is dropped that would have.
    fn separate(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_unended) {
            out.extend_from_slice(b"\x1b\\");
        }
    }

    fn begin(&mut self, state: State, bytes: &[u8]) {
        self.state = state;
        self.held.extend_from_slice(bytes);
    }

    fn end(&mut self) {
        self.state = State::Ground;
        self.held.clear();
    }

    fn pass(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.held);
        self.end();
    }

    /// Drops the sequence, but not the controls in it, which act at once.
    fn drop_sequence(&mut self, out: &mut Vec<u8>) {
        self.separate(out);
        out.extend(self.held.iter().filter(|&&byte| byte < b' ' && byte != ESC));
        self.end();
    }

    fn control(&mut self, control: u8, is_lone: bool, out: &mut Vec<u8>) {
        const IDENTIFY: u8 = 0x9a;
        const END: u8 = 0x9c;
        let ends_dropped = self.leave(out);
        self.is_unended |= is_lone;
        let bytes = [C2, control];
        let open = |kind| State::String(kind, Fate::Open);
        match control {
            0x90 => self.begin(open(Kind::Dcs), &bytes),
            0x98 | 0x9e => self.begin(open(Kind::Other), &bytes),
            0x9b => self.begin(State::Csi, &bytes),
            0x9d => self.begin(open(Kind::Osc), &bytes),
            0x9f => self.begin(open(Kind::Apc), &bytes),
            IDENTIFY => self.separate(out),
            END if ends_dropped => {}
            _ => out.extend_from_slice(&bytes),
        }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.state {
            State::String(kind, fate) => self.string(kind, fate, byte, out),
            _ if byte == ENQ => {}
            State::Ground => out.push(byte),
            State::Escape { ends_dropped } => self.escape(ends_dropped, byte, out),
            State::Intermediate => {
                out.push(byte);
                if byte >= b'0' && byte != 0x7f {
                    self.end();
                }
            }
            State::Csi => {
                self.held.push(byte);
                if (b'@'..=b'~').contains(&byte) {
                    match asks(&self.held) {
                        true => self.drop_sequence(out),
                        false => self.pass(out),
                    }
                } else if self.held.len() > LONGEST {
                    self.drop_sequence(out);
                    self.state = State::LongCsi;
                }
            }
            State::LongCsi if byte < b' ' => out.push(byte),
            State::LongCsi => {
                if (b'@'..=b'~').contains(&byte) {
                    self.end();
                }
            }
        }
    }

    fn escape(&mut self, ends_dropped: bool, byte: u8, out: &mut Vec<u8>) {
        let open = |kind| State::String(kind, Fate::Open);
        let next = match byte {
            b'[' => State::Csi,
            b']' => open(Kind::Osc),
            b'P' => open(Kind::Dcs),
            b'_' => open(Kind::Apc),
            b'X' | b'^' => open(Kind::Other),
            // Identify yourself, in an old way.
            b'Z' => return self.drop_sequence(out),
            b'\\' if ends_dropped => return self.drop_sequence(out),
            0..b' ' | 0x7f => {
                self.held.push(byte);
                if self.held.len() > LONGEST {
                    self.drop_sequence(out);
                    self.begin(State::Escape { ends_dropped }, &[ESC]);
                }
                return;
            }
            b' '..=b'/' => {
                self.held.push(byte);
                self.pass(out);
                self.state = State::Intermediate;
                return;
            }
            _ => {
                self.held.push(byte);
                return self.pass(out);
            }
        };
        self.begin(next, &[byte]);
    }

    fn string(&mut self, kind: Kind, fate: Fate, byte: u8, out: &mut Vec<u8>) {
        let is_end = kind == Kind::Osc && byte == BEL;
        match fate {
            Fate::Passes => out.push(byte),
            Fate::Dropped => {}
            Fate::Open if is_end => {
                if kind.fate(&self.held, true) == Fate::Passes {
                    out.append(&mut self.held);
                    out.push(byte);
                } else {
                    self.separate(out);
                }
            }
            Fate::Open => {
                self.held.push(byte);
                let mut fate = kind.fate(&self.held, false);
                if fate == Fate::Open && self.held.len() > LONGEST {
                    fate = Fate::Dropped;
                }
                match fate {
                    Fate::Open => {}
                    Fate::Passes => out.append(&mut self.held),
                    Fate::Dropped => {
                        self.separate(out);
                        self.held.clear();
                    }
                }
                self.state = State::String(kind, fate);
            }
        }
        if is_end {
            self.end();
        }
    }
}

impl Kind {
    /// What becomes of a string that begins so; open only where more of it has to be seen.
    fn fate(self, held: &[u8], is_whole: bool) -> Fate {
        let open = if is_whole { Fate::Passes } else { Fate::Open };
        let fate = |is_dropped: bool| if is_dropped { Fate::Dropped } else { Fate::Passes };
        match self {
            Self::Osc => match osc(held, is_whole) {
                Some(is_dropped) => fate(is_dropped),
                None => open,
            },
            Self::Dcs => {
                let Some(&last) = held.get(2..).and_then(<[u8]>::last) else {
                    return open;
                };
                match last {
                    b'@'..=b'~' => {
                        let body = body(held);
                        fate(body.ends_with(b"$q") || body.ends_with(b"+q"))
                    }
                    _ => open,
                }
            }
            // Pictures, and the question whether there are any.
            Self::Apc => {
                let body = body(held);
                match body.first() {
                    None => open,
                    Some(b'G') if is_whole || body.contains(&b';') => {
                        let keys = body[1..].split(|&byte| byte == b';').next().unwrap_or_default();
                        fate(keys.split(|&byte| byte == b',').any(|key| key == b"a=q"))
                    }
                    Some(b'G') => open,
                    Some(_) => Fate::Passes,
                }
            }
            Self::Other => Fate::Passes,
        }
    }
}

/// A sequence without its introducer, which is two bytes either way, and without controls.
fn body(held: &[u8]) -> Vec<u8> {
    let rest = held.get(2..).unwrap_or_default();
    rest.iter().copied().filter(|&byte| byte >= b' ' && byte != 0x7f).collect()
}

/// Whether an operating system command asks something or is about the clipboard, once that is
/// clear.
fn osc(held: &[u8], is_whole: bool) -> Option<bool> {
    // Of a long one not all is looked at again for each byte.
    if !is_whole && held.len() > 64 && !matches!(held.last(), Some(b';')) {
        return None;
    }
    let body = body(held);
    let end = body.iter().position(|byte| !byte.is_ascii_digit());
    let (number, rest) = match end {
        Some(end) => (&body[..end], &body[end..]),
        None if is_whole => (&body[..], &[][..]),
        None => return None,
    };
    let number: u32 = std::str::from_utf8(number).ok()?.parse().unwrap_or(u32::MAX);
    let mut items = rest.split(|&byte| byte == b';');
    match number {
        // The clipboard.
        52 | 5522 => Some(true),
        // Colours.
        4 | 5 | 10..=19 | 21 => match items.any(|item| item.ends_with(b"?")) {
            _ if !is_whole => None,
            asks => Some(asks),
        },
        // Extensions that answer, or that hand over files.
        1337 => match rest.iter().skip(1).any(|byte| !byte.is_ascii_alphabetic()) {
            false if !is_whole => None,
            _ => {
                let name = rest.get(1..).unwrap_or_default();
                let verbs = [&b"Report"[..], b"Request", b"Copy", b"Capabilities"];
                Some(verbs.iter().any(|verb| name.starts_with(verb)))
            }
        },
        _ => Some(false),
    }
}

/// Whether a whole control sequence asks something.
fn asks(held: &[u8]) -> bool {
    let body = body(held);
    let Some((&last, rest)) = body.split_last() else {
        return false;
    };
    let prefix = rest.first().copied().filter(|byte| (b'<'..=b'?').contains(byte)).unwrap_or(0);
    let is_intermediate = |byte: &u8| (b' '..=b'/').contains(byte);
    let intermediates: Vec<u8> = rest.iter().copied().filter(is_intermediate).collect();
    match (prefix, intermediates.as_slice(), last) {
        // What it is (DA, DECREQTPARM, XTVERSION), how it is (DSR), what keys it has.
        (0 | b'>' | b'=', b"", b'c') | (0 | b'?', b"", b'n') | (0, b"", b'x') => true,
        (b'>', b"", b'q') | (b'?', b"", b'u' | b'm' | b'S') => true,
        // Modes, states, checksums, colours, attributes, the locator.
        (0 | b'?', b"$", b'p') | (_, b"$", b'w' | b'u') | (_, b"&", b'u') => true,
        (_, b"*", b'y') | (_, b"\"", b'v') | (_, b"'", b'|') => true,
        (_, b"#", b'R' | b'S' | b'|') => true,
        // Its window.
        (0, b"", b't') => {
            let first = rest.split(|byte| matches!(byte, b';' | b':')).next().unwrap_or_default();
            let first = std::str::from_utf8(first).ok().and_then(|text| text.parse::<u32>().ok());
            matches!(first, Some(11 | 13..=16 | 18..=21))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::screen::{Screen, Scrollback, Size};

    const ASKS: [&str; 41] = [
        "\x1b[c",
        "\x1b[0c",
        "\x1b[>c",
        "\x1b[=0c",
        "\x1b[5n",
        "\x1b[6n",
        "\x1b[?6n",
        "\x1b[?996n",
        "\x1b[?2026$p",
        "\x1b[4$p",
        "\x1b[>q",
        "\x1b[>0q",
        "\x1b[x",
        "\x1b[1x",
        "\x1b[?u",
        "\x1b[?4m",
        "\x1b[?1;1;0S",
        "\x1b[11t",
        "\x1b[13;2t",
        "\x1b[14t",
        "\x1b[15t",
        "\x1b[16t",
        "\x1b[18t",
        "\x1b[19t",
        "\x1b[20t",
        "\x1b[21t",
        "\x1bZ",
        "\x05",
        "\x1b]10;?\x07",
        "\x1b]4;1;?;2;?\x1b\\",
        "\x1b]011;?\x1b\\",
        "\x1b]52;c;?\x07",
        "\x1b]52;c;aGk=\x1b\\",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\u{9b}6n",
        "\u{9d}10;?\u{9c}",
        "\u{9a}",
        "\x1b_Gi=31,a=q,s=1;AAAA\x1b\\",
        "\x1b]1337;ReportCellSize\x07",
        "\u{90}$qr\x1b\\",
    ];

    const PASSES: [&str; 31] = [
        "text",
        "\r\n",
        "ä€🍏",
        "\u{b0}\u{c2}",
        "\x07",
        "\x1b[0;1;31m",
        "\x1b[2J",
        "\x1b[?25l",
        "\x1b[>4;1m",
        "\x1b[>4n",
        "\x1b[?6c",
        "\x1b[!p",
        "\x1b[2 q",
        "\x1b[62\"p",
        "\x1b[22;0t",
        "\x1b[8;24;80t",
        "\x1b[u",
        "\x1b[>1u",
        "\x1b[<u",
        "\x1b(0",
        "\x1b#8",
        "\x1b7",
        "\x1bc",
        "\x1b]0;what?\x07",
        "\x1b]11;#000000\x1b\\",
        "\x1b]8;;http://a/?b=?\x1b\\",
        "\x1b]104\x07",
        "\x1bPq#0;2;0;0;0#0~~\x1b\\",
        "\x1b^note\x1b\\",
        "\x1b_Ga=T,f=100;AAAA\x1b\\",
        "\u{85}",
    ];

    fn filtered(pieces: &[&[u8]]) -> Vec<u8> {
        let mut filter = ViewFilter::default();
        pieces.iter().flat_map(|piece| filter.feed(piece)).collect()
    }

    #[test]
    fn what_asks_is_dropped_as_a_whole() {
        for asks in ASKS {
            let text = format!("before{asks}after");
            assert_eq!(String::from_utf8(filtered(&[text.as_bytes()])).unwrap(), "beforeafter");
        }
    }

    #[test]
    fn all_else_passes() {
        for passes in PASSES {
            let text = format!("before{passes}after");
            assert_eq!(String::from_utf8(filtered(&[text.as_bytes()])).unwrap(), text);
        }
    }

    #[test]
    fn controls_act_inside_of_what_is_dropped() {
        assert_eq!(filtered(&[b"\x1b[6\r\x05\nn\x1b\x08Z."]), b"\r\n\x08.");
        // A question that is broken off is none.
        assert_eq!(filtered(&[b"\x1b[6\x18n\x1b[5\x1b[mn"]), b"\x1b[6\x18n\x1b[5\x1b[mn");
        assert_eq!(
            filtered(&[b"\x1b]52;c;?\x1b[1m.\x1bPtmux;\x1b\x1b[6n\x1b\\"]),
            b"\x1b[1m.\x1bPtmux;\x1b\x1b\\\x1b\\"
        );
    }

    #[test]
    fn what_is_dropped_joins_nothing() {
        for (bytes, want) in [
            (&b"\x1b[6\x1bZn"[..], &b"\x1b[6\x1b\\n"[..]),
            (b"\x1b]10\x1bZ;?\x07", b"\x1b]10\x1b\\;?\x07"),
            (b"\x1b]0;title\x1b[cn", b"\x1b]0;title\x1b\\n"),
            (b"\xc2\x05\x9b6n", b"\xc2\0\x9b6n"),
            (b"\xc2\x1b[c\x9b6n", b"\xc2\x1b\\\x9b6n"),
            (b"\x1b[6\x1b]52;c;?\x07n", b"\x1b[6\x1b\\n"),
        ] {
            assert_eq!(filtered(&[bytes]), want);
        }
    }

    #[test]
    fn little_is_kept_of_what_does_not_end() {
        for (begin, is_dropped) in [
            ("\x1b[", true),
            ("\x1b]10;", true),
            ("\x1b]", true),
            ("\x1bP", true),
            ("\x1b_G", true),
            ("\x1b]52;c;", true),
            ("\x1b]0;", false),
            ("\x1bPq", false),
            ("\x1b_x", false),
        ] {
            let mut filter = ViewFilter::default();
            let text = format!("{begin}{}", "1".repeat(3 * LONGEST));
            let shown = filter.feed(text.as_bytes());
            assert!(filter.held.len() <= LONGEST, "{begin:?}");
            let want = if is_dropped { "" } else { &text };
            assert_eq!(String::from_utf8(shown).unwrap(), want, "{begin:?}");
        }
        let mut filter = ViewFilter::default();
        let shown = filter.feed(&[b"\x1b", &b"\r".repeat(2 * LONGEST)[..], b"[6n."].concat());
        assert_eq!(shown, [&b"\r".repeat(2 * LONGEST)[..], b"."].concat());
    }

    /// Parts of sequences, so that many come about that nobody thought of.
    fn parts() -> impl Strategy<Value = Vec<u8>> {
        let words: Vec<&str> = [&ASKS[..], &PASSES[..]].concat();
        let part = prop_oneof![
            4 => proptest::sample::select(words).prop_map(|word| word.as_bytes().to_vec()),
            2 => proptest::sample::select(&b"\x1b[]P_^X\\?>=<;:0123456789$+*'\"#!cnpqtuxyZ"[..])
                .prop_map(|byte| vec![byte]),
            1 => proptest::sample::select(&b"\x05\x07\x18\x1a\r\n\xc2\x9b\x9c\x9d\x90\x7fa"[..])
                .prop_map(|byte| vec![byte]),
        ];
        proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn what_asks_nothing_passes_byte_for_byte(
            words in proptest::collection::vec(
                (proptest::bool::ANY, 0..ASKS.len(), 0..PASSES.len()), 0..20),
            cuts in proptest::collection::vec(0..200_usize, 0..8),
        ) {
            let word = |&(asks, ask, pass): &(bool, usize, usize)| match asks {
                true => ASKS[ask],
                false => PASSES[pass],
            };
            let text: String = words.iter().map(word).collect();
            let want: String = words.iter().filter(|word| !word.0).map(word).collect();
            let mut filter = ViewFilter::default();
            let mut shown = Vec::new();
            let mut cuts = cuts;
            cuts.sort_unstable();
            let mut from = 0;
            for cut in cuts.into_iter().chain([text.len()]) {
                let cut = cut.min(text.len());
                shown.extend(filter.feed(&text.as_bytes()[from..cut]));
                from = cut;
            }
            prop_assert_eq!(String::from_utf8(shown).unwrap(), want);
        }

        #[test]
        fn a_terminal_has_nothing_to_answer(mut bytes in parts()) {
            // So that nothing is left unfinished.
            bytes.push(CAN);
            let size = Size { cols: 40, rows: 10 };
            let screen = || Screen::new(size, Scrollback::Rows(10)).with_replies();
            let (mut whole, mut seen) = (screen(), screen());
            let pieces: Vec<&[u8]> = bytes.chunks(1).collect();
            let shown = filtered(&pieces);
            prop_assert_eq!(&filtered(&[&bytes]), &shown, "however it is cut");
            whole.feed(&bytes);
            seen.feed(&shown);
            prop_assert_eq!(seen.take_replies(), b"", "{:?}", shown);
            let [whole, seen] = [whole, seen].map(|screen| crate::snapshot::serialize(&screen));
            prop_assert_eq!(whole, seen, "and shows the same");
        }
    }
}
