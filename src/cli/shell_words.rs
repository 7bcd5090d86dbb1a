//! Words quoted so that a shell reads them back as they are.

/// `word`, in single quotes where a shell would read it otherwise.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_odd_words_are_quoted() {
        assert_eq!(quoted("block-1@2+3:"), "block-1@2+3:");
        assert_eq!(quoted("grove 🌳"), "'grove 🌳'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("~/x"), "'~/x'");
    }
}
