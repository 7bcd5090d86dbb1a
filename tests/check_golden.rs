//! `terminal-session-check golden`: a session is what it was, or a diff says how it is not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{
    CHECK, Home, RECORD, Run, Tree, command, finish, fixture_home, run_in, skipped,
};

/// A codex home, a home folder with a project to work in, and a folder for golden copies.
struct Desk {
    home: Home,
    user: tempfile::TempDir,
    golden: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self {
            home: Home::new(),
            user: tempfile::tempdir().unwrap(),
            golden: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(desk.project()).unwrap();
        desk
    }

    fn project(&self) -> PathBuf {
        self.user.path().join("project")
    }

    fn copy(&self) -> PathBuf {
        self.golden.path().join("copy")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.copy().join(name)).unwrap()
    }

    /// The names in the golden copy.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.copy()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn record(&self, terminal: &str, program: &[&str]) {
        let mut record = self.tool(RECORD);
        record.args(["run", "--headless", "--return", "--terminal-id", terminal, "--"]);
        let run = finish(record.args(program));
        assert_eq!(run.code, 0, "{run:?}");
    }

    fn tool(&self, program: &str) -> Command {
        let mut tool = command(program);
        tool.env("CODEX_HOME", self.home.path()).env("HOME", self.user.path());
        tool.env("PATH", path()).env("CARGO_HOME", self.golden.path().join("cargo"));
        tool.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        tool.current_dir(self.project());
        tool
    }

    fn golden(&self, terminal: &str, args: &[&str]) -> Run {
        let copy = self.copy();
        self.check(&[&[terminal, copy.to_str().unwrap()], args].concat())
    }

    fn check(&self, args: &[&str]) -> Run {
        finish(self.tool(CHECK).arg("golden").args(args))
    }
}

/// Where programs are, the toolchain of these tests first: its `cargo` finds its own compiler there.
fn path() -> std::ffi::OsString {
    let toolchain = Path::new(env!("CARGO")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(toolchain).chain(std::env::split_paths(&path));
    std::env::join_paths(paths).unwrap()
}

fn has(program: &str) -> bool {
    let found = command(program).env("PATH", path()).arg("--version").output().is_ok();
    if !found {
        skipped(&format!("there is no {program}"));
    }
    found
}

#[test]
fn a_recorded_build_is_what_it_was_until_it_is_not() {
    if !has("cargo") {
        return;
    }
    let desk = Desk::new();
    let source = desk.project().join("src/main.rs");
    fs::create_dir(desk.project().join("src")).unwrap();
    let manifest = "[package]\nname = \"orchard\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    fs::write(desk.project().join("Cargo.toml"), manifest).unwrap();
    fs::write(&source, "fn main() {}\n").unwrap();
    let build = |terminal: &str| {
        fs::remove_dir_all(desk.project().join("target")).unwrap_or_default();
        desk.record(terminal, &["cargo", "build", "--offline"]);
    };
    let filter = ["--filter", "in [0-9.]+s$=>in <time>"];
    build("first");
    let copy = desk.copy();
    let updated = desk.golden("first", &[&filter[..], &["--update"]].concat()).ok();
    let (flow, block) = (copy.join("flow.json"), copy.join("001-terminal_snapshot.txt"));
    assert_eq!(updated, format!("added {}\nadded {}\n", flow.display(), block.display()));
    let text = desk.read("001-terminal_snapshot.txt");
    assert!(text.starts_with("   Compiling orchard v0.1.0 (<home>/project)\n"), "{text}");
    assert!(text.ends_with("target(s) in <time>\n"), "{text}");
    let same = format!("1 block as in {}\n", copy.display());
    assert_eq!(desk.golden("first", &filter).ok(), same);
    build("second");
    assert_eq!(desk.golden("second", &filter).ok(), same);
    fs::write(&source, "fn main() { let pears = 12; }\n").unwrap();
    build("third");
    let run = desk.golden("third", &filter);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let diff = run.stdout;
    let head =
        "--- golden/001-terminal_snapshot.txt\n+++ session/001-terminal_snapshot.txt\n@@ -1,2 +1,";
    assert!(diff.starts_with(head), "{diff}");
    assert!(diff.contains("\n    Compiling orchard v0.1.0 (<home>/project)\n"), "{diff}");
    assert!(diff.contains("\n+warning: unused variable: `pears`\n"), "{diff}");
    assert!(diff.lines().skip(2).all(|line| !line.starts_with('-')), "{diff}");
}

#[test]
fn a_recorded_log_is_what_it_was_until_it_is_not() {
    if !has("git") {
        return;
    }
    let desk = Desk::new();
    let git = |args: &[&str]| {
        let mut git = desk.tool("git");
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "Pomona").env(format!("GIT_{who}_EMAIL"), "p@x");
            git.env(format!("GIT_{who}_DATE"), "2026-05-04T09:00:00Z");
        }
        assert_eq!(finish(git.args(args)).code, 0, "{args:?}");
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "Plant pears"]);
    let log = |terminal: &str| desk.record(terminal, &["git", "--no-pager", "log", "--stat"]);
    log("first");
    assert_eq!(desk.golden("first", &["--update"]).code, 0);
    log("second");
    for terminal in ["first", "second"] {
        assert_eq!(desk.golden(terminal, &[]).code, 0, "{terminal}");
    }
    git(&["commit", "--quiet", "--allow-empty", "-m", "Pick plums"]);
    log("third");
    let run = desk.golden("third", &[]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("\n+    Pick plums\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n Author: Pomona <p@x>\n"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
    // What it says is what an update takes over.
    let updated = desk.golden("third", &["--update"]).ok();
    assert_eq!(
        updated,
        format!("changed {}\n", desk.copy().join("001-terminal_snapshot.txt").display())
    );
    assert_eq!(desk.golden("third", &[]).code, 0);
    assert_eq!(desk.golden("first", &[]).code, 1);
}

/// The demo session that ships here in a codex home of its own, under another name.
fn demo(desk: &Desk, terminal: &str) {
    let from = fixture_home().join("codex-deck/terminal/sessions/demo");
    let folder = desk.home.folder(terminal);
    for entry in fs::read_dir(from.join("blocks")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join("blocks").join(entry.file_name())).unwrap();
    }
    fs::copy(from.join("session.json"), folder.join("session.json")).unwrap();
}

fn edit(desk: &Desk, terminal: &str, change: impl Fn(String) -> String) {
    let path = desk.home.folder(terminal).join("session.json");
    fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
}

#[test]
fn sessions_of_codex_deck_have_golden_copies_too() {
    let desk = Desk::new();
    demo(&desk, "demo");
    assert_eq!(desk.golden("demo", &["--update"]).code, 0);
    assert_eq!(
        desk.files(),
        [
            "001-terminal_snapshot.txt",
            "002-terminal_snapshot.txt",
            "003-ai_terminal_plan.txt",
            "004-terminal_snapshot.txt",
            "005-ai_terminal_need_input.txt",
            "006-terminal_snapshot.txt",
            "007-ai_terminal_complete.txt",
            "flow.json",
        ]
    );
    insta::assert_snapshot!(desk.read("flow.json"));
    assert!(desk.read("005-ai_terminal_need_input.txt").starts_with("<ai-terminal-need-input>\n"));
    assert_eq!(desk.golden("demo", &[]).code, 0);
}

#[test]
fn ids_and_times_do_not_count_unless_asked() {
    let desk = Desk::new();
    demo(&desk, "demo");
    assert_eq!(desk.golden("demo", &["--update"]).code, 0);
    demo(&desk, "again");
    edit(&desk, "again", |text| {
        text.replace("\"demo\"", "\"again\"")
            .replace(
                "\"blockId\": \"block-mou0a1k2-4h7xq2pd\"",
                "\"blockId\": \"block-other000-otherblk\"",
            )
            .replace("0198c0de-5a10-7b2e-9f00-00bc79d7b8c1", "0198c0de-ffff-7b2e-9f00-00bc79d7b8c1")
            .replace("turn-7:message:2", "assistant:7:8")
            .replace("2026-05-04T09:03:00.000Z", "2026-06-04T09:03:00.000Z")
    });
    assert_eq!(desk.golden("again", &[]).code, 0);
    for (ignored, differs) in [
        ("timestamps,ids,paths", false),
        ("ids,timestamps", false),
        ("ids", true),
        ("timestamps", true),
        ("none", true),
    ] {
        let made = desk.golden("demo", &["--update", "--ignore", ignored]);
        assert_eq!(made.code, 0, "{ignored}");
        let run = desk.golden("again", &["--ignore", ignored]);
        assert_eq!(run.code, i32::from(differs), "{ignored}: {}", run.stdout);
        assert_eq!(run.stdout.contains("2026-06-04"), matches!(ignored, "ids" | "none"));
        assert_eq!(run.stdout.contains("assistant:7:8"), matches!(ignored, "timestamps" | "none"));
    }
    assert!(desk.golden("demo", &["--ignore", "none,ids"]).fails(2).contains("nothing else"));
}

#[test]
fn filters_apply_in_order_to_texts_and_flow() {
    let desk = Desk::new();
    demo(&desk, "demo");
    let filters = ["--filter", r"(litres).*=>$1!", "--filter", "litres!=>gallons"];
    assert_eq!(desk.golden("demo", &[&filters[..], &["--update"]].concat()).code, 0);
    assert!(desk.read("007-ai_terminal_complete.txt").contains("`gallons\n"));
    let flow = desk.read("flow.json");
    assert!(flow.contains("\"message\": \"The crate compiles; `gallons\","), "{flow}");
    assert_eq!(desk.golden("demo", &filters).code, 0);
    assert_eq!(desk.golden("demo", &filters[2..]).code, 1);
    for bad in ["no arrow", "(=>x"] {
        assert!(desk.golden("demo", &["--filter", bad]).fails(2).contains("--filter"), "{bad}");
    }
}

#[test]
fn an_update_writes_what_differs_and_nothing_else() {
    let desk = Desk::new();
    demo(&desk, "demo");
    assert_eq!(desk.golden("demo", &["--update"]).code, 0);
    let outside = desk.golden.path().join("outside.txt");
    fs::write(&outside, "untouched").unwrap();
    let copy = desk.copy();
    for (name, text) in
        [("008-ai_terminal_plan.txt", "old"), ("008-notes.txt", "mine"), ("README", "mine")]
    {
        fs::write(copy.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink(&outside, copy.join("009-other.txt")).unwrap();
    fs::remove_file(copy.join("flow.json")).unwrap();
    std::os::unix::fs::symlink(&outside, copy.join("flow.json")).unwrap();
    // A link is not read, so nothing outside can be what a session is compared with.
    assert!(desk.golden("demo", &[]).fails(2).contains("not a regular file"));
    let updated = desk.golden("demo", &["--update"]).ok();
    let shown = |what: &str, name: &str| format!("{what} {}\n", copy.join(name).display());
    assert_eq!(
        updated,
        shown("changed", "flow.json") + &shown("removed", "008-ai_terminal_plan.txt")
    );
    assert_eq!(fs::read_to_string(&outside).unwrap(), "untouched");
    assert!(!copy.join("flow.json").is_symlink());
    for kept in ["008-notes.txt", "README", "009-other.txt"] {
        assert!(copy.join(kept).exists(), "{kept}");
    }
    let again = desk.golden("demo", &["--update"]).ok();
    assert_eq!(again, format!("7 blocks as in {}\n", copy.display()));
}

#[test]
fn blocks_that_came_or_went_are_in_the_diff() {
    let desk = Desk::new();
    demo(&desk, "demo");
    assert_eq!(desk.golden("demo", &["--update"]).code, 0);
    let copy = desk.copy();
    fs::rename(
        copy.join("007-ai_terminal_complete.txt"),
        copy.join("008-ai_terminal_complete.txt"),
    )
    .unwrap();
    let run = desk.golden("demo", &[]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("--- /dev/null\n+++ session/007-ai_terminal_complete.txt\n"));
    assert!(run.stdout.contains("--- golden/008-ai_terminal_complete.txt\n+++ /dev/null\n"));
    // Also where there is nothing in them.
    fs::rename(
        copy.join("008-ai_terminal_complete.txt"),
        copy.join("007-ai_terminal_complete.txt"),
    )
    .unwrap();
    fs::write(copy.join("008-other.txt"), "").unwrap();
    let run = desk.golden("demo", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (1, "--- golden/008-other.txt\n+++ /dev/null\n"));
}

#[test]
fn what_must_or_must_not_be_there_is_looked_for() {
    let demo =
        |args: &[&str]| run_in(&fixture_home(), CHECK, &[&["golden", "demo"], args].concat());
    assert_eq!(
        demo(&["--must-contain", "^<question>Should", "--must-not-contain", "^panicked"]).ok(),
        ""
    );
    let run = demo(&["--must-contain", "no such text", "--must-not-contain", "^<question>"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(
        run.stdout,
        "must contain no such text: no block does\n\
         must not contain ^<question>: block 5, line 2: \
         <question>Should `litres` return six times the kilos?</question>\n"
    );
    assert!(demo(&["--must-contain", "("]).fails(2).contains("--must-contain"));
    assert!(demo(&[]).fails(2).contains("<DIR>"));
    // Nothing is made golden that does not hold.
    let desk = Desk::new();
    self::demo(&desk, "demo");
    assert_eq!(desk.golden("demo", &["--update", "--must-contain", "no such text"]).code, 1);
    assert!(!desk.copy().exists());
}

#[test]
fn what_cannot_be_checked_is_no_match() {
    let desk = Desk::new();
    demo(&desk, "demo");
    let copy = desk.copy();
    let error = desk.golden("demo", &[]).fails(2);
    assert_eq!(error, format!("error: no golden copy in {}; --update makes one\n", copy.display()));
    fs::create_dir(&copy).unwrap();
    assert!(desk.golden("demo", &[]).fails(2).contains("--update makes one"));
    assert!(desk.golden("nonsense", &[]).fails(2).contains("manifest not found"));
    assert_eq!(desk.golden("demo", &["--update"]).code, 0);
    fs::remove_dir_all(desk.home.folder("demo").join("blocks")).unwrap();
    assert!(desk.golden("demo", &[]).fails(2).contains("content file not found"));
    desk.home.manifest("broken", "{");
    assert!(desk.golden("broken", &[]).fails(2).contains("invalid terminal session manifest JSON"));
}

#[test]
fn a_session_is_no_place_for_a_golden_copy() {
    let desk = Desk::new();
    demo(&desk, "demo");
    let before = Tree::read(desk.home.path());
    for place in [desk.home.folder("demo"), desk.home.folder("demo").join("blocks/new")] {
        let error = desk.check(&["demo", place.to_str().unwrap(), "--update"]).fails(2);
        assert!(error.contains("is inside a session, which is not changed"), "{error}");
    }
    assert_eq!(Tree::read(desk.home.path()), before);
}

#[test]
fn nothing_in_a_golden_copy_or_a_diff_is_live() {
    let desk = Desk::new();
    let block = |message: &str| {
        format!(
            r#"{{"blocks":[{{"blockId":"b","type":"ai_terminal_complete","message":"{message}"}},
            {{"blockId":"c","type":"../../x"}}]}}"#
        )
    };
    desk.home.manifest("t", block(r"a\u001b[2J\u009b"));
    assert_eq!(desk.golden("t", &["--update"]).code, 0);
    assert_eq!(desk.files(), ["001-ai_terminal_complete.txt", "002-other.txt", "flow.json"]);
    assert_eq!(desk.read("001-ai_terminal_complete.txt"), "a\\x1b[2J\\x9b\n");
    assert!(desk.read("flow.json").contains(r#""message": "a\u001b[2J\u009b""#));
    fs::write(desk.copy().join("001-ai_terminal_complete.txt"), "a\u{1b}[2J\n").unwrap();
    let run = desk.golden("t", &[]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("-a\\x1b[2J\n+a\\x1b[2J\\x9b\n"), "{:?}", run.stdout);
}
