//! What xterm.js was seen to do, case by case: each is the least that showed a difference once.
//!
//! The answers are those of `tests/oracle`.

use Step::{Size as Resize, Text};
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::serialize;

enum Step {
    /// The size, at first and from here on.
    Size(u16, u16),
    Text(&'static str),
}

#[rustfmt::skip]
const CASES: &[(&str, &[Step], &str)] = &[
    ("a mark after a sequence joins nothing", &[Resize(20, 5), Text("a\x1b[m\u{308}b")], "ab"),
    ("a byte order mark is never seen", &[Resize(20, 5), Text("a\x1b[3\u{feff}1mb\u{feff}\u{308}c")], "a\x1b[31mb\u{308}c"),
    ("only the first of two repetitions repeats", &[Resize(20, 5), Text("x\x1b[3b\x1b[2b")], "xxxx"),
    ("a repetition splits what a mark made wide", &[Resize(5, 2), Text("\x1b[?7labc\u{e9}\u{1112}\u{1161}\x1b[2b")], "abc\x1b[1Cc\x1b[?7l"),
    ("basic and indexed colours differ", &[Resize(20, 5), Text("\x1b[31mA\x1b[38;5;1mB")], "\x1b[31mA\x1b[31mB"),
    ("an underline colour alone is nothing", &[Resize(20, 5), Text("\x1b[58;5;3mX\x1b[mY")], "XY"),
    ("a colour may begin with semicolons and end with colons", &[Resize(40, 12), Text("\x1b[38;2;1;4:3mx")], "\x1b[38;2;1;4;3mx"),
    ("links are underlined, also after a colour", &[Resize(20, 5), Text("\x1b]8;;http://x\x07ab\x1b[31mc")], "\x1b[4mab\x1b[31mc"),
    ("a restored pen forgets its link until the next change", &[Resize(20, 6), Text("\x1b]8;;u\x07a\x1b8b\x1b[0;22mc")], "b\x1b[4mc"),
    ("leaving the alternate screen keeps the underline style", &[Resize(7, 3), Text("\x1b[21m\x1b[?1049l\x1b]8;;\x1b\\x")], "\x1b[4mx"),
    ("slow blink only", &[Resize(20, 5), Text("\x1b[6mx\x1b[5my")], "x\x1b[5my"),
    ("the alignment pattern has plain underlines", &[Resize(7, 2), Text("\x1b[21m\x1b#8")], "\x1b[4mEEEEEEE\r\nEEEEEEE\x1b[1A\x1b[7D\x1b[4m"),
    ("the alignment pattern begins in the scroll region", &[Resize(4, 4), Text("\x1b[3;r\x1b[?6h\x1b#8")], "\r\n\r\nEEEE\r\nEEEE\x1b[1A\x1b[4D\x1b[?6h"),
    ("the alignment pattern wraps around on the alternate screen", &[Resize(4, 4), Text("\x1b[?1049h\x1b[?6h\x1b[3;r\x1b#8")], "\x1b[?1049h\x1b[HEEEE\r\nEEEE\r\nEEEE\r\nEEEE\x1b[1A\x1b[4D\x1b[?6h"),
    ("erasing up to a full row ends the wrap of the next", &[Resize(2, 2), Text("j bidaiww\x1b[1J")], "j bi\r\nda\r\n\r\n\x1b[1C"),
    ("the same counts from the top of the scrollback", &[Resize(4, 2), Text("abcdefgh\r\n\n1234567\x1b[1J")], "abcdefgh\r\n\r\n\r\n\x1b[3C"),
    ("a reset keeps mode 20", &[Resize(10, 5), Text("\x1b[20h\x1bcX\x0b")], "X\x1b[1B\x1b[1D"),
    ("selecting UTF-8 resets only G0", &[Resize(10, 3), Text("\x1b)0\x1b%G\x0ed")], "␍"),
    ("an application string ends at a character above ASCII", &[Resize(20, 3), Text("\x1b_abc\u{308}d\x1b\x1b")], "d"),
    ("a mark may stand past the last column", &[Resize(4, 3), Text("abcd\x1b[m\u{308}\u{308}x")], "abcdx"),
    ("a wide character without room is left out", &[Resize(10, 3), Text("\x1b[?7labcdefg，字e")], "abcdefg，e\x1b[?7l"),
    ("and what follows it goes into its place", &[Resize(10, 3), Text("\x1b[?7labcdefgh，字e")], "abcdefgh，e\x1b[?7l"),
    ("marks can widen the character before", &[Resize(44, 3), Text("\x1b[?7l\x1b[25Gdgi gacXiabdehjaeje字\u{fe0f}\u{200d}")], "\x1b[24Cdgi gacXiabdehjaeje\u{fe0f}\u{200d}\x1b[1D\x1b[?7l"),
    ("wide characters wrap over one empty cell", &[Resize(9, 3), Text("漢漢漢漢漢漢")], "漢漢漢漢漢漢"),
    ("empty cells before a wrap are forced", &[Resize(10, 4), Text("abcdefghijk\x1b[1;4H\x1b[K")], "abc--------\x1b[1D\x1b[1X\x1b[A\x1b[3C\x1b[7X\x1b[3D\x1b[Bk\x1b[1A\x1b[2C"),
    ("scrolling up loses rows", &[Resize(6, 3), Text("a\r\nb\r\nc\x1b[2S")], "c\x1b[2B"),
    ("rows scrolled down in are plain", &[Resize(6, 3), Text("\x1b[44ma\x1b[T\x1b[Lb")], "\x1b[44mb\x1b[5X\r\n\x1b[0m\r\n\x1b[44ma\x1b[0m\x1b[2A\x1b[44m"),
    ("erased ends keep the wrap of the next row", &[Resize(5, 3), Text("abcdefg\x1b[1;3H\x1b[K")], "ab----\x1b[1D\x1b[1X\x1b[A\x1b[2C\x1b[3X\x1b[2D\x1b[Bfg\x1b[1A"),
    ("erasing from the first column ends the wrap", &[Resize(5, 3), Text("abcdefg\x1b[2;1H\x1b[K")], "abcde\x1b[1B\x1b[5D"),
    ("selective erase spares protected cells", &[Resize(10, 3), Text("\x1b[1\"qab\x1b[0\"qcd\r\x1b[?Kx")], "xb\x1b[1D"),
    ("coloured empty cells", &[Resize(10, 4), Text("\x1b[41m\x1b[2J\x1b[2;3Hx\x1b[m")], "\x1b[41m\x1b[10X\r\n\x1b[2X\x1b[2Cx\x1b[7X\x1b[0m"),
    ("coloured rows after scrolling", &[Resize(6, 2), Text("\x1b[41ma\r\nb\r\nc\r\n\x1b[md\r\n")], "\x1b[41ma\x1b[0m\r\n\x1b[41mb\x1b[0m\r\n\x1b[41mc\x1b[5X\r\n\x1b[0md\x1b[41m\r\n\x1b[0m\x1b[6X"),
    ("trailing rows stay with scrollback", &[Resize(6, 2), Text("a\r\nb\r\nc\x1b[2J")], "a\r\n\r\n\x1b[1C"),
    ("alternate screen and modes", &[Resize(10, 3), Text("ab\x1b[?1049h\x1b[1;32mcd\x1b[?1h\x1b[?66h\x1b[?2004h\x1b[4h\x1b[?6h\x1b[?45h\x1b[?1004h\x1b[?7l\x1b[?1002h\x1b[?1006h\x1b[?25l")], "ab\x1b[32;1m\x1b[?1049h\x1b[H\x1b[2C\x1b[32;1mcd\x1b[4D\x1b[?1h\x1b[?66h\x1b[?2004h\x1b[4h\x1b[?6h\x1b[?45h\x1b[?1004h\x1b[?7l\x1b[?1002h"),
    ("shrinking skips the row of the cursor", &[Resize(10, 4), Text("abcdefgh"), Resize(5, 4)], "abcde\x1b[1D"),
    ("growing skips the row of the cursor", &[Resize(5, 4), Text("abcdefgh"), Resize(10, 4)], "abcde------\x1b[1D\x1b[1X\x1b[A\x1b[5C\x1b[5X\x1b[5D\x1b[Bfgh"),
    ("growing joins the rows above it", &[Resize(5, 4), Text("abcdefgh\r\n"), Resize(10, 4)], "abcdefgh\x1b[1B\x1b[8D"),
    ("a row made above the cursor moves it", &[Resize(40, 12), Text("one two three four five six seven\x0b\x1b[30Gabc\x1b[?6h"), Resize(25, 11)], "one two three four five six seven\r\n--------------------------\x1b[1D\x1b[1X\x1b[A\x1b[0C\x1b[25X\x1b[0D\x1b[B\x1b[4Cabc\x1b[1A\x1b[7D\x1b[?6h"),
    ("a cursor that moves away is not skipped", &[Resize(20, 6), Text("0123456789\x1b[2T "), Resize(4, 15)], "-----\x1b[1D\x1b[1X\x1b[A\x1b[0C\x1b[4X\x1b[0D\x1b[B-----\x1b[1D\x1b[1X\x1b[A\x1b[0C\x1b[4X\x1b[0D\x1b[B\x1b[2C \r\n\r\n0123456789\x1b[2A\x1b[1C"),
    ("rows dropped below the cursor still take part", &[Resize(20, 6), Text("aaaaaaaaaaaaaaaaaa\r\nbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\x1b[H\x1b[L"), Resize(7, 5)], "--------\x1b[1D\x1b[1X\x1b[A\x1b[0C\x1b[7X\x1b[0D\x1b[Baaaaaaaaaaa----\x1b[1D\x1b[1X\x1b[A\x1b[4C\x1b[3X\x1b[4D\x1b[Bbbbbbbbbbbbbbbbbbbbbbbbb\x1b[3D"),
    ("wide characters leave a gap when narrower", &[Resize(8, 4), Text("a漢漢漢漢漢\r\n"), Resize(5, 4)], "a漢漢漢漢漢\x1b[1B\x1b[2D"),
    ("and close it when wider", &[Resize(5, 4), Text("a漢漢漢漢漢\r\n"), Resize(8, 4)], "a漢漢漢漢漢\x1b[1B\x1b[4D"),
    ("half of a wide character was cut off", &[Resize(12, 4), Text("\x1b[44m0123456789漢\x1b[1;1H"), Resize(11, 4), Text("\x1b[4;1H"), Resize(5, 6)], "\x1b[44m0123456789漢\x1b[0m\x1b[3B\x1b[2D\x1b[44m"),
    ("marks move along with the wrong character", &[Resize(40, 12), Text("0123456789012345678901234567890123456789\u{1112}\u{1161}\u{11ab}e，👩\u{200d}\x1b[6T"), Resize(35, 18)], "\r\n\r\n\r\n\r\n\r\n\r\n0123456789012345678901234567890123456789\u{1112}\u{1161}\u{11ab}e，\u{1112}\u{1161}\u{11ab}\x1b[6A\x1b[5D"),
    ("a reverse index moves rows past the end of a torn alternate buffer", &[Resize(7, 3), Resize(20, 16), Text("\x1b[15;9H"), Resize(48, 11), Text("\x1b[?47h\n\x1b[1F"), Resize(54, 18), Text("\x1b[0;r \x1bM")], "\x1b[14B\x1b[8C\x1b[?1049h\x1b[H \x1b[1B"),
    ("a reverse index moves several rows past the end of a torn alternate buffer", &[Resize(7, 3), Resize(20, 16), Text("\x1b[15;9H"), Resize(48, 11), Text("\x1b[?47h\nYgYafxehghYbiexXZjfXYfZdfexadbXxaefjeeYeg\x1b[1F"), Resize(54, 18), Text("\x1b[0;r\x1bM")], "\x1b[14B\x1b[8C\x1b[?1049h\x1b[H\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\x1b[8CYgYafxehghYbiexXZjfXYfZdfexadbXxaefjeeYe-------\x1b[1D\x1b[1X\x1b[A\x1b[48C\x1b[6X\x1b[48D\x1b[Bg\x1b[7A\x1b[1D"),
    ("and so again and again", &[Resize(7, 3), Resize(20, 16), Text("\x1b[15;9H"), Resize(48, 11), Text("\x1b[?47h\nA\nB\nC\r\nD\x1b[1F"), Resize(54, 18), Text("\x1b[0;r\x1bM\x1bMx")], "\x1b[14B\x1b[8C\x1b[?1049h\x1b[H\r\n\r\n\x1b[9CB\r\n\x1b[10CC\r\nx"),
    ("also in a region below the top", &[Resize(7, 3), Resize(20, 16), Text("\x1b[15;9H"), Resize(48, 11), Text("\x1b[?47h\nA\nB\nC\r\nD\x1b[1F"), Resize(54, 18), Text("\x1b[3;r\x1b[3H\x1bM\x1bMx")], "\x1b[14B\x1b[8C\x1b[?1049h\x1b[H\x1b[8CA\r\n\x1b[9CB\r\n\r\n\r\nD\r\n\r\nx"),
    ("texts past the end come back", &[Resize(50, 4), Text("wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwX\u{308}字\u{e47}\n"), Resize(2, 19), Resize(3, 20), Resize(48, 15), Resize(47, 5)], "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwX\u{308}X\u{308}\x1b[1B\x1b[3D"),
    ("colours move with their cells", &[Resize(8, 4), Text("\x1b[31mab\x1b[42mcd\x1b[4mefgh\x1b[mij\r\n"), Resize(3, 8), Resize(12, 6)], "\x1b[31mab\x1b[42mcd\x1b[4mefgh\x1b[0mij\x1b[1B\x1b[10D"),
    ("a saved cursor follows rows that are made", &[Resize(10, 3), Text("abcdefghij\r\nx\x1b7\r\n"), Resize(4, 4), Text("\x1b8y")], "abcdefghij\r\nxy\r\n\x1b[1A\x1b[2C"),
    ("rows of the alternate screen stay long", &[Resize(20, 4), Text("\x1b[?1049habc\x1b[18Gx"), Resize(10, 4), Text("\x1b[?2J\x1b[41m\x1b[3PY")], "\x1b[41m\x1b[?1049h\x1b[H\x1b[9C\x1b[41mY\x1b[0m\x1b[7C\x1b[41m\x1b[3X\r\n\x1b[0m\x1b[1A\x1b[10C\x1b[41m"),
    ("the last of them is looked at only to the edge", &[Resize(20, 2), Text("\x1b[?1049h\r\n\x1b[18Gx"), Resize(10, 2)], "\x1b[?1049h\x1b[H\x1b[1B\x1b[9C"),
    ("the alternate screen has scrollback after shrinking", &[Resize(10, 5), Text("ab"), Resize(7, 2), Text("\x1b[?47h\x1b[eic\r\nd\r\ne")], "ab\x1b[?1049h\x1b[H\r\n\x1b[2Cic\r\nd\r\ne"),
    ("and loses a row when it grows again", &[Resize(10, 5), Resize(12, 3), Text("\x1b[?1047h\x1b[3;1Habc\r\ndef\x1b8"), Resize(27, 7), Text("\x1b[2'}")], "\x1b[?1049h\x1b[H\r\n\x1b[2Cabc\r\n\x1b[2Cdef\x1b[1A\x1b[5D"),
    ("lines go in there", &[Resize(10, 5), Resize(12, 3), Text("\x1b[?1047h\x1b[3;1Habc\r\ndef\x1b8"), Resize(27, 7), Text("\x1b[Lx")], "\x1b[?1049h\x1b[H\r\nx\r\nabc\r\ndef\x1b[2A\x1b[2D"),
    ("and scroll there", &[Resize(10, 5), Resize(12, 3), Text("\x1b[?1047h\x1b[3;1Habc\r\ndef\x1b8"), Resize(27, 7), Text("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n")], "\x1b[?1049h\x1b[H\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\x1b[1B\x1b[1D"),
    ("at least two columns", &[Resize(1, 1), Text("abc漢")], "abc漢"),
    ("more columns, cursor at the end", &[Resize(2, 2), Text("\x1b[99;99H"), Resize(5, 5), Text("x"), Resize(3, 3)], "\r\n\x1b[1Cx"),
    ("taller with scrollback", &[Resize(5, 2), Text("1\r\n2\r\n3\r\n4"), Resize(5, 4)], "1\r\n2\r\n3\r\n4"),
    ("shorter with rows below the cursor", &[Resize(5, 5), Text("1\r\n2\r\n3\r\n4\x1b[2H"), Resize(5, 2)], "1\r\n2\x1b[1D"),
    ("tab stops of a wider screen", &[Resize(20, 2), Text("\x1b[3g"), Resize(40, 2), Text("\tx")], "\x1b[8Cx"),
    ("reverse wrap goes back over a row", &[Resize(4, 3), Text("\x1b[?45habcdef\x08\x08\x08\x08X")], "abXd\r\nef\x1b[1A\x1b[1C\x1b[?45h"),
    ("insert mode and wide characters", &[Resize(6, 2), Text("漢漢漢\x1b[4h\x1b[1;2Hx")], "\x1b[1Cx\x1b[1C漢\x1b[3D\x1b[4h"),
    ("deleting half of a wide character", &[Resize(8, 2), Text("a漢漢b\x1b[1;3H\x1b[P")], "a\x1b[1C漢b\x1b[3D"),
    ("origin mode counts relative moves twice", &[Resize(10, 6), Text("\x1b[2;5r\x1b[?6h\x1b[2;2Hx\x1b[Cy\x1b[Gz")], "\r\n\r\n\x1b[1Cx\r\n\x1b[3Cy\r\nz\x1b[?6h"),
    ("a soft reset", &[Resize(10, 4), Text("\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?7l\x1b[1;31m\x1b[?1h\x1b[?1000h\x1b[!pab")], "\r\nab\x1b[?1000h"),
];

fn play(steps: &[Step]) -> Screen {
    let size = |cols, rows| Size::new(cols, rows).unwrap();
    let [Resize(cols, rows), rest @ ..] = steps else {
        panic!("a case begins with a size");
    };
    let mut screen = Screen::new(size(*cols, *rows), Scrollback::default());
    for step in rest {
        match step {
            Resize(cols, rows) => screen.resize(size(*cols, *rows)),
            Text(text) => screen.feed(text.as_bytes()),
        }
    }
    screen
}

#[test]
fn each_case_is_as_xterm_js_has_it() {
    for (name, steps, want) in CASES {
        assert_eq!(serialize(&play(steps)), *want, "{name}");
    }
}
