//! What a program tells the terminal's owner.

/// Something that happened beside the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// BEL outside of a sequence.
    Bell,
    /// OSC 0 or 2: the window has a new title.
    Title(String),
    /// OSC 7: the working directory, as the program wrote it (a `file:` URL).
    WorkingDirectory(String),
    /// OSC 133: a mark of the shell's prompt hook, such as `A` or `D;0`.
    PromptMark(String),
    /// Any other OSC with a number that the screen itself does nothing with.
    Osc {
        /// The number.
        code: u32,
        /// What follows the first semicolon.
        data: String,
    },
}

/// Most events that are kept unread, and most bytes of text in them; later ones are dropped.
const MOST: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 22;

/// Events that nobody has taken yet, if anybody asked for them.
#[derive(Clone, Default, Debug)]
pub(super) struct Events {
    wanted: bool,
    list: Vec<Event>,
    bytes: usize,
}

impl Events {
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    /// Keeps an event; `make` gets the text it is about.
    pub(super) fn push(&mut self, text: &str, make: impl FnOnce(String) -> Event) {
        if self.wanted && self.list.len() < MOST && self.bytes + text.len() <= MOST_BYTES {
            self.bytes += text.len();
            self.list.push(make(text.to_owned()));
        }
    }

    pub(super) fn take(&mut self) -> Vec<Event> {
        self.bytes = 0;
        std::mem::take(&mut self.list)
    }
}
