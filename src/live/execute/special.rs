//! Which commands are keys: the whole of one is a name, in the case of letters that tmux writes.

use crate::live::keys::{KeyError, KeyModes, KeyWords, is_key_name, key_bytes};

/// Names without a modifier.
const NAMES: [&str; 20] = [
    "Up", "Down", "Left", "Right", "Home", "End", "BSpace", "BTab", "DC", "Enter", "Escape", "IC",
    "Space", "Tab", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp",
];
const MODIFIERS: [&str; 3] = ["C-", "S-", "M-"];

/// What a command is.
#[derive(Debug, PartialEq)]
pub(super) enum Special<'a> {
    /// The name of a key.
    Key(&'a str),
    /// It was probably meant as one; what to say.
    Mistake(String),
    Text,
}

/// What a command is.
pub(super) fn special(command: &str) -> Special<'_> {
    let word = command.trim();
    let is_function = word
        .strip_prefix('F')
        .and_then(|digits| digits.parse().ok())
        .is_some_and(|number: u8| (1..=12).contains(&number) && word == format!("F{number}"));
    if is_function || NAMES.contains(&word) {
        return Special::Key(word);
    }
    let has_modifier = MODIFIERS.iter().any(|modifier| word.starts_with(modifier));
    if (has_modifier || word.starts_with('^')) && is_key_name(word) {
        return match bytes(word) {
            Ok(_) => Special::Key(word),
            Err(error) => Special::Mistake(mistake(&error)),
        };
    }
    // What is no key but looks like one is not run as a command.
    let has_form = word.starts_with(|c: char| c.is_ascii_uppercase() || c == '<' || c == '{');
    match bytes(word) {
        Err(error @ KeyError::Unknown { .. }) if has_form => Special::Mistake(mistake(&error)),
        _ => Special::Text,
    }
}

fn bytes(word: &str) -> Result<Vec<u8>, KeyError> {
    key_bytes(&[word.to_owned()], KeyWords::Names, KeyModes::default())
}

fn mistake(error: &KeyError) -> String {
    match error {
        KeyError::Unknown { word, suggestion: Some(name) } => {
            format!("unknown key {word:?}; did you mean {name:?}?")
        }
        KeyError::Unknown { word, .. } => format!("unknown key {word:?}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_names_as_tmux_writes_them() {
        for name in NAMES.iter().chain(&[
            "C-c", "C-d", "C-z", "^c", "^C", "^[", "M-x", "S-Tab", "C-M-a", "M-C-Up", "C-Space",
            "F1", "F12", " C-c ", "C-c\n", "C-PgUp",
        ]) {
            assert_eq!(special(name), Special::Key(name.trim()), "{name}");
        }
    }

    #[test]
    fn what_only_resembles_a_key_is_text() {
        for text in [
            "end",
            "home",
            "delete",
            "insert",
            "tab",
            "kp0",
            "KP0",
            "0x41",
            "None",
            "Any",
            "Insert",
            "Delete",
            "^old^new",
            "^ab",
            "^",
            "ls;",
            "-l",
            "[ESC]",
            "c-like",
            "Up Arrow keys",
            "C-style for loops",
            "return",
            "esc",
            "Next",
            "f1",
        ] {
            assert_eq!(special(text), Special::Text, "{text}");
        }
    }

    #[test]
    fn what_was_meant_as_a_key_is_not_typed() {
        for (text, want) in [
            ("Esc", "Escape"),
            ("Backspace", "BSpace"),
            ("Ctrl-C", "C-C"),
            ("Ctrl+c", "C-c"),
            ("<C-c>", "C-c"),
            ("C-foo", ""),
            ("C-", ""),
            ("F0", ""),
            ("F13", ""),
            ("Return", "Enter"),
        ] {
            let Special::Mistake(said) = special(text) else { panic!("{text}") };
            assert!(said.starts_with(&format!("unknown key {text:?}")), "{said}");
            assert!(want.is_empty() || said.contains(&format!("{want:?}")), "{said}");
        }
        let Special::Mistake(said) = special("C-#") else { panic!("C-#") };
        assert_eq!(said, "key \"C-#\" has no bytes of its own");
    }
}
