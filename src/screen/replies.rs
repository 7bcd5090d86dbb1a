//! Answers to queries.

use super::modes::{MouseEncoding, MouseTracking};
use super::params::Params;
use super::style::Attributes;
use super::terminal::Terminal;

/// Width and height of a cell in pixels, for programs that ask; nothing is drawn here.
const CELL: (usize, usize) = (8, 16);

/// What a mode is, as DECRPM puts it.
#[derive(Clone, Copy)]
enum ModeState {
    Unknown = 0,
    Set = 1,
    Reset = 2,
    AlwaysSet = 3,
    AlwaysReset = 4,
}

impl From<bool> for ModeState {
    fn from(is_set: bool) -> Self {
        if is_set { Self::Set } else { Self::Reset }
    }
}

impl Terminal {
    /// DSR: 5 is whether all is well, 6 where the cursor is.
    pub(super) fn report_status(&mut self, what: u32, private: bool) {
        let buffer = self.buffer();
        let (row, col) = (buffer.y + 1, buffer.x + 1);
        match (what, private) {
            (5, false) => self.replies.push("\x1b[0n"),
            (6, false) => self.replies.push(&format!("\x1b[{row};{col}R")),
            (6, true) => self.replies.push(&format!("\x1b[?{row};{col}R")),
            _ => {}
        }
    }

    /// DECRQM.
    pub(super) fn report_mode(&mut self, mode: u32, private: bool) {
        let (prefix, state) =
            if private { ("?", self.private_mode(mode)) } else { ("", self.ansi_mode(mode)) };
        self.replies.push(&format!("\x1b[{prefix}{mode};{}$y", state as u8));
    }

    fn ansi_mode(&self, mode: u32) -> ModeState {
        match mode {
            2 => ModeState::AlwaysReset,
            4 => self.modes.insert.into(),
            12 => ModeState::AlwaysSet,
            20 => self.modes.line_feed_returns.into(),
            _ => ModeState::Unknown,
        }
    }

    fn private_mode(&self, mode: u32) -> ModeState {
        let modes = &self.modes;
        let is_set = match mode {
            1 => modes.application_cursor,
            6 => modes.origin,
            7 => modes.wrap,
            8 => return ModeState::AlwaysSet,
            9 => modes.mouse_tracking == MouseTracking::X10,
            12 => modes.cursor_blink,
            25 => modes.cursor_visible,
            45 => modes.reverse_wrap,
            47 | 1047 | 1049 => self.alternate_active,
            66 => modes.application_keypad,
            67 | 1005 | 1015 => return ModeState::AlwaysReset,
            1000 => modes.mouse_tracking == MouseTracking::Press,
            1002 => modes.mouse_tracking == MouseTracking::Drag,
            1003 => modes.mouse_tracking == MouseTracking::Any,
            1004 => modes.focus_events,
            1006 => modes.mouse_encoding == MouseEncoding::Sgr,
            1016 => modes.mouse_encoding == MouseEncoding::SgrPixels,
            1048 => true,
            2004 => modes.bracketed_paste,
            2026 => modes.synchronized_output,
            _ => return ModeState::Unknown,
        };
        is_set.into()
    }

    /// XTWINOPS, as far as it asks for something. The title is not told: a program could have put
    /// commands there for the shell that reads the answer.
    pub(super) fn report_window(&mut self, params: &Params) {
        let (cols, rows) = (usize::from(self.size.cols), usize::from(self.size.rows));
        let (width, height) = CELL;
        let reply = match params.get(0) {
            11 => "\x1b[1t".to_owned(),
            14 => format!("\x1b[4;{};{}t", rows * height, cols * width),
            16 => format!("\x1b[6;{height};{width}t"),
            18 => format!("\x1b[8;{rows};{cols}t"),
            19 => format!("\x1b[9;{rows};{cols}t"),
            20 => "\x1b]L\x1b\\".to_owned(),
            21 => "\x1b]l\x1b\\".to_owned(),
            _ => return,
        };
        self.replies.push(&reply);
    }

    /// XTVERSION.
    pub(super) fn report_version(&mut self) {
        self.replies.push(concat!("\x1bP>|terminal-session ", env!("CARGO_PKG_VERSION"), "\x1b\\"));
    }

    /// DECRQSS.
    pub(super) fn report_setting(&mut self, data: &str) {
        let setting = match data {
            "m" => "0m".to_owned(),
            "r" => {
                let buffer = self.buffer();
                format!("{};{}r", buffer.top + 1, buffer.bottom + 1)
            }
            "\"p" => "61;1\"p".to_owned(),
            "\"q" => {
                let is_protected = self.pen.attributes.contains(Attributes::PROTECTED);
                format!("{}\"q", u8::from(is_protected))
            }
            " q" if self.modes.cursor_blink => "1 q".to_owned(),
            " q" => "2 q".to_owned(),
            _ => return self.replies.push("\x1bP0$r\x1b\\"),
        };
        self.replies.push(&format!("\x1bP1$r{setting}\x1b\\"));
    }

    /// OSC 4: colours of the palette.
    pub(super) fn report_palette(&mut self, data: &str) {
        let mut parts = data.split(';');
        while let (Some(index), Some(what)) = (parts.next(), parts.next()) {
            if let (Ok(index), "?") = (index.parse::<u8>(), what) {
                let color = palette(index);
                self.report_color(&format!("4;{index}"), color);
            }
        }
    }

    /// OSC 10, 11 and 12: colours of text, background and cursor, the later ones following on.
    pub(super) fn report_colors(&mut self, first: u32, data: &str) {
        for (code, _) in (first..=12).zip(data.split(';')).filter(|&(_, what)| what == "?") {
            let color = if code == 11 { [0; 3] } else { [0xff; 3] };
            self.report_color(&code.to_string(), color);
        }
    }

    fn report_color(&mut self, what: &str, color: [u8; 3]) {
        let [red, green, blue] = color.map(|part| format!("{part:02x}{part:02x}"));
        self.replies.push(&format!("\x1b]{what};rgb:{red}/{green}/{blue}\x1b\\"));
    }
}

/// The usual palette of 256 colours.
fn palette(index: u8) -> [u8; 3] {
    const BASIC: [[u8; 3]; 16] = [
        [0x2e, 0x34, 0x36],
        [0xcc, 0x00, 0x00],
        [0x4e, 0x9a, 0x06],
        [0xc4, 0xa0, 0x00],
        [0x34, 0x65, 0xa4],
        [0x75, 0x50, 0x7b],
        [0x06, 0x98, 0x9a],
        [0xd3, 0xd7, 0xcf],
        [0x55, 0x57, 0x53],
        [0xef, 0x29, 0x29],
        [0x8a, 0xe2, 0x34],
        [0xfc, 0xe9, 0x4f],
        [0x72, 0x9f, 0xcf],
        [0xad, 0x7f, 0xa8],
        [0x34, 0xe2, 0xe2],
        [0xee, 0xee, 0xec],
    ];
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match index {
        0..16 => BASIC[usize::from(index)],
        16..232 => {
            let index = index - 16;
            [index / 36, index / 6 % 6, index % 6].map(level)
        }
        _ => [8 + 10 * (index - 232); 3],
    }
}
