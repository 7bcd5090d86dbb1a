//! `terminal_execute`, on the command line: real shells and programs behind labels.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::live::{Live, ended, is_installed};
use crate::support::{finish, skipped};

/// The longest wait that there is. Every call that is to end before its deadline has this one.
const PATIENCE: &str = "60";

trait Execute {
    fn execute_command(&self, args: &[&str]) -> Command;
    /// Runs a command in a terminal that has its own label only where these arguments say so.
    fn execute(&self, args: &[&str]) -> Value;
    /// A call that goes on while the test does something else.
    fn start_execute(&self, args: &[&str]) -> Child;
    /// A named pipe in the user's home.
    fn pipe(&self, name: &str) -> std::path::PathBuf;
    /// Has a label mean a terminal that was opened in another way.
    fn label(&self, label: &str, id: &str);
    /// Checks a cut reply: the parts that are left out, where its marks stand, and what it shows
    /// are all that was shown. Gives all of it.
    fn whole_content(&self, reply: &Value) -> String;
}

impl Execute for Live {
    fn execute_command(&self, args: &[&str]) -> Command {
        let is_given = args.contains(&"--timeout");
        let timeout: &[&str] = if is_given { &[] } else { &["--timeout", PATIENCE] };
        let mut command = self.command(&["execute", "--json"]);
        command.args(timeout).args(args);
        command
    }

    #[track_caller]
    fn execute(&self, args: &[&str]) -> Value {
        finish(&mut self.execute_command(args)).json()
    }

    fn start_execute(&self, args: &[&str]) -> Child {
        let mut command = self.execute_command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn pipe(&self, name: &str) -> std::path::PathBuf {
        let path = self.user().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    fn label(&self, label: &str, id: &str) {
        let socket = format!("{id}.sock");
        let folders = fs::read_dir(self.runtime().join("agents")).unwrap();
        let mut folders = folders.map(|folder| folder.unwrap().path());
        let folder = folders.find(|folder| folder.join(&socket).exists()).unwrap();
        fs::write(folder.join("labels.json"), serde_json::json!({label: id}).to_string()).unwrap();
    }

    #[track_caller]
    fn whole_content(&self, reply: &Value) -> String {
        let mut rest = content(reply);
        let mut whole = String::new();
        for omitted in reply["omitted"].as_array().into_iter().flatten() {
            assert_eq!(reply["truncated"], true);
            let arguments = omitted["arguments"].as_str().unwrap();
            let count = omitted["characters"].as_u64().unwrap();
            let mark =
                format!("\n[left out: {count} characters; terminal-session-blocks {arguments}]\n");
            let (before, after) = rest.split_once(&mark).unwrap_or_else(|| panic!("{mark}"));
            let words: Vec<_> = arguments.split(' ').collect();
            let texts = self.block_texts(&words);
            assert_eq!(texts.len(), 1, "{arguments}");
            assert_eq!(texts[0].chars().count() as u64, count, "{arguments}");
            whole.push_str(before);
            if !words[1].contains('+') {
                whole.push('\n');
            }
            whole.push_str(&texts[0]);
            if !words.contains(&"--max-chars") {
                whole.push('\n');
            }
            rest = after;
        }
        whole + rest
    }
}

#[track_caller]
fn content(reply: &Value) -> &str {
    reply["content"].as_str().unwrap_or_else(|| panic!("{reply}"))
}

/// The content of a command that ended so.
#[track_caller]
fn completed(reply: &Value, code: i64) -> &str {
    let found = (&reply["status"], reply["exit_code"].as_i64());
    assert_eq!(found, (&"completed".into(), Some(code)), "{reply}");
    content(reply)
}

/// The content of a reply to keys that ran nothing.
#[track_caller]
fn edited(reply: &Value) -> &str {
    let found = (&reply["status"], &reply["exit_code"]);
    assert_eq!(found, (&"completed".into(), &Value::Null), "{reply}");
    content(reply)
}

/// The content of something that runs, without what is said of that.
#[track_caller]
fn running(reply: &Value) -> &str {
    let found = (&reply["status"], &reply["exit_code"]);
    assert_eq!(found, (&"running".into(), &Value::Null), "{reply}");
    let content = content(reply);
    let (content, said) = content.rsplit_once('\n').unwrap_or(("", content));
    assert!(said.starts_with('[') && said.ends_with(']'), "{reply}");
    content
}

/// What is said of something that runs.
fn said(reply: &Value) -> &str {
    content(reply).rsplit('\n').next().unwrap_or_default()
}

/// Lets go whoever reads from a pipe.
fn release(pipe: &std::path::Path) {
    fs::File::options().write(true).open(pipe).unwrap().write_all(b"\n").unwrap();
}

#[track_caller]
fn refused(live: &Live, args: &[&str]) -> Value {
    let run = finish(&mut live.execute_command(args));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.starts_with("error: "), "{run:?}");
    let reply: Value = serde_json::from_str(&run.stdout).unwrap();
    let found = (&reply["status"], &reply["exit_code"]);
    assert_eq!(found, (&"error".into(), &Value::Null), "{reply}");
    assert_eq!(run.stderr, format!("error: {}\n", content(&reply)));
    reply
}

#[test]
fn a_reply_has_the_fields_of_the_reference() {
    let live = Live::new();
    let reply = live.execute(&["echo hello; (exit 3)"]);
    assert_eq!(completed(&reply, 3), "hello");
    assert_eq!(reply["command"], "echo hello; (exit 3)");
    assert_eq!(reply["terminal_id"], "default");
    assert_eq!(reply["working_dir"], live.user().to_str().unwrap());
    let session = reply["session_id"].as_str().unwrap();
    assert!(session.starts_with("terminal-"), "{reply}");
    assert!(live.block_texts(&[session, "last"])[0].ends_with("\nhello"));
    assert_eq!((&reply["truncated"], &reply["error"]), (&false.into(), &Value::Null));
    let text = live.run(&["execute", "echo hello"]).ok();
    let want = format!(
        "hello\n[status: completed]\n[exit code: 0]\n[working dir: {}]\n[terminal: default \
         ({session})]\n",
        live.user().display()
    );
    assert_eq!(text, want);
}

#[test]
fn state_stays_and_the_folder_is_followed() {
    let live = Live::new();
    completed(&live.execute(&["x=5; mkdir -p 'a b'; cd 'a b'; f() { return 9; }"]), 0);
    let reply = live.execute(&["echo $x; f"]);
    assert_eq!(completed(&reply, 9), "5");
    assert_eq!(reply["working_dir"], live.user().join("a b").to_str().unwrap());
    // Also while something runs.
    let reply = live.execute(&["cd /; cat"]);
    assert_eq!((running(&reply), &reply["working_dir"]), ("", &"/".into()));
    assert_eq!(reply["inside"], "cat");
}

#[test]
fn an_empty_command_returns_early_on_completion() {
    let live = Live::new();
    let pipe = live.pipe("pipe");
    let reply = live.execute(&["--timeout", "0.1", "read x < pipe; echo released; (exit 5)"]);
    assert_eq!(running(&reply), "");
    let expected = "[still running after 0.1 s; this is the output so far; ";
    assert!(said(&reply).starts_with(expected), "{reply}");
    let poll = live.start_execute(&[""]);
    release(&pipe);
    let reply = ended(poll).json();
    assert_eq!(completed(&reply, 5), "released");
    // At a prompt there is nothing to wait for, and the last exit code is the real one.
    for empty in ["", "  ", "\n"] {
        let reply = live.execute(&[empty]);
        assert_eq!(completed(&reply, 5), "");
        assert_eq!(reply["command"], empty);
    }
}

#[test]
fn an_end_between_two_calls_is_told() {
    let live = Live::new();
    let (pipe, done) = (live.pipe("pipe"), live.pipe("done"));
    let args = ["--timeout", "0", "read x < pipe; echo first; echo > done; (exit 7)"];
    assert_eq!(live.execute(&args)["status"], "running");
    release(&pipe);
    fs::read(done).unwrap();
    assert_eq!(completed(&live.execute(&[""]), 7), "first");
}

#[test]
fn an_end_before_the_next_command_is_told_apart() {
    let live = Live::new();
    live.rc("bash", "PROMPT_COMMAND='[[ ! -p told ]] || echo > told'");
    completed(&live.execute(&["true"]), 0);
    let pipe = live.pipe("pipe");
    // Ends between two calls.
    let end = |command: &str| {
        let command = format!("read x < pipe; {command}");
        assert_eq!(live.execute(&["--timeout", "0.1", &command])["status"], "running");
        let told = live.pipe("told");
        release(&pipe);
        fs::read(&told).unwrap();
        fs::remove_file(told).unwrap();
    };
    end("echo rest; echo more; (exit 7)");
    let reply = live.execute(&["echo second; (exit 3)"]);
    let want = "[the previous command ended with exit code 7; the rest of its output:]\nrest\nmore\n\
        [output after that:]\nsecond";
    assert_eq!(completed(&reply, 3), want);
    assert_eq!(reply["previous"], serde_json::json!({"exit_code": 7}));
    // It is told once.
    let reply = live.execute(&["echo third"]);
    assert_eq!((completed(&reply, 0), &reply["previous"]), ("third", &Value::Null));
    // One that printed no more, and a key that ends nothing.
    end("(exit 8)");
    let reply = live.execute(&["C-l"]);
    let want =
        "[the previous command ended with exit code 8; it printed no more]\n[output after that:]";
    assert_eq!(edited(&reply), want);
    assert_eq!(reply["previous"]["exit_code"], 8);
    // One of which a poll told is no previous one.
    end("echo polled; (exit 9)");
    assert_eq!(completed(&live.execute(&[""]), 9), "polled");
    assert_eq!(completed(&live.execute(&["echo alone"]), 0), "alone");
    // The middle of both together is left out, and what is said there stays.
    end("seq 1 2000; (exit 7)");
    let reply = live.execute(&["seq 2001 4000; (exit 2)"]);
    completed(&reply, 2);
    let whole = live.whole_content(&reply);
    let numbers = |from: u32| (from..from + 2000).map(|n| format!("{n}\n")).collect::<String>();
    let said = "[the previous command ended with exit code 7; the rest of its output:]\n";
    let want = format!("{said}{}[output after that:]\n{}", numbers(1), numbers(2001));
    assert_eq!(whole + "\n", want);
}

#[test]
fn what_runs_nothing_has_no_exit_code() {
    let live = Live::new();
    completed(&live.execute(&["(exit 5)"]), 5);
    let reply = live.execute(&["--no-enter", "echo foo"]);
    assert_eq!(edited(&reply), "echo foo");
    let note = "this stands at the prompt: echo foo; Enter runs it, C-c throws it away";
    assert_eq!(reply["notes"], serde_json::json!([note]));
    completed(&live.execute(&["C-c"]), 130);
    let reply = live.execute(&["Up"]);
    assert_eq!(edited(&reply), "(exit 5)");
    assert!(reply["notes"][0].as_str().unwrap().contains("prompt: (exit 5);"), "{reply}");
    completed(&live.execute(&["Enter"]), 5);
    // Nothing stands there, and nothing ends.
    for key in ["C-a", "C-l", "BSpace", "Enter", "C-c"] {
        let reply = live.execute(&[key]);
        assert!(["", "^C"].contains(&edited(&reply)), "{key}: {reply}");
        assert!(!reply["notes"].to_string().contains("stands"), "{key}: {reply}");
    }
    assert_eq!(completed(&live.execute(&["echo ran"]), 0), "ran");
    // A line that is wrong has ended, though nothing ran.
    assert!(completed(&live.execute(&[")"]), 2).starts_with("bash: syntax error near"));
    running(&live.execute(&["echo 'open"]));
    assert_eq!(completed(&live.execute(&["C-c"]), 130), "^C");
}

#[test]
fn text_without_enter_waits_for_its_echo_only() {
    let live = Live::new();
    // Also as the first of all, and while a job in the background is never quiet.
    let reply = live.execute(&["--no-enter", "echo one"]);
    assert_eq!(reply["wait_reason"], "prompt", "{reply}");
    assert_eq!(completed(&live.execute(&["Enter"]), 0), "one");
    // A look at what is not typed yet waits for no end either.
    live.execute(&["--terminal", "other", "--timeout", "0", "--no-enter", "echo two"]);
    let reply = live.execute(&["--terminal", "other", ""]);
    assert_eq!(reply["wait_reason"], "prompt", "{reply}");
    completed(&live.execute(&["while :; do printf '\\a'; sleep 0.05; done & job=$!"]), 0);
    let reply = live.execute(&["--no-enter", "kill $job"]);
    assert_eq!(edited(&reply), "kill $job");
    assert_eq!(reply["wait_reason"], "prompt", "{reply}");
    completed(&live.execute(&["Enter"]), 0);
}

#[test]
fn prompts_of_many_lines_are_in_no_content() {
    let live = Live::new();
    live.rc("bash", "draw() { PS1=$'\n~\n\n> '; }; [[ ! -e drawn ]] || PROMPT_COMMAND=draw");
    let prompts = [
        r"PS1='\u@\h:\w\n\$ '",
        r"PS1='\n\[\e[1m\]漢 \w\[\e[0m\] via x\n❯ '",
        "PS1=\"(venv) $PS1\"",
        r#"PS1="$PS1"'\n> '"#,
        "true",
    ];
    for prompt in prompts {
        let run = |args: &[&str]| live.execute(&[&["--terminal", prompt], args].concat());
        if prompt == "true" {
            fs::write(live.user().join("drawn"), "").unwrap();
        }
        completed(&run(&[prompt]), 0);
        assert_eq!(completed(&run(&["echo one"]), 0), "one", "{prompt}");
        assert_eq!(completed(&run(&[""]), 0), "", "{prompt}");
        assert_eq!(completed(&run(&["for i in 1 2\ndo echo $i\ndone"]), 0), "1\n2", "{prompt}");
        assert_eq!(running(&run(&["for i in 1 2"])), "", "{prompt}");
        assert_eq!(running(&run(&["--input", "do echo $i"])), "", "{prompt}");
        assert_eq!(completed(&run(&["--input", "done"]), 0), "1\n2", "{prompt}");
        assert_eq!(edited(&run(&["--no-enter", "echo two"])), "echo two", "{prompt}");
        assert_eq!(completed(&run(&["Enter"]), 0), "two", "{prompt}");
        // What Tab lists is drawn above a prompt that is drawn again.
        completed(&run(&["touch both1 both2"]), 0);
        run(&["--no-enter", "ls bo"]);
        run(&["Tab"]);
        run(&["Tab"]);
        assert_eq!(edited(&run(&["Tab"])), "both1  both2\nls both", "{prompt}");
        completed(&run(&["C-c"]), 130);
        // What a job prints there is output.
        completed(&run(&["rm -f pipe done; mkfifo pipe done"]), 0);
        let job = "(read x < pipe; printf 'late\\ntoo'; echo > done) & disown";
        completed(&run(&[job]), 0);
        release(&live.user().join("pipe"));
        fs::read(live.user().join("done")).unwrap();
        assert_eq!(completed(&run(&["echo four"]), 0), "late\ntoo\nfour", "{prompt}");
    }
}

#[test]
fn what_a_job_prints_at_the_prompt_is_told_once() {
    let live = Live::new();
    let (pipe, done) = (live.pipe("pipe"), live.pipe("done"));
    for (print, polls) in [("echo late", false), ("printf late", false), ("printf late", true)] {
        let job = format!("(read x < pipe; {print}; echo > done; read x < pipe) &");
        completed(&live.execute(&[&job]), 0);
        release(&pipe);
        fs::read(&done).unwrap();
        if polls {
            assert_eq!(completed(&live.execute(&[""]), 0), "late");
        }
        let want = if polls { "meanwhile" } else { "late\nmeanwhile" };
        assert_eq!(completed(&live.execute(&["echo meanwhile"]), 0), want, "{print}");
        // That it is done is said before the next prompt.
        release(&pipe);
        completed(&live.execute(&["while kill -0 $! 2> /dev/null; do :; done"]), 0);
        let reply = live.execute(&["echo after"]);
        let lines: Vec<_> = content(&reply).lines().collect();
        assert!(lines[0].starts_with("[1]+  Done") && lines[1..] == ["after"], "{reply}");
        assert_eq!(completed(&live.execute(&["echo last"]), 0), "last");
    }
}

#[test]
fn the_right_prompt_of_zsh_is_in_no_content() {
    let live = Live::new();
    live.rc("zsh", "PS1=$'%~\\n%# '\nRPS1=right");
    let Some(term) = live.shell("zsh") else {
        return;
    };
    live.label("default", &term.id);
    assert_eq!(completed(&live.execute(&["echo one"]), 0), "one");
    assert_eq!(completed(&live.execute(&[""]), 0), "");
    assert_eq!(edited(&live.execute(&["--no-enter", "echo two"])), "echo two");
    assert_eq!(completed(&live.execute(&["Enter"]), 0), "two");
    // C-c ends the search and leaves the text.
    live.execute(&["--no-enter", "touch a"]);
    live.execute(&["C-r"]);
    live.execute(&["C-c"]);
    refused(&live, &["touch b"]);
    live.execute(&["C-c"]);
    assert_eq!(completed(&live.execute(&["echo three"]), 0), "three");
}

#[test]
fn several_lines_are_one_command() {
    let live = Live::new();
    let text = "echo one\nfor i in 1 2; do\n\techo \"<$i>\"\ndone\n\n(exit 4)\n";
    assert_eq!(completed(&live.execute(&[text]), 4), "one\n<1>\n<2>");
    assert_eq!(completed(&live.execute(&["cat <<'END'\na\n  b\nEND"]), 0), "a\n  b");
    assert_eq!(completed(&live.execute(&["f() {\n echo in f\n return 6\n}\nf"]), 6), "in f");
    // What reads gets what is sent to it. The lines after it are commands.
    assert_eq!(running(&live.execute(&["cat\necho end\n(exit 2)"])), "");
    assert_eq!(running(&live.execute(&["--input", "in"])), "in\nin");
    assert_eq!(completed(&live.execute(&["C-d"]), 2), "end");
    // What is no whole command can be gone on with, or given up.
    let reply = live.execute(&["for i in 1 2"]);
    assert!(said(&reply).starts_with("[the shell wants more of the command"), "{reply}");
    refused(&live, &["echo no"]);
    assert_eq!(completed(&live.execute(&["--input", "do echo $i; done"]), 0), "1\n2");
    running(&live.execute(&["echo 'open"]));
    completed(&live.execute(&["C-c"]), 130);
}

#[test]
fn a_command_in_the_background_is_done_at_once() {
    let live = Live::new();
    let (pipe, done) = (live.pipe("pipe"), live.pipe("done"));
    let reply = live.execute(&["(read x < pipe; echo late; echo > done) &"]);
    assert!(completed(&reply, 0).starts_with("[1] "), "{reply}");
    assert_eq!(completed(&live.execute(&["echo meanwhile"]), 0), "meanwhile");
    release(&pipe);
    fs::read(done).unwrap();
    let reply = live.execute(&["echo after"]);
    assert!(completed(&reply, 0).ends_with("late\nafter"), "{reply}");
}

#[test]
fn keys_work_without_input_while_something_runs() {
    let live = Live::new();
    live.pipe("pipe");
    assert_eq!(live.execute(&["--timeout", "0.1", "read x < pipe"])["status"], "running");
    assert_eq!(completed(&live.execute(&["C-c"]), 130), "^C");
    running(&live.execute(&["cat"]));
    assert_eq!(completed(&live.execute(&["C-d"]), 0), "");
    // What was stopped has not ended, and goes on.
    running(&live.execute(&["cat"]));
    let reply = live.execute(&["C-z"]);
    assert!(completed(&reply, 148).starts_with("^Z"), "{reply}");
    let note = reply["notes"][0].as_str().unwrap();
    assert!(note.starts_with("stopped: cat; fg lets it go on"), "{reply}");
    assert_eq!(running(&live.execute(&["fg"])), "cat");
    assert_eq!(running(&live.execute(&["--input", "again"])), "again\nagain");
    completed(&live.execute(&["^d"]), 0);
    // At the prompt they are for its line.
    assert_eq!(edited(&live.execute(&["--no-enter", "echo edited"])), "echo edited");
    assert_eq!(edited(&live.execute(&["BSpace"])), "echo edite");
    assert_eq!(completed(&live.execute(&["Enter"]), 0), "edite");
    assert_eq!(edited(&live.execute(&["Up"])), "echo edite");
    assert_eq!(completed(&live.execute(&["Enter"]), 0), "edite");
}

#[test]
fn what_does_not_fit_the_state_is_refused_and_not_typed() {
    let live = Live::new();
    for args in [&["--input", "touch typed"][..], &["--input", "C-c"]] {
        let reply = refused(&live, args);
        let want = "no command is running, so there is nothing to send input to; call without \
            --input to run this as a command";
        assert_eq!(content(&reply), want);
        assert_eq!(reply["working_dir"], live.user().to_str().unwrap());
    }
    running(&live.execute(&["cat"]));
    let reply = refused(&live, &["touch typed"]);
    assert_eq!(
        content(&reply),
        "a command is already running (cat); send input to it with --input, interrupt it first \
         (C-c), poll with an empty command, or use another --terminal"
    );
    completed(&live.execute(&["--terminal", "other", "echo another"]), 0);
    assert_eq!(completed(&live.execute(&["C-d"]), 0), "");
    assert!(!live.user().join("typed").exists());
}

#[test]
fn a_command_is_not_joined_to_what_stands_at_the_prompt() {
    let live = Live::new();
    // The first one is typed before there is a prompt.
    for (begin, text) in [
        (&["--no-enter", "touch a"][..], "touch a"),
        (&["--no-enter", "touch b"], "touch b"),
        (&["Up"], "echo alone"),
        (&["C-p"], "echo alone"),
    ] {
        live.execute(begin);
        let reply = refused(&live, &["bc"]);
        let want = format!("text stands at the prompt ({text}): press Enter or C-c first");
        assert_eq!(content(&reply), want);
        live.execute(&["C-c"]);
        assert_eq!(completed(&live.execute(&["echo alone"]), 0), "alone", "{begin:?}");
    }
    let files = ["a", "b", "abc", "bbc"].map(|name| live.user().join(name).exists());
    assert_eq!(files, [false; 4]);
    // Enter runs it, C-u throws it away, and text without Enter goes on with it.
    live.execute(&["--no-enter", "echo on"]);
    live.execute(&["--no-enter", "e"]);
    assert_eq!(completed(&live.execute(&["Enter"]), 0), "one");
    live.execute(&["--no-enter", "touch a"]);
    live.execute(&["C-u"]);
    assert_eq!(completed(&live.execute(&["echo again"]), 0), "again");
    // Behind the cursor it would stay, so that is not taken for an empty line.
    live.execute(&["--no-enter", "touch a"]);
    for key in ["Left", "C-u"] {
        live.execute(&[key]);
    }
    refused(&live, &["touch b"]);
    live.execute(&["C-c"]);
    // What a program did not read is at the prompt, and is thrown away.
    let pipe = live.pipe("pipe");
    assert_eq!(live.execute(&["--timeout", "0.1", "read x < pipe"])["status"], "running");
    assert_eq!(
        live.execute(&["--timeout", "0", "--input", "--no-enter", "touch "])["status"],
        "running"
    );
    release(&pipe);
    live.execute(&[""]);
    assert_eq!(completed(&live.execute(&["echo a; ls"]), 0), "a\npipe");
    // What one did read is not.
    running(&live.execute(&["read -n 1 x"]));
    completed(&live.execute(&["--input", "--no-enter", "y"]), 0);
    assert!(completed(&live.execute(&["echo $x"]), 0).ends_with('y'));
}

#[test]
fn keys_that_leave_nothing_at_the_prompt_keep_no_command_away() {
    let live = Live::new();
    // The first one is pressed before there is a prompt.
    for keys in [&["Up"][..], &["Up", "Down"], &["Up", "C-u"], &["C-r", "C-g"], &["Left"]] {
        for key in keys {
            let reply = live.execute(&[key]);
            assert!(!edited(&reply).contains("^["), "{keys:?}: {reply}");
        }
        assert_eq!(completed(&live.execute(&["echo ran"]), 0), "ran", "{keys:?}");
    }
    // zsh and fish, too; of what stands in fish only the keys tell.
    for shell in ["zsh", "fish"] {
        let Some(term) = live.shell(shell) else {
            continue;
        };
        live.label("default", &term.id);
        completed(&live.execute(&["echo one"]), 0);
        for keys in [["Up", "Down"], ["Up", "C-u"]] {
            for key in keys {
                live.execute(&[key]);
            }
            assert_eq!(completed(&live.execute(&["echo ran"]), 0), "ran", "{shell}: {keys:?}");
        }
        live.execute(&["--no-enter", "touch a"]);
        refused(&live, &["touch b"]);
        live.execute(&["C-c"]);
        assert_eq!(completed(&live.execute(&["echo ran"]), 0), "ran", "{shell}");
    }
}

/// Whether it is noted that the shell refused a line.
fn has_refused(reply: &Value) -> bool {
    let notes = reply["notes"].as_array().into_iter().flatten();
    notes.filter_map(Value::as_str).any(|note| note.starts_with("the shell refused a line"))
}

#[test]
fn an_exclamation_mark_is_what_it_is() {
    let live = Live::new();
    assert_eq!(completed(&live.execute(&["touch made!zz\necho second"]), 0), "second");
    assert!(live.user().join("made!zz").exists());
    assert_eq!(completed(&live.execute(&["echo \"Hello World!x\""]), 0), "Hello World!x");
    assert_eq!(completed(&live.execute(&["^World^You"]), 0), "Hello You!x");
}

#[test]
fn what_the_shell_says_of_a_line_that_it_refuses_is_told() {
    let live = Live::new();
    // Whose files ask for it has the history of `!`.
    live.rc("bash", "set -H");
    let reply = live.execute(&["touch made!zz\necho second"]);
    assert_eq!(completed(&reply, 0), "bash: !zz: event not found\nsecond");
    assert!(has_refused(&reply), "{reply}");
    for (line, want) in [
        ("echo \"Hello World!x\"", "bash: !x: event not found"),
        ("^hello^bye", "bash: :s^hello^bye: substitution failed"),
    ] {
        let reply = live.execute(&[line]);
        assert_eq!((edited(&reply), has_refused(&reply)), (want, true), "{reply}");
        // Nothing stands at the prompt then.
        let reply = live.execute(&["echo ran; (exit 3)"]);
        assert_eq!((completed(&reply, 3), has_refused(&reply)), ("ran", false));
    }
    let reply = live.execute(&["echo first\ntouch made!zz"]);
    assert_eq!(completed(&reply, 0), "first\nbash: !zz: event not found");
    // What becomes of `!` is no refusal, and nothing that was printed.
    let reply = live.execute(&["echo !$"]);
    assert_eq!((content(&reply), has_refused(&reply)), ("first", false), "{reply}");
    let error = "bash: syntax error near unexpected token `)'";
    let reply = live.execute(&[")\necho second"]);
    assert_eq!(completed(&reply, 0), format!("{error}\nsecond"));
    assert!(has_refused(&reply), "{reply}");
    let reply = live.execute(&["echo first\n)\necho third"]);
    assert_eq!(completed(&reply, 0), format!("first\n{error}\nthird"));
    assert!(!live.user().join("made!zz").exists());
}

#[test]
fn what_runs_before_a_prompt_may_change() {
    let live = Live::new();
    for change in [
        "PROMPT_COMMAND=",
        "PROMPT_COMMAND=true",
        "PROMPT_COMMAND=('x=1' 'y=2')",
        "unset PROMPT_COMMAND",
        "PS1='new> '",
        "PROMPT_COMMAND='PS1=\"set> \"'",
    ] {
        let execute = |command: &str| live.execute(&["--terminal", change, command]);
        let reply = execute(change);
        assert_eq!(completed(&reply, 0), "", "{change}");
        for code in [3, 4] {
            let reply = execute(&format!("echo still; (exit {code})"));
            assert_eq!(completed(&reply, code), "still", "{change}: {reply}");
            assert_eq!(reply["notes"], Value::Null, "{change}");
        }
    }
    // A prompt that a command prints ends nothing.
    let reply = live.execute(&["echo \"${PS1@P}\"; cat; (exit 5)"]);
    assert_eq!(reply["status"], "running", "{reply}");
    completed(&live.execute(&["C-d"]), 5);
}

#[test]
fn a_wait_is_a_minute_at_most_and_kills_nothing() {
    let live = Live::new();
    let pipe = live.pipe("pipe");
    let reply = live.execute(&["--timeout", "1000", "echo quick"]);
    assert_eq!(completed(&reply, 0), "quick");
    assert_eq!(reply["notes"][0], "timeout is above the most, which is 60 seconds");
    let reply = live.execute(&["--timeout", "0", "echo $BASHPID > pid; read x < pipe; echo end"]);
    running(&reply);
    let poll = live.start_execute(&[""]);
    release(&pipe);
    assert_eq!(completed(&ended(poll).json(), 0), "end");
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let live = Live::new();
    for (args, want) in [
        (
            &["--timeout", "-1", "ls"][..],
            "error: timeout must be a number of seconds from 0 to 60\n",
        ),
        (&["--timeout", "NaN", "ls"], "error: timeout must be a number of seconds from 0 to 60\n"),
        (&["--terminal", " ", "ls"], "error: --terminal must be a non-empty string\n"),
        (&["Esc"], "error: unknown key \"Esc\"; did you mean \"Escape\"?\n"),
        (&["--input", "C-foo"], "error: unknown key \"C-foo\"\n"),
    ] {
        assert_eq!(finish(&mut live.execute_command(args)).fails(2), want);
    }
    assert_eq!(live.run(&["list", "--json"]).ok().trim(), "[]", "nothing was opened");
}

#[test]
fn a_label_is_a_terminal_of_one_agent() {
    let live = Live::new();
    let as_agent = |agent: &str, args: &[&str]| {
        finish(live.execute_command(args).env("TERMINAL_SESSION_AGENT", agent)).json()
    };
    let first = as_agent("one", &["x=1"]);
    let second = as_agent("two", &["echo \"<$x>\""]);
    assert_eq!(completed(&second, 0), "<>");
    assert_ne!(first["session_id"], second["session_id"]);
    let labelled = as_agent("one", &["--terminal", "it's ü", "echo \"<$x>\""]);
    assert_eq!((completed(&labelled, 0), &labelled["terminal_id"]), ("<>", &"it's ü".into()));
    assert_eq!(completed(&as_agent("one", &["echo \"<$x>\""]), 0), "<1>");
    // Many calls at once open one terminal.
    let calls: Vec<_> =
        (0..6).map(|_| live.start_execute(&["--terminal", "new", "--timeout", "0", ""])).collect();
    let ids: std::collections::BTreeSet<_> =
        calls.into_iter().map(|call| ended(call).json()["session_id"].to_string()).collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

#[test]
fn a_terminal_that_ended_is_opened_anew() {
    let live = Live::new();
    let first = live.execute(&["echo first; exit 7"]);
    assert!(completed(&first, 7).starts_with("first"), "{first}");
    assert_eq!(first["notes"][0], "the terminal ended; the next command opens a new one");
    completed(&live.execute(&[""]), 7);
    let second = live.execute(&["echo second"]);
    assert_eq!(completed(&second, 0), "second");
    let note = second["notes"][0].as_str().unwrap();
    let old = first["session_id"].as_str().unwrap();
    let want = format!(
        "terminal default ended with exit code 7; this is a new one, and the state of the old one \
         is lost (terminal-session-summary {old} prints what was shown)"
    );
    assert_eq!(note, want);
    let id = second["session_id"].as_str().unwrap();
    assert_ne!(id, old);
    live.run(&["close", id]).ok();
    let third = live.execute(&["echo third"]);
    assert_eq!(completed(&third, 0), "third");
    let note = third["notes"][0].as_str().unwrap();
    assert!(note.starts_with("terminal default was closed; this is a new one"), "{note}");
    // Where it is recorded elsewhere it is found there.
    let id = third["session_id"].as_str().unwrap();
    live.run(&["close", id]).ok();
    let elsewhere = live.user().join("else where");
    let home = elsewhere.to_str().unwrap();
    let fourth = live.execute(&["--codex-home", home, "echo elsewhere"]);
    let note = fourth["notes"][0].as_str().unwrap();
    let words = format!("(terminal-session-summary {id} --codex-home '{home}' prints");
    assert!(note.contains(&words), "{note}");
    // C-d at the prompt is an end like any other.
    assert!(completed(&live.execute(&["C-d"]), 0).ends_with("exit"));
    assert_eq!(completed(&live.execute(&["echo fourth"]), 0), "fourth");
}

#[test]
fn one_terminal_more_than_allowed_is_an_error() {
    let live = Live::new();
    completed(&live.execute(&["--max-terminals", "1", "true"]), 0);
    let args = ["--max-terminals", "1", "--terminal", "second", "true"];
    let run = finish(&mut live.execute_command(&args));
    assert_eq!(run.code, 1);
    let reply: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((content(&reply), &reply["status"]), ("", &"error".into()), "{reply}");
    let error = reply["error"].as_str().unwrap();
    assert!(error.starts_with("maximum live terminals reached (1)"), "{error}");
    completed(&live.execute(&["--max-terminals", "1", "true"]), 0);
}

#[test]
fn long_output_is_cut_in_the_middle_and_named_exactly() {
    let live = Live::new();
    let numbers = |last: u32| (1..=last).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
    let reply = live.execute(&["seq 1 100000; (exit 2)"]);
    assert!(completed(&reply, 2).chars().count() < 8_300, "{reply}");
    assert!(content(&reply).starts_with("1\n2\n") && content(&reply).ends_with("\n100000"));
    assert_eq!(live.whole_content(&reply), numbers(100_000));
    // In one line, of characters of several bytes.
    let command = "printf 'a%.0s' {1..50}; printf '字%.0s' {1..12000}; echo end";
    let reply = live.execute(&[command]);
    let want = "a".repeat(50) + &"字".repeat(12_000) + "end";
    assert_eq!(live.whole_content(&reply), want);
    assert_eq!(reply["omitted"][0]["characters"], 4053);
    // What just fits is whole.
    let reply = live.execute(&["printf 'é%.0s' {1..10000}"]);
    assert_eq!(
        (completed(&reply, 0).chars().count(), &reply["truncated"]),
        (10_000, &false.into())
    );
    let reply = live.execute(&["printf 'é%.0s' {1..10001}"]);
    assert_eq!(live.whole_content(&reply), "é".repeat(10_001));
    assert_eq!(reply["truncated"], true);
    // Several blocks: a command of several lines, and blocks that were frozen while it ran.
    let reply = live.execute(&["seq 1 2000; seq 1 2000\nseq 1 2000"]);
    let want = [numbers(2000), numbers(2000), numbers(2000)].join("\n");
    assert_eq!(live.whole_content(&reply), want);
    completed(&live.execute(&["echo after"]), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn much_output_takes_little_memory() {
    let live = Live::new();
    // The host is there already, so that it is not bounded.
    completed(&live.execute(&["true"]), 0);
    let whole = live.execute_command(&["seq 1 2000000"]);
    let mut bounded = Command::new("sh");
    bounded.args(["-c", "ulimit -v 200000 && exec \"$0\" \"$@\""]);
    bounded.arg(whole.get_program()).args(whole.get_args()).env_clear();
    bounded.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let reply = finish(bounded.current_dir(live.user())).json();
    let (head, tail) = completed(&reply, 0).split_once("\n[left out: ").unwrap();
    let (_, tail) = tail.split_once("]\n").unwrap();
    let omitted = reply["omitted"][0]["characters"].as_u64().unwrap();
    assert_eq!(head.len() as u64 + 1 + omitted + 1 + tail.len() as u64, 14_888_895);
}

#[test]
fn what_runs_is_cut_in_the_middle_too() {
    let live = Live::new();
    let reply = live.execute(&["seq 1 5000; cat"]);
    let numbers: Vec<_> = (1..=5000).map(|number| number.to_string()).collect();
    assert_eq!(reply["status"], "running");
    let whole = live.whole_content(&reply);
    let (whole, said) = whole.rsplit_once('\n').unwrap();
    assert!(said.starts_with("[waiting for input"), "{said}");
    assert_eq!(whole, numbers.join("\n"));
    assert_eq!(completed(&live.execute(&["C-d"]), 0), "");
}

#[test]
fn vim_is_edited_through_keys() {
    if !is_installed("vim") {
        return skipped("vim is not installed");
    }
    let live = Live::new();
    let reply = live.execute(&["vim -u NONE -N file.txt"]);
    assert_eq!(reply["status"], "running", "{reply}");
    assert_eq!(reply["inside"], "vim");
    running(&live.execute(&["--input", "--no-enter", "ione two"]));
    running(&live.execute(&["Enter"]));
    running(&live.execute(&["--input", "--no-enter", "three"]));
    running(&live.execute(&["Escape"]));
    for key in ["Up", "Home", "DC"] {
        running(&live.execute(&[key]));
    }
    let reply = live.execute(&["--input", "--no-enter", "A!"]);
    assert!(content(&reply).contains("ne two!\nthree"), "{reply}");
    let notes = reply["notes"].to_string();
    assert!(notes.contains("screen of a full-screen program"), "{reply}");
    running(&live.execute(&["Escape"]));
    completed(&live.execute(&["--input", ":wq"]), 0);
    assert_eq!(fs::read_to_string(live.user().join("file.txt")).unwrap(), "ne two!\nthree\n");
    assert_eq!(completed(&live.execute(&["echo after"]), 0), "after");
}

#[test]
fn a_password_is_asked_for() {
    let live = Live::new();
    let script = "#!/bin/sh\nstty -echo\nprintf 'Password: '\nread p\nstty echo\necho\n\
        [ \"$p\" = secret ] || exit 1\necho granted\n";
    fs::write(live.user().join("ask"), script).unwrap();
    let reply = live.execute(&["sh ask"]);
    assert_eq!(running(&reply), "Password:");
    assert!(said(&reply).starts_with("[waiting for hidden input"), "{reply}");
    let reply = live.execute(&["--input", "secret"]);
    assert!(completed(&reply, 0).ends_with("granted"), "{reply}");
    assert!(!content(&reply).contains("secret"), "{reply}");
    running(&live.execute(&["sh ask"]));
    completed(&live.execute(&["--input", "wrong"]), 1);
}

#[test]
fn a_repl_answers_line_by_line() {
    if !is_installed("python3") {
        return skipped("python3 is not installed");
    }
    let live = Live::new();
    assert!(running(&live.execute(&["python3 -q"])).ends_with(">>>"));
    let reply = live.execute(&["--input", "6 * 7"]);
    assert!(running(&reply).ends_with("\n42\n>>>"), "{reply}");
    let reply = live.execute(&["--input", "import sys; sys.exit(3)"]);
    completed(&reply, 3);
    running(&live.execute(&["python3 -q"]));
    completed(&live.execute(&["C-d"]), 0);
}

#[test]
fn a_pager_takes_keys() {
    if !is_installed("git") || !is_installed("less") {
        return skipped("git or less is not installed");
    }
    let live = Live::new();
    let body: Vec<_> = (1..=100).map(|number| format!("line {number}")).collect();
    fs::write(live.user().join("message"), format!("Subject\n\n{}\n", body.join("\n"))).unwrap();
    let commit = "git init -q repo && cd repo && git -c user.name=a -c user.email=a@b commit -q \
        --allow-empty -F ../message";
    completed(&live.execute(&[commit]), 0);
    // Pagers print all at once unless they are asked for.
    let reply = live.execute(&["git log"]);
    assert!(completed(&reply, 0).ends_with("    line 100"), "{reply}");
    let reply = live.execute(&["GIT_PAGER=less LESS= git log"]);
    assert!(reply["status"] == "running" && content(&reply).contains("line 20"), "{reply}");
    assert!(!content(&reply).contains("line 50"), "{reply}");
    let reply = live.execute(&["Space"]);
    assert!(reply["status"] == "running" && content(&reply).contains("line 50"), "{reply}");
    completed(&live.execute(&["--input", "--no-enter", "q"]), 0);
}

#[test]
fn defect_1_exit_codes_are_real() {
    let live = Live::new();
    for code in [0, 1, 2, 127, 255] {
        completed(&live.execute(&[&format!("(exit {code})")]), code);
    }
    completed(&live.execute(&["kill -9 $BASHPID & wait $!"]), 137);
    // Functions of the same names change nothing, nor does a folder with blanks.
    let names = ["local", "shopt", "export", "printf", "set", "return"];
    for name in names {
        completed(&live.execute(&[&format!("{name}() {{ :; }}")]), 0);
    }
    let reply = live.execute(&["mkdir 'a b' && cd 'a b' && (exit 3)"]);
    completed(&reply, 3);
    assert!(reply["working_dir"].as_str().unwrap().ends_with("/a b"), "{reply}");
    completed(&live.execute(&["nosuch_cmd"]), 127);
}

#[test]
fn defect_2_output_is_taken_for_no_prompt() {
    let live = Live::new();
    let reply = live.execute(&["printf 'ready> [STRIX_0]$ '; cat"]);
    assert_eq!(running(&reply), "ready> [STRIX_0]$");
    completed(&live.execute(&["C-c"]), 130);
    // Nor is a prompt none because something was printed behind it.
    let (pipe, done) = (live.pipe("pipe"), live.pipe("done"));
    completed(&live.execute(&["(read x < pipe; printf behind; echo > done) &"]), 0);
    release(&pipe);
    fs::read(done).unwrap();
    let reply = live.execute(&["echo taken"]);
    assert_eq!(completed(&reply, 0), "behind\ntaken");
}

#[test]
fn defect_3_an_old_prompt_ends_no_command() {
    let live = Live::new();
    for number in 0..20 {
        let reply = live.execute(&[&format!("echo {number}; (exit {number})")]);
        assert_eq!(completed(&reply, number), number.to_string());
    }
}

#[test]
fn defect_4_nothing_is_typed_into_a_full_screen_program() {
    let live = Live::new();
    let reply = live.execute(&[r"printf '\e[?1049h\e[H'; cat -v; printf '\e[?1049l'"]);
    assert_eq!(reply["status"], "running");
    for _ in 0..2 {
        assert_eq!(live.execute(&[""])["status"], "running");
    }
    let reply = live.execute(&["--input", "seen"]);
    assert_eq!(running(&reply), "seen\nseen");
    let reply = live.execute(&["C-d"]);
    completed(&reply, 0);
    assert_eq!(completed(&live.execute(&["echo back"]), 0), "back");
}

#[test]
fn defect_5_text_that_resembles_a_key_is_text() {
    let live = Live::new();
    for word in ["end", "home", "delete", "tab", "kp0", "0x41", "KP0"] {
        let reply = live.execute(&[word]);
        assert!(completed(&reply, 127).contains(&format!("{word}: command not found")), "{reply}");
    }
    completed(&live.execute(&["echo old"]), 0);
    assert_eq!(completed(&live.execute(&["^old^new"]), 0), "new");
}

#[test]
fn defect_6_a_hyphen_and_a_semicolon_are_typed() {
    let live = Live::new();
    assert!(completed(&live.execute(&["-l"]), 127).contains("-l: command not found"));
    assert_eq!(completed(&live.execute(&["--", "echo a;"]), 0), "a");
    running(&live.execute(&["cat"]));
    for text in ["ls;", "-l", "--input"] {
        let args = ["--input", "--", text];
        assert_eq!(running(&live.execute(&args)), format!("{text}\n{text}"));
    }
    completed(&live.execute(&["C-d"]), 0);
}

#[test]
fn defect_7_long_lines_and_a_long_history_confuse_nothing() {
    let live = Live::new();
    live.rc("bash", &format!("PS1='{}> '", "p".repeat(150)));
    let word = "x".repeat(500);
    assert_eq!(completed(&live.execute(&[&format!("echo {word}")]), 0), word);
    let reply = live.execute(&["seq 1 30000; cat"]);
    assert_eq!(reply["status"], "running");
    assert_eq!(running(&live.execute(&["--input", "more"])), "more\nmore");
    completed(&live.execute(&["C-d"]), 0);
    assert_eq!(completed(&live.execute(&["echo after"]), 0), "after");
    // What is erased is not what was typed.
    assert_eq!(completed(&live.execute(&["clear; echo only"]), 0), "only");
}

#[test]
fn defect_8_a_changed_prompt_is_not_busy_forever() {
    let live = Live::new();
    for change in ["PS1='changed> '", "set -u", "PROMPT_COMMAND=", "PROMPT_COMMAND=('x=1' 'y=2')"] {
        let args = |command| ["--terminal", change, command];
        assert_eq!(live.execute(&args(change))["status"], "completed", "{change}");
        for _ in 0..2 {
            let reply = live.execute(&args("echo still"));
            assert_eq!(reply["status"], "completed", "{change}: {reply}");
            assert!(content(&reply).contains("still"), "{change}: {reply}");
        }
    }
    // Without any of its hook the shell is known by what it does, and its exit code by nothing.
    let change = "unset PROMPT_COMMAND; PS0=; PS1='% '";
    assert_eq!(live.execute(&[change])["status"], "completed");
    for _ in 0..2 {
        let reply = live.execute(&["echo still; (exit 3)"]);
        assert_eq!(reply["status"], "completed", "{reply}");
        assert!(content(&reply).contains("still"), "{reply}");
        assert_eq!(reply["exit_code"], Value::Null, "{reply}");
    }
    // A shell in a shell is a program that takes input.
    let args = |args: &[&'static str]| [&["--terminal", "nested"], args].concat();
    running(&live.execute(&args(&["bash --norc"])));
    let reply = live.execute(&args(&["--input", "echo inner $((1 + 1))"]));
    assert!(running(&reply).contains("\ninner 2\n"), "{reply}");
    completed(&live.execute(&args(&["--input", "exit 6"])), 6);
    assert_eq!(completed(&live.execute(&args(&["echo outer"])), 0), "outer");
}
