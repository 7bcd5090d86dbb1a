//! Streams made to take up time and memory.

use std::time::{Duration, Instant};

use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{replay, serialize, text};

const MB: usize = 1 << 20;

/// Longest a stream may take here, in a build that is not optimized on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(20);

#[track_caller]
fn play(cols: u16, rows: u16, stream: &[u8]) -> Screen {
    let start = Instant::now();
    let size = Size::new(cols, rows).unwrap();
    let mut screen = Screen::new(size, Scrollback::default()).with_events().with_replies();
    screen.feed(stream);
    screen.finish();
    serialize(&screen);
    let taken = start.elapsed();
    assert!(taken < LONGEST, "{taken:?}");
    screen
}

#[test]
fn thousands_of_marks_on_a_cell() {
    let stream = format!("a{}b", "\u{308}".repeat(MB));
    let screen = play(80, 24, stream.as_bytes());
    let kept = serialize(&screen);
    assert!(kept.len() < 100_000, "{}", kept.len());
    let few = format!("a{}b", "\u{308}".repeat(5000));
    assert_eq!(serialize(&play(80, 24, few.as_bytes())), few, "so many are kept");
}

#[test]
fn marks_that_are_moved() {
    play(500, 24, &["a\u{308}".repeat(400), "\x1b[H\x1b[@".repeat(20_000)].concat().into_bytes());
}

#[test]
fn strings_without_an_end() {
    for start in ["\x1b]0;", "\x1b]7;", "\x1bP$q", "\x1b_", "\x1b["] {
        let screen = play(80, 24, &[start.as_bytes(), &vec![b'0'; 4 * MB]].concat());
        assert!(screen.title().len() <= 1 << 16);
    }
    assert!(
        play(80, 24, &[b"\x1b]2;", vec![b'x'; MB].as_slice(), b"\x07"].concat()).title().len()
            <= 1 << 16
    );
}

#[test]
fn huge_numbers() {
    for last in "@ABCDEFGHIJKLMPSTXZ`abdefghlmnr".chars() {
        let one = format!("ab\x1b[31m\x1b[99999999999{last}\x1b[2147483647;4294967295{last}x");
        play(80, 24, one.repeat(30).as_bytes());
    }
    play(80, 24, format!("\x1b[{}m", "1;".repeat(MB)).as_bytes());
    play(80, 24, format!("\x1b[{}m", "1:".repeat(MB)).as_bytes());
}

#[test]
fn resets_and_screens_in_a_loop() {
    for one in
        ["\x1bc", "\x1b[?1049h\x1b[?1049l", "\x1b#8", "\x1b[2J", "\x1b[!p", "\x1bM", "\x1b[L"]
    {
        play(80, 24, one.repeat(20_000).as_bytes());
    }
}

#[test]
fn tiny_and_huge_sizes() {
    let sizes =
        [(1, 1), (2, 2), (u16::MAX, 1), (1, u16::MAX), (u16::MAX, u16::MAX), (3, 7), (80, 24)];
    let mut screen = play(80, 24, "one 漢字 e\u{301} two\r\n".repeat(500).as_bytes());
    for (cols, rows) in sizes {
        screen.resize(Size::new(cols, rows).unwrap());
        screen.feed(b"\x1b[?1049h\x1b[99999;99999Hab\x1b[?1049l\x1b[99999;99999Hab\x1b[Hc\r\n");
        text(&screen);
    }
    serialize(&screen);
}

#[test]
fn a_huge_screen_is_not_filled_with_memory() {
    let screen = play(u16::MAX, 2000, b"\x1b[99999Gx\x1b[B".repeat(2000).as_slice());
    assert_eq!(screen.normal().len(), 2000);
    play(u16::MAX, 300, "a\x1b[99999b\r\n".repeat(300).as_bytes());
}

#[test]
fn snapshots_of_nothing_but_line_feeds() {
    let start = Instant::now();
    let screen = replay(&vec![b'\n'; MB / 4], None);
    assert_eq!(screen.normal().len(), MB / 4 + 1);
    assert_eq!(text(&screen), "");
    assert!(start.elapsed() < LONGEST);
}

#[test]
fn unread_events_and_replies_are_bounded() {
    let mut screen = play(80, 24, &b"\x07\x1b]7;x\x07\x1b[c".repeat(300_000));
    assert!(screen.take_replies().len() <= MB);
    assert!(screen.take_events().len() <= 1 << 16);
}
