//! A connection, from the first byte to the last.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use rmcp::ServiceExt;
use rmcp::service::{RoleServer, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use thiserror::Error;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::delivery::{Deliveries, Delivering};
use super::options::McpOptions;
use super::server::{MOST_CALLS, Server};
use super::session::Session;
use crate::live::LiveError;
use crate::live::wire::LONGEST_REQUEST;
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
    /// The client did not begin as the protocol has it.
    #[error("the client did not begin with initialize")]
    Beginning,
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

async fn connection(session: &std::sync::Arc<Session>) -> Result<(), ServeError> {
    let mut end = EndSignals::catch()?;
    let deliveries = Deliveries::default();
    let transport = Delivering { way: stdio()?, deliveries: deliveries.clone() };
    let server = Server::new(session.clone(), deliveries);
    let service = tokio::select! {
        service = server.serve(transport) => match service {
            Ok(service) => service,
            // Who says nothing needs no answer.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(ServerInitializeError::TransportError { .. }) => return Ok(()),
            Err(_) => return Err(ServeError::Beginning),
        },
        () = end.come() => return Ok(()),
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

/// Stdin and stdout under numbers of their own: others may hold the lock of stdout.
fn stdio() -> io::Result<AsyncRwTransport<RoleServer, tokio::fs::File, tokio::fs::File>> {
    let own = |stream: std::os::fd::BorrowedFd<'_>| {
        let stream = stream.try_clone_to_owned()?;
        Ok::<_, io::Error>(tokio::fs::File::from_std(File::from(stream)))
    };
    let (input, output) = (own(io::stdin().as_fd())?, own(io::stdout().as_fd())?);
    Ok(AsyncRwTransport::new(input, output).with_max_line_length(LONGEST_REQUEST))
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
