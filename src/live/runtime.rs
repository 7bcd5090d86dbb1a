//! The folder with the sockets of live terminals.
//!
//! `agents/HASH/ID.sock` is the terminal ID of the agent whose secret has that hash. So the way to
//! another agent's terminal and to one that does not exist is the same: a name that is not there.
//! `ID.gone` is what is left of a terminal that was closed. `jobs` in that folder is the same for the
//! agent's jobs; `ID.will` there is what is to be left of a job whose host is killed.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use directories::BaseDirs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::agent::{AGENT, Agent, AgentHash};
use super::dial::dial;
use super::wire::Status;
use crate::artifact::ids::nonce;
use crate::home::TerminalId;
use crate::pty::at_short_path;
use crate::text::system_error;

/// Names the folder, where it is not to be in the user's usual one.
pub const RUNTIME: &str = "TERMINAL_SESSION_RUNTIME_DIR";

const NAME: &str = "terminal-session";
const AGENTS: &str = "agents";
const JOBS: &str = "jobs";
/// Names what is known of an agent's jobs in their folder.
pub(super) const JOB_STATE: &str = "state";
const SOCKET: &str = ".sock";
const GONE: &str = ".gone";
const WILL: &str = ".will";
/// A job's command that is too long for an argument, until its shell has read it.
const COMMAND: &str = ".command";
/// The file with what an agent calls its terminals.
pub(super) const LABELS: &str = "labels.json";
/// Longest id of a terminal in bytes: the system wants names of sockets in 100 and some.
pub(super) const LONGEST_ID: usize = 64;
/// How long a lock that somebody else has is left alone before it is looked again.
const LOOK: Duration = Duration::from_millis(5);
/// How long something is known of a terminal that was closed.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Why there is no runtime folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// It cannot be used.
    #[error("cannot use the runtime folder {}: {}", .path.display(), system_error(.error))]
    Io {
        /// The folder, or what is in it.
        path: PathBuf,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// Others could put sockets into it.
    #[error("the runtime folder {} {why}", .path.display())]
    NotPrivate {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// What is known of a terminal after its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Tombstone {
    pub(super) status: Status,
    pub(super) survivors: Vec<i32>,
}

/// The runtime folder, which is private.
#[derive(Clone, Debug)]
pub struct Runtime {
    folder: PathBuf,
}

/// The part of it that is one agent's.
#[derive(Clone, Debug)]
pub struct AgentFolder {
    folder: PathBuf,
}

/// Which file it is. Numbers of files are used again, so the time of the last change counts as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::symlink_metadata(path).ok()?;
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

impl Runtime {
    /// Finds it, makes it if need be, and makes sure that nobody else can write to it.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open() -> Result<Self, RuntimeError> {
        let given = std::env::var_os(RUNTIME).filter(|path| !path.is_empty());
        let folder = given.map_or_else(usual_place, PathBuf::from);
        // Hosts are in another folder.
        let folder = std::path::absolute(&folder).map_err(in_folder(&folder))?;
        make_private(&folder)?;
        make_private(&folder.join(AGENTS))?;
        Ok(Self { folder })
    }

    /// The agent that calls: the one whose secret is in the environment, else the user's own.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn agent(&self) -> Result<Agent, RuntimeError> {
        let token = std::env::var_os(AGENT).filter(|token| !token.is_empty());
        match token.map(OsString::into_encoded_bytes) {
            Some(token) => Ok(Agent::with_bytes(token)),
            None => Agent::default_in(&self.folder).map_err(in_folder(&self.folder)),
        }
    }

    /// An agent's folder.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn of(&self, agent: &AgentHash) -> Result<AgentFolder, RuntimeError> {
        let folder = self.folder.join(AGENTS).join(agent.folder_name());
        make_private(&folder)?;
        Ok(AgentFolder { folder })
    }

    /// The folders of all agents.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn all(&self) -> Result<Vec<AgentFolder>, RuntimeError> {
        let folder = self.folder.join(AGENTS);
        let entries = fs::read_dir(&folder).map_err(in_folder(&folder))?;
        let paths = entries.flatten().filter(|entry| entry.path().is_dir());
        Ok(paths.map(|entry| AgentFolder { folder: entry.path() }).collect())
    }
}

#[cfg(test)]
impl Runtime {
    /// One that is a test's own.
    pub(super) fn at(folder: &Path) -> Self {
        make_private(&folder.join(AGENTS)).unwrap();
        Self { folder: folder.to_owned() }
    }
}

impl AgentFolder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The one at this path.
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Where the socket of a terminal is, if it is there.
    pub(super) fn socket(&self, id: &str) -> PathBuf {
        self.folder.join(socket_name(id))
    }

    /// A connection to the host of a terminal, by then and as long as it is wanted.
    ///
    /// # Errors
    /// The system's; `NotFound` where there is none, `WouldBlock` where it takes nobody until then.
    pub(super) fn connect(
        &self,
        id: &str,
        deadline: Instant,
        is_wanted: impl Fn() -> bool,
    ) -> io::Result<UnixStream> {
        check(id)?;
        let before = Identity::of(&self.socket(id));
        dial(&self.folder, &socket_name(id), deadline, is_wanted).map_err(|error| {
            if error.kind() == io::ErrorKind::ConnectionRefused {
                self.forget_dead(id, before);
                return io::ErrorKind::NotFound.into();
            }
            error
        })
    }

    /// A connection to the host of a terminal, at once or not at all.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub(super) fn connect_now(&self, id: &str) -> io::Result<UnixStream> {
        self.connect(id, Instant::now(), || true)
    }

    /// Whether a terminal has a host, though it may take nobody.
    pub(super) fn is_there(&self, id: &str) -> bool {
        match self.connect_now(id) {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        }
    }

    /// Removes the socket of a dead host, unless another one has taken its place meanwhile.
    fn forget_dead(&self, id: &str, dead: Option<Identity>) {
        let socket = self.socket(id);
        if dead.is_some() && Identity::of(&socket) == dead {
            self.execute_will(id);
            fs::remove_file(socket).unwrap_or_default();
        }
    }

    /// Leaves what is to be known of a job if its host has no time for last words.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn leave_will(&self, id: &str, tombstone: &impl Serialize) -> io::Result<()> {
        self.write(&format!("{id}{WILL}"), tombstone, None)
    }

    /// What a job's host has left in case that it is killed.
    pub(super) fn will<T: DeserializeOwned>(&self, id: &str) -> Option<T> {
        check(id).ok()?;
        serde_json::from_slice(&fs::read(self.folder.join(format!("{id}{WILL}"))).ok()?).ok()
    }

    /// A host that can speak for itself leaves none.
    pub(super) fn tear_will(&self, id: &str) {
        fs::remove_file(self.folder.join(format!("{id}{WILL}"))).unwrap_or_default();
        self.drop_command(id);
    }

    /// Keeps the command of a job for its shell to read; where.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn keep_command(&self, id: &str, command: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(format!("{id}{COMMAND}"));
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(command.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(path)
    }

    /// Forgets that: its shell has read it, or never will.
    pub(super) fn drop_command(&self, id: &str) {
        fs::remove_file(self.folder.join(format!("{id}{COMMAND}"))).unwrap_or_default();
    }

    fn execute_will(&self, id: &str) {
        let will = self.folder.join(format!("{id}{WILL}"));
        // It is remembered from now on. Another one may have done all this just now.
        let now = SystemTime::now();
        File::open(&will).and_then(|will| will.set_modified(now)).unwrap_or_default();
        fs::rename(&will, self.folder.join(format!("{id}{GONE}"))).unwrap_or_default();
        self.drop_command(id);
    }

    /// The socket of a terminal that is about to be opened.
    ///
    /// # Errors
    /// The system's; `AlreadyExists` where one of that name is there, `NotFound` where the id is too
    /// long.
    pub(super) fn listen(&self, id: &str) -> io::Result<(UnixListener, PathBuf)> {
        check(id)?;
        let socket = self.socket(id);
        // It gets its name when it takes requests: one that refuses them is taken for a dead one's.
        let unfinished = format!(".{}", nonce()?);
        let listener = at_short_path(&self.folder, &unfinished, UnixListener::bind)?;
        let unfinished = self.folder.join(unfinished);
        let linked = fs::hard_link(&unfinished, &socket);
        fs::remove_file(&unfinished)?;
        linked?;
        listener.set_nonblocking(true)?;
        Ok((listener, socket))
    }

    /// Leaves word of a terminal that was closed.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn bury(&self, id: &str, tombstone: &impl Serialize) -> io::Result<()> {
        check(id)?;
        self.write(&format!("{id}{GONE}"), tombstone, None)
    }

    /// Replaces what all of the agent's calls share, so that a crash of the system leaves one of both.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn keep(&self, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.replace(name, value, File::sync_data)
    }

    fn write(&self, name: &str, value: &impl Serialize, at: Option<SystemTime>) -> io::Result<()> {
        self.replace(name, value, |file| at.map_or(Ok(()), |at| file.set_modified(at)))
    }

    /// Replaces a file as a whole, once the new one is `finish`ed.
    fn replace(
        &self,
        name: &str,
        value: &impl Serialize,
        finish: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(value)?)?;
        finish(file.as_file())?;
        file.persist(self.folder.join(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Changes what is known of what was closed, for no longer than it is known anyway; what it is
    /// then, if anything is.
    pub(super) fn change_tombstone<T: DeserializeOwned + Serialize>(
        &self,
        id: &str,
        change: impl FnOnce(&mut T),
    ) -> Option<T> {
        check(id).ok()?;
        let path = self.folder.join(format!("{id}{GONE}"));
        loop {
            let file = File::open(&path).ok()?;
            file.lock().ok()?;
            // Others may have put another one in its place while we waited.
            if file.metadata().ok()?.nlink() == 0 {
                continue;
            }
            let mut tombstone: T = self.tombstone(id)?;
            change(&mut tombstone);
            let since = file.metadata().and_then(|metadata| metadata.modified()).ok();
            // Where it cannot be kept, it is as it was for the next one.
            self.write(&format!("{id}{GONE}"), &tombstone, since).unwrap_or_default();
            return Some(tombstone);
        }
    }

    /// Forgets what any agent closed long ago.
    pub(super) fn sweep_agents(&self) {
        self.agents().map(sweep_all).unwrap_or_default();
    }

    /// What is known of a terminal that was closed a while ago.
    pub(super) fn tombstone<T: DeserializeOwned>(&self, id: &str) -> Option<T> {
        check(id).ok()?;
        let path = self.folder.join(format!("{id}{GONE}"));
        if is_old(&path) {
            fs::remove_file(&path).unwrap_or_default();
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Forgets what was closed, and goes where nothing is open.
    pub(super) fn forget(&self) {
        self.forget_closed(|_| true);
        if self.ids().is_ok_and(|ids| ids.is_empty()) {
            fs::remove_file(self.folder.join(LABELS)).unwrap_or_default();
        }
        let jobs = Self { folder: self.folder.join(JOBS) };
        if jobs.ids().is_ok_and(|ids| ids.is_empty()) {
            fs::remove_dir_all(&jobs.folder).unwrap_or_default();
        }
        // One with anything in it stays.
        fs::remove_dir(&self.folder).unwrap_or_default();
    }

    /// The ids of what was closed a while ago.
    pub(super) fn gone(&self) -> Vec<String> {
        let names =
            paths(&self.folder).filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
        names.filter_map(|name| Some(name.strip_suffix(GONE)?.to_owned())).collect()
    }

    /// The ids of all that anything is known of.
    pub(super) fn known(&self) -> Vec<String> {
        let id = |path: PathBuf| path.file_stem()?.to_str().map(str::to_owned);
        paths(&self.folder).filter_map(id).collect()
    }

    /// The part of it that is the agent's jobs'.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub(super) fn jobs(&self) -> Result<Self, RuntimeError> {
        let folder = self.folder.join(JOBS);
        make_private(&folder)?;
        Ok(Self { folder })
    }

    /// The same, if the agent has had any.
    pub(super) fn jobs_if_any(&self) -> Option<Self> {
        let folder = self.folder.join(JOBS);
        folder.is_dir().then_some(Self { folder })
    }

    /// The folder of all agents.
    fn agents(&self) -> Option<&Path> {
        let agent = match self.folder.file_name().is_some_and(|name| name == JOBS) {
            true => self.folder.parent()?,
            false => &self.folder,
        };
        agent.parent()
    }

    /// Forgets what was closed long ago.
    fn sweep(&self) {
        self.forget_closed(is_old);
    }

    fn forget_closed(&self, is_wanted: fn(&Path) -> bool) {
        for path in paths(&self.folder) {
            if path.extension().is_some_and(|name| *name == GONE[1..]) && is_wanted(&path) {
                fs::remove_file(path).unwrap_or_default();
            }
        }
        // Labels of terminals none of which is there.
        let labels = self.folder.join(LABELS);
        if is_old(&labels) && self.ids().is_ok_and(|ids| ids.is_empty()) {
            fs::remove_file(labels).unwrap_or_default();
        }
    }

    /// The ids that have sockets, ascending. Hosts that died leave theirs behind.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub fn ids(&self) -> Result<Vec<String>, RuntimeError> {
        let entries = fs::read_dir(&self.folder).map_err(in_folder(&self.folder))?;
        let id = |name: OsString| name.to_str()?.strip_suffix(SOCKET).map(str::to_owned);
        let mut ids: Vec<_> = entries.flatten().filter_map(|entry| id(entry.file_name())).collect();
        ids.sort();
        Ok(ids)
    }

    /// Keeps others of this agent from opening terminals, or beginning jobs, until the answer is
    /// dropped. It is waited for as long as it is wanted; none where it is not any more.
    ///
    /// # Errors
    /// [`RuntimeError::Io`].
    pub(super) fn lock_while(
        &self,
        is_wanted: impl Fn() -> bool,
    ) -> Result<Option<File>, RuntimeError> {
        let lock = || {
            let file = File::open(&self.folder)?;
            while is_wanted() {
                match file.try_lock() {
                    // It may have been given up meanwhile.
                    Ok(()) => return Ok(is_wanted().then_some(file)),
                    Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
            Ok(None)
        };
        lock().map_err(in_folder(&self.folder))
    }
}

/// Forgets what any agent closed long ago, and agents that have had nothing for long.
fn sweep_all(agents: &Path) {
    for path in paths(agents) {
        let is_unused = is_old(&path);
        AgentFolder::at(&path).sweep();
        sweep_jobs(&AgentFolder::at(&path.join(JOBS)));
        if is_unused {
            // One with anything in it stays.
            fs::remove_dir(path).unwrap_or_default();
        }
    }
}

/// Forgets jobs of long ago, and how many there were once none is left.
fn sweep_jobs(jobs: &AgentFolder) {
    let is_unused = is_old(&jobs.folder);
    jobs.sweep();
    let is_left = |path: &PathBuf| {
        path.extension().is_some_and(|name| *name == WILL[1..] || *name == COMMAND[1..])
    };
    for left in paths(&jobs.folder).filter(is_left) {
        // That of a host which was killed when it had left already.
        if is_old(&left) && !left.with_extension("sock").exists() {
            fs::remove_file(left).unwrap_or_default();
        }
    }
    // Who begins a job has the lock.
    let lock = File::open(&jobs.folder).and_then(|lock| Ok(lock.try_lock().map(|()| lock)?));
    if is_unused && lock.is_ok() && paths(&jobs.folder).all(|path| path.ends_with(JOB_STATE)) {
        fs::remove_file(jobs.folder.join(JOB_STATE)).unwrap_or_default();
        fs::remove_dir(&jobs.folder).unwrap_or_default();
    }
}

fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_old(path: &Path) -> bool {
    let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    let age = modified.ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > REMEMBERED)
}

fn socket_name(id: &str) -> String {
    format!("{id}{SOCKET}")
}

/// No name leads out of the folder, and none is longer than a socket's may be.
fn check(id: &str) -> io::Result<()> {
    let is_good = TerminalId::new(id).is_ok() && id.len() <= LONGEST_ID;
    if is_good { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

fn in_folder(path: &Path) -> impl FnOnce(io::Error) -> RuntimeError {
    let path = path.to_owned();
    move |error| RuntimeError::Io { path, error }
}

/// In the user's runtime folder, which ends with the login; else beside others' temporary files.
fn usual_place() -> PathBuf {
    let dirs = BaseDirs::new();
    let runtime = dirs.as_ref().and_then(BaseDirs::runtime_dir).filter(|folder| folder.is_dir());
    match runtime {
        Some(folder) => folder.join(NAME),
        None => {
            let user = rustix::process::geteuid().as_raw();
            std::env::temp_dir().join(format!("{NAME}-{user}"))
        }
    }
}

fn make_private(folder: &Path) -> Result<(), RuntimeError> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(in_folder(folder)(error));
        }
        _ => {}
    }
    let metadata = fs::symlink_metadata(folder).map_err(in_folder(folder))?;
    let why = if !metadata.is_dir() {
        "is no folder"
    } else if metadata.uid() != rustix::process::geteuid().as_raw() {
        "belongs to somebody else"
    } else if metadata.mode() & 0o077 != 0 {
        "is open to others (chmod 700 mends that)"
    } else {
        return Ok(());
    };
    Err(RuntimeError::NotPrivate { path: folder.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_was_closed_long_ago_is_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let agents = ["one", "two", "three"].map(|name| {
            fs::create_dir(place.path().join(name)).unwrap();
            AgentFolder::at(&place.path().join(name))
        });
        let tombstone = Tombstone { status: Status::Running, survivors: Vec::new() };
        let age = |path: &Path| {
            let long_ago = SystemTime::now() - REMEMBERED - Duration::from_secs(9);
            File::open(path).unwrap().set_modified(long_ago).unwrap();
        };
        for (agent, id) in [(&agents[0], "a"), (&agents[0], "b"), (&agents[1], "c")] {
            agent.bury(id, &tombstone).unwrap();
        }
        for name in ["one/a.gone", "two/c.gone", "two", "three"] {
            age(&place.path().join(name));
        }
        assert!(agents[1].tombstone::<Tombstone>("c").is_none());
        age(&place.path().join("two"));
        agents[0].bury("d", &tombstone).unwrap();
        agents[0].sweep_agents();
        let here = |name: &str| place.path().join(name).exists();
        let names = ["one/a.gone", "one/b.gone", "one/d.gone", "two", "three"];
        assert_eq!(names.map(here), [false, true, true, false, false]);
    }

    #[test]
    fn a_new_socket_is_not_taken_for_the_dead_one() {
        let place = tempfile::tempdir().unwrap();
        let folder = AgentFolder::at(place.path());
        let (dead, socket) = folder.listen("t").unwrap();
        drop(dead);
        let before = Identity::of(&socket);
        // Somebody else forgets it and opens a new one before we come to that.
        folder.forget_dead("t", before);
        assert!(!socket.exists());
        let (_listener, _) = folder.listen("t").unwrap();
        folder.forget_dead("t", before);
        folder.forget_dead("t", None);
        assert!(socket.exists());
        folder.connect_now("t").unwrap();
    }

    #[test]
    fn a_folder_that_is_not_private_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("runtime");
        make_private(&folder).unwrap();
        make_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
        let error = make_private(&folder).unwrap_err().to_string();
        assert!(error.ends_with("is open to others (chmod 700 mends that)"), "{error}");
        let link = place.path().join("link");
        symlink(&folder, &link).unwrap();
        assert!(make_private(&link).unwrap_err().to_string().ends_with("is no folder"));
        assert!(make_private(&place.path().join("no/where")).is_err());
    }
}
