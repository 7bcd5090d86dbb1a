//! What a client asks of a terminal's host, and what it answers.
//!
//! One request and one answer for each connection, a line of JSON each. The values of the answers
//! are those that `--json` prints and that tools return.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::exec::{JobAnswer, JobRequest};
use super::keys::KeyWords;
use crate::screen::Size;

/// Longest text that is typed at once, in bytes.
pub const LONGEST_TEXT: usize = 4 << 20;

/// What is said of text that is longer.
pub(crate) fn too_long() -> String {
    format!("at most {LONGEST_TEXT} bytes are typed at once")
}

/// Longest request, in bytes. JSON has six for a control character.
pub const LONGEST_REQUEST: usize = 6 * LONGEST_TEXT + (1 << 20);

/// A request, with the secret of the agent that makes it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The agent's secret; none where the user asks as the operator.
    pub agent: Option<String>,
    /// What is asked.
    pub request: Request,
}

/// What is asked of a terminal.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[serde(deny_unknown_fields)]
pub enum Request {
    /// Its row in a list.
    Status,
    /// Wait until it can take a command, and say what was shown at the start.
    Started {
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Type, and wait for what comes of it.
    Send {
        /// The text.
        text: String,
        /// Whether Enter follows.
        submit: bool,
        /// Whether to answer at once and to wait as a task.
        background: bool,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Press keys.
    Keys {
        /// The keys.
        words: Vec<String>,
        /// How the words are meant.
        how: Words,
        /// How often.
        times: u32,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Type as one piece that the program does not take for keys.
    Paste {
        /// The text.
        text: String,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Type as `terminal_execute` does: only where the shell is as that wants it.
    Execute {
        /// What to type.
        typing: Typing,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Lines of the history.
    Read {
        /// Newest lines to leave out.
        offset: u64,
        /// Most lines.
        count: u64,
        /// The first line, counted from the first one ever as 1, instead of `offset`.
        from: Option<u64>,
    },
    /// The screen as it stands.
    Screen,
    /// Wait without typing anything.
    Wait {
        /// For what.
        until: Until,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// Signal the foreground process group.
    Signal {
        /// The signal's name.
        signal: String,
    },
    /// Another size.
    Resize {
        /// Columns; as many as there are where there is no number.
        cols: Option<u16>,
        /// Rows; as many as there are where there is no number.
        rows: Option<u16>,
    },
    /// A block of what was shown since the last one.
    Freeze,
    /// The same program again, in the same folder.
    Restart {
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// The end of the terminal and of everything in it.
    Close,
    /// What a task has to say.
    Output {
        /// The task.
        task: String,
        /// Whether to wait for its end.
        wait_for_end: bool,
        /// How to wait and how much to answer.
        wait: Waiting,
    },
    /// The end of a task.
    Kill {
        /// The task.
        task: String,
    },
    /// The end of a task, without what it has to say.
    TaskEnd {
        /// The task.
        task: String,
        /// How long to wait.
        wait: Waiting,
    },
    /// All tasks.
    Tasks,
    /// The connection becomes a view of the terminal: its output one way, frames of input the other.
    Attach {
        /// Whether nothing may be typed.
        read_only: bool,
    },
    /// What is asked of a job.
    Job(JobRequest),
}

/// How to wait and how much to answer.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Waiting {
    /// The longest wait in milliseconds.
    pub timeout_ms: u64,
    /// The longest text of an answer in bytes.
    pub max_bytes: usize,
}

/// What `terminal_execute` types.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Typing {
    /// Nothing: only wait.
    Nothing,
    /// A command, where none runs.
    Command {
        /// The text.
        text: String,
        /// Whether Enter follows.
        enter: bool,
    },
    /// Text for what runs.
    Input {
        /// The text.
        text: String,
        /// Whether Enter follows.
        enter: bool,
    },
    /// A key by its name.
    Key {
        /// The name.
        name: String,
        /// Whether it is for what runs only.
        input: bool,
    },
}

/// How words that are keys are meant.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Words {
    /// Names of keys, else text.
    Names,
    /// Text.
    Literal,
    /// Bytes in hexadecimal digits.
    Hex,
}

impl From<Words> for KeyWords {
    fn from(words: Words) -> Self {
        match words {
            Words::Names => Self::Names,
            Words::Literal => Self::Literal,
            Words::Hex => Self::Hex,
        }
    }
}

/// What to wait for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// A prompt, or a program that waits for input.
    Ready,
    /// The end of the program.
    Exit,
    /// Text on the screen or in the history that matches.
    Text(String),
    /// A screen with another hash.
    ScreenChange(String),
    /// Silence of so many milliseconds.
    Quiet(u64),
}

/// An answer.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// It was done.
    Done(Value),
    /// It was not, and why.
    Error(Refusal),
}

/// Why something was not done.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal it is.
    pub code: Code,
    /// A sentence.
    pub message: String,
}

/// Kinds of refusals.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// There is no such terminal, or it is another agent's.
    NoSession,
    /// It is no more, but was.
    Closed,
    /// The program in it has ended.
    Exited,
    /// It is being closed.
    Closing,
    /// Another send waits for its end.
    SendActive,
    /// One does in the background, as the task that the sentence ends with.
    TaskActive,
    /// A program runs that does not wait for a command.
    Busy,
    /// The request is wrong.
    Invalid,
    /// There is no such task.
    NoTask,
    /// The system refused.
    System,
}

/// What was done.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// A row of a list.
    Status(Row),
    /// What was shown, and why the wait is over.
    Sent(Sent),
    /// The same for `terminal_execute`.
    Executed(Box<Executed>),
    /// The task that waits.
    Task(TaskStarted),
    /// Lines.
    Lines(Lines),
    /// The screen.
    Screen(ScreenNow),
    /// Who got a signal.
    Signalled(Signalled),
    /// A block, if there was anything to be one.
    Frozen(Frozen),
    /// The end.
    Closed(Closed),
    /// What a task said.
    Output(TaskOutput),
    /// What became of the wish to end a task.
    Killed(TaskKilled),
    /// Tasks.
    Tasks(Vec<TaskRow>),
    /// A view begins.
    Attached,
    /// The size now.
    Size(SizeNow),
    /// What a job answers.
    Job(JobAnswer),
}

/// A terminal in a list.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its id, which is that of its artifact.
    pub session_id: String,
    /// What its agent calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `shell` or `command`; `unknown` where its host does not answer.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of its program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Whether its program runs.
    pub status: Status,
    /// Where that program is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What is in its foreground, if that is not the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The size; none where its host does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeNow>,
}

impl Row {
    /// What is known of a terminal whose host does not answer.
    pub(super) fn unresponsive(session_id: String) -> Self {
        Self {
            session_id,
            name: None,
            kind: "unknown".to_owned(),
            pid: None,
            status: Status::Unresponsive,
            cwd: None,
            inside: None,
            size: None,
        }
    }
}

/// A size in cells.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct SizeNow {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl From<Size> for SizeNow {
    fn from(size: Size) -> Self {
        Self { cols: size.cols, rows: size.rows }
    }
}

/// Whether a program runs.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Status {
    /// It does.
    Running,
    /// It does not.
    Exited {
        /// Its exit code, if it ended by itself.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<String>,
    },
    /// Nobody knows: its host does not answer.
    Unresponsive,
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// The shell said that it is at its prompt.
    Prompt,
    /// A program was seen to wait for input.
    StdinRead,
    /// Nothing was printed for a while; whether anything ended is not known.
    InferredIdle,
    /// The time is over; whether anything ended is not known.
    Timeout,
    /// The program in the terminal ended.
    SessionExit,
    /// What was waited for is there: text, another screen, silence.
    Met,
}

/// What was shown since the last answer, and why the wait is over.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sent {
    /// The terminal.
    pub session_id: String,
    /// The text.
    #[serde(flatten)]
    pub shown: Shown,
    /// Why the wait is over.
    pub wait_reason: WaitReason,
    /// Whether the program in the terminal runs.
    pub session_status: Status,
    /// The exit code of the command, where the shell told one.
    pub exit_code: Option<i64>,
    /// Where the shell is, where it told that.
    pub cwd: Option<String>,
    /// What is beside all that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// A program waits for a line that is not shown, such as a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub echo_off: bool,
    /// The shell wants more of the command.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continuation: bool,
    /// What is in the foreground, if that is not the shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
}

/// What was shown since the last answer, and where it is.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Executed {
    /// The answer.
    pub sent: Sent,
    /// Where its lines are; none where it is a screen.
    pub parts: Vec<Part>,
    /// What the shell said last of how something ended, as `$?` has it; none where nothing ended of
    /// what was typed.
    pub last_status: Option<i64>,
    /// A command that ended before this one was typed, and of which no answer told.
    pub previous: Option<Previous>,
    /// What stands at the prompt behind it, where something that was typed may; empty where it is
    /// not known.
    pub standing: Option<String>,
    /// Whether the shell edits a command line now.
    pub is_idle: bool,
    /// Where the blocks are.
    pub codex_home: PathBuf,
    /// The same as whoever opened the terminal named it.
    pub given_home: Option<PathBuf>,
}

/// A command of whose end no answer told.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Previous {
    /// How it ended, where the shell told that.
    pub exit_code: Option<i64>,
}

/// Lines of a block that are new.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The block.
    pub block_id: String,
    /// Its first such line, counted from 1.
    pub from: u64,
    /// Its last.
    pub to: u64,
    /// The first line of which there is text in the answer; behind the last where there is none.
    pub shown: u64,
    /// Whether the beginning of that line is not there.
    pub is_cut: bool,
    /// What of the block is a prompt and what was typed at it.
    pub echo: Vec<Region>,
    /// Whether it is output of a command that ended before.
    pub is_earlier: bool,
}

/// A part of a block's text. Each end is a line, counted from 1, and the code points before it in
/// that line.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// Where it begins.
    pub from: (u64, u64),
    /// Where it ends.
    pub to: (u64, u64),
}

/// Text that was shown.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its lines, as far as the answer may be long.
    pub viewport: String,
    /// Whether it is the screen of a full-screen program, all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_screen: bool,
    /// Whether something was left out.
    pub truncated: bool,
    /// What was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omitted>,
    /// How many lines at the beginning were in an answer before and have changed since.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines_again: u64,
    /// Whether the bell rang.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bell: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Lines that an answer does not hold, and where they are.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// The block.
    pub block_id: String,
    /// Its first such line, counted from 1.
    pub from: u64,
    /// Its last.
    pub to: u64,
    /// Code points of the text that is left out, where the last line is left out in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chars: Option<u64>,
    /// Arguments of `terminal-session-blocks` that print just that.
    pub arguments: String,
}

/// A task that waits for the end of a send.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// Its id.
    pub task_id: String,
}

/// Lines of the history.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lines {
    /// The lines.
    pub text: String,
    /// Lines that there are.
    pub total_lines: u64,
    /// The newest of them, counted back from the newest of all as 0.
    pub line_begin: u64,
    /// Behind the oldest of them, counted in the same way.
    pub line_end: u64,
    /// The first of them, counted from the first one ever as 1; 0 where there are none.
    pub first_line: u64,
    /// The last of them; 0 where there are none.
    pub last_line: u64,
    /// Whether lines of the wanted ones are not here: they are in blocks.
    pub truncated: bool,
    /// Lines at the beginning that are in blocks only.
    pub lines_in_blocks: u64,
    /// Lines before these that were wanted, and left out because the text would be too long.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines_left_out: u64,
    /// Characters at the beginning of the first line that were left out for the same reason.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chars_left_out: u64,
}

/// The screen.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenNow {
    /// Its rows.
    pub text: String,
    /// The size.
    pub size: SizeNow,
    /// The cursor's row, from 0.
    pub cursor_row: usize,
    /// The cursor's column, from 0.
    pub cursor_col: usize,
    /// The title.
    pub title: String,
    /// Whether it is that of a full-screen program.
    pub alternate_screen: bool,
    /// A hash of the text.
    pub hash: String,
}

/// Who got a signal.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signalled {
    /// Always.
    pub delivered: bool,
    /// The process group.
    pub target_pgid: i32,
}

/// A block that was made.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Frozen {
    /// Its id; none where nothing was shown since the last one.
    pub block_id: Option<String>,
}

/// The end of a terminal.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// The terminal.
    pub session_id: String,
    /// Who ended it.
    pub outcome: CloseOutcome,
    /// Processes that could not be ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<i32>,
}

/// Who ended a terminal.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CloseOutcome {
    /// This request.
    Closed,
    /// Something before it.
    AlreadyClosing,
}

/// What a task said.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskOutput {
    /// The task.
    pub task_id: String,
    /// What is new.
    #[serde(flatten)]
    pub shown: Shown,
    /// What is beside all that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How far it is.
    pub status: TaskStatus,
}

/// How far a task is.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TaskStatus {
    /// It waits.
    Running,
    /// Its wait is over.
    Completed {
        /// Why.
        wait_reason: WaitReason,
        /// The exit code of the command.
        exit_code: Option<i64>,
        /// Whether the program in the terminal runs.
        session_status: Status,
    },
    /// Its wait is over after it was told to end.
    Killed {
        /// Why.
        wait_reason: WaitReason,
        /// Whether the program in the terminal runs.
        session_status: Status,
    },
}

/// What became of the wish to end a task.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskKilled {
    /// The task.
    pub task_id: String,
    /// What it was.
    pub status: TaskStatus,
    /// Whether it was over already.
    pub already_finished: bool,
}

/// A task in a list.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    /// Its id.
    pub task_id: String,
    /// The terminal and what was typed.
    pub label: String,
    /// How far it is.
    pub status: TaskStatus,
}
