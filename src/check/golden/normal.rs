//! What differs from run to run becomes a placeholder.

use std::borrow::Cow;
use std::path::Path;

use regex::{Captures, Regex, RegexBuilder};
use serde_json::Value;
use thiserror::Error;

use super::ids::{Ids, of_session};
use crate::artifact::{Manifest, resolve};

/// An id that is shorter may be a word; it is replaced only where it stands as an id.
const SHORTEST_IN_TEXT: usize = 12;
/// One that is longer is none that any program made up.
const LONGEST: usize = 200;
/// Bytes that the expression for all of them may take.
const LARGEST: usize = 256 << 20;

/// What is replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Times of the manifest.
    pub timestamps: bool,
    /// Ids of terminals, blocks, sessions and messages.
    pub ids: bool,
    /// The home folder and the codex home.
    pub paths: bool,
}

/// The ids of a session are too many to look for.
#[derive(Debug, Error)]
#[error("the session has too many ids to normalise")]
pub struct NormalError;

/// Replaces what is to be ignored.
#[derive(Debug)]
pub struct Normal {
    ignored: Ignored,
    ids: Ids,
    /// Paths with their placeholders.
    paths: Vec<(String, &'static str)>,
    /// Ids and paths wherever they stand.
    anywhere: Option<Regex>,
}

impl Normal {
    /// What to replace in a session; `codex_home` and `home` are those of whoever compares.
    ///
    /// # Errors
    /// [`NormalError`].
    pub fn new(
        ignored: Ignored,
        manifest: &Manifest,
        terminal: &str,
        codex_home: &Path,
        home: Option<&Path>,
    ) -> Result<Self, NormalError> {
        let ids = if ignored.ids { of_session(manifest, terminal) } else { Ids::new() };
        let mut paths = Vec::new();
        if ignored.paths {
            add_path(codex_home, "<codex-home>", &mut paths);
            if let Some(home) = home {
                add_path(home, "<home>", &mut paths);
            }
        }
        let long = |id: &&String| (SHORTEST_IN_TEXT..=LONGEST).contains(&id.len());
        let mut needles: Vec<&str> = ids.keys().filter(long).map(String::as_str).collect();
        needles.extend(paths.iter().map(|(path, _)| path.as_str()));
        // Of two that begin alike, the longer one is meant.
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        let anywhere = match needles.as_slice() {
            [] => None,
            needles => Some(one_of(needles)?),
        };
        Ok(Self { ignored, ids, paths, anywhere })
    }

    /// A value of the flow. Under the keys of ids and times it is the placeholder alone.
    pub fn value(&self, key: &str, value: Value) -> Value {
        match value {
            Value::String(text) => self.member(key, &text).into_owned().into(),
            Value::Array(items) => {
                items.into_iter().map(|item| self.value(key, item)).collect::<Vec<_>>().into()
            }
            Value::Object(members) => {
                let members = members.into_iter().map(|(key, value)| {
                    let value = self.value(&key, value);
                    (key, value)
                });
                Value::Object(members.collect())
            }
            other => other,
        }
    }

    fn member<'a>(&'a self, key: &str, text: &'a str) -> Cow<'a, str> {
        match key {
            "terminalId" | "sessionId" | "blockId" | "messageKey" if self.ignored.ids => {
                self.ids.get(crate::text::strip(text)).map_or_else(|| self.text(text), Into::into)
            }
            "createdAt" | "updatedAt" | "startedAt" | "endedAt" if self.ignored.timestamps => {
                "<time>".into()
            }
            _ => self.text(text),
        }
    }

    /// A text that people or programs wrote: ids and paths in it that cannot be anything else.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(anywhere) = &self.anywhere else {
            return text.into();
        };
        anywhere.replace_all(text, |found: &Captures<'_>| {
            let Some(found) = found.get(0) else {
                return String::new();
            };
            let before = text.get(..found.start()).and_then(|text| text.chars().next_back());
            let after = text.get(found.end()..).and_then(|text| text.chars().next());
            let is_whole =
                !before.is_some_and(|c| goes_on(c) || c == '.') && !after.is_some_and(goes_on);
            match self.placeholder(found.as_str()) {
                Some(placeholder) if is_whole => placeholder.to_owned(),
                _ => self.folder_above(found.as_str()),
            }
        })
    }

    /// A path that goes on behind the one that was found may still begin with another one.
    fn folder_above(&self, found: &str) -> String {
        let above = self.paths.iter().find_map(|(path, placeholder)| {
            let rest = found.strip_prefix(path.as_str())?;
            rest.starts_with('/').then(|| format!("{placeholder}{rest}"))
        });
        above.unwrap_or_else(|| found.to_owned())
    }

    fn placeholder(&self, found: &str) -> Option<&str> {
        let path = self.paths.iter().find(|(path, _)| path == found);
        path.map(|(_, placeholder)| *placeholder)
            .or_else(|| self.ids.get(found).map(String::as_str))
    }
}

/// Whether a character belongs to the name beside it.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn one_of(needles: &[&str]) -> Result<Regex, NormalError> {
    let alternatives: Vec<_> = needles.iter().map(|needle| regex::escape(needle)).collect();
    let pattern = RegexBuilder::new(&alternatives.join("|")).size_limit(LARGEST).build();
    pattern.map_err(|_| NormalError)
}

/// Adds a folder as it is named and as it is resolved; the root is in every path.
fn add_path(path: &Path, placeholder: &'static str, paths: &mut Vec<(String, &'static str)>) {
    for path in [Some(path.to_path_buf()), resolve(path).ok()].into_iter().flatten() {
        let name = path.to_str().map(|name| name.trim_end_matches('/'));
        if let Some(name) = name
            && name.len() > 1
            && path.is_absolute()
            && !paths.iter().any(|(known, _)| known == name)
        {
            paths.push((name.to_owned(), placeholder));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const ALL: Ignored = Ignored { timestamps: true, ids: true, paths: true };

    fn normal(ignored: Ignored) -> Normal {
        let manifest = r#"{"terminalId":"demo","blocks":[
            {"blockId":"block-mou0a1k2-4h7xq2pd","sessionId":"0198c0de-5a10","messageKey":"m"},
            {"blockId":"b","sessionId":"0198c0de-5a11"}]}"#;
        let manifest = Manifest::parse(PathBuf::from("/s"), manifest.into()).unwrap();
        let (codex_home, home) = (Path::new("/home/u/.codex"), Path::new("/home/u"));
        Normal::new(ignored, &manifest, "demo", codex_home, Some(home)).unwrap()
    }

    #[test]
    fn ids_and_paths_are_replaced_where_they_can_be_nothing_else() {
        let normal = normal(ALL);
        for (text, want) in [
            ("demo b m", "demo b m"),
            ("block-mou0a1k2-4h7xq2pd@2:", "<block-1>@2:"),
            (
                "block-mou0a1k2-4h7xq2pdx xblock-mou0a1k2-4h7xq2pd",
                "block-mou0a1k2-4h7xq2pdx xblock-mou0a1k2-4h7xq2pd",
            ),
            ("0198c0de-5a10 0198c0de-5a11", "<session-1> <session-2>"),
            ("/home/u/x /home/u: /home/u", "<home>/x <home>: <home>"),
            ("/home/u2 /mnt/home/u file:///home/u/y", "/home/u2 /mnt/home/u file://<home>/y"),
            ("/home/u/.codex2 /home/u2/.codex", "<home>/.codex2 /home/u2/.codex"),
            ("cd /home/u/.codex/sessions", "cd <codex-home>/sessions"),
        ] {
            assert_eq!(normal.text(text), want, "{text}");
        }
    }

    #[test]
    fn members_of_the_flow_are_replaced_whole() {
        let flow = serde_json::json!({
            "terminalId": "demo", "blockId": "b", "messageKey": "m", "createdAt": "x",
            "list": [{"endedAt": "y", "cwd": "/home/u"}], "n": 1,
        });
        let want = serde_json::json!({
            "terminalId": "<terminal>", "blockId": "<block-2>", "messageKey": "<message-1>",
            "createdAt": "<time>", "list": [{"endedAt": "<time>", "cwd": "<home>"}], "n": 1,
        });
        assert_eq!(normal(ALL).value("", flow.clone()), want);
        assert_eq!(normal(Ignored::default()).value("", flow.clone()), flow);
    }
}
