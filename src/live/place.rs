//! Where the blocks of a terminal are, as whoever reads them names it.

use std::path::Path;

use super::host::HostConfig;
use crate::text::shell_quoted;

/// The terminal's id, and the codex home where one was given.
#[derive(Clone, Debug)]
pub(in crate::live) struct Place {
    terminal: String,
    given_home: Option<String>,
}

impl Place {
    pub(in crate::live) fn of(config: &HostConfig) -> Self {
        Self::new(&config.terminal, config.given_home.as_deref())
    }

    pub(in crate::live) fn new(terminal: &str, given_home: Option<&Path>) -> Self {
        let given_home = given_home.map(|home| home.to_string_lossy().into_owned());
        Self { terminal: terminal.to_owned(), given_home }
    }

    #[cfg(test)]
    pub(in crate::live) fn named(terminal: &str) -> Self {
        Self { terminal: terminal.to_owned(), given_home: None }
    }

    /// Arguments of `terminal-session-blocks` that print these lines of a block, or so many code
    /// points of them, as a shell reads them.
    pub(in crate::live) fn arguments(
        &self,
        block_id: &str,
        (from, to): (u64, u64),
        chars: Option<u64>,
    ) -> String {
        self.selected(&format!("{block_id}@{from}:{to}"), chars)
    }

    /// The same for all from a line on but for so many code points of that line.
    pub(in crate::live) fn arguments_from(&self, block_id: &str, from: u64, skip: u64) -> String {
        let skip = if skip > 0 { format!("+{skip}") } else { String::new() };
        self.selected(&format!("{block_id}@{from}{skip}:"), None)
    }

    /// The same for what a selector chooses.
    pub(in crate::live) fn selected(&self, selector: &str, chars: Option<u64>) -> String {
        let mut options = vec!["--no-squeeze".to_owned()];
        if let Some(chars) = chars {
            options.extend(["--max-chars".to_owned(), chars.to_string()]);
        }
        self.words(options, &[&self.terminal, selector])
    }

    /// Arguments that name the terminal.
    pub(in crate::live) fn terminal(&self) -> String {
        self.words(Vec::new(), &[&self.terminal])
    }

    /// Arguments that name a block.
    pub(in crate::live) fn block(&self, block_id: &str) -> String {
        self.words(Vec::new(), &[&self.terminal, block_id])
    }

    fn words(&self, mut options: Vec<String>, operands: &[&str]) -> String {
        if let Some(home) = &self.given_home {
            options.extend(["--codex-home".to_owned(), home.clone()]);
        }
        let operands: Vec<_> = operands.iter().map(|&word| word.to_owned()).collect();
        // One that looks like an option comes behind all of those.
        let words = match operands.iter().any(|word| word.starts_with('-')) {
            true => [options, vec!["--".to_owned()], operands].concat(),
            false => [operands, options].concat(),
        };
        words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_words_of_a_shell() {
        for (terminal, home, chars, want) in [
            ("t", None, None, "t b@1:2 --no-squeeze"),
            ("t", None, Some(3), "t b@1:2 --no-squeeze --max-chars 3"),
            ("it's $1", None, None, r"'it'\''s $1' b@1:2 --no-squeeze"),
            ("t", Some("/a b"), None, "t b@1:2 --no-squeeze --codex-home '/a b'"),
            ("-t", Some("/h"), None, "--no-squeeze --codex-home /h -- -t b@1:2"),
        ] {
            let given_home = home.map(str::to_owned);
            let place = Place { terminal: terminal.to_owned(), given_home };
            assert_eq!(place.arguments("b", (1, 2), chars), want);
        }
    }

    #[test]
    fn a_terminal_and_a_block_are_named_with_their_home() {
        for (terminal, home, names) in [
            ("t", None, ["t", "t b"]),
            ("t", Some("/a b"), ["t --codex-home '/a b'", "t b --codex-home '/a b'"]),
            ("-t", Some("/h"), ["--codex-home /h -- -t", "--codex-home /h -- -t b"]),
        ] {
            let place = Place::new(terminal, home.map(Path::new));
            assert_eq!([place.terminal(), place.block("b")], names);
        }
    }
}
