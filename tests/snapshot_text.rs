//! Snapshots read back as text.

use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{RowsBefore, replay, serialize, serialize_parts, text};

fn size(cols: u16, rows: u16) -> Size {
    Size::new(cols, rows).unwrap()
}

fn text_of(snapshot: &str, cols: u16, rows: u16) -> String {
    text(&replay(snapshot.as_bytes(), Some(size(cols, rows))))
}

#[test]
fn wrapped_rows_are_one_line() {
    assert_eq!(text_of("abcdefghij\r\nk", 4, 3), "abcdefghij\nk");
    assert_eq!(text_of("漢漢漢", 5, 3), "漢漢漢");
}

#[test]
fn empty_cells_are_spaces_but_not_at_the_end() {
    assert_eq!(text_of("a\x1b[3Cb\x1b[2C\r\n  c  \x1b[3X", 20, 3), "a   b\n  c");
}

#[test]
fn blank_lines_go_only_at_the_end() {
    assert_eq!(text_of("\r\n\r\na\r\n\r\n\r\nb\r\n\r\n", 20, 3), "\n\na\n\n\nb");
    assert_eq!(text_of("", 20, 3), "");
}

#[test]
fn the_alternate_screen_begins_a_line() {
    assert_eq!(text_of("a\r\nb\x1b[?1049h\x1b[Hc\r\n\r\nd", 20, 5), "a\nb\nc\n\nd");
    assert_eq!(text_of("\x1b[?1049h\x1b[H\r\nc", 20, 5), "\nc");
    assert_eq!(text_of("a\x1b[?1049h\x1b[H", 20, 5), "a");
    assert_eq!(text_of("a\x1b[?1049h\x1b[Hb\x1b[?1049l", 20, 5), "a");
}

#[test]
fn a_line_feed_alone_counts_as_both() {
    assert_eq!(text_of("a\nb\r\nc\r\n\nd", 20, 3), "a\nb\nc\n\nd");
}

#[test]
fn without_a_size_the_widest_line_fits() {
    let wide = "x".repeat(200);
    let screen = replay(format!("a\r\n{wide}\r\nb").as_bytes(), None);
    assert_eq!(screen.size(), size(200, 24));
    assert_eq!(text(&screen), format!("a\n{wide}\nb"));
    assert_eq!(replay(b"a", None).size(), size(80, 24));
    assert_eq!(replay("漢".repeat(50).as_bytes(), None).size(), size(100, 24));
}

#[test]
fn nothing_falls_off_a_replayed_snapshot() {
    let lines: Vec<String> = (0..30_000).map(|n| n.to_string()).collect();
    let screen = replay(lines.join("\r\n").as_bytes(), Some(size(80, 24)));
    assert_eq!(text(&screen), lines.join("\n"));
    assert_eq!((screen.dropped_rows(), screen.normal().len()), (0, 30_000));
}

#[test]
fn rows_that_fall_off_are_counted() {
    let mut screen = Screen::new(size(80, 24), Scrollback::Rows(100));
    screen.feed("x\r\n".repeat(1000).as_bytes());
    assert_eq!(screen.dropped_rows(), 1001 - 124);
    assert_eq!(screen.normal().len(), 124);
    assert_eq!(serialize(&screen).matches('\n').count(), 123);
}

#[test]
fn a_snapshot_in_parts_is_the_snapshot() {
    let size = Size::new(80, 24).unwrap();
    for rows in [0, 5, 30, 5_000] {
        let mut screen = Screen::new(size, Scrollback::default());
        for row in 0..rows {
            screen
                .feed(format!("\x1b[3{}mrow {row} of the orchard\x1b[0m\r\n", row % 8).as_bytes());
        }
        for more in ["", "\x1b[?1049h\x1b[Halternate\x1b[?2004h"] {
            screen.feed(more.as_bytes());
            let mut parts = Vec::new();
            serialize_parts(RowsBefore::default(), &screen, &mut |part| {
                parts.push(part.to_owned());
                Ok(())
            })
            .unwrap();
            assert!(rows < 5_000 || parts.len() > 1);
            assert_eq!(parts.concat(), serialize(&screen));
        }
    }
    let mut screen = Screen::new(size, Scrollback::default());
    screen.feed(&b"x\r\n".repeat(50_000));
    let fail = serialize_parts(RowsBefore::default(), &screen, &mut |_| {
        Err(std::io::Error::other("full"))
    });
    assert!(fail.is_err());
}
