//! `terminal-session-blocks`: any lines of any block.

mod arguments;
mod json;
mod live;
mod picture;
mod search;
mod text;

use std::io::Write;

use super::arguments::{read_manifest, recording_id, session_id};
use super::{CommonArgs, Console, Exit, Failure, count};
use crate::artifact::Manifest;
use crate::home::{CodexHome, TerminalId};
use crate::inspect::{
    BlockView, Content, ContentError, LineRange, Lines, Omission, Selected, Selector,
    SelectorError, ViewOptions,
};
use crate::record::find_journals;

pub use arguments::BlocksArgs;
use arguments::{Config, What};
use live::Live;

/// Runs the program.
///
/// # Errors
/// Where the call is wrong, the session or a block cannot be found or read, or the output not be
/// written.
pub fn run(args: &BlocksArgs, console: &mut Console) -> Result<Exit, Failure> {
    let answer = answer(args, console);
    if args.is_search() { answer.map_err(Failure::or_no_answer) } else { answer }
}

fn answer(args: &BlocksArgs, console: &mut Console) -> Result<Exit, Failure> {
    let config = args.config()?;
    let home = args.as_ref().home()?;
    let Some(terminal) = &config.terminal else {
        if config.is_paged {
            console.start_pager();
        }
        return search::all_sessions(&home, &config, console);
    };
    let id = if config.has_live() {
        recording_id(&home, terminal)?
    } else {
        session_id(&home, terminal, config.compat)?
    };
    let session = Session::open(args.as_ref(), &home, id, &config, console)?;
    if config.is_paged {
        console.start_pager();
    }
    match &config.what {
        What::Raw(selector) => raw(&session, selector, &config, console),
        What::Selectors(selectors) if config.compat && config.grep.is_none() => {
            one_by_one(&session, selectors, &config, console)
        }
        What::Selectors(selectors) => {
            let choose = |selector| choose(&session, selector, &config);
            let chosen: Vec<_> = selectors.iter().map(choose).collect::<Result<_, _>>()?;
            show(&session, &chosen, &config, console)
        }
        What::All => show(&session, &session.all(), &config, console),
    }
}

/// The manifest, an empty one where nothing was frozen yet and `live` is asked for.
fn manifest(
    common: &CommonArgs,
    home: &CodexHome,
    id: &TerminalId,
    config: &Config,
) -> Result<Manifest, Failure> {
    const EMPTY: &[u8] = b"{\"blocks\":[]}";
    let folder = home.session(id);
    let has_journal = || find_journals(&folder).is_ok_and(|found| !found.is_empty());
    let is_there = folder.join("session.json").symlink_metadata().is_ok();
    if config.has_live() && !is_there && has_journal() {
        return Manifest::parse(folder, EMPTY.to_vec()).map_err(Failure::failed);
    }
    read_manifest(common, home, id, config.compat)
}

/// The session being read.
struct Session {
    id: TerminalId,
    manifest: Manifest,
    live: Option<Live>,
}

impl Session {
    /// Reads the manifest of a session, and what is in no block yet where that is asked for.
    fn open(
        common: &CommonArgs,
        home: &CodexHome,
        id: TerminalId,
        config: &Config,
        console: &mut Console,
    ) -> Result<Self, Failure> {
        let folder = home.session(&id);
        let manifest = manifest(common, home, &id, config)?;
        let mut session = Self::of(id, manifest)?;
        if config.asks_live(&session.manifest) {
            session.live = Live::read(&folder, console)?;
        }
        Ok(session)
    }

    /// A session with blocks to look at.
    fn of(id: TerminalId, manifest: Manifest) -> Result<Self, Failure> {
        let manifest = manifest.with_blocks().map_err(Failure::failed)?;
        Ok(Self { id, manifest, live: None })
    }

    /// All its blocks.
    fn all(&self) -> Vec<Chosen<'_>> {
        self.manifest.blocks().map(Selected::whole).map(Chosen::block).collect()
    }
}

/// What a selector chose.
struct Chosen<'a> {
    selected: Selected<'a>,
    /// Where the text is, if it is in no block.
    live: Option<&'a Live>,
}

impl<'a> Chosen<'a> {
    fn block(selected: Selected<'a>) -> Self {
        Self { selected, live: None }
    }

    /// What a selector calls it.
    fn name(&self, session: &Session) -> String {
        match self.live {
            Some(_) => self.selected.label.clone(),
            None => self.selected.name_for(&session.manifest),
        }
    }

    fn view(&self, session: &Session, config: &Config) -> Result<BlockView, ContentError> {
        self.view_of(self.selected.range, session, &config.view)
    }

    /// The text that lines are chosen from.
    fn whole(&self, session: &Session, config: &Config) -> Result<BlockView, ContentError> {
        self.view_of(None, session, &ViewOptions { lines: Lines::All, ..config.view })
    }

    fn view_of(
        &self,
        range: Option<LineRange>,
        session: &Session,
        options: &ViewOptions,
    ) -> Result<BlockView, ContentError> {
        match self.live {
            Some(live) => Ok(live.view(range, options)),
            None => BlockView::read(&session.manifest, &self.selected.block, range, options),
        }
    }
}

fn choose<'a>(
    session: &'a Session,
    selector: &Selector,
    config: &Config,
) -> Result<Chosen<'a>, Failure> {
    let is_live = !config.compat && selector.is_live(&session.manifest);
    if let Some(live) = session.live.as_ref().filter(|_| is_live) {
        let range = selector.range().map_err(Failure::usage)?;
        return Ok(Chosen { selected: live.selected(range)?, live: Some(live) });
    }
    match selector.resolve(&session.manifest, config.extras()) {
        Ok(selected) => Ok(Chosen::block(selected)),
        Err(SelectorError::Range(error)) => Err(Failure::usage(error)),
        Err(SelectorError::Unknown(unknown)) if is_live && unknown.matches.is_empty() => {
            Err(Failure::failed(format!(
                "terminal {} is not being recorded, and no recorder left a journal",
                session.id
            )))
        }
        Err(error) => Err(Failure::failed(error)),
    }
}

/// The stored bytes of one block.
fn raw(
    session: &Session,
    selector: &Selector,
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    if console.out_is_terminal() && !config.force {
        return Err(Failure::usage(
            "raw bytes can take over a terminal; write them to a file or add --force",
        ));
    }
    let chosen = choose(session, selector, config)?;
    let data = match chosen.live {
        Some(live) => live.snapshot().into_bytes(),
        None => Content::raw(&session.manifest, &chosen.selected.block).map_err(Failure::failed)?,
    };
    console.out().write_all(&data)?;
    Ok(Exit::Done)
}

/// As the Python helper works: the first block that fails ends it, after what came before.
fn one_by_one(
    session: &Session,
    selectors: &[Selector],
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    for selector in selectors {
        let chosen = choose(session, selector, config)?;
        let view = chosen.view(session, config).map_err(Failure::failed)?;
        text::print(session, &chosen, &view, config, console)?;
    }
    Ok(Exit::Done)
}

/// All blocks that can be read; the others say why on stderr.
fn show(
    session: &Session,
    chosen: &[Chosen<'_>],
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    if let Some(grep) = &config.grep {
        return search::one_session(session, chosen, grep, config, console);
    }
    if let Some(look) = config.look {
        return picture::print(session, chosen, look, config, console);
    }
    let mut exit = Exit::Done;
    let mut objects = Vec::new();
    for chosen in chosen {
        let selected = &chosen.selected;
        let result = chosen.view(session, config);
        match &result {
            Err(error) => {
                exit = Exit::Failed;
                console.comes_to(exit);
                console.error(&error.to_string());
            }
            Ok(view) => {
                remark(selected, view, console);
                if !config.json {
                    text::print(session, chosen, view, config, console)?;
                }
            }
        }
        if config.json {
            objects.push(json::object(session, chosen, &result, config));
        }
    }
    if config.json {
        json::print(session, objects, console)?;
    }
    Ok(exit)
}

/// Says on stderr why a block shows nothing.
fn remark(selected: &Selected<'_>, view: &BlockView, console: &mut Console) {
    let label = &selected.label;
    if view.omission == Some(Omission::Nothing) {
        console.note(&format!("nothing of block {label} was omitted"));
    } else if view.omission == Some(Omission::NoSnapshot) {
        console.note(&format!("block {label} is no snapshot; nothing of it was omitted"));
    } else if view.is_past_end() {
        let range = view.range.map(|range| range.to_string()).unwrap_or_default();
        let total = count(view.total_lines, "line");
        console.note(&format!("block {label} has {total}; {range} is past its end"));
    }
}
