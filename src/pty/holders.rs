//! Processes that have a terminal open.

use std::fmt;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A process that keeps a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its id.
    pub pid: u32,
    /// Its name, as the system shortens it.
    pub name: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.pid)
    }
}

/// Other processes that have this terminal open, as far as we may look. Where there is no `/proc`
/// nothing can be said.
pub fn holders(terminal: &Path) -> Vec<Holder> {
    let Ok(folder) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let Ok(terminal) = std::fs::metadata(terminal) else {
        return Vec::new();
    };
    let is_it = |file: &Metadata| file.rdev() == terminal.rdev() && file.dev() == terminal.dev();
    pids.filter(|&pid| pid != std::process::id() && holds(pid, is_it))
        .map(|pid| Holder { pid, name: name(pid) })
        .collect()
}

fn holds(pid: u32, is_it: impl Fn(&Metadata) -> bool) -> bool {
    let Ok(descriptors) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
        return false;
    };
    descriptors
        .filter_map(|entry| std::fs::metadata(entry.ok()?.path()).ok())
        .any(|file| is_it(&file))
}

fn name(pid: u32) -> String {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
}
