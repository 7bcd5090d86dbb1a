//! What holds for every stream.

use proptest::collection::vec;
use proptest::prelude::*;
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::{check_grammar, replay, serialize, text};

fn screen(cols: u16, rows: u16) -> Screen {
    let size = Size::new(cols, rows).unwrap();
    Screen::new(size, Scrollback::Rows(50)).with_events().with_replies()
}

/// Pieces that streams are made of, so that they reach more than random bytes do.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![
        Just(String::new()),
        (0..30_u32).prop_map(|n| n.to_string()),
        any::<u32>().prop_map(|n| n.to_string())
    ];
    let csi = (
        "[?>=!]?",
        vec(number, 0..4),
        "[ $\"']?",
        prop_oneof!["[@-Za-hj-z`]", Just("m".to_owned())],
    );
    prop_oneof![
        3 => "[ -~]{1,30}".prop_map(String::into_bytes),
        2 => "(漢|e\u{301}|\u{308}|😀|\u{200b}|─|\u{9b}|한){1,6}".prop_map(String::into_bytes),
        2 => Just(b"\r\n".to_vec()),
        1 => vec(0..0x20_u8, 1..3),
        5 => csi.prop_map(|(prefix, numbers, middle, last)| {
            format!("\x1b[{prefix}{}{middle}{last}", numbers.join(";")).into_bytes()
        }),
        2 => (prop_oneof![Just(6), Just(7), Just(25), Just(45), Just(47), Just(1049)], any::<bool>())
            .prop_map(|(mode, on)| format!("\x1b[?{mode}{}", if on { 'h' } else { 'l' }).into_bytes()),
        1 => "\x1b[78DEHMc()#%0-9A-Z]{1,3}".prop_map(String::into_bytes),
        1 => "\x1b[\\]P_X][ -~]{0,20}(\x07|\x1b\\\\)?".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 1..20),
    ]
}

#[derive(Clone, Debug)]
enum Step {
    Feed(Vec<u8>),
    Resize(u16, u16),
}

fn step() -> impl Strategy<Value = Step> {
    let side = || prop_oneof![20 => 1..60_u16, 1 => Just(u16::MAX)];
    prop_oneof![
        12 => piece().prop_map(Step::Feed),
        1 => (side(), side()).prop_map(|(cols, rows)| Step::Resize(cols, rows)),
    ]
}

proptest! {
    #[test]
    fn any_split_gives_the_same(
        pieces in vec(piece(), 1..60),
        cuts in vec(1..20_usize, 1..40),
        (cols, rows) in (1..40_u16, 1..10_u16),
    ) {
        let stream = pieces.concat();
        let mut whole = screen(cols, rows);
        whole.feed(&stream);
        whole.finish();
        let mut split = screen(cols, rows);
        let mut rest = stream.as_slice();
        for &cut in cuts.iter().cycle() {
            let (now, later) = rest.split_at(cut.min(rest.len()));
            split.feed(now);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        split.finish();
        prop_assert_eq!(serialize(&split), serialize(&whole));
        prop_assert_eq!(text(&split), text(&whole));
        prop_assert_eq!(split.take_replies(), whole.take_replies());
        prop_assert_eq!(split.take_events(), whole.take_events());
    }

    #[test]
    fn no_stream_panics(steps in vec(step(), 1..60), (cols, rows) in (1..40_u16, 1..10_u16)) {
        let mut screen = screen(cols, rows);
        for step in steps {
            match step {
                Step::Feed(bytes) => screen.feed(&bytes),
                Step::Resize(cols, rows) => screen.resize(Size::new(cols, rows).unwrap()),
            }
            let cursor = screen.cursor();
            prop_assert!(cursor.row < usize::from(screen.size().rows));
            prop_assert!(cursor.col <= usize::from(screen.size().cols).max(2) + 1);
        }
        screen.finish();
        let snapshot = serialize(&screen);
        prop_assert_eq!(&serialize(&screen), &snapshot, "serializing changes nothing");
        let grammar = check_grammar(&snapshot);
        prop_assert!(grammar.is_ok(), "{grammar:?} in {snapshot:?}");
        let again = replay(snapshot.as_bytes(), Some(screen.size()));
        text(&again);
    }

    #[test]
    fn random_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..2000)) {
        let mut screen = screen(20, 5);
        screen.feed(&bytes);
        screen.finish();
        text(&replay(serialize(&screen).as_bytes(), None));
    }
}
