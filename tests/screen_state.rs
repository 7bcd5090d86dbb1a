//! What a screen tells its owner beside the text.

use terminal_session::screen::{
    Attributes, Color, ColorKind, Cursor, Event, MouseEncoding, MouseTracking, Screen, Scrollback,
    Size,
};

fn screen(cols: u16, rows: u16, stream: &str) -> Screen {
    let size = Size::new(cols, rows).unwrap();
    let mut screen = Screen::new(size, Scrollback::default()).with_events().with_replies();
    screen.feed(stream.as_bytes());
    screen
}

/// The answers to a query, which xterm.js gives too.
#[track_caller]
fn answers(query: &str, want: &str) {
    let replies = screen(80, 24, query).take_replies();
    assert_eq!(String::from_utf8_lossy(&replies), want, "{query:?}");
}

#[test]
fn queries_are_answered() {
    answers("\x1b[c", "\x1b[?1;2c");
    answers("\x1b[>c", "\x1b[>0;276;0c");
    answers("\x1b[5n", "\x1b[0n");
    answers("ab\r\nc\x1b[6n", "\x1b[2;2R");
    answers("ab\x1b[?6n", "\x1b[?1;3R");
    answers("\x1b[?2004$p\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;2$y\x1b[?2004;1$y");
    answers("\x1b[4$p\x1b[20$p\x1b[99$p", "\x1b[4;2$y\x1b[20;2$y\x1b[99;0$y");
    answers("\x1b[2;5r\x1bP$qr\x1b\\", "\x1bP1$r2;5r\x1b\\");
    answers("\x1bP$qm\x1b\\\x1bP$qx\x1b\\", "\x1bP1$r0m\x1b\\\x1bP0$r\x1b\\");
}

/// These xterm.js leaves to the page it is in.
#[test]
fn colours_and_sizes_are_answered() {
    answers("\x1b[18t", "\x1b[8;24;80t");
    answers("\x1b]10;?;?\x07", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\");
    answers("\x1b]4;1;?\x07", "\x1b]4;1;rgb:cccc/0000/0000\x1b\\");
    answers("\x1b]4;196;?\x07", "\x1b]4;196;rgb:ffff/0000/0000\x1b\\");
    answers("\x1b]0;rm -rf\x07\x1b[21t", "\x1b]l\x1b\\");
    let version = screen(80, 24, "\x1b[>q").take_replies();
    assert!(version.starts_with(b"\x1bP>|terminal-session "));
}

#[test]
fn replies_and_events_are_kept_only_when_asked_for() {
    let mut screen = Screen::new(Size::new(80, 24).unwrap(), Scrollback::default());
    screen.feed(b"\x1b[c\x07\x1b]0;t\x07");
    assert!(screen.take_replies().is_empty() && screen.take_events().is_empty());
    assert_eq!(screen.title(), "t");
}

#[test]
fn events_come_in_order() {
    let mut screen = screen(
        80,
        24,
        "\x07\x1b]2;one\x1b\\\x1b]7;file://host/dir\x07\x1b]133;D;1\x07\x1b]777;a;b\x07\x1b]0;\x07",
    );
    let want = [
        Event::Bell,
        Event::Title("one".to_owned()),
        Event::WorkingDirectory("file://host/dir".to_owned()),
        Event::PromptMark("D;1".to_owned()),
        Event::Osc { code: 777, data: "a;b".to_owned() },
        Event::Title(String::new()),
    ];
    assert_eq!(screen.take_events(), want);
    assert!(screen.take_events().is_empty());
}

#[test]
fn modes_are_told() {
    let screen =
        screen(80, 24, "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2026h");
    let modes = screen.modes();
    assert!(modes.application_cursor && modes.application_keypad && modes.bracketed_paste);
    assert!(!modes.cursor_visible && modes.synchronized_output && modes.wrap);
    assert_eq!(modes.mouse_tracking, MouseTracking::Any);
    assert_eq!(modes.mouse_encoding, MouseEncoding::Sgr);
}

#[test]
fn the_cursor_waits_behind_the_last_column() {
    assert_eq!(screen(5, 3, "abcde").cursor(), Cursor { row: 0, col: 5 });
    assert_eq!(screen(5, 3, "abcdef").cursor(), Cursor { row: 1, col: 1 });
}

#[test]
fn a_character_split_over_a_resize_comes_after_it() {
    let mut screen = screen(5, 3, "abcde");
    screen.feed(&"é".as_bytes()[..1]);
    screen.resize(Size::new(10, 3).unwrap());
    screen.feed(&"é".as_bytes()[1..]);
    screen.feed(b"\xe6\x97");
    screen.finish();
    let mut text = String::new();
    screen.normal().row(0).push_text(&mut text);
    assert_eq!(text, "abcdeé\u{fffd}");
}

#[test]
fn cells_have_their_style() {
    let screen = screen(10, 2, "a\x1b[1;38;5;9;48;2;1;2;3m漢e\u{301}\x1b[m\x1b[Cb");
    let cells: Vec<_> = screen.normal().row(0).cells().take(5).collect();
    let text = |index: usize| {
        let mut out = String::new();
        cells[index].push_text(&mut out);
        out
    };
    assert_eq!([text(0), text(1), text(2), text(3)], ["a", "漢", "e\u{301}", ""]);
    assert_eq!(cells.iter().map(|cell| cell.column()).collect::<Vec<_>>(), [0, 1, 3, 4, 5]);
    assert_eq!(cells.iter().map(|cell| cell.width()).collect::<Vec<_>>(), [1, 2, 1, 1, 1]);
    assert!(cells[3].is_null() && !cells[4].is_null());
    let style = cells[1].style();
    assert_eq!(style.foreground.kind(), ColorKind::Indexed(9));
    assert_eq!(style.background, Color::rgb(1, 2, 3));
    assert!(style.attributes.contains(Attributes::BOLD));
    assert_eq!(screen.normal().row(0).cells().count(), 9);
}

#[test]
fn alternate_rows_exist_while_it_is_shown() {
    let mut screen = screen(10, 3, "a\x1b[?1049h");
    assert!(screen.is_alternate());
    assert_eq!((screen.alternate().len(), screen.normal().len()), (3, 3));
    screen.feed(b"\x1b[?1049l");
    assert!(!screen.is_alternate());
    assert_eq!(screen.alternate().len(), 0);
    assert!(screen.alternate().row(0).is_blank());
}
