//! What is asked of a terminal.

use serde::{Deserialize, Serialize};

use super::JobRequest;
use crate::live::keys::KeyWords;

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

impl Typing {
    /// Whether anything is typed.
    pub fn types(&self) -> bool {
        !matches!(self, Self::Nothing)
    }
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
