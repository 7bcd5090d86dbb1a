//! Words that were meant as keys.

use super::name::key;
use super::table::names;

/// What other programs call the keys.
const ALIASES: [(&str, &str); 22] = [
    ("Esc", "Escape"),
    ("Backspace", "BSpace"),
    ("BackTab", "BTab"),
    ("Return", "Enter"),
    ("CR", "Enter"),
    ("Ret", "Enter"),
    ("Del", "Delete"),
    ("Ins", "Insert"),
    ("PgDown", "PageDown"),
    ("Page_Up", "PageUp"),
    ("Page_Down", "PageDown"),
    ("Next", "PageDown"),
    ("Prior", "PageUp"),
    ("ArrowUp", "Up"),
    ("ArrowDown", "Down"),
    ("ArrowLeft", "Left"),
    ("ArrowRight", "Right"),
    ("UpArrow", "Up"),
    ("DownArrow", "Down"),
    ("LeftArrow", "Left"),
    ("RightArrow", "Right"),
    ("Spacebar", "Space"),
];

/// How others write that a key is held down.
const MODIFIERS: [(&str, &str); 12] = [
    ("ctrl-", "C-"),
    ("ctrl+", "C-"),
    ("control-", "C-"),
    ("control+", "C-"),
    ("alt-", "M-"),
    ("alt+", "M-"),
    ("meta-", "M-"),
    ("meta+", "M-"),
    ("shift-", "S-"),
    ("shift+", "S-"),
    ("a-", "M-"),
    ("^-", "C-"),
];

/// Words that are text more often than keys.
const WORDS: [&str; 3] = ["Next", "Prior", "CR"];

/// Whether a word, which names no key, was probably meant as one.
pub(super) fn looks_like_a_key(word: &str) -> bool {
    if word.len() > 40 || word.contains(char::is_control) {
        return false;
    }
    let is_alias = ALIASES.iter().any(|(alias, _)| alias.eq_ignore_ascii_case(word));
    let is_word = WORDS.iter().any(|text| text.eq_ignore_ascii_case(word));
    (is_alias && !is_word)
        || is_combination(word)
        || is_function_key(word)
        || is_in_brackets(word)
        || is_row_of_names(word)
        || is_mouse(word)
        || is_misspelt(word)
}

/// `Entr`, `PageUpp`: one letter away from a name, and begun as names are.
fn is_misspelt(word: &str) -> bool {
    let is_form = word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // Too many words are that near to a shorter name.
    let is_near = |name: &str| name.len() >= 5 && distance(name, word) == 1;
    is_form && names().any(is_near)
}

fn distance(name: &str, word: &str) -> usize {
    strsim::osa_distance(&name.to_lowercase(), &word.to_lowercase())
}

/// `C-foo`, `Ctrl+C`, `S-`: nothing but letters that are held down, and something.
fn is_combination(word: &str) -> bool {
    if word.contains(' ') {
        return false;
    }
    let lower = word.to_ascii_lowercase();
    let long = MODIFIERS.iter().any(|(long, _)| long.len() > 2 && lower.starts_with(long));
    // The short form is upper case wherever people mean it, and `c-like` is a word.
    let short = ["C-", "M-", "S-", "A-"].iter().any(|short| word.starts_with(short));
    long || short
}

fn is_function_key(word: &str) -> bool {
    let digits = word.strip_prefix(['F', 'f']);
    digits.is_some_and(|digits| {
        (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// `<C-c>`, `<Esc>`, `{Enter}`.
fn inside_brackets(word: &str) -> Option<&str> {
    let angle = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    angle.or_else(|| word.strip_prefix('{').and_then(|word| word.strip_suffix('}')))
}

fn is_in_brackets(word: &str) -> bool {
    inside_brackets(word).is_some_and(|inside| {
        let is_alias = ALIASES.iter().any(|(alias, _)| alias.eq_ignore_ascii_case(inside));
        is_alias || is_combination(inside) || (inside.len() > 1 && key(inside).is_some())
    })
}

/// `Up Down`: two keys in one word.
fn is_row_of_names(word: &str) -> bool {
    let mut parts = word.split(' ').peekable();
    word.contains(' ')
        && parts.all(|part| part.is_empty() || is_long_name(part))
        && word.trim() != ""
}

fn is_long_name(word: &str) -> bool {
    let has_form = word.starts_with(|c: char| c.is_ascii_uppercase());
    has_form && word.len() > 1 && key(word).is_some()
}

fn is_mouse(word: &str) -> bool {
    ["MouseDown", "MouseUp", "MouseDrag", "WheelUp", "WheelDown", "DoubleClick", "TripleClick"]
        .iter()
        .any(|name| word.starts_with(name))
}

/// What may have been meant.
pub(super) fn suggestion(word: &str) -> Option<String> {
    let inner = inside_brackets(word).unwrap_or(word).trim();
    // A function key that there is not is no other one.
    if inner.contains(' ') || is_function_key(inner) {
        return None;
    }
    let mut held = String::new();
    let mut rest = inner.to_owned();
    loop {
        let lower = rest.to_ascii_lowercase();
        let short = ["c-", "m-", "s-"].iter().find(|short| lower.starts_with(*short));
        let long = MODIFIERS.iter().find(|(long, _)| lower.starts_with(long));
        let (length, prefix) = match (short, long) {
            (Some(short), _) => (2, short.to_ascii_uppercase()),
            (None, Some((long, short))) => (long.len(), (*short).to_owned()),
            (None, None) => break,
        };
        if rest.len() == length {
            return None;
        }
        held.push_str(&prefix);
        rest.drain(..length);
    }
    let name = name_of(&rest)?;
    let suggestion = format!("{held}{name}");
    (suggestion != word && key(&suggestion).is_some()).then_some(suggestion)
}

/// The name of the key that a word without modifiers means.
fn name_of(word: &str) -> Option<String> {
    if word.chars().count() == 1 {
        return Some(word.to_owned());
    }
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(word));
    if let Some((_, name)) = alias {
        return Some((*name).to_owned());
    }
    let nearest = names().min_by_key(|name| distance(name, word))?;
    (distance(nearest, word) <= 1 + word.len() / 5).then(|| nearest.to_owned())
}
