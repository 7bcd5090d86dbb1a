//! Values of a JSON text.

use serde_json::{Map, Number, Value};

use super::scanner::QUOTE;
use super::{JsonError, Scanner, string};
use crate::artifact::python_number;

/// The value of `text`.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read(text: &str) -> Result<Value, JsonError> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let value = read_value(&mut scanner)?;
    scanner.finish()?;
    Ok(value)
}

fn read_value(scanner: &mut Scanner<'_>) -> Result<Value, JsonError> {
    match scanner.peek() {
        b'{' => {
            let mut map = Map::new();
            scanner.object(|key, scanner| {
                // A repeated key keeps its place and takes the last value, as in Python.
                map.insert(string::decode(key).into_owned(), read_value(scanner)?);
                Ok(())
            })?;
            Ok(Value::Object(map))
        }
        b'[' => {
            let mut items = Vec::new();
            scanner.array(|scanner| {
                items.push(read_value(scanner)?);
                Ok(())
            })?;
            Ok(Value::Array(items))
        }
        _ => {
            let start = scanner.position();
            scanner.skip_value()?;
            Ok(scalar(scanner.since(start)))
        }
    }
}

fn scalar(token: &str) -> Value {
    match token.as_bytes().first() {
        Some(&QUOTE) => Value::String(string::decode(token).into_owned()),
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'-' | b'0'..=b'9') => number(token),
        _ => Value::Null,
    }
}

fn number(token: &str) -> Value {
    match python_number::canonical(token) {
        Some(text) => Value::Number(Number::from_string_unchecked(text)),
        None => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_print_as_python_prints_them() {
        for (text, want) in [
            ("[NaN,Infinity,-Infinity]", "[null,null,null]"),
            ("[1.50,1e5,12345678901234567890123]", "[1.5,100000.0,12345678901234567890123]"),
            (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
            (r#"["\ud83d"]"#, "[\"\u{fffd}\"]"),
            (r#"{"k":1e21}"#, r#"{"k":1e+21}"#),
        ] {
            assert_eq!(read(text).unwrap().to_string(), want);
        }
    }

    #[test]
    fn five_hundred_levels_load() {
        let text = "[".repeat(500) + &"]".repeat(500);
        assert_eq!(read(&text).unwrap().to_string(), text);
    }
}
