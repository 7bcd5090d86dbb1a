//! Resolving paths so that none leaves its folder unseen.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows in one path.
const MAX_LINKS: usize = 40;

/// `path` made absolute, with every symbolic link followed; what does not exist is kept as named.
///
/// # Errors
/// A loop of links, a name with a NUL character or too long, or no current folder.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    if path.is_absolute() {
        return resolve_from(Path::new("/"), path);
    }
    let current = std::env::current_dir()?;
    resolve_from(&resolve_from(Path::new("/"), &current)?, path)
}

/// The same for a path below `base`, which is resolved already.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_from(base: &Path, path: &Path) -> io::Result<PathBuf> {
    let mut resolved = base.to_path_buf();
    let mut pending: VecDeque<OsString> = names(path).collect();
    if path.is_absolute() {
        resolved = PathBuf::from("/");
    }
    let mut links = 0;
    while let Some(name) = pending.pop_front() {
        if name == ".." {
            resolved.pop();
            continue;
        }
        resolved.push(&name);
        match resolved.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(rustix::io::Errno::LOOP.into());
                }
                let target = std::fs::read_link(&resolved)?;
                resolved.pop();
                if target.is_absolute() {
                    resolved = PathBuf::from("/");
                }
                for name in names(&target).collect::<Vec<_>>().into_iter().rev() {
                    pending.push_front(name);
                }
            }
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound
                        | io::ErrorKind::NotADirectory
                        | io::ErrorKind::PermissionDenied
                ) =>
            {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(resolved)
}

fn names(path: &Path) -> impl Iterator<Item = OsString> + '_ {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_and_missing_names_kept() {
        let dir = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir(base.join("real")).unwrap();
        std::fs::write(base.join("real/file"), "").unwrap();
        symlink("real", base.join("link")).unwrap();
        symlink(base.join("real/file"), base.join("absolute")).unwrap();
        symlink("loop", base.join("loop")).unwrap();
        for (path, want) in [
            ("link/file", "real/file"),
            ("absolute", "real/file"),
            ("link/../real/./file", "real/file"),
            ("none/../real", "real"),
            ("none/deep", "none/deep"),
            ("real/file/below", "real/file/below"),
        ] {
            assert_eq!(resolve_from(&base, Path::new(path)).unwrap(), base.join(want), "{path}");
        }
        assert_eq!(
            resolve_from(&base, Path::new("../..")).unwrap(),
            resolve(&base.join("../..")).unwrap()
        );
        assert!(resolve_from(&base, Path::new("loop")).is_err());
        assert!(resolve_from(&base, Path::new(&"x".repeat(300))).is_err());
    }
}
