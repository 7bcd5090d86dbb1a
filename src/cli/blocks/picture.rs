//! Blocks with their colours: as text, as a page, as a picture.

use std::borrow::Cow;
use std::io::Write;

use super::super::facts::{facts, heading};
use super::super::{Console, Controls, Exit, Failure, sanitize};
use super::arguments::{Config, Look};
use super::{Chosen, Session, remark, text};
use crate::inspect::{BlockView, Content, ContentError, Rendering};
use crate::render::svg::Drawing;
use crate::render::{Picture, ansi_text, html};
use crate::screen::{Screen, Scrollback, Size};

/// Prints all blocks that can be read; the others say why on stderr.
pub(super) fn print(
    session: &Session,
    chosen: &[Chosen<'_>],
    look: Look,
    config: &Config,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut page = String::new();
    let mut drawing = Drawing::default();
    let title = session.id.as_str();
    let has_headings = chosen.len() > 1;
    if look == Look::Html {
        html::push_start(&mut page, title);
    }
    for chosen in chosen {
        let shown = match Shown::read(session, chosen, config) {
            Ok(shown) => shown,
            Err(error) => {
                exit = Exit::Failed;
                console.error(&error.to_string());
                continue;
            }
        };
        remark(&chosen.selected, &shown.view, console);
        match look {
            Look::Ansi => text::print_colored(chosen, &shown.view, &shown.ansi(config), console)?,
            Look::Html => {
                let block = &chosen.selected.block;
                let heading = heading(block, chosen.live.map(|_| "live"));
                html::push_heading(&mut page, &heading, &facts(block));
                shown.html(&mut page, config);
                console.out().write_all(page.as_bytes())?;
                page.clear();
            }
            Look::Svg => {
                if has_headings {
                    let live = chosen.live.map(|_| "live");
                    drawing.heading(&heading(&chosen.selected.block, live));
                }
                shown.svg(&mut drawing, config);
            }
        }
    }
    match look {
        Look::Ansi => {}
        Look::Html => html::push_end(&mut page),
        Look::Svg => page = drawing.finish(title),
    }
    console.out().write_all(page.as_bytes())?;
    Ok(exit)
}

/// A block that was read.
struct Shown<'a> {
    view: BlockView,
    /// None for messages.
    screen: Option<Cow<'a, Screen>>,
}

impl<'a> Shown<'a> {
    fn read(session: &Session, chosen: &Chosen<'a>, config: &Config) -> Result<Self, ContentError> {
        let block = &chosen.selected.block;
        let found = match chosen.live {
            Some(live) => {
                let (screen, path) = live.screen();
                Some((Cow::Borrowed(screen), path.to_path_buf()))
            }
            None => Content::screen(&session.manifest, block)?
                .map(|(screen, path)| (Cow::Owned(screen), path)),
        };
        let Some((screen, path)) = found else {
            return Ok(Self { view: chosen.view(session, config)?, screen: None });
        };
        let content = Content::of_screen(&screen, path, config.view.text_rendering());
        let view = BlockView::of(content, chosen.selected.range, &config.view);
        Ok(Self { view, screen: Some(screen) })
    }

    fn picture(&self, config: &Config) -> Option<Picture<'_>> {
        let squeeze = config.view.rendering == (Rendering::Screen { squeeze: true });
        let mut picture = Picture::new(self.screen.as_deref()?, squeeze);
        if let Some(range) = self.view.range {
            picture.choose(range.start, range.end);
        }
        Some(picture)
    }

    fn ansi(&self, config: &Config) -> String {
        match self.picture(config) {
            Some(picture) => ansi_text(&picture),
            None => sanitize(&self.view.text, Controls::Shown).into_owned(),
        }
    }

    fn html(&self, page: &mut String, config: &Config) {
        match self.picture(config) {
            Some(picture) => html::push_screen(page, &picture),
            None => html::push_text(page, &sanitize(&self.view.text, Controls::Shown)),
        }
    }

    fn svg(&self, drawing: &mut Drawing, config: &Config) {
        // A message has no rows of its own; a screen makes some.
        const MESSAGE: Size = Size { cols: 80, rows: 1 };
        match self.picture(config) {
            Some(picture) => drawing.screen(&picture),
            None => {
                let mut screen = Screen::new(MESSAGE, Scrollback::Unlimited);
                let text = sanitize(&self.view.text, Controls::Shown).replace('\n', "\r\n");
                screen.feed(text.as_bytes());
                drawing.screen(&Picture::new(&screen, false));
            }
        }
    }
}
