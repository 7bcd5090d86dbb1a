//! The state of a folder: names, modes, times and contents.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// Everything about a tree that a reader must not change. Access times are the system's own.
#[derive(Debug, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Entry>);

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    mode: u32,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    link: Option<PathBuf>,
    hash: Option<u64>,
}

impl Tree {
    pub fn read(root: &Path) -> Self {
        let entries = WalkDir::new(root).into_iter().map(|entry| {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            let hash = metadata.is_file().then(|| {
                let mut hasher = DefaultHasher::new();
                std::fs::read(entry.path()).unwrap_or_default().hash(&mut hasher);
                hasher.finish()
            });
            let state = Entry {
                mode: metadata.mode(),
                size: metadata.size(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
                link: std::fs::read_link(entry.path()).ok(),
                hash,
            };
            (entry.path().to_path_buf(), state)
        });
        Self(entries.collect())
    }
}
