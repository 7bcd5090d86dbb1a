//! Escape sequences: which characters belong to one, and where it ends.
//!
//! The states are those of the DEC VT500 parser, with 8-bit controls (U+0080 to U+009F) taken as
//! code points. What a sequence does is decided elsewhere.

use super::params::Params;

/// Most that is kept of a string sequence (OSC, DCS); the rest is read and forgotten.
const LONGEST_STRING: usize = 1 << 16;

/// Longest control sequence that is taken at once.
const LONGEST_AT_ONCE: usize = 40;

/// What a character amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Nothing.
    None,
    /// Show it.
    Print(char),
    /// A control of its own.
    Execute(char),
    /// An escape sequence ends with this.
    Esc(u8),
    /// A control sequence ends with this.
    Csi(u8),
    /// An operating system command is complete.
    Osc,
    /// A device control string is complete; it began with this (see `collected`).
    Dcs(u32, u8),
    /// A string ended that nobody listens to.
    Ended,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ground,
    Escape,
    EscapeIntermediate,
    CsiEntry,
    CsiParam,
    CsiIntermediate,
    CsiIgnore,
    Osc,
    DcsEntry,
    DcsParam,
    DcsIntermediate,
    DcsIgnore,
    DcsData,
    /// SOS, PM and APC.
    Other,
}

/// The parser and the sequence it is in.
#[derive(Clone, Debug)]
pub(super) struct Parser {
    state: State,
    params: Params,
    /// Prefix (`<=>?`) and intermediates (space to `/`), the last in the lowest byte.
    collected: u32,
    string: String,
    /// What a device control string began with: as `collected`, with the final character.
    dcs: (u32, u8),
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            state: State::Ground,
            params: Params::default(),
            collected: 0,
            string: String::new(),
            dcs: (0, 0),
        }
    }
}

impl Parser {
    /// Whether the next character is not part of a sequence.
    pub(super) fn is_ground(&self) -> bool {
        self.state == State::Ground
    }

    /// Whether it takes all text up to an end as a part of a sequence.
    pub(super) const fn is_in_string(&self) -> bool {
        matches!(self.state, State::Osc | State::DcsIgnore | State::DcsData | State::Other)
    }

    pub(super) const fn state(&self) -> State {
        self.state
    }

    /// What the device control string that is being read began with.
    pub(super) const fn dcs(&self) -> (u32, u8) {
        self.dcs
    }

    pub(super) const fn params(&self) -> &Params {
        &self.params
    }

    /// Prefix and intermediates of the sequence, as a number: `b"?$"` is `0x3f24`.
    pub(super) const fn collected(&self) -> u32 {
        self.collected
    }

    /// The data of a string sequence.
    pub(super) fn string(&self) -> &str {
        &self.string
    }

    /// Takes a control sequence that is complete and has no more than numbers, after its `ESC [`;
    /// how many bytes that was, and the final one.
    #[inline]
    pub(super) fn csi_at_once(&mut self, bytes: &[u8]) -> Option<(usize, u8)> {
        self.clear();
        let mut value = 0_u32;
        for (at, &byte) in bytes.iter().enumerate().take(LONGEST_AT_ONCE) {
            match byte {
                b'0'..=b'9' => value = value * 10 + u32::from(byte - b'0'),
                b';' => {
                    self.params.set_last(value);
                    self.params.next();
                    value = 0;
                }
                b'@'..=b'~' => {
                    self.params.set_last(value);
                    return Some((at + 1, byte));
                }
                _ => return None,
            }
            if value >= 1 << 24 {
                return None;
            }
        }
        None
    }

    /// Takes the next character.
    pub(super) fn push(&mut self, c: char) -> Action {
        match c {
            '\x1b' => self.leave(State::Escape, true),
            '\x18' | '\x1a' => {
                let _ = self.leave(State::Ground, false);
                Action::Execute(c)
            }
            '\u{80}'..='\u{9f}' => self.c1(c),
            _ => self.plain(c),
        }
    }

    fn clear(&mut self) {
        self.params.clear();
        self.collected = 0;
    }

    /// Goes to `next`; a string sequence that this ends takes effect if `complete`.
    fn leave(&mut self, next: State, complete: bool) -> Action {
        let from = std::mem::replace(&mut self.state, next);
        if next == State::Escape {
            self.clear();
        }
        match from {
            State::Osc if complete => Action::Osc,
            State::DcsData if complete => Action::Dcs(self.dcs.0, self.dcs.1),
            State::Osc | State::DcsData => Action::Ended,
            _ => Action::None,
        }
    }

    fn c1(&mut self, c: char) -> Action {
        let next = match c {
            '\u{90}' => State::DcsEntry,
            '\u{98}' | '\u{9e}' | '\u{9f}' => State::Other,
            '\u{9b}' => State::CsiEntry,
            '\u{9c}' => return self.leave(State::Ground, true),
            '\u{9d}' => State::Osc,
            _ => {
                let _ = self.leave(State::Ground, false);
                return Action::Execute(c);
            }
        };
        self.clear();
        if next == State::Osc {
            self.string.clear();
        }
        self.leave(next, false)
    }

    fn plain(&mut self, c: char) -> Action {
        match self.state {
            State::Ground => match c {
                '\0'..' ' => Action::Execute(c),
                '\x7f' => Action::None,
                _ => Action::Print(c),
            },
            State::Escape | State::EscapeIntermediate => self.escape(c),
            State::CsiEntry | State::CsiParam | State::CsiIntermediate | State::CsiIgnore => {
                self.csi(c)
            }
            State::Osc => match c {
                '\x07' => self.leave(State::Ground, true),
                '\0'..' ' => Action::None,
                _ => self.keep(c),
            },
            State::DcsEntry | State::DcsParam | State::DcsIntermediate => self.device(c),
            State::DcsData if c == '\x7f' => Action::None,
            State::DcsData => self.keep(c),
            State::DcsIgnore => Action::None,
            State::Other if c >= '\u{a0}' => self.end(Action::None),
            State::Other => Action::None,
        }
    }

    fn keep(&mut self, c: char) -> Action {
        if self.string.len() < LONGEST_STRING {
            self.string.push(c);
        }
        Action::None
    }

    fn collect(&mut self, c: char) {
        // A fourth one makes a number that no sequence has.
        self.collected = self.collected.checked_mul(256).map_or(u32::MAX, |n| n | c as u32);
    }

    fn escape(&mut self, c: char) -> Action {
        match c {
            '\0'..' ' => Action::Execute(c),
            ' '..='/' => {
                self.collect(c);
                self.state = State::EscapeIntermediate;
                Action::None
            }
            '\x7f' => Action::None,
            '0'..='~' if self.state == State::EscapeIntermediate => self.end(Action::Esc(c as u8)),
            '[' => {
                self.clear();
                self.state = State::CsiEntry;
                Action::None
            }
            ']' => {
                self.string.clear();
                self.state = State::Osc;
                Action::None
            }
            'P' => {
                self.clear();
                self.state = State::DcsEntry;
                Action::None
            }
            'X' | '^' | '_' => {
                self.state = State::Other;
                Action::None
            }
            '0'..='~' => self.end(Action::Esc(c as u8)),
            _ => self.end(Action::None),
        }
    }

    fn end(&mut self, action: Action) -> Action {
        self.state = State::Ground;
        action
    }

    fn csi(&mut self, c: char) -> Action {
        match (self.state, c) {
            (_, '\0'..' ') => return Action::Execute(c),
            (_, '\x7f') => {}
            (State::CsiIgnore, '@'..='~') => return self.end(Action::None),
            (State::CsiIgnore, _) => {}
            (_, '@'..='~') => return self.end(Action::Csi(c as u8)),
            (_, ' '..='/') => {
                self.collect(c);
                self.state = State::CsiIntermediate;
            }
            (State::CsiIntermediate, '0'..='?') => self.state = State::CsiIgnore,
            (_, '0'..='9') => {
                self.params.digit(c as u8 - b'0');
                self.state = State::CsiParam;
            }
            (_, ';') => {
                self.params.next();
                self.state = State::CsiParam;
            }
            (_, ':') => {
                self.params.next_sub();
                self.state = State::CsiParam;
            }
            (State::CsiEntry, '<'..='?') => {
                self.collect(c);
                self.state = State::CsiParam;
            }
            (_, '<'..='?') => self.state = State::CsiIgnore,
            _ => return self.end(Action::None),
        }
        Action::None
    }

    fn device(&mut self, c: char) -> Action {
        match (self.state, c) {
            (_, '\0'..' ' | '\x7f') => {}
            (_, '@'..='~') => {
                self.string.clear();
                self.dcs = (self.collected, c as u8);
                self.state = State::DcsData;
            }
            (_, ' '..='/') => {
                self.collect(c);
                self.state = State::DcsIntermediate;
            }
            (State::DcsIntermediate, '0'..='?') => self.state = State::DcsIgnore,
            (_, '0'..='9') => {
                self.params.digit(c as u8 - b'0');
                self.state = State::DcsParam;
            }
            (_, ';') => {
                self.params.next();
                self.state = State::DcsParam;
            }
            (_, ':') => {
                self.params.next_sub();
                self.state = State::DcsParam;
            }
            (State::DcsEntry, '<'..='?') => {
                self.collect(c);
                self.state = State::DcsParam;
            }
            (_, '<'..='?') => self.state = State::DcsIgnore,
            _ => return self.end(Action::None),
        }
        Action::None
    }
}
