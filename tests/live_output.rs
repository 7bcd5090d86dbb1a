//! What live terminals answer is what was shown: drawn, whole, and no more than asked for.

use crate::support::live::{
    Live, PATIENCE_MS, assert_done, has_note, is_installed, output, reason, viewport,
};
use crate::support::{BLOCKS, command, finish, skipped};

/// A number of lines, as `seq` prints them.
fn numbers(from: u32, to: u32) -> String {
    (from..=to).map(|number| number.to_string()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_program_erases_is_shown_first() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("seq 100 150; clear; echo af''ter");
    assert_done(&reply, 0);
    let lines: Vec<_> = viewport(&reply).lines().collect();
    let first = lines.iter().position(|line| *line == "100").unwrap();
    assert_eq!((lines[first + 50], lines[first + 51..].join("")), ("150", "after".to_owned()));
    assert!(term.blocks().iter().any(|block| block.contains("\n149\n150")));
    // Lines keep their numbers.
    let last = term.ask("read", &["--count", "1"])["lastLine"].as_u64().unwrap();
    term.send("clear; seq 70 99");
    let page = term.ask("read", &["--from", &(last + 1).to_string()]);
    assert!(page["text"].as_str().unwrap().contains("70\n71\n"), "{page}");
    // A program that does it again and again makes a few blocks and a note.
    let reply = term.send("for i in {1..20}; do echo $i; printf '\\e[H\\e[2J'; done");
    assert!(has_note(&reply, "the program erases what it has shown"), "{reply}");
    assert!(term.blocks().len() < 20);
}

#[test]
fn what_cannot_be_written_is_in_the_answer() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    term.send("true");
    // A folder that is none can be written to by nobody.
    let blocks =
        live.codex_home().join("codex-deck/terminal/sessions").join(&term.id).join("blocks");
    let aside = live.user().join("aside");
    std::fs::rename(&blocks, &aside).unwrap();
    std::fs::write(&blocks, "").unwrap();
    for word in ["one", "two", "three"] {
        let reply = term.send(&format!("echo '{word}'again"));
        assert_done(&reply, 0);
        assert!(viewport(&reply).contains(&format!("{word}again")), "{reply}");
        assert!(has_note(&reply, "what was shown is in no block yet: "), "{reply}");
    }
    let reply = term.send_with("seq 100000", &["--max-output-tokens", "20"]);
    assert!(viewport(&reply).contains("100000"), "{reply}");
    assert_eq!(reply["truncated"], true);
    std::fs::remove_file(&blocks).unwrap();
    std::fs::rename(&aside, &blocks).unwrap();
    let reply = term.send("echo done");
    assert!(!has_note(&reply, "what was shown is in no block yet: "), "{reply}");
    assert!(term.blocks().iter().any(|block| block.contains("oneagain")));
}

#[test]
fn a_cut_reply_names_exactly_the_rest() {
    for shell in ["bash", "zsh", "fish"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let want = format!("ready> seq 1000\n{}", numbers(1, 1000));
        let reply = term.send_with("seq 1000", &["--max-output-tokens", "100"]);
        assert_done(&reply, 0);
        assert!(viewport(&reply).len() <= 400, "{reply}");
        // At a line, and no shorter than need be.
        assert!(viewport(&reply).starts_with("901\n"), "{reply}");
        assert!(term.whole(&reply) == want, "{shell}");
        assert!(term.blocks().contains(&want), "{shell}");
        // Nothing of it comes again.
        assert_eq!(output(&term.send("echo next")), "next");
    }
}

#[test]
fn a_cut_reply_of_something_that_goes_on_names_the_rest() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send_with("seq 300; read x; seq 301 600", &["--max-output-tokens", "50"]);
    assert_eq!(reason(&reply), "stdin_read");
    let mut whole = term.whole(&reply);
    assert!(whole == format!("ready> seq 300; read x; seq 301 600\n{}", numbers(1, 300)));
    let reply = term.send_with("typed", &["--max-output-tokens", "50"]);
    assert_done(&reply, 0);
    whole = term.whole(&reply);
    assert!(whole == format!("typed\n{}", numbers(301, 600)), "{whole}");
}

#[test]
fn a_cut_inside_of_a_long_line_counts_its_characters() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let command = "python3 -c \"print('first'); print(''.join(chr(0x4e00 + i % 5000) for i in range(30000)))\"";
    let line: String = (0..30_000).filter_map(|i| char::from_u32(0x4e00 + i % 5_000)).collect();
    let reply = term.send_with(command, &["--max-output-tokens", "250"]);
    assert_done(&reply, 0);
    assert_eq!(viewport(&reply).len(), 999, "whole characters only");
    assert!(reply["omitted"][1]["chars"].is_u64(), "{reply}");
    let whole = term.whole(&reply);
    let (head, last) = whole.rsplit_once('\n').unwrap();
    assert!(last == line);
    assert!(head.ends_with("\nfirst"), "{head}");
    // The same as text, which says how to get the rest.
    let text = live.run(&["send", &term.id, "--max-output-tokens", "1", "echo abcdefgh"]).ok();
    let block = term.blocks().len();
    let manifest = term.manifest();
    let id = manifest["blocks"][block - 1]["blockId"].as_str().unwrap();
    assert_eq!(
        text,
        format!(
            "efgh\n[wait: prompt]\n[exit code: 0]\n[session: running]\n[output truncated]\n\
             [left out: line 1; terminal-session-blocks {0} {id}@1:1 --no-squeeze]\n\
             [left out: the first 4 characters of line 2; \
             terminal-session-blocks {0} {id}@2:2 --no-squeeze --max-chars 4]\n",
            term.id
        )
    );
}

#[test]
fn what_names_the_rest_can_be_typed_as_it_is() {
    let live = Live::new();
    for id in ["it's $1", "-dash"] {
        let mut open = live.command(&["--codex-home", "other home", "open", "--shell", "bash"]);
        open.args([&format!("--terminal-id={id}"), "--timeout-ms", PATIENCE_MS]);
        finish(&mut open).ok();
        let mut send = live.command(&["send", "--json", "--timeout-ms", PATIENCE_MS]);
        let reply = finish(send.args(["--max-output-tokens", "1", "--", id, "seq 9"])).json();
        let arguments = reply["omitted"][0]["arguments"].as_str().unwrap();
        let mut shell = command("sh");
        shell.args(["-c", &format!("{BLOCKS} {arguments}")]).current_dir("/");
        let rest = finish(&mut shell).ok();
        assert!(rest.ends_with("\n1\n2\n3\n4\n5\n6\n7\n\n\n"), "{arguments}: {rest}");
        live.run(&["close", "--", id]).ok();
    }
}

#[test]
fn a_screen_that_is_cut_says_how_to_read_all_of_it() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let line = "printf '\\e[?1049h\\e[H'; seq 20; read x";
    let reply = term.send_with(line, &["--max-output-tokens", "6"]);
    assert_eq!((reason(&reply), reply["isScreen"] == true), ("stdin_read", true), "{reply}");
    assert_eq!(viewport(&reply), numbers(1, 11), "at a line");
    assert_eq!(reply["truncated"], true);
    assert!(has_note(&reply, "the rest of the screen is left out; read --screen"), "{reply}");
    assert!(term.screen()["text"].as_str().unwrap().starts_with(&numbers(1, 20)));
    let text = live.run(&["keys", &term.id, "--max-output-tokens", "6", "a"]).ok();
    assert!(text.contains("[note: the rest of the screen"), "{text}");
}

#[test]
fn a_cut_reply_over_several_blocks_names_them_all() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    // Commands that nobody waited for.
    let gate =
        |number: u32| format!("until [ -e gate ]; do sleep 0.02; done; seq {number}00 {number}99");
    let reply = term.send_with(&gate(1), &["--timeout-ms", "1"]);
    assert_eq!(reason(&reply), "timeout");
    for number in 2..6 {
        term.send_with(&format!("{}\r", gate(number)), &["--no-submit", "--timeout-ms", "1"]);
    }
    std::fs::write(live.user().join("gate"), "").unwrap();
    term.ask(
        "wait",
        &["--until", "text=(?m)^599$", "--timeout-ms", "120000", "--max-output-tokens", "20"],
    );
    let reply = term.send_with("echo end", &["--max-output-tokens", "150"]);
    assert_done(&reply, 0);
    assert!(viewport(&reply).ends_with("end"), "{reply}");
    let blocks = term.blocks();
    assert!(blocks.len() >= 6, "{}", blocks.len());
    let lines: Vec<&str> = blocks.iter().flat_map(|block| block.lines()).collect();
    for number in 100..600 {
        let number = number.to_string();
        assert_eq!(lines.iter().filter(|line| **line == number).count(), 1, "{number}");
    }
}

#[test]
fn several_blocks_in_one_reply() {
    let live = Live::new();
    let Some(term) = live.shell("dash") else {
        return;
    };
    term.send("seq 3");
    term.ask("freeze", &[]);
    // Made while nobody asks.
    let task = term.send_in_background("seq 100 150; sleep 0.2; seq 200 250; echo over");
    term.wait("text=(?m)^250$");
    let frozen = term.ask("freeze", &[]);
    let done = live.json(&[
        "output",
        &task,
        "--wait",
        "--timeout-ms",
        "120000",
        "--max-output-tokens",
        "20",
    ]);
    assert_eq!(done["status"]["kind"], "completed", "{done}");
    let whole = term.whole(&done);
    let want = [numbers(100, 150), numbers(200, 250)].join("\n");
    assert!(whole.contains(&want), "{frozen} {done} {whole}");
    assert!(done["omitted"].as_array().unwrap().iter().all(|part| part["blockId"].is_string()));
}

#[test]
fn output_that_nobody_could_hold_is_in_its_block() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("seq 400000");
    assert_done(&reply, 0);
    assert!(viewport(&reply).len() <= 256 << 10);
    let want = format!("ready> seq 400000\n{}", numbers(1, 400_000));
    assert!(term.whole(&reply) == want);
    let reply = term.send_with("seq 400000", &["--max-output-tokens", "10"]);
    assert_eq!(viewport(&reply), numbers(399_996, 400_000));
    assert!(term.whole(&reply) == want);
    // Half of it while it still runs.
    let reply = term.send_with("seq 50000; read x; seq 3", &["--max-output-tokens", "10"]);
    assert!(term.whole(&reply).ends_with(&numbers(1, 50_000)));
}

#[test]
fn blank_lines_and_colours_are_as_they_were_shown() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("printf 'a\\n\\n\\n\\n\\033[31mred\\033[0m\\tb\\n\\nc\\007\\n'");
    assert_done(&reply, 0);
    assert_eq!(output(&reply), "a\n\n\n\nred     b\n\nc");
    assert_eq!(reply["bell"], true);
    assert!(term.send("true")["bell"].is_null());
    let reply = term.send("printf 'gone\\r\\033[K\\033]2;title\\007kept\\033P+q\\033\\\\\\n'");
    assert_eq!(output(&reply), "kept");
    assert_eq!(term.screen()["title"], "title");
}

#[test]
fn what_zsh_puts_behind_a_line_without_end_is_no_output() {
    for shell in ["bash", "zsh", "fish"] {
        let live = Live::new();
        let Some(term) = live.shell(shell) else {
            continue;
        };
        let reply = term.send("printf x");
        assert_done(&reply, 0);
        assert_eq!(output(&reply), "x", "{shell}");
        assert_eq!(output(&term.send("printf ''")), "", "{shell}");
    }
}

#[test]
fn a_line_that_changed_comes_again_and_says_so() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send("printf 'working 10%%'; read -s x; printf '\\rworking 100%%\\ndone\\n'");
    assert_eq!(output(&reply), "working 10%");
    let reply = term.send("go");
    assert_done(&reply, 0);
    assert_eq!((viewport(&reply), &reply["linesAgain"]), ("working 100%\ndone", &1.into()));
}

#[test]
fn history_is_read_by_stable_numbers() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    term.send("seq 2000");
    let page = term.ask("read", &["--from", "1001", "--count", "3"]);
    assert_eq!((page["firstLine"].as_u64(), page["lastLine"].as_u64()), (Some(1001), Some(1003)));
    assert_eq!(page["text"], "1000\n1001\n1002");
    term.send("seq 20");
    assert_eq!(term.ask("read", &["--from", "1001", "--count", "3"])["text"], page["text"]);
    let newest = term.ask("read", &["--offset", "1", "--count", "2"]);
    assert_eq!((&newest["text"], &newest["lineBegin"]), (&"19\n20".into(), &1.into()));
}

#[test]
fn a_signal_loses_no_output() {
    let live = Live::new();
    let Some(term) = live.shell("bash") else {
        return;
    };
    let reply = term.send_with(
        "sh -c 'trap \"echo caught; exit 8\" INT; (trap \"\" INT; exec seq 3000); while :; do sleep 0.02; done'",
        &["--timeout-ms", "1"],
    );
    assert_eq!(reason(&reply), "timeout");
    term.wait("text=(?m)^1$");
    term.ask("signal", &["SIGINT"]);
    let _reply = term.send_with("", &["--no-submit"]);
    term.wait("ready");
    let blocks = term.blocks().join("\n");
    assert!(blocks.ends_with(&format!("{}\ncaught", numbers(1, 3000))), "{blocks}");
}
