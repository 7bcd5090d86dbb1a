//! Keys by name: what `tmux send-keys` takes, as the bytes that a keyboard would send.
//!
//! - `key`: a key; `table`: the names; `name`: from a name to a key.
//! - `mistake`: words that were meant as keys; `word`: what a word is.
//! - `encode`: from keys to bytes.
//!
//! Names and bytes are those of tmux, measured with 3.3a and read in its later source, but for Home
//! and End, which are xterm's, since that is what our terminals say they are. Unlike tmux, a word
//! that looks like a key and is none is refused and not typed.

mod encode;
mod key;
mod mistake;
mod name;
mod table;
mod word;

use thiserror::Error;

pub use encode::KeyModes;
use word::{Word, read};

/// How words are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyWords {
    /// As names of keys, and as text where they are none.
    #[default]
    Names,
    /// As text, whatever they are called.
    Literal,
    /// As bytes, two hexadecimal digits each.
    Hex,
}

/// A word that cannot be typed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It looks like a key.
    #[error("unknown key {word:?}{}", hint(.suggestion.as_deref()))]
    Unknown {
        /// The word.
        word: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// No keyboard sends anything for it.
    #[error("key {0:?} has no bytes of its own")]
    Nothing(String),
    /// It is no byte.
    #[error("{0:?} is not a byte of two hexadecimal digits")]
    NoByte(String),
}

fn hint(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean {name:?}? (-l types it as text)"),
        None => "; -l types it as text".to_owned(),
    }
}

/// The bytes that typing these words sends, with nothing between them.
///
/// # Errors
/// [`KeyError`] for the first word that cannot be typed.
pub fn key_bytes(words: &[String], how: KeyWords, modes: KeyModes) -> Result<Vec<u8>, KeyError> {
    let mut bytes = Vec::new();
    for word in words {
        match how {
            KeyWords::Literal => bytes.extend_from_slice(word.as_bytes()),
            KeyWords::Hex => bytes.push(hex(word)?),
            KeyWords::Names => match read(word)? {
                Word::Text => bytes.extend_from_slice(word.as_bytes()),
                Word::Key(key) => {
                    let sent = encode::encode(key, modes);
                    bytes.extend(sent.ok_or_else(|| KeyError::Nothing(word.clone()))?);
                }
            },
        }
    }
    Ok(bytes)
}

/// Whether a word is the name of a key and not text: more than one character, and known.
pub fn is_key_name(word: &str) -> bool {
    word.chars().nth(1).is_some() && matches!(read(word), Ok(Word::Key(_)))
}

fn hex(word: &str) -> Result<u8, KeyError> {
    let is_short = (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit());
    let byte = is_short.then(|| u8::from_str_radix(word, 16).ok()).flatten();
    byte.ok_or_else(|| KeyError::NoByte(word.to_owned()))
}

#[cfg(test)]
mod tests;
