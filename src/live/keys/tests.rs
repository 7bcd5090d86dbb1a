//! The tables of names and bytes, row by row.

use super::*;

const NORMAL: KeyModes = KeyModes { application_cursor: false, application_keypad: false };
const APPLICATION: KeyModes = KeyModes { application_cursor: true, application_keypad: true };

fn sent(word: &str, modes: KeyModes) -> String {
    let bytes = key_bytes(&[word.to_owned()], KeyWords::Names, modes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn error(word: &str) -> String {
    key_bytes(&[word.to_owned()], KeyWords::Names, NORMAL).unwrap_err().to_string()
}

#[test]
fn plain_special_keys() {
    for (names, bytes) in [
        ("IC Insert insert", "\x1b[2~"),
        ("DC Delete", "\x1b[3~"),
        ("PPage PageUp PgUp", "\x1b[5~"),
        ("NPage PageDown PgDn", "\x1b[6~"),
        ("F1", "\x1bOP"),
        ("F2", "\x1bOQ"),
        ("F3", "\x1bOR"),
        ("F4 f4", "\x1bOS"),
        ("F5", "\x1b[15~"),
        ("F6", "\x1b[17~"),
        ("F7", "\x1b[18~"),
        ("F8", "\x1b[19~"),
        ("F9", "\x1b[20~"),
        ("F10", "\x1b[21~"),
        ("F11", "\x1b[23~"),
        ("F12", "\x1b[24~"),
        ("BTab S-Tab M-BTab S-BTab", "\x1b[Z"),
        ("Tab", "\t"),
        ("Enter", "\r"),
        ("Escape", "\x1b"),
        ("Space", " "),
        ("BSpace", "\x7f"),
    ] {
        for name in names.split(' ') {
            assert_eq!(sent(name, NORMAL), bytes, "{name}");
            assert_eq!(sent(name, APPLICATION), bytes, "{name}");
        }
    }
}

#[test]
fn cursor_keys_follow_their_mode() {
    for (name, letter) in
        [("Up", 'A'), ("Down", 'B'), ("Right", 'C'), ("Left", 'D'), ("Home", 'H'), ("End", 'F')]
    {
        assert_eq!(sent(name, NORMAL), format!("\x1b[{letter}"));
        assert_eq!(sent(name, APPLICATION), format!("\x1bO{letter}"));
    }
}

#[test]
fn modified_special_keys_ignore_the_modes() {
    let prefixes = ["S-", "M-", "S-M-", "C-", "C-S-", "C-M-", "C-M-S-"];
    let letters = [
        ("F1", 'P'),
        ("F2", 'Q'),
        ("F3", 'R'),
        ("F4", 'S'),
        ("Home", 'H'),
        ("End", 'F'),
        ("Up", 'A'),
        ("Down", 'B'),
        ("Left", 'D'),
        ("Right", 'C'),
    ];
    let numbers = [
        ("F5", 15),
        ("F6", 17),
        ("F7", 18),
        ("F8", 19),
        ("F9", 20),
        ("F10", 21),
        ("F11", 23),
        ("F12", 24),
        ("IC", 2),
        ("DC", 3),
        ("PPage", 5),
        ("NPage", 6),
    ];
    for (index, prefix) in prefixes.into_iter().enumerate() {
        let digit = index + 2;
        for modes in [NORMAL, APPLICATION] {
            for (name, letter) in letters {
                let want = format!("\x1b[1;{digit}{letter}");
                assert_eq!(sent(&format!("{prefix}{name}"), modes), want);
            }
            for (name, number) in numbers {
                let want = format!("\x1b[{number};{digit}~");
                assert_eq!(sent(&format!("{prefix}{name}"), modes), want);
            }
        }
    }
    // Any order, any case, more than once, and with a caret.
    assert_eq!(sent("s-c-c-Up", NORMAL), "\x1b[1;6A");
    assert_eq!(sent("^Up", NORMAL), "\x1b[1;5A");
}

#[test]
fn control_characters() {
    for (keys, byte) in [
        ("C-@ C-Space C-2 C-`", 0x00),
        ("C-a C-A ^a ^A c-a C-S-a", 0x01),
        ("C-z C-Z", 0x1a),
        ("C-[ C-3 C-{", 0x1b),
        ("C-\\ C-4 C-|", 0x1c),
        ("C-] C-5 C-}", 0x1d),
        ("C-^ C-6 C-~", 0x1e),
        ("C-_ C-7 C-/ C--", 0x1f),
        ("C-? C-8", 0x7f),
        ("C-1 C-!", b'1'),
        ("C-9 C-(", b'9'),
        ("C-0 C-)", b'0'),
        ("C-=", b'='),
        ("C-+", b'+'),
        ("C-; C-:", b';'),
        ("C-' C-\"", b'\''),
        ("C-, C-<", b','),
        ("C-. C->", b'.'),
        ("C-Tab", 0x09),
        ("C-Enter S-Enter", 0x0d),
        ("S-a", b'a'),
        ("[NUL]", 0x00),
        ("[ASC]", 0x06),
        ("[US] [us]", 0x1f),
        ("0x3 0x03", 0x03),
        ("0x41", b'A'),
    ] {
        for key in keys.split(' ') {
            assert_eq!(sent(key, NORMAL), char::from(byte).to_string(), "{key}");
        }
    }
    for key in ["C-#", "C-$", "C-%", "C-&", "C-*", "C-Escape", "C-BSpace", "C-KP1", "S-KP1"] {
        assert_eq!(error(key), format!("key {key:?} has no bytes of its own"));
    }
}

#[test]
fn meta_comes_first() {
    for (key, bytes) in [
        ("M-a", "\x1ba"),
        ("C-M-a", "\x1b\x01"),
        ("C-M-Space", "\x1b\0"),
        ("M-Enter", "\x1b\r"),
        ("M-Escape", "\x1b\x1b"),
        ("M-BSpace", "\x1b\x7f"),
        ("M-é", "\x1bé"),
        ("C-é", "é"),
        ("M-KP5", "\x1b5"),
    ] {
        assert_eq!(sent(key, NORMAL), bytes, "{key}");
    }
    assert_eq!(sent("M-KP5", APPLICATION), "\x1b\x1bOu");
}

#[test]
fn the_keypad_follows_its_mode() {
    for (name, own, letter) in [
        ("KP0", '0', 'p'),
        ("KP1", '1', 'q'),
        ("KP2", '2', 'r'),
        ("KP3", '3', 's'),
        ("KP4", '4', 't'),
        ("KP5", '5', 'u'),
        ("KP6", '6', 'v'),
        ("KP7", '7', 'w'),
        ("KP8", '8', 'x'),
        ("KP9", '9', 'y'),
        ("KP/", '/', 'o'),
        ("KP*", '*', 'j'),
        ("KP-", '-', 'm'),
        ("KP+", '+', 'k'),
        ("KP.", '.', 'n'),
        ("KPEnter", '\r', 'M'),
    ] {
        assert_eq!(sent(name, NORMAL), own.to_string());
        assert_eq!(sent(name, APPLICATION), format!("\x1bO{letter}"));
    }
}

#[test]
fn what_is_no_name_is_text() {
    for word in [
        "ls -la",
        "hello",
        "Hello",
        "Some",
        "entr",
        "x",
        "é",
        "None",
        "^old^new^",
        "ls;",
        "-x",
        "c-like",
        "a-b",
        " ",
        "up ",
        "{id}",
        "<br>",
    ] {
        match word {
            // A caret and more is a key in tmux too.
            "^old^new^" => assert!(key_bytes(&[word.into()], KeyWords::Names, NORMAL).is_ok()),
            _ => assert_eq!(sent(word, NORMAL), word),
        }
    }
    assert_eq!(key_bytes(&[], KeyWords::Names, NORMAL).unwrap(), b"");
    assert_eq!(key_bytes(&[String::new()], KeyWords::Names, NORMAL).unwrap(), b"");
}

#[test]
fn what_was_meant_as_a_key_is_an_error() {
    for (word, suggestion) in [
        ("Esc", "Escape"),
        ("Backspace", "BSpace"),
        ("Return", "Enter"),
        ("C-Return", "C-Enter"),
        ("Ctrl-C", "C-C"),
        ("ctrl+c", "C-c"),
        ("Alt+Enter", "M-Enter"),
        ("<C-c>", "C-c"),
        ("<Esc>", "Escape"),
        ("C-Upp", "C-Up"),
        ("Entr", "Enter"),
        ("Escpe", "Escape"),
        ("PageUpp", "PageUp"),
        ("Spce", "Space"),
    ] {
        let want =
            format!("unknown key {word:?}; did you mean {suggestion:?}? (-l types it as text)");
        assert_eq!(error(word), want);
    }
    assert_eq!(error("F13"), "unknown key \"F13\"; -l types it as text");
    for word in ["C-foobar", "S-", "Up Down", "MouseDown1Pane"] {
        assert!(error(word).starts_with("unknown key"), "{word}");
    }
}

#[test]
fn literal_and_hexadecimal_words() {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let literal = key_bytes(&words(&["Up", "C-c", "a\nb"]), KeyWords::Literal, NORMAL);
    assert_eq!(literal.unwrap(), b"UpC-ca\nb");
    let hex = key_bytes(&words(&["1b", "5B", "a", "ff"]), KeyWords::Hex, NORMAL);
    assert_eq!(hex.unwrap(), [0x1b, 0x5b, 0x0a, 0xff]);
    for word in ["", "100", "+1", "g", "0x1"] {
        let error = key_bytes(&words(&[word]), KeyWords::Hex, NORMAL).unwrap_err();
        assert_eq!(error, KeyError::NoByte(word.to_owned()));
    }
}

#[test]
fn names_are_told_from_text() {
    for word in ["C-c", "Enter", "enter", "F1", "^C", "KP0", "M-x"] {
        assert!(is_key_name(word), "{word}");
    }
    for word in ["c", "ls", "Esc", "", "C-"] {
        assert!(!is_key_name(word), "{word}");
    }
}
