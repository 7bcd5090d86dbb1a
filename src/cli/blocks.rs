//! `terminal-session-blocks`: any lines of any block.

mod arguments;
mod json;
mod text;

use std::io::Write;

use super::arguments::session_id;
use super::{Console, Exit, Failure, count};
use crate::artifact::Manifest;
use crate::home::TerminalId;
use crate::inspect::{BlockView, Content, Omission, Selected, Selector, SelectorError};

pub use arguments::BlocksArgs;
use arguments::{Config, What};

/// Runs the program.
///
/// # Errors
/// Where the call is wrong, the session or a block cannot be found or read, or the output not be
/// written.
pub fn run(args: &BlocksArgs, console: &mut Console) -> Result<Exit, Failure> {
    let config = args.config()?;
    let home = args.as_ref().home()?;
    let id = session_id(&home, &config.terminal, config.compat)?;
    let manifest = Manifest::read(&home.session(&id)).map_err(Failure::failed)?;
    if !manifest.has_blocks() {
        let path = manifest.folder().join("session.json");
        let what = "terminal session manifest has no blocks array";
        return Err(Failure::failed(format!("{what}: {}", path.display())));
    }
    let session = Session { id, manifest };
    match &config.what {
        What::Raw(selector) => raw(&session, selector, &config, console),
        What::Selectors(selectors) if config.compat => {
            one_by_one(&session, selectors, &config, console)
        }
        What::Selectors(selectors) => {
            let selected = resolve_all(&session, selectors, &config)?;
            show(&session, &selected, &config, console)
        }
        What::All => {
            let selected: Vec<_> = session.manifest.blocks().map(Selected::whole).collect();
            show(&session, &selected, &config, console)
        }
    }
}

/// The session being read.
struct Session {
    id: TerminalId,
    manifest: Manifest,
}

fn resolve_all<'a>(
    session: &'a Session,
    selectors: &[Selector],
    config: &Config,
) -> Result<Vec<Selected<'a>>, Failure> {
    selectors.iter().map(|selector| resolve(session, selector, config)).collect()
}

fn resolve<'a>(
    session: &'a Session,
    selector: &Selector,
    config: &Config,
) -> Result<Selected<'a>, Failure> {
    selector.resolve(&session.manifest, config.extras()).map_err(|error| match error {
        SelectorError::Range(error) => Failure::usage(error),
        other => Failure::failed(other),
    })
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
    let selected = resolve(session, selector, config)?;
    let data = Content::raw(&session.manifest, &selected.block).map_err(Failure::failed)?;
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
        let selected = resolve(session, selector, config)?;
        let view =
            BlockView::read(&session.manifest, &selected, &config.view).map_err(Failure::failed)?;
        text::print(session, &selected, &view, config, console)?;
    }
    Ok(Exit::Done)
}

/// All blocks that can be read; the others say why on stderr.
fn show(
    session: &Session,
    selected: &[Selected<'_>],
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut objects = Vec::new();
    for selected in selected {
        let result = BlockView::read(&session.manifest, selected, &config.view);
        match &result {
            Err(error) => {
                exit = Exit::Failed;
                console.error(&error.to_string());
            }
            Ok(view) => {
                remark(selected, view, console);
                if !config.json {
                    text::print(session, selected, view, config, console)?;
                }
            }
        }
        if config.json {
            objects.push(json::object(session, selected, &result, config));
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
