//! Requests and answers.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, InitializeResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, model};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use super::announce::Announcer;
use super::arguments::Arguments;
use super::call::Call;
use super::catalogue::tools;
use super::delivery::Deliveries;
use super::instructions::instructions;
use super::loudness::Loudness;
use super::progress::Progress;
use super::session::Session;
use super::tool::{Answer, Hints, ToolSpec};
use super::tool_error::ToolError;
use crate::live::HangUp;

/// Calls at a time that wait for something to happen, and those that do not, which have room of
/// their own; each has a thread and two descriptors. One more is refused: a client that waits for its
/// turn without an end is worse off than one that knows.
const MOST_WAITING: usize = 256;
const MOST_QUICK: usize = 128;
/// All of them.
pub(super) const MOST_CALLS: usize = MOST_WAITING + MOST_QUICK;

/// What answers a client.
pub(super) struct Server {
    session: Arc<Session>,
    waiting: Arc<Semaphore>,
    quick: Arc<Semaphore>,
    loudness: Loudness,
    deliveries: Deliveries,
}

impl Server {
    pub(super) fn new(session: Arc<Session>, deliveries: Deliveries) -> Self {
        let waiting = Arc::new(Semaphore::new(MOST_WAITING));
        let quick = Arc::new(Semaphore::new(MOST_QUICK));
        Self { session, waiting, quick, loudness: Loudness::default(), deliveries }
    }

    /// Room for a call, for as long as it works.
    fn turn(&self, waits: bool) -> Result<OwnedSemaphorePermit, ToolError> {
        let (turns, most, which) = match waits {
            true => (&self.waiting, MOST_WAITING, "that wait "),
            false => (&self.quick, MOST_QUICK, ""),
        };
        Arc::clone(turns).try_acquire_owned().map_err(|_| {
            ToolError::new(format!(
                "too many calls {which}at a time (at most {most}); let one end, or cancel one"
            ))
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        #[expect(deprecated, reason = "clients speak older versions of the protocol")]
        let capabilities = ServerCapabilities::builder().enable_logging().enable_tools().build();
        let this = Implementation::new("terminal-session", env!("CARGO_PKG_VERSION"));
        InitializeResult::new(capabilities)
            .with_server_info(this.with_title("Terminal sessions"))
            .with_instructions(instructions(&self.session.options.groups))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools(&self.session.options.groups).into_iter().map(described).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tools = tools(&self.session.options.groups);
        let Some(tool) = tools.into_iter().find(|tool| tool.name == request.name) else {
            let message = format!("unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let given = request.arguments.unwrap_or_default();
        let most = (tool.waits)(&given).map(|milliseconds| milliseconds / 1000.0);
        let turn = match self.turn(most.is_some()) {
            Ok(turn) => turn,
            Err(error) => return Ok(answer(Ok(Err(error))).into()),
        };
        let token = context.meta.get_progress_token();
        let mut progress = token.map(|token| Progress::new(context.peer.clone(), token, most));
        let signs = async {
            match &mut progress {
                Some(progress) => progress.go_on().await,
                None => std::future::pending().await,
            }
        };
        let hang_up = HangUp::default();
        let announcer = Announcer::new(context.peer.clone(), self.loudness.clone());
        let work = {
            let (session, hang_up) = (Arc::clone(&self.session), hang_up.clone());
            let run = move || {
                let _turn = turn;
                let call = Call::begin(&session, hang_up, announcer);
                (tool.run)(&call, Arguments::new(Some(given)))
            };
            spawn_blocking(run)
        };
        tokio::pin!(work);
        let mut outcome = tokio::select! {
            outcome = &mut work => outcome,
            () = context.ct.cancelled() => {
                // The wait ends, and nothing else.
                hang_up.now();
                work.await
            }
            () = signs => return Err(ErrorData::internal_error("progress has no end", None)),
        };
        if let Ok(Ok(answer)) = &mut outcome
            && let Some(delivery) = answer.delivery.take()
        {
            let end = context.ct.clone();
            let end = async move { end.cancelled().await };
            self.deliveries.hold(context.id.clone(), delivery, end);
        }
        Ok(answer(outcome).into())
    }

    #[expect(deprecated, reason = "clients speak older versions of the protocol")]
    async fn set_level(
        &self,
        request: model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let is_quiet =
            !matches!(request.level, model::LoggingLevel::Debug | model::LoggingLevel::Info);
        self.loudness.be_quiet(is_quiet);
        Ok(())
    }
}

/// A tool as clients are told of it.
fn described(tool: &ToolSpec) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title);
    let hints = match tool.hints {
        Hints::ReadOnly => hints.read_only(true).open_world(false),
        Hints::Reads => hints.read_only(false).destructive(false).open_world(false),
        Hints::Adds => hints.read_only(false).destructive(false).open_world(true),
        Hints::Acts => hints.read_only(false).destructive(true).open_world(true),
        Hints::Ends => hints.read_only(false).destructive(true).idempotent(true).open_world(false),
    };
    Tool::new(tool.name, tool.description, tool.schema()).with_annotations(hints)
}

/// What a model gets to see.
fn answer(outcome: Result<Result<Answer, ToolError>, JoinError>) -> CallToolResult {
    let failed = |message: String| {
        CallToolResult::error(vec![ContentBlock::text(format!("Error: {message}"))])
    };
    match outcome {
        Ok(Ok(answer)) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
            result.structured_content = Some(answer.value);
            result.is_error = Some(answer.is_error);
            result
        }
        Ok(Err(error)) => failed(crate::text::sanitize_line(&error.to_string()).into_owned()),
        Err(_) => failed("the call ended early; nothing is known of what came of it".to_owned()),
    }
}
