//! What a word is: a key, text, or a mistake.

use super::KeyError;
use super::key::Key;
use super::mistake::{looks_like_a_key, suggestion};
use super::name::key;

/// What a word is.
pub(super) enum Word {
    /// The name of a key.
    Key(Key),
    /// Text to be typed.
    Text,
}

/// Reads a word.
///
/// # Errors
/// It looks like a key and is none.
pub(super) fn read(word: &str) -> Result<Word, KeyError> {
    let unknown = || KeyError::Unknown { word: word.to_owned(), suggestion: suggestion(word) };
    if let Some(key) = key(word) {
        return Ok(Word::Key(key));
    }
    if looks_like_a_key(word) { Err(unknown()) } else { Ok(Word::Text) }
}
