//! The terminal emulator: what a stream of bytes looks like on a screen.
//!
//! It follows what `@xterm/headless` 6.0.0 can be seen to do, down to where cells were never
//! written, because that is what the stored form of a screen ([`crate::snapshot`]) is made of.
//!
//! - `utf8`, `parser`, `params`: bytes to characters to sequences; `unfinished`: half of one.
//! - `terminal`: the state that these change; `print`, `control`, `escape`, `csi`, `erase`, `sgr`,
//!   `mode`, `osc` and `dcs` are what each kind of input does to it, `replies` what it answers.
//! - `buffer`, `row`, `draft`, `line`, `packed`, `cell`, `combined`, `style`: what is on the screen;
//!   `resize`, `reflow`: what becomes of it when the size changes; `restart`: beginning again;
//!   `history`: doing without one; `row_ref`, `content`: reading it.
//! - `widths`, `charset`, `tabs`, `modes`, `events`, `reply_queue`, `size`: the small parts.

mod buffer;
mod cell;
mod charset;
mod combined;
mod content;
mod control;
mod csi;
mod dcs;
mod draft;
mod erase;
mod escape;
mod events;
mod history;
mod line;
mod mode;
mod modes;
mod osc;
mod packed;
mod params;
mod parser;
mod print;
mod reflow;
mod replies;
mod reply_queue;
mod resize;
mod restart;
mod row;
mod row_ref;
mod scan;
mod sgr;
mod size;
mod style;
mod tabs;
mod terminal;
mod unfinished;
mod utf8;
#[rustfmt::skip]
mod width_table;
mod widths;

pub(crate) use widths::width as char_width;

pub use buffer::Buffer;
pub(crate) use content::{Content, Span};
pub use events::Event;
pub use modes::{Modes, MouseEncoding, MouseTracking};
pub(crate) use reply_queue::MOST_REPLIES;
pub use row_ref::{CellRef, RowRef};
pub use size::{Scrollback, Size};
pub use style::{Attributes, Color, ColorKind, Style};

use parser::{Action, Parser};
use terminal::Terminal;
use utf8::{Decoded, Decoder};

/// Is never seen by the parser, wherever it stands.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the cursor is, counted from the top left cell of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cursor {
    /// The row.
    pub row: usize,
    /// The column; as many as there are columns where it waits behind the last one.
    pub col: usize,
}

/// A terminal's screen, fed with the bytes that programs write to it.
#[derive(Clone, Debug)]
pub struct Screen {
    decoder: Decoder,
    parser: Parser,
    terminal: Terminal,
}

impl Screen {
    /// An empty screen.
    pub fn new(size: Size, scrollback: Scrollback) -> Self {
        Self {
            decoder: Decoder::default(),
            parser: Parser::default(),
            terminal: Terminal::new(size, scrollback),
        }
    }

    /// Collects events from now on, for [`Self::take_events`].
    #[must_use]
    pub fn with_events(mut self) -> Self {
        self.terminal.events.want();
        self
    }

    /// Collects replies from now on, for [`Self::take_replies`].
    #[must_use]
    pub fn with_replies(mut self) -> Self {
        self.terminal.replies.want();
        self
    }

    /// Takes the next bytes of the stream, which may end anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let taken = if self.parser.is_ground() && self.decoder.is_idle() {
                self.feed_quickly(rest)
            } else {
                0
            };
            rest = &rest[taken..];
            if let Some((&byte, after)) = rest.split_first() {
                self.feed_byte(byte);
                rest = after;
            }
        }
        self.terminal.alternate.sync_twins();
    }

    /// Takes plain text, line ends and control sequences of the usual form, as long as there is
    /// nothing else; how many bytes that was.
    fn feed_quickly(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            let len = scan::plain_len(rest);
            let after = &rest[len..];
            if len > 0 {
                self.terminal.print_plain(rest, len);
                at += len;
            }
            match after {
                [b'\x1b', b'[', b'm', ..] => {
                    self.terminal.reset_style();
                    self.terminal.end_run();
                    at += 3;
                }
                [b'\x1b', b'[', b'0', b'm', ..] => {
                    self.terminal.reset_style();
                    self.terminal.end_run();
                    at += 4;
                }
                [b'\x1b', b'[', sequence @ ..] => {
                    let Some((len, last)) = self.parser.csi_at_once(sequence) else {
                        return at;
                    };
                    if last == b'm' {
                        self.terminal.sgr(self.parser.params());
                        self.terminal.end_run();
                    } else {
                        self.terminal.act(Action::Csi(last), &self.parser);
                    }
                    at += 2 + len;
                }
                [b'\r', b'\n', ..] => {
                    self.terminal.carriage_return();
                    self.terminal.line_feed();
                    self.terminal.end_run();
                    at += 2;
                }
                [byte @ (b'\r' | b'\n'), ..] => {
                    self.terminal.act(Action::Execute(char::from(*byte)), &self.parser);
                    at += 1;
                }
                _ => return at,
            }
        }
    }

    fn feed_byte(&mut self, byte: u8) {
        loop {
            match self.decoder.push(byte) {
                Decoded::Pending => return,
                Decoded::Char(c) => return self.push(c),
                Decoded::Broken => self.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }

    /// Ends the stream: a character that is not complete becomes U+FFFD.
    pub fn finish(&mut self) {
        if self.decoder.finish() {
            self.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn push(&mut self, c: char) {
        if c == BYTE_ORDER_MARK {
            return;
        }
        let action = self.parser.push(c);
        self.terminal.act(action, &self.parser);
    }

    /// Changes the size. A character that is not complete yet comes after it.
    pub fn resize(&mut self, size: Size) {
        self.terminal.resize(size);
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.terminal.size
    }

    /// The beginning of a sequence whose end is still to come, so that a fresh screen that is fed
    /// with it goes on as this one; empty between sequences.
    pub fn unfinished_sequence(&self) -> String {
        self.parser.unfinished()
    }

    /// Whether what comes next belongs to a string, such as a title, whose end is still to come.
    pub fn is_in_string(&self) -> bool {
        self.parser.is_in_string()
    }

    /// Whether the alternate buffer is shown.
    pub fn is_alternate(&self) -> bool {
        self.terminal.alternate_active
    }

    /// Where the cursor is in the buffer that is shown.
    pub fn cursor(&self) -> Cursor {
        self.terminal.buffer().cursor()
    }

    /// The title of the window.
    pub fn title(&self) -> &str {
        &self.terminal.title
    }

    /// The modes.
    pub fn modes(&self) -> &Modes {
        &self.terminal.modes
    }

    /// Sequences that give a fresh terminal the character sets of this one.
    pub fn charset_sequences(&self) -> String {
        self.terminal.charsets.sequences()
    }

    /// The style that the next characters get.
    pub fn pen(&self) -> Style {
        self.terminal.pen
    }

    /// What happened since the last call, if [`Self::with_events`] asked for it.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.terminal.events.take()
    }

    /// Answers to queries since the last call, if [`Self::with_replies`] asked for them.
    pub fn take_replies(&mut self) -> Vec<u8> {
        self.terminal.replies.take()
    }

    /// How many rows fell off the scrollback of the normal buffer.
    pub fn dropped_rows(&self) -> u64 {
        self.terminal.normal.dropped
    }

    /// How often the program erased the rows above the screen of the normal buffer, be there any or
    /// not.
    pub fn history_erasures(&self) -> u64 {
        self.terminal.history_erasures
    }

    /// The normal buffer.
    pub fn normal(&self) -> &Buffer {
        &self.terminal.normal
    }

    /// The alternate buffer, which has no scrollback.
    pub fn alternate(&self) -> &Buffer {
        &self.terminal.alternate
    }
}
