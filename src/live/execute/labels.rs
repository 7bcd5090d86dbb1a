//! Which terminal a label of an agent means.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::live::runtime::{AgentFolder, LABELS};

/// The labels of an agent, in a file of its folder. Whoever changes them holds the folder's lock.
pub(super) struct Labels<'a> {
    folder: &'a Path,
    ids: BTreeMap<String, String>,
}

impl<'a> Labels<'a> {
    /// Those that there are. What cannot be read is forgotten: its terminals stay in lists.
    pub(super) fn read(folder: &'a Path) -> Self {
        let data = fs::read(folder.join(LABELS)).unwrap_or_default();
        Self { folder, ids: serde_json::from_slice(&data).unwrap_or_default() }
    }

    /// The terminal that a label means.
    pub(super) fn id(&self, label: &str) -> Option<&str> {
        self.ids.get(label).map(String::as_str)
    }

    /// Has a label mean this terminal from now on.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn set(&mut self, label: &str, id: &str) -> io::Result<()> {
        self.ids.insert(label.to_owned(), id.to_owned());
        AgentFolder::at(self.folder).keep(LABELS, &self.ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_kept_and_change() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(Labels::read(place.path()).id("default"), None);
        Labels::read(place.path()).set("default", "a").unwrap();
        Labels::read(place.path()).set("it's \"two\"", "b").unwrap();
        Labels::read(place.path()).set("default", "c").unwrap();
        let labels = Labels::read(place.path());
        assert_eq!((labels.id("default"), labels.id("it's \"two\"")), (Some("c"), Some("b")));
        fs::write(place.path().join(LABELS), "{torn").unwrap();
        assert_eq!(Labels::read(place.path()).id("default"), None);
    }
}
