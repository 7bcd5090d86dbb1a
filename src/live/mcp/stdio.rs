//! Messages over stdin and stdout, a line each.

use std::collections::HashSet;
use std::fs::File;
use std::future::Future;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use rmcp::model::{ClientNotification, ErrorCode, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::lines::{Line, Lines};
use super::message::{Said, read, wrong};
use super::unwritten::Unwritten;
use crate::live::wire::LONGEST_REQUEST;

/// A client on stdin and stdout. Clones are of the same one: a connection that did not come about
/// is tried again with another.
#[derive(Clone)]
pub(super) struct Stdio {
    input: Arc<Mutex<Input>>,
    output: Arc<Mutex<tokio::fs::File>>,
    /// Requests that are not answered yet.
    open: Arc<std::sync::Mutex<HashSet<RequestId>>>,
    unwritten: Unwritten,
}

struct Input {
    lines: Lines<tokio::fs::File>,
    /// An answer to what was wrong. No more is read before it is written.
    saying: Option<JoinHandle<io::Result<()>>>,
}

impl Stdio {
    /// Under numbers of their own: others may hold the lock of stdout.
    pub(super) fn open() -> io::Result<Self> {
        let own = |stream: BorrowedFd<'_>| {
            let stream = stream.try_clone_to_owned()?;
            Ok::<_, io::Error>(tokio::fs::File::from_std(File::from(stream)))
        };
        let (input, output) = (own(io::stdin().as_fd())?, own(io::stdout().as_fd())?);
        let lines = Lines::new(input, LONGEST_REQUEST);
        Ok(Self {
            input: Arc::new(Mutex::new(Input { lines, saying: None })),
            output: Arc::new(Mutex::new(output)),
            open: Arc::default(),
            unwritten: Unwritten::default(),
        })
    }

    /// What the next line is.
    fn read(&self, line: Line) -> Said {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong => {
                let message = format!("a message must not be longer than {LONGEST_REQUEST} bytes");
                return Said::Wrong(wrong(Value::Null, ErrorCode::INVALID_REQUEST, message));
            }
            Line::End => return Said::Nothing,
        };
        let said = read(&line);
        if let Said::Message(message) = &said
            && let Some(id) = self.note(message)
        {
            let message = "a request with this \"id\" is not answered yet";
            return Said::Wrong(wrong(id.into_json_value(), ErrorCode::INVALID_REQUEST, message));
        }
        said
    }

    /// Notes which requests are open; the id that is used a second time.
    fn note(&self, message: &RxJsonRpcMessage<RoleServer>) -> Option<RequestId> {
        let mut open = self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match message {
            JsonRpcMessage::Request(request) if !open.insert(request.id.clone()) => {
                return Some(request.id.clone());
            }
            JsonRpcMessage::Notification(notice) => {
                // What is cancelled gets no answer.
                if let ClientNotification::CancelledNotification(it) = &notice.notification
                    && let Some(id) = &it.params.request_id
                {
                    open.remove(id);
                }
            }
            _ => {}
        }
        None
    }

    /// Notes that a request is answered.
    fn note_answer(&self, message: &TxJsonRpcMessage<RoleServer>) {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let mut open = self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        id.map(|id| open.remove(id)).unwrap_or_default();
    }

    async fn write(self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        let mut output = self.output.lock().await;
        output.write_all(&line).await?;
        output.flush().await
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.note_answer(&message);
        let line = serde_json::to_vec(&message);
        let held = self.unwritten.hold(line.as_ref().map_or(0, Vec::len));
        let this = self.clone();
        async move {
            let written = this.write(line?).await;
            drop(held);
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        // Whoever stops waiting here loses nothing: all that was begun is kept in there.
        let mut input = self.input.lock().await;
        loop {
            if let Some(saying) = &mut input.saying {
                let said = saying.await;
                input.saying = None;
                // Nobody is there who could hear more.
                said.ok()?.ok()?;
            }
            // Who does not listen is not listened to.
            self.unwritten.room().await;
            let line = input.lines.next().await;
            if line == Line::End {
                return None;
            }
            match self.read(line) {
                Said::Message(message) => return Some(*message),
                Said::Wrong(answer) => {
                    let line = answer.to_string().into_bytes();
                    input.saying = Some(tokio::spawn(self.clone().write(line)));
                }
                Said::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
