//! The sequence that a stream broke off in, written down again.

use std::fmt::Write;

use super::params::Params;
use super::parser::{Parser, State};

/// More intermediates than any sequence has.
const TOO_MANY: &str = "     ";

impl Parser {
    /// What brings a fresh parser into the state of this one.
    pub(super) fn unfinished(&self) -> String {
        let mut out = String::new();
        match self.state() {
            State::Ground => {}
            State::Escape => out.push('\x1b'),
            State::EscapeIntermediate => {
                out.push('\x1b');
                push_collected(self.collected(), "", &mut out);
            }
            State::CsiEntry => out.push_str("\x1b["),
            State::CsiParam | State::CsiIntermediate => {
                out.push_str("\x1b[");
                push_numbers(self, self.collected(), &mut out);
            }
            // A second prefix makes it one that nobody knows.
            State::CsiIgnore => out.push_str("\x1b[<<"),
            State::Osc => {
                out.push_str("\x1b]");
                out.push_str(self.string());
            }
            State::DcsEntry => out.push_str("\x1bP"),
            State::DcsParam | State::DcsIntermediate => {
                out.push_str("\x1bP");
                push_numbers(self, self.collected(), &mut out);
            }
            State::DcsIgnore => out.push_str("\x1bP<<"),
            State::DcsData => {
                let (collected, end) = self.dcs();
                out.push_str("\x1bP");
                push_numbers(self, collected, &mut out);
                out.push(char::from(end));
                out.push_str(self.string());
            }
            State::Other => out.push_str("\x1b_"),
        }
        out
    }
}

/// Prefix, numbers, intermediates.
fn push_numbers(parser: &Parser, collected: u32, out: &mut String) {
    push_collected(collected, &numbers(parser.params()), out);
}

/// What was collected, with the numbers behind its prefix.
fn push_collected(collected: u32, numbers: &str, out: &mut String) {
    let bytes = collected.to_be_bytes();
    let is_too_long = collected == u32::MAX;
    let bytes = if is_too_long { TOO_MANY.as_bytes() } else { &bytes };
    let is_prefix = |byte: &u8| (b'<'..=b'?').contains(byte);
    out.extend(bytes.iter().filter(|byte| is_prefix(byte)).map(|&byte| char::from(byte)));
    out.push_str(numbers);
    let is_intermediate = |byte: &u8| (b' '..=b'/').contains(byte);
    out.extend(bytes.iter().filter(|byte| is_intermediate(byte)).map(|&byte| char::from(byte)));
}

fn numbers(params: &Params) -> String {
    let mut out = String::new();
    for index in 0..params.len() {
        if index > 0 {
            out.push(';');
        }
        write!(out, "{}", params.get(index)).unwrap_or_default();
        for sub in params.subs(index) {
            out.push(':');
            if let Some(value) = sub {
                write!(out, "{value}").unwrap_or_default();
            }
        }
    }
    out.push_str(params.surplus());
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parser::Action;
    use super::*;

    fn parsed(stream: &str) -> Parser {
        let mut parser = Parser::default();
        for c in stream.chars() {
            parser.push(c);
        }
        parser
    }

    /// An action, with the numbers and strings that it is done with.
    type Outcome = (Action, Vec<u32>, Vec<Option<u32>>, String);

    /// What comes of the rest.
    fn outcome(parser: &mut Parser, rest: &str) -> Vec<Outcome> {
        let push = |c| {
            let action = parser.push(c);
            let params = parser.params();
            let subs = (0..params.len()).flat_map(|index| params.subs(index)).collect();
            let values = (0..params.len()).map(|index| params.get(index)).collect();
            match action {
                Action::Csi(_) => (action, values, subs, String::new()),
                Action::Osc | Action::Dcs(..) => {
                    (action, Vec::new(), Vec::new(), parser.string().to_owned())
                }
                _ => (action, Vec::new(), Vec::new(), String::new()),
            }
        };
        rest.chars().map(push).collect()
    }

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "[\x1b\\[\\]P?<>!$ 0-9;:hmqX_c]{0,12}",
            2 => "\x1b\\[[0-9;:?]{0,20}",
            1 => "\x1b\\[(1:){30,40}[0-9;:]{0,9}",
            1 => "\x1b\\[(1;){30,40}[0-9;:]{0,9}",
            1 => "\x1b[P\\]][0-9;:?$]{0,6}[a-zé]{0,4}",
            1 => "\x1b[ -/]{0,7}",
            1 => "[\u{80}-\u{9f}\x07\x18\\\\a]{0,3}",
        ]
    }

    proptest! {
        #[test]
        fn a_fresh_parser_goes_on_like_the_one_that_broke_off(before in piece(), rest in piece()) {
            let mut parser = parsed(&before);
            let mut fresh = parsed(&parser.unfinished());
            prop_assert_eq!(fresh.is_ground(), parser.is_ground());
            prop_assert_eq!(outcome(&mut fresh, &rest), outcome(&mut parser, &rest));
        }
    }
}
