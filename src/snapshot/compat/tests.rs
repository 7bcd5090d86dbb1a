use proptest::prelude::*;
use regex::Regex;

use super::*;

/// Compares the texts of snapshots with those the Python helpers' code made with rich 15.0.0.
fn same_as_rich(cases: &[(&[u8], &str)]) {
    for (data, expected) in cases {
        assert_eq!(text(data), *expected, "{}", data.escape_ascii());
    }
}

#[test]
fn plain_text_and_line_breaks() {
    same_as_rich(&[
        (b"", ""),
        (b"a", "a"),
        (b"a\n", "a\n"),
        (b"a\n\n", "a\n\n"),
        (b"a\n\n\n", "a\n\n"),
        (b"a\n\n\n\nb", "a\n\nb"),
        (b"\n\n\na", "a"),
        (b"\n", ""),
        (b"\n\n\n\n", ""),
        (b"a\r\nb", "a\nb"),
        (b"a\rb", "a\nb"),
        (b"a\r", "a\n"),
        (b"a\r\r\nb", "a\n\nb"),
        (b"a\n\r\nb", "a\n\nb"),
        (b"a\n\rb", "a\n\nb"),
        (b"\r\r\ra", "a"),
        (b"a\r\n\r\n\r\n\r\nb", "a\n\nb"),
        (b"a\n \n\nb", "a\n \n\nb"),
        (b"\x1b[m\n\x1b[m\n\x07\na", "a"),
        (b"a\n\x1b[31m\n\x08\nb", "a\n\nb"),
        (b"a\n\x00\n\nb", "a\n\x00\n\nb"),
        (b"  a  \n\tb\t\n", "  a  \n\tb\t\n"),
    ]);
}

#[test]
fn broken_utf_8() {
    same_as_rich(&[
        (b"\xff", "\u{fffd}"),
        (b"a\xc3", "a\u{fffd}"),
        (b"a\xc3b", "a\u{fffd}b"),
        (b"\xe2\x94", "\u{fffd}"),
        (b"\xe2\x94a", "\u{fffd}a"),
        (b"\xf0\x9f\x8d", "\u{fffd}"),
        (b"\xf0\x9f\x8d\x8e", "🍎"),
        (b"\xc0\x80", "\u{fffd}\u{fffd}"),
        (b"\xe0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xf5a", "\u{fffd}a"),
        (b"\x80\x9b\xbf", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xef\xbb\xbfa", "\u{feff}a"),
        (b"\xe2\x1b[m\x94\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xe2\x94\x07\x80", "\u{fffd}\u{fffd}"),
        (b"\xe2\n\x94\x80", "\u{fffd}\n\u{fffd}\u{fffd}"),
        (b"\x1b[\x9bm", "\x1b[\u{fffd}m"),
    ]);
}

#[test]
fn control_sequences() {
    same_as_rich(&[
        (b"a\x1b[mb", "ab"),
        (b"a\x1b[31mb\x1b[0mc", "abc"),
        (b"a\x1b[38;2;1;2;3mb", "ab"),
        (b"a\x1b[4:3mb", "ab"),
        (b"a\x1b[;;mb", "ab"),
        (b"a\x1b[?25lb", "ab"),
        (b"a\x1b[>0cb", "ab"),
        (b"a\x1b[<=>mb", "ab"),
        (b"a\x1b[0 qb", "ab"),
        (b"a\x1b[!pb", "ab"),
        (b"a\x1b[?1;2$yb", "ab"),
        (b"a\x1b[@b", "ab"),
        (b"a\x1b[~b", "ab"),
        (b"a\x1b[[Ab", "aAb"),
        (b"a\x1b[1 2mb", "a\x1b[1 2mb"),
        (b"a\x1b[3\n1mb", "a\x1b[3\n1mb"),
        (b"a\x1b[3\r1mb", "a\x1b[3\n1mb"),
        (b"a\x1b[3\x071mb", "a\x1b[31mb"),
        (b"a\x1b[3\x7fmb", "a\x1b[3\x7fmb"),
        (b"a\x1b[3\xc3\xa9mb", "a\x1b[3émb"),
        (b"a\x1b[\xd9\xa3mb", "a\x1b[٣mb"),
        (b"a\x1b[3\x1b[31mb", "a\x1b[3b"),
        (b"a\x1b[\x1b[\x1b[mb", "a\x1b[\x1b[b"),
    ]);
}

/// Fault kinds `cursor-forward` and `cursor-move`.
#[test]
fn cursor_moves() {
    same_as_rich(&[
        (b"pear\x1b[6C12kg\r\nfig\x1b[7C3kg", "pear12kg\nfig3kg"),
        (b"a\x1b[3X\x1b[3Cb", "ab"),
        (b"\x1b[2;9Hright\x1b[2;1Hleft", "rightleft"),
        (b"ab\x1b[2D\x1b[Kc", "abc"),
        (b"one\x1b[Atwo\x1b[2Jthree", "onetwothree"),
    ]);
}

/// Fault kind `esc-left`.
#[test]
fn cut_escapes() {
    same_as_rich(&[
        (b"picked\x1b", "picked\x1b"),
        (b"picked\x1b[", "picked\x1b["),
        (b"picked\x1b[3", "picked\x1b[3"),
        (b"picked\x1b[3;", "picked\x1b[3;"),
        (b"picked\x1b[ ", "picked\x1b[ "),
        (b"picked\x1b\n", "picked\x1b\n"),
        (b"picked\x1b\x1b", "picked\x1b\x1b"),
        (b"picked\x1b\x1b\x1b[m", "picked\x1b\x1b"),
        (b"picked\x1b(", "picked"),
        (b"picked\x1b]", "picked"),
        (b"\x1b", "\x1b"),
    ]);
}

/// Fault kind `alt-screen-join`.
#[test]
fn alternate_screen() {
    same_as_rich(&[
        (b"$ less\x1b[?1049h\x1b[Hpage", "$ lesspage"),
        (b"a\n\n\x1b[?1049h\x1b[H\nb", "a\n\nb"),
    ]);
}

/// Fault kind `osc-leak`.
#[test]
fn osc_strings() {
    same_as_rich(&[
        (b"a\x1b]0;t\x07b", "a0;tb"),
        (b"a\x1b]0;t\x1b\\b", "ab"),
        (b"a\x1b]0;t", "a0;t"),
        (b"a\x1b]0;t\nb\x1b\\c", "a0;t\nbc"),
        (b"a\x1b]0;t\rb\x1b\\c", "a0;t\nbc"),
        (b"a\x1b]\x1b\\b", "ab"),
        (b"a\x1b]\\b", "a\\b"),
        (b"a\x1b]0;t\x07b\x1b]2;u\x07c\x1b\\d", "ad"),
        (b"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        (b"a\x1b]8;;http://x\x07link\x1b]8;;\x07b", "a8;;http://xlink8;;b"),
        (b"a\x1b]8\x1b\\b", "ab"),
        (b"a\x1b]0;\x1b[31mt\x1b\\b", "ab"),
        (b"a\x1b]\x1b]\x1b\\b\x1b\\c", "abc"),
        (b"a\x1b]0\x1b\x1b\\b", "ab"),
        (b"a\x1b]0\x1b", "a0\x1b"),
        (b"a\x1b]0\x1bc\x1b\\b", "ab"),
        (b"a\x1b]\x1b]\x1b]b", "ab"),
        (b"a\x1b]\x1b]\nb\x1b]c\x1b\\d", "a\nbd"),
        (b"a\x1b]0;\xc3\xa9\xe2\x80\xa8\xc2\x9c\xc2\x85\x1b\\b", "ab"),
        (b"a\x1b]0;t\xc2\x9cb", "a0;t\u{9c}b"),
        (b"a\x1b]0;\xff\x1b\\b", "ab"),
    ]);
}

/// Fault kind `string-seq-leak`.
#[test]
fn other_strings() {
    same_as_rich(&[
        (b"a\x1bPq#0~\x1b\\b", "aq#0~b"),
        (b"a\x1b_x\x1b\\b", "axb"),
        (b"a\x1b^x\x1b\\b", "axb"),
        (b"a\x1bXx\x1b\\b", "axb"),
        (b"a\x1bkx\x1b\\b", "a\x1bkxb"),
        (b"a\x1bPx", "ax"),
        (b"a\x1bP1$r0m\x1b\\", "a1$r0m"),
    ]);
}

/// Fault kind `c1-left`.
#[test]
fn c1_controls() {
    same_as_rich(&[
        (b"a\xc2\x9b31mb", "a\u{9b}31mb"),
        (b"a\xc2\x9d0;t\x07b", "a\u{9d}0;tb"),
        (b"a\xc2\x90q\xc2\x9cb", "a\u{90}q\u{9c}b"),
        (b"a\xc2\x84b\xc2\x85c\xc2\x8dd", "a\u{84}b\u{85}c\u{8d}d"),
        (b"\xc2\x80\xc2\x81\xc2\x82\xc2\x83\xc2\x84\xc2\x85\xc2\x86\xc2\x87\xc2\x88\xc2\x89\xc2\x8a\xc2\x8b\xc2\x8c\xc2\x8d\xc2\x8e\xc2\x8f\xc2\x90\xc2\x91\xc2\x92\xc2\x93\xc2\x94\xc2\x95\xc2\x96\xc2\x97\xc2\x98\xc2\x99\xc2\x9a\xc2\x9b\xc2\x9c\xc2\x9d\xc2\x9e\xc2\x9f", "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}"),
        (b"a\x9b31mb", "a\u{fffd}31mb"),
    ]);
}

/// Fault kind `backspace`.
#[test]
fn backspace_and_other_controls() {
    same_as_rich(&[
        (b"g\x08gr\x08rape", "ggrrape"),
        (b"_\x08a", "_a"),
        (b"a\x7fb", "a\x7fb"),
        (b"a\x00b", "a\x00b"),
        (b"a\x01b", "a\x01b"),
        (b"a\x02b", "a\x02b"),
        (b"a\x03b", "a\x03b"),
        (b"a\x04b", "a\x04b"),
        (b"a\x05b", "a\x05b"),
        (b"a\x06b", "a\x06b"),
        (b"a\x07b", "ab"),
        (b"a\x08b", "ab"),
        (b"a\tb", "a\tb"),
        (b"a\x0bb", "ab"),
        (b"a\x0cb", "ab"),
        (b"a\x0eb", "a\x0eb"),
        (b"a\x0fb", "a\x0fb"),
        (b"a\x10b", "a\x10b"),
        (b"a\x11b", "a\x11b"),
        (b"a\x12b", "a\x12b"),
        (b"a\x13b", "a\x13b"),
        (b"a\x14b", "a\x14b"),
        (b"a\x15b", "a\x15b"),
        (b"a\x16b", "a\x16b"),
        (b"a\x17b", "a\x17b"),
        (b"a\x18b", "a\x18b"),
        (b"a\x19b", "a\x19b"),
        (b"a\x1ab", "a\x1ab"),
        (b"a\x1cb", "a\x1cb"),
        (b"a\x1db", "a\x1db"),
        (b"a\x1eb", "a\x1eb"),
        (b"a\x1fb", "a\x1fb"),
        (b"a\xe2\x80\xa8b\xe2\x80\xa9c", "a\u{2028}b\u{2029}c"),
    ]);
}

/// Fault kind `line-drawing`.
#[test]
fn charset_designations() {
    same_as_rich(&[
        (b"\x1b(0lqk\x1b(B", "lqk"),
        (b"\x0elqk\x0f", "\x0elqk\x0f"),
        (b"a\x1b)0b", "a\x1b)0b"),
        (b"a\x1b*Bb", "a\x1b*Bb"),
        (b"a\x1b%Gb", "a\x1b%Gb"),
        (b"a\x1b%%b", "a\x1b%%b"),
        (b"a\x1b(", "a"),
        (b"a\x1b(\n0b", "a\n0b"),
        (b"a\x1b(\r\n0b", "a\n0b"),
        (b"a\x1b(\x07bc", "abc"),
        (b"a\x1b( bc", "abc"),
        (b"a\x1b(\xc3\xa9bc", "abc"),
        (b"a\x1b(\xf0\x9f\x8d\x8ebc", "abc"),
        (b"a\x1b(\xe2\x94bc", "abc"),
        (b"a\x1b(\xffbc", "abc"),
        (b"a\x1b(\x80\x80bc", "a\u{fffd}bc"),
        (b"a\x1b(\x1b[31mbc", "abc"),
        (b"a\x1b(\x1b]0;t\x1b\\bc", "abc"),
        (b"a\x1b(\x1babc", "aabc"),
        (b"a\x1b(\x1b(bc", "ac"),
        (b"a\x1b(\x1b(\x1b(", "a"),
        (b"a\x1b(\x1b", "a"),
        (b"a\x1b(\x1b\x1b(bc", "ac"),
        (b"a\x1b(\x1b[", "a["),
        (b"\x1b(\x1b\x1bb", "\x1bb"),
    ]);
}

#[test]
fn two_character_escapes() {
    same_as_rich(&[
        (b"a\x1b b", "a\x1b b"),
        (b"a\x1b!b", "a\x1b!b"),
        (b"a\x1b\"b", "a\x1b\"b"),
        (b"a\x1b#b", "a\x1b#b"),
        (b"a\x1b$b", "a\x1b$b"),
        (b"a\x1b%b", "a\x1b%b"),
        (b"a\x1b&b", "a\x1b&b"),
        (b"a\x1b'b", "a\x1b'b"),
        (b"a\x1b)b", "a\x1b)b"),
        (b"a\x1b*b", "a\x1b*b"),
        (b"a\x1b+b", "a\x1b+b"),
        (b"a\x1b,b", "a\x1b,b"),
        (b"a\x1b-b", "a\x1b-b"),
        (b"a\x1b.b", "a\x1b.b"),
        (b"a\x1b/b", "a\x1b/b"),
        (b"a\x1b0b", "ab"),
        (b"a\x1b1b", "ab"),
        (b"a\x1b2b", "ab"),
        (b"a\x1b3b", "ab"),
        (b"a\x1b4b", "ab"),
        (b"a\x1b5b", "ab"),
        (b"a\x1b6b", "ab"),
        (b"a\x1b7b", "ab"),
        (b"a\x1b8b", "ab"),
        (b"a\x1b9b", "ab"),
        (b"a\x1b:b", "ab"),
        (b"a\x1b;b", "ab"),
        (b"a\x1b<b", "ab"),
        (b"a\x1b=b", "ab"),
        (b"a\x1b>b", "ab"),
        (b"a\x1b?b", "ab"),
        (b"a\x1b@b", "ab"),
        (b"a\x1bAb", "ab"),
        (b"a\x1bBb", "ab"),
        (b"a\x1bCb", "ab"),
        (b"a\x1bDb", "ab"),
        (b"a\x1bEb", "ab"),
        (b"a\x1bFb", "ab"),
        (b"a\x1bGb", "ab"),
        (b"a\x1bHb", "ab"),
        (b"a\x1bIb", "ab"),
        (b"a\x1bJb", "ab"),
        (b"a\x1bKb", "ab"),
        (b"a\x1bLb", "ab"),
        (b"a\x1bMb", "ab"),
        (b"a\x1bNb", "ab"),
        (b"a\x1bOb", "ab"),
        (b"a\x1bPb", "ab"),
        (b"a\x1bQb", "ab"),
        (b"a\x1bRb", "ab"),
        (b"a\x1bSb", "ab"),
        (b"a\x1bTb", "ab"),
        (b"a\x1bUb", "ab"),
        (b"a\x1bVb", "ab"),
        (b"a\x1bWb", "ab"),
        (b"a\x1bXb", "ab"),
        (b"a\x1bYb", "ab"),
        (b"a\x1bZb", "ab"),
        (b"a\x1b\\b", "ab"),
        (b"a\x1b^b", "ab"),
        (b"a\x1b_b", "ab"),
        (b"a\x1b`b", "a\x1b`b"),
        (b"a\x1bab", "a\x1bab"),
        (b"a\x1bbb", "a\x1bbb"),
        (b"a\x1bcb", "a\x1bcb"),
        (b"a\x1bdb", "a\x1bdb"),
        (b"a\x1beb", "a\x1beb"),
        (b"a\x1bfb", "a\x1bfb"),
        (b"a\x1bgb", "a\x1bgb"),
        (b"a\x1bhb", "a\x1bhb"),
        (b"a\x1bib", "a\x1bib"),
        (b"a\x1bjb", "a\x1bjb"),
        (b"a\x1bkb", "a\x1bkb"),
        (b"a\x1blb", "a\x1blb"),
        (b"a\x1bmb", "a\x1bmb"),
        (b"a\x1bnb", "a\x1bnb"),
        (b"a\x1bob", "a\x1bob"),
        (b"a\x1bpb", "a\x1bpb"),
        (b"a\x1bqb", "a\x1bqb"),
        (b"a\x1brb", "a\x1brb"),
        (b"a\x1bsb", "a\x1bsb"),
        (b"a\x1btb", "a\x1btb"),
        (b"a\x1bub", "a\x1bub"),
        (b"a\x1bvb", "a\x1bvb"),
        (b"a\x1bwb", "a\x1bwb"),
        (b"a\x1bxb", "a\x1bxb"),
        (b"a\x1byb", "a\x1byb"),
        (b"a\x1bzb", "a\x1bzb"),
        (b"a\x1b{b", "a\x1b{b"),
        (b"a\x1b|b", "a\x1b|b"),
        (b"a\x1b}b", "a\x1b}b"),
        (b"a\x1b~b", "a\x1b~b"),
        (b"a\x1b\x7fb", "a\x1b\x7fb"),
        (b"a\x1b\xc3\xa9b", "a\x1béb"),
        (b"a\x1b\xffb", "a\x1b\u{fffd}b"),
        (b"a\x1b\x07cb", "a\x1bcb"),
        (b"a\x1b\x1bcb", "a\x1b\x1bcb"),
        (b"a\x1bc", "a\x1bc"),
        (b"a\x1b7\x1b8b", "ab"),
        (b"a\x1b\x007b", "a\x1b\x007b"),
    ]);
}

#[test]
fn a_preview_is_cut_between_code_points() {
    let data = "é🍎\x1b[5C│\r\n\n\nfig".as_bytes();
    let previews = ["", "é", "é🍎", "é🍎│", "é🍎│\n", "é🍎│\n\n", "é🍎│\n\nf"];
    for (max_chars, expected) in previews.iter().enumerate() {
        assert_eq!(preview(data, max_chars), *expected);
    }
    assert_eq!(preview(data, 100), text(data));
    assert_eq!(preview(b"\xff\xff\xff\xff\xff", 2), "\u{fffd}\u{fffd}");
}

/// Each of these took time in proportion to the square of its length if the rest of the line was
/// searched once for each escape in it.
#[test]
fn hostile_snapshots_take_linear_time() {
    let times = 1_000_000;
    assert_eq!(text(&b"\x1b]".repeat(times)), "");
    assert_eq!(text(&[b"\x1b]".repeat(times), b"\x1b\\a".to_vec()].concat()), "a");
    assert_eq!(text(&[b"\x1b]".repeat(times), b"\na\x1b\\".to_vec()].concat()), "a");
    assert_eq!(text(&b"\x1b(".repeat(times)), "");
    assert_eq!(text(&b"\x1b(\x1b".repeat(times)), "");
    assert_eq!(text(&b"\x1b[".repeat(times)), "\x1b[".repeat(times));
    assert_eq!(text(&b"\x1b".repeat(times)), "\x1b".repeat(times));
    assert_eq!(text(&[b"\x1b[".to_vec(), b"1".repeat(times)].concat()).len(), times + 2);
    assert_eq!(preview(&b"\x1b]\x1b[".repeat(times), 4), "\x1b[\x1b[");
}

/// The same text made the slow way, step by step and with the whole text at hand in each.
fn model(data: &[u8]) -> String {
    let decoded = String::from_utf8_lossy(data).replace("\r\n", "\n").replace('\r', "\n");
    let escape = Regex::new(
        r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\n]*?\x1b\\|(?P<charset>\x1b\()|\x1b[0-Z\\\]^_]",
    )
    .unwrap();
    let mut kept = String::new();
    let mut from = 0;
    for found in escape.captures_iter(&decoded) {
        let whole = found.get(0).unwrap();
        kept.push_str(decoded.get(from..whole.start()).unwrap_or_default());
        from = whole.end();
        if found.name("charset").is_some() {
            let charset = decoded[from..].chars().next().filter(|c| *c != '\n');
            from += charset.map_or(0, char::len_utf8);
        }
    }
    kept.push_str(&decoded[from..]);
    kept.retain(|c| !matches!(c, '\x07' | '\x08' | '\x0b' | '\x0c'));
    let squeezed = Regex::new(r"\n{3,}").unwrap().replace_all(&kept, "\n\n").into_owned();
    squeezed.trim_start_matches('\n').to_owned()
}

/// Bytes among which escapes, whole and broken, are frequent.
fn snapshot() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        8 => prop::sample::select(&b"\x1b\x1b\x1b[](\\\n\r\x07\x08\x0b1; ?ma\xe2\x94\x80\xff"[..])
            .prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        1 => "[a-z ]{0,80}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn text_is_that_of_the_model(data in snapshot()) {
        prop_assert_eq!(text(&data), model(&data));
    }

    #[test]
    fn a_preview_is_the_start_of_the_text(data in snapshot(), max_chars in 0_usize..60) {
        let start: String = text(&data).chars().take(max_chars).collect();
        prop_assert_eq!(preview(&data, max_chars), start);
    }
}
