//! The members of one object, values unread.

use std::borrow::Cow;

use serde_json::Value;

use super::{JsonError, Scanner, read, string};

/// The members of one JSON object; a value is read when it is asked for.
///
/// A manifest has hundreds of blocks and a reader wants a few keys of a few of them.
#[derive(Debug, Default)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Object<'a> {
    /// The object that `text` holds, no members where it holds another value.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        let mut members = Vec::with_capacity(24);
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        if scanner.peek() == b'{' {
            scanner.object(|key, scanner| {
                let start = scanner.position();
                scanner.skip_value()?;
                members.push((string::decode(key), scanner.since(start)));
                Ok(())
            })?;
        }
        Ok(Self { members })
    }

    /// The text of a member's value; of a repeated key the last one counts.
    pub fn raw(&self, key: &str) -> Option<&'a str> {
        self.members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// A member's value, null where there is none.
    pub fn value(&self, key: &str) -> Value {
        self.raw(key).and_then(|text| read(text).ok()).unwrap_or(Value::Null)
    }

    /// A member's text, where it is a string.
    pub fn string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.raw(key).and_then(string::of_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        let object = Object::parse(r#" {"a":"x","a":[1,{"a":2}],"b":"y\n"}"#).unwrap();
        assert_eq!(object.raw("a"), Some(r#"[1,{"a":2}]"#));
        assert_eq!(object.string("a"), None);
        assert_eq!(object.string("b").as_deref(), Some("y\n"));
        assert_eq!(object.value("c"), Value::Null);
    }
}
