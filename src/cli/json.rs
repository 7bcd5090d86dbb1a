//! JSON output: indented as the Python helpers do it, or on one line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use super::Controls;

/// Writes `value` and a newline. U+007F to U+009F are written as `\u00NN` unless controls are live;
/// JSON itself escapes the others.
///
/// # Errors
/// What writing returns.
pub fn write_json(
    out: &mut impl Write,
    value: &impl Serialize,
    compact: bool,
    controls: Controls,
) -> io::Result<()> {
    if compact {
        write(out, value, CompactFormatter, controls)
    } else {
        write(out, value, PrettyFormatter::new(), controls)
    }
}

fn write<F: Formatter>(
    out: &mut impl Write,
    value: &impl Serialize,
    inner: F,
    controls: Controls,
) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, SafeFormatter { inner, controls });
    value.serialize(&mut serializer).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Leaves layout to another formatter and looks after the characters.
struct SafeFormatter<F> {
    inner: F,
    controls: Controls,
}

impl<F: Formatter> Formatter for SafeFormatter<F> {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if self.controls == Controls::Live {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(char::is_control) {
            let (plain, from) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut chars = from.chars();
            if let Some(c) = chars.next() {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.begin_array(out)
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.end_array(out)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_array_value(out, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.end_array_value(out)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.begin_object(out)
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.end_object(out)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_object_key(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.begin_object_value(out)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.inner.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(compact: bool, controls: Controls) -> String {
        let value = json!({"a": ["\u{1b}\u{7f}ä\u{85}\u{9f}\u{a0}\u{2028}\n"], "b": {}, "c": []});
        let mut out = Vec::new();
        write_json(&mut out, &value, compact, controls).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn late_controls_are_escaped() {
        assert_eq!(
            written(true, Controls::Shown),
            "{\"a\":[\"\\u001b\\u007fä\\u0085\\u009f\u{a0}\u{2028}\\n\"],\"b\":{},\"c\":[]}\n"
        );
    }

    #[test]
    fn layout_is_that_of_python() {
        assert_eq!(
            written(false, Controls::Live),
            "{\n  \"a\": [\n    \"\\u001b\u{7f}ä\u{85}\u{9f}\u{a0}\u{2028}\\n\"\n  ],\n  \"b\": {},\n  \"c\": []\n}\n"
        );
    }
}
