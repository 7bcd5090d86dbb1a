//! A server of the Model Context Protocol, driven with the SDK's own client.

use std::fs::File;
use std::future::Future;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest,
    ProgressNotificationParam, ServerResult, Tool,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestHandle, RoleClient, RunningService,
};
use rmcp::{ServiceExt, model};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::live::Live;

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Something that the server told without being asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Progress { progress: f64, total: Option<f64> },
    Notice(Value),
}

/// A client that keeps what it is told.
pub struct Listener(UnboundedSender<Told>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let ProgressNotificationParam { progress, total, .. } = params;
        self.0.send(Told::Progress { progress, total }).unwrap_or_default();
    }

    #[expect(deprecated, reason = "that is what it is called")]
    async fn on_logging_message(
        &self,
        params: model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.send(Told::Notice(params.data)).unwrap_or_default();
    }
}

/// A connection to a server.
pub struct Mcp<'a> {
    live: &'a Live,
    pub client: RunningService<RoleClient, Listener>,
    pub told: UnboundedReceiver<Told>,
    pub server: Server,
}

/// The server's process, which ends with this. Tokio's own would have a handler of SIGCHLD in this
/// process, and interrupt what other tests wait for.
pub struct Server(Child);

impl Server {
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.0.id()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Its exit code, once it has ended.
    pub async fn ended(&mut self) -> Option<i32> {
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended needs no end.
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}

/// Runs a test that waits for several things at a time.
pub fn in_runtime<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

/// Looks again and again until something is so, while the connection goes on.
pub async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "still not so: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

impl Live {
    /// Connects to a server with these arguments.
    pub async fn mcp(&self, args: &[&str]) -> Mcp<'_> {
        let mut command = self.command(&[&["mcp"], args].concat());
        command.env("SHELL", "/bin/bash").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let own = |stream: OwnedFd| tokio::fs::File::from_std(File::from(stream));
        let output = own(server.stdout.take().unwrap().into());
        let stdio = (output, own(server.stdin.take().unwrap().into()));
        let server = Server(server);
        let (sender, told) = unbounded_channel();
        let client = Listener(sender).serve(stdio).await.unwrap();
        Mcp { live: self, client, told, server }
    }
}

fn request(tool: &str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool.to_owned())
        .with_arguments(arguments.as_object().expect("arguments are an object").clone())
}

/// The text of a result.
#[track_caller]
pub fn text(result: &CallToolResult) -> &str {
    assert_eq!(result.content.len(), 1, "{result:?}");
    &result.content[0].as_text().unwrap_or_else(|| panic!("{result:?}")).text
}

impl Mcp<'_> {
    /// Calls a tool, whatever comes of it.
    pub async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        self.client.call_tool(request(tool, &arguments)).await.unwrap()
    }

    /// Calls a tool that does what it is asked for; its value.
    #[track_caller]
    pub fn value(&self, tool: &str, arguments: Value) -> impl Future<Output = Value> {
        let tool = tool.to_owned();
        async move {
            let result = self.call(&tool, arguments).await;
            assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
            result.structured_content.unwrap()
        }
    }

    /// Calls a tool that refuses; why.
    pub async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(
            (result.is_error, &result.structured_content),
            (Some(true), &None),
            "{result:?}"
        );
        let text = text(&result);
        text.strip_prefix("Error: ").unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    /// Begins a call that others go on beside.
    pub async fn begin(&self, tool: &str, arguments: Value) -> RequestHandle<RoleClient> {
        let request =
            ClientRequest::CallToolRequest(CallToolRequest::new(request(tool, &arguments)));
        let options = PeerRequestOptions::no_options();
        self.client.send_cancellable_request(request, options).await.unwrap()
    }

    /// Opens a shell; its id.
    pub async fn open(&self) -> String {
        let opened = self.value("terminal_open", serde_json::json!({"type": "shell"})).await;
        let id = opened["sessionId"].as_str().unwrap().to_owned();
        self.live.remember(&id);
        id
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.client.list_all_tools().await.unwrap()
    }

    /// Ends the connection as a client does; the server's exit code.
    pub async fn end(mut self) -> Option<i32> {
        self.client.close().await.unwrap();
        self.server.ended().await
    }
}

/// The value of a call that was begun.
pub async fn value(begun: RequestHandle<RoleClient>) -> Value {
    match begun.await_response().await.unwrap() {
        ServerResult::CallToolResult(result) => {
            assert_eq!(result.is_error, Some(false), "{result:?}");
            result.structured_content.unwrap()
        }
        other => panic!("{other:?}"),
    }
}
