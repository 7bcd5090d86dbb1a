//! `terminal-session-blocks --render ansi`, `html` and `svg`.

use regex::Regex;

use crate::support::{BLOCKS, Home, run, run_in, run_shown};

/// All snapshot blocks that ship with the crate.
const SCREENS: [(&str, &str); 11] = [
    ("demo", "1"),
    ("demo", "2"),
    ("demo", "4"),
    ("demo", "6"),
    ("terminal-k3x9qa71mb2f", "1"),
    ("terminal-k3x9qa71mb2f", "2"),
    ("terminal-w81pz0dd9c4e", "1"),
    ("terminal-w81pz0dd9c4e", "2"),
    ("terminal-w81pz0dd9c4e", "3"),
    ("terminal-w81pz0dd9c4e", "4"),
    ("terminal-w81pz0dd9c4e", "5"),
];

/// Without colours and the blanks at line ends that only had one.
fn plain(colored: &str) -> String {
    let sgr = Regex::new("\x1b\\[[0-9;]*m").unwrap().replace_all(colored, "");
    let lines: Vec<_> = sgr.split('\n').map(|line| line.trim_end_matches(' ')).collect();
    lines.join("\n")
}

/// A page's text: without tags, and with the characters that they would be.
fn page_text(page: &str) -> String {
    let text = Regex::new("<[^>]*>").unwrap().replace_all(page, "");
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    pairs.iter().fold(text.into_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
fn colours_are_all_that_ansi_adds() {
    for (terminal, block) in SCREENS {
        for lines in ["", "@2:5", "@7"] {
            let selector = format!("{block}{lines}");
            let text = run(BLOCKS, &[terminal, &selector]).ok();
            let ansi = run(BLOCKS, &[terminal, &selector, "--render", "ansi"]).ok();
            assert_eq!(plain(&ansi), text, "{terminal} {selector}");
        }
        let text = run(BLOCKS, &[terminal, block, "--tail", "3", "--no-squeeze"]).ok();
        let args = [terminal, block, "--tail", "3", "--no-squeeze", "--render=ansi"];
        assert_eq!(plain(&run(BLOCKS, &args).ok()), text);
    }
    let shown = run(BLOCKS, &["demo", "6@4", "--render", "ansi"]).ok();
    assert!(
        shown.ends_with("\n\n\u{1b}[31m紅玉\u{1b}[0m　　 45kg　\u{1b}[42m不可\u{1b}[0m\n\n\n"),
        "{shown:?}"
    );
}

#[test]
fn ansi_goes_to_a_terminal_and_holds_nothing_but_colours() {
    let home = Home::new();
    home.screen(
        "t",
        "\x1b]0;title\x07\x1b[31mred\x1b[0m\x1b]8;;http://x.test\x07link\x1b]8;;\x07\u{9b}5m\x1b[?25l\
         \x1b[2 q\x07\x7f\x1bPq#0\x1b\\end",
    );
    let (shown, code) = run_shown(home.path(), BLOCKS, &["t", "b", "--render", "ansi"]);
    assert_eq!(code, 0);
    let body = shown.split_once("\r\n\r\n").unwrap().1;
    assert_eq!(
        body,
        "\u{1b}[31mred\u{1b}[0m\u{1b}[4mlink\u{1b}[0m\u{1b}[5mend\u{1b}[0m\r\n\r\n\r\n"
    );
}

#[test]
fn messages_are_their_text() {
    let home = Home::new();
    home.manifest(
        "t",
        r#"{"blocks":[{"blockId":"m","type":"ai_terminal_complete","message":"a <b> \u001b[31m&\nc"}]}"#,
    );
    let ansi = home.run(BLOCKS, &["t", "m", "--render", "ansi"]).ok();
    assert!(ansi.ends_with("\n\na <b> \\x1b[31m&\nc\n\n\n"), "{ansi:?}");
    let html = home.run(BLOCKS, &["t", "m", "--render", "html"]).ok();
    let part = "<pre class=\"text\">\na &lt;b&gt; \\x1b[31m&amp;\nc</pre>\n";
    assert!(html.contains(part), "{html}");
    let svg = home.run(BLOCKS, &["t", "m", "--render", "svg"]).ok();
    assert!(svg.contains(">a &lt;b&gt; \\x1b[31m&amp;</text>"), "{svg}");
    assert!(svg.contains("y=\"40\"") && svg.contains(">c</text>"), "{svg}");
}

#[test]
fn a_page_has_the_rows_of_all_blocks() {
    let home = Home::new();
    home.screen(
        "t",
        "$ less\r\n\x1b[1;38;5;208mx<y\x1b[0m & \x1b[7m桃é\x1b[0m\x1b[?1049h\x1b[H\x1b[4;41mA\x1b[K",
    );
    let html = home.run(BLOCKS, &["t", "b", "--render", "html"]).ok();
    let (_, screens) = html.split_once("<h2>1. screen b</h2>\n").unwrap();
    let blank = "\n".repeat(24);
    let fill = " ".repeat(79);
    assert_eq!(
        screens,
        format!(
            "<pre class=\"screen\" style=\"width:80ch\">\n$ less\n\
             <span class=\"b\" style=\"--f:#ff8700\">x&lt;y</span> &amp; \
             <span style=\"--f:var(--back);--b:var(--fore)\"><b>桃</b><i>é</i></span>\n</pre>\n\
             <pre class=\"screen\" style=\"width:80ch\">\n\
             <span class=\"u g1\">A</span><span class=\"g1\">{fill}</span>{blank}</pre>\n\
             </body>\n</html>\n"
        )
    );
    let html = run(BLOCKS, &["demo", "--all", "--render", "html"]).ok();
    assert_eq!(html.matches("<h2>").count(), 7);
    for (block, line) in
        [("2", "error[E0277]: cannot multiply `u32` by `&str`"), ("6", "王林　　 80kg　可")]
    {
        let text = page_text(&html);
        assert!(text.contains(&format!("\n{line}\n")), "{block}: {text}");
    }
}

#[test]
fn a_page_loads_and_runs_nothing() {
    let tags = Regex::new("<[a-zA-Z][^>]*>").unwrap();
    for render in ["html", "svg"] {
        for (terminal, _) in SCREENS {
            let page = run(BLOCKS, &[terminal, "--all", "--render", render]).ok();
            for tag in tags.find_iter(&page) {
                let tag = tag.as_str();
                let loads =
                    ["href", "src=", "<script", "<link", "<image", "<use", " on", "<foreign"];
                assert!(!loads.iter().any(|word| tag.contains(word)), "{tag}");
            }
            assert!(!page.contains("url(") && !page.contains("@import"));
        }
    }
    let page = run(BLOCKS, &["demo", "1", "--render", "html"]).ok();
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'"), "{page}");
}

#[test]
fn untrusted_names_are_text_on_a_page() {
    let home = Home::new();
    home.snapshot("t", "s", "x").manifest(
        "t",
        r#"{"blocks":[{"blockId":"<script>\u0007\"&","type":"terminal_snapshot","snapshotPath":"blocks/s",
        "cols":5,"rows":1,"command":"<img src=x>","cwd":"/<b>","exitCode":3,
        "createdAt":"2026-05-04T09:00:00.000Z"}]}"#,
    );
    let html = home.run(BLOCKS, &["t", "1", "--render", "html"]).ok();
    let (_, body) = html.split_once("</h1>\n").unwrap();
    assert!(
        body.starts_with(
            "<h2>1. screen &lt;script&gt;\u{fffd}&quot;&amp;</h2>\n<p class=\"facts\">\
             $ &lt;img src=x&gt; · <span class=\"bad\">exit code 3</span> · in /&lt;b&gt; · \
             2026-05-04 09:00:00 UTC</p>\n"
        ),
        "{body}"
    );
    let svg = home.run(BLOCKS, &["t", "1", "1", "--render", "svg"]).ok();
    assert!(svg.contains(">1. screen &lt;script&gt;\u{fffd}&quot;&amp;</text>"), "{svg}");
}

#[test]
fn a_picture_has_each_run_on_the_grid() {
    let home = Home::new();
    home.snapshot("t", "s", "ab 桃\x1b[42mc\x1b[0m  \x1b[31;2md e\x1b[0m").manifest(
        "t",
        r#"{"blocks":[{"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":20,"rows":2}]}"#,
    );
    let svg = home.run(BLOCKS, &["t", "1", "--render", "svg"]).ok();
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"180\" height=\"37\"")
    );
    let (_, body) = svg.split_once("rx=\"4\"/>\n").unwrap();
    let text = |class: &str, column: usize, columns: usize, text: &str| {
        let (x, length) = (10 + 8 * column, 8 * columns);
        format!(
            "<text{class} x=\"{x}\" y=\"23\" textLength=\"{length}\" \
             lengthAdjust=\"spacingAndGlyphs\">{text}</text>\n"
        )
    };
    let want = [
        "<rect class=\"g2\" x=\"50\" y=\"10\" width=\"8\" height=\"17\"/>\n".to_owned(),
        text("", 0, 2, "ab"),
        text("", 3, 2, "桃"),
        text("", 5, 1, "c"),
        text(" class=\"d f1\"", 8, 3, "d e"),
        "</svg>\n".to_owned(),
    ];
    assert_eq!(body, want.concat());
}

#[test]
fn lines_of_a_picture_can_be_chosen() {
    let html = run(BLOCKS, &["demo", "6@1:2", "--render", "html"]).ok();
    let (_, rows) = html.split_once("ch\">\n").unwrap();
    let (rows, _) = rows.split_once("</pre>").unwrap();
    assert_eq!(page_text(rows), "品種    収穫量  状態\nふじ　　120kg　良\n");
    let svg = run(BLOCKS, &["demo", "6", "--head", "2", "--render", "svg"]).ok();
    assert!(svg.contains("height=\"54\"") && !svg.contains("王"), "{svg}");
    let past = run(BLOCKS, &["demo", "6@99", "--render", "svg"]);
    assert!(past.code == 0 && past.stderr.contains("is past its end"), "{past:?}");
}

#[test]
fn what_counts_characters_does_not_go_with_colours() {
    for render in ["ansi", "html", "svg"] {
        for bad in [
            &["1", "--omitted"][..],
            &["1", "--json"],
            &["1", "--max-chars", "5"],
            &["1@2+3:"],
            &["1", "--line-range", "2+3:"],
            &["--grep", "x"],
            &["1", "--force"],
            &["1", "--compat"],
        ] {
            run(BLOCKS, &[&["demo", "--render", render], bad].concat()).fails(2);
        }
    }
}

#[test]
fn a_block_that_cannot_be_read_leaves_the_others() {
    let home = Home::new();
    home.snapshot("t", "s", "fine").manifest(
        "t",
        r#"{"blocks":[{"type":"terminal_snapshot","snapshotPath":"blocks/gone"},
        {"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":5,"rows":1}]}"#,
    );
    for (render, shown) in [("ansi", "\nfine\n"), ("html", "fine"), ("svg", ">fine</text>")] {
        let found = home.run(BLOCKS, &["t", "--all", "--render", render]);
        assert!(found.code == 1 && found.stderr.contains("content file not found"), "{found:?}");
        assert!(found.stdout.contains(shown), "{}", found.stdout);
    }
}

#[test]
fn a_few_bytes_that_stand_for_gigabytes_are_refused() {
    let home = Home::new();
    home.snapshot("t", "s", "\x1b[65535Cx\r\n".repeat(1_200)).manifest(
        "t",
        r#"{"blocks":[{"type":"terminal_snapshot","snapshotPath":"blocks/s","cols":65535,"rows":9}]}"#,
    );
    for render in ["ansi", "html", "svg"] {
        let found = home.run(BLOCKS, &["t", "1", "--render", render]);
        assert!(found.code == 1 && found.stderr.contains("holds more than"), "{}", found.stderr);
    }
}

#[test]
fn the_pictures_of_the_readme_are_those_of_the_program() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("TERMINAL_SESSION_UPDATE_MAN").is_some();
    for (block, name) in [("1", "vim.svg"), ("2", "htop.svg")] {
        let home = root.join("fixtures/pictures");
        let args = ["pictures", block, "--render", "svg"];
        let made = run_in(&home, BLOCKS, &args).ok();
        let path = root.join("doc").join(name);
        if update {
            std::fs::write(&path, &made).unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap() == made, "{name} is stale");
        assert!(made.len() < 40_000, "{name} has {} bytes", made.len());
    }
}
