//! All that the stream changes.

use super::buffer::{Buffer, Saved};
use super::charset::Charsets;
use super::events::Events;
use super::modes::Modes;
use super::parser::{Action, Parser};
use super::reply_queue::Replies;
use super::size::{Scrollback, Size};
use super::style::{Attributes, Style};

/// Columns and rows of the grid of a screen of this size: at least two columns, as in xterm.js, so
/// that every character has room.
pub(super) fn grid(size: Size) -> (usize, usize) {
    (usize::from(size.cols).max(2), usize::from(size.rows))
}

/// The state of a terminal.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    pub(super) size: Size,
    pub(super) normal: Buffer,
    pub(super) alternate: Buffer,
    pub(super) alternate_active: bool,
    /// The style of what is written.
    pub(super) pen: Style,
    /// Underline style and link of the pen. Restoring a saved pen leaves them alone, and they
    /// count again at the next change of either.
    extension: Attributes,
    pub(super) charsets: Charsets,
    pub(super) modes: Modes,
    /// Columns of the character just printed, which a mark may join; 0 after anything else.
    pub(super) joinable: u8,
    /// Whether the last input was a character that is shown.
    pub(super) in_run: bool,
    pub(super) title: String,
    /// How often the program erased the history of the normal buffer.
    pub(super) history_erasures: u64,
    pub(super) events: Events,
    pub(super) replies: Replies,
}

impl Terminal {
    pub(super) fn new(size: Size, scrollback: Scrollback) -> Self {
        let (cols, rows) = grid(size);
        Self {
            size,
            normal: Buffer::normal(cols, rows, scrollback),
            alternate: Buffer::empty(cols, rows, 0),
            alternate_active: false,
            pen: Style::default(),
            extension: Attributes::default(),
            charsets: Charsets::default(),
            modes: Modes::default(),
            joinable: 0,
            in_run: false,
            title: String::new(),
            history_erasures: 0,
            events: Events::default(),
            replies: Replies::default(),
        }
    }

    /// The buffer that is shown.
    pub(super) fn buffer(&self) -> &Buffer {
        if self.alternate_active { &self.alternate } else { &self.normal }
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn buffer_mut(&mut self) -> &mut Buffer {
        if self.alternate_active { &mut self.alternate } else { &mut self.normal }
    }

    /// Does what a piece of input asks for.
    pub(super) fn act(&mut self, action: Action, parser: &Parser) {
        match action {
            Action::None => {
                self.in_run = false;
                return;
            }
            Action::Print(c) => return self.print(c),
            Action::Execute(c) => self.control(c),
            Action::Esc(last) => self.escape(parser.collected(), last),
            Action::Csi(last) => self.csi(parser.collected(), last, parser.params()),
            Action::Osc => self.osc(parser.string()),
            Action::Dcs(collected, last) => self.dcs(collected, last, parser.string()),
            Action::Ended => {}
        }
        self.end_run();
    }

    /// Ends a run of characters that are shown: no mark joins the last of them any more.
    pub(super) fn end_run(&mut self) {
        self.joinable = 0;
        self.in_run = false;
    }

    /// Moves the cursor into the screen, or the scroll region in origin mode. `last` is the last
    /// column it may be in.
    pub(super) fn restrict_cursor_to(&mut self, last: usize) {
        let origin = self.modes.origin;
        let buffer = self.buffer_mut();
        buffer.x = buffer.x.min(last);
        buffer.y = if origin {
            buffer.y.max(buffer.top).min(buffer.bottom)
        } else {
            buffer.y.min(buffer.rows - 1)
        };
    }

    pub(super) fn restrict_cursor(&mut self) {
        self.restrict_cursor_to(self.buffer().cols - 1);
    }

    /// Puts the cursor at a column and a row; rows count from the scroll region in origin mode.
    pub(super) fn set_cursor(&mut self, x: usize, y: usize) {
        let origin = self.modes.origin;
        let buffer = self.buffer_mut();
        buffer.x = x;
        buffer.y = if origin { y.saturating_add(buffer.top) } else { y };
        self.restrict_cursor();
    }

    /// Moves the cursor by columns and rows.
    pub(super) fn move_cursor(&mut self, dx: isize, dy: isize) {
        self.restrict_cursor();
        let (x, y) = (self.buffer().x, self.buffer().y);
        self.set_cursor(x.saturating_add_signed(dx), y.saturating_add_signed(dy));
    }

    pub(super) fn reset_pen(&mut self) {
        self.pen = Style::default();
        self.extension = Attributes::default();
    }

    /// Sets `part` of underline style and link of the pen to `value`.
    pub(super) fn extend_pen(&mut self, part: Attributes, value: Attributes) {
        self.extension = self.extension.without(part) | value;
        self.pen.attributes = self.pen.attributes.with_extension(self.extension);
    }

    /// DECSC.
    pub(super) fn save_cursor(&mut self) {
        let (style, charset) = (self.pen, self.charsets.current());
        let buffer = self.buffer_mut();
        buffer.saved.x = buffer.x;
        buffer.saved.y = buffer.base + buffer.y;
        buffer.saved.style = style;
        buffer.saved.charset = charset;
    }

    /// DECRC.
    pub(super) fn restore_cursor(&mut self) {
        let buffer = self.buffer_mut();
        let saved = buffer.saved;
        buffer.x = saved.x;
        buffer.y = saved.y.saturating_sub(buffer.base);
        self.pen = saved.style;
        let attributes = saved.style.attributes;
        if attributes.contains(Attributes::EXTENDED) {
            let kept = attributes.with_extension(self.extension);
            self.pen.attributes = kept | Attributes::EXTENDED;
        }
        self.charsets.restore(saved.charset);
        self.restrict_cursor();
    }

    /// Shows the alternate buffer, blank; the cursor stays where it is.
    pub(super) fn enter_alternate(&mut self) {
        if self.alternate_active {
            return;
        }
        let fill = self.pen.erased();
        self.alternate.x = self.normal.x;
        self.alternate.y = self.normal.y;
        self.alternate.fill(fill);
        self.alternate_active = true;
    }

    /// Shows the normal buffer again.
    pub(super) fn leave_alternate(&mut self) {
        if !self.alternate_active {
            return;
        }
        self.normal.x = self.alternate.x;
        self.normal.y = self.alternate.y;
        self.alternate.clear();
        self.alternate_active = false;
    }

    /// RIS: as at the start, but for what the owner set.
    pub(super) fn reset(&mut self) {
        self.history_erasures += 1;
        self.normal.reset();
        self.alternate.clear();
        self.alternate.saved = Saved::default();
        self.alternate_active = false;
        self.reset_pen();
        self.charsets = Charsets::default();
        let line_feed_returns = self.modes.line_feed_returns;
        self.modes = Modes { line_feed_returns, ..Modes::default() };
    }

    /// DECSTR.
    pub(super) fn soft_reset(&mut self) {
        let (tracking, encoding) = (self.modes.mouse_tracking, self.modes.mouse_encoding);
        self.modes = Modes {
            mouse_tracking: tracking,
            mouse_encoding: encoding,
            line_feed_returns: self.modes.line_feed_returns,
            ..Modes::default()
        };
        self.reset_pen();
        self.charsets = Charsets::default();
        let (style, charset) = (self.pen, self.charsets.current());
        let buffer = self.buffer_mut();
        buffer.top = 0;
        buffer.bottom = buffer.rows - 1;
        buffer.saved.x = 0;
        buffer.saved.y = buffer.base;
        buffer.saved.style = style;
        buffer.saved.charset = charset;
    }
}
