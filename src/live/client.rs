//! Asking hosts, and having them started.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::getpid;

use super::agent::Agent;
use super::dial::listener;
use super::error::LiveError;
use super::exchange::{LONGEST_ANSWER, ask, ask_line, send};
use super::hang_up::{HangUp, Watched};
use super::host::HostConfig;
use super::patience::{SOON, bound, patience};
use super::roll_call::{Place, ask_all};
use super::runtime::{AgentFolder, LONGEST_ID, Runtime, RuntimeError, Tombstone};
use super::start::start;
use super::wire::{Answer, Call, Code, Refusal, Request, Row, TaskRow, Value};
use crate::pty::{Process, process};

/// Terminals that an agent may have at a time, unless another number is given.
pub const MOST_TERMINALS: usize = 64;

/// What is said of a terminal that is not there, or not for the one who asks.
pub(super) fn unknown_session(id: &str) -> String {
    format!("unknown PTY session {id}")
}

/// One agent's way to its terminals.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    folder: AgentFolder,
    hang_up: HangUp,
    /// The process that what is opened ends with.
    keeper: Option<Process>,
}

impl Client {
    /// The agent that calls.
    ///
    /// # Errors
    /// [`LiveError::Runtime`].
    pub fn new(runtime: &Runtime) -> Result<Self, LiveError> {
        Self::of(runtime, runtime.agent()?)
    }

    /// A certain agent.
    ///
    /// # Errors
    /// [`LiveError::Runtime`].
    pub fn of(runtime: &Runtime, agent: Agent) -> Result<Self, LiveError> {
        let folder = runtime.of(&agent.hash())?;
        Ok(Self { agent, folder, hang_up: HangUp::default(), keeper: None })
    }

    /// The same one, whose waits end with this.
    #[must_use]
    pub fn until(&self, hang_up: &HangUp) -> Self {
        Self { hang_up: hang_up.clone(), ..self.clone() }
    }

    /// The same one, whose terminals end with this process, however that ends. Where the system does
    /// not tell of such ends they stay.
    #[must_use]
    pub fn tied(&self) -> Self {
        Self { keeper: process(getpid()), ..self.clone() }
    }

    /// Whether anybody waits for the answer.
    pub(super) fn is_wanted(&self) -> bool {
        !self.hang_up.is_over()
    }

    /// The process that what is opened ends with, and when it started.
    pub(super) fn keeper(&self) -> Option<(i32, u64)> {
        self.keeper.map(|keeper| (keeper.pid.as_raw_nonzero().get(), keeper.started))
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The same agent's way to its jobs.
    pub(super) fn jobs(&self) -> Result<Self, LiveError> {
        Ok(Self { folder: self.folder.jobs()?, ..self.clone() })
    }

    pub(super) fn agent_folder(&self) -> &AgentFolder {
        &self.folder
    }

    /// The agent's part of the runtime folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Asks a terminal's host.
    ///
    /// # Errors
    /// [`LiveError`].
    pub fn ask(&self, id: &str, request: Request) -> Result<Value, LiveError> {
        let most = patience(&request);
        self.ask_within(id, request, most)
    }

    /// Asks for what a host that is well answers at once.
    ///
    /// # Errors
    /// [`LiveError`], also where it takes its time.
    pub(super) fn ask_soon(&self, id: &str, request: Request) -> Result<Value, LiveError> {
        self.ask_within(id, request, Some(SOON))
    }

    fn ask_within(
        &self,
        id: &str,
        request: Request,
        most: Option<Duration>,
    ) -> Result<Value, LiveError> {
        let stream = self.connect(id)?;
        let call = self.call(request);
        let say = || {
            bound(&stream, most)?;
            let _watched = self.hang_up.watch(&stream)?;
            ask(&stream, &call)
        };
        answer_of(id, &say().map_err(|error| self.failed(id, &stream, error))?)
    }

    /// Asks for an answer that is to be confirmed on the connection which comes with it.
    ///
    /// # Errors
    /// [`LiveError`].
    pub(super) fn ask_to_confirm(
        &self,
        id: &str,
        request: Request,
    ) -> Result<(Value, UnixStream, Watched), LiveError> {
        let stream = self.connect(id)?;
        let most = patience(&request);
        let call = self.call(request);
        let say = || {
            bound(&stream, most)?;
            let watched = self.hang_up.watch(&stream)?;
            Ok((ask_line(&stream, &call)?, watched))
        };
        let (line, watched) = say().map_err(|error| self.failed(id, &stream, error))?;
        Ok((answer_of(id, &line)?, stream, watched))
    }

    fn call(&self, request: Request) -> Call {
        Call { agent: Some(self.agent.token().to_owned()), request }
    }

    fn failed(&self, id: &str, stream: &UnixStream, error: io::Error) -> LiveError {
        match self.hang_up.is_over() {
            true => LiveError::HungUp,
            false => not_heard(id, stream)(error),
        }
    }

    /// Begins to look on: the stream that remains.
    ///
    /// # Errors
    /// [`LiveError`].
    pub fn attach(&self, id: &str, read_only: bool) -> Result<BufReader<UnixStream>, LiveError> {
        let stream = self.connect(id)?;
        let call = self.call(Request::Attach { read_only });
        let mut reader = BufReader::new(stream);
        let begin = |reader: &mut BufReader<UnixStream>| {
            bound(reader.get_ref(), Some(SOON))?;
            send(reader.get_ref(), &call)?;
            let mut line = Vec::new();
            reader.by_ref().take(LONGEST_ANSWER).read_until(b'\n', &mut line)?;
            // What is shown comes when it comes.
            reader.get_ref().set_read_timeout(None)?;
            reader.get_ref().set_write_timeout(None)?;
            Ok::<_, io::Error>(line)
        };
        let line = begin(&mut reader).map_err(|error| not_heard(id, reader.get_ref())(error))?;
        answer_of(id, &line)?;
        Ok(reader)
    }

    pub(super) fn connect(&self, id: &str) -> Result<UnixStream, LiveError> {
        let is_wanted = || !self.hang_up.is_over();
        let stream = self.folder.connect(id, Instant::now() + SOON, is_wanted);
        stream.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.unknown(id),
            io::ErrorKind::WouldBlock if !is_wanted() => LiveError::HungUp,
            io::ErrorKind::WouldBlock => LiveError::Silent { id: id.to_owned(), host: None },
            _ => failed(id)(error),
        })
    }

    /// Whether a terminal has a host, though that may not answer.
    pub(super) fn is_there(&self, id: &str) -> bool {
        self.folder.is_there(id)
    }

    /// Why there is no such terminal.
    fn unknown(&self, id: &str) -> LiveError {
        let refusal = match self.folder.tombstone::<Tombstone>(id) {
            Some(tombstone) => Refusal { code: Code::Closed, message: was_closed(id, &tombstone) },
            None => Refusal { code: Code::NoSession, message: unknown_session(id) },
        };
        LiveError::Refused(refusal)
    }

    /// Opens a terminal, unless there are `most` already.
    ///
    /// # Errors
    /// [`LiveError`].
    pub fn open(&self, config: &HostConfig, most: usize) -> Result<(), LiveError> {
        if config.terminal.len() > LONGEST_ID {
            return Err(LiveError::Open(format!("its id is longer than {LONGEST_ID} bytes")));
        }
        // Hosts that do not answer keep nobody else waiting for the lock.
        let known = self.list()?;
        // Others wait until this one's socket is there and counts.
        let _lock = self.lock()?;
        self.open_among(known, config, most)
    }

    /// Keeps others of this agent from opening terminals, or beginning jobs, until the answer is
    /// dropped.
    ///
    /// # Errors
    /// [`LiveError::Runtime`]; [`LiveError::HungUp`] where nobody waits for it any more.
    pub(super) fn lock(&self) -> Result<File, LiveError> {
        self.folder.lock_while(|| self.is_wanted())?.ok_or(LiveError::HungUp)
    }

    /// Opens a terminal for who holds the lock, where these terminals were known a moment ago.
    ///
    /// # Errors
    /// [`LiveError`].
    pub(super) fn open_among(
        &self,
        mut known: Vec<Row>,
        config: &HostConfig,
        most: usize,
    ) -> Result<(), LiveError> {
        let ids = self.folder.ids()?;
        known.retain(|row| ids.contains(&row.session_id));
        let is_new = |id: &String| !known.iter().any(|row| row.session_id == *id);
        let new = ids.into_iter().filter(is_new).map(|id| (&self.folder, id)).collect();
        let new = rows_of(new, Some(&self.agent));
        known.extend(new);
        if may_open(&known, config, most).is_err() {
            // One of them may have ended since.
            may_open(&self.list()?, config, most)?;
        }
        start(config)
    }

    /// Forgets the agent, who never comes back: what is known of its closed terminals goes. Its folder
    /// stays where one is still open.
    pub fn forget(&self) {
        self.folder.forget();
    }

    /// The agent's terminals; those too whose hosts do not answer.
    ///
    /// # Errors
    /// [`LiveError::Runtime`].
    pub fn list(&self) -> Result<Vec<Row>, LiveError> {
        Ok(rows_of(places(std::slice::from_ref(&self.folder))?, Some(&self.agent)))
    }

    /// The tasks of all of the agent's terminals, and the terminals whose hosts do not answer.
    ///
    /// # Errors
    /// [`LiveError::Runtime`].
    pub fn tasks(&self) -> Result<(Vec<TaskRow>, Vec<String>), LiveError> {
        let places = places(std::slice::from_ref(&self.folder))?;
        let agent = Some(self.agent.token().to_owned());
        let (mut tasks, mut silent) = (Vec::new(), Vec::new());
        for ((_, id), heard) in ask_all(places, &Call { agent, request: Request::Tasks }) {
            match heard {
                Some(Value::Tasks(more)) => tasks.extend(more),
                Some(_) => {}
                None => silent.push(id),
            }
        }
        Ok((tasks, silent))
    }
}

/// All terminals of this user, whoever opened them.
///
/// # Errors
/// [`LiveError::Runtime`].
pub fn list_all(runtime: &Runtime) -> Result<Vec<Row>, LiveError> {
    Ok(rows_of(places(&runtime.all()?)?, None))
}

/// Closes the terminals of this user that have this id, whoever opened them; the last answer.
///
/// # Errors
/// [`LiveError`].
pub fn close_any(runtime: &Runtime, id: &str) -> Result<Value, LiveError> {
    let mut closed = None;
    let mut unknown = Refusal { code: Code::NoSession, message: unknown_session(id) };
    for folder in runtime.all()? {
        match operate(&folder, id, Request::Close) {
            Ok(value) => closed = Some(value),
            Err(LiveError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(tombstone) = folder.tombstone(id) {
                    unknown = Refusal { code: Code::Closed, message: was_closed(id, &tombstone) };
                }
            }
            Err(error) => return Err(error),
        }
    }
    closed.ok_or(LiveError::Refused(unknown))
}

/// Why no terminal can be opened beside these, if none can.
fn may_open(rows: &[Row], config: &HostConfig, most: usize) -> Result<(), LiveError> {
    if rows.len() >= most {
        return Err(LiveError::TooMany(most));
    }
    match &config.name {
        Some(name) if rows.iter().any(|row| row.name.as_ref() == Some(name)) => {
            Err(LiveError::DuplicateName(name.clone()))
        }
        _ => Ok(()),
    }
}

fn rows_of(places: Vec<Place<'_>>, agent: Option<&Agent>) -> Vec<Row> {
    let agent = agent.map(|agent| agent.token().to_owned());
    let call = Call { agent, request: Request::Status };
    let row = |((_, id), heard): (Place<'_>, Option<Value>)| match heard {
        Some(Value::Status(row)) => Some(row),
        Some(_) => None,
        None => Some(Row::unresponsive(id)),
    };
    ask_all(places, &call).into_iter().filter_map(row).collect()
}

/// All terminals in these folders.
pub(super) fn places(folders: &[AgentFolder]) -> Result<Vec<Place<'_>>, RuntimeError> {
    let mut places = Vec::new();
    for folder in folders {
        places.extend(folder.ids()?.into_iter().map(|id| (folder, id)));
    }
    Ok(places)
}

fn was_closed(id: &str, tombstone: &Tombstone) -> String {
    use super::wire::Status;
    let how = match &tombstone.status {
        Status::Exited { exit_code: Some(code), .. } => format!("; its program exited with {code}"),
        Status::Exited { signal: Some(signal), .. } => format!("; {signal} ended its program"),
        _ => String::new(),
    };
    format!("PTY session {id} was closed{how}")
}

fn failed(id: &str) -> impl FnOnce(io::Error) -> LiveError {
    let id = id.to_owned();
    move |error| LiveError::Io { id, error }
}

/// Why a host that took a connection was not heard.
fn not_heard(id: &str, stream: &UnixStream) -> impl FnOnce(io::Error) -> LiveError {
    move |error| match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            LiveError::Silent { id: id.to_owned(), host: listener(stream) }
        }
        _ => failed(id)(error),
    }
}

fn answer_of(id: &str, line: &[u8]) -> Result<Value, LiveError> {
    match serde_json::from_slice(line) {
        Ok(Answer::Done(value)) => Ok(value),
        Ok(Answer::Error(refusal)) => Err(LiveError::Refused(refusal)),
        Err(error) => Err(failed(id)(error.into())),
    }
}

/// Asks a host as the operator, whoever's it is.
pub(super) fn operate(
    folder: &AgentFolder,
    id: &str,
    request: Request,
) -> Result<Value, LiveError> {
    let most = patience(&request);
    let stream = folder.connect(id, Instant::now() + SOON, || true);
    let stream = stream.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => LiveError::Silent { id: id.to_owned(), host: None },
        _ => failed(id)(error),
    })?;
    let call = Call { agent: None, request };
    let line = bound(&stream, most).and_then(|()| ask(&stream, &call));
    answer_of(id, &line.map_err(not_heard(id, &stream))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(place: &Path) -> Client {
        let agent = Agent::fresh().unwrap();
        let folder = place.join(agent.hash().folder_name());
        std::fs::create_dir(&folder).unwrap();
        let folder = AgentFolder::at(&folder);
        Client { agent, folder, hang_up: HangUp::default(), keeper: None }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_call_ends_that_is_cancelled_before_it_is_heard() {
        let place = tempfile::tempdir().unwrap();
        let client = client(place.path());
        let (listener, _) = client.folder.listen("t").unwrap();
        rustix::net::listen(&listener, 0).unwrap();
        let asks = || {
            let hang_up = HangUp::default();
            let caller = client.until(&hang_up);
            // Nothing bounds this one but the end of the call.
            let request = Request::Job(crate::live::wire::JobRequest::Wait);
            (hang_up, std::thread::spawn(move || caller.ask("t", request)))
        };
        // The first is taken and never heard, the second is not even taken.
        let (first, second) = (asks(), asks());
        while client.folder.connect_now("t").is_ok() {}
        for (hang_up, asking) in [second, first] {
            hang_up.now();
            let told = asking.join().unwrap();
            assert!(matches!(told, Err(LiveError::HungUp)), "{told:?}");
        }
    }

    #[test]
    fn a_foreign_terminal_is_looked_for_where_it_is_not() {
        let place = tempfile::tempdir().unwrap();
        let (mine, theirs) = (client(place.path()), client(place.path()));
        let (listener, socket) = theirs.folder.listen("t").unwrap();
        let refused = |client: &Client, id: &str| match client.ask(id, Request::Status) {
            Err(LiveError::Refused(refusal)) => (refusal.code, refusal.message.replace(id, "ID")),
            other => panic!("{other:?}"),
        };
        let unknown = (Code::NoSession, "unknown PTY session ID".to_owned());
        assert_eq!(refused(&mine, "t"), unknown);
        assert_eq!(refused(&mine, "nothing"), unknown);
        // Nobody knocked: there was nothing to take longer.
        assert_eq!(listener.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
        // What a dead host left is forgotten.
        drop(listener);
        assert_eq!(refused(&theirs, "t"), unknown);
        assert!(!socket.exists());
    }
}
