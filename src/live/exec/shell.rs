//! The shell that runs commands where none is named.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// Where a system has its shells, whatever the way to programs is.
const USUAL: &str = "/bin";

/// The user's, if it can be run, else bash, else sh; none where there is none of them.
pub(super) fn usual_shell() -> Option<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    first_shell(env::var_os("SHELL").as_deref(), &path)
}

fn first_shell(users: Option<&OsStr>, path: &OsStr) -> Option<OsString> {
    let names = users.into_iter().chain(["bash", "sh"].map(OsStr::new));
    names.filter(|name| !name.is_empty()).find_map(|name| found(Path::new(name), path))
}

/// The program of this name: the file, where it is a path, else the first one on the way.
fn found(name: &Path, path: &OsStr) -> Option<OsString> {
    let can_run = |file: &Path| file.is_file() && access(file, Access::EXEC_OK).is_ok();
    if name.components().count() > 1 {
        return can_run(name).then(|| name.into());
    }
    let folders = env::split_paths(path).filter(|folder| folder.is_absolute());
    let mut files = folders.chain([PathBuf::from(USUAL)]).map(|folder| folder.join(name));
    files.find(|file| can_run(file)).map(PathBuf::into_os_string)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_users_shell_comes_before_bash_and_that_before_sh() {
        let place = tempfile::tempdir().unwrap();
        let put = |name: &str, mode| {
            fs::write(place.path().join(name), "").unwrap();
            fs::set_permissions(place.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
            place.path().join(name).into_os_string()
        };
        let shell = |users: Option<&OsStr>| first_shell(users, place.path().as_os_str());
        let (users, bash, plain) = (put("users", 0o755), put("bash", 0o755), put("plain", 0o644));
        assert_eq!(shell(Some(&users)), Some(users.clone()));
        assert_eq!(shell(Some(OsStr::new("users"))), Some(users));
        for no in [None, Some(OsStr::new("")), Some(&*plain), Some(OsStr::new("/no/shell"))] {
            assert_eq!(shell(no), Some(bash.clone()));
        }
        assert_eq!(found(Path::new("no-such-shell"), place.path().as_os_str()), None);
        assert_eq!(found(Path::new("sh"), OsStr::new("")), Some("/bin/sh".into()));
    }
}
