//! `terminal-session-check artifacts`: sound sessions are clean, and each broken rule is found.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};
use terminal_session::check::artifacts::{Code, Severity, check_session};
use terminal_session::record::find_journals;

use crate::support::recording::{Recorder, codex_home, terminal};
use crate::support::{CHECK, Home, LIST, RECORD, Run, command, finish, fixture_home, run_in};

/// Everything that `artifacts` found, in order.
fn findings(home: &Path, args: &[&str]) -> Vec<Value> {
    let args = [&["artifacts", "--format", "json"], args].concat();
    let run = run_in(home, CHECK, &args);
    assert_eq!(run.stderr, "");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().clone();
    let counts = findings.iter().any(|finding| finding["counts"] == true);
    assert_eq!(run.code, i32::from(counts));
    findings
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn make_fifo(path: &Path) {
    mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
}

/// A session `t` of a codex home of its own, before it is written.
struct Session {
    home: Home,
    manifest: Value,
}

const SCREEN: &str = "block-mou00002-screenaa";

impl Session {
    /// One that breaks no rule and has a block of each type.
    fn sound() -> Self {
        let block = |number: u64, id: &str, kind: &str, rest: Value| {
            let mut block = json!({
                "blockId": id, "terminalId": "t", "sessionId": "s", "type": kind,
                "sequence": number, "createdAt": format!("2026-05-04T09:0{number}:00.000Z"),
                "updatedAt": format!("2026-05-04T09:0{number}:00.000Z"),
                "messageKey": null, "stepId": null, "snapshotPath": null, "snapshotFormat": null,
                "cols": null, "rows": null, "snapshotLength": null, "captureKind": null,
                "leadingMarkdown": null, "trailingMarkdown": null, "rawBlock": null,
                "contextNote": null, "message": null, "question": null, "steps": null,
                "stepActions": null, "stepFeedback": null,
            });
            let members = rest.as_object().unwrap().clone();
            block.as_object_mut().unwrap().extend(members);
            block
        };
        let step = |id: &str| {
            json!({"stepId": id, "stepGoal": null, "command": "ls", "explanation": null,
                "cwd": null, "shell": null, "risk": "low", "nextAction": "approve",
                "contextNote": null})
        };
        let time = "2026-05-04T09:01:30.000Z";
        let plan = json!({
            "messageKey": "m1", "rawBlock": "<ai-terminal-plan>…", "steps": [step("a"), step("b")],
            "stepActions": [
                {"stepId": "a", "decision": "approved", "reason": null, "updatedAt": time},
                {"stepId": "b", "decision": "rejected", "reason": "no", "updatedAt": time},
            ],
            "stepFeedback": [
                {"kind": "execution", "stepId": "a", "updatedAt": time, "status": "success",
                    "exitCode": 0, "cwdAfter": null, "outputSummary": "x", "errorSummary": null,
                    "outputReference": null},
                {"kind": "rejection", "stepId": "b", "updatedAt": time, "decision": "rejected",
                    "reason": "no"},
            ],
        });
        let screen = json!({
            "stepId": "a", "snapshotPath": format!("blocks/{SCREEN}.snapshot"),
            "snapshotFormat": "xterm-serialize-v1", "cols": 80, "rows": 24, "snapshotLength": 0,
            "captureKind": "manual", "command": "ls", "exitCode": 0, "cwd": "/work",
            "startedAt": time, "endedAt": time, "droppedRows": 3, "recovered": true,
        });
        let question = json!({"messageKey": "m3", "question": "Which?"});
        let answer = json!({"messageKey": "m4", "message": ""});
        let manifest = json!({
            "terminalId": "t", "createdAt": "2026-05-04T09:00:00.000Z",
            "updatedAt": "2026-05-04T09:30:00.000Z",
            "blocks": [
                block(1, "block-mou00001-planaaaa", "ai_terminal_plan", plan),
                block(2, SCREEN, "terminal_snapshot", screen),
                block(3, "block-mou00003-question", "ai_terminal_need_input", question),
                block(4, "block-mou00004-answeraa", "ai_terminal_complete", answer),
            ],
        });
        let mut session = Self { home: Home::new(), manifest };
        session.show("pears \u{1b}[31m12\r\n\u{1b}[0mä🍏\u{1b}[?2004h");
        session
    }

    fn folder(&self) -> PathBuf {
        self.home.folder("t")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    fn block(&mut self, number: usize) -> &mut Value {
        &mut self.manifest["blocks"][number - 1]
    }

    fn blocks(&mut self) -> &mut Vec<Value> {
        self.manifest["blocks"].as_array_mut().unwrap()
    }

    fn snapshot(&self) -> PathBuf {
        self.file(&format!("blocks/{SCREEN}.snapshot"))
    }

    /// What the snapshot has, and how long that is.
    fn show(&mut self, data: &str) {
        fs::write(self.snapshot(), data).unwrap();
        self.block(2)["snapshotLength"] = data.encode_utf16().count().into();
    }

    /// A file of the session with something in it.
    fn put(&self, name: &str) -> PathBuf {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}").unwrap();
        path
    }

    fn write_manifest(&self) {
        let text = serde_json::to_string_pretty(&self.manifest).unwrap();
        fs::write(self.file("session.json"), text).unwrap();
    }

    /// The modes that a recorder gives its files.
    fn close(&self) {
        for entry in walkdir::WalkDir::new(self.folder()) {
            let entry = entry.unwrap();
            if entry.file_type().is_dir() {
                mode(entry.path(), 0o700);
            } else if entry.file_type().is_file() {
                mode(entry.path(), 0o600);
            }
        }
    }

    fn findings(&self) -> Vec<Value> {
        findings(self.home.path(), &["t"])
    }
}

/// What to do to the sound session before its manifest is written, and afterwards.
type Fault = (Code, fn(&mut Session), fn(&Session));

fn nothing(_: &mut Session) {}
fn no_more(_: &Session) {}

const FAULTS: &[Fault] = &[
    (Code::ManifestMissing, nothing, |s| fs::remove_file(s.file("session.json")).unwrap()),
    (Code::ManifestFile, nothing, |s| {
        fs::remove_file(s.file("session.json")).unwrap();
        make_fifo(&s.file("session.json"));
    }),
    (Code::ManifestFile, nothing, |s| {
        // A link out of the folder is not followed.
        let outside = s.home.path().join("outside.json");
        fs::rename(s.file("session.json"), &outside).unwrap();
        std::os::unix::fs::symlink(outside, s.file("session.json")).unwrap();
    }),
    (Code::ManifestJson, nothing, |s| {
        let text = fs::read_to_string(s.file("session.json")).unwrap();
        fs::write(s.file("session.json"), &text[..text.len() - 2]).unwrap();
    }),
    (Code::ManifestJson, nothing, |s| {
        let text = fs::read_to_string(s.file("session.json")).unwrap();
        fs::write(s.file("session.json"), text.replacen('{', "{\n  \"odd\": NaN,", 1)).unwrap();
    }),
    (Code::ManifestJson, nothing, |s| {
        let text = fs::read_to_string(s.file("session.json")).unwrap();
        let (start, end) = text.split_at(text.find("Which?").unwrap());
        fs::write(s.file("session.json"), [start.as_bytes(), b"\xff", end.as_bytes()].concat())
            .unwrap();
    }),
    (Code::ManifestShape, |s| s.blocks().push(Value::Null), no_more),
    (Code::ManifestShape, nothing, |s| fs::write(s.file("session.json"), "[]").unwrap()),
    (Code::ManifestLayout, nothing, |s| {
        fs::write(s.file("session.json"), s.manifest.to_string()).unwrap();
    }),
    (Code::TerminalId, |s| s.manifest["terminalId"] = "other".into(), no_more),
    (Code::TerminalId, |s| s.block(3)["terminalId"] = "other".into(), no_more),
    (Code::Time, |s| s.block(3)["updatedAt"] = "2026-05-04T09:03:00Z".into(), no_more),
    (Code::Time, |s| s.block(1)["stepActions"][0]["updatedAt"] = "yesterday".into(), no_more),
    (Code::TimeOrder, |s| s.block(3)["updatedAt"] = "2026-05-04T09:02:59.999Z".into(), no_more),
    (Code::TimeOrder, |s| s.block(3)["updatedAt"] = "2026-05-04T09:30:00.001Z".into(), no_more),
    (
        Code::KeyMissing,
        |s| {
            s.block(2).as_object_mut().unwrap().remove("question");
        },
        no_more,
    ),
    (
        Code::KeyMissing,
        |s| {
            s.block(1)["steps"][0].as_object_mut().unwrap().remove("risk");
        },
        no_more,
    ),
    (
        Code::KeyMissing,
        |s| {
            s.manifest.as_object_mut().unwrap().remove("createdAt");
        },
        no_more,
    ),
    (Code::KeyType, |s| s.block(2)["cols"] = "80".into(), no_more),
    (Code::KeyType, |s| s.block(2)["message"] = 7.into(), no_more),
    (
        Code::KeyType,
        |s| s.block(1)["steps"][1] = "ls".into(),
        |s| {
            // Its answers name it no more.
            let mut manifest = s.manifest.clone();
            manifest["blocks"][0]["stepActions"].as_array_mut().unwrap().pop();
            manifest["blocks"][0]["stepFeedback"].as_array_mut().unwrap().pop();
            let text = serde_json::to_string_pretty(&manifest).unwrap();
            fs::write(s.file("session.json"), text).unwrap();
        },
    ),
    (Code::KeyEmpty, |s| s.block(3)["question"] = Value::Null, no_more),
    (Code::KeyEmpty, |s| s.block(4)["messageKey"] = " ".into(), no_more),
    (Code::KeyEmpty, |s| s.block(4)["sessionId"] = "".into(), no_more),
    (Code::KeyMisplaced, |s| s.block(2)["contextNote"] = "x".into(), no_more),
    (Code::EnumValue, |s| s.block(2)["captureKind"] = "auto".into(), no_more),
    (Code::EnumValue, |s| s.block(2)["snapshotFormat"] = "xterm-serialize-v2".into(), no_more),
    (Code::EnumValue, |s| s.block(4)["type"] = "ai_terminal_done".into(), no_more),
    (Code::EnumValue, |s| s.block(1)["steps"][0]["nextAction"] = "run".into(), no_more),
    (Code::EnumValue, |s| s.block(1)["stepFeedback"][0]["status"] = "ok".into(), no_more),
    (Code::ExtraValue, |s| s.block(2)["exitCode"] = "0".into(), no_more),
    (Code::ExtraValue, |s| s.block(2)["endedAt"] = "2026-05-04T09:01:29.999Z".into(), no_more),
    (Code::ExtraValue, |s| s.block(2)["droppedRows"] = json!(-1), no_more),
    (Code::BlockIdForm, |s| s.block(3)["blockId"] = "question".into(), no_more),
    (Code::BlockIdRepeated, |s| s.block(4)["blockId"] = "block-mou00003-question".into(), no_more),
    (Code::Sequence, |s| s.block(1)["sequence"] = json!(0.5), no_more),
    (Code::Sequence, |s| s.block(1)["sequence"] = json!(0), no_more),
    (Code::SequenceRepeated, |s| s.block(4)["sequence"] = json!(3), no_more),
    (Code::BlockOrder, |s| s.blocks().swap(2, 3), no_more),
    (
        Code::MessageKeyRepeated,
        |s| {
            let mut again = s.block(4).clone();
            again["blockId"] = "block-mou00005-answerbb".into();
            again["sequence"] = json!(5);
            s.blocks().push(again);
        },
        no_more,
    ),
    (
        Code::StepRepeated,
        |s| {
            let step = s.block(1)["steps"][0].clone();
            s.block(1)["steps"].as_array_mut().unwrap().push(step);
        },
        no_more,
    ),
    (Code::StepUnknown, |s| s.block(2)["stepId"] = "c".into(), no_more),
    (Code::StepUnknown, |s| s.block(1)["stepFeedback"][0]["stepId"] = "c".into(), no_more),
    (
        Code::RejectionHalf,
        |s| {
            s.block(1)["stepFeedback"].as_array_mut().unwrap().pop();
        },
        no_more,
    ),
    (
        Code::SnapshotPath,
        |s| {
            fs::rename(s.snapshot(), s.file("blocks/x.snapshot")).unwrap();
            s.block(2)["snapshotPath"] = "blocks/x.snapshot".into();
        },
        no_more,
    ),
    (
        Code::SnapshotOutside,
        |s| {
            fs::rename(s.snapshot(), s.home.path().join("x")).unwrap();
            s.block(2)["snapshotPath"] = s.home.path().join("x").to_str().unwrap().into();
        },
        no_more,
    ),
    (
        Code::SnapshotOutside,
        |s| {
            fs::rename(s.snapshot(), s.home.path().join("x")).unwrap();
            std::os::unix::fs::symlink(s.home.path().join("x"), s.snapshot()).unwrap();
        },
        no_more,
    ),
    (Code::SnapshotMissing, |s| fs::remove_file(s.snapshot()).unwrap(), no_more),
    (
        Code::SnapshotFile,
        |s| {
            fs::remove_file(s.snapshot()).unwrap();
            make_fifo(&s.snapshot());
        },
        no_more,
    ),
    (Code::SnapshotUtf8, |s| fs::write(s.snapshot(), b"pears \xff").unwrap(), no_more),
    (Code::SnapshotLength, |s| s.block(2)["snapshotLength"] = json!(26), no_more),
    (Code::SnapshotSize, |s| s.block(2)["rows"] = json!(0), no_more),
    (Code::SnapshotSize, |s| s.block(2)["cols"] = json!(80.5), no_more),
    (Code::SnapshotSequence, |s| s.show("pears\u{1b}[2J"), no_more),
    (Code::SnapshotSequence, |s| s.show("pears\u{1b}[?2004hplums"), no_more),
    (
        Code::SnapshotReplay,
        |s| {
            s.show(&"\u{1b}[65535Cx\r\n".repeat(1200));
            s.block(2)["cols"] = json!(65535);
        },
        no_more,
    ),
    (
        Code::SnapshotReplay,
        |s| {
            s.show(&"\u{1b}[65535X".repeat(1200));
            s.block(2)["cols"] = json!(65535);
        },
        no_more,
    ),
    (Code::SnapshotRoundTrip, |s| s.show("pears\u{1b}[31m\u{1b}[0m"), no_more),
    (Code::Orphan, nothing, |s| {
        s.put("blocks/block-mou00009-orphanaa.snapshot");
    }),
    (Code::Orphan, nothing, |s| {
        s.put("blocks/block-mou00009-orphanaa.json");
    }),
    (Code::JournalLeft, nothing, |s| {
        // A process of that number there cannot be.
        let path = s.put("journal/4000000000-1780000000000.cast");
        assert_eq!(find_journals(&s.folder()).unwrap()[0].path(), path);
    }),
    (Code::TemporaryLeft, nothing, |s| {
        let path = s.put("blocks/.session-abc.tmp");
        let old = SystemTime::now() - Duration::from_secs(3600);
        File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }),
    (Code::TemporaryLeft, nothing, |s| {
        s.put(".record-2000000000.sock");
    }),
    (Code::UnexpectedFile, nothing, |s| {
        s.put("notes.md");
    }),
    (Code::Permissions, nothing, |s| mode(&s.file("session.json"), 0o640)),
    (Code::Permissions, nothing, |s| mode(&s.file("blocks"), 0o701)),
];

#[test]
fn each_planted_fault_is_found_and_nothing_else() {
    for (number, (code, before, after)) in FAULTS.iter().enumerate() {
        let mut session = Session::sound();
        before(&mut session);
        session.write_manifest();
        if *code == Code::Permissions {
            session.close();
            after(&session);
        } else {
            after(&session);
            session.close();
        }
        let found = session.findings();
        assert_eq!(codes(&found), [code.name()], "fault {number}: {found:#?}");
        assert_eq!(found[0]["severity"], code.severity().to_string());
        assert_eq!(found[0]["counts"], code.severity() == Severity::Error);
        assert_eq!(found[0]["terminalId"], "t");
        assert!(!found[0]["message"].as_str().unwrap().is_empty());
    }
}

#[test]
fn each_code_has_a_planted_fault() {
    for code in Code::all() {
        assert!(FAULTS.iter().any(|(planted, ..)| planted == code), "{code}");
    }
}

#[test]
fn a_sound_session_is_clean() {
    let session = Session::sound();
    session.write_manifest();
    session.close();
    assert_eq!(session.findings(), Vec::<Value>::new());
    assert_eq!(
        session.home.run(CHECK, &["artifacts", "t"]).ok(),
        "1 session checked: 0 errors, 0 warnings, 0 notes\n"
    );
}

#[test]
fn a_young_temporary_file_has_a_writer() {
    let session = Session::sound();
    session.write_manifest();
    session.put(".session-abc.tmp");
    session.put("journal/.journal-abc");
    session.close();
    assert_eq!(session.findings(), Vec::<Value>::new());
}

#[test]
fn a_finding_says_where_it_is() {
    let mut session = Session::sound();
    session.block(1)["steps"][1]["risk"] = "some".into();
    session.write_manifest();
    session.close();
    let found = session.findings();
    let text = fs::read_to_string(session.file("session.json")).unwrap();
    let line = text.lines().position(|line| line == "    {").unwrap() + 1;
    assert_eq!(found[0]["line"], line);
    assert_eq!(found[0]["blockId"], "block-mou00001-planaaaa");
    assert_eq!(found[0]["key"], "steps[1].risk");
    assert_eq!(found[0]["message"], "\"some\" is none of low, medium, high");
    let file = found[0]["file"].as_str().unwrap();
    assert!(file.ends_with("/sessions/t/session.json"), "{file}");
}

#[test]
fn the_sessions_that_ship_here_are_sound() {
    // In a checkout it is git and the umask that decide on modes.
    let found = findings(&fixture_home(), &["--all", "--allow", "permissions", "--deny-warnings"]);
    assert_eq!(codes(&found), ["snapshot-round-trip"; 2], "{found:#?}");
}

#[test]
fn odd_sessions_are_told_what_is_odd() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/parity/codex-home");
    let args = ["artifacts", "--all", "--allow", "permissions,manifest-layout,block-id-form"];
    let run = run_in(&home, CHECK, &args);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    // How many findings were allowed depends on the modes of the checkout.
    let (shown, last) = run.stdout.trim_end().rsplit_once('\n').unwrap();
    assert!(last.starts_with("17 sessions checked: "), "{last}");
    insta::assert_snapshot!(shown);
}

/// A session of all snapshots that xterm.js made and that are kept here.
fn xterm_snapshots(session: &mut Session) -> usize {
    let streams = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/streams");
    let template = session.block(2).clone();
    session.blocks().clear();
    let index = fs::read_to_string(streams.join("index.jsonl")).unwrap();
    for (at, line) in index.lines().enumerate() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let cut = case["cut"].as_u64().map_or_else(String::new, |cut| format!("@{cut}"));
        let file = streams.join(format!("expect/{name}{cut}.snapshot"));
        // Of the largest only a hash is kept.
        let Ok(data) = fs::read_to_string(file) else {
            continue;
        };
        let mut block = template.clone();
        let id = format!("block-mou00002-{at:08}");
        fs::write(session.file(&format!("blocks/{id}.snapshot")), &data).unwrap();
        block["snapshotPath"] = format!("blocks/{id}.snapshot").into();
        block["blockId"] = id.into();
        block["stepId"] = Value::Null;
        block["sequence"] = json!(at + 1);
        block["snapshotLength"] = case["snapshot_utf16_length"].clone();
        (block["cols"], block["rows"]) = (case["cols"].clone(), case["rows"].clone());
        session.blocks().push(block);
    }
    session.blocks().len()
}

#[test]
fn what_xterm_js_serializes_breaks_no_rule() {
    let mut session = Session::sound();
    fs::remove_file(session.snapshot()).unwrap();
    let count = xterm_snapshots(&mut session);
    session.write_manifest();
    session.close();
    let found = session.findings();
    assert!(found.iter().all(|finding| finding["code"] == "snapshot-round-trip"), "{found:#?}");
    // Some of its own it does not give back, which is why that never counts.
    assert!(count > 100 && found.len() < count / 4, "{} of {count}", found.len());
    println!("{} of {count} snapshots of xterm.js do not come back", found.len());
}

#[test]
fn what_the_recorder_writes_is_clean() {
    let home = Home::new();
    let path = std::env::var_os("PATH").unwrap();
    let record = |args: &[&str]| {
        let mut program = command(RECORD);
        program.env("CODEX_HOME", home.path()).env("PATH", &path).args(args);
        assert_eq!(finish(&mut program).code, 0);
    };
    let script = "printf '\\033[1;41mred\\tä🍏\\033[0m\\n'; seq 100; printf '\\033[?1049hfull'";
    record(&["run", "--headless", "--terminal-id", "run", "--", "sh", "-c", script]);
    let unlimited = ["run", "--headless", "--scrollback", "unlimited", "--terminal-id", "long"];
    record(&[&unlimited[..], &["--", "seq", "30000"]].concat());
    let casts = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/casts");
    for entry in fs::read_dir(casts).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "cast") {
            record(&["import", path.to_str().unwrap(), "--freeze", "markers"]);
        }
    }
    let found = findings(home.path(), &["--all", "--deny-warnings"]);
    assert!(found.iter().all(|finding| finding["code"] == "snapshot-round-trip"), "{found:#?}");
    assert_eq!(findings(home.path(), &["run", "long"]), Vec::<Value>::new());
}

#[test]
fn a_journal_is_left_over_once_its_recorder_is_gone() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    recorder.show("pears\r\n");
    recorder.journal.flush().unwrap();
    let check = || findings(home.path(), &["t"]);
    // Nothing is frozen yet, so there is no manifest either.
    assert_eq!(check(), Vec::<Value>::new());
    recorder.freeze();
    recorder.show("plums\r\n");
    recorder.journal.flush().unwrap();
    assert_eq!(check(), Vec::<Value>::new());
    recorder.crash();
    let found = check();
    assert_eq!(codes(&found), ["journal-left"]);
    let file = found[0]["file"].as_str().unwrap();
    assert!(file.ends_with(".cast") && file.contains("/t/journal/"), "{file}");
    // It only looked: the journal can be recovered as before.
    let mut recover = command(RECORD);
    let run = finish(recover.env("CODEX_HOME", home.path()).args(["recover", "t"]));
    assert!(run.code == 0 && run.stdout.starts_with("t\t"), "{run:?}");
    assert_eq!(check(), Vec::<Value>::new());
}

#[test]
fn a_running_recorder_and_what_it_has_open_are_no_findings() {
    let home = Home::new();
    let mut program = command(RECORD);
    program.env("CODEX_HOME", home.path()).env("PATH", std::env::var_os("PATH").unwrap());
    program.args(["run", "--headless", "--quiet", "--terminal-id", "t"]);
    // The program checks the session that it is recorded into.
    let script = format!("'{CHECK}' artifacts t --format json > \"$1\"; echo done");
    let report = home.path().join("report.json");
    program.args(["--", "sh", "-c", &script, "sh"]).arg(&report);
    assert_eq!(finish(&mut program).code, 0);
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(report["findings"], json!([]));
    assert_eq!(findings(home.path(), &["t", "--deny-warnings"]), Vec::<Value>::new());
}

#[test]
fn a_session_is_clean_at_every_moment_of_its_recording() {
    let home = Home::new();
    let mut recorder = Recorder::start(home.path(), "t");
    let (codex_home, terminal) = (codex_home(home.path()), terminal("t"));
    let done = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let checks = scope.spawn(|| {
            let mut checks = 0;
            while !done.load(Ordering::Relaxed) {
                let findings = check_session(&codex_home, &terminal, BTreeSet::new());
                assert!(findings.kept().is_empty(), "{:#?}", findings.kept());
                checks += 1;
            }
            checks
        });
        for number in 0..60 {
            recorder.show(format!("pears {number}\r\n"));
            recorder.freeze();
        }
        done.store(true, Ordering::Relaxed);
        assert!(checks.join().unwrap() > 0);
    });
}

#[test]
fn a_session_that_is_not_there_is_no_clean_one() {
    let session = Session::sound();
    session.write_manifest();
    session.close();
    let run = |args: &[&str]| session.home.run(CHECK, &[&["artifacts"], args].concat());
    let error = run(&["t", "nonsense", "other"]).fails(2);
    assert_eq!(error.lines().count(), 2);
    assert!(
        error.lines().all(|line| line.starts_with("error: terminal session manifest not found"))
    );
    fs::write(session.home.path().join("codex-deck/terminal/sessions/file"), "").unwrap();
    assert!(run(&["file"]).fails(2).starts_with("error: not a terminal session: "));
    assert!(run(&[]).fails(2).contains("<TERMINAL>"));
    assert!(run(&["../t"]).fails(2).starts_with("error: terminal session id must be"));
    assert!(run(&["t", "--allow", "order"]).fails(2).contains("order"));
    let empty = Home::new();
    let error = empty.run(CHECK, &["artifacts", "--all"]).fails(2);
    assert!(error.starts_with("error: cannot list terminal sessions in "), "{error}");
    fs::create_dir_all(empty.path().join("codex-deck/terminal/sessions")).unwrap();
    let error = empty.run(CHECK, &["artifacts", "--all"]).fails(2);
    assert!(error.starts_with("error: no terminal sessions in "), "{error}");
}

#[test]
fn all_looks_at_folders_without_a_manifest_and_beside_them() {
    let session = Session::sound();
    session.write_manifest();
    mode(&session.home.folder("empty"), 0o700);
    session.close();
    mode(&session.home.folder("empty").join("blocks"), 0o700);
    fs::write(session.home.path().join("codex-deck/terminal/sessions/notes.md"), "").unwrap();
    let found = findings(session.home.path(), &["--all"]);
    assert_eq!(codes(&found), ["manifest-missing", "unexpected-file"]);
    assert_eq!((&found[0]["terminalId"], &found[1]["terminalId"]), (&json!("empty"), &json!(null)));
}

#[test]
fn a_folder_that_cannot_be_asked_for_is_no_clean_session() {
    let session = Session::sound();
    session.write_manifest();
    session.close();
    let sessions = session.home.path().join("codex-deck/terminal/sessions");
    let odd = sessions.join(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("session.json"), "{\"blocks\":[]}").unwrap();
    let found = findings(session.home.path(), &["--all"]);
    assert_eq!(codes(&found), ["terminal-id"]);
    let shown = session.home.run(LIST, &[]);
    assert!(shown.stderr.starts_with("note: no session of this name can be asked for: "));
}

#[test]
fn the_code_is_the_same_where_nobody_reads_on() {
    let session = Session::sound();
    session.write_manifest();
    mode(&session.home.folder("empty"), 0o700);
    let script = format!("set -o pipefail; '{CHECK}' artifacts --all | true; echo $?");
    for _ in 0..5 {
        let mut shell = command("bash");
        let run = finish(shell.env("CODEX_HOME", session.home.path()).args(["-c", &script]));
        assert_eq!((run.code, run.stdout.as_str()), (0, "1\n"));
    }
}

/// A session with an error, a warning and a note, all of which hold what could do harm.
fn hostile() -> Session {
    let mut session = Session::sound();
    session.block(3)["blockId"] = "\u{1b}]0;x\u{7}<&\"'%,:\n::error::x\u{ffff}".into();
    session.block(4)["type"] = "a\u{9b}31m\r\n::stop-commands::x]]>".into();
    session.write_manifest();
    session.put("blocks/a\u{1b}[2J.snapshot");
    session.close();
    session
}

fn formatted(session: &Session, format: &str) -> Run {
    session.home.run(CHECK, &["artifacts", "t", "--format", format])
}

#[test]
fn no_format_lets_through_what_the_session_holds() {
    let session = hostile();
    for format in ["human", "json", "github", "junit"] {
        let run = formatted(&session, format);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{format}");
        let harmless = |c: char| c == '\n' || !c.is_control();
        assert!(run.stdout.chars().all(harmless), "{format}: {:?}", run.stdout);
    }
    let human = formatted(&session, "human").stdout;
    assert_eq!(human.lines().count(), 4, "{human}");
    assert!(human.ends_with("1 session checked: 1 error, 1 warning, 1 note\n"), "{human}");
}

#[test]
fn github_gets_one_command_for_each_finding() {
    let session = hostile();
    let shown = formatted(&session, "github").stdout;
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    assert!(lines[0].starts_with("::notice file=") && lines[0].contains(",line="), "{}", lines[0]);
    assert!(
        lines[0]
            .contains(",title=block-id-form (note)::block \\x1b]0;x\\x07<&\"'%25,:\\x0a::error::x")
    );
    assert!(
        lines[1].starts_with("::error file=") && lines[1].contains(",title=enum-value (error)::")
    );
    assert!(
        lines[2].starts_with("::warning file=")
            && lines[2].contains("a\\x1b[2J.snapshot,title=orphan")
    );
    let run = session.home.run(CHECK, &["artifacts", "t", "--format", "github", "--deny-warnings"]);
    assert!(run.stdout.lines().nth(2).unwrap().starts_with("::error file="));
}

#[test]
fn junit_has_a_suite_for_each_session() {
    let session = hostile();
    let shown = formatted(&session, "junit").stdout;
    let lines: Vec<_> = shown.lines().map(str::trim).collect();
    assert_eq!(lines[0], "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    assert_eq!(lines[1], "<testsuites name=\"terminal-session-check\" tests=\"3\" failures=\"1\">");
    assert_eq!(lines[2], "<testsuite name=\"t\" tests=\"3\" failures=\"1\">");
    assert_eq!(shown.matches("<failure type=\"error\"").count(), 1);
    assert_eq!(shown.matches("<system-out>").count(), 2);
    // Text holds nothing but what was escaped: taken out, the tags are left alone.
    let tags: Vec<_> = shown.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()).collect();
    let opened = tags.iter().filter(|tag| !tag.starts_with('/') && !tag.ends_with(['/', '?']));
    assert_eq!(opened.count(), tags.iter().filter(|tag| tag.starts_with('/')).count());
    assert!(!shown.contains("]]>") && !shown.contains('\u{ffff}'));
    let clean = Session::sound();
    clean.write_manifest();
    clean.close();
    let shown = formatted(&clean, "junit").ok();
    assert!(shown.contains("<testcase classname=\"t\" name=\"artifacts\"/>"), "{shown}");
}

#[test]
fn warnings_count_when_asked_and_codes_can_be_allowed() {
    let session = hostile();
    let code = |args: &[&str]| session.home.run(CHECK, &[&["artifacts", "t"], args].concat()).code;
    assert_eq!(code(&["--allow", "enum-value"]), 0);
    assert_eq!(code(&["--allow", "enum-value", "--deny-warnings"]), 1);
    assert_eq!(code(&["--allow", "enum-value,orphan", "--deny-warnings"]), 0);
    let run = session.home.run(CHECK, &["artifacts", "t", "--allow", "enum-value"]);
    assert!(run.stdout.ends_with("0 errors, 1 warning, 1 note, 1 allowed\n"), "{}", run.stdout);
}

#[test]
fn the_list_of_codes_is_whole() {
    let list = finish(command(CHECK).args(["artifacts", "--list-codes"])).ok();
    let names: Vec<_> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let want: Vec<_> = Code::all().iter().map(|code| code.name()).collect();
    assert_eq!(names, want);
    let help = finish(command(CHECK).args(["artifacts", "--help"])).ok();
    assert!(list.lines().all(|line| help.contains(line)));
}

#[test]
fn files_of_any_length_are_not_read() {
    let session = Session::sound();
    File::create(session.snapshot()).unwrap().set_len(3 << 30).unwrap();
    session.write_manifest();
    // Without the helper that looks whether files changed: it reads them.
    let found = || {
        let mut check = command(CHECK);
        check.env("CODEX_HOME", session.home.path());
        let run = finish(check.args(["artifacts", "t", "--allow", "permissions"]));
        assert_eq!(run.code, 1);
        run.stdout
    };
    assert!(found().starts_with("error[snapshot-file]: "));
    File::create(session.file("session.json")).unwrap().set_len(1 << 40).unwrap();
    assert!(found().starts_with("error[manifest-file]: "));
}

#[test]
fn a_manifest_of_countless_faults_makes_a_short_report() {
    let home = Home::new();
    home.manifest("t", format!("{{\"blocks\":[{}null]}}", "null,".repeat(90_000)));
    let run = home.run(CHECK, &["artifacts", "t", "--allow", "permissions"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.stdout.lines().count(), 1002);
    assert!(run.stdout.contains("\n89003 more findings in t\n"), "{}", run.stdout);
    // More blocks than that are not even taken apart, nor is what is nested deeply laid out.
    home.manifest("t", format!("{{\"blocks\":[{}null]}}", "{},".repeat(1_000_000)));
    let found = || codes(&findings(home.path(), &["t", "--allow", "permissions"])).join(" ");
    assert_eq!(found(), "manifest-file");
    let (open, close) = ("[".repeat(900), "]".repeat(900));
    let nested = format!("{open}{}1{close}", "1,".repeat(1_000_000));
    home.manifest("t", format!("{{\"odd\":{nested},\"blocks\":[]}}"));
    assert_eq!(found(), "manifest-layout key-missing");
}
