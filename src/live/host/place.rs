//! Where the blocks of a terminal are, as whoever reads them names it.

use super::config::HostConfig;
use crate::text::shell_quoted;

/// The terminal's id, and the codex home where one was given.
#[derive(Clone, Debug)]
pub(super) struct Place {
    terminal: String,
    given_home: Option<String>,
}

impl Place {
    pub(super) fn of(config: &HostConfig) -> Self {
        let home = config.given_home.as_ref().map(|home| home.to_string_lossy().into_owned());
        Self { terminal: config.terminal.clone(), given_home: home }
    }

    #[cfg(test)]
    pub(super) fn named(terminal: &str) -> Self {
        Self { terminal: terminal.to_owned(), given_home: None }
    }

    /// Arguments of `terminal-session-blocks` that print these lines of a block, or so many code
    /// points of them, as a shell reads them.
    pub(super) fn arguments(
        &self,
        block_id: &str,
        (from, to): (u64, u64),
        chars: Option<u64>,
    ) -> String {
        self.words(format!("{block_id}@{from}:{to}"), chars)
    }

    /// The same for all from a line on but for so many code points of that line.
    pub(super) fn arguments_from(&self, block_id: &str, from: u64, skip: u64) -> String {
        let skip = if skip > 0 { format!("+{skip}") } else { String::new() };
        self.words(format!("{block_id}@{from}{skip}:"), None)
    }

    fn words(&self, selector: String, chars: Option<u64>) -> String {
        let mut options = vec!["--no-squeeze".to_owned()];
        if let Some(chars) = chars {
            options.extend(["--max-chars".to_owned(), chars.to_string()]);
        }
        if let Some(home) = &self.given_home {
            options.extend(["--codex-home".to_owned(), home.clone()]);
        }
        let operands = [self.terminal.clone(), selector];
        // One that looks like an option comes behind all of those.
        let words = match operands.iter().any(|word| word.starts_with('-')) {
            true => [options, vec!["--".to_owned()], operands.to_vec()].concat(),
            false => [operands.to_vec(), options].concat(),
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
}
