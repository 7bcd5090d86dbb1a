//! The same JSON value with other white space.

use super::{ErrorKind, JsonError, Scanner};

/// Appends the value of `text` to `out`, laid out with two blanks a level as `JSON.stringify` does.
///
/// Every string, number and repeated key is copied as it is written, so nothing of the value is
/// lost: neither digits, nor half surrogates, nor the order of keys. `level` is the depth at which
/// the value stands; its first line is not indented.
///
/// # Errors
/// What is wrong with the text, and where. NaN and the infinities are refused: no strict reader
/// takes them.
pub fn reformat(text: &str, level: usize, out: &mut String) -> Result<(), JsonError> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    value(&mut scanner, level, out)?;
    scanner.finish()
}

fn value(scanner: &mut Scanner<'_>, level: usize, out: &mut String) -> Result<(), JsonError> {
    match scanner.peek() {
        b'{' => {
            let mut first = true;
            out.push('{');
            scanner.object(|key, scanner| {
                start_item(&mut first, level, out);
                out.push_str(key);
                out.push_str(": ");
                value(scanner, level + 1, out)
            })?;
            end_items(first, level, out);
            out.push('}');
            Ok(())
        }
        b'[' => {
            let mut first = true;
            out.push('[');
            scanner.array(|scanner| {
                start_item(&mut first, level, out);
                value(scanner, level + 1, out)
            })?;
            end_items(first, level, out);
            out.push(']');
            Ok(())
        }
        _ => {
            let start = scanner.position();
            scanner.skip_value()?;
            let token = scanner.since(start);
            if matches!(token, "NaN" | "Infinity" | "-Infinity") {
                return Err(JsonError::at(ErrorKind::NotANumber, scanner.text(), start));
            }
            out.push_str(token);
            Ok(())
        }
    }
}

fn start_item(first: &mut bool, level: usize, out: &mut String) {
    if !*first {
        out.push(',');
    }
    *first = false;
    new_line(level + 1, out);
}

fn end_items(empty: bool, level: usize, out: &mut String) {
    if !empty {
        new_line(level, out);
    }
}

/// A newline and the indent of `level`.
pub fn new_line(level: usize, out: &mut String) {
    out.push('\n');
    for _ in 0..level {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reformatted(text: &str) -> Result<String, JsonError> {
        let mut out = String::new();
        reformat(text, 0, &mut out)?;
        Ok(out)
    }

    #[test]
    fn white_space_changes_and_nothing_else() {
        for (text, want) in [
            ("{}", "{}"),
            ("[ ]", "[]"),
            (" [1,\t[] ,{ } ]\n", "[\n  1,\n  [],\n  {}\n]"),
            (
                r#"{"b":1e400,"a":12345678901234567890123,"b":"\ud83d"}"#,
                "{\n  \"b\": 1e400,\n  \"a\": 12345678901234567890123,\n  \"b\": \"\\ud83d\"\n}",
            ),
        ] {
            assert_eq!(reformatted(text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn what_strict_readers_refuse_is_refused() {
        for text in ["NaN", "[1, -Infinity]", "{\"a\":Infinity}"] {
            let error = reformatted(text).unwrap_err();
            assert_eq!(error.kind, ErrorKind::NotANumber, "{text}");
        }
        assert!(reformatted("[1").is_err());
    }
}
