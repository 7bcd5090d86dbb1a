//! What a tool is called with: every fault of it is named at once.

use serde_json::Value;

use super::tool_error::ToolError;

/// The arguments of a call. Reading one takes it out; what nobody reads is not known.
pub(super) struct Arguments {
    given: serde_json::Map<String, Value>,
    faults: Vec<String>,
}

impl Arguments {
    pub(super) fn new(given: Option<serde_json::Map<String, Value>>) -> Self {
        Self { given: given.unwrap_or_default(), faults: Vec::new() }
    }

    /// What was given for one, where it was. Clients that have nothing to say may say null.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.given.shift_remove(name).filter(|value| !value.is_null())
    }

    fn typed<T>(&mut self, name: &str, kind: &str, read: fn(Value) -> Option<T>) -> Option<T> {
        let value = self.take(name)?;
        let read = read(value);
        if read.is_none() {
            self.faults.push(format!("property \"{name}\" must be {kind}"));
        }
        read
    }

    /// A text that must be there.
    pub(super) fn required(&mut self, name: &str) -> String {
        if self.given.get(name).is_none_or(Value::is_null) {
            self.given.shift_remove(name);
            self.faults.push(format!("missing required property \"{name}\""));
        }
        self.string(name).unwrap_or_default()
    }

    /// A text.
    pub(super) fn string(&mut self, name: &str) -> Option<String> {
        self.typed(name, "a string", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    /// Texts, none where there are none.
    pub(super) fn strings(&mut self, name: &str) -> Vec<String> {
        let texts = self.typed(name, "an array of strings", |value| match value {
            Value::Array(items) => {
                items.into_iter().map(|item| item.as_str().map(str::to_owned)).collect()
            }
            _ => None,
        });
        texts.unwrap_or_default()
    }

    /// Yes or no.
    pub(super) fn boolean(&mut self, name: &str, usual: bool) -> bool {
        self.typed(name, "a boolean", |value| value.as_bool()).unwrap_or(usual)
    }

    /// A number, perhaps with a fraction. One that is too large to be one is infinite.
    pub(super) fn number(&mut self, name: &str) -> Option<f64> {
        self.typed(name, "a number", |value| match value {
            Value::Number(number) => Some(number.as_f64().unwrap_or(f64::INFINITY)),
            _ => None,
        })
    }

    /// A whole number that JSON keeps exact, at least `least`.
    pub(super) fn whole(&mut self, name: &str, least: u64) -> Result<Option<u64>, ToolError> {
        const SAFE: f64 = 9_007_199_254_740_991.0;
        let Some(number) = self.number(name) else {
            return Ok(None);
        };
        #[expect(clippy::cast_precision_loss, reason = "0 and 1 are exact")]
        if number.fract() != 0.0 || !(least as f64..=SAFE).contains(&number) {
            let kind = if least == 0 { "non-negative" } else { "positive" };
            return Err(ToolError::new(format!("{name} must be a {kind} safe integer")));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just checked")]
        Ok(Some(number as u64))
    }

    /// Says what was wrong, what was given and is not known too.
    pub(super) fn finish(mut self) -> Result<(), ToolError> {
        let unknown = self.given.keys().map(|name| format!("unknown property \"{name}\""));
        self.faults.extend(unknown);
        match self.faults.is_empty() {
            true => Ok(()),
            false => Err(ToolError::new(format!("invalid arguments: {}", self.faults.join("; ")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(given: &Value) -> Arguments {
        Arguments::new(given.as_object().cloned())
    }

    #[test]
    fn all_faults_are_named_at_once() {
        let mut given =
            arguments(&json!({"a": 1, "b": "x", "c": [1], "d": "no", "odd": 1, "z": 2}));
        assert_eq!(given.required("a"), "");
        given.number("b");
        given.strings("c");
        given.boolean("d", true);
        given.required("e");
        assert_eq!(
            given.finish().unwrap_err().to_string(),
            "invalid arguments: property \"a\" must be a string; property \"b\" must be a number; \
             property \"c\" must be an array of strings; property \"d\" must be a boolean; missing \
             required property \"e\"; unknown property \"odd\"; unknown property \"z\""
        );
    }

    #[test]
    fn nothing_and_null_are_the_same() {
        let mut given = arguments(&json!({"a": null, "b": null}));
        assert_eq!((given.string("a"), given.boolean("b", true)), (None, true));
        assert!(given.finish().is_ok());
        assert!(Arguments::new(None).finish().is_ok());
        let mut given = arguments(&json!({"a": null}));
        given.required("a");
        let error = given.finish().unwrap_err().to_string();
        assert_eq!(error, "invalid arguments: missing required property \"a\"");
    }

    #[test]
    fn whole_numbers_are_those_that_json_keeps() {
        let whole = |text: &str, least| {
            let given = serde_json::from_str(text).unwrap();
            arguments(&given).whole("n", least).map_err(|error| error.to_string())
        };
        assert_eq!(whole("{}", 1), Ok(None));
        assert_eq!(whole(r#"{"n": 3.0}"#, 0), Ok(Some(3)));
        assert_eq!(whole(r#"{"n": 9007199254740991}"#, 0), Ok(Some(9_007_199_254_740_991)));
        for wrong in ["1.5", "-1", "9007199254740992", "1e999"] {
            let error = whole(&format!("{{\"n\": {wrong}}}"), 0).unwrap_err();
            assert_eq!(error, "n must be a non-negative safe integer", "{wrong}");
        }
        assert_eq!(whole(r#"{"n": 0}"#, 1).unwrap_err(), "n must be a positive safe integer");
    }
}
