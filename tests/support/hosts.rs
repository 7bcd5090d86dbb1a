//! Hosts of live terminals, seen from outside.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use terminal_session::pty::{Process, process, processes};

use super::live::{Live, Term};

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Looks again and again until something is so.
#[track_caller]
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The program of a terminal.
#[track_caller]
pub fn leader(term: &Term<'_>) -> Process {
    let pid = term.opened["pid"].as_i64().unwrap();
    process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()).unwrap()
}

/// The host of a terminal: the parent of its program.
#[track_caller]
pub fn host(term: &Term<'_>) -> Process {
    process(Pid::from_raw(leader(term).parent).unwrap()).unwrap()
}

/// The host of any agent's terminal.
#[track_caller]
pub fn host_of(live: &Live, id: &str) -> Process {
    let rows = live.json(&["list", "--operator"]);
    let row = rows.as_array().unwrap().iter().find(|row| row["sessionId"] == id);
    let pid = row.unwrap_or_else(|| panic!("{rows}"))["pid"].as_i64().unwrap();
    let program = process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()).unwrap();
    process(Pid::from_raw(program.parent).unwrap()).unwrap()
}

/// The host of a job: who listens at its socket.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn host_of_job(live: &Live, id: &str) -> Process {
    let name = format!("{id}.sock");
    let mut entries = walkdir::WalkDir::new(live.runtime()).into_iter().flatten();
    let socket = entries.find(|entry| entry.file_name() == name.as_str()).unwrap();
    let stream = connect_to(socket.path()).unwrap();
    process(rustix::net::sockopt::socket_peercred(&stream).unwrap().pid).unwrap()
}

/// Whether a process is there, and is not only waiting to be taken note of.
pub fn is_alive(known: &Process) -> bool {
    process(known.pid).is_some_and(|now| now.started == known.started && now.is_alive())
}

pub fn kill(known: &Process, signal: Signal) {
    kill_process(known.pid, signal).unwrap();
}

/// The processes that have this for their parent, those too that have ended.
pub fn children(of: &Process) -> Vec<Process> {
    processes().filter(|process| process.parent == of.pid.as_raw_nonzero().get()).collect()
}

/// The descriptors of a process and what they are.
pub fn descriptors(of: &Process) -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("/proc/{}/fd", of.pid.as_raw_nonzero())).unwrap();
    let mut found: Vec<_> =
        entries.flatten().filter_map(|entry| fs::read_link(entry.path()).ok()).collect();
    found.sort();
    found
}

/// The variables that a process was started with.
pub fn environment(of: &Process) -> Vec<String> {
    let data = fs::read(format!("/proc/{}/environ", of.pid.as_raw_nonzero())).unwrap();
    let text = String::from_utf8(data).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// All processes, hosts too, that were started for this runtime folder.
pub fn processes_in(live: &Live) -> Vec<String> {
    let wanted = format!("TERMINAL_SESSION_RUNTIME_DIR={}", live.runtime().display());
    let is_ours = |process: &Process| {
        let data = fs::read(format!("/proc/{}/environ", process.pid.as_raw_nonzero()));
        data.unwrap_or_default().split(|&byte| byte == 0).any(|name| name == wanted.as_bytes())
    };
    let ours = processes().filter(Process::is_alive).filter(is_ours);
    ours.map(|process| {
        let line = fs::read_to_string(format!("/proc/{}/cmdline", process.pid.as_raw_nonzero()));
        format!("{process:?} {}", line.unwrap_or_default().replace('\0', " "))
    })
    .collect()
}

/// Everything in a folder and below, as paths from there.
pub fn tree_of(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder).min_depth(1).into_iter().flatten();
    let path = |entry: walkdir::DirEntry| entry.path().strip_prefix(folder).unwrap().to_owned();
    let mut names: Vec<_> = entries.map(|entry| path(entry).display().to_string()).collect();
    names.sort();
    names
}

/// A connection to the host of a terminal of the default agent, past the program.
pub fn connect(live: &Live, id: &str) -> UnixStream {
    connect_to(&agent_of(live, id).join(format!("{id}.sock"))).unwrap()
}

/// The folder of the agent that a terminal is of.
fn agent_of(live: &Live, id: &str) -> PathBuf {
    let agents = fs::read_dir(live.runtime().join("agents")).unwrap();
    let name = format!("{id}.sock");
    let mut folders = agents.map(|entry| entry.unwrap().path());
    folders.find(|folder| folder.join(&name).exists()).unwrap()
}

/// The same, at once or not at all.
#[cfg(target_os = "linux")]
pub fn connect_now(live: &Live, id: &str) -> std::io::Result<UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
    let folder = File::open(agent_of(live, id))?;
    let path = format!("/proc/self/fd/{}/{id}.sock", folder.as_raw_fd());
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket.into())
}

/// A connection to a socket, whose path may be too long for an address.
pub fn connect_to(socket: &Path) -> std::io::Result<UnixStream> {
    let folder = File::open(socket.parent().unwrap())?;
    let name = socket.file_name().unwrap().display();
    UnixStream::connect(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd()))
}

/// A request of the default agent as it goes over a connection.
pub fn call(live: &Live, request: &Value) -> Vec<u8> {
    let agent = fs::read_to_string(live.runtime().join("agent")).unwrap();
    format!("{}\n", json!({ "agent": agent, "request": request })).into_bytes()
}

/// What a host says until it closes the connection; nothing where it resets it.
pub fn answer(mut stream: &UnixStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).map(drop).unwrap_or_default();
    text
}
