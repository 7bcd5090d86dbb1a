//! Man pages and completions in `man/` are those of the arguments.
//!
//! `TERMINAL_SESSION_UPDATE_MAN=1 cargo test man` writes them anew.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::support::{command, finish, skipped};
use terminal_session::cli::blocks::BlocksArgs;
use terminal_session::cli::check::CheckArgs;
use terminal_session::cli::list::ListArgs;
use terminal_session::cli::live::LiveArgs;
use terminal_session::cli::record::RecordArgs;
use terminal_session::cli::summary::SummaryArgs;

/// All programs. A new one is added here and to `every_program_has_its_pages`.
fn programs() -> Vec<Command> {
    vec![
        SummaryArgs::command(),
        BlocksArgs::command(),
        CheckArgs::command(),
        ListArgs::command(),
        LiveArgs::command(),
        RecordArgs::command(),
    ]
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("man")
}

/// Its words in bold or italics, as a line of a page.
fn font(name: char, text: &str) -> String {
    format!("\\f{name}{}\\fR", text.replace('-', "\\-"))
}

/// How it is called: options with their values, then what else it takes.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut line = vec![font('B', name)];
    let value = |argument: &Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().map(|name| font('I', name)).collect::<Vec<_>>().join(" ")
    };
    for option in command.get_arguments().filter(|argument| !argument.is_positional()) {
        let short = option.get_short().map(|short| format!("-{short}"));
        let long = option.get_long().map(|long| format!("--{long}"));
        let names: Vec<_> = short.into_iter().chain(long).map(|name| font('B', &name)).collect();
        let mut text = names.join("|");
        if option.get_action().takes_values() {
            text += &format!(" {}", value(option));
        }
        line.push(format!("[{text}]"));
    }
    for argument in command.get_positionals() {
        let is_many = argument.get_num_args().is_some_and(|count| count.max_values() > 1)
            || matches!(argument.get_action(), ArgAction::Append);
        let mut text = value(argument);
        if argument.is_last_set() {
            text = format!("{} {text}", font('B', "--"));
        }
        if is_many {
            text += " ...";
        }
        line.push(if argument.is_required_set() { text } else { format!("[{text}]") });
    }
    if command.has_subcommands() {
        line.push(format!("{} ...", font('I', "COMMAND")));
    }
    // One break for each part, or long lines are cut in the middle of one.
    format!(".SH SYNOPSIS\n.nh\n.ad l\n{}\n.ad\n.hy\n", line.join("\n"))
}

/// A page with the long help's closing sections as sections of its own.
fn page(command: Command) -> String {
    let closing = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let has_subcommands = command.has_subcommands();
    let command = command.after_long_help("").disable_help_subcommand(true);
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let source = format!("{name} {}", env!("CARGO_PKG_VERSION"));
    let synopsis = synopsis(&command);
    // Short, since it stands between two names that may be 34 columns long each.
    let man = Man::new(command).date("").source(source).manual("Sessions");
    let mut out = Vec::new();
    man.render_title(&mut out).unwrap();
    man.render_name_section(&mut out).unwrap();
    out.extend(synopsis.bytes());
    man.render_description_section(&mut out).unwrap();
    man.render_options_section(&mut out).unwrap();
    if has_subcommands {
        man.render_subcommands_section(&mut out).unwrap();
    }
    let mut page = String::from_utf8(out).unwrap();
    // An empty date is left out there, and what follows it would move to its place.
    page = page.replacen(" 1  \"", " 1 \"\" \"", 1);
    for section in closing.split("\n\n") {
        let (heading, body) = section.split_once(":\n").unwrap();
        page += &format!(".SH \"{}\"\n.nf\n", heading.to_uppercase());
        for line in body.lines() {
            // A period or an apostrophe at the start of a line would be a request.
            page += &format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-"));
        }
        page += ".fi\n";
    }
    page += ".SH \"ENVIRONMENT\"\n.TP\nCODEX_HOME\nThe codex home where \\-\\-codex\\-home names none.\n\
        .TP\nNO_COLOR, CLICOLOR_FORCE\nNo colours; colours even without a terminal.\n";
    if name.ends_with("-summary") || name.ends_with("-blocks") {
        page += ".TP\nTERMINAL_SESSION_PAGER, PAGER\nThe pager for text on a terminal, the first that is set \
            [default: less]; empty or cat is none.\n.TP\nLESS\nIs FRX for the pager where it is not set.\n";
    }
    if name.starts_with("terminal-session-record") {
        page += ".TP\nTERMINAL_SESSION_RECORD\nSet by \\fBrun\\fR for what it records: the terminal's id. \
            Inside, \\fBfreeze\\fR\nwithout an id means that terminal, and another \\fBrun\\fR is refused \
            without \\-\\-force.\n";
    }
    page
}

/// A program and what it can be told to do, each with a page of its own.
fn with_subcommands(program: &Command) -> Vec<Command> {
    let name = program.get_display_name().unwrap_or(program.get_name());
    let words = program.get_bin_name().unwrap_or(program.get_name());
    let is_shown =
        |subcommand: &&Command| !subcommand.is_hide_set() && subcommand.get_name() != "help";
    let shown = program.get_subcommands().filter(is_shown);
    let subcommands = shown.flat_map(|subcommand| {
        let action = subcommand.get_name();
        let page = subcommand.clone().bin_name(format!("{words} {action}"));
        with_subcommands(&page.display_name(format!("{name}-{action}")))
    });
    std::iter::once(program.clone()).chain(subcommands).collect()
}

fn page_name(command: &Command) -> String {
    format!("{}.1", command.get_display_name().unwrap_or(command.get_name()))
}

fn generated() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for command in programs() {
        let name = command.get_name().to_owned();
        for command in with_subcommands(&command) {
            files.push((page_name(&command).into(), page(command)));
        }
        for (shell, file) in [
            (Shell::Bash, format!("{name}.bash")),
            (Shell::Zsh, format!("_{name}")),
            (Shell::Fish, format!("{name}.fish")),
        ] {
            let mut out = Vec::new();
            clap_complete::generate(shell, &mut command.clone(), name.clone(), &mut out);
            let mut script = String::from_utf8(out).unwrap();
            if shell == Shell::Bash {
                // clap-rs/clap#6421: the arms of a program with hyphens are not what is asked for.
                let wrong = format!("{}__subcmd__", name.replace('-', "__subcmd__"));
                script = script.replace(&wrong, &format!("{}__subcmd__", name.replace('-', "__")));
            }
            files.push((Path::new("completions").join(file), script));
        }
    }
    files
}

#[test]
fn pages_and_completions_are_those_of_the_arguments() {
    let update = std::env::var_os("TERMINAL_SESSION_UPDATE_MAN").is_some();
    for (name, want) in generated() {
        let path = folder().join(name);
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &want).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == want,
            "{} is stale; TERMINAL_SESSION_UPDATE_MAN=1 cargo test man",
            path.display()
        );
    }
}

#[test]
fn every_program_has_its_pages() {
    let mut programs: Vec<_> = programs().iter().map(|p| p.get_name().to_owned()).collect();
    programs.sort();
    let bins = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin");
    let mut sources: Vec<_> = std::fs::read_dir(bins)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".rs", ""))
        .collect();
    sources.sort();
    assert_eq!(programs, sources);
}

#[test]
fn exit_codes_are_in_every_page() {
    for command in programs().iter().flat_map(with_subcommands) {
        let page = page(command);
        let (_, status) = page.split_once(".SH \"EXIT STATUS\"").unwrap();
        for code in ["\\&  0  ", "\\&  1  ", "\\&  2  "] {
            assert!(status.contains(code), "{code}");
        }
    }
}

#[test]
fn every_argument_has_a_line_that_says_what_it_is() {
    for command in programs().iter().flat_map(with_subcommands) {
        let name = page_name(&command);
        assert!(command.get_about().is_some(), "{name}");
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{name}: {}", argument.get_id());
        }
    }
}

#[test]
fn the_first_line_has_everything_in_its_place() {
    let page = page(SummaryArgs::command());
    let title = page.lines().find(|line| line.starts_with(".TH ")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let name = "terminal-session-summary";
    assert_eq!(title, format!(".TH {name} 1 \"\" \"{name} {version}\" Sessions"));
}

#[test]
fn a_synopsis_has_values_and_what_may_come_again() {
    let record = RecordArgs::command();
    let pages: Vec<_> = with_subcommands(&record).iter().map(synopsis).collect();
    let plain = |page: &str| {
        let fonts = ["\\fB", "\\fI", "\\fR", "\\"];
        fonts.iter().fold(page.to_owned(), |page, font| page.replace(font, ""))
    };
    let run = plain(pages.iter().find(|page| page.contains("record run")).unwrap());
    for part in ["[--freeze WHEN]", "[-q|--quiet]", "[-- COMMAND ...]"] {
        assert!(run.lines().any(|line| line == part), "{part} is not in {run}");
    }
    assert!(plain(&pages[0]).contains("\nCOMMAND ...\n"));
    assert!(plain(&synopsis(&BlocksArgs::command())).contains("\n[TERMINAL]\n[BLOCK ...]\n"));
}

#[test]
fn arguments_are_sound() {
    for command in programs() {
        command.debug_assert();
    }
}

#[test]
fn bash_completes_options_of_subcommands() {
    let script = folder().join("completions/terminal-session-record.bash");
    let words = "COMP_WORDS=(terminal-session-record import --free); COMP_CWORD=2";
    let line = format!(
        ". '{}'; {words}; _terminal__session__record terminal-session-record --free import; \
         echo \"${{COMPREPLY[*]}}\"",
        script.display()
    );
    let mut bash = command("bash");
    bash.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    if bash.args(["-c", "true"]).output().is_err() {
        skipped("there is no bash");
        return;
    }
    let mut bash = command("bash");
    bash.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    assert_eq!(finish(bash.args(["-c", &line])).ok(), "--freeze\n");
}
