//! Matches in blocks, as grep prints them.

mod json;
mod text;

use std::cell::Cell;

use super::super::{Console, Exit, Failure};
use super::arguments::{Config, Grep};
use super::text::command;
use super::{Chosen, Session};
use crate::artifact::{Manifest, ManifestErrorKind, resolve};
use crate::home::CodexHome;
use crate::inspect::{Hit, Line, LineRange, ListOptions, Listing, Rest, SortBy, Window};
use crate::record::unfrozen;

/// Searches blocks of one session.
pub(super) fn one_session(
    session: &Session,
    chosen: &[Chosen<'_>],
    grep: &Grep,
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let searching = Searching::new(grep, config);
    searching.print(&|emit| searching.session(session, chosen, emit), console)
}

/// Searches all sessions, newest first.
pub(super) fn all_sessions(
    home: &CodexHome,
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let Some(grep) = &config.grep else {
        return Err(Failure::usage("--all-sessions goes with --grep"));
    };
    let options = ListOptions {
        codex_session: None,
        since: None,
        limit: None,
        sort: SortBy::Updated,
        unfrozen: &unfrozen,
    };
    let listing = Listing::new(home, &options).map_err(Failure::failed)?;
    let sessions = resolve(&home.sessions()).unwrap_or_else(|_| home.sessions());
    let searching = Searching::new(grep, config);
    let all = |emit: &mut Emit<'_>| {
        for id in listing.ids() {
            let session = match Manifest::read_in(&sessions, id) {
                Ok(manifest) => Session::of(id.clone(), manifest),
                // Nothing of it was frozen yet.
                Err(error)
                    if matches!(error.kind, ManifestErrorKind::Missing)
                        && unfrozen(&sessions.join(id.as_str())).is_some() =>
                {
                    continue;
                }
                Err(error) => Err(Failure::failed(error)),
            };
            match session {
                Ok(session) => searching.session(&session, &session.all(), emit)?,
                Err(failure) => emit(Event::Problem(failure.to_string()))?,
            }
        }
        Ok(())
    };
    searching.print(&all, console)
}

/// Takes what a search finds, until it cannot be written.
type Emit<'e> = dyn FnMut(Event<'_>) -> std::io::Result<()> + 'e;

/// Runs a search.
type Run<'r> = dyn Fn(&mut Emit<'_>) -> std::io::Result<()> + 'r;

/// What a search finds.
enum Event<'e> {
    /// A line to show.
    Shown(Shown<'e>),
    /// Lines are left out here.
    Gap,
    /// Something could not be searched.
    Problem(String),
}

/// A line to show.
struct Shown<'e> {
    session: &'e Session,
    chosen: &'e Chosen<'e>,
    /// What a selector calls the block.
    name: &'e str,
    line: Line<'e>,
    /// The byte of the line where the first match begins, none for a line near one.
    match_at: Option<usize>,
    window: Window<'e>,
}

impl Shown<'_> {
    /// Code points of the whole line before the part that is shown.
    fn skipped(&self) -> usize {
        self.line.skip + self.window.before
    }

    /// The selector of the line, from its shown part on.
    fn place(&self) -> String {
        match self.window.before {
            0 => format!("{}@{}", self.name, self.line.number),
            _ => format!("{}@{}+{}", self.name, self.line.number, self.skipped()),
        }
    }

    /// What a cut left out: how many characters, before or after, and the command that prints them.
    fn cuts(&self, config: &Config) -> Vec<Cut> {
        let number = self.line.number;
        let window = &self.window;
        let mut cuts = Vec::new();
        if window.before > 0 {
            let selector = match self.line.skip {
                0 => format!("{}@{number}", self.name),
                skip => format!("{}@{number}+{skip}", self.name),
            };
            // The helper's way has neither a budget nor a skip, so the whole line must do.
            let most = Some(window.before).filter(|_| !config.compat);
            let command = command(self.session, &selector, most, config);
            cuts.push(Cut { side: "before", chars: window.before, command });
        }
        if window.after > 0 {
            let skip = self.skipped() + window.shown.chars().count();
            let range = LineRange { start: number, skip, end: Some(number) };
            let range = if config.compat { LineRange { skip: 0, ..range } } else { range };
            let rest = Rest { lines: 1, chars: window.after, range };
            let command = super::text::ReadOn::new(self.session, self.chosen, rest, config).command;
            cuts.push(Cut { side: "after", chars: window.after, command });
        }
        cuts
    }
}

/// What was left out at one side of a line's shown part.
struct Cut {
    side: &'static str,
    chars: usize,
    command: String,
}

struct Searching<'a> {
    grep: &'a Grep,
    config: &'a Config,
    /// Whether the next line shown is the first one.
    is_first: Cell<bool>,
}

impl<'a> Searching<'a> {
    fn new(grep: &'a Grep, config: &'a Config) -> Self {
        Self { grep, config, is_first: Cell::new(true) }
    }

    fn print(&self, run: &Run<'_>, console: &mut Console) -> Result<Exit, Failure> {
        let found = if self.config.json {
            json::print(run, self.config, console)?
        } else {
            text::print(run, self.config, console)?
        };
        Ok(match found {
            Found { problems: true, .. } => Exit::Usage,
            Found { matches: true, .. } => Exit::Done,
            Found { .. } => Exit::Failed,
        })
    }

    fn session(
        &self,
        session: &Session,
        chosen: &[Chosen<'_>],
        emit: &mut Emit<'_>,
    ) -> std::io::Result<()> {
        for chosen in chosen {
            let view = match chosen.whole(session, self.config) {
                Ok(view) => view,
                Err(error) => {
                    emit(Event::Problem(error.to_string()))?;
                    continue;
                }
            };
            let lines = view.searched(chosen.selected.range, &self.config.view);
            // Finding a name takes a look at all ids, and most blocks match nothing.
            let mut name = None;
            let mut gap = self.grep.search.context.is_some();
            self.grep.search.run(lines, |hit| {
                let (line, match_at) = match hit {
                    Hit::Match(line, (start, _)) => (line, Some(start)),
                    Hit::Near(line) => (line, None),
                    Hit::Gap => return emit(Event::Gap),
                };
                if std::mem::take(&mut gap) && !self.is_first.get() {
                    emit(Event::Gap)?;
                }
                self.is_first.set(false);
                let name = name.get_or_insert_with(|| chosen.name(session));
                let window = Window::around(line.text, match_at.unwrap_or(0), self.grep.line_chars);
                emit(Event::Shown(Shown { session, chosen, name, line, match_at, window }))
            })?;
        }
        Ok(())
    }
}

/// What came of a search.
#[derive(Clone, Copy, Default)]
struct Found {
    matches: bool,
    problems: bool,
}
