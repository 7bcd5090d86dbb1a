//! A connection, from the first byte to the last.

use std::io;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::{RoleServer, RunningService, ServerInitializeError};
use thiserror::Error;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::delivery::{Deliveries, Delivering};
use super::options::McpOptions;
use super::server::{MOST_CALLS, Server};
use super::session::Session;
use super::stdio::Stdio;
use crate::live::LiveError;
use crate::text::system_error;

/// Threads beside those of calls: for stdin and stdout.
const OTHER_THREADS: usize = 16;

/// Why there was no connection.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// There is nowhere to keep terminals.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The system refused something.
    #[error("cannot serve: {}", system_error(.0))]
    Io(#[from] io::Error),
}

/// Serves one client on stdin and stdout, until it is done or a signal ends this. Then all that was
/// opened for it is closed.
///
/// # Errors
/// [`ServeError`].
pub fn serve(options: McpOptions) -> Result<(), ServeError> {
    let threads = MOST_CALLS + OTHER_THREADS;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(threads)
        // Before the pause is over a next call has come.
        .build()?;
    let session = Session::open(options)?;
    let outcome = runtime.block_on(connection(&session));
    session.end();
    // A thread may still wait for a byte on stdin.
    runtime.shutdown_background();
    outcome
}

async fn connection(session: &Arc<Session>) -> Result<(), ServeError> {
    let mut end = EndSignals::catch()?;
    let stdio = Stdio::open()?;
    let service = tokio::select! {
        service = begun(session, &stdio) => service,
        () = end.come() => None,
    };
    let Some(service) = service else {
        return Ok(());
    };
    let token = service.cancellation_token();
    let waiting = service.waiting();
    tokio::pin!(waiting);
    tokio::select! {
        // What was asked before the end is answered, if that takes no more than a few seconds.
        _ = &mut waiting => {}
        () = end.come() => {
            session.hang_up();
            token.cancel();
            // How it ended is of no more interest.
            waiting.await.map(drop).unwrap_or_default();
        }
    }
    Ok(())
}

/// Waits until a client begins as the protocol has it, whatever it says before; none where it never
/// does.
async fn begun(
    session: &Arc<Session>,
    stdio: &Stdio,
) -> Option<RunningService<RoleServer, Server>> {
    loop {
        let deliveries = Deliveries::default();
        let way = Delivering { way: stdio.clone(), deliveries: deliveries.clone() };
        match Server::new(Arc::clone(session), deliveries).serve(way).await {
            Ok(service) => return Some(service),
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::TransportError { .. },
            ) => return None,
            // It was told what was wrong, or said what gets no answer.
            Err(_) => {}
        }
    }
}

/// The signals that end a program which has no terminal.
struct EndSignals([Signal; 3]);

impl EndSignals {
    fn catch() -> io::Result<Self> {
        Ok(Self([
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    /// Waits for one of them.
    async fn come(&mut self) {
        let [terminate, interrupt, hangup] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
